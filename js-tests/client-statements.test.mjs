// Prepared statements and pages: what is asked of the server, in which order and how often, against a scripted server in v4.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tableFromIPC } from "apache-arrow";
import { arrowStream } from "cqlwire";
import { Client } from "cqlwire/client";
import { ROW_42, SUPPORTED, VOID, bytes, serve } from "./scripted-server.mjs";

async function connect(t, server, options = {}) {
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4, ...options });
  t.after(() => client.close({ timeout: 1 }));
  return client;
}
const failure = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error);
const reply = ({ socket, stream }, hex) => socket.write(bytes(hex, stream));
/** The query text of QUERY and PREPARE. */
const text = ({ body }) => body.toString("utf8", 4, 4 + body.readInt32BE(0));
/** The id of EXECUTE, as hex. */
const id = ({ body }) => body.toString("hex", 2, 2 + body.readUInt16BE(0));

const INSERT = "INSERT INTO k.t (a) VALUES (?)";
/** PREPARED aaaa: one marker, k.t.a int; no result columns. */
const PREPARED =
  "84 00 SS SS 08 00 00 00 27  00 00 00 04 00 02 aa aa  00 00 00 01 00 00 00 01 00 00 00 00 00 01 6b 00 01 74 00 01 61 00 09  00 00 00 04 00 00 00 00";
const prepared = (hexId) => PREPARED.replace("aa aa", hexId);
const UNPREPARED = "84 00 SS SS 00 00 00 00 0c  00 00 25 00 00 02 6e 6f 00 02 aa aa";
const SYNTAX_ERROR = "84 00 SS SS 00 00 00 00 08  00 00 20 00 00 02 6e 6f";
const setKeyspace = (letter) => `84 00 SS SS 08 00 00 00 07  00 00 00 03 00 01 ${letter}`;

/** Gives each text an id of its own, and answers everything. */
function wellBehaved() {
  const ids = new Map();
  return (request, send) => {
    if (request.opcode === "PREPARE") {
      const query = text(request);
      if (!ids.has(query)) ids.set(query, (0xb000 + ids.size).toString(16).replace(/(..)(..)/, "$1 $2"));
      send(prepared(ids.get(query)));
    }
    if (["EXECUTE", "BATCH", "QUERY"].includes(request.opcode)) send(VOID);
  };
}

test("params: prepared, once for all who ask at the same time; none: sent as text", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "PREPARE") setTimeout(() => reply(request, PREPARED), 10);
    if (["EXECUTE", "QUERY"].includes(request.opcode)) send(VOID);
  });
  const client = await connect(t, server);
  await Promise.all(Array.from({ length: 100 }, (_, i) => client.execute(INSERT, i % 2 ? [i] : { a: i })));
  await client.execute(INSERT, [100]);
  assert.equal(server.of("PREPARE").length, 1);
  assert.equal(server.of("EXECUTE").length, 101);
  assert.ok(server.of("EXECUTE").every((request) => id(request) === "aaaa"));
  for (const params of [undefined, [], {}]) await client.execute("SELECT 1", params);
  assert.equal(server.of("QUERY").length, 3);
  // EXECUTE of int 7 in v4: id, LOCAL_ONE, flags values and page size, one value, 5,000.
  await client.execute(INSERT, [7]);
  assert.deepEqual(server.of("EXECUTE").at(-1).body, bytes("00 02 aa aa 00 0a 05 00 01 00 00 00 04 00 00 00 07 00 00 13 88"));
});

test("prepare: true prepares without params, prepare: false sends text with types", async (t) => {
  const server = await serve(t, wellBehaved());
  const client = await connect(t, server);
  const error = await failure(client.execute("SELECT 1", [], { prepare: true }));
  assert.equal(error.code, "CQL_PARAMS"); // this server says that one is missing
  assert.equal(server.of("PREPARE").length, 1);
  const untyped = await failure(client.execute(INSERT, [7], { prepare: false }));
  assert.equal(untyped.code, "CQL_PARAMS");
  await client.execute(INSERT, [7], { prepare: false, types: ["int"], pageSize: 100 });
  const [{ body }] = server.of("QUERY");
  assert.deepEqual(body.subarray(4 + INSERT.length), bytes("00 0a 05 00 01 00 00 00 04 00 00 00 07 00 00 00 64"));
});

test("params that do not fit, or that throw, concern their call alone and take no stream", async (t) => {
  const server = await serve(t, wellBehaved());
  const client = await connect(t, server, { maxInFlight: 1 });
  await client.execute(INSERT, [0]);
  const thrown = new Error("from a getter");
  const calls = [
    client.execute(INSERT, { get a() { throw thrown; } }),
    client.execute(INSERT, ["seven"]),
    client.execute(INSERT, { b: 1 }),
    client.batch([{ query: INSERT, params: [1] }, { query: INSERT, params: [2 ** 31] }]),
  ].map(failure);
  const [getter, kind, name, range] = await Promise.all(calls);
  assert.deepEqual([getter.code, getter.cause], ["CQL_ENCODE", thrown]);
  assert.equal(kind.code, "CQL_ENCODE");
  assert.match(kind.message, /parameter 0 \(a\): string for int/);
  assert.equal(name.code, "CQL_PARAMS");
  assert.match(range.message, /statement 1, parameter 0 \(a\): number for int/);
  await client.execute(INSERT, [1]);
  assert.deepEqual([server.of("EXECUTE").length, server.of("BATCH").length], [2, 0]);
});

test("a prepared statement in hand: what it takes, and execute and batch with it", async (t) => {
  const server = await serve(t, wellBehaved());
  const client = await connect(t, server);
  const statement = await client.prepare(INSERT);
  assert.equal(statement.query, INSERT);
  assert.deepEqual(statement.params.map(({ name, type }) => [name, type.text]), [["a", "int"]]);
  assert.deepEqual([statement.columns, statement.warnings], [[], []]);
  await client.execute(statement, [1]);
  await client.batch([{ query: statement, params: [1] }]);
  const other = await connect(t, server);
  await other.execute(statement, [1]); // another client's: prepared there too
  assert.deepEqual(server.of("PREPARE").map(({ connection }) => connection), [0, 1]);
});

test("UNPREPARED: prepared again and tried once more, by all who meet it together", async (t) => {
  let isLost = true;
  const server = await serve(t, (request, send) => {
    if (request.opcode === "PREPARE") send(PREPARED);
    if (request.opcode === "PREPARE" && server.of("PREPARE").length === 2) isLost = false;
    if (request.opcode === "EXECUTE") send(isLost ? UNPREPARED : VOID);
  });
  const client = await connect(t, server);
  await Promise.all(Array.from({ length: 10 }, () => client.execute(INSERT, [1])));
  assert.equal(server.of("PREPARE").length, 2);
  assert.equal(server.of("EXECUTE").length, 20);
});

test("UNPREPARED that comes when the statement has been renewed already takes the new one", async (t) => {
  const server = await serve(t, (request, send) => void (request.opcode === "PREPARE" && send(PREPARED)));
  const client = await connect(t, server);
  const both = [client.execute(INSERT, [1]), client.execute(INSERT, [2])];
  const [first, second] = await server.seen("EXECUTE", 2);
  reply(first, UNPREPARED);
  reply((await server.seen("EXECUTE", 3))[2], VOID);
  await both[0];
  reply(second, UNPREPARED);
  reply((await server.seen("EXECUTE", 4))[3], VOID);
  await both[1];
  assert.equal(server.of("PREPARE").length, 2);
});

test("UNPREPARED twice is the answer", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "PREPARE") send(PREPARED);
    if (request.opcode === "EXECUTE" || request.opcode === "BATCH") send(UNPREPARED);
  });
  const client = await connect(t, server);
  const error = await failure(client.execute(INSERT, [1]));
  assert.deepEqual([error.code, error.errorCode, error.statementId], ["CQL_UNPREPARED", 0x2500, new Uint8Array([0xaa, 0xaa])]);
  assert.deepEqual(server.requests.slice(2).map(({ opcode }) => opcode), ["PREPARE", "EXECUTE", "PREPARE", "EXECUTE"]);
  assert.equal((await failure(client.batch([{ query: INSERT, params: [1] }]))).code, "CQL_UNPREPARED");
  assert.equal(server.of("BATCH").length, 2);
});

test("UNPREPARED of a batch, which names one statement, renews all of them", async (t) => {
  const answer = wellBehaved();
  const server = await serve(t, (request, send) => {
    if (request.opcode === "BATCH" && server.of("BATCH").length === 1) return send(UNPREPARED);
    answer(request, send);
  });
  const client = await connect(t, server);
  await client.batch([
    { query: INSERT, params: [1] },
    { query: "UPDATE x", params: { a: 2 } },
    { query: INSERT, params: [3] },
    { query: "DELETE y" },
  ], { type: "UNLOGGED", consistency: "QUORUM", timestamp: 5 });
  assert.deepEqual(server.requests.slice(2).map(({ opcode }) => opcode), ["PREPARE", "PREPARE", "BATCH", "PREPARE", "PREPARE", "BATCH"]);
  assert.deepEqual(server.of("BATCH")[1].body, bytes(
    "01 00 04" +
    "01 00 02 b0 00 00 01 00 00 00 04 00 00 00 01" +
    "01 00 02 b0 01 00 01 00 00 00 04 00 00 00 02" +
    "01 00 02 b0 00 00 01 00 00 00 04 00 00 00 03" +
    "00 00 00 00 08 44 45 4c 45 54 45 20 79 00 00" +
    "00 04 20 00 00 00 00 00 00 00 05",
  ));
});

test("a PREPARE that failed is asked again, and its error reaches all who waited", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "PREPARE") send(server.of("PREPARE").length === 1 ? SYNTAX_ERROR : PREPARED);
    if (request.opcode === "EXECUTE") send(VOID);
  });
  const client = await connect(t, server);
  const errors = await Promise.all([client.execute(INSERT, [1]), client.execute(INSERT, [2])].map(failure));
  assert.deepEqual(errors.map(({ code }) => code), ["CQL_SYNTAX_ERROR", "CQL_SYNTAX_ERROR"]);
  await client.execute(INSERT, [1]);
  assert.equal(server.of("PREPARE").length, 2);
});

test("a call that gives up while the statement is prepared leaves it to the others", async (t) => {
  const server = await serve(t, (request, send) => void (request.opcode === "EXECUTE" && send(VOID)));
  const client = await connect(t, server);
  const controller = new AbortController();
  const aborted = failure(client.execute(INSERT, [1], { signal: controller.signal }));
  const late = failure(client.execute(INSERT, [1], { timeout: 20 }));
  const patient = client.execute(INSERT, [1]);
  const [prepare] = await server.seen("PREPARE");
  controller.abort();
  assert.equal((await aborted).code, "CQL_ABORTED");
  assert.equal((await late).code, "CQL_TIMEOUT_CLIENT");
  assert.equal((await late).mayBeApplied, false);
  reply(prepare, PREPARED);
  await patient;
  assert.equal(server.of("EXECUTE").length, 1);
});

test("the time limit is one for PREPARE and EXECUTE together", async (t) => {
  const server = await serve(t, (request) => {
    if (request.opcode === "PREPARE") setTimeout(() => reply(request, PREPARED), 400);
  });
  const client = await connect(t, server);
  const start = performance.now();
  const error = await failure(client.execute(INSERT, [1], { timeout: 800 }));
  assert.ok(performance.now() - start < 1_150);
  assert.deepEqual([error.code, error.mayBeApplied], ["CQL_TIMEOUT_CLIENT", true]);
});

test("a thousand texts are kept, the least recently used goes first, one in hand works on", async (t) => {
  const server = await serve(t, wellBehaved());
  const client = await connect(t, server);
  const first = await client.prepare("q0");
  for (let i = 1; i < 1000; i++) await client.execute(`q${i}`, [i]);
  await client.execute("q0", [0]); // now the most recently used
  await client.execute("q1000", [0]); // q1 has to go
  const known = server.of("PREPARE").length;
  assert.equal(known, 1001);
  await client.execute("q0", [0]);
  await client.execute("q2", [0]);
  assert.equal(server.of("PREPARE").length, known);
  await client.execute("q1", [0]); // and now q3
  assert.equal(server.of("PREPARE").length, known + 1);
  for (let i = 0; i < 1000; i++) await client.execute(`r${i}`, [i]); // all of them
  const before = server.of("PREPARE").length;
  await client.execute(first, [0]);
  assert.equal(server.of("PREPARE").length, before);
});

test("a text is another statement in another keyspace", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "QUERY") return send(setKeyspace(text(request) === "USE a" ? "61" : "62"));
    if (request.opcode === "PREPARE") return send(prepared(client.keyspace === "a" ? "00 0a" : "00 0b"));
    if (request.opcode === "EXECUTE") send(VOID);
  });
  const client = await connect(t, server);
  for (const keyspace of ["a", "b", "a"]) {
    await client.execute(`USE ${keyspace}`);
    await client.execute(INSERT, [1]);
  }
  assert.deepEqual(server.of("EXECUTE").map(id), ["000a", "000b", "000a"]);
  assert.equal(server.of("PREPARE").length, 2);
});

test("a statement that v4 could only prepare again for another keyspace is refused, not executed there", async (t) => {
  let inA;
  const server = await serve(t, (request, send) => {
    if (request.opcode === "QUERY") return send(setKeyspace((inA = text(request) === "USE a") ? "61" : "62"));
    if (request.opcode === "PREPARE") return send(prepared(inA ? "aa aa" : "00 0b"));
    if (request.opcode === "EXECUTE") send(UNPREPARED);
  });
  const client = await connect(t, server);
  await client.execute("USE a");
  const statement = await client.prepare(INSERT);
  await client.execute("USE b");
  const error = await failure(client.execute(statement, [1]));
  assert.equal(error.code, "CQL_STATEMENT_CHANGED");
  assert.match(error.message, /prepared in keyspace a, and could be prepared again only in b/);
  assert.equal(server.of("EXECUTE").length, 1);
});

/** Rows k.t.c = 42 with Has_more_pages and a state. */
const more = (state) =>
  `84 00 SS SS 08 00 00 00 ${(0x27 + state.length / 2).toString(16)}  00 00 00 02  00 00 00 03 00 00 00 01 00 00 00 0${state.length / 2} ${state}` +
  " 00 01 6b 00 01 74  00 01 63 00 09  00 00 00 01  00 00 00 04 00 00 00 2a";

test("pages: each with the state of the one before, opaque, also when it is empty", async (t) => {
  const states = ["0102", "", null];
  let asked = 0;
  const server = await serve(t, (request, send) => {
    if (request.opcode !== "QUERY") return;
    const state = states[asked++ % 3];
    send(state === null ? ROW_42 : more(state));
  });
  const client = await connect(t, server);
  const result = await client.execute("SELECT c", [], { pageSize: 1 });
  assert.deepEqual(result.pageState, new Uint8Array([1, 2]));
  assert.equal(asked, 1, "no page is fetched before it is asked for");
  const rows = [];
  for await (const row of result) rows.push(row);
  assert.deepEqual(rows, [{ c: 42 }, { c: 42 }, { c: 42 }]);
  // LOCAL_ONE, flags page size (04) and state (08), 1, state.
  const tails = server.of("QUERY").map(({ body }) => body.toString("hex", 4 + "SELECT c".length));
  assert.deepEqual(tails, ["000a0400000001", "000a0c00000001000000020102", "000a0c0000000100000000"]);

  const pages = [];
  for await (const page of client.pages("SELECT c", [], { pageState: new Uint8Array([9]) })) {
    pages.push([page.length, page.column("c").at(0), page.pageState === null]);
    if (pages.length === 2) break; // what is not asked for is not fetched
  }
  assert.deepEqual(pages, [[1, 42, false], [1, 42, false]]);
  assert.equal(asked, 5);
  assert.match(server.of("QUERY")[3].body.toString("hex"), /0000138800000001 ?09$/);
});

test("pages and results as Arrow", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "QUERY") send(/INSERT/.test(text(request)) ? VOID : server.of("QUERY").length % 3 ? more("0102") : ROW_42);
  });
  const client = await connect(t, server);
  const table = await tableFromIPC(arrowStream(client.pages("SELECT c")));
  assert.deepEqual([table.batches.length, ...table.getChild("c")], [3, 42, 42, 42]);
  const result = await client.execute("SELECT c");
  assert.deepEqual([...tableFromIPC(result.toArrowIPC()).getChild("c")], [42]);
  const nothing = await client.execute("INSERT");
  assert.throws(() => nothing.toArrowIPC(), { code: "CQL_COLUMN", message: /returned no rows/ });
});

test("what comes with an answer: warnings, tracing id, payload; and of a schema change what changed", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode !== "QUERY") return;
    if (server.of("QUERY").length === 1) {
      send("84 0e SS SS 08 00 00 00 23 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 00 01 77 00 01 00 01 6b 00 00 00 01 ff 00 00 00 01");
    } else {
      send("84 00 SS SS 08 00 00 00 1a 00 00 00 05 00 07 43 52 45 41 54 45 44 00 05 54 41 42 4c 45 00 01 6b 00 01 74");
    }
  });
  const client = await connect(t, server);
  const traced = await client.execute("INSERT", [], { tracing: true, customPayload: { k: new Uint8Array([1]), n: null } });
  assert.equal(traced.tracingId, "00010203-0405-0607-0809-0a0b0c0d0e0f");
  assert.deepEqual(traced.warnings, ["w"]);
  assert.deepEqual({ ...traced.customPayload }, { k: new Uint8Array([0xff]) });
  assert.deepEqual([traced.length, traced.rows, traced.columns, traced.pageState, traced.schemaChange], [0, [], [], null, null]);
  assert.throws(() => traced.column("c"), { code: "CQL_COLUMN" });
  const [{ frame, body }] = server.of("QUERY");
  assert.equal(frame[1], 0x02 | 0x04);
  assert.deepEqual(body.subarray(0, 17), bytes("00 02 00 01 6b 00 00 00 01 01 00 01 6e ff ff ff ff"));
  const created = await client.execute("CREATE");
  assert.deepEqual(created.schemaChange, { changeType: "CREATED", target: "TABLE", keyspace: "k", name: "t" });
  assert.deepEqual([created.warnings, created.tracingId, created.customPayload], [[], null, null]);
});

test("options that the version lacks are refused by name, and the connection goes on", async (t) => {
  const server = await serve(t, wellBehaved());
  const client = await connect(t, server);
  for (const options of [{ keyspace: "k" }, { nowInSeconds: 1 }]) {
    const error = await failure(client.execute("SELECT 1", [], options));
    assert.equal(error.code, "CQL_ENCODE");
    assert.match(error.message, /keyspace|now_in_seconds/);
  }
  assert.equal((await failure(client.prepare(INSERT, { keyspace: "k" }))).code, "CQL_ENCODE");
  await client.execute("SELECT 1");
  assert.equal(server.of("QUERY").length, 1);
  const v3 = await serve(t, (request, send) => {
    if (request.opcode === "OPTIONS") send(SUPPORTED.replace("84", "83"));
    if (request.opcode === "STARTUP") send("83 00 SS SS 02 00 00 00 00");
  });
  const old = await connect(t, v3, { protocolVersion: 3 });
  assert.equal((await failure(old.execute("SELECT 1", [], { customPayload: { k: null } }))).code, "CQL_ENCODE");
});
