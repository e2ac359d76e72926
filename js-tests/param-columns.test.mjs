// Parameters as columns: the same bytes as the same rows one by one, which other tests hold against independent writers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, CqlError, LocalDate, paramColumns, unset } from "cqlwire";

const pair = (version = 4) => [new Codec({ established: { version } }), new Codec({ role: "server", established: { version } })];
function prepare([client, server], types) {
  const bind = Object.entries(types).map(([name, type]) => ({ keyspace: "k", table: "t", name, type }));
  const answer = { opcode: "RESULT", kind: "Prepared", id: Uint8Array.of(7, 7), resultMetadataId: Uint8Array.of(9), bind, result: [] };
  return client.feed(server.encode(answer, 1))[0];
}
const throwsCode = (code, pattern, work) => assert.throws(work, (error) => error instanceof CqlError && error.code === code && pattern.test(error.message) || assert.fail(`${error.code}: ${error.message}`));

const TYPES = { i: "int", b: "bigint", t: "text", f: "vector<float, 3>", d: "vector<double, 2>", s: "vector<smallint, 2>", bin: "blob", l: "list<text>", day: "date" };
const COLUMNS = {
  i: Int32Array.of(1, -2, 3),
  b: BigInt64Array.of(5n, -6n, 7n),
  t: ["a", "ünï", null],
  f: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
  d: Float64Array.of(0.5, 1.5, -2.5, 3.5, 4.5, 5.5),
  s: Int16Array.of(1, 2, 3, 4, -5, 6),
  bin: [Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(1, 2, 3)],
  l: [["x", "y"], [], unset],
  day: [LocalDate.from("2024-02-29"), "1969-12-31", null],
};
const ROWS = [
  [1, 5n, "a", [1, 2, 3], [0.5, 1.5], [1, 2], Uint8Array.of(1), ["x", "y"], "2024-02-29"],
  [-2, -6n, "ünï", [4, 5, 6], [-2.5, 3.5], [3, 4], Uint8Array.of(), [], "1969-12-31"],
  [3, 7n, null, [7, 8, 9], [4.5, 5.5], [-5, 6], Uint8Array.of(1, 2, 3), unset, null],
];

for (const version of [4, 5]) {
  test(`v${version}: EXECUTE of each row, BATCH of some rows`, () => {
    const codecs = pair(version);
    const [client] = codecs;
    const prepared = prepare(codecs, TYPES);
    const columns = paramColumns(prepared, COLUMNS);
    assert.equal(columns.length, 3);
    ROWS.forEach((params, row) => {
      assert.deepEqual(client.encode({ opcode: "EXECUTE", prepared, columns, row }, 1), client.encode({ opcode: "EXECUTE", prepared, params }, 1));
    });
    const whole = ROWS.map((params) => ({ prepared, params }));
    const text = { query: "q", params: [1], types: ["int"] };
    for (const [part, same] of [
      [[{ prepared, columns }], whole],
      [[{ prepared, columns, from: 1 }], whole.slice(1)],
      [[{ prepared, columns, from: 0, to: 2 }, text, { prepared, columns, from: 2, to: 3 }], [...whole.slice(0, 2), text, whole[2]]],
      [[{ prepared, columns, from: 2, to: 2 }], []],
      [[{ prepared: { ...prepared }, columns: paramColumns({ ...prepared }, COLUMNS), to: 1 }].map((one) => ({ ...one, columns: paramColumns(one.prepared, COLUMNS) })), whole.slice(0, 1)],
    ]) {
      assert.deepEqual(client.encode({ opcode: "BATCH", statements: part }, 1), client.encode({ opcode: "BATCH", statements: same }, 1));
    }
  });
}

test("columns of a result are columns of parameters", () => {
  const codecs = pair();
  const [client, server] = codecs;
  const prepared = prepare(codecs, { a: "int", v: "vector<float, 2>" });
  const metadata = [{ name: "a", type: "int" }, { name: "v", type: "vector<float, 2>" }];
  const [page] = client.feed(server.encode({ opcode: "RESULT", kind: "Rows", metadata, rows: [[1, [1, 2]], [null, [3, 4]]] }, 1));
  const columns = paramColumns(prepared, { a: page.column("a"), v: page.column("v") });
  for (const [row, params] of [[0, [1, [1, 2]]], [1, [null, [3, 4]]]]) {
    assert.deepEqual(client.encode({ opcode: "EXECUTE", prepared, columns, row }, 1), client.encode({ opcode: "EXECUTE", prepared, params }, 1));
  }
});

test("what does not fit is refused by name, and nothing of it is left", () => {
  const codecs = pair();
  const [client] = codecs;
  const prepared = prepare(codecs, { i: "int", v: "vector<float, 3>" });
  const good = { i: [1, 2], v: new Float32Array(6) };
  throwsCode("CQL_PARAMS", /no column for bind marker "v"/, () => paramColumns(prepared, { i: [1] }));
  throwsCode("CQL_PARAMS", /no bind marker is called "w": there are i, v/, () => paramColumns(prepared, { ...good, w: [] }));
  throwsCode("CQL_PARAMS", /column v has 1 rows, and column i has 2/, () => paramColumns(prepared, { ...good, v: new Float32Array(3) }));
  throwsCode("CQL_PARAMS", /column v has 5 numbers: expected a multiple of 3/, () => paramColumns(prepared, { ...good, v: new Float32Array(5) }));
  throwsCode("CQL_PARAMS", /column v is a Uint8Array: expected numbers/, () => paramColumns(prepared, { ...good, v: new Uint8Array(6) }));
  throwsCode("CQL_PARAMS", /column i is a string: expected an array/, () => paramColumns(prepared, { ...good, i: "12" }));
  throwsCode("CQL_OPTION", /paramColumns has null: expected an object/, () => paramColumns(prepared, null));
  throwsCode("CQL_OPTION", /paramColumns has .*: expected a PREPARED/, () => paramColumns({}, good));
  const columns = paramColumns(prepared, good);
  const other = prepare(codecs, { i: "int", v: "vector<float, 3>" });
  const before = client.encode({ opcode: "EXECUTE", prepared, columns, row: 1 }, 1);
  for (const [code, pattern, message] of [
    ["CQL_PARAMS", /EXECUTE: rows 2 to 3 of columns that have 2/, { opcode: "EXECUTE", prepared, columns, row: 2 }],
    ["CQL_PARAMS", /statement 0: rows 1 to 3 of columns that have 2/, { opcode: "BATCH", statements: [{ prepared, columns, from: 1, to: 3 }] }],
    ["CQL_PARAMS", /of another statement/, { opcode: "EXECUTE", prepared: other, columns }],
    ["CQL_OPTION", /EXECUTE has params and columns/, { opcode: "EXECUTE", prepared, columns, params: [] }],
    ["CQL_OPTION", /statement 0 has params and columns/, { opcode: "BATCH", statements: [{ prepared, columns, params: [] }] }],
    ["CQL_OPTION", /expected what paramColumns gives/, { opcode: "EXECUTE", prepared, columns: good }],
    ["CQL_OPTION", /has columns, which need prepared/, { opcode: "EXECUTE", id: Uint8Array.of(1), columns }],
    ["CQL_OPTION", /-1 as row/, { opcode: "EXECUTE", prepared, columns, row: -1 }],
    ["CQL_ENCODE", /statement 1, parameter 0 \(i\): string for int/, { opcode: "BATCH", statements: [{ prepared, columns: paramColumns(prepared, { ...good, i: [1, "x"] }) }] }],
    ["CQL_ENCODE", /statement 2, parameter 0 \(i\): number for int/, { opcode: "BATCH", statements: [{ prepared, columns }, { prepared, columns: paramColumns(prepared, { ...good, i: [2 ** 31, 0] }) }] }],
  ]) {
    throwsCode(code, pattern, () => client.encode(message, 1));
    assert.deepEqual(client.encode({ opcode: "EXECUTE", prepared, columns, row: 1 }, 1), before);
  }
});

test("many rows in one BATCH: the room for steps is filled many times, and errors name the row", () => {
  const codecs = pair();
  const [client, server] = codecs;
  const prepared = prepare(codecs, { i: "int", t: "text", v: "vector<float, 300>" });
  const n = 3000;
  const input = { i: Int32Array.from({ length: n }, (_, i) => i), t: Array.from({ length: n }, (_, i) => (i % 3 ? `text ${i}` : `tëxt ${i}`)), v: Float32Array.from({ length: n * 300 }, (_, i) => i) };
  const columns = paramColumns(prepared, input);
  const [read] = server.feed(client.encode({ opcode: "BATCH", statements: [{ prepared, columns }] }, 1));
  assert.equal(read.statements.length, n);
  const at = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  read.statements.forEach(({ params: [i, t, v] }, row) => {
    assert.deepEqual([at(i).getInt32(0), new TextDecoder().decode(t), v.length, at(v).getFloat32(4 * 299)], [row, input.t[row], 1200, Math.fround(row * 300 + 299)]);
  });
  input.t[2345] = "\ud800";
  throwsCode("CQL_ENCODE", /statement 2345, parameter 1 \(t\): string for text: a lone surrogate/, () => client.encode({ opcode: "BATCH", statements: [{ prepared, columns }] }, 1));
  input.t[2345] = "\ud83d";
  input.t[2346] = "\ude00 joined they would be one character";
  throwsCode("CQL_ENCODE", /statement 2345, parameter 1 \(t\): string for text: a lone surrogate/, () => client.encode({ opcode: "BATCH", statements: [{ prepared, columns }] }, 1));
});
