// Values on their way into a message, where the way is not straight: errors of values that were noted before, code of the caller's that runs
// in between and makes the memory grow, traps that are not the codec's, more columns and more bytes than steps and frames hold, bulks whose
// columns cannot be read. Expected: the same values given plainly, the server role's reading, or the bytes written out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Codec, CqlError, Decimal, Duration, LocalDate, LocalTime, arrowStream, encodeValue, paramColumns } from "cqlwire";
import { Client } from "cqlwire/client";
import { VOID, scriptedServer } from "./scripted-server.mjs";

const established = { version: 4 };
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const spec = (type, index) => ({ name: `c${index}`, type, keyspace: "k", table: "t" });
const rows = (types, values) => ({ opcode: "RESULT", kind: "Rows", metadata: types.map(spec), rows: values });
const server = () => new Codec({ role: "server", established });

/** A codec and a statement that it has prepared. */
function statement(...types) {
  const codec = new Codec({ established });
  const [prepared] = codec.feed(server().encode({ opcode: "RESULT", kind: "Prepared", id: Uint8Array.of(1, 2), bind: types.map(spec), result: [] }, 1));
  return [codec, prepared];
}
const message = (run) => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof CqlError, String(error));
    return error.message;
  }
  return undefined;
};

const getter = (object, key, get) => Object.defineProperty(object, key, { get, enumerable: true, configurable: true });
let size = 1 << 20;
/** Views of the memory from before are empty after it. */
function grow() {
  size = Math.min(2 * size, 48 << 20);
  encodeValue("blob", new Uint8Array(size));
}
const trap = () => {
  const module = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11);
  new WebAssembly.Instance(new WebAssembly.Module(module)).exports.f();
};

test("an error says which value it is of, whatever comes between it and the call that finds it", () => {
  const [codec, one] = statement("int", "list<int>");
  const [, other] = statement("text");
  const batch = (...statements) => message(() => codec.encode({ opcode: "BATCH", statements }, 1));
  const bad = { prepared: one, params: [2 ** 31, [1]] };
  const good = { prepared: one, params: [1, [1]] };
  const expected = "statement 1, parameter 0 (c0): number for int: expected a whole number from -2147483648 to 2147483647";
  for (const next of [
    [{ prepared: other, params: ["x"] }], // another statement's columns
    [{ prepared: one, params: [] }], // one that is wrong itself
    [{ prepared: one, params: { c0: 1, nope: 1 } }],
    [{ query: "q", params: [1] }],
    Array(2000).fill(good), // the room is full
    [],
  ]) assert.equal(batch(good, bad, ...next), expected);
  // The element as well.
  assert.match(batch({ prepared: one, params: [1, [1, null, 1.5]] }, { prepared: other, params: ["x"] }), /^statement 0, parameter 1 \(c1\)\[2\]: number for int/);
  // Full in the moment in which a statement begins: one step, and three of two statements, each with its list of begin, int, end.
  for (let before = 335; before < 345; before++) {
    const list = [...Array(before).fill({ prepared: other, params: ["x"] }), { prepared: other, params: [5] }, ...Array(1100).fill({ prepared: other, params: ["x"] })];
    assert.match(batch(...list), new RegExp(`^statement ${before}, parameter 0 \\(c0\\): number for text`));
  }
  // Of another type each: the types' handles change.
  assert.match(message(() => codec.encode({ opcode: "QUERY", query: "q", params: ["x", 1], types: ["inet", "int"] }, 1)), /^q, parameter 0: string for inet: expected text as/);
  // A statement too many is no value's error.
  const columns = paramColumns(other, { c0: new Array(65_536).fill("x") });
  assert.equal(batch({ prepared: other, columns }), "BATCH: BATCH.queries is larger than the protocol can say");
});

test("code of the caller's that makes the memory grow loses no value", () => {
  const [codec, prepared] = statement("int", "int", "text");
  const execute = (fields) => hex(codec.encode({ opcode: "EXECUTE", prepared, ...fields }, 1));
  const batch = (params) => hex(codec.encode({ opcode: "BATCH", statements: [{ prepared, params }, { prepared, params: [3, 4, "d"] }] }, 1));
  const growing = (value) => () => {
    grow();
    return value;
  };
  const expected = { execute: execute({ params: [1, 2, "abc"] }), batch: batch([1, 2, "abc"]) };
  const again = (run) => {
    execute({ params: [null, null, null] }); // or what is lost would still stand in the room
    return run();
  };
  for (const make of [
    () => getter([1, 0, "abc"], 1, growing(2)),
    () => new Proxy([1, 2, "abc"], { get: (array, key) => (key === "1" ? growing(2)() : array[key]) }),
  ]) {
    assert.equal(again(() => execute({ params: make() })), expected.execute);
    assert.equal(again(() => batch(make())), expected.batch);
  }
  assert.equal(again(() => execute({ params: getter({ c0: 1, c2: "abc" }, "c1", growing(2)) })), expected.execute);
  assert.equal(again(() => execute({ columns: paramColumns(prepared, { c0: [1], c1: getter([0], 0, growing(2)), c2: ["abc"] }), row: 0 })), expected.execute);

  // A subclass says its buffer is another, and runs code when it is asked.
  class Floats extends Float32Array {
    get buffer() {
      grow();
      return new ArrayBuffer(1 << 16);
    }
    get BYTES_PER_ELEMENT() {
      return 1;
    }
  }
  for (const length of [3, 3000]) {
    const type = `vector<float, ${length}>`;
    assert.equal(hex(encodeValue(type, new Floats(length).fill(1.5))), hex(encodeValue(type, new Float32Array(length).fill(1.5))));
  }
  // Nor may it make them fewer than the bytes that are copied: what stands behind their room is the codec's.
  for (const lie of [{ length: 2 }, { BYTES_PER_ELEMENT: 4000 }, { byteLength: 8 }]) {
    class Liar extends Float32Array {}
    for (const [name, value] of Object.entries(lie)) getter(Liar.prototype, name, () => value);
    assert.match(message(() => encodeValue("vector<float, 2>", new Liar(2000))), /expected as many numbers as the type has/);
    assert.equal(hex(encodeValue("vector<float, 2000>", new Liar(2000))), "00".repeat(8000));
    assert.equal(hex(encodeValue("int", 7)), "00000007");
  }
  // Numbers that are none yet.
  const late = (value) => ({ valueOf: growing(value) });
  for (const [type, given, plain] of [
    ["timestamp", Object.assign(new Date(0), { getTime: () => late(7) }), new Date(7)],
    ["date", Object.create(LocalDate.prototype, { days: { value: late(3) } }), new LocalDate(3)],
    ["time", Object.create(LocalTime.prototype, { nanoseconds: { value: late(3n) } }), new LocalTime(3n)],
    ["decimal", Object.create(Decimal.prototype, { scale: { value: late(1) }, unscaled: { value: 15n } }), new Decimal(15n, 1)],
    ["duration", Object.create(Duration.prototype, { months: { value: late(1) }, days: { value: 2 }, nanoseconds: { value: late(3n) } }), new Duration(1, 2, 3n)],
  ]) {
    const want = hex(encodeValue(type, plain));
    encodeValue("blob", new Uint8Array(16));
    assert.equal(hex(encodeValue(type, given)), want, type);
  }
});

test("the trap of another module, thrown by the caller's code, is an error like any other", () => {
  const bystander = new Codec({ version: 4 });
  const [codec, prepared] = statement("int", "map<int, int>", "text");
  const proxy = (target, trapName) => new Proxy(target, { [trapName]: trap });
  const gone = new (class extends Uint8Array {
    get byteOffset() {
      return trap();
    }
  })(0);
  const params = [
    getter([1, null, "a"], 1, trap),
    getter({ c0: 1, c2: "a" }, "c1", trap),
    new Proxy([1, null, "a"], { get: (array, key) => (key === "length" ? trap() : array[key]) }),
    ...[
      getter({}, Symbol.toStringTag, trap), getter({}, Symbol.for("cqlwire.value"), trap), Object.assign(new Date(0), { getTime: trap }), gone,
      ...["has", "get", "ownKeys", "getPrototypeOf"].map((name) => proxy({ a: 1 }, name)),
    ].map((value) => [1, value, "a"]),
  ];
  for (const given of params) {
    const types = Array.isArray(given) ? ["int", "map<int, int>", "text"] : { c0: "int", c1: "int", c2: "text" };
    for (const request of [
      { opcode: "EXECUTE", prepared, params: given },
      { opcode: "BATCH", statements: [{ prepared, params: given }] },
      { opcode: "QUERY", query: "q", params: given, types },
    ]) assert.doesNotMatch(message(() => codec.encode(request, 1)) ?? "", /WebAssembly/);
  }
  const typesThatTrap = getter(["int"], 0, trap);
  for (const request of [
    { opcode: "QUERY", query: "q", params: [1], types: typesThatTrap },
    { opcode: "EXECUTE", prepared, columns: paramColumns(prepared, { c0: getter([1], 0, trap), c1: [null], c2: ["a"] }) },
  ]) assert.match(message(() => codec.encode(request, 1)), /cannot be read/);
  for (const type of ["int", "timestamp", "list<int>", "tuple<int>", "vector<int, 1>"]) {
    for (const value of [proxy([1], "has"), proxy([1], "get"), Object.assign(new Date(0), { getTime: trap })]) assert.ok(message(() => encodeValue(type, value)));
  }
  const answering = server();
  for (const row of [getter([0], 0, trap), getter({}, "c0", trap), proxy([0], "get")]) assert.match(message(() => answering.encode(rows(["int"], [row]), 1)), /cannot be read/);
  for (const alive of [bystander, codec, answering]) assert.equal(alive.version, 4);
});

test("cells of more than 65,536 columns have their own types", () => {
  // The step's column has 16 bits: of column 65,537 it would be 1.
  const types = Array.from({ length: 65_540 }, (_, index) => (index < 65_536 ? "int" : "bigint"));
  const frame = server().encode(rows(types, [types.map((type) => (type === "int" ? 7 : 9)), types.map(() => 5)]), 1);
  const [page] = new Codec({ established }).feed(frame);
  assert.equal(page.error, undefined);
  assert.deepEqual([page.rows[0].c65535, page.rows[0].c65536, page.rows[0].c65539], [7, 9n, 9n]);
  assert.deepEqual([page.rows[1].c0, page.rows[1].c65539], [5, 5n]);
  const bad = types.map((_, index) => (index === 65_538 ? "x" : 1));
  assert.match(message(() => server().encode(rows(types, [bad]), 1)), /^row 0, column 65538 \(c65538\): string for bigint|^row 0, column 65538 \(c65538\)/);
});

test("what no frame can hold is refused while the codec lives", () => {
  const text = "x".repeat(1 << 20);
  const cell = new Uint8Array(4096);
  const bystander = new Codec({ version: 4 });
  const many = (write) => message(() => write(new Codec({ established })));
  const tooLarge = /frame.length is larger than the protocol can say/;
  assert.match(message(() => server().encode(rows(["blob"], new Array(200_000).fill([cell])), 1)), tooLarge);
  assert.match(many((codec) => codec.encode({ opcode: "BATCH", statements: new Array(5000).fill({ query: text }) }, 1)), tooLarge);
  assert.match(many((codec) => codec.encode({ opcode: "BATCH", statements: new Array(65_535).fill({ id: new Uint8Array(65_535) }) }, 1)), tooLarge);
  assert.match(many((codec) => { for (;;) codec.write({ opcode: "PREPARE", query: text }, 1); }), tooLarge);
  assert.equal(bystander.version, 4);
});

test("what was given is let go once it is written", () => {
  const script = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { Codec, encodeValue } from "cqlwire";
    const alive = new Set();
    const registry = new FinalizationRegistry((name) => alive.delete(name));
    const tracked = (name, object) => (alive.add(name), registry.register(object, name), object);
    const codec = new Codec({ established: { version: 4 } });
    const server = new Codec({ role: "server", established: { version: 4 } });
    const attempt = (run) => { try { run(); } catch {} };
    for (const [name, run] of Object.entries({
      query: () => codec.encode({ opcode: "QUERY", query: "q", params: tracked("params", [tracked("value", new Uint8Array(5))]) }, 1),
      refused: () => codec.encode({ opcode: "QUERY", query: "q", types: ["int"], params: tracked("params", [tracked("value", {})]) }, 1),
      rows: () => server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "a", type: "blob" }], rows: tracked("rows", [[tracked("value", new Uint8Array(5))]]) }, 1),
      lone: () => encodeValue("list<blob>", tracked("list", [tracked("value", new Uint8Array(5))])),
      codec: () => tracked("codec", new Codec({ established: { version: 4 } })).encode({ opcode: "QUERY", query: "q", params: [null] }, 1),
    })) {
      attempt(run);
      for (let i = 0; i < 50 && alive.size; i++) { await sleep(5); gc(); }
      if (alive.size) throw new Error(name + " keeps " + [...alive]);
    }`;
  execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], { cwd: new URL("..", import.meta.url), stdio: "pipe" });
});

const PREPARED = "84 00 SS SS 08 00 00 00 27  00 00 00 04  00 02 01 02  00 00 00 01 00 00 00 01 00 00 00 00  00 01 6b 00 01 74  00 01 61 00 09  00 00 00 04 00 00 00 00";

/** A bulk of `columns`, and how many EXECUTEs and BATCHes came. */
async function bulk(columns, options, settings, delay = 0) {
  const peer = await scriptedServer((request, send) => {
    if (request.opcode === "PREPARE") return send(PREPARED);
    if (request.opcode !== "EXECUTE" && request.opcode !== "BATCH") return undefined;
    setTimeout(() => send(VOID), delay);
    return true;
  });
  const client = await Client.connect({ contactPoints: [peer.contactPoint], protocolVersion: 4, timeout: 2000, ...settings });
  try {
    const result = await client.bulk("INSERT", columns, options);
    return { ...result, failures: result.failures.map(({ row, error }) => [row, error.code]), requests: peer.of("EXECUTE").length + peer.of("BATCH").length };
  } finally {
    await client.close();
    await peer.close();
  }
}

test("bulk: a value that cannot be read is its row's failure, and no row that was sent is one", async () => {
  const throwing = (after) => {
    let reads = 0;
    return getter([0, 1, 2, 3, 4, 5], 3, () => {
      if (reads++ >= after) throw new Error("gone");
      return 3;
    });
  };
  assert.deepEqual(await bulk({ a: throwing(0) }, { concurrency: 2 }), { rows: 6, written: 5, failures: [[3, "CQL_OPTION"]], requests: 5 });
  assert.deepEqual(await bulk({ a: throwing(0) }, { concurrency: 2, batch: { rows: 2 } }), { rows: 6, written: 5, failures: [[3, "CQL_OPTION"]], requests: 3 }); // its neighbour goes alone
  // Read twice, to be weighed and to be written: also while others wait for their turn, where it would end the process.
  for (const settings of [{}, { maxInFlight: 1 }]) {
    const { rows, written, failures, requests } = await bulk({ a: throwing(1) }, { concurrency: 4 }, settings, 1);
    assert.deepEqual([rows, written + failures.length, requests], [6, 6, written]);
  }
});

test("bulk: no more at once than the connection takes, and no row fails for that", async () => {
  const { written, failures } = await bulk({ a: new Int32Array(300) }, { concurrency: 200 }, { maxInFlight: 10, maxQueued: 20 }, 1);
  assert.deepEqual([written, failures], [300, []]);
});

test("a column is as long as a whole number says", () => {
  const [, prepared] = statement("int");
  for (const length of [NaN, -1, 2.5, Infinity, 2 ** 53]) {
    assert.match(message(() => paramColumns(prepared, { c0: { length, at: () => 1 } })), /expected an array, a typed array or a column/);
  }
});

test("a page of Arrow whose length is not that of its columns is refused", async () => {
  const [{ columns }] = new Codec({ established }).feed(server().encode(rows(["int"], [[1], [2]]), 1));
  const read = async (length) => {
    for await (const _ of arrowStream([{ columns, length }]));
  };
  await read(2);
  for (const length of [0, 1, 3, 99]) await assert.rejects(read(length), (error) => error instanceof CqlError && error.code === "CQL_OPTION");
});

test("numbers of a plain array are a vector's, one as the other; what is none is refused at its place", () => {
  const odd = [0, -0, 1.5, NaN, Infinity, -Infinity, 1e-45, 3.4028234663852886e38, -2147483648, 2147483647];
  const setters = { float: ["setFloat32", 4], double: ["setFloat64", 8], int: ["setInt32", 4] };
  for (const dimension of [1, 3, 10, 200, 1100]) {
    for (const [element, [set, size]] of Object.entries(setters)) {
      const numbers = Array.from({ length: dimension }, (_, i) => odd[i % 10]).map((n) => (element === "int" ? n | 0 : n));
      const bytes = Buffer.alloc(size * dimension);
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      numbers.forEach((number, i) => view[set](i * size, number));
      const type = `vector<${element}, ${dimension}>`;
      assert.equal(hex(encodeValue(type, numbers)), hex(bytes), type);
      assert.equal(hex(encodeValue(type, new Set(numbers).size === dimension ? new Set(numbers) : numbers.values())), hex(bytes), type);
      // In a list, behind a value of odd length, and twice in one message.
      const cell = `${(bytes.length).toString(16).padStart(8, "0")}${hex(bytes)}`;
      assert.equal(hex(encodeValue(`tuple<text, list<${type}>>`, ["x", [numbers, numbers]])), `0000000178${(8 + bytes.length * 2 + 4).toString(16).padStart(8, "0")}00000002${cell}${cell}`);
    }
  }
  for (const [type, value, path, expected] of [
    ["vector<float, 3>", [1, 3.5e38, 2], "[1]", /a number in the range of a float/],
    ["vector<float, 3>", [1, 2, "3"], "[2]", /a number in the range of a float/],
    ["vector<int, 3>", [1, 2, 2147483648], "[2]", /whole number/],
    ["vector<int, 2>", [1.5, 2], "[0]", /whole number/],
    ["vector<int, 2>", [1, NaN], "[1]", /whole number/],
    ["vector<double, 2>", [1, null], "[1]", /null/],
    ["vector<double, 2>", [1, 2n], "[1]", /a number/],
    ["vector<double, 2>", [1, , 2].slice(0, 2), "[1]", /undefined/],
  ]) {
    assert.throws(() => encodeValue(type, value), (error) => error.code === "CQL_ENCODE" && error.path === path && expected.test(error.message), `${type} ${message(() => encodeValue(type, value))}`);
  }
  assert.match(message(() => encodeValue("vector<float, 3>", [1, 2])), /as many numbers as the type has/);
});
