// The npm package cassandra-driver as a referee: it reads what we wrote and writes what we read, for every value that it has a form for.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import driver from "cassandra-driver";
import { empty } from "cqlwire";
import { Client } from "cqlwire/client";
import { comparable, fromDriver, toDriver } from "../driver-peer.mjs";
import { dropKeyspace, makeKeyspace } from "./keyspace.mjs";
import { plain } from "./plain.mjs";
import { EVERY_FIELD, TABLE } from "./values-table.mjs";

const COLUMNS = Object.entries(TABLE).filter(([type]) => type !== "odd").map(([type, rows], index) => ({ name: `c${index}`, type, rows }));

let made, other;
before(async () => {
  made = await makeKeyspace(
    "roundtrip_driver",
    "CREATE TYPE u (f0 int, f1 text, f2 double)",
    `CREATE TYPE every ${EVERY_FIELD}`,
    `CREATE TABLE cells (source text, row int, ${COLUMNS.map(({ name, type }) => `${name} ${type}`).join(", ")}, PRIMARY KEY (source, row))`,
  );
  other = new driver.Client({
    contactPoints: [process.env.CQL], localDataCenter: "datacenter1", keyspace: made.keyspace,
    encoding: { useBigIntAsLong: true, useBigIntAsVarint: true, map: Map },
  });
  await other.connect();
});
after(async () => {
  await other?.shutdown();
  await dropKeyspace(made);
});

/** What version 4.10 of it has no form for. All else of the table it reads and writes. */
const CANNOT = [
  { what: "zero bytes are null, and cannot be written", is: (_, value) => value === empty, reads: null, writes: false },
  { what: "a time outside of Date's range is an invalid Date", is: (type, value) => type === "timestamp" && typeof value === "bigint", reads: new Date(NaN), writes: true },
  { what: "an empty list or set is written as null, which inside of others is no value at all", is: (_, value) => hasEmptyList(value), writes: false },
  { what: "a custom type's values are bytes, and cannot be written", is: (type, value) => value !== null && type.startsWith("'"), writes: false },
];
const cannot = (type, value) => CANNOT.find(({ is }) => is(type, value));
const hasEmptyList = (value) => (value instanceof Map ? [...value.values()].some(hasEmptyList) : Array.isArray(value) && (value.length === 0 || value.some(hasEmptyList)));
const ROWS = Array.from({ length: Math.max(...COLUMNS.map(({ rows }) => rows.length)) }, (_, row) => row);
const NAMES = COLUMNS.map(({ name }) => name);
const INSERT = `INSERT INTO cells (source, row, ${NAMES.join(", ")}) VALUES (?, ?${", ?".repeat(NAMES.length)})`;
const select = (source) => `SELECT ${NAMES.join(", ")} FROM cells WHERE source = '${source}'`;

async function client(t, options) {
  const ours = await Client.connect({ contactPoints: [process.env.CQL], keyspace: made.keyspace, ...options });
  t.after(() => ours.close());
  return ours;
}

for (const protocolVersion of [4, 5]) {
  test(`it reads what our client wrote in v${protocolVersion}`, async (t) => {
    const ours = await client(t, { protocolVersion });
    const source = `ours ${protocolVersion}`;
    const { params } = await ours.prepare(INSERT);
    await Promise.all(ROWS.map((row) => ours.execute(INSERT, [source, row, ...COLUMNS.map(({ rows }) => rows[row]?.[2] ?? null)])));
    const theirs = await other.execute(select(source));
    let compared = 0;
    for (const [index, { name, type, rows }] of COLUMNS.entries()) {
      for (const row of ROWS) {
        const of = params[index + 2].type;
        const value = rows[row]?.[2] ?? null;
        const reads = cannot(type, value)?.reads;
        const expected = reads === undefined ? comparable(of, value) : reads;
        assert.deepEqual(plain(fromDriver(of, theirs.rows[row][name])), plain(expected), `${type.slice(0, 80)}, row ${row}`);
        if (value !== null) compared++;
      }
    }
    assert.ok(compared > 230, `${compared}`);
  });
}

test("we read what it wrote", async (t) => {
  const ours = await client(t);
  const { params } = await ours.prepare(INSERT);
  const written = (type, value) => value !== null && cannot(type, value)?.writes !== false;
  for (const row of ROWS) {
    const values = COLUMNS.map(({ type, rows }, index) => {
      const value = rows[row]?.[2] ?? null;
      return written(type, value) ? toDriver(params[index + 2].type, value) : null;
    });
    await other.execute(INSERT, ["theirs", row, ...values], { prepare: true });
  }
  const page = await ours.execute(select("theirs"));
  for (const { name, type, rows } of COLUMNS) {
    for (const row of ROWS) {
      const value = rows[row]?.[2] ?? null;
      assert.deepEqual(plain(page.rows[row][name]), plain(written(type, value) ? value : null), `${type.slice(0, 80)}, row ${row}`);
    }
  }
});
