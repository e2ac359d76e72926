// Pages of what rows and columns are made of in more than one way, small and large, and with blocks of text on both sides of their bounds; `check` decodes
// them and holds the values against those they were made of.
import assert from "node:assert/strict";
import { Codec } from "cqlwire";
import { rowsFrame } from "./rows-frame.mjs";

const TEXTS = ["", "plain", "naïve", "漢字かな", "🙂 and 🙃", "\ufeffmark", "e\u0301", "x".repeat(40), "ß".repeat(9000), "y".repeat(20_000), "\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}"];
const hex = (string) => Buffer.from(string).toString("hex");
const big = (number) => BigInt.asUintN(64, number).toString(16).padStart(16, "0");
const MS = [0n, -1n, 1_600_000_000_000n, 8_640_000_000_000_000n, -8_640_000_000_000_000n, 8_640_000_000_000_001n, -8_640_000_000_000_001n, (1n << 63n) - 1n, -(1n << 63n)];
const date = (ms) => (ms >= -8_640_000_000_000_000n && ms <= 8_640_000_000_000_000n ? new Date(Number(ms)) : ms);
const uuid = (n) => n.toString(16).padStart(32, "0").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const TYPES = { text: "text", ascii: "text", uuid: "uuid", ms: "timestamp", flag: "boolean", n: "bigint", v: ["vector", "float", 3], i: "int", d: "date", blob: "blob" };
/** What row n has, and its cells. */
function row(n, isNull) {
  const [text, ms] = [TEXTS[n % TEXTS.length], MS[n % MS.length]];
  const number = BigInt(n) * 0x1_0000_0001n - 5n;
  const values = { text, ascii: `row ${n}`, uuid: uuid(BigInt(n) * 0x1234_5678_9abc_def1_2345n), ms: date(ms), flag: n % 3 === 0, n: number, v: Float32Array.of(n, -n, 0.5), i: 0 - n, d: n, blob: Uint8Array.of(n & 255) };
  const floats = Buffer.alloc(12);
  [n, -n, 0.5].forEach((float, i) => floats.writeFloatBE(float, 4 * i));
  const cells = [hex(text), hex(values.ascii), values.uuid.replaceAll("-", ""), big(ms), values.flag ? "01" : "00", big(number), floats.toString("hex"), (-n >>> 0).toString(16).padStart(8, "0"), ((0x8000_0000 + n) >>> 0).toString(16), (n & 255).toString(16).padStart(2, "0")];
  Object.keys(values).forEach((name, c) => {
    if (isNull && (n + c) % 4 === 0) [values[name], cells[c]] = [null, null];
  });
  return { values, cells };
}

export function check() {
  for (const length of [1, 30, 1500]) {
    for (const isNull of [false, true]) {
      const rows = Array.from({ length }, (_, n) => row(n, isNull));
      const [message] = new Codec({ version: 4 }).feed(rowsFrame(TYPES, rows.map(({ cells }) => cells)));
      const plain = (value) => (value !== null && typeof value === "object" && value.constructor.name === "LocalDate" ? Math.round(Date.parse(String(value)) / 86_400_000) : value);
      const got = message.rows.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, plain(value)])));
      assert.deepEqual(got, rows.map(({ values }) => values));
      for (const column of message.columns) assert.deepEqual([...column].map(plain), rows.map(({ values }) => values[column.name]));
      const [own] = new Codec({ version: 4, values: { strings: "own" } }).feed(rowsFrame(TYPES, rows.map(({ cells }) => cells)));
      assert.deepEqual(own.rows.map(({ text, uuid }) => [text, uuid]), rows.map(({ values: { text, uuid } }) => [text, uuid]));
    }
  }
  // Halves of a character in two cells are text together, and neither alone.
  const [halves] = new Codec({ version: 4 }).feed(rowsFrame({ t: "text", i: "int" }, [["c3", "00000001"], ["a9", "00000002"], ["c3a9", "00000003"]]));
  assert.deepEqual(halves.rows, [{ t: Uint8Array.of(0xc3), i: 1 }, { t: Uint8Array.of(0xa9), i: 2 }, { t: "é", i: 3 }]);
}
