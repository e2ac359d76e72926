// Parameters as they were when the call was made, and errors that lead back to the call, against a scripted server in v4.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Codec, Decimal, LocalDate } from "cqlwire";
import { Client } from "cqlwire/client";
import { ROW_42, VOID, bytes, serve } from "./scripted-server.mjs";

/** PREPARED aaaa: markers a int and v list<int> of k.t; no result columns. */
const PREPARED =
  "84 00 SS SS 08 00 00 00 2e  00 00 00 04 00 02 aa aa  00 00 00 01 00 00 00 02 00 00 00 00 00 01 6b 00 01 74 00 01 61 00 09 00 01 76 00 20 00 09  00 00 00 04 00 00 00 00";
const INSERT = "INSERT INTO k.t (a, v) VALUES (?, ?)";
const list = (n) => `0000000c0000000100000004${n.toString(16).padStart(8, "0")}`;

async function start(t, options = {}) {
  const server = await serve(t, (request, send) => {
    if (request.opcode === "PREPARE") setTimeout(() => request.socket.write(bytes(PREPARED, request.stream)), 20);
    else if (request.opcode === "QUERY" && request.body.includes("fails")) send("84 00 SS SS 00 00 00 00 08  00 00 20 00 00 02 6e 6f");
    else if (request.opcode === "QUERY") send(ROW_42);
    else if (["EXECUTE", "BATCH"].includes(request.opcode)) setTimeout(() => request.socket.write(bytes(VOID, request.stream)), 5);
  });
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4, ...options });
  t.after(() => client.close({ timeout: 1 }));
  return { server, client };
}

test("a buffer that is filled anew after the call does not change what is sent", async (t) => {
  for (const isWarm of [false, true]) {
    for (const maxInFlight of [2048, 2]) {
      const { server, client } = await start(t, { maxInFlight });
      if (isWarm) await client.prepare(INSERT);
      const reused = new Int32Array(1);
      const nested = [0];
      const calls = [];
      for (let i = 0; i < 6; i++) {
        reused[0] = i;
        nested[0] = i;
        calls.push(client.execute(INSERT, [i, reused]), client.execute(INSERT, { a: i, v: nested }));
        calls.push(client.batch([{ query: INSERT, params: [i, reused] }]));
      }
      reused[0] = nested[0] = 99;
      await Promise.all(calls);
      const sent = [...server.of("EXECUTE"), ...server.of("BATCH")].map(({ body }) => body.toString("hex"));
      assert.equal(sent.length, 18);
      for (let i = 0; i < 6; i++) {
        const value = `00000004${i.toString(16).padStart(8, "0")}${list(i)}`;
        assert.equal(sent.filter((body) => body.includes(value)).length, 3, `value ${i}`);
      }
    }
  }
});

test("every kind of value survives being kept", async (t) => {
  const { server, client } = await start(t, { maxInFlight: 1 });
  const values = [
    ["text", "x"], ["decimal", Decimal.from("1.5")], ["date", LocalDate.from("2024-02-29")], ["timestamp", new Date(5)], ["blob", Buffer.from([1])],
    ["blob", Uint8Array.of(1).buffer], ["blob", new DataView(Uint8Array.of(0, 1).buffer, 1)], ["set<int>", new Set([1])], ["map<int, int>", new Map([[1, 2]])],
    ["map<text, int>", { a: 1 }], ["list<int>", (function* () { yield 1; })()], ["vector<float, 2>", Float32Array.of(1, 2)], ["int", null],
  ];
  const params = values.map(([, value]) => value);
  const types = values.map(([type]) => type);
  void client.execute("SELECT 1"); // takes the only turn
  await client.execute("SELECT 2", params, { prepare: false, types });
  const expected =
    "00000001 78 00000005 00000001 0f 00000004 80004d46 00000008 0000000000000005 00000001 01 00000001 01 00000001 01 0000000c 00000001 00000004 00000001" +
    "00000014 00000001 00000004 00000001 00000004 00000002 00000011 00000001 00000001 61 00000004 00000001 0000000c 00000001 00000004 00000001 00000008 3f800000 40000000 ffffffff";
  assert.ok(server.of("QUERY").at(-1).body.toString("hex").includes(expected.replaceAll(" ", "")));
});

test("what is kept is what was given: shared, cyclic, of a class, frozen, of another realm", async (t) => {
  const { server, client } = await start(t);
  const text = { prepare: false, types: ["list<int>"] };
  const sent = () => server.of("QUERY").at(-1).body.toString("hex");
  class Vec extends Int32Array {
    constructor(a, b) {
      super([a, b]);
    }
  }
  await client.execute("SELECT 1", [new Vec(1, 2)], text); // by its constructor it would be something else
  assert.ok(sent().includes("00000014000000020000000400000001" + "0000000400000002"));
  const buffer = Int32Array.of(5);
  const frozen = Object.freeze([Object.freeze({ inner: buffer }).inner]);
  const call = client.execute("SELECT 2", frozen, text);
  buffer[0] = 99;
  await call;
  assert.ok(sent().includes("0000000400000005"));
  const cyclic = [];
  cyclic.push(cyclic, cyclic);
  await assert.rejects(client.execute("SELECT 3", [cyclic], text), { code: "CQL_ENCODE" });
  const detached = new Int32Array(1);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  await assert.rejects(client.execute("SELECT 5", [detached], text), { code: "CQL_ENCODE" });
  const mine = new Error("mine");
  const broken = { *[Symbol.iterator]() { throw mine; } };
  await assert.rejects(client.execute("SELECT 6", [broken], text), { code: "CQL_ENCODE", cause: mine });
  // An object of a class is the codec's to read, also by its getters.
  class Fields { get a() { return 1; } }
  await assert.rejects(client.execute("SELECT 7", [new Fields()], { prepare: false, types: ["map<text, int>"] }), /Fields for map<text, int>/);
  for (const params of [new Set([1]), new Map([["a", 1]]), new Fields().a]) {
    await assert.rejects(client.execute("SELECT 8", params), { code: "CQL_OPTION" });
    await assert.rejects(client.batch([{ query: INSERT, params }]), { code: "CQL_OPTION" });
  }
  // pages() takes its params when it is called, not when its loop begins.
  const params = [[1]];
  const pages = client.pages("SELECT 9", params, text);
  params[0] = [2];
  for await (const page of pages) assert.equal(page.length, 1);
  assert.ok(sent().includes("0000000400000001"));
});

test("the paging state and the payload are those of the call too", async (t) => {
  const { server, client } = await start(t, { maxInFlight: 1 });
  const pageState = Uint8Array.of(1, 2);
  const customPayload = { k: Uint8Array.of(3, 4) };
  void client.execute("SELECT 1"); // takes the only turn
  const call = client.execute("SELECT 2", [], { pageState, customPayload });
  pageState.fill(9);
  customPayload.k.fill(9);
  await call;
  const { frame } = server.of("QUERY").at(-1);
  assert.ok(frame.includes(bytes("00 01 00 01 6b 00 00 00 02 03 04")) && frame.includes(bytes("00 00 00 02 01 02")));
});

test("when no contact point can be used, the error says of each which it was", async (t) => {
  // ERROR 0x1001 "busy", which names no address
  const servers = [1, 2].map(() => serve(t, (request, send) => send("84 00 SS SS 00 00 00 00 0a  00 00 10 01 00 04 62 75 73 79")));
  const contactPoints = (await Promise.all(servers)).map((server) => server.contactPoint);
  await assert.rejects(Client.connect({ contactPoints, protocolVersion: 4 }), (error) => {
    assert.equal(error.code, "CQL_NO_HOST");
    assert.equal(error.message, `no contact point could be used: ${contactPoints.map((point) => `${point}: busy`).join("; ")}`);
    return true;
  });
});

test("calls that wait for one PREPARE each have an error of their own", async (t) => {
  const server = await serve(t, (request) => {
    if (request.opcode === "PREPARE") setTimeout(() => request.socket.write(bytes("84 00 SS SS 00 00 00 00 08  00 00 20 00 00 02 6e 6f", request.stream)), 10);
  });
  const client = await Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4 });
  t.after(() => client.close({ timeout: 1 }));
  const failed = (promise) => promise.then(() => assert.fail("it should have failed"), (error) => error);
  const callA = async () => await client.execute("SELECT x", [1]);
  const callB = async () => await client.batch([{ query: "DELETE 1" }, { query: "SELECT x", params: [1] }]);
  const [a, b] = await Promise.all([failed(callA()), failed(callB())]);
  assert.notEqual(a, b);
  for (const [error, name] of [[a, "callA"], [b, "callB"]]) {
    assert.deepEqual([error.code, error.errorCode, error.message, error.query], ["CQL_SYNTAX_ERROR", 0x2000, "no", "SELECT x"]);
    assert.match(error.stack, new RegExp(name));
  }
});

test("no error shows a secret", async () => {
  for (const credentials of ["hunter2", { username: "u", password: "hunter2", x: 1 }, { user: "u", password: "hunter2" }]) {
    await assert.rejects(Client.connect({ contactPoints: ["127.0.0.1:1"], credentials }), (error) => {
      assert.equal(error.code, "CQL_OPTION");
      assert.doesNotMatch(inspect(error), /hunter2/);
      return true;
    });
  }
  const codec = new Codec({ version: 4 });
  for (const message of [
    { opcode: "AUTH_RESPONSE", token: "hunter2" },
    { opcode: "QUERY", query: "q", params: ["hunter2"], types: ["int"] },
    { opcode: "QUERY", query: "q", customPayload: "hunter2" },
  ]) {
    assert.throws(() => codec.encode(message, 0), (error) => (assert.doesNotMatch(inspect(error), /hunter2/), true));
  }
});

test("an error has the query, and the stack of the call", async (t) => {
  const { client } = await start(t, { timeout: 1000 });
  await client.prepare(INSERT);
  async function whereItHappened(run) {
    return run().then(() => assert.fail("it should have failed"), (error) => error);
  }
  for (const [run, query] of [
    [async () => await client.execute("SELECT fails"), "SELECT fails"],
    [async () => await client.execute(INSERT, [1, ["x"]]), INSERT],
    [async () => await client.execute(INSERT, [1, [1]], { signal: AbortSignal.timeout(1) }), INSERT],
  ]) {
    const error = await whereItHappened(run);
    assert.equal(error.query, query);
    assert.match(error.stack, /client-params\.test\.mjs/, error.stack);
    assert.ok(error.stack.startsWith(`CqlError: ${error.message}`), error.stack);
  }
  const error = await whereItHappened(async () => await client.batch([{ query: INSERT, params: [1, [1]] }, { query: INSERT, params: [1, [1, "x"]] }]));
  assert.match(error.message, /^statement 1, parameter 1 \(v\)\[1\]: string for int: expected a whole number/);
});

test("what console.log shows", async (t) => {
  const { client } = await start(t);
  assert.match(inspect(client), /address: '127\.0\.0\.1:\d+',\s+protocolVersion: 4/);
  assert.match(inspect(await client.execute("SELECT 1")), /rows: \[ \{ c: 42 \} \]/);
  assert.match(inspect(await client.prepare(INSERT)), /params: \[ 'a int', 'v list<int>' \]/);
});
