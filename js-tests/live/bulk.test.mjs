// Many rows from columns into a real server (CQL=host:port, see tools/with-cassandra.sh): every row is there, or is told.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "cqlwire/client";

const contactPoints = [process.env.CQL ?? "127.0.0.1:9042"];
const keyspace = `bulk_${process.pid}`;
const N = 2_000;
const DIMENSION = 16;
const embedding = Float32Array.from({ length: N * DIMENSION }, (_, i) => i / 8);
const columns = { topic: Array.from({ length: N }, (_, i) => `topic ${i % 7}`), id: Int32Array.from({ length: N }, (_, i) => i), embedding };
const INSERT = "INSERT INTO docs (topic, id, embedding) VALUES (?, ?, ?)";

let client;
before(async () => {
  client = await Client.connect({ contactPoints, timeout: 60_000 });
  await client.execute(`CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  await client.execute(`USE ${keyspace}`);
  await client.execute(`CREATE TABLE docs (topic text, id int, embedding vector<float, ${DIMENSION}>, PRIMARY KEY (topic, id))`);
});
after(async () => {
  await client?.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`);
  await client?.close();
});

async function ids() {
  const found = new Map();
  for await (const page of client.pages("SELECT id, embedding FROM docs", [], { pageSize: 700 })) {
    const [id, vectors] = [page.column("id"), page.column("embedding")];
    for (let row = 0; row < page.length; row++) found.set(id.at(row), vectors.at(row).slice());
  }
  return found;
}

test("every row is written once, each with its own values", async () => {
  await client.execute("TRUNCATE docs");
  assert.deepEqual(await client.bulk(INSERT, columns, { concurrency: 50 }), { rows: N, written: N, failures: [] });
  const found = await ids();
  assert.equal(found.size, N);
  for (const [id, vector] of found) assert.deepEqual(vector, embedding.slice(id * DIMENSION, (id + 1) * DIMENSION));
});

test("in batches of a partition, by rows and by bytes", async () => {
  for (const batch of [{ rows: 64 }, { bytes: 1000 }, {}]) {
    await client.execute("TRUNCATE docs");
    const one = { ...columns, topic: Array.from({ length: N }, () => "one") };
    assert.deepEqual(await client.bulk(INSERT, one, { batch }), { rows: N, written: N, failures: [] });
    assert.equal((await ids()).size, N);
  }
});

test("a batch of which an item has columns", async () => {
  await client.execute("TRUNCATE docs");
  const some = { topic: ["a", "a"], id: [1, 2], embedding: embedding.slice(0, 2 * DIMENSION) };
  await client.batch([{ query: INSERT, columns: some }, { query: INSERT, params: ["a", 3, embedding.slice(0, DIMENSION)] }]);
  assert.deepEqual([...(await ids()).keys()].sort(), [1, 2, 3]);
});

test("rows that cannot be written are told, the others are written", async () => {
  await client.execute("TRUNCATE docs");
  const bad = { topic: ["a", null, "a", 7, "a"], id: [0, 1, 2, 3, "4"], embedding: embedding.slice(0, 5 * DIMENSION) };
  const { rows, written, failures } = await client.bulk(INSERT, bad);
  assert.deepEqual([rows, written], [5, 2]);
  assert.deepEqual(failures.map(({ row, error }) => [row, error.code]), [[1, "CQL_INVALID"], [3, "CQL_ENCODE"], [4, "CQL_ENCODE"]]);
  assert.deepEqual([...(await ids()).keys()].sort(), [0, 2]);
});

test("of a batch only the row that does not fit is left out", async () => {
  await client.execute("TRUNCATE docs");
  const topic = Array.from({ length: 250 }, (_, row) => (row === 17 || row === 248 ? 7 : "one"));
  const embeddings = Array.from({ length: 250 }, (_, row) => embedding.slice(row * DIMENSION, (row + 1) * DIMENSION));
  Object.defineProperty(embeddings, 120, { get: () => assert.fail("a row that cannot be read"), enumerable: true });
  const unreadable = await client.bulk(INSERT, { topic: new Array(250).fill("one"), id: columns.id.slice(0, 250), embedding: embeddings }, { batch: { rows: 100 } });
  assert.deepEqual([unreadable.written, ...unreadable.failures.map(({ row }) => row)], [249, 120]);
  await client.execute("TRUNCATE docs");
  const given = { topic, id: columns.id.slice(0, 250), embedding: embedding.slice(0, 250 * DIMENSION) };
  const { written, failures } = await client.bulk(INSERT, given, { batch: { rows: 100 } });
  assert.deepEqual([written, ...failures.map(({ row, error }) => [row, error.code])], [248, [17, "CQL_ENCODE"], [248, "CQL_ENCODE"]]);
  assert.equal((await ids()).size, 248);
});

test("a program goes on while rows fail without being sent", async () => {
  const count = 20_000;
  let turns = 0;
  const clock = setInterval(() => turns++);
  const { failures } = await client.bulk(INSERT, { topic: new Array(count).fill(7), id: new Int32Array(count), embedding: new Float32Array(count * DIMENSION) });
  clearInterval(clock);
  assert.equal(failures.length, count);
  assert.ok(turns > 10, `${turns} turns`);
});

test("a statement that the server forgets on the way is prepared again", async () => {
  await client.execute("CREATE TABLE gone (id int PRIMARY KEY, v int)");
  const insert = await client.prepare("INSERT INTO gone (id, v) VALUES (?, ?)");
  await client.execute("DROP TABLE gone");
  await client.execute("CREATE TABLE gone (id int PRIMARY KEY, v int)");
  assert.deepEqual(await client.bulk(insert, { id: Int32Array.of(1, 2, 3), v: Int32Array.of(4, 5, 6) }), { rows: 3, written: 3, failures: [] });
});

test("an abort and an end leave no row untold", async () => {
  const stop = new AbortController();
  const bulk = client.bulk(INSERT, columns, { concurrency: 4, signal: stop.signal });
  setTimeout(() => stop.abort(), 20);
  const { rows, written, failures } = await bulk;
  assert.equal(written + failures.length, rows);
  assert.ok(failures.length > 0, "all was written before the abort");
  assert.deepEqual([...new Set(failures.map(({ error }) => error.code))], ["CQL_ABORTED"]);
  // Only the four that were on their way may be there.
  assert.ok(failures.filter(({ error }) => error.mayBeApplied).length <= 4, "rows that were not sent may not have been applied");
  assert.ok(failures.every(({ error }) => error.query === INSERT));
  assert.equal(new Set(failures.map(({ row }) => row)).size, failures.length);
});

test("what is wrong with all rows rejects, and nothing is sent", async () => {
  const code = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error.code);
  assert.equal(await code(client.bulk(INSERT, { topic: ["a"] })), "CQL_PARAMS");
  assert.equal(await code(client.bulk("INSERT INTO nowhere (a) VALUES (?)", { a: [1] })), "CQL_INVALID");
  assert.equal(await code(client.bulk(INSERT, [1])), "CQL_OPTION");
  assert.equal(await code(client.bulk(INSERT, columns, { concurrency: 0 })), "CQL_OPTION");
  assert.equal(await code(client.bulk(INSERT, columns, { batch: { size: 1 } })), "CQL_OPTION");
  assert.deepEqual(await client.bulk(INSERT, { topic: [], id: [], embedding: [] }), { rows: 0, written: 0, failures: [] });
});
