// Where codecs and drivers went wrong, under the ids of `tests/protocol_cases/main.rs`: the cases that have a side in JavaScript or need
// sockets. Each begins with the report's own bytes.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { Codec, LocalDate, decodeValue, encodeValue, unset } from "cqlwire";
import { Client } from "cqlwire/client";
import { preparedFrame } from "./prepared-frame.mjs";
import { ROW_42, ROW_43, VOID, bytes, serve } from "./scripted-server.mjs";

const hex = (data) => (data === null ? null : Buffer.from(data).toString("hex"));
const established = (version, compression = "none") => new Codec({ version, established: { compression } });
const failure = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error);
const refused = (code, run) => assert.throws(run, { code });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function connect(t, server, options = {}) {
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4, ...options });
  t.after(() => client.close({ timeout: 1 }));
  return client;
}
const INT = { kind: "int", of: [] };
const TEXT = { kind: "text", of: [] };
const FRM_1 = "84 0e 00 01 08 00 00 00 23 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 00 01 77 00 01 00 01 6b 00 00 00 01 ff 00 00 00 01";

test("T11: a client is ready after AUTH_SUCCESS, and not before", async (t) => {
  let answer;
  const server = await serve(t, (request, send) => {
    if (request.opcode === "STARTUP") send("84 00 SS SS 03 00 00 00 05  00 03 78 2e 50");
    if (request.opcode !== "AUTH_RESPONSE") return false;
    answer = () => send("84 00 SS SS 10 00 00 00 04  ff ff ff ff");
    return true;
  });
  let isReady = false;
  const connecting = connect(t, server, { credentials: { username: "u", password: "p" } }).finally(() => (isReady = true));
  await server.seen("AUTH_RESPONSE");
  await sleep(20);
  assert.equal(isReady, false);
  answer();
  assert.equal((await connecting).isClosed, false);
});

test("T12: the largest date is 5881580-07-11, ff ff ff ff", () => {
  assert.equal(hex(encodeValue("date", "+5881580-07-11")), "ffffffff");
  refused("CQL_VALUE", () => LocalDate.from("+5881580-07-12"));
  refused("CQL_VALUE", () => LocalDate.from("-5877641-06-22"));
});

test("FRM-2: every cut of a stream gives each message once", () => {
  const prepared = preparedFrame(4, 2, Buffer.of(0xaa), [INT]);
  const change = bytes("84 00 ff ff 0c 00 00 00 26  00 0d 53 43 48 45 4d 41 5f 43 48 41 4e 47 45  00 07 43 52 45 41 54 45 44  00 08 4b 45 59 53 50 41 43 45  00 02 6b 73");
  const stream = Buffer.concat([bytes(FRM_1), prepared, change]);
  const expected = [
    { stream: 1, opcode: "RESULT", kind: "Void", tracingId: "00010203-0405-0607-0809-0a0b0c0d0e0f", warnings: ["w"], customPayload: { k: Uint8Array.of(0xff) } },
    "Prepared",
    { stream: -1, opcode: "EVENT", eventType: "SCHEMA_CHANGE", changeType: "CREATED", target: "KEYSPACE", keyspace: "ks" },
  ];
  const shown = (messages) => messages.map((message) => (message.kind === "Prepared" ? "Prepared" : { ...message, ...(message.customPayload && { customPayload: { ...message.customPayload } }) }));
  for (let at = 0; at <= stream.length; at++) {
    const codec = established(4);
    assert.deepEqual(shown([...codec.feed(stream.subarray(0, at)), ...codec.feed(stream.subarray(at))]), expected, `cut at ${at}`);
  }
  const codec = established(4);
  assert.deepEqual(shown([...stream].flatMap((byte) => codec.feed(Uint8Array.of(byte)))), expected);
});

test("FRM-5: [short] counts UTF-8 bytes, and what is larger leaves nothing behind", () => {
  const codec = established(4);
  const fits = "é".repeat(32_767); // 65,534 bytes
  const written = codec.encode({ opcode: "REGISTER", eventTypes: [fits] }, 1);
  assert.equal(hex(written.subarray(9, 13)), "0001fffe");
  refused("CQL_ENCODE", () => codec.encode({ opcode: "REGISTER", eventTypes: [`${fits}é`] }, 1)); // 32,768 characters, 65,536 bytes
  refused("CQL_ENCODE", () => codec.encode({ opcode: "QUERY", query: "q", params: Array(65_536).fill(null) }, 1));
  const [prepared] = codec.feed(preparedFrame(4, 1, Buffer.of(0xaa), []));
  const batch = (count) => codec.encode({ opcode: "BATCH", statements: Array(count).fill({ prepared }) }, 1);
  assert.equal(hex(batch(40_000).subarray(10, 12)), "9c40");
  refused("CQL_OPTION", () => batch(65_536));
  assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 1)), "040000010500000000");
});

test("META-1: rows without metadata are read with the columns of PREPARED only if there are as many", () => {
  const codec = established(4);
  const [prepared] = codec.feed(preparedFrame(4, 1, Buffer.of(0xaa), [], [INT]));
  const rows = (stream, count) => bytes(`84 00 00 0${stream} 08 00 00 00 ${count === 1 ? "18" : "20"} 00 00 00 02 00 00 00 04 00 00 00 0${count} 00 00 00 01 ${"00 00 00 04 00 00 00 2a".repeat(count)}`);
  for (const stream of [1, 2]) codec.encode({ opcode: "EXECUTE", prepared, skipMetadata: true }, stream);
  const [two, one] = [...codec.feed(rows(1, 2)), ...codec.feed(rows(2, 1))];
  assert.equal(two.error.code, "CQL_DECODE");
  assert.deepEqual(one.rows, [{ r0: 42 }]);
});

test("META-2: new columns come with a new id and replace the snapshot as a whole; a request keeps the one it was made with", () => {
  const codec = new Codec({ version: 5 }); // before STARTUP nothing is in segments
  const [old] = codec.feed(preparedFrame(5, 1, Buffer.of(0xaa), [], [TEXT]));
  for (const stream of [1, 2, 3]) codec.encode({ opcode: "EXECUTE", prepared: old, skipMetadata: true }, stream);
  const changed = "00 00 00 02 00 00 00 09 00 00 00 01 00 02 ab cd 00 01 6b 00 01 74 00 01 63 00 09 00 00 00 01 00 00 00 04 00 00 00 2a";
  const paged = "00 00 00 02 00 00 00 0b 00 00 00 01 00 00 00 02 01 02 00 02 ab cd 00 01 6b 00 01 74 00 01 63 00 09 00 00 00 00";
  const answer = (stream, body) => codec.feed(bytes(`85 00 00 0${stream} 08 ${(body.replaceAll(" ", "").length / 2).toString(16).padStart(8, "0")} ${body}`))[0];
  const rows = answer(1, changed);
  assert.deepEqual([rows.rows, hex(rows.newMetadataId)], [[{ c: 42 }], "abcd"]);
  assert.deepEqual([hex(rows.prepared.resultMetadataId), rows.prepared.result.map(({ name }) => name)], ["abcd", ["c"]]);
  assert.deepEqual([hex(old.resultMetadataId), old.result[0].type.text], ["bbbb", "text"]);
  assert.ok(Object.isFrozen(rows.prepared) && Object.isFrozen(old));
  // An answer to a request of before, with the old columns.
  assert.deepEqual(answer(2, "00 00 00 02 00 00 00 04 00 00 00 01 00 00 00 01 00 00 00 01 78").rows, [{ r0: "x" }]);
  const both = answer(3, paged);
  assert.deepEqual([hex(both.pagingState), hex(both.newMetadataId)], ["0102", "abcd"]);
  assert.equal("pagingState" in rows.prepared, false, "a paging state is not cached");
});

const REFUSAL = (version) => `${version} 00 SS SS 00 00 00 00 08  00 00 00 0a 00 02 6e 6f`;
test("NEG-1: a lower version is tried on a new connection, whatever version the refusal is in", async (t) => {
  for (const [byte, tried] of [["85", [5, 4]], ["84", [5, 4]], ["83", [5, 3]]]) {
    const highest = tried.at(-1);
    const server = await serve(t, (request, send) => {
      if (request.version > highest) send(REFUSAL(byte));
      else if (request.opcode === "OPTIONS") send(`8${request.version} 00 SS SS 06 00 00 00 02  00 00`);
      else if (request.opcode === "STARTUP") send(`8${request.version} 00 SS SS 02 00 00 00 00`);
      return true;
    });
    const client = await connect(t, server, { protocolVersion: undefined });
    assert.equal(client.protocolVersion, highest);
    assert.deepEqual(server.of("OPTIONS").map(({ version, connection }) => [version, connection]), tried.map((version, index) => [version, index]));
  }
  const none = await serve(t, (request, send) => send(REFUSAL("85")));
  assert.equal((await failure(connect(t, none, { protocolVersion: undefined }))).code, "CQL_NO_HOST");
  assert.deepEqual(none.requests.map(({ version }) => version), [5, 4, 3], "v3 is the floor");
});

test("NEG-3: a token is one [bytes]; null and empty differ; the last one is offered", async (t) => {
  const tokens = ["ff ff ff ff", "00 00 00 00", "00 00 00 01 07"];
  const server = await serve(t, (request, send) => {
    if (request.opcode === "STARTUP") send("84 00 SS SS 03 00 00 00 05  00 03 78 2e 50");
    if (request.opcode !== "AUTH_RESPONSE") return;
    const round = server.of("AUTH_RESPONSE").length - 1;
    send(`84 00 SS SS ${round === 2 ? "10" : "0e"} 00 00 00 ${round === 2 ? "05" : "04"} ${tokens[round]}`);
  });
  const heard = [];
  const credentials = { username: "cassandra", password: "cassandra" };
  await connect(t, server, {
    authenticator: {
      start: () => Buffer.from(`\0${credentials.username}\0${credentials.password}`),
      challenge: (token) => (heard.push(token), token),
      success: (token) => void heard.push(token),
    },
  });
  assert.deepEqual(heard, [null, new Uint8Array(), Uint8Array.of(7)]);
  const body = "0000001400636173 73616e64726100636173 73616e647261".replaceAll(" ", "");
  assert.deepEqual(server.of("AUTH_RESPONSE").map((request) => hex(request.body)), [body, "ffffffff", "00000000"]);
});

test("NUM-3: dates have their own calendar, of all 2^32 days", () => {
  for (const [cell, text] of [["80004733", "2019-11-27"], ["80000000", "1970-01-01"], ["7fffffff", "1969-12-31"], ["00000000", "-5877641-06-23"], ["ffffffff", "+5881580-07-11"]]) {
    const date = decodeValue("date", Buffer.from(cell, "hex"));
    assert.equal(String(date), text);
    assert.equal(hex(encodeValue("date", date)), cell);
    assert.equal(hex(encodeValue("date", text)), cell);
  }
  // No time zone enters: midnight UTC is the day, whatever the process's zone; any other time of day is none.
  assert.equal(hex(encodeValue("date", new Date("2019-11-27T00:00:00Z"))), "80004733");
  refused("CQL_ENCODE", () => encodeValue("date", new Date("2019-11-27T00:00:01Z")));
});

test("NUM-5: 64-bit numbers are BigInt, a number is taken only while it is one integer, and nothing is guessed", () => {
  for (const type of ["bigint", "counter"]) {
    for (const [cell, value] of [["0020000000000001", 2n ** 53n + 1n], ["8000000000000000", -(2n ** 63n)]]) {
      assert.equal(decodeValue(type, Buffer.from(cell, "hex")), value);
      assert.equal(hex(encodeValue(type, value)), cell);
    }
    assert.equal(hex(encodeValue(type, Number.MAX_SAFE_INTEGER)), "001fffffffffffff");
    for (const value of [1.5, 2 ** 53, NaN, Infinity, 2n ** 63n, -(2n ** 63n) - 1n]) refused("CQL_ENCODE", () => encodeValue(type, value));
  }
  for (const [type, value] of [["int", 2 ** 31], ["int", -(2 ** 31) - 1], ["int", 1.5], ["smallint", 32768], ["tinyint", 128], ["tinyint", -129], ["int", 2n ** 31n]]) {
    refused("CQL_ENCODE", () => encodeValue(type, value));
  }
  for (const value of [1, 1n, "a", true, [1]]) refused("CQL_PARAMS", () => established(4).encode({ opcode: "QUERY", query: "q", params: [value] }, 1));
});

test("VAL-2: null in a collection is -1; undefined, a hole and unset are errors", () => {
  assert.equal(hex(encodeValue("list<text>", ["hello", null])), "000000020000000568656c6c6fffffffff");
  const map = new Map([[16, null], [null, 2]]);
  assert.equal(hex(encodeValue("map<tinyint, smallint>", map)), "000000020000000110ffffffffffffffff000000020002");
  assert.deepEqual([...decodeValue("map<tinyint, smallint>", Buffer.from("000000020000000110ffffffffffffffff000000020002", "hex"))], [...map]);
  assert.equal(hex(encodeValue("tuple<int, text>", [null, ""])), "ffffffff00000000");
  for (const value of [[undefined], Array(1), [unset]]) refused("CQL_ENCODE", () => encodeValue("list<int>", value));
  refused("CQL_ENCODE", () => encodeValue("map<text, int>", { a: undefined }));
});

test("CON-1: a stream is free once its answer came, not when its caller gave up", async (t) => {
  for (const giveUp of ["timeout", "signal"]) {
    const server = await serve(t);
    const client = await connect(t, server);
    const controller = new AbortController();
    const first = failure(client.execute("SELECT 1", [], giveUp === "timeout" ? { timeout: 20 } : { signal: controller.signal }));
    await server.seen("QUERY");
    controller.abort();
    await first;
    const second = client.execute("SELECT 2");
    const [one, two] = await server.seen("QUERY", 2);
    assert.notEqual(one.stream, two.stream);
    one.socket.write(Buffer.concat([bytes(ROW_42, one.stream), bytes(ROW_43, two.stream)]));
    assert.deepEqual((await second).rows, [{ c: 43 }]);
    assert.equal(client.isClosed, false);
  }
  const server = await serve(t);
  const client = await connect(t, server);
  const pending = failure(client.execute("SELECT 1"));
  const [query] = await server.seen("QUERY");
  query.socket.write(bytes(VOID, query.stream + 7)); // nobody asked
  assert.equal((await pending).code, "CQL_CONNECTION_CLOSED");
});

test("CON-2: when a socket ends, every request is rejected once, and half an answer is none", async (t) => {
  for (const [end, bytesOf] of [["FIN", 0], ["FIN in a frame", 30], ["reset", 0]]) {
    const server = await serve(t);
    const client = await connect(t, server);
    let settled = 0;
    const pending = ["SELECT 1", "INSERT", "INSERT"].map((query) => failure(client.execute(query)).finally(() => settled++));
    const [query] = await server.seen("QUERY", 3);
    if (end === "reset") query.socket.resetAndDestroy();
    else query.socket.end(bytes(ROW_42, query.stream).subarray(0, bytesOf));
    const errors = await Promise.all(pending);
    await sleep(10);
    assert.equal(settled, 3, end);
    assert.deepEqual(errors.map(({ code, mayBeApplied }) => [code, mayBeApplied]), [false, true, true].map((may) => ["CQL_CONNECTION_CLOSED", may]), end);
  }
  // A server that does not acknowledge our half-close: close ends all the same.
  const server = await serve(t);
  const client = await connect(t, server);
  server.sockets[0].keepsHalfOpen = true;
  const running = failure(client.execute("INSERT"));
  await server.seen("QUERY");
  const start = performance.now();
  await client.close({ timeout: 50 });
  assert.ok(performance.now() - start < 2_000);
  assert.equal((await running).mayBeApplied, true);
});

test("CON-3: large requests to slow readers arrive whole, in order and at their own server; chunks may be views", async (t) => {
  // Two clients and two servers, each of which reads in gulps and answers each request's text.
  const servers = await Promise.all([0, 1].map(() => serve(t, (request, send) => {
    if (request.opcode !== "QUERY") return;
    request.socket.pause();
    setTimeout(() => request.socket.resume(), 5);
    send(VOID);
  })));
  const clients = await Promise.all(servers.map((server) => connect(t, server)));
  const sizes = [100_000, 2_000_000, 131_072, 1, 700_001];
  const texts = servers.map((_, server) => sizes.map((size, index) => `${server}${index}`.padEnd(size, `${server}${index}☃`)));
  await Promise.all(clients.flatMap((client, server) => texts[server].map((text) => client.execute(text))));
  for (const [index, server] of servers.entries()) {
    const received = server.of("QUERY").map(({ body }) => body.subarray(4, 4 + body.readInt32BE(0)).toString());
    assert.deepEqual(received.map((text) => text.length), texts[index].map((text) => text.length));
    assert.ok(received.every((text, at) => text === texts[index][at]), "byte for byte");
  }
  // cloudamqp/amqp-client.js#256: a chunk that begins inside a larger buffer, which is filled anew after the call.
  const codec = established(4);
  const pool = Buffer.alloc(200, 0xee);
  bytes(ROW_42, 7).copy(pool, 33);
  const [rows] = codec.feed(pool.subarray(33, 33 + bytes(ROW_42).length));
  pool.fill(0);
  assert.deepEqual([rows.stream, rows.rows], [7, [{ c: 42 }]]);
});

test("CON-3: what a socket hands over in views of one buffer is read before the next", async (t) => {
  // A server that cuts its answers into single bytes and pairs, so that every chunk is small and shares the socket's pool.
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", async (data) => {
      for (let at = 0; at + 9 <= data.length; at += 9 + data.readUInt32BE(at + 5)) {
        const stream = data.readInt16BE(at + 2);
        const answer = { 5: "84 00 SS SS 06 00 00 00 02 00 00", 1: "84 00 SS SS 02 00 00 00 00" }[data[at + 4]] ?? ROW_42;
        const frame = bytes(answer, stream);
        for (let byte = 0; byte < frame.length; byte += 2) socket.write(frame.subarray(byte, byte + 2));
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const client = await connect(t, { contactPoint: `127.0.0.1:${server.address().port}` });
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.execute("SELECT c FROM k.t")));
  assert.deepEqual(answers.map(({ rows }) => rows), Array(20).fill([{ c: 42 }]));
});

test("WSM-1: what was decoded stays as it was when memory grows", () => {
  const codec = established(4);
  const frame = (size, fill) => {
    const head = bytes("00 00 00 02 00 00 00 01 00 00 00 01 00 01 6b 00 01 74 00 01 62 00 03 00 00 00 01");
    const lengths = [9, 4].map(() => Buffer.alloc(4));
    lengths[0].writeUInt32BE(head.length + 4 + size);
    lengths[1].writeUInt32BE(size);
    return Buffer.concat([bytes("84 00 00 01 08"), lengths[0], head, lengths[1], Buffer.alloc(size, fill)]);
  };
  const [small] = codec.feed(frame(64, 0xab));
  const kept = [small.columns[0].values, small.columns[0].at(0), small.rows[0].b];
  const request = codec.encode({ opcode: "PREPARE", query: "q" }, 1);
  const [large] = codec.feed(frame(64 << 20, 0xcd));
  assert.equal(large.columns[0].values.length, 64 << 20);
  codec.encode({ opcode: "PREPARE", query: "x".repeat(32 << 20) }, 1);
  for (const view of kept) assert.equal(hex(view), "ab".repeat(64));
  assert.equal(hex(request), "04000001090000000500000001" + "71");
  assert.equal(large.columns[0].values[(64 << 20) - 1], 0xcd);
});
