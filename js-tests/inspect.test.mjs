// What inspect.html does before it shows anything: pasted text → bytes → messages, held against the recordings of a real server and what
// independent readers found in them (testdata/sessions).
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Codec } from "cqlwire";
import { load } from "./inspect-modules.mjs";

const [{ PasteError, parsePaste }, { inspect, inspectAll, traceOf }, { link }, { show, summary }] = await Promise.all(
  ["paste", "messages", "link", "show"].map(load),
);

const folder = new URL("../testdata/sessions/", import.meta.url);
function read(name) {
  const plain = new URL(`${name}.jsonl`, folder);
  const text = existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, folder)));
  return text.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}
const counts = readFileSync(new URL("counts.json", folder), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const hex = (bytes) => Buffer.from(bytes).toString("hex");

// A real request: OPTIONS of v5 in a segment, from datastax/go-cassandra-native-protocol#61.
const OPTIONS = "09000004c2b8950500000105000000 00b5557486".replace(" ", "");
const READY = "840000010200000000";

// Text → bytes.

const bytes = Buffer.from(READY, "hex");
const FORMS = [
  ["hexadecimal", READY],
  ["hexadecimal", READY.toUpperCase()],
  ["hexadecimal", " 84 00 00 01\n02 00 00 00 00\n"],
  ["hexadecimal", "84:00:00:01:02:00:00:00:00"],
  ["hexadecimal", "84-00-00-01-02-00-00-00-00"],
  ["hexadecimal", "0x840000010200000000"],
  ["hexadecimal", "{0x84, 0x00, 0x00, 0x01, 0x2, 0x0, 0, 0x0, 0x00}".replace(" 0,", " 00,")],
  ["hexadecimal", "<Buffer 84 00 00 01 02 00 00 00 00>"],
  ["hexadecimal", "8400 0001 0200 0000 00"],
  ["hexadecimal", "[84 00 00 01 02 00 00 00 00]"],
  ["hex dump", "00000000: 8400 0001 0200 0000 00                   ........."],
  ["hex dump", "00000000  84 00 00 01 02 00 00 00  00                       |.........|\n00000009\n"],
  ["hex dump", "0000   84 00 00 01 02 00 00 00 00                        ........."],
  ["escapes", "\\x84\\x00\\x00\\x01\\x02\\x00\\x00\\x00\\x00"],
  ["escapes", "b'\\x84\\x00\\x00\\x01\\x02\\x00\\x00\\x00\\x00'"],
  ["escapes", '(b"\\x84\\x00\\x00\\x01" +\n b"\\x02\\0\\0\\0\\000")'],
  ["numbers", "[132, 0, 0, 1, 2, 0, 0, 0, 0]"],
  ["numbers", "[-124, 0, 0, 1, 2, 0, 0, 0, 0]"],
  ["numbers", "[]byte[132 0 0 1 2 0 0 0 0]".slice(6)],
  ["numbers", "Uint8Array(9) [\n  132, 0, 0, 1, 2,\n  0, 0, 0, 0\n]"],
  ["base64", bytes.toString("base64")],
  ["base64", "hAAAAQIA\nAAAA"],
  ["base64", ` "${bytes.toString("base64url")}"`],
  ["base64", "hAAAAQ==AgAAAAA="],
];
for (const [form, text] of FORMS) {
  test(`paste: ${form}: ${JSON.stringify(text)}`, () => {
    const pasted = parsePaste(text);
    assert.deepEqual([pasted.form, hex(pasted.bytes)], [form, READY]);
  });
}

test("paste: escapes between printable characters, as Python prints bytes", () => {
  assert.equal(hex(parsePaste("b'\\x04\\x00\\x00\\x00\\x07\\x00\\x00\\x00\\x0f\\x00\\x00\\x00\\x08SELECT 1\\x00\\x01\\t\\'\"'").bytes), `040000000700000000f${""}`.slice(0, 17) + "f0000000853454c4543542031" + "00010927" + "22");
});

test("paste: lines of a dump whose characters look like digits", () => {
  const line = (offset, text) => `${offset.toString(16).padStart(8, "0")}: ${Buffer.from(text).toString("hex").replace(/(....)/g, "$1 ")} ${text}`;
  const text = "abcdef0123456789deadbeefcafebabe";
  assert.equal(Buffer.from(parsePaste([line(0, text.slice(0, 16)), line(16, text.slice(16))].join("\n")).bytes).toString(), text);
});

const REFUSED = [
  ["", /line 1, column 1: there is nothing to read/],
  [" \n", /nothing to read/],
  ["84 00 0", /line 1, column 7: 1 hexadecimal digits: two make a byte/],
  ["84 00\n00 0g 00", /line 2, column 5: "g" is no hexadecimal digit/],
  ["84 00 ü", /line 1, column 7: "ü"/],
  ["84000001020000000g", /column 18: "g" is no hexadecimal digit/],
  ["8400000102000000000", /line 1, column 1: 19 hexadecimal digits: two make a byte/],
  ["0x8400000102zz", /"z" is no hexadecimal digit/],
  ["hAAAAQIAAAAA!", /line 1, column 13: "!" is neither hexadecimal nor base64/],
  ["hAAAAQIAAAAAh", /base64 of 13 characters/],
  ["b'\\x84\\x0", /"\\\\x0" is no escape of a byte/],
  ["b'\\x84", /ends inside of/],
  ["b'\\x84é'", /"é" is no byte/],
  ["b'\\x84' oops", /"o" stands outside of the quotes/],
  ["[1, 2, 256]", /line 1, column 8: 256 is no byte/],
];
for (const [text, message] of REFUSED) {
  test(`paste refused: ${JSON.stringify(text)}`, () => assert.throws(() => parsePaste(text), (error) => error instanceof PasteError && message.test(error.message)));
}

// Bytes → messages.

const RECORDINGS = counts.filter(({ file }) => !file.startsWith("probes"));
assert.equal(RECORDINGS.length, 9);

/** Each side of each connection in one paste: first all that the client sent, then all that the server did. */
function pastesOf(file) {
  const lines = read(file.replace(/\.jsonl.*/, ""));
  return [1, 2].map((conn) => ["c2s", "s2c"].map((dir) => Buffer.from(lines.filter((l) => l.conn === conn && l.dir === dir).map((l) => l.hex).join(""), "hex")));
}

for (const { file, per_opcode: perOpcode, result_kinds: kinds, error_codes: codes } of RECORDINGS) {
  test(`${file}: every frame is found again, without being told what it is`, () => {
    const [seen, seenKinds, seenCodes] = [{}, {}, {}];
    const count = (table, key) => (table[key] = (table[key] ?? 0) + 1);
    for (const sides of pastesOf(file)) {
      const all = Buffer.concat(sides);
      const { bytes, found, problem } = inspectAll(parsePaste(hex(all)).bytes);
      assert.equal(problem, null);
      let at = 0;
      for (const one of found) {
        // Each byte belongs to a message; those of one segment share it.
        assert.ok(one.from === at || one.index > 0, `${one.from} after ${at}`);
        at = one.to;
        const { message, way } = one;
        assert.equal(message.error, undefined);
        const side = way.role === "server" ? "c2s" : "s2c";
        assert.equal(one.to <= sides[0].length, side === "c2s");
        count(seen, `${side} v${message.version ?? way.version} ${message.opcode}`);
        if (message.kind) count(seenKinds, message.kind);
        if (message.code !== undefined) count(seenCodes, `0x${message.code.toString(16).padStart(4, "0")}`);
      }
      assert.equal(at, bytes.length);
    }
    assert.deepEqual([seen, seenKinds, seenCodes], [perOpcode, kinds, codes]);
  });
}
