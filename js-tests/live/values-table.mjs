// Values of every CQL type in four forms, each written by hand: as a CQL literal, as the text that Cassandra's toJson() gives, in JavaScript, and
// the cell's bytes (v5 §5 and §6). The texts are what Cassandra 5.0.8 says; where that looks odd, the line has the reason.
import { Decimal, Duration, LocalDate, LocalTime, empty } from "cqlwire";

/** In place of a literal or a text: there is none. */
export const NONE = undefined;
/** What fromJson() makes of the text where it is not the same value again; NONE where it refuses its own text. */
export const back = (value) => ({ back: value });

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
const UUID = "00010203-0405-4607-8809-0a0b0c0d0e0f";
const TIMEUUID = "d2177dd0-eaa2-11de-a572-001b779c76e3";
const EMPTY = [NONE, "null", empty, "", back(null)];

/** The first two of each are ordinary ones: the compound types below are made of them. */
export const NATIVES = {
  ascii: [
    ["'plain'", '"plain"', "plain", "706c61696e"],
    ["'it''s'", `"it's"`, "it's", "69742773"],
    ["''", '""', "", ""],
    ["'a\"b\\c\x01\x7f'", '"a\\"b\\\\c\\u0001\x7f"', 'a"b\\c\x01\x7f', "6122625c63017f"],
  ],
  text: [
    ["'héllo'", '"héllo"', "héllo", "68c3a96c6c6f"],
    ["'世界 😀'", '"世界 😀"', "世界 😀", "e4b896e7958c20f09f9880"],
    ["''", '""', "", ""],
    ["'\0\t\n\"'", '"\\u0000\\t\\n\\""', '\0\t\n"', "00090a22"],
    ["'\ufeffx\u2028'", '"\ufeffx\u2028"', "\ufeffx\u2028", "efbbbf78e280a8"],
    ["'\u{10ffff}'", '"\u{10ffff}"', "\u{10ffff}", "f48fbfbf"],
    [`'${"y".repeat(5000)}'`, `"${"y".repeat(5000)}"`, "y".repeat(5000), "79".repeat(5000)],
  ],
  tinyint: [["5", "5", 5, "05"], ["-1", "-1", -1, "ff"], ["0", "0", 0, "00"], ["127", "127", 127, "7f"], ["-128", "-128", -128, "80"]],
  smallint: [["300", "300", 300, "012c"], ["-1", "-1", -1, "ffff"], ["0", "0", 0, "0000"], ["32767", "32767", 32767, "7fff"], ["-32768", "-32768", -32768, "8000"]],
  int: [
    ["7", "7", 7, "00000007"],
    ["-1", "-1", -1, "ffffffff"],
    ["0", "0", 0, "00000000"],
    ["2147483647", "2147483647", 2147483647, "7fffffff"],
    ["-2147483648", "-2147483648", -2147483648, "80000000"],
    EMPTY,
  ],
  bigint: [
    ["5", "5", 5n, "0000000000000005"],
    ["-1", "-1", -1n, "ffffffffffffffff"],
    ["0", "0", 0n, "0000000000000000"],
    ["9007199254740993", "9007199254740993", 2n ** 53n + 1n, "0020000000000001"],
    ["9223372036854775807", "9223372036854775807", MAX, "7fffffffffffffff"],
    ["-9223372036854775808", "-9223372036854775808", MIN, "8000000000000000"],
    EMPTY,
  ],
  varint: [
    ["5", "5", 5n, "05"],
    ["-129", "-129", -129n, "ff7f"],
    ["0", "0", 0n, "00"],
    ["-1", "-1", -1n, "ff"],
    ["127", "127", 127n, "7f"],
    ["128", "128", 128n, "0080"],
    ["-128", "-128", -128n, "80"],
    ["9223372036854775808", "9223372036854775808", MAX + 1n, "008000000000000000"],
    ["-9223372036854775809", "-9223372036854775809", MIN - 1n, "ff7fffffffffffffff"],
    [`1${"0".repeat(40)}`, `1${"0".repeat(40)}`, 10n ** 40n, "1d6329f1c35ca4bfabb9f5610000000000"],
    EMPTY,
  ],
  // fromJson reads a number as a double when it has a point or an exponent, whatever the column's type.
  decimal: [
    ["12.5", "12.5", Decimal.from("12.5"), "000000017d"],
    ["-0.001", "-0.001", Decimal.from("-0.001"), "00000003ff"],
    ["1.50", "1.50", Decimal.from("1.50"), "000000020096", back(Decimal.from("1.5"))],
    ["0", "0", Decimal.from("0"), "0000000000"],
    ["0.00", "0.00", Decimal.from("0.00"), "0000000200", back(Decimal.from("0.0"))],
    ["-0.00", "0.00", new Decimal(0n, 2), "0000000200", back(Decimal.from("0.0"))],
    ["1E+3", "1E+3", new Decimal(1n, -3), "fffffffd01", back(Decimal.from("1000.0"))],
    ["1E-7", "1E-7", new Decimal(1n, 7), "0000000701", back(new Decimal(10n, 8))],
    ["-123456789012345678901234567890.5", "-123456789012345678901234567890.5", new Decimal(-1234567890123456789012345678905n, 1), "00000001f06ae5605c5d7936b0f18993c7", back(new Decimal(-12345678901234568n, -13))],
    ["1E-2147483647", "1E-2147483647", new Decimal(1n, 2147483647), "7fffffff01", back(Decimal.from("0.0"))],
    [NONE, "1E+2147483647", new Decimal(1n, -2147483647), "8000000101", back(NONE)], // CQL's own parser takes no such exponent
    [NONE, "1E+2147483648", new Decimal(1n, -2147483648), "8000000001", back(NONE)],
    EMPTY,
  ],
  float: [
    ["1.5", "1.5", 1.5, "3fc00000"],
    ["-0.0", "-0.0", -0, "80000000"],
    ["0.0", "0.0", 0, "00000000"],
    ["0.1", "0.1", Math.fround(0.1), "3dcccccd"],
    ["3.4028235E38", "3.4028235E38", 3.4028234663852886e38, "7f7fffff"],
    ["-3.4028235E38", "-3.4028235E38", -3.4028234663852886e38, "ff7fffff"],
    ["1.4E-45", "1.4E-45", 2 ** -149, "00000001"],
    ["NaN", "null", NaN, "7fc00000", back(null)],
    ["Infinity", "null", Infinity, "7f800000", back(null)],
    ["-Infinity", "null", -Infinity, "ff800000", back(null)],
    EMPTY,
  ],
  double: [
    ["1.5", "1.5", 1.5, "3ff8000000000000"],
    ["-0.0", "-0.0", -0, "8000000000000000"],
    ["0.0", "0.0", 0, "0000000000000000"],
    ["0.1", "0.1", 0.1, "3fb999999999999a"],
    ["1e23", "9.999999999999999E22", 1e23, "44b52d02c7e14af6", back(9.999999999999999e22)], // Java's shortest text, before Java 19, is of its neighbour
    ["1.7976931348623157E308", "1.7976931348623157E308", Number.MAX_VALUE, "7fefffffffffffff"],
    ["-1.7976931348623157E308", "-1.7976931348623157E308", -Number.MAX_VALUE, "ffefffffffffffff"],
    ["4.9E-324", "4.9E-324", Number.MIN_VALUE, "0000000000000001"],
    ["NaN", "null", NaN, "7ff8000000000000", back(null)],
    ["Infinity", "null", Infinity, "7ff0000000000000", back(null)],
    ["-Infinity", "null", -Infinity, "fff0000000000000", back(null)],
    EMPTY,
  ],
  boolean: [["true", "true", true, "01"], ["false", "false", false, "00"], EMPTY],
  blob: [
    ["0xcafe", '"0xcafe"', Uint8Array.of(0xca, 0xfe), "cafe"],
    ["0x00", '"0x00"', Uint8Array.of(0), "00"],
    ["0x", '"0x"', new Uint8Array(0), ""],
    [`0x${"07".repeat(1000)}`, `"0x${"07".repeat(1000)}"`, new Uint8Array(1000).fill(7), "07".repeat(1000)],
  ],
  timestamp: [
    ["'2024-02-29T12:34:56.789Z'", '"2024-02-29 12:34:56.789Z"', new Date(Date.UTC(2024, 1, 29, 12, 34, 56, 789)), "0000018df4dc5495"],
    ["-1", '"1969-12-31 23:59:59.999Z"', new Date(-1), "ffffffffffffffff"],
    ["0", '"1970-01-01 00:00:00.000Z"', new Date(0), "0000000000000000"],
    // The server's text has the year of the era, so years before 1 look like others; beyond four digits it cannot read its text.
    ["-62135596800001", '"0001-12-31 23:59:59.999Z"', new Date(-62135596800001), "ffffc77cedd327ff", back(new Date(-62104060800001))],
    ["8640000000000000", '"+275760-09-13 00:00:00.000Z"', new Date(8.64e15), "001eb208c2dc0000", back(NONE)],
    ["-8640000000000000", '"+271822-04-20 00:00:00.000Z"', new Date(-8.64e15), "ffe14df73d240000", back(NONE)],
    ["8640000000000001", '"+275760-09-13 00:00:00.001Z"', 8640000000000001n, "001eb208c2dc0001", back(NONE)],
    ["9223372036854775807", '"+292278994-08-17 07:12:55.807Z"', MAX, "7fffffffffffffff", back(NONE)],
    ["-9223372036854775808", '"+292275056-05-16 16:47:04.192Z"', MIN, "8000000000000000", back(NONE)],
    EMPTY,
  ],
  date: [
    ["'2024-02-29'", '"2024-02-29"', LocalDate.from("2024-02-29"), "80004d46"],
    ["'1969-12-31'", '"1969-12-31"', new LocalDate(-1), "7fffffff"],
    ["2147483648", '"1970-01-01"', new LocalDate(0), "80000000"],
    ["'0001-01-01'", '"0001-01-01"', LocalDate.from("0001-01-01"), "7ff506c6"],
    ["'9999-12-31'", '"9999-12-31"', LocalDate.from("9999-12-31"), "802cc0a0"],
    ["'-5877641-06-23'", '"-5877641-06-23"', new LocalDate(-(2 ** 31)), "00000000"],
    ["4294967295", '"+5881580-07-11"', new LocalDate(2 ** 31 - 1), "ffffffff"],
  ],
  time: [
    ["'08:12:54.123456789'", '"08:12:54.123456789"', LocalTime.from("08:12:54.123456789"), "00001ae5c31f8915"],
    ["'12:00:00'", '"12:00:00.000000000"', new LocalTime(43_200_000_000_000n), "0000274a48a78000"],
    ["0", '"00:00:00.000000000"', new LocalTime(0n), "0000000000000000"],
    ["86399999999999", '"23:59:59.999999999"', new LocalTime(86_399_999_999_999n), "00004e94914effff"],
  ],
  duration: [
    ["1mo2d3ns", '"1mo2d3ns"', new Duration(1, 2, 3n), "020406"],
    ["-1mo2d", '"-1mo2d"', new Duration(-1, -2, 0n), "010300"],
    ["-1y2mo3w4d5h6m7s8ms9us10ns", '"-1y2mo25d5h6m7s8ms9us10ns"', new Duration(-14, -25, -18_367_008_009_010n), "1b31fc2168cdf9d663"],
    ["0s", '""', new Duration(0, 0, 0n), "000000", back(NONE)], // the server's text leaves out what is zero
    ["2147483647mo2147483647d9223372036854775807ns", '"178956970y7mo2147483647d2562047h47m16s854ms775us807ns"', new Duration(2 ** 31 - 1, 2 ** 31 - 1, MAX), "f0fffffffef0fffffffefffffffffffffffffe"],
    ["-2147483647mo2147483647d9223372036854775807ns", '"-178956970y7mo2147483647d2562047h47m16s854ms775us807ns"', new Duration(1 - 2 ** 31, 1 - 2 ** 31, -MAX), "f0fffffffdf0fffffffdfffffffffffffffffd"],
  ],
  uuid: [
    [UUID, `"${UUID}"`, UUID, "000102030405460788090a0b0c0d0e0f"],
    [TIMEUUID, `"${TIMEUUID}"`, TIMEUUID, "d2177dd0eaa211dea572001b779c76e3"],
    ["00000000-0000-0000-0000-000000000000", '"00000000-0000-0000-0000-000000000000"', "00000000-0000-0000-0000-000000000000", "00".repeat(16)],
    ["FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", '"ffffffff-ffff-ffff-ffff-ffffffffffff"', "ffffffff-ffff-ffff-ffff-ffffffffffff", "ff".repeat(16)],
    EMPTY,
  ],
  timeuuid: [
    [TIMEUUID, `"${TIMEUUID}"`, TIMEUUID, "d2177dd0eaa211dea572001b779c76e3"],
    ["ffffffff-ffff-1fff-bf7f-7f7f7f7f7f7f", '"ffffffff-ffff-1fff-bf7f-7f7f7f7f7f7f"', "ffffffff-ffff-1fff-bf7f-7f7f7f7f7f7f", "ffffffffffff1fffbf7f7f7f7f7f7f7f"],
    ["00000000-0000-1000-8080-808080808080", '"00000000-0000-1000-8080-808080808080"', "00000000-0000-1000-8080-808080808080", "00000000000010008080808080808080"],
    EMPTY,
  ],
  inet: [
    ["'192.0.2.7'", '"192.0.2.7"', "192.0.2.7", "c0000207"],
    ["'2001:db8::1'", '"2001:db8:0:0:0:0:0:1"', "2001:db8::1", "20010db8000000000000000000000001"],
    ["'0.0.0.0'", '"0.0.0.0"', "0.0.0.0", "00000000"],
    ["'255.255.255.255'", '"255.255.255.255"', "255.255.255.255", "ffffffff"],
    ["'::'", '"0:0:0:0:0:0:0:0"', "::", "00".repeat(16)],
    ["'1:0:0:2::3'", '"1:0:0:2:0:0:0:3"', "1:0:0:2::3", "00010000000000020000000000000003"],
    // Java makes four bytes of a mapped address whenever it reads one; those in the cell stay as they were written.
    [NONE, '"10.0.0.1"', "::ffff:10.0.0.1", "00000000000000000000ffff0a000001", back("10.0.0.1")],
    EMPTY,
  ],
};

const NO_CELL = "ffffffff";
const cell = (hex) => (hex.length / 2).toString(16).padStart(8, "0") + hex;

/** By hand where the shape itself matters. `u` is (f0 int, f1 text, f2 double). */
const BY_HAND = {
  "list<int>": [["[1, 2, 1]", "[1, 2, 1]", [1, 2, 1], `00000003${cell("00000001")}${cell("00000002")}${cell("00000001")}`]],
  "set<text>": [["{'b', 'a', ''}", '["", "a", "b"]', ["", "a", "b"], `00000003${cell("")}${cell("61")}${cell("62")}`]],
  "map<text, int>": [
    ["{'b': 2, 'a\"': 1}", '{"a\\"": 1, "b": 2}', new Map([['a"', 1], ["b", 2]]), `00000002${cell("6122")}${cell("00000001")}${cell("62")}${cell("00000002")}`],
    ["{'__proto__': -1}", '{"__proto__": -1}', new Map([["__proto__", -1]]), `00000001${cell("5f5f70726f746f5f5f")}${cell("ffffffff")}`],
  ],
  "frozen<list<int>>": [["[]", "[]", [], "00000000"]],
  "frozen<set<int>>": [["{2, -1, 1}", "[-1, 1, 2]", [-1, 1, 2], `00000003${cell("ffffffff")}${cell("00000001")}${cell("00000002")}`]],
  "frozen<map<int, int>>": [["{}", "{}", new Map(), "00000000"]],
  u: [
    ["{f0: 1, f1: 'a', f2: 1.5}", '{"f0": 1, "f1": "a", "f2": 1.5}', { f0: 1, f1: "a", f2: 1.5 }, `${cell("00000001")}${cell("61")}${cell("3ff8000000000000")}`],
    ["{f0: 1}", '{"f0": 1, "f1": null, "f2": null}', { f0: 1, f1: null, f2: null }, `${cell("00000001")}${NO_CELL}${NO_CELL}`],
    ["{f1: ''}", '{"f0": null, "f1": "", "f2": null}', { f0: null, f1: "", f2: null }, `${NO_CELL}${cell("")}${NO_CELL}`],
  ],
  odd: [
    [`{"Ü b": 1, "__proto__": 2}`, '{"\\"Ü b\\"": 1, "__proto__": 2}', JSON.parse('{"Ü b": 1, "__proto__": 2}'), `${cell("00000001")}${cell("00000002")}`],
  ],
  "tuple<int, text>": [
    ["(1, '')", '[1, ""]', [1, ""], `${cell("00000001")}${cell("")}`],
    ["(null, null)", "[null, null]", [null, null], `${NO_CELL}${NO_CELL}`],
  ],
  // Three deep and more.
  "frozen<map<text, frozen<list<frozen<set<int>>>>>>": [
    ["{'k': [{2, 1}, {}]}", '{"k": [[1, 2], []]}', new Map([["k", [[1, 2], []]]]), `00000001${cell("6b")}${cell(`00000002${cell(`00000002${cell("00000001")}${cell("00000002")}`)}${cell("00000000")}`)}`],
  ],
  "map<int, frozen<map<text, frozen<list<double>>>>>": [
    ["{-1: {'a': [1, -0.0]}}", '{"-1": {"a": [1.0, -0.0]}}', new Map([[-1, new Map([["a", [1, -0]]])]]), `00000001${cell("ffffffff")}${cell(`00000001${cell("61")}${cell(`00000002${cell("3ff0000000000000")}${cell("8000000000000000")}`)}`)}`],
  ],
  "tuple<int, frozen<map<text, frozen<u>>>>": [
    ["(5, {'k': {f1: 'x'}})", '[5, {"k": {"f0": null, "f1": "x", "f2": null}}]', [5, new Map([["k", { f0: null, f1: "x", f2: null }]])], `${cell("00000005")}${cell(`00000001${cell("6b")}${cell(`${NO_CELL}${cell("78")}${NO_CELL}`)}`)}`],
  ],
  "frozen<map<frozen<tuple<int, text>>, frozen<u>>>": [
    ["{(1, 'a'): {f0: 1}}", '{"[1, \\"a\\"]": {"f0": 1, "f1": null, "f2": null}}', new Map([[[1, "a"], { f0: 1, f1: null, f2: null }]]), `00000001${cell(cell("00000001") + cell("61"))}${cell(`${cell("00000001")}${NO_CELL}${NO_CELL}`)}`],
  ],
  // Vectors: elements of one size without a length, others after a vint of theirs.
  "vector<float, 3>": [
    ["[1, -0.0, 0.25]", "[1.0, -0.0, 0.25]", Float32Array.of(1, -0, 0.25), "3f800000800000003e800000"],
    ["[NaN, Infinity, -Infinity]", "[null, null, null]", Float32Array.of(NaN, Infinity, -Infinity), "7fc000007f800000ff800000", back(NONE)],
  ],
  "vector<smallint, 2>": [["[300, -1]", "[300, -1]", Int16Array.of(300, -1), "02012c02ffff"]],
  "vector<text, 3>": [[`['a', '', '${"z".repeat(300)}']`, `["a", "", "${"z".repeat(300)}"]`, ["a", "", "z".repeat(300)], `016100812c${"7a".repeat(300)}`]],
  "vector<frozen<list<int>>, 2>": [["[[1], []]", "[[1], []]", [[1], []], `0c00000001${cell("00000001")}0400000000`]],
  "vector<frozen<u>, 1>": [["[{f1: 'a'}]", '[{"f0": null, "f1": "a", "f2": null}]', [{ f0: null, f1: "a", f2: null }], `0d${NO_CELL}${cell("61")}${NO_CELL}`]],
  "vector<vector<float, 2>, 2>": [["[[1, 2], [3, 4]]", "[[1.0, 2.0], [3.0, 4.0]]", [Float32Array.of(1, 2), Float32Array.of(3, 4)], "3f800000400000004040000040800000"]],
  "vector<vector<text, 1>, 2>": [["[['a'], ['bc']]", '[["a"], ["bc"]]', [["a"], ["bc"]], "020161" + "03026263"]],
  "vector<frozen<tuple<int, text>>, 1>": [["[(1, 'a')]", '[[1, "a"]]', [[1, "a"]], `0d${cell("00000001")}${cell("61")}`]],
  // No type of CQL: its bytes.
  "'org.apache.cassandra.db.marshal.LexicalUUIDType'": [[`'${UUID}'`, `"${UUID}"`, Uint8Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15][i]), "000102030405460788090a0b0c0d0e0f"]],
};

/** Elements of these types lie in a vector without a length (`AbstractType.valueLengthIfFixed` of Cassandra 5.0; not tinyint, smallint, date, time). */
const FIXED_IN_VECTOR = ["int", "bigint", "float", "double", "boolean", "timestamp", "uuid", "timeuuid"];
const VECTORS = { float: Float32Array, double: Float64Array, int: Int32Array, bigint: BigInt64Array, smallint: Int16Array, tinyint: Int8Array };

/** Each native type inside of each compound one. */
function compoundsOf(type, [[a, aJson, aValue, aHex], [b, bJson, bValue, bHex]]) {
  const both = [aValue, bValue];
  const inVector = (hex) => (FIXED_IN_VECTOR.includes(type) ? hex : (hex.length / 2).toString(16).padStart(2, "0") + hex);
  const key = aJson.startsWith('"') ? aJson : `"${aJson}"`;
  const rows = {
    [`frozen<list<${type}>>`]: [`[${a}, ${b}]`, `[${aJson}, ${bJson}]`, both, `00000002${cell(aHex)}${cell(bHex)}`],
    [`tuple<${type}, ${type}>`]: [`(${b}, null)`, `[${bJson}, null]`, [bValue, null], cell(bHex) + NO_CELL],
    [`vector<${type}, 2>`]: [`[${a}, ${b}]`, `[${aJson}, ${bJson}]`, VECTORS[type]?.from(both) ?? both, inVector(aHex) + inVector(bHex)],
    [`map<int, ${type}>`]: [`{7: ${b}}`, `{"7": ${bJson}}`, new Map([[7, bValue]]), `00000001${cell("00000007")}${cell(bHex)}`],
  };
  if (type === "duration") return rows; // has no order, so that it is no element of a set and no key
  return {
    ...rows,
    [`set<${type}>`]: [`{${a}}`, `[${aJson}]`, [aValue], `00000001${cell(aHex)}`],
    [`map<${type}, int>`]: [`{${a}: 7}`, `{${key}: 7}`, new Map([[aValue, 7]]), `00000001${cell(aHex)}${cell("00000007")}`],
  };
}

/** Type as CQL writes it → rows of [literal, text of toJson(), JavaScript value, hex of the cell, what fromJson() gives if not the value]. */
export const TABLE = { ...NATIVES, ...BY_HAND };
for (const [type, rows] of Object.entries(NATIVES)) {
  for (const [compound, row] of Object.entries(compoundsOf(type, rows))) TABLE[compound] = [...(TABLE[compound] ?? []), row];
}
/** A field of each native type. */
const first = Object.entries(NATIVES).map(([, [row]], index) => [`f${index}`, ...row]);
export const EVERY_FIELD = `(${Object.keys(NATIVES).map((type, index) => `f${index} ${type}`).join(", ")})`;
TABLE.every = [[
  `{${first.map(([name, cql]) => `${name}: ${cql}`).join(", ")}}`,
  `{${first.map(([name, , json]) => `"${name}": ${json}`).join(", ")}}`,
  Object.fromEntries(first.map(([name, , , value]) => [name, value])),
  first.map(([, , , , hex]) => cell(hex)).join(""),
]];
