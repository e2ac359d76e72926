// What goes in: every type with every kind of JavaScript value, as a whole parameter and inside of one. What is not in the table here is
// refused. Bytes are the specification's (v5 §5), written by hand or with JavaScript's own DataView.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, CqlError, Decimal, Duration, LocalDate, LocalTime, empty, encodeValue, unset } from "cqlwire";
import { cell, rowsFrame } from "./rows-frame.mjs";

const hex = (bytes) => (bytes === null ? null : Buffer.from(bytes).toString("hex"));
const long = (value) => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, "0");
const UUID = "d2177dd0-eaa2-11de-a572-001b779c76e3";
const DAY = Date.UTC(2024, 1, 29);

/** Made anew for each use: an iterator can be read once only. */
const KINDS = {
  null: () => null,
  undefined: () => undefined,
  unset: () => unset,
  empty: () => empty,
  true: () => true,
  5: () => 5,
  "1.5": () => 1.5,
  NaN: () => NaN,
  "1e300": () => 1e300,
  "2 ** 53": () => 2 ** 53,
  "5n": () => 5n,
  "2n ** 64n": () => 2n ** 64n,
  '"5"': () => "5",
  '"1.50"': () => "1.50",
  '"x"': () => "x",
  '""': () => "",
  '"é"': () => "é",
  "a lone surrogate": () => "\ud800",
  "a UUID": () => UUID,
  '"1.2.3.4"': () => "1.2.3.4",
  '"2024-02-29"': () => "2024-02-29",
  '"2024-02-29T00:00:00Z"': () => "2024-02-29T00:00:00Z",
  '"08:00"': () => "08:00",
  '"1d"': () => "1d",
  "Date at midnight": () => new Date(DAY),
  "Date at another time": () => new Date(DAY + 1),
  "invalid Date": () => new Date(NaN),
  Decimal: () => Decimal.from("1.50"),
  LocalDate: () => LocalDate.from("2024-02-29"),
  LocalTime: () => LocalTime.from("08:00"),
  Duration: () => Duration.from("1d"),
  "Uint8Array(0)": () => new Uint8Array(0),
  "Uint8Array(1)": () => Uint8Array.of(1),
  "Uint8Array(2)": () => Uint8Array.of(1, 2),
  "Uint8Array(4)": () => Uint8Array.of(0, 0, 0, 5),
  "Uint8Array(8)": () => new Uint8Array(8).fill(7),
  "Uint8Array(16)": () => new Uint8Array(16).fill(7),
  "Uint8Array(17)": () => new Uint8Array(17).fill(7),
  "Buffer(4)": () => Buffer.from([0, 0, 0, 5]),
  "ArrayBuffer(4)": () => Uint8Array.of(0, 0, 0, 5).buffer,
  "DataView(4)": () => new DataView(Uint8Array.of(9, 0, 0, 0, 5, 9).buffer, 1, 4),
  Int8Array: () => Int8Array.of(1, 2),
  Int16Array: () => Int16Array.of(1, 2),
  Int32Array: () => Int32Array.of(1, 2),
  Float32Array: () => Float32Array.of(1, 2),
  Float64Array: () => Float64Array.of(1, 2),
  Uint16Array: () => Uint16Array.of(1, 2),
  Uint8ClampedArray: () => Uint8ClampedArray.of(1, 2),
  BigInt64Array: () => BigInt64Array.of(1n, 2n),
  BigUint64Array: () => BigUint64Array.of(1n, 2n),
  "[]": () => [],
  "[1, 2]": () => [1, 2],
  "[1, 2, 3]": () => [1, 2, 3],
  "[1n, 2n]": () => [1n, 2n],
  '["a", "b"]': () => ["a", "b"],
  "Set of 1, 2": () => new Set([1, 2]),
  "iterator of 1, 2": () => [1, 2].values(),
  "Map of a: 1": () => new Map([["a", 1]]),
  "{}": () => ({}),
  "{ a: 1 }": () => ({ a: 1 }),
  "{ f: 1 }": () => ({ f: 1 }),
  '[["a", 1]]': () => [["a", 1]],
  "Map of f: 1": () => new Map([["f", 1]]),
  function: () => () => 1,
  symbol: () => Symbol("x"),
  "new Number(5)": () => Object(5),
  'new String("x")': () => Object("x"),
  RegExp: () => /x/,
  Promise: () => Promise.resolve(1),
};

const strings = (test) => Object.fromEntries(Object.entries(KINDS).filter(([, make]) => typeof make() === "string" && test(make())).map(([kind, make]) => [kind, hex(Buffer.from(make()))]));
const all = (kinds, bytes) => Object.fromEntries(kinds.map((kind) => [kind, bytes]));

const NUMBERS = ["[1, 2]", "Set of 1, 2", "iterator of 1, 2", "Int8Array", "Int16Array", "Int32Array", "Float32Array", "Float64Array", "Uint16Array", "Uint8ClampedArray"];
const BIGINTS = ["[1n, 2n]", "BigInt64Array", "BigUint64Array"];
const INT_LIST = `00000002 ${cell("00000001")} ${cell("00000002")}`;
const TWO_INTS = `${cell("00000001")} ${cell("00000002")}`;
const MAP = (key) => `00000001 ${cell(key)} ${cell("00000001")}`;

/** Each type, the size of its cell where it has one, and the kinds that it takes beside null, `empty` and bytes. */
const TABLE = [
  ["ascii", undefined, strings((text) => /^[\0-\x7f]*$/.test(text))],
  ["text", undefined, strings((text) => text !== "\ud800")],
  ["tinyint", 1, all(["5", "5n"], "05")],
  ["smallint", 2, all(["5", "5n"], "0005")],
  ["int", 4, all(["5", "5n"], "00000005")],
  ["bigint", 8, all(["5", "5n", '"5"'], long(5))],
  ["counter", 8, all(["5", "5n", '"5"'], long(5))],
  ["varint", undefined, { ...all(["5", "5n", '"5"'], "05"), "2n ** 64n": "010000000000000000" }],
  ["decimal", undefined, { ...all(["Decimal", '"1.50"'], "00000002 0096"), '"5"': "00000000 05" }],
  ["float", 4, { 5: "40a00000", "1.5": "3fc00000", NaN: "7fc00000", "2 ** 53": "5a000000" }],
  ["double", 8, { 5: "4014000000000000", "1.5": "3ff8000000000000", NaN: "7ff8000000000000", "1e300": "7e37e43c8800759c", "2 ** 53": "4340000000000000" }],
  ["boolean", 1, { true: "01" }],
  ["blob", undefined, { "ArrayBuffer(4)": "00000005", "DataView(4)": "00000005" }],
  ["timestamp", 8, { ...all(["5", "5n"], long(5)), ...all(["Date at midnight", '"2024-02-29"', '"2024-02-29T00:00:00Z"'], long(DAY)), "Date at another time": long(DAY + 1) }],
  ["date", 4, all(["LocalDate", '"2024-02-29"', "Date at midnight"], (2 ** 31 + DAY / 86_400_000).toString(16))],
  ["time", 8, all(["LocalTime", '"08:00"'], long(8n * 3_600_000_000_000n))],
  ["duration", undefined, all(["Duration", '"1d"'], "000200")],
  ["uuid", 16, { "a UUID": UUID.replaceAll("-", "") }],
  ["timeuuid", 16, { "a UUID": UUID.replaceAll("-", "") }],
  ["inet", undefined, { '"1.2.3.4"': "01020304" }],
  [["list", "int"], undefined, { ...all([...NUMBERS, ...BIGINTS], INT_LIST), "[1, 2, 3]": `00000003 ${TWO_INTS} ${cell("00000003")}`, "[]": "00000000" }],
  [["set", "text"], undefined, { '["a", "b"]': `00000002 ${cell("61")} ${cell("62")}`, "[]": "00000000" }],
  [["map", "text", "int"], undefined, { ...all(["{ a: 1 }", "Map of a: 1", '[["a", 1]]'], MAP("61")), ...all(["{ f: 1 }", "Map of f: 1"], MAP("66")), ...all(["{}", "[]"], "00000000") }],
  [["tuple", "int", "int"], undefined, { ...all([...NUMBERS, ...BIGINTS], TWO_INTS), "[]": "ffffffff ffffffff" }],
  [["udt", { f: "int", g: "text" }], undefined, { ...all(["{ f: 1 }", "Map of f: 1"], `${cell("00000001")} ffffffff`), "{}": "ffffffff ffffffff" }],
  [["vector", "float", 2], 8, all(NUMBERS, "3f800000 40000000")],
  [["vector", "bigint", 2], 16, all([...NUMBERS, ...BIGINTS], long(1) + long(2))],
  [["vector", "tinyint", 2], undefined, all([...NUMBERS, ...BIGINTS], "01 01 01 02")],
  [["vector", "text", 2], undefined, { '["a", "b"]': "01 61 01 62" }],
  [["custom", "com.example.Mine"], undefined, {}],
];

/** Bytes: a whole cell, of the type's size if it has one; inside of another value only where bytes are a value of the type. */
function ofBytes(type, size, length, whole) {
  if (whole) return size === undefined || length === 0 || length === size;
  const kind = Array.isArray(type) ? type[0] : type;
  return kind === "blob" || kind === "custom" || (["uuid", "timeuuid"].includes(kind) && length === 16) || (kind === "inet" && [4, 16].includes(length));
}

test("every type takes what the table says and refuses all else, whole and nested", () => {
  let [taken, refused] = [0, 0];
  for (const [type, size, takes] of TABLE) {
    const [{ metadata: [{ type: alone }, { type: nested }] }] = new Codec({ version: 4 }).feed(rowsFrame({ t: type, n: ["tuple", type] }, []));
    for (const kind of Object.keys(takes)) assert.ok(Object.hasOwn(KINDS, kind), kind);
    for (const [kind, make] of Object.entries(KINDS)) {
      for (const whole of [true, false]) {
        const encode = () => hex(whole ? encodeValue(alone, make()) : encodeValue(nested, [make()]));
        const value = make();
        let expected = takes[kind];
        if (value === null) expected = null;
        if (value === empty) expected = "";
        if (value instanceof Uint8Array && ofBytes(type, size, value.length, whole)) expected = hex(value);
        const shown = `${kind} for ${alone.text}${whole ? "" : " in a tuple"}`;
        if (expected !== undefined) {
          taken++;
          assert.equal(encode(), whole ? (expected?.replaceAll(" ", "") ?? null) : cell(expected), shown);
          continue;
        }
        refused++;
        assert.throws(encode, (error) => {
          assert.ok(error instanceof CqlError && error.code === "CQL_ENCODE", `${shown}: ${error}`);
          if (value !== unset) assert.ok(error.message.includes(error.type) && error.message.startsWith("value"), error.message);
          return true;
        }, shown);
      }
    }
  }
  assert.ok(taken > 500 && refused > 3000, `${taken} taken, ${refused} refused`);
});

test("the error of bytes inside of a value says what they would be as a whole parameter", () => {
  for (const type of ["list<list<int>>", "list<vector<tinyint, 2>>", "map<text, vector<float, 2>>", "list<set<int>>", "vector<vector<tinyint, 2>, 1>", "tuple<tuple<int>>"]) {
    const bytes = Uint8Array.of(1, 2);
    const value = type.startsWith("map") ? { a: bytes } : [bytes];
    assert.throws(() => encodeValue(type, value), { code: "CQL_ENCODE", message: /Uint8Array\(2\) for .*: bytes are a serialised cell, which only a whole parameter can be/ }, type);
  }
  assert.equal(hex(encodeValue("list<vector<tinyint, 2>>", [Int8Array.of(1, 2)])), `00000001${cell("01010102")}`);
  assert.equal(hex(encodeValue("vector<tinyint, 2>", Uint8Array.of(9, 9))), "0909"); // unchecked: the size is not known
});
