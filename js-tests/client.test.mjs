// The client's way in, against a scripted server: options, versions, compression, authentication.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { Client, CqlError } from "cqlwire/client";
import { READY, bytes, serve } from "./scripted-server.mjs";

/** Connects for one test. */
async function connect(t, server, options = {}) {
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4, ...options });
  t.after(() => client.close());
  return client;
}
const failure = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error);
/** The entries of a STARTUP's [string map]. */
function startupOptions({ body }) {
  const entries = [];
  let at = 2;
  const string = () => body.toString("utf8", at + 2, (at += 2 + body.readUInt16BE(at)));
  for (let i = 0; i < body.readUInt16BE(0); i++) entries.push([string(), string()]);
  return Object.fromEntries(entries);
}
// v4, stream SS SS; the bodies are [string multimap] COMPRESSION → a list.
const SUPPORTED_BOTH = "84 00 SS SS 06 00 00 00 1e  00 01 00 0b 43 4f 4d 50 52 45 53 53 49 4f 4e  00 02 00 06 73 6e 61 70 70 79 00 03 6c 7a 34";
const SUPPORTED_SNAPPY = "84 00 SS SS 06 00 00 00 19  00 01 00 0b 43 4f 4d 50 52 45 53 53 49 4f 4e  00 01 00 06 73 6e 61 70 70 79";
/** AUTHENTICATE by "x.P" */
const AUTHENTICATE = "84 00 SS SS 03 00 00 00 05  00 03 78 2e 50";
const AUTH_SUCCESS_NULL = "84 00 SS SS 10 00 00 00 04  ff ff ff ff";

test("handshake: OPTIONS, STARTUP, nothing else", async (t) => {
  const server = await serve(t);
  const client = await connect(t, server);
  assert.deepEqual(server.requests.map((request) => request.opcode), ["OPTIONS", "STARTUP"]);
  assert.deepEqual(server.requests[0].frame, bytes("04 00 00 00 05 00 00 00 00"));
  const { DRIVER_VERSION: version, ...options } = startupOptions(server.requests[1]);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(options, { CQL_VERSION: "3.0.0", DRIVER_NAME: "cqlwire" });
  assert.equal(client.address, server.contactPoint);
  assert.deepEqual([client.protocolVersion, client.compression, client.keyspace, client.isClosed], [4, "none", null, false]);
});

test("the keyspace is quoted, and known once the server confirms it", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "QUERY") send("84 00 SS SS 08 00 00 00 08  00 00 00 03 00 02 4d 79"); // Set_keyspace My
  });
  const client = await connect(t, server, { keyspace: 'My"ks' });
  const [{ body }] = server.of("QUERY");
  assert.equal(body.toString("utf8", 4, 4 + body.readInt32BE(0)), 'USE "My""ks"');
  assert.equal(client.keyspace, "My");
});

// ERROR 0x000A "no", as a server says that it lacks a version: with that version's byte, or with ours (apache/cassandra-java-driver#790).
const refusal = (version) => `${version} 00 SS SS 00 00 00 00 08  00 00 00 0a 00 02 6e 6f`;
for (const { byte, highest, on, tried } of [
  { byte: "85", highest: 4, on: "OPTIONS", tried: [5, 4] },
  { byte: "84", highest: 4, on: "OPTIONS", tried: [5, 4] },
  { byte: "83", highest: 3, on: "OPTIONS", tried: [5, 3] },
  { byte: "85", highest: 3, on: "OPTIONS", tried: [5, 4, 3] },
  { byte: "86", highest: 4, on: "OPTIONS", tried: [5, 4] },
  { byte: "85", highest: 4, on: "STARTUP", tried: [5, 4] },
  { byte: "84", highest: 4, on: "STARTUP", tried: [5, 4] },
]) {
  test(`a v${highest} server that refuses v5's ${on} in version 0x${byte}: ${tried.join(", ")}`, async (t) => {
    const server = await serve(t, (request, send) => {
      const version = request.version.toString(16).padStart(2, "0").replace("0", "8");
      if (request.version > highest && request.opcode === on) return send(refusal(byte)), true;
      if (request.opcode === "OPTIONS") send(`${version} 00 SS SS 06 00 00 00 02  00 00`);
      if (request.opcode === "STARTUP") send(`${version} 00 SS SS 02 00 00 00 00`);
      return true;
    });
    const client = await connect(t, server, { protocolVersion: undefined });
    assert.equal(client.protocolVersion, highest);
    assert.deepEqual(server.of("OPTIONS").map((request) => request.version), tried);
    assert.equal(server.sockets.length, tried.length, "each version on a new connection");
  });
}

test("no version is low enough: each is tried once, and the error says what the server said", async (t) => {
  const server = await serve(t, (request, send) => send(refusal("85")));
  const error = await failure(connect(t, server, { protocolVersion: undefined }));
  assert.deepEqual(server.requests.map((request) => request.version), [5, 4, 3]);
  assert.equal(error.code, "CQL_NO_HOST");
  assert.equal(error.causes[0].error.code, "CQL_PROTOCOL_VERSION");
  assert.match(error.message, /v3: no/);
});

test("protocolVersion is not negotiated", async (t) => {
  const server = await serve(t, (request, send) => send(refusal("84")));
  const error = await failure(connect(t, server, { protocolVersion: 5 }));
  assert.equal(error.causes[0].error.code, "CQL_PROTOCOL_VERSION");
  assert.equal(server.sockets.length, 1);
});

test("a v2 server's 8-byte header is not CQL to us", async (t) => {
  const server = await serve(t, (request, send) => send("82 00 00 00 00 00 00 08 00 00 00 0a 00 02 6e 6f"));
  const error = await failure(connect(t, server));
  assert.equal(error.causes[0].error.cause.code, "CQL_FRAMING");
});

for (const { offered, options, chosen } of [
  { offered: SUPPORTED_BOTH, options: {}, chosen: "lz4" },
  { offered: SUPPORTED_SNAPPY, options: {}, chosen: "snappy" },
  { offered: SUPPORTED_BOTH, options: { compression: "snappy" }, chosen: "snappy" },
  { offered: SUPPORTED_BOTH, options: { compression: "none" }, chosen: "none" },
]) {
  test(`compression ${options.compression ?? "by default"}, ${offered === SUPPORTED_BOTH ? "lz4 and snappy" : "snappy"} offered: ${chosen}`, async (t) => {
    const server = await serve(t, (request, send) => void (request.opcode === "OPTIONS" && send(offered)));
    const client = await connect(t, server, options);
    assert.equal(client.compression, chosen);
    assert.equal(startupOptions(server.of("STARTUP")[0]).COMPRESSION ?? "none", chosen);
  });
}

test("a v5 server that offers snappy alone gets no compression", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "OPTIONS") send(SUPPORTED_SNAPPY.replace("84", "85"));
    if (request.opcode === "STARTUP") send(READY.replace("84", "85"));
  });
  const client = await connect(t, server, { protocolVersion: 5 });
  assert.equal(client.compression, "none");
});

test("compression that the server or the version lacks is an error", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "OPTIONS") send(SUPPORTED_SNAPPY.replace("84", `8${request.version}`));
  });
  const lacking = await failure(connect(t, server, { compression: "lz4" }));
  assert.equal(lacking.code, "CQL_OPTION");
  assert.match(lacking.message, /has no lz4 compression: it offers snappy/);
  const negotiated = await failure(connect(t, server, { compression: "snappy", protocolVersion: undefined }));
  assert.match(negotiated.message, /protocol v5 knows lz4 only/);
  const pinned = await failure(Client.connect({ contactPoints: ["127.0.0.1:1"], compression: "snappy", protocolVersion: 5 }));
  assert.match(pinned.message, /protocol v5 knows lz4 only/);
});

test("credentials: one [bytes] of \\0user\\0password", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "STARTUP") send(AUTHENTICATE);
    if (request.opcode === "AUTH_RESPONSE") send(AUTH_SUCCESS_NULL);
  });
  await connect(t, server, { credentials: { username: "cassandra", password: "cassandra" } });
  assert.deepEqual(server.of("AUTH_RESPONSE").map((request) => request.body), [
    bytes("00 00 00 14 00 63 61 73 73 61 6e 64 72 61 00 63 61 73 73 61 6e 64 72 61"),
  ]);
});

test("an authenticator: several rounds, null and empty tokens told apart, the last token offered", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "STARTUP") send(AUTHENTICATE);
    if (request.opcode !== "AUTH_RESPONSE") return;
    const round = server.of("AUTH_RESPONSE").length;
    if (round === 1) send("84 00 SS SS 0e 00 00 00 04  ff ff ff ff");
    if (round === 2) send("84 00 SS SS 0e 00 00 00 04  00 00 00 00");
    if (round === 3) send("84 00 SS SS 10 00 00 00 05  00 00 00 01 07");
  });
  const heard = [];
  await connect(t, server, {
    authenticator: {
      start: (name) => (heard.push(name), null),
      challenge: async (token) => (heard.push(token), token === null ? new Uint8Array() : new Uint8Array([9])),
      success: (token) => void heard.push(token),
    },
  });
  assert.deepEqual(heard, ["x.P", null, new Uint8Array(), new Uint8Array([7])]);
  assert.deepEqual(server.of("AUTH_RESPONSE").map(({ body }) => body.toString("hex")), ["ffffffff", "00000000", "0000000109"]);
});

test("authentication that fails is told as it is, at once", async (t) => {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "STARTUP") send(AUTHENTICATE);
    if (request.opcode === "AUTH_RESPONSE" && request.body.at(-1) === 0x78) send("84 00 SS SS 0e 00 00 00 04  00 00 00 00"); // "x": a challenge
    else if (request.opcode === "AUTH_RESPONSE") send("84 00 SS SS 00 00 00 00 08  00 00 01 00 00 02 6e 6f");
  });
  const points = { contactPoints: [server.contactPoint, server.contactPoint] };
  const credentials = (password) => ({ ...points, credentials: { username: "u", password } });
  const refused = await failure(connect(t, server, credentials("p")));
  assert.deepEqual([refused.code, refused.errorCode, refused.message], ["CQL_AUTHENTICATION_ERROR", 0x0100, "no"]);
  assert.equal(server.sockets.length, 1);
  assert.equal((await failure(connect(t, server, credentials("x")))).code, "CQL_CREDENTIALS");
  const none = await failure(connect(t, server, points));
  assert.equal(none.code, "CQL_CREDENTIALS");
  assert.match(none.message, /\(x\.P\)/);
  const authenticator = { start: () => Promise.reject(new Error("no ticket")), challenge: () => null };
  const own = await failure(connect(t, server, { authenticator }));
  assert.deepEqual([own.code, own.cause.message], ["CQL_CREDENTIALS", "no ticket"]);
});

/** A port of 127.0.0.1 on which nothing listens. */
async function closedPort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("the first contact point that can be reached is used; else the error has the cause of each", async (t) => {
  const server = await serve(t);
  const closed = `127.0.0.1:${await closedPort()}`;
  const client = await connect(t, server, { contactPoints: [closed, server.contactPoint] });
  assert.equal(client.address, server.contactPoint);
  const error = await failure(connect(t, server, { contactPoints: [closed, "[::1]:1"] }));
  assert.ok(error instanceof CqlError && error instanceof Error);
  assert.equal(error.code, "CQL_NO_HOST");
  assert.deepEqual(error.causes.map(({ contactPoint }) => contactPoint), [closed, "[::1]:1"]);
  assert.ok(error.causes.every((cause) => cause.error.code === "CQL_CONNECTION_CLOSED"));
  assert.equal(error.causes[0].error.cause.code, "ECONNREFUSED");
});

test("a server that does not answer, or closes, is given up", async (t) => {
  const server = await serve(t, (request) => {
    if (request.connection === 1) request.socket.end();
    return true;
  });
  const options = { contactPoints: [server.contactPoint, server.contactPoint], connectTimeout: 50 };
  const error = await failure(connect(t, server, options));
  assert.deepEqual(error.causes.map((cause) => cause.error.code), ["CQL_TIMEOUT_CLIENT", "CQL_CONNECTION_CLOSED"]);
});

test("options that are unknown or of the wrong kind are errors before anything is sent", async (t) => {
  const bad = (options) => failure(Client.connect({ contactPoints: ["127.0.0.1:1"], ...options }));
  for (const [options, text] of [
    [{ localDataCenter: "dc1" }, /Client\.connect has no option "localDataCenter": there are contactPoints, keyspace/],
    [{ constructor: 1 }, /no option "constructor"/],
    [{ contactPoints: undefined }, /needs contactPoints/],
    [{ contactPoints: [] }, /must be an array such as/],
    [{ contactPoints: ["host:0"] }, /contact point "host:0"/],
    [{ contactPoints: ["host:"] }, /expected host, host:port or/],
    [{ contactPoints: ["host:99999"] }, /expected host, host:port or/],
    [{ contactPoints: ["[::1"] }, /expected host, host:port or/],
    [{ protocolVersion: 6 }, /protocolVersion of Client\.connect must be one of 3, 4, 5, not 6/],
    [{ compression: "zstd" }, /must be one of "lz4", "snappy", "none", not "zstd"/],
    [{ pageSize: 0 }, /pageSize .* integer from 1 to 2147483647, not 0/],
    [{ timeout: Infinity }, /timeout .* not Infinity/],
    [{ maxInFlight: 32768 }, /integer from 1 to 32767/],
    [{ credentials: { username: "u" } }, /\{ username, password \}/],
    [{ authenticator: { start() {} } }, /methods start and challenge/],
    [{ keyspace: "" }, /keyspace .* not empty/],
  ]) {
    const error = await bad(options);
    assert.equal(error.code, "CQL_OPTION");
    assert.match(error.message, text);
  }
  const secret = await bad({ credentials: "a password of more than 20 letters" });
  assert.doesNotMatch(secret.message, /letters/);

  const server = await serve(t);
  const client = await connect(t, server);
  const sent = server.requests.length;
  for (const [promise, text] of [
    [client.execute("SELECT 1", [], { fetchSize: 5 }), /execute has no option "fetchSize": there are/],
    [client.execute("SELECT 1", [], { signal: {} }), /signal of execute must be an AbortSignal/],
    [client.execute("SELECT 1", [], { timestamp: 1.5 }), /microseconds/],
    [client.execute("SELECT 1", [], { types: ["int"] }), /types of execute needs prepare: false/],
    [client.execute("SELECT 1", [], "QUORUM"), /options of execute must be an object, not a string/],
    [client.execute("SELECT 1", [], { consistency: "QUORUMS" }), /consistency of execute must be one of .*"LOCAL_ONE", not "QUORUMS"/],
    [client.execute(7), /the query of execute must be a string/],
    [client.execute("SELECT 1", "x"), /the params of execute must be an array/],
    [client.execute("SELECT 1", new Uint8Array(1)), /the params of execute must be an array/],
    [client.batch([{ query: "INSERT", param: [1] }]), /batch item 0 has no "param"/],
    [client.batch([{}]), /the query of batch item 0/],
    [client.batch("INSERT"), /items of batch must be an array/],
    [client.batch([], { pageSize: 1 }), /batch has no option "pageSize"/],
    [client.prepare("SELECT 1", { consistency: "ONE" }), /prepare has no option "consistency"/],
    [client.pages("SELECT 1", [], { pages: 1 }).next(), /pages has no option "pages"/],
  ]) {
    const error = await failure(promise);
    assert.equal(error.code, "CQL_OPTION", error.message);
    assert.match(error.message, text);
  }
  assert.equal(server.requests.length, sent);
});
