// Which answer belongs to which request, and what becomes of requests when clock, signal or socket end them: against a scripted server,
// in v4.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { Socket } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import { Client } from "cqlwire/client";
import { ROW_42, ROW_43, VOID, bytes, serve } from "./scripted-server.mjs";

async function connect(t, server, options = {}) {
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4, ...options });
  t.after(() => client.close({ timeout: 1 }));
  return client;
}
const failure = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Answers a request that was kept. */
const reply = ({ socket, stream }, hex) => socket.write(bytes(hex, stream));
const SELECT = "SELECT c FROM k.t";
const INSERT = "INSERT INTO k.t (c) VALUES (1)";

test("a stream is not used again before its answer came, however late (apache/cassandra-python-driver#1114)", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const late = await failure(client.execute(SELECT, [], { timeout: 20 }));
  assert.equal(late.code, "CQL_TIMEOUT_CLIENT");
  assert.match(late.message, /no answer from 127\.0\.0\.1:\d+ within 20 ms: the server may still work on it/);
  assert.equal(late.mayBeApplied, false);
  const second = client.execute(SELECT);
  const [first, other] = await server.seen("QUERY", 2);
  assert.notEqual(first.stream, other.stream);
  reply(first, ROW_42); // the late answer goes nowhere
  reply(other, ROW_43);
  assert.deepEqual((await second).rows, [{ c: 43 }]);
  const third = client.execute(SELECT);
  const [, , last] = await server.seen("QUERY", 3);
  assert.ok([first.stream, other.stream].includes(last.stream), "answered streams are used again");
  reply(last, VOID);
  assert.equal((await third).length, 0);
});

test("a late Set_keyspace is still true of the connection", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  await failure(client.execute("USE my", [], { timeout: 20 }));
  reply((await server.seen("QUERY"))[0], "84 00 SS SS 08 00 00 00 08  00 00 00 03 00 02 6d 79");
  while (client.keyspace === null) await sleep(1);
  assert.equal(client.keyspace, "my");
});

test("stream 0 is never a query's, and an ERROR on it ends the connection with the server's words", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const pending = [client.execute(SELECT), client.execute(INSERT)].map(failure);
  const queries = await server.seen("QUERY", 2);
  assert.ok(queries.every(({ stream }) => stream > 0));
  queries[0].socket.write(bytes("84 00 00 00 00 00 00 00 09  00 00 00 0a 00 03 62 61 64")); // PROTOCOL_ERROR "bad"
  const [read, write] = await Promise.all(pending);
  assert.deepEqual([read.code, read.mayBeApplied, read.cause.code], ["CQL_CONNECTION_CLOSED", false, "CQL_PROTOCOL_ERROR"]);
  assert.match(write.message, /an error of the connection: bad; the request may have been applied/);
  assert.equal(write.mayBeApplied, true);
  assert.equal(client.isClosed, true);
  assert.equal((await failure(client.execute(SELECT))).code, "CQL_CONNECTION_CLOSED");
});

for (const [name, hex] of [
  ["a stream that was never used", VOID.replace("SS SS", "00 63")],
  ["a negative stream that is no event", VOID.replace("SS SS", "ff fe")],
  ["a stream that was answered already", VOID + VOID],
]) {
  test(`an answer on ${name} ends the connection`, async (t) => {
    const server = await serve(t);
    const client = await connect(t, server);
    const pending = Promise.allSettled([client.execute(SELECT), client.execute(SELECT)]);
    const [query] = await server.seen("QUERY", 2);
    reply(query, hex.replace("SS SS", query.stream.toString(16).padStart(4, "0")));
    const rejected = (await pending).filter(({ status }) => status === "rejected");
    assert.equal(rejected.at(-1).reason.code, "CQL_CONNECTION_CLOSED");
    assert.equal(rejected.at(-1).reason.cause.code, "CQL_PROTOCOL");
  });
}

test("events, also unknown ones, are no answers", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const pending = client.execute(SELECT);
  const [query] = await server.seen("QUERY");
  reply(query, "84 00 ff ff 0c 00 00 00 04  00 02 4e 4f" + ROW_42); // EVENT "NO"
  assert.deepEqual((await pending).rows, [{ c: 42 }]);
});

test("answers in any order and any pieces", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const pending = [client.execute(SELECT), client.execute(SELECT), client.execute(INSERT)];
  const [a, b, c] = await server.seen("QUERY", 3);
  const stream = Buffer.concat([bytes(VOID, c.stream), bytes(ROW_43, b.stream), bytes(ROW_42, a.stream)]);
  for (const byte of stream) {
    a.socket.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  assert.deepEqual((await Promise.all(pending)).map(({ rows }) => rows), [[{ c: 42 }], [{ c: 43 }], []]);
});

test("an answer that cannot be read concerns its request alone", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const bad = failure(client.execute(SELECT));
  const good = client.execute(SELECT);
  const [first, second] = await server.seen("QUERY", 2);
  reply(first, "84 00 SS SS 08 00 00 00 06  00 00 00 02 00 00"); // Rows, cut
  reply(second, ROW_42);
  assert.equal((await bad).code, "CQL_DECODE");
  assert.deepEqual((await good).rows, [{ c: 42 }]);
});

for (const [name, end] of [
  ["a reset", (socket) => socket.resetAndDestroy()],
  ["FIN", (socket) => socket.end()],
  ["half an answer and FIN", (socket, query) => socket.end(bytes(ROW_42, query.stream).subarray(0, 30))],
  ["bytes that are not CQL", (socket) => socket.write(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"))],
]) {
  test(`${name}: every request is rejected once, and says whether it may have been applied`, async (t) => {
    const server = await serve(t);
    const client = await connect(t, server, { maxInFlight: 3 });
    const settled = [0, 0, 0, 0];
    const pending = [SELECT, INSERT, INSERT, INSERT].map((query, i) => failure(client.execute(query)).finally(() => settled[i]++));
    const [query] = await server.seen("QUERY", 3);
    end(query.socket, query);
    const errors = await Promise.all(pending);
    await sleep(20);
    assert.deepEqual(settled, [1, 1, 1, 1]);
    assert.ok(errors.every(({ code }) => code === "CQL_CONNECTION_CLOSED"));
    assert.deepEqual(errors.map(({ mayBeApplied }) => mayBeApplied), [false, true, true, false]);
    assert.match(errors[3].message, /the request was not sent/);
    assert.equal(client.isClosed, true);
  });
}

test("an AbortSignal rejects at once and says what may happen; one signal may serve many calls", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server, { maxInFlight: 2 });
  const controller = new AbortController();
  const { signal } = controller;
  const pending = [SELECT, INSERT, INSERT].map((query) => failure(client.execute(query, [], { signal })));
  const [first, second] = await server.seen("QUERY", 2);
  const reason = new Error("enough");
  controller.abort(reason);
  const errors = await Promise.all(pending);
  assert.equal(controller.signal.aborted, true);
  assert.ok(errors.every(({ code, cause }) => code === "CQL_ABORTED" && cause === reason));
  assert.deepEqual(errors.map(({ message }) => message), [
    "aborted: the server may still work on it",
    "aborted: the server may still apply it",
    "aborted: it was not sent",
  ]);
  assert.equal((await failure(client.execute(SELECT, [], { signal }))).message, "aborted: it was not sent");
  reply(first, ROW_42);
  reply(second, VOID);
  const after = client.execute(SELECT);
  const [, , third] = await server.seen("QUERY", 3);
  reply(third, ROW_43);
  assert.deepEqual((await after).rows, [{ c: 43 }]);
  assert.equal(server.of("QUERY").length, 3, "the one that waited was never sent");
});

test("a thousand calls may share a signal without a warning of a leak", async (t) => {
  const server = await serve(t, (request, send) => void (request.opcode === "QUERY" && send(VOID)));
  const client = await connect(t, server);
  const warnings = [];
  const warn = (warning) => warnings.push(warning);
  process.on("warning", warn);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 1000 }, () => client.execute(SELECT, [], { signal })));
  await sleep(1);
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a request that was given up takes nobody's turn, but 256 of them end the connection", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server, { maxInFlight: 2 });
  const lost = Array.from({ length: 100 }, () => failure(client.execute(SELECT, [], { timeout: 60 })));
  const live = client.execute("SELECT c FROM k.live");
  for (const { code } of await Promise.all(lost)) assert.equal(code, "CQL_TIMEOUT_CLIENT");
  let query;
  while (!(query = server.of("QUERY").find(({ body }) => body.includes("live")))) await sleep(1);
  reply(query, ROW_42);
  assert.deepEqual((await live).rows, [{ c: 42 }]);

  const other = await connect(t, server, { maxInFlight: 300 });
  const before = server.of("QUERY").length;
  const waiting = [other.execute(SELECT), other.execute(INSERT)].map(failure);
  let givenUp = 0;
  while (!other.isClosed) {
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 16 }, () => failure(other.execute(SELECT, [], { signal })));
    givenUp += 16;
    await server.seen("QUERY", before + 2 + givenUp); // sent, so that their streams are taken
    controller.abort();
    await Promise.all(calls);
    await sleep(1);
  }
  assert.equal(givenUp, 256);
  for (const error of await Promise.all(waiting)) assert.match(error.message, /256 requests that were given up are still unanswered/);
});

test("requests beyond maxInFlight wait, those beyond maxQueued are refused", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server, { maxInFlight: 1, maxQueued: 1 });
  const first = client.execute(SELECT);
  const second = client.execute(SELECT);
  const refused = await failure(client.execute(SELECT));
  assert.equal(refused.code, "CQL_QUEUE_FULL");
  assert.match(refused.message, /maxInFlight, maxQueued/);
  const [query] = await server.seen("QUERY");
  await sleep(20);
  assert.equal(server.of("QUERY").length, 1);
  reply(query, ROW_42);
  assert.deepEqual((await first).rows, [{ c: 42 }]);
  reply((await server.seen("QUERY", 2))[1], ROW_43);
  assert.deepEqual((await second).rows, [{ c: 43 }]);
});

test("requests of one tick are one write, also those that answers set off", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const { write } = Socket.prototype;
  const sizes = [];
  t.mock.method(Socket.prototype, "write", function (data, ...rest) {
    if (this.remotePort === Number(server.contactPoint.split(":")[1])) sizes.push(data.length);
    return write.call(this, data, ...rest);
  });
  const twice = async () => (await client.execute(SELECT), client.execute(SELECT));
  const all = Promise.all(Array.from({ length: 50 }, twice));
  const queries = await server.seen("QUERY", 50);
  queries[0].socket.write(Buffer.concat(queries.map(({ stream }) => bytes(VOID, stream))));
  for (const query of (await server.seen("QUERY", 100)).slice(50)) reply(query, VOID);
  await all;
  assert.equal(sizes.length, 2);
});

test("a server that does not read holds requests back, not megabytes in memory; nothing is lost or doubled", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "OPTIONS") t.after(() => request.socket.resume());
    if (request.opcode === "STARTUP") setImmediate(() => request.socket.pause());
    if (request.opcode === "QUERY") send(VOID);
  });
  const client = await connect(t, server);
  let most = 0;
  const { write } = Socket.prototype;
  t.mock.method(Socket.prototype, "write", function (...args) {
    const result = write.apply(this, args);
    most = Math.max(most, this.writableLength);
    return result;
  });
  await sleep(20);
  const texts = Array.from({ length: 100 }, (_, i) => Buffer.alloc(300_000, i));
  const all = Promise.all(texts.map((text) => client.execute("INSERT", [text], { prepare: false })));
  await sleep(50);
  assert.ok(most < 3_000_000, `${most} bytes waited in the socket`);
  server.sockets[0].resume();
  await all;
  const received = server.of("QUERY").map(({ body }) => body);
  assert.equal(received.length, 100);
  for (const text of texts) assert.ok(received.some((body) => body.includes(text.subarray(0, 100)) && body.length > 300_000));
});

test("close waits for what runs, refuses what is new, and is done once", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  const running = client.execute(SELECT);
  const [query] = await server.seen("QUERY");
  const closed = client.close();
  assert.equal(client.close(), closed);
  assert.equal(client.isClosed, true);
  assert.equal((await failure(client.execute(SELECT))).code, "CQL_CLIENT_CLOSED");
  assert.equal((await failure(client.pages(SELECT).next())).code, "CQL_CLIENT_CLOSED");
  const start = performance.now();
  reply(query, ROW_42);
  await closed;
  assert.ok(performance.now() - start < 2_000, "not until the time is up");
  assert.deepEqual((await running).rows, [{ c: 42 }]);
});

test("close ends within its bound: requests without an answer, a server that keeps its side open", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  server.sockets[0].keepsHalfOpen = true;
  const running = failure(client.execute(INSERT));
  await server.seen("QUERY");
  const start = performance.now();
  await client.close({ timeout: 50 });
  const took = performance.now() - start;
  assert.ok(took >= 45 && took < 2_000, `${took} ms`);
  const error = await running;
  assert.deepEqual([error.code, error.mayBeApplied], ["CQL_CONNECTION_CLOSED", true]);
});

test("await using, and a client that is not closed by name", { skip: !Symbol.asyncDispose }, async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  await client[Symbol.asyncDispose]();
  assert.equal(client.isClosed, true);
});

test("the process ends by itself after close", async (t) => {
  const server = await serve(t, (request, send) => void (request.opcode === "QUERY" && send(VOID)));
  const program = `(async () => {
    const { Client } = await import("cqlwire/client");
    const client = await Client.connect({ contactPoints: ["${server.contactPoint}"], protocolVersion: 4 });
    await client.execute("SELECT 1");
    await client.close();
  })()`;
  const start = performance.now();
  await promisify(execFile)(process.execPath, ["-e", program], { cwd: import.meta.dirname, timeout: 10_000 });
  assert.ok(performance.now() - start < 5_000, "no timer holds it");
});
