// Each option of a request, as the server says that it saw it: its own records of traced requests, write times and times to live, and what it does.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "cqlwire/client";
import { dropKeyspace, makeKeyspace, open } from "./keyspace.mjs";
import { plain } from "./plain.mjs";

let made;
before(async () => {
  made = await makeKeyspace(
    "roundtrip_options",
    'CREATE TABLE log (p int, c int, v text, s text static, x frozen<map<text, int>>, "Case" int, PRIMARY KEY (p, c))',
    "CREATE TABLE visits (p int PRIMARY KEY, n counter)",
  );
});
after(() => dropKeyspace(made));

const VERSIONS = [3, 4, 5];
const INSERT = "INSERT INTO log (p, c, v, x) VALUES (?, ?, ?, ?)";
const refusal = (promise) => promise.then(() => assert.fail("it should have been refused"), (error) => error);

/** What the server wrote of a traced request; it does so a little later. */
async function recorded(raw, id) {
  for (let tries = 0; tries < 200; tries++) {
    const [session] = (await raw.query(`SELECT request, command, parameters FROM system_traces.sessions WHERE session_id = ${id}`)).rows;
    if (session?.parameters) return { request: session.request, ...Object.fromEntries(session.parameters) };
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no trace of ${id}`);
}

for (const version of VERSIONS) {
  test(`what the server records of traced requests: v${version}`, async (t) => {
    const raw = await open(t, version, "lz4", made);
    const insert = await raw.prepare(INSERT);
    const select = "SELECT c FROM log WHERE p = 1";
    const query = (options, parameters) => [{ opcode: "QUERY", query: select, ...options }, { request: "Execute CQL3 query", query: select, serial_consistency_level: "SERIAL", ...parameters }];
    const cases = [
      ...["ONE", "QUORUM", "ALL", "LOCAL_QUORUM", "LOCAL_ONE", "SERIAL", "LOCAL_SERIAL"].map((consistency) => query({ consistency }, { consistency_level: consistency })),
      query({}, { consistency_level: "LOCAL_ONE" }),
      query({ consistency: "QUORUM", serialConsistency: "LOCAL_SERIAL", pageSize: 17 }, { consistency_level: "QUORUM", serial_consistency_level: "LOCAL_SERIAL", page_size: "17" }),
      query({ pageSize: 2 ** 31 - 1 }, { consistency_level: "LOCAL_ONE", page_size: "2147483647" }),
      [
        { opcode: "EXECUTE", prepared: insert, params: [1, -2, "it's", { a: 1 }], consistency: "ANY", serialConsistency: "SERIAL" },
        {
          request: "Execute CQL3 prepared query", query: INSERT, consistency_level: "ANY", serial_consistency_level: "SERIAL",
          bound_var_0_p: "1", bound_var_1_c: "-2", bound_var_2_v: "'it''s'", bound_var_3_x: "{'a': 1}",
        },
      ],
      [
        { opcode: "BATCH", statements: [{ prepared: insert, params: [1, 3, "b", null] }], consistency: "EACH_QUORUM", serialConsistency: "LOCAL_SERIAL" },
        { request: "Execute batch of CQL3 queries", consistency_level: "EACH_QUORUM", serial_consistency_level: "LOCAL_SERIAL" },
      ],
      [{ opcode: "PREPARE", query: select }, { request: "Preparing CQL3 query", query: select }],
    ];
    await Promise.all(cases.map(async ([message, expected]) => {
      const { tracingId } = await raw.ask({ ...message, tracing: true });
      assert.deepEqual(await recorded(raw, tracingId), expected);
    }));
    for (const consistency of ["TWO", "THREE"]) {
      const error = await refusal(raw.query(select, { consistency }));
      assert.deepEqual([error.code, error.consistency, error.required, error.alive], ["CQL_UNAVAILABLE", consistency, { TWO: 2, THREE: 3 }[consistency], 1]);
    }
    assert.equal((await refusal(raw.query(select, { consistency: "ANY" }))).code, "CQL_INVALID"); // for writes only
  });

  test(`timestamps are write times: v${version}`, async (t) => {
    const raw = await open(t, version, "none", made);
    const insert = await raw.prepare("INSERT INTO log (p, c, v) VALUES (?, ?, ?)");
    const p = 100 + version;
    const times = [0n, 1n, -1n, 1_700_000_000_000_001n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n) + 1n];
    for (const [index, timestamp] of times.entries()) {
      await raw.execute(insert, [p, index, "execute"], { timestamp });
      await raw.query(`INSERT INTO log (p, c, v) VALUES (${p}, ${20 + index}, 'query')`, { timestamp });
      await raw.ask({ opcode: "BATCH", statements: [{ prepared: insert, params: [p, 40 + index, "batch"] }], timestamp });
    }
    const { rows } = await raw.query(`SELECT c, v, writetime(v) AS w, toJson(writetime(v)) AS j FROM log WHERE p = ${p}`);
    const expected = ["execute", "query", "batch"].flatMap((v, kind) => times.map((w, index) => ({ c: kind * 20 + index, v, w, j: String(w) })));
    assert.deepEqual(rows, expected);
    // Without one it is the server's clock, in microseconds.
    await raw.execute(insert, [p, 99, "now"]);
    const [{ w }] = (await raw.query(`SELECT writetime(v) AS w FROM log WHERE p = ${p} AND c = 99`)).rows;
    assert.ok(Math.abs(Number(w) / 1000 - Date.now()) < 60_000);
    // The older one loses.
    await raw.execute(insert, [p, 99, "older"], { timestamp: w - 1n });
    assert.deepEqual((await raw.query(`SELECT v FROM log WHERE p = ${p} AND c = 99`)).rows, [{ v: "now" }]);
  });

  test(`pages of every size, and each state again: v${version}`, async (t) => {
    const raw = await open(t, version, "lz4", made);
    const p = 200 + version;
    const insert = await raw.prepare("INSERT INTO log (p, c, v) VALUES (?, ?, ?)");
    await Promise.all(Array.from({ length: 23 }, (_, c) => raw.execute(insert, [p, c, `row ${c}`])));
    const text = "SELECT c FROM log WHERE p = ? AND c >= ?";
    const select = await raw.prepare(text);
    const all = Array.from({ length: 22 }, (_, c) => c + 1);
    for (const ask of [(options) => raw.execute(select, [p, 1], options), (options) => raw.query(text, { params: [p, 1], types: ["int", "int"], ...options })]) {
      for (const pageSize of [1, 4, 11, 21, 22, 23, 5000]) {
        const states = [undefined];
        const sizes = [];
        const seen = [];
        for (let state; seen.length <= all.length;) {
          const page = await ask({ pageSize, pageState: state });
          sizes.push(page.length);
          seen.push(...page.rows.map(({ c }) => c));
          if (!(state = page.pagingState)) break;
          states.push(state.slice());
        }
        assert.deepEqual(seen, all, `${pageSize}`);
        assert.deepEqual(sizes.slice(0, -1), sizes.slice(0, -1).map(() => pageSize));
        // Any state, in any order, gives its page again.
        const again = await Promise.all(states.map((pageState) => ask({ pageSize, pageState })));
        assert.deepEqual(again.map(({ length }) => length), sizes);
        assert.deepEqual(again.flatMap(({ rows }) => rows.map(({ c }) => c)), all);
      }
      const error = await refusal(ask({ pageSize: 4, pageState: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 1) }));
      assert.equal(error.code, "CQL_PROTOCOL_ERROR");
    }
  });

  test(`values by name, named as the server knows them: v${version}`, async (t) => {
    const raw = await open(t, version, "none", made);
    const types = { p: "int", c: "int", v: "text", Case: "int" };
    const p = 300 + version;
    // Not in the order of the query; quoted names keep their case.
    await raw.query('INSERT INTO log (p, c, v, "Case") VALUES (:p, :c, :v, :"Case")', { params: { Case: 7, v: "named", c: 1, p }, types });
    await raw.query("INSERT INTO log (p, c, v) VALUES (:P, :C, null)", { params: { c: 2, p }, types });
    await raw.query("INSERT INTO log (p, c, v) VALUES (:n, :n, :v)", { params: { v: null, n: p }, types: { n: "int", v: "text" } });
    const { rows } = await raw.query(`SELECT JSON c, v, "Case" FROM log WHERE p = ${p}`);
    const texts = ['{"c": 1, "v": "named", "\\"Case\\"": 7}', '{"c": 2, "v": null, "\\"Case\\"": null}', `{"c": ${p}, "v": null, "\\"Case\\"": null}`];
    assert.deepEqual(rows.map((row) => row["[json]"]), texts);
    const missing = await refusal(raw.query("SELECT c FROM log WHERE p = :p AND c = :c", { params: { p }, types }));
    assert.equal(missing.code, "CQL_INVALID");
  });

  test(`batches of mixed kinds, conditions, and what they answer: v${version}`, async (t) => {
    const raw = await open(t, version, "lz4", made);
    const p = 400 + version;
    const batch = (statements, options) => raw.ask({ opcode: "BATCH", statements, ...options });
    const insert = await raw.prepare("INSERT INTO log (p, c, v) VALUES (?, ?, ?) IF NOT EXISTS");
    const update = await raw.prepare("UPDATE log SET s = :new WHERE p = :p IF s = :old");
    const text = { query: `INSERT INTO log (p, c, v) VALUES (${p}, 2, 'text')` };
    const valued = { query: "INSERT INTO log (p, c, v) VALUES (?, ?, ?)", params: [p, 3, "valued"], types: ["int", "int", "text"] };
    const bytes = { query: `UPDATE log SET v = ? WHERE p = ${p} AND c = 4`, params: [Buffer.from("ready")] };
    const applied = await batch([{ prepared: insert, params: [p, 1, "a"] }, text, valued, bytes, { prepared: update, params: { old: null, p, new: "s" } }], { consistency: "QUORUM", serialConsistency: "LOCAL_SERIAL" });
    assert.deepEqual(applied.rows, [{ "[applied]": true }]);
    const all = await raw.query(`SELECT c, v, s FROM log WHERE p = ${p}`);
    assert.deepEqual(all.rows, [[1, "a"], [2, "text"], [3, "valued"], [4, "ready"]].map(([c, v]) => ({ c, v, s: "s" })));
    const refused = await batch([{ prepared: update, params: { old: "other", p, new: "x" } }, { prepared: insert, params: [p, 1, "b"] }]);
    assert.deepEqual(refused.rows, [{ "[applied]": false, p, c: 1, Case: null, s: "s", v: "a", x: null }]);
    assert.deepEqual((await raw.query(`SELECT c, v, s FROM log WHERE p = ${p}`)).rows, all.rows);
    // The unconditional kinds answer nothing.
    const count = await raw.prepare("UPDATE visits SET n = n + ? WHERE p = ?");
    assert.equal((await batch([{ prepared: count, params: [2n, p] }, { query: `UPDATE visits SET n = n + 40 WHERE p = ${p}` }], { type: "COUNTER" })).kind, "Void");
    assert.deepEqual((await raw.query(`SELECT toJson(n) AS n FROM visits WHERE p = ${p}`)).rows, [{ n: "42" }]);
    // Each statement's own conditions and deletions alone, too.
    const remove = await raw.execute(await raw.prepare("DELETE FROM log WHERE p = ? AND c = ? IF v IN ?"), [p, 1, ["x", "a"]]);
    assert.deepEqual(remove.rows, [{ "[applied]": true }]);
  });

  test(`warnings: v${version}`, async (t) => {
    const raw = await open(t, version, "lz4", made);
    const p = 500 + version;
    const insert = await raw.prepare("INSERT INTO log (p, c, v) VALUES (?, ?, ?)");
    const warned = async (ask, pattern) => {
      const { warnings } = await ask;
      if (version === 3) return assert.equal(warnings, undefined); // it has no place for them
      assert.ok(warnings.some((text) => pattern.test(text)), `${pattern}: ${warnings.join("; ")}`);
    };
    // Of two partitions: what is of one, the server takes at any size.
    const big = (size) => raw.ask({ opcode: "BATCH", type: "UNLOGGED", statements: [{ prepared: insert, params: [p, 0, "x".repeat(size)] }, { prepared: insert, params: [-p, 1, "y"] }] });
    await warned(big(10_000), /^Batch for \[.*\] is of size .*, exceeding specified threshold/);
    assert.equal((await big(100)).warnings, undefined);
    assert.match((await refusal(big(100_000))).message, /Batch too large/);
    const spread = Array.from({ length: 11 }, (_, c) => ({ prepared: insert, params: [1000 + 10 * c + version, 0, "z"] }));
    await warned(raw.ask({ opcode: "BATCH", type: "UNLOGGED", statements: spread }), /^Unlogged batch covering 11 partitions detected/);
    await warned(raw.query("SELECT count(*) FROM log"), /^Aggregation query used without partition key/);
    await Promise.all(Array.from({ length: 1010 }, (_, c) => raw.execute(insert, [p, c, null])));
    const tombstones = raw.query(`SELECT v FROM log WHERE p = ${p}`);
    await warned(tombstones, /^Read 10\d\d live rows and 1\d{3} tombstone cells for query/);
    assert.equal((await tombstones).length, 1010);
  });
}

for (const version of [3, 5]) {
  test(`USE, and what a change of schema answers and tells: v${version}`, async (t) => {
    const [raw, watcher] = [await open(t, version, "lz4", made), await open(t, version, "none", made)];
    const { keyspace } = made;
    await watcher.ask({ opcode: "REGISTER", eventTypes: ["SCHEMA_CHANGE"] });
    const other = `Other_${process.pid}_v${version}`;
    t.after(() => made.raw.query(`DROP KEYSPACE IF EXISTS "${other}"`));
    // v3 knows of neither functions nor aggregates: their keyspace has changed.
    const of = (target, name, types) => (version === 3 && types ? { changeType: "UPDATED", target: "KEYSPACE" } : { target, name, ...(types ? { argumentTypes: types } : {}) });
    const steps = [
      [`CREATE KEYSPACE "${other}" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`, "CREATED", { target: "KEYSPACE" }],
      [`USE "${other}"`],
      [`ALTER KEYSPACE "${other}" WITH durable_writes = false`, "UPDATED", { target: "KEYSPACE" }],
      ["CREATE TYPE u (a int)", "CREATED", of("TYPE", "u")],
      ["ALTER TYPE u ADD b int", "UPDATED", of("TYPE", "u")],
      ['CREATE TABLE "Tab" (k int PRIMARY KEY, v text)', "CREATED", of("TABLE", "Tab")],
      ['ALTER TABLE "Tab" ADD w int', "UPDATED", of("TABLE", "Tab")],
      ['CREATE INDEX at ON "Tab" (v)', "UPDATED", of("TABLE", "Tab")],
      ["DROP INDEX at", "UPDATED", of("TABLE", "Tab")],
      ["CREATE FUNCTION plus (a int, b list<text>) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return a;'", "CREATED", of("FUNCTION", "plus", ["int", "list<text>"])],
      ["CREATE OR REPLACE FUNCTION plus (a int, b list<text>) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return 1;'", "UPDATED", of("FUNCTION", "plus", ["int", "list<text>"])],
      ["CREATE AGGREGATE total (list<text>) SFUNC plus STYPE int INITCOND 0", "CREATED", of("AGGREGATE", "total", ["list<text>"])],
      ["DROP AGGREGATE total", "DROPPED", of("AGGREGATE", "total", ["list<text>"])],
      ["DROP FUNCTION plus", "DROPPED", of("FUNCTION", "plus", ["int", "list<text>"])],
      ["CREATE TABLE IF NOT EXISTS \"Tab\" (k int PRIMARY KEY)"],
      ['TRUNCATE "Tab"'],
      ['DROP TABLE "Tab"', "DROPPED", of("TABLE", "Tab")],
      ["DROP TYPE u", "DROPPED", of("TYPE", "u")],
      [`USE ${keyspace}`],
      [`DROP KEYSPACE "${other}"`, "DROPPED", { target: "KEYSPACE" }],
    ];
    const told = [];
    for (const [query, changeType, change] of steps) {
      const { stream, warnings, ...answer } = await raw.query(query);
      const schemaChange = { changeType, keyspace: other, ...change };
      if (changeType) assert.deepEqual(answer, { opcode: "RESULT", kind: "Schema_change", ...schemaChange }, query);
      else assert.deepEqual(answer, query.startsWith("USE") ? { opcode: "RESULT", kind: "Set_keyspace", keyspace: query.includes(other) ? other : keyspace } : { opcode: "RESULT", kind: "Void" });
      if (changeType) told.push({ stream: -1, opcode: "EVENT", eventType: "SCHEMA_CHANGE", ...schemaChange });
    }
    const events = () => watcher.events.filter((event) => event.keyspace === other);
    for (let tries = 0; tries < 100 && events().length < told.length; tries++) await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(events().map((event) => ({ ...event })), told);
  });
}

test("a custom payload is taken and left alone", async (t) => {
  for (const version of [4, 5]) {
    const raw = await open(t, version, "lz4", made);
    const insert = await raw.prepare(INSERT);
    const customPayload = { key: Uint8Array.of(1, 2), none: null, empty: new Uint8Array(0), ключ: new Uint8Array(70_000) };
    const messages = [
      { opcode: "QUERY", query: "SELECT c FROM log WHERE p = 1" },
      { opcode: "EXECUTE", prepared: insert, params: [600, 1, "payload", null] },
      { opcode: "BATCH", statements: [{ prepared: insert, params: [600, 2, "payload", null] }] },
      { opcode: "PREPARE", query: "SELECT v FROM log" },
    ];
    for (const message of messages) {
      const answer = await raw.ask({ ...message, customPayload });
      assert.deepEqual([answer.opcode, answer.customPayload], ["RESULT", undefined]);
    }
  }
});

test("v5: the keyspace of a request, and its now", async (t) => {
  const { keyspace } = made;
  const client = await Client.connect({ contactPoints: [process.env.CQL], protocolVersion: 5 });
  t.after(() => client.close());
  const insert = "INSERT INTO log (p, c, v) VALUES (?, ?, ?) USING TTL ?";
  assert.equal((await refusal(client.execute("SELECT v FROM log"))).code, "CQL_INVALID");
  await client.execute(insert, [700, 1, "a", 100], { keyspace, nowInSeconds: 1_000 });
  await client.batch([{ query: insert, params: [700, 2, "b", 500] }], { keyspace, nowInSeconds: 1_000 });
  await client.execute("INSERT INTO log (p, c, v) VALUES (700, 3, 'c') USING TTL 2000", [], { keyspace, nowInSeconds: 1_000 });
  const left = async (nowInSeconds, params = []) => {
    const query = `SELECT c, ttl(v) AS left FROM log WHERE p = ${params.length ? "?" : 700}`;
    return (await client.execute(query, params, { keyspace, nowInSeconds })).rows.map(({ c, left }) => [c, left]);
  };
  for (const params of [[], [700]]) {
    assert.deepEqual(await left(1_000, params), [[1, 100], [2, 500], [3, 2000]]);
    assert.deepEqual(await left(1_099, params), [[1, 1], [2, 401], [3, 1901]]);
    assert.deepEqual(await left(1_100, params), [[2, 400], [3, 1900]]);
    assert.deepEqual(await left(2_999, params), [[3, 1]]);
    assert.deepEqual(await left(3_000, params), []);
  }
  assert.equal(client.keyspace, null); // a request's keyspace is not the connection's
});

test("rows as SELECT JSON gives them and INSERT JSON takes them", async (t) => {
  const raw = await open(t, 4, "none", made);
  const insert = await raw.prepare("INSERT INTO log JSON ?");
  await raw.execute(insert, ['{"p": 800, "c": 1, "v": "é😀", "x": {"a": 1}, "\\"Case\\"": 5}']);
  const [row] = (await raw.query("SELECT * FROM log WHERE p = 800")).rows;
  assert.deepEqual(plain(row), plain({ p: 800, c: 1, s: null, Case: 5, v: "é😀", x: new Map([["a", 1]]) }));
});
