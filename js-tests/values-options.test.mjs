// The options for values: each choice at every depth, in rows, in columns and alone; what they refuse. Bytes are the specification's.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Client } from "cqlwire/client";
import { Codec, CqlError, LocalDate, decodeValue, empty, encodeValue } from "cqlwire";
import { cell, rowsFrame } from "./rows-frame.mjs";
import { serve } from "./scripted-server.mjs";

const bytes = (text) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const hex = (value) => (value === null ? null : Buffer.from(value).toString("hex"));

/** The one row of the frame by three ways that must agree: row object, `at`, iteration; then its values in the columns' order. */
function read(columns, cells, values) {
  const [message] = new Codec({ version: 4, values }).feed(rowsFrame(columns, [cells]));
  assert.equal(message.error, undefined);
  const row = message.columns.map((column) => column.at(0));
  assert.deepEqual(Object.values(message.rows[0]), row);
  assert.deepEqual(message.columns.flatMap((column) => [...column]), row);
  return row;
}

const FIVE = "0000000000000005";
const LIST = `00000002 ${cell(FIVE)} ffffffff`;
const NESTED = {
  b: "bigint", c: "counter", l: ["list", "bigint"], s: ["set", "bigint"], m: ["map", "bigint", ["list", "bigint"]], u: ["udt", { f: "bigint", g: ["list", "bigint"] }],
  p: ["tuple", "int", "bigint"], v: ["vector", "bigint", 2], i: "varint", n: "bigint",
};
const NESTED_CELLS = [
  FIVE, FIVE, LIST, LIST, `00000001 ${cell(FIVE)} ${cell(LIST)}`, `${cell(FIVE)} ${cell(LIST)}`, `${cell("00000001")} ${cell(FIVE)}`, FIVE + FIVE, "05", null,
];

test("int64: bigint, number, string, at every depth; varint is always a BigInt", () => {
  for (const [int64, five, vector] of [
    [undefined, 5n, BigInt64Array.of(5n, 5n)], ["bigint", 5n, BigInt64Array.of(5n, 5n)], ["number", 5, [5, 5]], ["string", "5", ["5", "5"]],
  ]) {
    const row = read(NESTED, NESTED_CELLS, { int64 });
    assert.deepEqual(row.with(4, [...row[4]]), [five, five, [five, null], [five, null], [[five, [five, null]]], { f: five, g: [five, null] }, [1, five], vector, 5n, null]);
    // The arrays of a column do not depend on it.
    const [message] = new Codec({ version: 4, values: { int64 } }).feed(rowsFrame({ v: ["vector", "bigint", 2] }, [[FIVE + FIVE]]));
    assert.deepEqual(message.column("v").values, BigInt64Array.of(5n, 5n));
  }
  assert.equal(decodeValue("bigint", bytes("7fffffffffffffff"), { int64: "string" }), "9223372036854775807");
  assert.equal(decodeValue("bigint", bytes("8000000000000000"), { int64: "string" }), "-9223372036854775808");
  // What comes out goes in again.
  for (const int64 of ["number", "string"]) {
    for (const type of ["list<bigint>", "vector<bigint, 1>", "map<bigint, counter>"]) {
      const cellOf = encodeValue(type, type.startsWith("map") ? [[5n, 6n]] : [5n]);
      assert.equal(hex(encodeValue(type, decodeValue(type, cellOf, { int64 }))), hex(cellOf), `${type} ${int64}`);
    }
  }
});

test("a number that is not exact is refused, with the column and the row, wherever it stands", () => {
  const values = { int64: "number" };
  const [good, bad, negative] = ["001fffffffffffff", "0020000000000000", "ffe0000000000000"]; // 2⁵³-1, 2⁵³, -2⁵³
  assert.equal(decodeValue("bigint", bytes(good), values), Number.MAX_SAFE_INTEGER);
  assert.equal(decodeValue("bigint", bytes("ffe0000000000001"), values), Number.MIN_SAFE_INTEGER);
  for (const cellOf of [bad, negative, "0020000000000001", "7fffffffffffffff"]) assert.throws(() => decodeValue("bigint", bytes(cellOf), values), { code: "CQL_RANGE" });

  const list = (...cells) => `${cells.length.toString(16).padStart(8, "0")} ${cells.map(cell).join("")}`;
  const short = list(good);
  for (const [type, first, second, path] of [
    ["bigint", good, bad, undefined],
    ["counter", good, bad, undefined],
    [["list", "bigint"], short, list(good, bad), "[1]"],
    [["list", ["list", "bigint"]], list(short), list(short, list(), list(good, good, bad)), "[2][2]"],
    [["map", "bigint", "int"], list(), `00000001 ${cell(bad)} ffffffff`, ", key of entry 0"],
    [["map", "text", "bigint"], list(), `00000002 ${cell("61")} ${cell(good)} ${cell("62")} ${cell(bad)}`, ", value of entry 1"],
    [["udt", { f: "int", g: ["set", "bigint"] }], `ffffffff ${cell(short)}`, `ffffffff ${cell(list(bad))}`, ".g[0]"],
    [["tuple", "int", ["tuple", "bigint"]], null, `ffffffff ${cell(cell(bad))}`, "[1][0]"],
    [["vector", "bigint", 3], good + good + good, good + good + bad, undefined],
  ]) {
    const [message] = new Codec({ version: 4, values }).feed(rowsFrame({ id: "int", amount: type }, [["00000001", null], ["00000002", first], [null, null], ["00000003", second]]));
    const amount = message.column("amount");
    const refused = (error) => {
      assert.ok(error instanceof CqlError);
      assert.deepEqual([error.code, error.column, error.row, error.path], ["CQL_RANGE", "amount", 3, path]);
      assert.ok(error.message.startsWith(`row 3 of column "amount"${path ?? ""}: beyond 2⁵³`), error.message);
      return true;
    };
    assert.throws(() => amount.at(3), refused);
    assert.throws(() => message.rows, refused);
    assert.throws(() => [...amount], refused);
    assert.doesNotThrow(() => amount.at(1));
    assert.equal(amount.at(2), null);
    assert.deepEqual([...message.column("id")], [1, 2, null, 3]); // the other columns are good
  }
});

test("timestamps: date, number, bigint", () => {
  const columns = { t: "timestamp", l: ["list", "timestamp"], m: ["map", "timestamp", "int"] };
  const at = "00000174876e8000"; // 1,600,000,000,000
  const cells = [at, `00000001 ${cell(at)}`, `00000001 ${cell(at)} ffffffff`];
  for (const [timestamps, value] of [["date", new Date(1_600_000_000_000)], ["number", 1_600_000_000_000], ["bigint", 1_600_000_000_000n]]) {
    const [t, l, m] = read(columns, cells, { timestamps });
    assert.deepEqual([t, l, [...m.keys()]], [value, [value], [value]]);
    assert.equal(hex(encodeValue("timestamp", t)), at);
  }
  // The last millisecond of Date and the next one, v5 §6
  const [last, next] = ["001eb208c2dc0000", "001eb208c2dc0001"];
  assert.deepEqual(decodeValue("timestamp", bytes(last)), new Date(8_640_000_000_000_000));
  assert.equal(decodeValue("timestamp", bytes(next)), 8_640_000_000_000_001n);
  assert.equal(decodeValue("timestamp", bytes(next), { timestamps: "number" }), 8_640_000_000_000_001);
  assert.throws(() => decodeValue("timestamp", bytes("7fffffffffffffff"), { timestamps: "number" }), { code: "CQL_RANGE", message: /timestamps: "bigint"/ });
  assert.equal(decodeValue("timestamp", bytes("7fffffffffffffff"), { timestamps: "bigint", int64: "number" }), 2n ** 63n - 1n);
  assert.deepEqual(decodeValue("time", bytes(FIVE), { int64: "number", timestamps: "number" }).nanoseconds, 5n);
});

test("sets: array or Set, with JSON that says what is in it", () => {
  const columns = { s: ["set", "int"], l: ["list", ["set", "text"]] };
  const cells = ["00000002 00000004 00000001 00000004 00000002", `00000001 ${cell("00000001 00000001 61")}`];
  assert.deepEqual(read(columns, cells), [[1, 2], [["a"]]]);
  const [s, l] = read(columns, cells, { sets: "set" });
  assert.ok(s instanceof Set && l[0] instanceof Set && Array.isArray(l));
  assert.deepEqual([[...s], [...l[0]]], [[1, 2], ["a"]]);
  assert.equal(JSON.stringify({ s, l }), '{"s":[1,2],"l":[["a"]]}');
  assert.equal(hex(encodeValue("set<int>", s)), cells[0].replaceAll(" ", ""));
});

test("maps: Map or object without a prototype; only keys that are strings name properties", () => {
  const proto = Buffer.from("__proto__").toString("hex");
  const entries = `00000002 ${cell(proto)} ${cell("00000001")} ${cell("61")} ffffffff`;
  const [map] = read({ m: ["map", "text", "int"] }, [entries]);
  assert.deepEqual([...map], [["__proto__", 1], ["a", null]]);
  const [object, nested] = read({ m: ["map", "text", "int"], n: ["map", "ascii", ["map", "text", "int"]] }, [entries, `00000001 ${cell("78")} ${cell(entries)}`], { maps: "object" });
  assert.equal(Object.getPrototypeOf(object), null);
  assert.deepEqual(Object.entries(object), [["__proto__", 1], ["a", null]]);
  assert.deepEqual(Object.entries(nested.x), [["__proto__", 1], ["a", null]]);
  assert.equal(JSON.stringify({ object }), '{"object":{"__proto__":1,"a":null}}');
  assert.equal(hex(encodeValue("map<text, int>", object)), entries.replaceAll(" ", ""));

  // By type of key: the type alone decides, also where a map has no entries.
  const key = { uuid: "000102030405060708090a0b0c0d0e0f", timeuuid: "d2177dd0eaa211dea572001b779c76e3", inet: "7f000001", text: "61", ascii: "61" };
  for (const [type, of] of Object.entries(key)) {
    const one = bytes(`00000001 ${cell(of)} ${cell("00000001")}`);
    const value = decodeValue(`map<${type}, int>`, one, { maps: "object" });
    assert.deepEqual([Object.getPrototypeOf(value), Object.values(value)], [null, [1]]);
    assert.equal(hex(encodeValue(`map<${type}, int>`, value)), hex(one));
  }
  for (const type of ["int", "bigint", "boolean", "blob", "date", "list<int>", "double"]) {
    assert.ok(decodeValue(`map<${type}, int>`, bytes("00000000"), { maps: "object" }) instanceof Map, type);
  }
  const longs = decodeValue("map<bigint, int>", bytes(`00000001 ${cell(FIVE)} ffffffff`), { maps: "object", int64: "string" });
  assert.deepEqual([Object.getPrototypeOf(longs), Object.entries(longs)], [null, [["5", null]]]);

  for (const bad of ["ffffffff", cell("ff")]) {
    assert.throws(() => decodeValue("map<text, int>", bytes(`00000001 ${bad} ffffffff`), { maps: "object" }), { code: "CQL_RANGE", message: /key that is not text/ });
    assert.ok(decodeValue("map<text, int>", bytes(`00000001 ${bad} ffffffff`)) instanceof Map);
  }
});

test("the JSON of a Map: an object where keys are strings, else pairs, also when it is empty", () => {
  const json = (type, text) => JSON.stringify(decodeValue(type, bytes(text)));
  assert.equal(json("map<text, int>", `00000001 ${cell("61")} ${cell("00000001")}`), '{"a":1}');
  assert.equal(json("map<text, int>", "00000000"), "{}");
  assert.equal(json("map<int, int>", `00000001 ${cell("00000002")} ${cell("00000001")}`), "[[2,1]]");
  assert.equal(json("map<int, int>", "00000000"), "[]");
  assert.equal(json("map<text, int>", `00000002 ${cell("61")} ${cell("00000001")} ffffffff ffffffff`), '[["a",1],[null,null]]');
});

test("the JSON of a row, of every type", () => {
  const uuid = "d2177dd0eaa211dea572001b779c76e3";
  const table = {
    ascii: ["ascii", "61", '"a"'], text: ["text", "c3a9", '"é"'], notText: ["text", "ff", '{"0":255}'], tinyint: ["tinyint", "ff", "-1"], smallint: ["smallint", "0005", "5"], int: ["int", "00000005", "5"],
    float: ["float", "3fc00000", "1.5"], double: ["double", "3ff8000000000000", "1.5"], nan: ["double", "7ff8000000000000", "null"], // JSON has no NaN
    boolean: ["boolean", "01", "true"], blob: ["blob", "0102", '{"0":1,"1":2}'], decimal: ["decimal", "00000002 0096", '"1.50"'],
    timestamp: ["timestamp", "0000000000000005", '"1970-01-01T00:00:00.005Z"'], date: ["date", "80000000", '"1970-01-01"'], time: ["time", "0000000000000005", '"00:00:00.000000005"'],
    duration: ["duration", "020406", '"1mo2d3ns"'], uuid: ["uuid", uuid, '"d2177dd0-eaa2-11de-a572-001b779c76e3"'], timeuuid: ["timeuuid", uuid, '"d2177dd0-eaa2-11de-a572-001b779c76e3"'],
    inet: ["inet", "7f000001", '"127.0.0.1"'], list: [["list", "int"], `00000002 ${cell("00000005")} ffffffff`, "[5,null]"], set: [["set", "int"], `00000001 ${cell("00000005")}`, "[5]"],
    map: [["map", "text", "int"], `00000001 ${cell("61")} ${cell("00000005")}`, '{"a":5}'], pairs: [["map", "int", "date"], `00000001 ${cell("00000005")} ${cell("80000000")}`, '[[5,"1970-01-01"]]'],
    tuple: [["tuple", "int", "text"], `${cell("00000005")} ffffffff`, "[5,null]"], udt: [["udt", { f: "int" }], cell("00000005"), '{"f":5}'],
    vector: [["vector", "float", 2], "3fc00000 3f800000", '{"0":1.5,"1":1}'], texts: [["vector", "text", 1], "0161", '["a"]'], custom: [["custom", "com.example.Mine"], "01", '{"0":1}'],
    null: ["int", null, "null"], empty: ["int", "", "null"],
  };
  const row = (values) => new Codec({ version: 4, values }).feed(rowsFrame(Object.fromEntries(Object.entries(table).map(([name, [type]]) => [name, type])), [Object.values(table).map(([, bytes]) => bytes)]))[0].rows[0];
  const json = (entries) => `{${entries.map(([name, [, , text]]) => `"${name}":${text}`).join()}}`;
  assert.equal(JSON.stringify(row()), json(Object.entries(table)));
  assert.equal(JSON.stringify(row({ sets: "set", maps: "object", strings: "own" })), json(Object.entries(table)));
  assert.equal(JSON.stringify(row({ timestamps: "number" }).timestamp), "5");
  assert.equal("empty" in JSON.parse(JSON.stringify(row({ empties: "marker" }))), false); // a symbol has no JSON

  // What is a BigInt has none, and is heard of.
  const long = { b: "bigint", c: "counter", v: ["vector", "bigint", 1], l: ["list", "bigint"] };
  const cells = [FIVE, FIVE, FIVE, `00000001 ${cell(FIVE)}`];
  for (const name of Object.keys(long)) assert.throws(() => JSON.stringify(read(long, cells)[Object.keys(long).indexOf(name)]), TypeError);
  assert.throws(() => JSON.stringify(read({ i: "varint" }, ["05"], { int64: "number" })), TypeError);
  assert.equal(JSON.stringify(read(long, cells, { int64: "number" })), "[5,5,[5],[5]]");
  assert.equal(JSON.stringify(read(long, cells, { int64: "string" })), '["5","5",["5"],["5"]]');
});

test("a client takes the options, checks them, and gives them to its connection", async (t) => {
  const row = Buffer.from(rowsFrame({ b: "bigint", s: ["set", "int"] }, [[FIVE, `00000001 ${cell("00000001")}`]])).toString("hex");
  const server = await serve(t, (request, send) => {
    if (request.opcode === "QUERY") send(`8400 SS SS ${row.slice(8)}`);
  });
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4, values: { int64: "string", sets: "set", undefinedAs: "null" } });
  t.after(() => client.close({ timeout: 1 }));
  const { rows } = await client.execute("SELECT");
  assert.equal(rows[0].b, "5");
  assert.ok(rows[0].s instanceof Set && rows[0].s.has(1));
  await client.execute("INSERT", [undefined, undefined], { prepare: false });
  assert.ok(server.of("QUERY").at(-1).body.includes(Buffer.from("0002ffffffffffffffff", "hex")));
});

test("empties: null or the marker, told from null at every depth", () => {
  const columns = { i: "int", l: ["list", "int"], u: ["udt", { f: "uuid", g: "int" }], v: ["vector", "float", 2], t: "text", n: "int" };
  const cells = ["", `00000003 00000000 ffffffff ${cell("00000001")}`, "00000000 ffffffff", "", "", null];
  assert.deepEqual(read(columns, cells), [null, [null, null, 1], { f: null, g: null }, null, "", null]);
  assert.deepEqual(read(columns, cells, { empties: "marker" }), [empty, [empty, null, 1], { f: empty, g: null }, empty, "", null]);
  // Alone, a value has no isEmpty beside it.
  const list = bytes(cells[1]);
  assert.deepEqual(decodeValue("list<int>", list), [empty, null, 1]);
  assert.deepEqual(decodeValue("list<int>", list, { int64: "number" }), [empty, null, 1]);
  assert.deepEqual(decodeValue("list<int>", list, { empties: "null" }), [null, null, 1]);
  assert.equal(decodeValue("int", new Uint8Array(0), { sets: "set" }), empty);
  assert.equal(hex(encodeValue("list<int>", decodeValue("list<int>", list))), hex(list));
  const [message] = new Codec({ version: 4, values: { empties: "marker" } }).feed(rowsFrame({ i: "int" }, [[""], [null]]));
  assert.deepEqual([0, 1].map((row) => message.column("i").isEmpty(row)), [true, false]);
});

test("strings: own keeps each string alone, sliced its block", () => {
  const table = { t: "text", l: ["list", "text"], u: "text" };
  const cells = ["68656c6c6f", `00000002 ${cell("61".repeat(40))} ffffffff`, "c3a9"];
  for (const strings of ["sliced", "own"]) assert.deepEqual(read(table, cells, { strings }), ["hello", ["a".repeat(40), null], "é"]);

  // One string of 40 characters kept of each of 1,000 pages of 12 KB: 12 MB of blocks, or 40 KB.
  const program = `
    import { Codec } from "cqlwire";
    import { rowsFrame } from ${JSON.stringify(new URL("rows-frame.mjs", import.meta.url).href)};
    const frame = rowsFrame({ t: "text" }, Array.from({ length: 300 }, () => ["61".repeat(40)]));
    const codec = new Codec({ version: 4, values: { strings: process.argv[1] } });
    const kept = [];
    const round = () => kept.push(codec.feed(frame)[0].column("t").at(7));
    round();
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1000; i++) round();
    gc();
    console.log(process.memoryUsage().heapUsed - before, kept.length);`;
  const kept = ["sliced", "own"].map((strings) => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", program, strings], { encoding: "utf8", cwd: new URL(".", import.meta.url) });
    assert.match(stdout, /^-?\d+ 1001\n$/, stderr);
    return parseInt(stdout);
  });
  assert.ok(kept[0] > 8e6 && kept[1] < 1e6, `kept ${kept}`);
});

test("undefinedAs: unset or null for a parameter, null inside of one", () => {
  const query = (values, params, types) => hex(new Codec({ version: 4, values }).encode({ opcode: "QUERY", query: "q", params, types }, 0)).slice(18);
  const body = (value) => `00000001 71 000a 01 0001 ${value}`.replaceAll(" ", "");
  assert.equal(query({ undefinedAs: "unset" }, [undefined], ["int"]), body("fffffffe"));
  assert.equal(query({ undefinedAs: "unset" }, [,], undefined), body("fffffffe")); // a hole, and no type
  assert.equal(query({ undefinedAs: "null" }, [undefined], undefined), body("ffffffff"));
  assert.equal(query({ undefinedAs: "null" }, [[undefined, 1]], ["list<int>"]), body(cell(`00000002 ffffffff ${cell("00000001")}`)).replaceAll(" ", ""));
  assert.equal(query({ undefinedAs: "null" }, { a: undefined }, { a: "int" }), "00000001 71 000a 41 0001 0001 61 ffffffff".replaceAll(" ", ""));
  for (const [values, params, types, code] of [
    [undefined, [undefined], ["int"], "CQL_ENCODE"],
    [{}, [[undefined]], ["list<int>"], "CQL_ENCODE"],
    [{}, [undefined], undefined, "CQL_PARAMS"],
    [{ undefinedAs: "unset" }, [[undefined]], ["list<int>"], "CQL_ENCODE"], // unset is for whole parameters
    [{ undefinedAs: "null" }, [[1, undefined]], ["vector<int, 2>"], "CQL_ENCODE"], // a vector has no nulls
  ]) {
    assert.throws(() => query(values, params, types), (error) => error instanceof CqlError && error.code === code && /undefined|type/.test(error.message));
  }
  const v3 = new Codec({ version: 3, values: { undefinedAs: "unset" } });
  assert.throws(() => v3.encode({ opcode: "QUERY", query: "q", params: [undefined], types: ["int"] }, 0), { code: "CQL_ENCODE" });
  assert.equal(encodeValue("int", undefined, { undefinedAs: "null" }), null);
  assert.equal(hex(encodeValue("tuple<int, int>", [undefined, 1], { undefinedAs: "null" })), `ffffffff${cell("00000001")}`);
  assert.throws(() => encodeValue("int", undefined, { undefinedAs: "unset" }), { code: "CQL_ENCODE" });
  assert.throws(() => encodeValue("int", undefined), { code: "CQL_ENCODE" });
  // A value encoded while another is read has options of its own.
  const lazy = { *[Symbol.iterator]() { assert.throws(() => encodeValue("list<int>", [undefined]), { code: "CQL_ENCODE" }); yield undefined; } };
  assert.equal(hex(encodeValue("list<int>", lazy, { undefinedAs: "null" })), "00000001ffffffff");
});

test("an option that is unknown or has no such choice is refused by name, where it is given", async () => {
  const bad = [5, "number", null, [], new Map(), { int46: "number" }, { int64: "long" }, { int64: null }, { int64: true }, { timestamps: "ms" }, { sets: "Set" }, { maps: "Map" },
    { empties: true }, { strings: "flat" }, { undefinedAs: "error" }, { undefinedAs: null }];
  for (const values of bad) {
    const refused = (error) => {
      assert.ok(error instanceof CqlError && error.code === "CQL_OPTION", String(error));
      for (const name of Object.keys(values ?? {}).filter((key) => isNaN(key))) assert.ok(error.message.includes(name), error.message);
      return true;
    };
    assert.throws(() => new Codec({ values }), refused);
    assert.throws(() => encodeValue("int", 1, values), refused);
    assert.throws(() => decodeValue("int", null, values), refused);
    await assert.rejects(Client.connect({ contactPoints: ["127.0.0.1:1"], values }), refused);
  }
  assert.throws(() => new Codec({ values: { int64: "long" } }), { message: 'values.int64 is "long": expected "bigint" or "number" or "string"' });
  for (const values of [undefined, {}, { int64: undefined }, Object.create(null)]) assert.deepEqual(read({ b: "bigint" }, [FIVE], values), [5n]);
  // As they were when they were given.
  const values = { int64: "number" };
  const codec = new Codec({ version: 4, values });
  values.int64 = "string";
  assert.equal(codec.feed(rowsFrame({ b: "bigint" }, [[FIVE]]))[0].rows[0].b, 5);
});

test("a page that was read with any options is written again as it came", () => {
  const columns = { b: "bigint", l: ["list", "int"], m: ["map", "text", "bigint"], s: ["set", "int"], t: "timestamp", i: "int", v: ["vector", "bigint", 1] };
  const huge = "7fffffffffffffff";
  const frame = rowsFrame(columns, [[huge, `00000002 00000000 ffffffff`, `00000001 ${cell("61")} ${cell(huge)}`, `00000001 ${cell("00000001")}`, huge, "", huge], Array(7).fill(null)]);
  for (const values of [undefined, { int64: "number", timestamps: "number", sets: "set", maps: "object", empties: "null", strings: "own" }, { int64: "string", empties: "marker" }]) {
    const [message] = new Codec({ version: 4, values }).feed(frame);
    assert.equal(hex(new Codec({ role: "server", version: 4, values }).encode(message, 1)), hex(frame));
  }
});

test("the options hold for rows whose columns are told later, and for rows that a server writes", () => {
  // RESULT/Rows, v4, NO_METADATA: one column, two cells of 8 and 0 bytes
  const raw = bytes(`84000001 08 00000020 00000002 00000004 00000001 00000002 ${cell(FIVE)} 00000000`);
  const [message] = new Codec({ version: 4, values: { int64: "number", empties: "marker" } }).feed(raw);
  assert.deepEqual(message.decode([{ name: "b", type: "bigint" }]).rows, [{ b: 5 }, { b: empty }]);

  const rows = { opcode: "RESULT", kind: "Rows", metadata: [{ name: "b", type: "bigint", keyspace: "k", table: "t" }], rows: [{ b: undefined }, { b: 5 }] };
  const server = new Codec({ role: "server", version: 4, values: { undefinedAs: "null" } });
  assert.equal(hex(server.encode(rows, 1)), hex(rowsFrame({ b: "bigint" }, [[null], [FIVE]])));
  for (const undefinedAs of [undefined, "unset"]) {
    assert.throws(() => new Codec({ role: "server", version: 4, values: { undefinedAs } }).encode(rows, 1), { code: "CQL_ENCODE" });
  }
});

test("rows by assignment have the same values as rows by a constructor", () => {
  // More columns than a generated constructor takes.
  const columns = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`c${index}`, index % 2 ? "bigint" : "date"]));
  const cells = Object.values(columns).map((type, index) => (index === 2 ? "" : index === 3 ? null : type === "bigint" ? FIVE : "80000000"));
  const [row] = new Codec({ version: 4, values: { int64: "number", empties: "marker" } }).feed(rowsFrame(columns, [cells]))[0].rows;
  assert.deepEqual([row.c0, row.c1, row.c2, row.c3, row.c129], [new LocalDate(0), 5, empty, null, 5]);
});
