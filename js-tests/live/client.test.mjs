// The client against a real server (CQL=host:port, see tools/with-cassandra.sh).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client } from "cqlwire/client";

const contactPoints = [process.env.CQL ?? "127.0.0.1:9042"];
const keyspace = `client_${process.pid}`;
const failure = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error);

let admin;
before(async () => {
  admin = await Client.connect({ contactPoints, timeout: 60_000 });
  await admin.execute(`CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  await admin.execute(`CREATE TABLE ${keyspace}.docs (topic text, id int, title text, embedding vector<float, 3>, PRIMARY KEY (topic, id))`);
});
after(async () => {
  await admin?.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`);
  await admin?.close();
});
async function connect(t, options = {}) {
  const client = await Client.connect({ contactPoints, keyspace, ...options });
  t.after(() => client.close());
  return client;
}

for (const [protocolVersion, compression] of [[3, "none"], [3, "lz4"], [3, "snappy"], [4, "none"], [4, "lz4"], [4, "snappy"], [5, "none"], [5, "lz4"]]) {
  describe(`v${protocolVersion}, ${compression}`, () => {
    const table = `t${protocolVersion}${compression}`;
    let client;
    before(async () => {
      client = await Client.connect({ contactPoints, keyspace, protocolVersion, compression });
      await client.execute(`CREATE TABLE ${table} (p int, c int, v text, e vector<float, 3>, PRIMARY KEY (p, c))`);
    });
    after(() => client?.close());

    test("the connection is as asked for", () => {
      assert.deepEqual([client.protocolVersion, client.compression, client.keyspace], [protocolVersion, compression, keyspace]);
    });

    test("params by place and by name, prepared and as text, of every page size", async () => {
      await client.execute(`INSERT INTO ${table} (p, c, v, e) VALUES (?, ?, ?, ?)`, [1, 1, "one", new Float32Array([1, 2, 3])]);
      await client.execute(`INSERT INTO ${table} (p, c, v) VALUES (:p, :c, :v)`, { v: "two", c: 2, p: 1 }, { consistency: "QUORUM" });
      await client.execute(`INSERT INTO ${table} (p, c, v) VALUES (?, ?, ?)`, [1, 3, "three"], { prepare: false, types: ["int", "int", "text"] });
      await client.execute(`INSERT INTO ${table} (p, c, v) VALUES (1, 4, null)`);
      const expected = [
        { c: 1, v: "one", e: new Float32Array([1, 2, 3]) },
        { c: 2, v: "two", e: null },
        { c: 3, v: "three", e: null },
        { c: 4, v: null, e: null },
      ];
      for (const pageSize of [1, 2, 3, 4, 5]) {
        for (const params of [[], [1]]) {
          const result = await client.execute(`SELECT c, v, e FROM ${table} WHERE p = ${params.length ? "?" : 1}`, params, { pageSize });
          assert.deepEqual(result.rows, expected.slice(0, pageSize));
          const rows = [];
          for await (const row of result) rows.push(row);
          assert.deepEqual(rows, expected);
          // As pages, from the second one on.
          const rest = [];
          if (result.pageState) {
            const query = `SELECT c, v, e FROM ${table} WHERE p = ${params.length ? "?" : 1}`;
            for await (const page of client.pages(query, params, { pageSize, pageState: result.pageState })) rest.push(...page.rows);
          }
          assert.deepEqual(rest, expected.slice(pageSize));
        }
      }
    });

    test("a thousand executes at once, each with its own answer", async () => {
      const insert = await client.prepare(`INSERT INTO ${table} (p, c, v) VALUES (?, ?, ?)`);
      await Promise.all(Array.from({ length: 1000 }, (_, i) => client.execute(insert, [2, i, `row ${i}`])));
      const select = `SELECT c, v FROM ${table} WHERE p = 2 AND c = ?`;
      const results = await Promise.all(Array.from({ length: 1000 }, (_, i) => client.execute(select, [i])));
      results.forEach(({ rows }, i) => assert.deepEqual(rows, [{ c: i, v: `row ${i}` }]));
    });

    test("a batch of prepared statements and texts", async () => {
      const result = await client.batch([
        { query: `INSERT INTO ${table} (p, c, v) VALUES (?, ?, ?)`, params: [3, 1, "a"] },
        { query: `INSERT INTO ${table} (p, c, v) VALUES (:p, :c, :v)`, params: { p: 3, c: 2, v: "b" } },
        { query: `INSERT INTO ${table} (p, c, v) VALUES (3, 3, 'c')` },
        { query: await client.prepare(`INSERT INTO ${table} (p, c, v) VALUES (3, 4, 'd')`) },
      ], { type: "UNLOGGED", timestamp: 1234n });
      assert.deepEqual(result.rows, []);
      const { rows } = await client.execute(`SELECT c, v, writetime(v) AS w FROM ${table} WHERE p = 3`);
      assert.deepEqual(rows.map(({ c, v, w }) => [c, v, w]), [[1, "a", 1234n], [2, "b", 1234n], [3, "c", 1234n], [4, "d", 1234n]]);
      assert.equal((await client.batch([])).length, 0);
    });

    test("large requests and answers", async () => {
      const texts = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(300_000));
      await Promise.all(texts.map((v, c) => client.execute(`INSERT INTO ${table} (p, c, v) VALUES (4, ?, ?)`, [c, v])));
      const { rows } = await client.execute(`SELECT v FROM ${table} WHERE p = 4`);
      assert.deepEqual(rows.map(({ v }) => v), texts);
    });

    test("an error has the server's words and fields, and the connection goes on", async () => {
      const syntax = await failure(client.execute("SELEKT"));
      assert.deepEqual([syntax.code, syntax.errorCode], ["CQL_SYNTAX_ERROR", 0x2000]);
      const invalid = await failure(client.execute(`SELECT nope FROM ${table}`));
      assert.equal(invalid.code, "CQL_INVALID");
      assert.match(invalid.message, /nope/);
      const exists = await failure(client.execute(`CREATE TABLE ${table} (p int PRIMARY KEY)`));
      assert.deepEqual([exists.code, exists.keyspace, exists.table], ["CQL_ALREADY_EXISTS", keyspace, table]);
      const unavailable = await failure(client.execute(`SELECT * FROM ${table} WHERE p = 1`, [], { consistency: "THREE" }));
      assert.deepEqual(
        [unavailable.code, unavailable.consistency, unavailable.required, unavailable.alive],
        ["CQL_UNAVAILABLE", "THREE", 3, 1],
      );
      const value = await failure(client.execute(`SELECT * FROM ${table} WHERE p = ?`, ["one"]));
      assert.equal(value.code, "CQL_ENCODE");
      assert.equal((await client.execute(`SELECT c FROM ${table} WHERE p = 1`)).length, 4);
    });

    test("ALTER TABLE makes the server forget: prepared again, in execute and in batch", async () => {
      const select = `SELECT * FROM ${table} WHERE p = 1 AND c = ?`;
      const insert = `INSERT INTO ${table} (p, c, v) VALUES (?, ?, ?)`;
      const remove = `DELETE FROM ${table} WHERE p = ? AND c = ?`;
      await client.execute(insert, [5, 1, "x"]);
      await client.execute(remove, [5, 1]);
      assert.deepEqual(Object.keys((await client.execute(select, [1])).rows[0]), ["p", "c", "e", "v"]);
      await admin.execute(`ALTER TABLE ${keyspace}.${table} ADD added int`);
      await client.batch([{ query: insert, params: [5, 2, "y"] }, { query: remove, params: [5, 1] }]);
      const results = await Promise.all(Array.from({ length: 20 }, () => client.execute(select, [1])));
      for (const { rows } of results) assert.deepEqual(Object.keys(rows[0]), ["p", "c", "added", "e", "v"]);
    });

    test("tracing and warnings", async () => {
      const result = await client.execute(`SELECT count(*) FROM ${table}`, [], { tracing: true });
      assert.match(result.tracingId, /^[0-9a-f]{8}-[0-9a-f]{4}-1/);
      assert.equal(result.warnings.length, protocolVersion === 3 ? 0 : 1);
    });
  });
}

test("v5 with lz4 is what is agreed on by default", async (t) => {
  const client = await connect(t);
  assert.deepEqual([client.protocolVersion, client.compression], [5, "lz4"]);
});

test("snappy on v5 is an error that names the reason", async () => {
  const error = await failure(Client.connect({ contactPoints, compression: "snappy" }));
  assert.equal(error.code, "CQL_OPTION");
  assert.match(error.message, /v5 knows lz4 only/);
});

test("a keyspace that does not exist is the server's error", async () => {
  const error = await failure(Client.connect({ contactPoints, keyspace: "no such keyspace" }));
  assert.equal(error.code, "CQL_INVALID");
  assert.match(error.message, /no such keyspace/);
});

for (const protocolVersion of [4, 5]) {
  test(`v${protocolVersion}: columns that change under a statement which the server still knows`, async (t) => {
    const [client, other] = [await connect(t, { protocolVersion }), await connect(t, { protocolVersion })];
    const table = `changing${protocolVersion}`;
    await client.execute(`CREATE TABLE ${table} (k int PRIMARY KEY, v int)`);
    await client.execute(`INSERT INTO ${table} (k, v) VALUES (1, 2)`);
    const query = `SELECT * FROM ${table} WHERE k = ?`;
    const statement = await client.prepare(query);
    const names = () => statement.columns.map(({ name }) => name);
    assert.deepEqual(names(), ["k", "v"]);
    assert.deepEqual((await client.execute(statement, [1])).rows, [{ k: 1, v: 2 }]);
    await other.execute(`ALTER TABLE ${table} ADD w int`);
    await other.prepare(query); // so that no UNPREPARED comes
    // Many at once: each is read with the columns that came with it, or with those it was asked with.
    const results = await Promise.all(Array.from({ length: 50 }, () => client.execute(statement, [1])));
    for (const { rows } of results) assert.deepEqual(rows, [{ k: 1, v: 2, w: null }]);
    // v5 says so (METADATA_CHANGED); v4 does not, so each answer has its columns with it.
    assert.deepEqual(names(), protocolVersion === 5 ? ["k", "v", "w"] : ["k", "v"]);
    assert.deepEqual((await client.execute(statement, [1])).rows, [{ k: 1, v: 2, w: null }]);
  });
}

test("a text means another table after USE; a statement in hand keeps its keyspace", async (t) => {
  const second = `${keyspace}_b`;
  await admin.execute(`CREATE KEYSPACE ${second} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  t.after(() => admin.execute(`DROP KEYSPACE ${second}`));
  for (const ks of [keyspace, second]) {
    await admin.execute(`CREATE TABLE ${ks}.used (k int PRIMARY KEY, v text)`);
    await admin.execute(`INSERT INTO ${ks}.used (k, v) VALUES (1, '${ks}')`);
  }
  for (const protocolVersion of [4, 5]) {
    const client = await connect(t, { protocolVersion });
    const query = "SELECT v FROM used WHERE k = ?";
    const statement = await client.prepare(query);
    const read = async (...args) => (await client.execute(...args)).rows[0].v;
    assert.equal(await read(query, [1]), keyspace);
    await client.execute(`USE ${second}`);
    assert.equal(client.keyspace, second);
    assert.equal(await read(query, [1]), second);
    assert.equal(await read(statement, [1]), keyspace);
    await admin.execute(`ALTER TABLE ${keyspace}.used ADD w${protocolVersion} int`); // so that it is prepared again
    if (protocolVersion === 5) assert.equal(await read(statement, [1]), keyspace);
    else assert.equal((await failure(read(statement, [1]))).code, "CQL_STATEMENT_CHANGED");
    if (protocolVersion === 5) {
      assert.equal(await read(query, [1], { keyspace }), keyspace);
      assert.equal(await read("SELECT v FROM used WHERE k = 1", [], { keyspace }), keyspace);
    }
  }
});

test("v5 options: now in seconds, keyspace of a batch", async (t) => {
  const client = await connect(t, { keyspace: undefined });
  await client.batch([
    { query: "INSERT INTO docs (topic, id, title) VALUES (?, ?, ?) USING TTL 100", params: ["v5", 1, "t"] },
  ], { keyspace, nowInSeconds: 1_000_000 });
  const query = `SELECT ttl(title) AS left FROM ${keyspace}.docs WHERE topic = 'v5'`;
  assert.deepEqual((await client.execute(query, [], { nowInSeconds: 1_000_040 })).rows, [{ left: 60 }]);
});

test("conditional updates and serial consistency", async (t) => {
  const client = await connect(t);
  const insert = "INSERT INTO docs (topic, id, title) VALUES (?, ?, ?) IF NOT EXISTS";
  const options = { serialConsistency: "LOCAL_SERIAL", consistency: "QUORUM" };
  const first = await client.execute(insert, ["lwt", 1, "a"], options);
  assert.deepEqual(first.rows, [{ "[applied]": true }]);
  const second = await client.execute(insert, ["lwt", 1, "b"], options);
  assert.deepEqual(second.rows, [{ "[applied]": false, topic: "lwt", id: 1, embedding: null, title: "a" }]);
});

test("columns of many pages of vectors", async (t) => {
  const client = await connect(t);
  await Promise.all(Array.from({ length: 500 }, (_, id) =>
    client.execute("INSERT INTO docs (topic, id, embedding) VALUES (?, ?, ?)", ["vectors", id, new Float32Array([id, id + 0.5, -id])]),
  ));
  let next = 0;
  for await (const page of client.pages("SELECT id, embedding FROM docs WHERE topic = ?", ["vectors"], { pageSize: 128 })) {
    const { values, stride } = page.column("embedding");
    assert.ok(values instanceof Float32Array);
    for (let row = 0; row < page.length; row++, next++) {
      assert.deepEqual([...values.subarray(row * stride, (row + 1) * stride)], [next, next + 0.5, -next]);
    }
  }
  assert.equal(next, 500);
});

test("more in flight than streams are allowed: all are answered", async (t) => {
  const client = await connect(t, { maxInFlight: 16 });
  const query = "SELECT id FROM docs WHERE topic = ? AND id = ?";
  await client.execute("INSERT INTO docs (topic, id) VALUES ('q', 1)");
  const results = await Promise.all(Array.from({ length: 2000 }, () => client.execute(query, ["q", 1])));
  assert.ok(results.every(({ rows }) => rows[0].id === 1));
});

test("timeouts and aborts leave the connection right", async (t) => {
  const client = await connect(t);
  const query = "SELECT title FROM docs WHERE topic = ? AND id = ?";
  await Promise.all(Array.from({ length: 100 }, (_, id) => client.execute("INSERT INTO docs (topic, id, title) VALUES ('late', ?, ?)", [id, `${id}`])));
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, id) =>
    client.execute(query, ["late", id], id % 2 ? { timeout: 1 } : { signal: id % 4 ? AbortSignal.timeout(1) : undefined }),
  ));
  for (const { reason } of outcomes) if (reason) assert.match(reason.code, /^CQL_(TIMEOUT_CLIENT|ABORTED)$/);
  const results = await Promise.all(Array.from({ length: 100 }, (_, id) => client.execute(query, ["late", id])));
  results.forEach(({ rows }, id) => assert.deepEqual(rows, [{ title: `${id}` }]));
});

test("close waits for what runs", async () => {
  const client = await Client.connect({ contactPoints, keyspace });
  const running = Array.from({ length: 50 }, (_, id) => client.execute("SELECT title FROM docs WHERE topic = ? AND id = ?", ["late", id]));
  await client.close();
  for (const { rows } of await Promise.all(running)) assert.equal(rows.length, 1);
  assert.equal((await failure(client.execute("SELECT 1"))).code, "CQL_CLIENT_CLOSED");
});
