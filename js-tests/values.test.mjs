// Every CQL type from JavaScript to bytes and back, what is refused, and the value classes. Bytes are the specification's or from the
// reports that are named.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import vm from "node:vm";
import { Codec, CqlError, Decimal, Duration, LocalDate, LocalTime, decodeValue, empty, encodeValue, murmur3Token, parseType, routingKey, unset } from "cqlwire";

const hex = (bytes) => (bytes === null ? null : Buffer.from(bytes).toString("hex"));
const bytes = (text) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const same = (actual, expected, text) => assert.deepEqual(actual, expected, text);

test("each type, both ways", () => {
  const table = [
    // type, bytes, what comes out, what else goes in
    ["ascii", "6869", "hi"],
    ["text", "68c3a96c6c6f20f09f9880", "héllo 😀"],
    ["text", "", ""],
    ["tinyint", "80", -128, [-128n]],
    ["smallint", "7fff", 32767],
    ["int", "80000000", -2147483648, [-2147483648n]],
    ["bigint", "0020000000000001", 9007199254740993n, ["9007199254740993"]], // apache/cassandra-nodejs-driver#351
    ["bigint", "8000000000000000", -(2n ** 63n), ["-9223372036854775808"]],
    ["counter", "0000000000000005", 5n, [5, "5"]],
    ["varint", "00", 0n, [0, "0"]],
    ["varint", "ff7f", -129n, [-129]],
    ["varint", "009e0c14", 10357780n],
    ["varint", "00b70cefb9c19c9c5112972fd01a4e676d", 0xb70cefb9c19c9c5112972fd01a4e676dn],
    ["decimal", "00000001ce", Decimal.from("-5.0"), ["-5.0"]],
    ["decimal", "fffffffd01", new Decimal(1n, -3), ["1E+3"]],
    ["decimal", "0000000100", Decimal.from("0.0")],
    ["float", "3fc00000", 1.5],
    ["float", "7f800000", Infinity],
    ["double", "400921fb54442d18", Math.PI],
    ["double", "8000000000000000", -0],
    ["boolean", "01", true],
    ["blob", "00ff", Uint8Array.of(0, 255), [Uint8Array.of(0, 255).buffer, new DataView(Uint8Array.of(0, 255).buffer), Buffer.from([0, 255])]],
    ["timestamp", "00000174876e8000", new Date(1_600_000_000_000), [1_600_000_000_000, 1_600_000_000_000n, "2020-09-13T12:26:40Z", "2020-09-13T12:26:40.000+00:00"]],
    ["timestamp", "7fffffffffffffff", 2n ** 63n - 1n],
    // cassandra-rs/cassandra-rs#174; apache/cassandra-gocql-driver#1692
    ["date", "80004733", LocalDate.from("2019-11-27"), ["2019-11-27", new Date("2019-11-27T00:00:00Z")]],
    ["date", "80000000", new LocalDate(0)],
    ["date", "00000000", LocalDate.from("-5877641-06-23")],
    ["date", "ffffffff", LocalDate.from("+5881580-07-11")],
    ["time", "00004e94914effff", new LocalTime(86_399_999_999_999n), ["23:59:59.999999999"]],
    ["duration", "020406", new Duration(1, 2, 3n), ["1mo2d3ns"]],
    ["duration", "010305", new Duration(-1, -2, -3n), ["-1mo2d3ns"]],
    ["duration", "0000f200000000", new Duration(0, 0, 2n ** 32n)], // apache/cassandra-nodejs-driver#222
    ["uuid", "000102030405060708090a0b0c0d0e0f", "00010203-0405-0607-0809-0a0b0c0d0e0f", ["00010203-0405-0607-0809-0A0B0C0D0E0F"]],
    ["timeuuid", "d2177dd0eaa211dea572001b779c76e3", "d2177dd0-eaa2-11de-a572-001b779c76e3"],
    ["inet", "7f000001", "127.0.0.1"],
    ["inet", "20010db8000000000000000000000001", "2001:db8::1", ["2001:0db8:0:0:0:0:0:1"]],
    ["inet", "00000000000000000000ffff0a000001", "::ffff:10.0.0.1"],
    ["inet", "00000000000000000000000000000000", "::"],
    ["inet", "00010000000000020000000000000003", "1:0:0:2::3"],
    ["inet", "00010000000200000003000000040000", "1:0:2:0:3:0:4:0"],
    // scylladb/python-driver#201: null in a list is not ""
    ["list<text>", "00000002 00000005 68656c6c6f ffffffff", ["hello", null]],
    ["set<int>", "00000001 00000004 00000007", [7], [new Set([7])]],
    ["list<int>", "00000000", []],
    ["map<tinyint, smallint>", "00000002 00000001 10 ffffffff ffffffff 00000002 0002", new Map([[16, null], [null, 2]])],
    ["map<text, int>", "00000001 00000001 61 00000004 00000001", new Map([["a", 1]]), [{ a: 1 }, [["a", 1]]]],
    ["tuple<int, text>", "00000004 00000001 ffffffff", [1, null]],
    ["frozen<list<frozen<list<int>>>>", "00000001 00000004 00000000", [[]]],
    ["vector<float, 2>", "3f800000 c0000000", Float32Array.of(1, -2), [[1, -2]]],
    ["vector<double, 1>", "3ff8000000000000", Float64Array.of(1.5), [[1.5]]],
    ["vector<int, 2>", "00000001 ffffffff", Int32Array.of(1, -1), [[1, -1]]],
    ["vector<bigint, 1>", "0020000000000001", BigInt64Array.of(9007199254740993n), [["9007199254740993"]]],
    // scylladb/gocql#849: the server writes lengths before these
    ["vector<smallint, 2>", "02 0001 02 fffe", Int16Array.of(1, -2), [[1, -2]]],
    ["vector<tinyint, 3>", "01 01 01 02 01 ff", Int8Array.of(1, 2, -1), [[1, 2, -1]]],
    ["vector<date, 1>", "04 80000000", [new LocalDate(0)]],
    ["vector<time, 1>", "08 0000000000000001", [new LocalTime(1n)]],
    // apache/cassandra-python-driver#1217
    ["vector<text, 3>", `812c ${"41".repeat(300)} 0132 0131`, ["A".repeat(300), "2", "1"]],
    ["vector<vector<float, 2>, 2>", "3f800000 40000000 40400000 40800000", [Float32Array.of(1, 2), Float32Array.of(3, 4)], [[[1, 2], [3, 4]]]],
    ["vector<vector<text, 1>, 2>", "02 0161 03 026263", [["a"], ["bc"]]],
    ["vector<boolean, 2>", "0100", [true, false]],
    ["vector<timestamp, 1>", "0000000000000000", [new Date(0)]],
    ["'com.example.Mine'", "0102", Uint8Array.of(1, 2)],
  ];
  const seen = new Set();
  for (const [type, text, out, others = []] of table) {
    const cell = bytes(text);
    const decoded = decodeValue(type, cell);
    same(decoded instanceof Map ? [...decoded] : decoded, out instanceof Map ? [...out] : out, `${type} ${text}`);
    for (const value of [out, ...others]) assert.equal(hex(encodeValue(type, value)), hex(cell), `${type} from ${String(value)}`);
    seen.add(parseType(type).kind);
  }
  const all = "ascii text tinyint smallint int bigint counter varint decimal float double boolean blob timestamp date time duration uuid timeuuid inet list set map tuple vector custom";
  assert.deepEqual(all.split(" ").filter((kind) => !seen.has(kind)), []);
});

test("null, unset and empty", () => {
  assert.equal(encodeValue("int", null), null);
  assert.equal(decodeValue("int", null), null);
  assert.throws(() => encodeValue("int", unset), { code: "CQL_ENCODE" });
  for (const type of ["int", "uuid", "boolean", "varint", "inet", "timestamp", "duration", "list<int>", "map<int, int>", "vector<float, 3>"]) {
    assert.equal(decodeValue(type, bytes("")), empty, type);
    assert.equal(encodeValue(type, empty).length, 0, type);
  }
  for (const [type, value] of [["text", ""], ["ascii", ""], ["blob", new Uint8Array(0)]]) same(decodeValue(type, bytes("")), value);
});

test("what is refused, and that the error says why", () => {
  const refused = [
    ["tinyint", 128, /number for tinyint: expected a whole number from -128 to 127/],
    ["smallint", -32769, /expected a whole number from -32768/],
    ["int", 2 ** 31, /expected a whole number/],
    ["int", 1.5, /expected a whole number/],
    ["int", NaN, /expected a whole number/],
    ["int", "5", /string for int: expected a whole number/],
    ["int", true, /expected a whole number/],
    ["int", [1], /Array\(1\) for int: expected/],
    ["int", new Date(100), /Date for int: expected/],
    ["double", new Date(100), /Date for double: expected/],
    ["int", undefined, /undefined is not a value/],
    ["int", () => 1, /no CQL form/],
    ["bigint", 2 ** 53, /expected a BigInt of 64 bits, a safe integer/],
    ["bigint", 1.5, /expected a BigInt/],
    ["bigint", 2n ** 63n, /expected a BigInt of 64 bits/],
    ["bigint", "1.5", /decimal digits/],
    ["counter", 2n ** 63n, /expected a BigInt of 64 bits/],
    ["float", 1e300, /range of a float/],
    ["double", 1n, /expected a number/],
    ["boolean", 1, /true or false/],
    ["text", 1, /expected a string/],
    ["text", "\ud800", /surrogate/],
    ["ascii", "é", /string of ASCII/],
    ["uuid", "0001", /text as 0001/],
    ["inet", "300.0.0.1", /127\.0\.0\.1/],
    ["inet", "fe80::1%eth0", /127\.0\.0\.1/],
    ["decimal", 1, /a Decimal, or text/],
    ["decimal", "1,5", /a Decimal, or text/],
    ["date", 5, /a LocalDate/],
    ["date", "2023-02-29", /YYYY-MM-DD/],
    ["date", new Date(1), /midnight/],
    ["date", new Date(NaN), /valid date/],
    ["timestamp", "yesterday", /ISO 8601/],
    ["timestamp", "5", /ISO 8601/],
    ["timestamp", "2024-01-01T00:00", /offset/],
    ["timestamp", "2023-02-31", /ISO 8601/],
    ["timestamp", "2023-02-31T00:00:00Z", /ISO 8601/],
    ["timestamp", "-0001-01-01", /ISO 8601/], // V8 reads these as the year 2001, and in the machine's time zone
    ["timestamp", "-000000-01-01", /ISO 8601/],
    ["timestamp", "12345-01-01", /ISO 8601/],
    ["timestamp", 1.5, /whole milliseconds/],
    ["time", 5, /a LocalTime/],
    ["time", new LocalTime(86_400_000_000_000n), /within a day/],
    ["time", "24:00:00", /hh:mm:ss/],
    ["duration", new Duration(1, -1, 0n), /of one sign/],
    ["duration", "1x", /1y2mo3d4h/],
    ["duration", "1y\n2mo", /1y2mo3d4h/],
    ["blob", "text", /a Uint8Array/],
    ["blob", new Float32Array(1), /byte order/],
    ["blob", new Uint16Array(1), /byte order/],
    ["list<int>", 5, /an array or another iterable/],
    ["list<int>", { a: 1 }, /an array or another iterable/],
    ["list<int>", [1, undefined], /^value\[1\]: undefined for int/],
    ["list<int>", [1, , 2], /^value\[1\]: undefined/],
    ["list<int>", [1, 2 ** 31], /^value\[1\]: number for int: expected a whole number/],
    ["list<int>", [1, unset], /^value\[1\]: Symbol/],
    ["list<int>", { *[Symbol.iterator]() { throw new Error("mine"); } }, /cannot be read/],
    ["map<text, int>", [["a"]], /pairs/],
    ["map<text, int>", { a: "x" }, /^value, value of entry 0: string for int/],
    ["map<int, int>", new Map([[1, 1], ["x", 1]]), /^value, key of entry 1: string for int/],
    ["map<text, int>", Promise.resolve({ a: 1 }), /Promise.*expected a Map/],
    ["map<text, int>", new Set(), /expected a Map/],
    ["map<text, int>", /x/, /expected a Map/],
    ["map<text, int>", new (class { get a() { return 1; } })(), /expected a Map/],
    ["tuple<int>", [1, 2], /at most as many items/],
    ["tuple<int, list<text>>", [1, ["a", 5]], /^value\[1\]\[1\]: number for text/],
    ["vector<float, 3>", [1, 2], /Array\(2\) for vector<float, 3>: expected as many/],
    ["vector<float, 3>", new Float32Array(2), /as many/],
    ["vector<float, 3>", [1, null, 3], /^value\[1\]: null for float/],
    ["vector<float, 3>", [1, "x", 3], /^value\[1\]: string for float/],
    ["vector<float, 3>", new Uint8Array(11), /another size/],
    ["int", new Uint8Array(3), /another size/],
    ["list<blob>", [new Uint8Array(1), "x"], /^value\[1\]: string for blob/],
    ["list<int>", [new Uint8Array(4)], /^value\[0\]: Uint8Array\(4\) for int/],
  ];
  for (const [type, value, text] of refused) {
    assert.throws(() => encodeValue(type, value), (error) => {
      assert.ok(error instanceof CqlError && error.code === "CQL_ENCODE", `${type}: ${error}`);
      assert.match(error.message, text, type);
      return true;
    }, type);
    assert.equal(hex(encodeValue("int", 7)), "00000007"); // the next value is not touched by it
  }
});

test("cells that cannot be decoded", () => {
  for (const [type, text] of [
    ["int", "000000"], ["int", "0000000000"], ["bigint", "00"], ["uuid", "00"], ["inet", "0000000000"], ["decimal", "00000000"], ["duration", "0204"],
    ["duration", "02040600"], ["list<int>", "00000002 00000004 00000001"], ["list<int>", "ffffffff"], ["list<int>", "7fffffff"], ["list<int>", "00000000 00"],
    ["map<int, int>", "00000001 00000004 00000001"], ["tuple<int>", "00000005 00000001"], ["vector<float, 2>", "3f800000"],
    ["vector<float, 1>", "3f80000000"], ["vector<text, 2>", "0161"], ["vector<smallint, 1>", "0101"], ["boolean", "0101"],
  ]) {
    assert.throws(() => decodeValue(type, bytes(text)), { code: "CQL_DECODE" }, `${type} ${text}`);
  }
  same(decodeValue("text", bytes("ff")), Uint8Array.of(0xff)); // what is not UTF-8 comes as its bytes
  same(decodeValue("varint", bytes("000001")), 1n); // redundant bytes are legal
  same(decodeValue("boolean", bytes("05")), true);
});

test("ready bytes of a whole value are taken as they are, of any realm", () => {
  const foreign = vm.runInNewContext("Uint8Array.of(0, 0, 0, 5)");
  for (const value of [Uint8Array.of(0, 0, 0, 5), Buffer.from([0, 0, 0, 5]), foreign]) assert.equal(hex(encodeValue("int", value)), "00000005");
  assert.equal(hex(encodeValue("vector<tinyint, 2>", Uint8Array.of(1, 5, 1, 6))), "01050106");
  assert.equal(hex(encodeValue("list<blob>", [Uint8Array.of(1)])), "000000010000000101");
  assert.equal(hex(encodeValue("map<text, int>", vm.runInNewContext("new Map([['a', 1]])"))), "0000000100000001610000000400000001");
  assert.equal(hex(encodeValue("timestamp", vm.runInNewContext("new Date(1)"))), "0000000000000001");
});

test("a type that came with a column, also a UDT's, encodes and decodes", () => {
  // RESULT/Rows, v4: one column c of UDT k.u (f list<text>), no rows
  const body = "00000002 00000001 00000001 00016b 000174 000163 0030 00016b 000175 0001 000166 0020000d 00000000";
  const codec = new Codec({ version: 4 });
  const [rows] = codec.feed(bytes(`84000001 08 ${(body.replaceAll(" ", "").length / 2).toString(16).padStart(8, "0")} ${body}`));
  const { type } = rows.columns[0];
  assert.equal(hex(encodeValue(type, { f: ["x"] })), "000000090000000100000001" + "78");
  same(decodeValue(type, bytes("0000000900000001 0000000178")), { f: ["x"] });
  for (const frozen of [type, type.of, type.of[0], type.of[0].of, type.names, rows.metadata, rows.metadata[0]]) assert.ok(Object.isFrozen(frozen));
  assert.throws(() => encodeValue(type, { g: 1 }), { code: "CQL_ENCODE" });
  assert.throws(() => encodeValue(type, Promise.resolve({})), { code: "CQL_ENCODE" });
});

test("values that lie, or that use the codec while they are read", () => {
  class Liar extends Float32Array {
    get length() {
      return 2;
    }
  }
  assert.throws(() => encodeValue("vector<float, 2>", new Liar(2000)), { code: "CQL_ENCODE" });
  assert.equal(hex(encodeValue("int", 7)), "00000007"); // nothing beside its room was written
  const lazy = {
    *[Symbol.iterator]() {
      yield encodeValue("int", 1);
      decodeValue("int", bytes("00000002"));
      yield encodeValue("list<int>", [3]);
    },
  };
  assert.equal(hex(encodeValue("list<blob>", lazy)), "00000002 00000004 00000001 0000000c 00000001 00000004 00000003".replaceAll(" ", ""));
  // Where the outer value is wrong is said as if nothing had been encoded meanwhile.
  const inner = { k: (function* () { assert.throws(() => encodeValue("int", "x")); yield 5; })() };
  assert.throws(() => encodeValue("map<text, list<text>>", inner), /^CqlError: value, value of entry 0\[0\]: number for text/);
  const codec = new Codec({ version: 4 });
  const nested = { *[Symbol.iterator]() { yield codec.encode({ opcode: "OPTIONS" }, 1); } };
  assert.throws(() => codec.encode({ opcode: "QUERY", query: "q", params: [nested], types: ["list<blob>"] }, 0), { code: "CQL_OPTION" });
  assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 0)), "040000000500000000");
});

test("a number of megabytes is read without gigabytes", () => {
  const before = process.memoryUsage().rss;
  const value = decodeValue("varint", new Uint8Array(8 << 20).fill(0x55));
  assert.equal(value >> BigInt(8 * ((8 << 20) - 1)), 0x55n);
  assert.ok(process.memoryUsage().rss - before < 400 << 20);
});

test("tokens of partition keys", () => {
  // apache/cassandra-gocql-driver#1033, apache/cassandra-nodejs-driver#262; a standard Murmur3 differs
  assert.equal(murmur3Token(bytes("00 10 43 27 52 9f b6 45 dd 00 b8 83 ec 39 ae 44 8b b8 00 00 04 00 06 6a 6b 00")), -9223371632693506265n);
  assert.equal(murmur3Token(bytes("00000001")), -4069959284402364209n);
  assert.equal(murmur3Token(bytes("80818283 84858687 88898a8b")), -5351185824061215367n);
  assert.equal(murmur3Token(new Uint8Array(0)), -(2n ** 63n));
  assert.equal(hex(routingKey([bytes("00000001"), bytes("61")])), "0004000000010000016100");
  assert.equal(hex(routingKey([bytes("00000001")])), "00000001");
  for (const bad of [[], ["a"], [, bytes("00")], bytes("00"), undefined]) assert.throws(() => routingKey(bad), { code: "CQL_OPTION" });
  assert.throws(() => routingKey([new Uint8Array(65_536), bytes("00")]), { code: "CQL_ENCODE" });
  assert.throws(() => murmur3Token("a"), { code: "CQL_OPTION" });
});

test("how values print", () => {
  const shown = [Decimal.from("1.50"), LocalDate.from("2024-02-29"), LocalTime.from("08:12"), Duration.from("1d")].map((v) => inspect(v));
  same(shown, ["Decimal 1.50", "LocalDate 2024-02-29", "LocalTime 08:12:00.000000000", "Duration 1d"]);
});

test("what is no type and no bytes is refused", () => {
  for (const type of [5, null, undefined, {}, ["int"]]) assert.throws(() => encodeValue(type, 1), { code: "CQL_TYPE" });
  for (const value of ["00", [0, 0, 0, 1], new ArrayBuffer(4), new Float32Array(1), 5]) {
    assert.throws(() => decodeValue("int", value), { code: "CQL_OPTION" });
  }
});

test("types as text", () => {
  const type = parseType("MAP<varchar, frozen<list<vector<float, 3>>>>");
  assert.equal(type.text, "map<text, list<vector<float, 3>>>");
  same(type.of.map((t) => t.kind), ["text", "list"]);
  assert.equal(type.of[1].of[0].dimension, 3);
  for (const text of ["", "integer", "list<int", "vector<float, 0>", "int>", "list<".repeat(100_000)]) {
    assert.throws(() => parseType(text), { code: "CQL_TYPE" }, text.slice(0, 20));
  }
});

test("Decimal's text is BigDecimal's, and short for hostile scales", () => {
  // expected values from Java's BigDecimal.toString
  for (const [unscaled, scale, text] of [
    [0n, 0, "0"], [0n, 2, "0.00"], [0n, -2, "0E+2"], [0n, 7, "0E-7"], [123n, 0, "123"], [-123n, 2, "-1.23"], [123n, 5, "0.00123"], [123n, 10, "1.23E-8"],
    [1n, 6, "0.000001"], [1n, 7, "1E-7"], [123n, -3, "1.23E+5"], [-1n, -3, "-1E+3"], [5n, 2147483647, "5E-2147483647"], [5n, -2147483648, "5E+2147483648"],
  ]) {
    assert.equal(new Decimal(unscaled, scale).toString(), text);
  }
  for (const text of ["1.50", "-0.001", "1E+3", "+5", ".5", "5.", "1e-3"]) assert.doesNotThrow(() => Decimal.from(text));
  same(Decimal.from("1.50"), new Decimal(150n, 2));
  for (const text of ["", ".", "e5", "1.2.3", "0x1", "1E99999999999", " 1", "NaN"]) assert.throws(() => Decimal.from(text), { code: "CQL_VALUE" });
  assert.equal(JSON.stringify({ d: Decimal.from("1.50") }), '{"d":"1.50"}');
});

test("LocalDate counts days like the calendar", () => {
  for (const iso of ["1970-01-01", "2000-02-29", "1900-03-01", "0001-01-01", "9999-12-31", "1969-12-31", "2024-12-31", "0000-02-29"]) {
    const date = LocalDate.from(iso);
    assert.equal(date.toString(), iso);
    assert.equal(date.days, Date.parse(`${iso}T00:00:00Z`) / 86_400_000, iso); // JavaScript's own calendar
  }
  for (let days = -800_000; days < 800_000; days += 997) {
    const date = new Date(days * 86_400_000);
    const local = new LocalDate(days);
    same([local.year, local.month, local.day], [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
  }
  assert.equal(new LocalDate(-(2 ** 31)).toString(), "-5877641-06-23");
  assert.equal(new LocalDate(2 ** 31 - 1).toString(), "+5881580-07-11");
  for (const text of ["2023-02-29", "2023-13-01", "2023-00-10", "2023-1-1", "+5881580-07-12", "20230101"]) {
    assert.throws(() => LocalDate.from(text), { code: "CQL_VALUE" }, text);
  }
});

test("varint: of every length what its bits say", () => {
  for (let length = 1; length <= 20; length++) {
    for (const fill of [0, 1, 0x7f, 0x80, 0xff]) {
      for (const at of Array(length).keys()) {
        const cell = new Uint8Array(length).fill(fill);
        cell[at] ^= 0x85;
        assert.equal(decodeValue("varint", cell), BigInt.asIntN(8 * length, BigInt(`0x${hex(cell)}`)), hex(cell));
        const decimal = decodeValue("decimal", Uint8Array.of(0x80, 0, 1, 0xff, ...cell));
        same([decimal.unscaled, decimal.scale], [BigInt.asIntN(8 * length, BigInt(`0x${hex(cell)}`)), 0x800001ff | 0]);
      }
    }
  }
});

test("LocalTime and Duration, text both ways", () => {
  for (const text of ["00:00:00.000000000", "23:59:59.999999999", "08:12:54.123456789"]) assert.equal(LocalTime.from(text).toString(), text);
  assert.equal(LocalTime.from("08:12").nanoseconds, 29_520_000_000_000n);
  for (const text of ["8:12", "24:00", "23:60", "23:59:60", "1:2:3", "12:00:00.1234567890"]) assert.throws(() => LocalTime.from(text), { code: "CQL_VALUE" });
  for (const [text, out] of [
    ["1y2mo3w4d5h6m7s8ms9us10ns", "1y2mo25d5h6m7s8ms9us10ns"], ["-1y", "-1y"], ["P1Y2M3DT4H5M6S", "1y2mo3d4h5m6s"], ["P3W", "21d"], ["-PT1.5S", "-1s500ms"],
    ["0s", "0s"], ["13mo", "1y1mo"], ["1µs", "1us"],
  ]) {
    assert.equal(Duration.from(text).toString(), out);
    same(Duration.from(out), Duration.from(text));
  }
  for (const text of ["", "-", "P", "PT", "1", "y", "1d1y", "1d 2h", "1d1d", "P1S"]) assert.throws(() => Duration.from(text), { code: "CQL_VALUE" }, text);
});
