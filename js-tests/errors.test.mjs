// Every kind of error that the codec can give: an input for it, its code and text, and what docs/errors.md says of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Codec, CqlError, decodeValue, encodeValue, parseType } from "cqlwire";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const bytes = (hex) => new Uint8Array(Buffer.from(hex.replaceAll(/\s/g, ""), "hex"));

/** The error of the last message that was read of these frames. */
function fed(hex, options = { version: 4 }) {
  const messages = new Codec(options).feed(bytes(hex));
  throw messages.at(-1).error ?? new Error("nothing is wrong");
}
const v4 = (body, opcode = "08", flags = "00") => `84${flags}0001${opcode}${(bytes(body).length).toString(16).padStart(8, "0")}${body}`;
const established = (compression) => ({ established: { version: 4, compression } });
const encode = (message, options = { version: 4 }) => new Codec(options).encode(message, 1);
const query = (more) => () => encode({ opcode: "QUERY", query: "q", ...more });
const column = (cells, type) => v4(`00000002 00000001 00000001 0001 6b 0001 74 0001 63 ${type} 00000001 ${cells}`);

/** kind, code, input, text of the error: [what, meaning and place]. */
const CASES = [
  ["Truncated", "CQL_DECODE", () => fed(v4("00000003 0005 6b")), /^RESULT: RESULT\.keyspace ends before the field does \(offset 6\)$/],
  ["Truncated", "CQL_DECODE", () => fed(column("00000003 000000", "0009")), /^RESULT\.Rows\.row\[0\]\.column\[0\] "c": int ends before the field does \(offset \d+\)$/],
  ["Trailing", "CQL_DECODE", () => fed(column("00000005 0000000000", "0009")), /^RESULT\.Rows\.row\[0\]\.column\[0\] "c": int has bytes left over \(offset 31\)$/],
  ["Trailing", "CQL_TYPE", () => parseType("int>"), /type has bytes left over/],
  ["BadLength", "CQL_DECODE", () => fed(v4("00000002 00000000 ffffffff")), /^RESULT\.Rows\.metadata: metadata\.columns_count has an impossible length or count \(offset 8\)$/],
  ["BadLength", "CQL_FRAMING", () => fed("84000001 08 ffffffff"), /^frame\.length has an impossible length or count \(offset 5\): at most 268435456 bytes$/],
  ["BadText", "CQL_DECODE", () => fed(v4("00000003 0001 ff")), /RESULT\.keyspace is not valid text/],
  ["BadText", "CQL_ENCODE", () => new Codec({ role: "server" }).encode({ opcode: "READY", tracingId: "x" }, 1), /tracingId is not valid text/],
  ["BadValue", "CQL_DECODE", () => fed(v4("00000009")), /^RESULT: RESULT\.kind has a value that is not defined \(offset 0\)$/],
  ["BadValue", "CQL_FRAMING", () => fed("84000001 04 00000000"), /^frame\.opcode has a value that is not defined \(offset 4\)$/],
  ["BadValue", "CQL_ENCODE", () => new Codec({ role: "server" }).encode({ opcode: "EVENT", eventType: "STATUS_CHANGE", changeType: "UP", address: "x", port: 1 }, -1), /address has a value/],
  ["BadValue", "CQL_TYPE", () => parseType("integer"), /"integer" \(at character 0\) is not a CQL type: expected a type.s name/],
  ["TooDeep", "CQL_DECODE", () => fed(v4(`00000002 00000001 00000001 0001 6b 0001 74 0001 63 ${"0020".repeat(70)} 0009 00000000`)), /type is nested too deeply/],
  ["TooDeep", "CQL_TYPE", () => parseType("list<".repeat(70)), /type is nested too deeply/],
  ["BadChecksum", "CQL_FRAMING", () => fed("0900029fbc42 8500000102000000 00 00000000", { established: { version: 5 } }), /segment\.header does not match its checksum/],
  ["BadCompression", "CQL_DECODE", () => fed(v4("ffffffff 40 00000001", "08", "01"), established("lz4")), /does not decompress/],
  ["NotNegotiated", "CQL_DECODE", () => fed(v4("00000004 40 00000001", "08", "01")), /compression\) was not negotiated on this connection/],
  ["NotNegotiated", "CQL_ENCODE", () => new Codec({ role: "server" }).encode({ opcode: "ERROR", code: 0xf000, message: "m", opType: "READ" }, 1), /ERROR: opType was not negotiated on this connection/],
  ["WrongVersion", "CQL_FRAMING", () => fed("83000001 02 00000000"), /^frame\.version is of another protocol version \(offset 0\): this codec has version 4$/],
  ["WrongVersion", "CQL_DECODE", () => fed("06000001 05 00000000", { role: "server" }), /frame\.version is of another protocol version/],
  ["WrongDirection", "CQL_FRAMING", () => fed("04000001 05 00000000"), /^frame\.version goes the other way \(offset 0\): a client reads responses$/],
  ["WrongDirection", "CQL_DECODE", () => fed(v4("", "05")), /frame\.opcode goes the other way/],
  ["ColumnCount", "CQL_DECODE", () => new Codec({ version: 4 }).feed(bytes(v4("00000002 00000004 00000002 00000000")))[0].decode([{ name: "a", type: "int" }]), /columns_count has another number of columns than its metadata/],
  ["TooLarge", "CQL_ENCODE", () => encode({ opcode: "REGISTER", eventTypes: ["x".repeat(65_536)] }), /REGISTER\.event_types is larger than the protocol can say/],
  ["Unsupported", "CQL_ENCODE", query({ keyspace: "k" }), /QUERY: params\.keyspace does not exist in this protocol version/],
  ["WrongKind", "CQL_ENCODE", () => encodeValue("int", "x"), /value: string for int: expected a whole number/],
  ["OutOfRange", "CQL_ENCODE", () => encodeValue("tinyint", 128), /number for tinyint: expected a whole number from -128 to 127/],
  ["OutOfRange", "CQL_DECODE", () => decodeValue("duration", bytes("f1 00000000 00 00")), /duration\.months is out of the type's range/],
  ["WrongCount", "CQL_ENCODE", () => encodeValue("vector<int, 2>", [1]), /expected as many numbers as the type has/],
  ["WrongSize", "CQL_ENCODE", query({ params: [bytes("00")], types: ["int"] }), /has another size in bytes/],
  ["Misuse", "CQL_ENCODE", () => {
    const codec = new Codec({ version: 4 });
    codec.feed(bytes("84000000 02 00000000"));
    codec.encode({ opcode: "STARTUP", options: {} }, 1);
  }, /STARTUP was called out of order/],
];

test("each kind with its code and text", () => {
  for (const [kind, code, run, text] of CASES) {
    assert.throws(run, (error) => {
      assert.ok(error instanceof CqlError, `${kind}: ${error}`);
      assert.deepEqual([error.kind, error.code], [kind, code], error.message);
      assert.match(error.message, text);
      assert.equal(typeof error.what, "string");
      if (code === "CQL_DECODE" || code === "CQL_FRAMING") assert.equal(typeof error.offset, "number");
      return true;
    });
  }
});

test("rows without metadata say so when they are looked at", () => {
  const [rows] = new Codec({ version: 4 }).feed(bytes(v4("00000002 00000004 00000001 00000000")));
  assert.throws(() => rows.rows, (error) => error.code === "CQL_NO_METADATA" && /decode\(prepared\)/.test(error.message));
});

test("the kinds of the sources, of these cases and of docs/errors.md are the same, with their meanings and codes", () => {
  const sources = [...read("src/wire/error.rs").matchAll(/^ {4}(\w+) "(.+)",$/gm)].map((match) => match.slice(1));
  const rows = [...read("docs/errors.md").matchAll(/^\| `([A-Z][a-z]\w+)` \| (.+) \| (.+) \|$/gm)].map((match) => match.slice(1));
  assert.deepEqual(rows.map(([kind, meaning]) => [kind, meaning]), sources);
  for (const [kind, , codes] of rows) {
    const seen = new Set(CASES.filter((row) => row[0] === kind).map((row) => row[1]));
    // Said by JavaScript when the rows are looked at; what needs a segment with a right checksum is in tests/protocol_cases and tests/streams.rs.
    const elsewhere = kind === "NoMetadata" ? ["CQL_NO_METADATA"] : { Truncated: ["CQL_FRAMING"], BadCompression: ["CQL_FRAMING"] }[kind] ?? [];
    assert.deepEqual([...codes.matchAll(/CQL_\w+/g)].map(String).sort(), [...seen, ...elsewhere].sort(), kind);
  }
  const limits = [...read("src/spec/limit.rs").matchAll(/^pub const (\w+)/gm)].map((match) => match[1]);
  const documented = [...read("docs/errors.md").matchAll(/^\| `([A-Z_]+)`/gm)].map((match) => match[1]);
  assert.deepEqual(documented.sort(), limits.sort());
});
