// Every type and edge of values-table.mjs, one way at a time: what we bind is read by the server itself (toJson, intAsBlob, CAST, literals in
// WHERE, token), and what the server makes of its literals, of JSON and of bytes is read by us. The cells on the wire are compared as they are.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { empty, encodeValue, murmur3Token, routingKey, unset } from "cqlwire";
import { dropKeyspace, makeKeyspace, open } from "./keyspace.mjs";
import { plain } from "./plain.mjs";
import { EVERY_FIELD, NATIVES, NONE, TABLE } from "./values-table.mjs";

/** Column, type, and rows of [literal, json, value, hex, what JSON gives back]. */
const COLUMNS = Object.entries(TABLE).map(([type, rows], index) => ({ name: `c${index}`, type, rows }));
const HEIGHT = Math.max(...COLUMNS.map(({ rows }) => rows.length));
const NAMES = COLUMNS.map(({ name }) => name);
const ROWS = Array.from({ length: HEIGHT }, (_, row) => row);
const isNative = ({ type }) => Object.hasOwn(NATIVES, type);
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
const hex = (bytes) => (bytes === null ? null : Buffer.from(bytes).toString("hex"));

let made;
before(async () => {
  made = await makeKeyspace(
    "roundtrip_values",
    "CREATE TYPE u (f0 int, f1 text, f2 double)",
    'CREATE TYPE odd ("Ü b" int, "__proto__" int)',
    `CREATE TYPE every ${EVERY_FIELD}`,
    `CREATE TABLE cells (source text, row int, ${COLUMNS.map(({ name, type }) => `${name} ${type}`).join(", ")}, PRIMARY KEY (source, row))`,
  );
});
after(() => dropKeyspace(made));

/** The rows of one source, each of the columns as `select` makes it. */
async function read(raw, source, columns = COLUMNS, select = (column) => column.name) {
  const page = await raw.query(`SELECT ${columns.map((column) => `${select(column)} AS ${column.name}`).join(", ")} FROM cells WHERE source = '${source}'`);
  assert.equal(page.length, HEIGHT);
  return page;
}

/** The cells of the rows as they come, without our reading of values: `[int]` length and bytes, row after row (v5 §4.2.5.2). */
async function readCells(raw, source) {
  const prepared = await raw.prepare(`SELECT ${NAMES.join(", ")} FROM cells WHERE source = '${source}'`);
  const { cells } = await raw.ask({ opcode: "EXECUTE", id: prepared.id, resultMetadataId: prepared.resultMetadataId, skipMetadata: true });
  const view = new DataView(cells.buffer, cells.byteOffset, cells.length);
  let at = 0;
  const next = () => {
    const length = view.getInt32(at);
    at += 4;
    return length < 0 ? null : hex(cells.subarray(at, (at += length)));
  };
  const table = ROWS.map(() => NAMES.map(next));
  assert.equal(at, cells.length);
  return table;
}

const shown = (column, row) => `${column.type.slice(0, 80)}, row ${row}`;

/** What we read, as columns and as rows, and the bytes it was read from, against the table; `expected` says which value a row has. */
async function check(raw, source, expected) {
  const [page, cells] = [await read(raw, source), await readCells(raw, source)];
  for (const [index, column] of COLUMNS.entries()) {
    const values = page.column(column.name);
    for (const row of ROWS) {
      const given = column.rows[row] && expected(column, column.rows[row]);
      const [value, bytes] = given ?? [null, null];
      assert.deepEqual(plain(values.at(row)), plain(value === empty ? null : value), shown(column, row));
      assert.deepEqual(plain(page.rows[row][column.name]), plain(values.at(row)), shown(column, row));
      assert.deepEqual([values.isNull(row), values.isEmpty(row)], [value === null || value === empty, value === empty], shown(column, row));
      if (bytes !== NONE) assert.equal(cells[row][index], bytes, shown(column, row));
    }
  }
}

/** The server's own words for what we wrote. */
async function checkTexts(raw, source) {
  const json = await read(raw, source, COLUMNS, ({ name }) => `toJson(${name})`);
  const natives = COLUMNS.filter(isNative);
  const blobs = await read(raw, source, natives, ({ name, type }) => (type === "blob" ? name : `${type}AsBlob(${name})`));
  for (const row of ROWS) {
    for (const column of COLUMNS) assert.equal(json.rows[row][column.name], column.rows[row]?.[1] ?? "null", `toJson of ${shown(column, row)}`);
    for (const column of natives) assert.equal(hex(blobs.rows[row][column.name]), column.rows[row]?.[3] ?? null, `AsBlob of ${shown(column, row)}`);
  }
}

test("the table has every kind of type, and every native type in every compound one", () => {
  const kinds = [...readFileSync(new URL("../../src/spec/cql_type.rs", import.meta.url), "utf8").matchAll(/= 0x[\dA-F]{4} "(\w+)"/g)].map(([, name]) => name);
  assert.ok(kinds.length >= 20);
  // A counter is no column beside others: it has a test of its own below.
  assert.deepEqual(Object.keys(NATIVES).sort(), kinds.filter((kind) => kind !== "counter").sort());
  for (const type of Object.keys(NATIVES)) {
    assert.ok(NATIVES[type].length >= 2, type);
    for (const compound of [`list<${type}>`, `tuple<${type}, ${type}>`, `vector<${type}, 2>`, `map<int, ${type}>`, ...(type === "duration" ? [] : [`set<${type}>`, `map<${type}, int>`])]) {
      assert.ok(TABLE[compound] ?? TABLE[`frozen<${compound}>`], compound);
    }
  }
});

for (const [version, compression] of [[3, "none"], [3, "lz4"], [4, "none"], [4, "lz4"], [5, "none"], [5, "lz4"]]) {
  test(`what we bind is what the server reads: v${version}, ${compression}`, async (t) => {
    const raw = await open(t, version, compression, made);
    const source = `bound ${version} ${compression}`;
    const insert = await raw.prepare(`INSERT INTO cells (source, row, ${NAMES.join(", ")}) VALUES (?, ?${", ?".repeat(NAMES.length)})`);
    const kinds = new Set(insert.bind.map(({ type }) => type.kind));
    for (const kind of ["list", "set", "map", "tuple", "udt", "vector", "custom", ...Object.keys(NATIVES)]) assert.ok(kinds.has(kind), kind);
    // For what a row lacks.
    const absent = version > 3 ? unset : null;
    const write = (row, value) => raw.execute(insert, [source, row, ...COLUMNS.map(value)]);
    await Promise.all(ROWS.map((row) => write(row, ({ rows }) => rows[row]?.[2] ?? absent)));
    if (version > 3) await write(0, () => unset); // leaves the row as it is
    await check(raw, source, (_, [, , value, bytes]) => [value, bytes]);
    await checkTexts(raw, source);
    // The same as QUERY with values, whose types are given: nobody prepared it.
    const typed = COLUMNS.filter(({ type }) => !/\bu\b|odd|every|'/.test(type));
    const query = `INSERT INTO cells (source, row, ${typed.map(({ name }) => name).join(", ")}) VALUES (?, ?${", ?".repeat(typed.length)})`;
    const types = ["text", "int", ...typed.map(({ type }) => type)];
    await write(0, () => null);
    await check(raw, source, (column, given) => (given === column.rows[0] ? [null, null] : [given[2], given[3]]));
    await raw.query(query, { types, params: [source, 0, ...typed.map(({ rows }) => rows[0][2])] });
    await check(raw, source, (column, given) => (given === column.rows[0] && !typed.includes(column) ? [null, null] : [given[2], given[3]]));
  });
}

test("cells that were serialised before, by encodeValue, are the same to the server", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const insert = await raw.prepare(`INSERT INTO cells (source, row, ${NAMES.join(", ")}) VALUES (?, ?${", ?".repeat(NAMES.length)})`);
  for (const row of ROWS) {
    const cells = COLUMNS.map(({ rows }, index) => (rows[row] ? encodeValue(insert.bind[index + 2].type, rows[row][2]) : null));
    COLUMNS.forEach((column, index) => assert.equal(hex(cells[index]), column.rows[row]?.[3] ?? null, shown(column, row)));
    await raw.execute(insert, ["cells", row, ...cells]);
  }
  await check(raw, "cells", (_, [, , value, bytes]) => [value, bytes]);
  await checkTexts(raw, "cells");
});

/** Ways for the server to get a value that it makes itself: the text for a statement, and what we shall read; NONE where there is none. */
const WAYS = {
  literal: ([cql]) => cql,
  json: ([, json, , , given]) => (given && given.back === NONE ? NONE : `fromJson(${quoted(json)})`),
  bytes: ([, , , bytes], { type }) => (NATIVES[type] && type !== "blob" ? `blobAs${type}(0x${bytes})` : type === "blob" ? `0x${bytes}` : NONE),
};

for (const [way, textOf] of Object.entries(WAYS)) {
  test(`what the server makes of a ${way} is what we read`, async (t) => {
    const raw = await open(t, 4, "lz4", made);
    for (const row of ROWS) {
      const there = COLUMNS.filter((column) => column.rows[row] && textOf(column.rows[row], column) !== NONE);
      const texts = there.map((column) => textOf(column.rows[row], column));
      await raw.query(`INSERT INTO cells (source, row${there.map(({ name }) => `, ${name}`).join("")}) VALUES ('${way}', ${row}${texts.map((text) => `, ${text}`).join("")})`);
    }
    for (const reader of [raw, await open(t, 3, "none", made), await open(t, 5, "lz4", made)]) {
      await check(reader, way, (column, row) => {
        if (textOf(row, column) === NONE) return undefined;
        if (way === "json" && row[4]) return [row[4].back, row[4].back === null ? null : NONE];
        return [row[2], row[3]];
      });
    }
  });
}

test("CAST to text and literals in WHERE find what we bound", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const columns = COLUMNS.filter(isNative);
  const insert = await raw.prepare(`INSERT INTO cells (source, row, ${columns.map(({ name }) => name).join(", ")}) VALUES (?, ?${", ?".repeat(columns.length)})`);
  await Promise.all(ROWS.map((row) => raw.execute(insert, ["cast", row, ...columns.map(({ rows }) => rows[row]?.[2] ?? null)])));
  const cast = columns.filter(({ type }) => !["blob", "duration"].includes(type));
  const texts = await read(raw, "cast", cast, ({ name }) => `CAST(${name} AS text)`);
  let found = 0;
  for (const row of ROWS) {
    for (const column of cast) {
      const [, json, value] = column.rows[row] ?? [, , null];
      // The text is that of JSON without its quotes, but for timestamps (with a T) and what is no number in JSON.
      let expected = value === null || value === empty ? null : json.startsWith('"') ? JSON.parse(json) : json;
      if (typeof value === "number" && !Number.isFinite(value)) expected = String(value);
      if (column.type === "timestamp") expected = expected?.replace(" ", "T") ?? null;
      assert.equal(texts.rows[row][column.name], expected, shown(column, row));
    }
  }
  await Promise.all(columns.flatMap((column) => column.rows.map(async ([cql], row) => {
    if (cql === NONE) return;
    const { rows } = await raw.query(`SELECT row FROM cells WHERE source = 'cast' AND ${column.name} = ${cql} ALLOW FILTERING`);
    assert.ok(rows.some((found) => found.row === row), shown(column, row));
    found++;
  })));
  assert.ok(found > 90, `${found}`);
});

test("a partition key of every type that can be in one: literals find it, token() is ours", async (t) => {
  const raw = await open(t, 5, "none", made);
  const types = [...Object.keys(NATIVES).filter((type) => type !== "duration"), "frozen<list<int>>", "frozen<u>", "tuple<int, text>", "vector<float, 3>"];
  const names = types.map((_, index) => `k${index}`);
  await raw.query(`CREATE TABLE keys (${types.map((type, index) => `k${index} ${type}`).join(", ")}, v int, PRIMARY KEY ((${names.join(", ")})))`);
  const rows = types.map((type) => TABLE[type.replace("frozen<u>", "u")]);
  const insert = await raw.prepare(`INSERT INTO keys (v, ${names.join(", ")}) VALUES (?${", ?".repeat(names.length)})`);
  assert.deepEqual(insert.pkIndices, names.map((_, index) => index + 1));
  for (const n of [0, 1]) {
    const key = rows.map((rows) => rows[n % rows.length]);
    await raw.execute(insert, [n, ...key.map(([, , value]) => value)]);
    const where = names.map((name, index) => `${name} = ${key[index][0]}`).join(" AND ");
    const page = await raw.query(`SELECT v, token(${names.join(", ")}) AS t FROM keys WHERE ${where}`);
    assert.deepEqual(page.rows, [{ v: n, t: murmur3Token(routingKey(key.map(([, , , bytes]) => Buffer.from(bytes, "hex")))) }]);
  }
});

test("zero bytes are refused by the types that have no such value, for the server as in our table", async (t) => {
  const raw = await open(t, 5, "lz4", made);
  const columns = COLUMNS.filter(isNative);
  const taken = [];
  for (const { name, type } of columns) {
    const insert = await raw.prepare(`INSERT INTO cells (source, row, ${name}) VALUES ('empty', 0, ?)`);
    const error = await raw.execute(insert, [empty]).then(() => taken.push(type), (error) => error);
    if (error instanceof Error) assert.equal(error.code, "CQL_INVALID", type);
  }
  const inTable = columns.filter(({ rows }) => rows.some(([, , , bytes]) => bytes === ""));
  assert.deepEqual(taken, inTable.map(({ type }) => type));
});
