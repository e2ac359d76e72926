// Values that the server itself says something about: dates of timeuuids, texts of our classes, their order, tuples that lack items; and
// the options for values, over a client.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decimal, Duration, LocalDate, LocalTime, timeuuid, timeuuidDate, uuid } from "cqlwire";
import { Client } from "cqlwire/client";

const contactPoints = [process.env.CQL ?? "127.0.0.1:9042"];

async function connect(t, values) {
  const client = await Client.connect({ contactPoints, values });
  t.after(() => client.close());
  return client;
}

async function keyspace(t, client, name) {
  await client.execute(`DROP KEYSPACE IF EXISTS ${name}`);
  await client.execute(`CREATE KEYSPACE ${name} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  t.after(async () => {
    const last = await Client.connect({ contactPoints });
    await last.execute(`DROP KEYSPACE ${name}`);
    await last.close();
  });
}

test("timeuuidDate is the server's toTimestamp, and timeuuids are in its order", async (t) => {
  const client = await connect(t);
  await keyspace(t, client, "values_uuid");
  await client.execute("CREATE TABLE values_uuid.t (p int, id timeuuid, n int, r uuid, PRIMARY KEY (p, id))");
  const ours = [...Array.from({ length: 200 }, () => timeuuid())];
  for (let n = 0; n < ours.length; n++) await client.execute("INSERT INTO values_uuid.t (p, id, n, r) VALUES (1, ?, ?, ?)", [ours[n], n, uuid()]);
  const ordered = await client.execute("SELECT id, n, r, toTimestamp(id) AS at FROM values_uuid.t WHERE p = 1");
  assert.deepEqual(ordered.rows.map(({ n }) => n), ours.map((_, n) => n));
  for (const { id, at } of ordered.rows) assert.deepEqual(timeuuidDate(id), at);

  const dates = [new Date("2022-02-22T19:22:22.123Z"), new Date(0), new Date(-1), new Date(-12_219_292_800_000), new Date(103_072_857_660_683)];
  const given = [...dates.map((date) => timeuuid(date)), "d2177dd0-eaa2-11de-a572-001b779c76e3", "ffffffff-ffff-1fff-bf7f-7f7f7f7f7f7f"];
  for (const id of given) await client.execute("INSERT INTO values_uuid.t (p, id) VALUES (2, ?)", [id]);
  const { rows } = await client.execute("SELECT id, toTimestamp(id) AS at FROM values_uuid.t WHERE p = 2");
  assert.equal(rows.length, given.length);
  for (const { id, at } of rows) assert.deepEqual(timeuuidDate(id), at, id);
});

test("the server reads our texts and orders as compare does", async (t) => {
  const client = await connect(t);
  await keyspace(t, client, "values_text");
  for (const [type, values] of [
    ["decimal", ["1.50", "-1E+3", "0.00", "1E-7", "123456789012345678901234567890.5", "-0.001", "1E+2", "99.9"].map(Decimal.from)],
    ["date", ["2024-02-29", "1969-12-31", "0001-01-01", "9999-12-31"].map(LocalDate.from)],
    ["time", ["08:12:54.123456789", "00:00:00", "23:59:59.999999999", "08:12"].map(LocalTime.from)],
  ]) {
    await client.execute(`CREATE TABLE values_text.${type}s (p int, v ${type}, t text, PRIMARY KEY (p, v))`);
    const literal = (value) => (type === "decimal" ? String(value) : `'${value}'`);
    for (const value of values) await client.execute(`INSERT INTO values_text.${type}s (p, v, t) VALUES (1, ${literal(value)}, '${value}')`);
    const { rows } = await client.execute(`SELECT v, t FROM values_text.${type}s WHERE p = 1`);
    assert.deepEqual(rows.map(({ t }) => t), values.toSorted((a, b) => a.compare(b)).map(String));
    for (const { v, t } of rows) assert.equal(String(v), t);
  }
  await client.execute("CREATE TABLE values_text.durations (k int PRIMARY KEY, v duration, l text)");
  for (const [k, value] of ["1y2mo3d4h5m6s7ms8us9ns", "-1mo2d", "0s", "P1Y2M3DT4H5M6S"].map(Duration.from).entries()) {
    await client.execute(`INSERT INTO values_text.durations (k, v) VALUES (${k}, ${value})`);
    assert.ok((await client.execute(`SELECT v FROM values_text.durations WHERE k = ${k}`)).rows[0].v.equals(value));
  }
});

test("a tuple that lacks items has nulls for the server", async (t) => {
  const client = await connect(t);
  await keyspace(t, client, "values_tuple");
  await client.execute("CREATE TABLE values_tuple.t (k int PRIMARY KEY, v tuple<int, text>)");
  for (const [k, value] of [[], [5], [5, "a"]].entries()) {
    await client.execute("INSERT INTO values_tuple.t (k, v) VALUES (?, ?)", [k, value]);
    const [row] = (await client.execute(`SELECT v, toJson(v) AS j FROM values_tuple.t WHERE k = ${k}`)).rows;
    const full = [value[0] ?? null, value[1] ?? null];
    assert.deepEqual([row.v, JSON.parse(row.j)], [full, full]);
  }
});

test("a client with options for values", async (t) => {
  const client = await connect(t, { int64: "number", timestamps: "number", sets: "set", maps: "object", empties: "marker", strings: "own", undefinedAs: "unset" });
  await keyspace(t, client, "values_options");
  await client.execute("CREATE TABLE values_options.t (k int PRIMARY KEY, b bigint, at timestamp, s set<bigint>, m map<text, bigint>, keep text, f frozen<map<uuid, int>>)");
  await client.execute("INSERT INTO values_options.t (k, keep) VALUES (1, 'kept')");
  const id = uuid();
  await client.execute("INSERT INTO values_options.t (k, b, at, s, m, keep, f) VALUES (?, ?, ?, ?, ?, ?, ?)", [1, 5, 1000, new Set([7, 8]), { a: 9 }, undefined, { [id]: 1 }]);
  const [row] = (await client.execute("SELECT * FROM values_options.t")).rows;
  assert.deepEqual([row.b, row.at, [...row.s], Object.entries(row.m), row.keep, row.f[id]], [5, 1000, [7, 8], [["a", 9]], "kept", 1]);
  assert.equal(JSON.stringify((await client.execute("SELECT count(*) FROM values_options.t")).rows), '[{"count":1}]');
  await client.execute("INSERT INTO values_options.t (k, b) VALUES (2, ?)", ["9007199254740993"]);
  const result = await client.execute("SELECT k, b FROM values_options.t");
  assert.throws(() => result.rows, { code: "CQL_RANGE", column: "b" });
  assert.deepEqual([...result.column("k")].sort(), [1, 2]);
});
