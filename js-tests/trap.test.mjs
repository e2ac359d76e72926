// If the wasm traps all the same: the instance is replaced, its connections fail with a clear error and nothing else does. On a build
// that can be told to trap at any call (tools/trap-build.mjs), through the codec and through clients on sockets.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { ROW_42, serve } from "./scripted-server.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
execFileSync(process.execPath, ["tools/trap-build.mjs", "target/pkg-trap"], { cwd: root });

/** Exports of the newest instance. */
let wasm;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    wasm = this.exports;
  }
};
const { Codec, CqlError, decodeValue, encodeValue } = await import("../target/pkg-trap/dist/index.js");
const { Client } = await import("../target/pkg-trap/dist/client.js");

const lost = (error) => error instanceof CqlError && error.code === "CQL_WASM";

/** Everything a codec does, both roles; what it read. */
function talk(client, server) {
  const request = { opcode: "QUERY", query: "q", params: [1, "x", [1, 2]], types: ["int", "text", "list<int>"] };
  const [query] = server.feed(client.encode(request, 1));
  if (query.error) throw query.error;
  const rows = [[1, Float32Array.of(1, 2)], [null, null]];
  const metadata = [{ name: "a", type: "int" }, { name: "v", type: "vector<float, 2>" }];
  server.write({ opcode: "RESULT", kind: "Void" }, 0);
  const [nothing, page] = client.feed(server.encode({ opcode: "RESULT", kind: "Rows", metadata, rows }, query.stream));
  for (const { error } of [nothing, page]) if (error) throw error;
  return page.rows;
}
const pair = () => [new Codec({ established: { version: 4 } }), new Codec({ role: "server", established: { version: 4 } })];

test("a trap at any call: this instance's connections fail, a new one works, nothing wrong is read", () => {
  const expected = talk(...pair());
  let calls = 0;
  for (let at = 1; ; at++) {
    const bystander = pair();
    talk(...bystander);
    const kept = talk(...pair());
    const talking = pair();
    wasm.tell_trap(at);
    let trapped = false;
    try {
      assert.deepEqual(talk(...talking), expected);
    } catch (error) {
      assert.ok(lost(error), `call ${at}: ${error}`);
      trapped = true;
    }
    if (!trapped) {
      wasm.tell_trap(0);
      break; // beyond the last call
    }
    calls = at;
    for (const codec of [...talking, ...bystander]) {
      assert.throws(() => codec.feed(new Uint8Array(1)), lost);
      assert.throws(() => codec.flush(), lost);
      assert.throws(() => codec.isEstablished, lost);
    }
    assert.deepEqual(kept, expected); // results are copies
    assert.deepEqual(talk(...pair()), expected);
  }
  assert.ok(calls > 15, `${calls} calls`);
});

test("a trap in a value on its own", () => {
  for (let at = 1; at < 6; at++) {
    encodeValue("list<int>", [1]);
    wasm.tell_trap(at);
    assert.throws(() => {
      for (let i = 0; i < 5; i++) decodeValue("list<int>", encodeValue("list<int>", [1, 2]));
    }, lost, `call ${at}`);
    assert.deepEqual(decodeValue("list<int>", encodeValue("list<int>", [1, 2])), [1, 2]);
  }
});

test("clients on sockets: requests on the way are rejected, the next client works", async (t) => {
  const server = await serve(t, ({ opcode }, send) => void (opcode === "QUERY" && send(ROW_42)));
  const connect = () => Client.connect({ contactPoints: [server.contactPoint], protocolVersion: 4 });
  const clients = [await connect(), await connect()];
  for (const client of clients) assert.deepEqual((await client.execute("q")).rows, [{ c: 42 }]);
  for (const at of [1, 2, 3, 5, 8]) {
    const [one, other] = at === 1 ? clients : [await connect(), await connect()];
    const closed = [one, other];
    wasm.tell_trap(at);
    const results = await Promise.allSettled([one.execute("q"), one.execute("q"), other.execute("q")]);
    wasm.tell_trap(0);
    assert.ok(results.some(({ status }) => status === "rejected"), `call ${at}`);
    for (const { status, reason, value } of results) {
      if (status === "rejected") assert.ok(["CQL_WASM", "CQL_CONNECTION_CLOSED"].includes(reason.code), `call ${at}: ${reason}`);
      else assert.deepEqual(value.rows, [{ c: 42 }]);
    }
    for (const client of closed) await assert.rejects(client.execute("q"), ({ code }) => ["CQL_WASM", "CQL_CONNECTION_CLOSED"].includes(code));
    const next = await connect();
    assert.deepEqual((await next.execute("q")).rows, [{ c: 42 }]);
    for (const client of [...closed, next]) await client.close();
  }
});
