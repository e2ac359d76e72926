// Messages as text and as a web stream.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, messageStream, messageText, unset } from "cqlwire";

const bytes = (hex) => new Uint8Array(Buffer.from(hex.replaceAll(/\s/g, ""), "hex"));

test("a message as text: what is set, in declared order, whatever the order it was given in", () => {
  const server = new Codec({ role: "server", established: { version: 5 } });
  const client = new Codec({ established: { version: 5 } });
  const rows = { opcode: "RESULT", kind: "Rows", metadata: [{ name: "a", type: "int" }], rows: [[1]], pagingState: bytes("0102"), warnings: ["w"] };
  const prepared = { opcode: "RESULT", kind: "Prepared", id: bytes("aa"), resultMetadataId: bytes(""), pkIndices: [0], bind: [{ name: "a", type: "map<int, text>" }] };
  for (const [message, text] of [
    [{ opcode: "OPTIONS" }, "OPTIONS"],
    [{ pageSize: 5, consistency: "ONE", query: 'a "b"', opcode: "QUERY", tracing: false, keyspace: undefined }, 'QUERY query="a \\"b\\"" consistency="ONE" pageSize=5'],
    [{ opcode: "QUERY", query: "x".repeat(101), params: [bytes("0102"), null, unset], tracing: true }, `QUERY query="${"x".repeat(100)}"… (101 characters) params=[<2 bytes>, null, unset] tracing=true`],
    [{ opcode: "QUERY", query: "q", params: Array.from({ length: 12 }, () => null) }, `QUERY query="q" params=[${"null, ".repeat(10)}… 2 more]`],
    [{ opcode: "BATCH", statements: [{ query: "a" }, { id: bytes("aa") }], type: "LOGGED" }, 'BATCH type="LOGGED" statements=["a", <1 bytes>]'],
    [{ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0" }, stream: 3 }, 'STARTUP stream=3 options={CQL_VERSION: "3.0.0"}'],
    [{ opcode: "AUTH_RESPONSE", token: bytes("0061006263") }, "AUTH_RESPONSE token=***"],
    [{ opcode: "AUTH_CHALLENGE", stream: 1, token: bytes("00") }, "AUTH_CHALLENGE stream=1 token=***"],
    [{ opcode: "AUTH_SUCCESS", stream: 1, token: null }, "AUTH_SUCCESS stream=1"],
    [{ message: "m", code: 0x1000, opcode: "ERROR", alive: 0, required: 1, consistency: "ONE" }, 'ERROR code=4096 message="m" consistency="ONE" required=1 alive=0'],
    [{ opcode: "EVENT", eventType: "STATUS_CHANGE", port: 1, address: "::1", changeType: "UP", stream: -1 }, 'EVENT stream=-1 eventType="STATUS_CHANGE" changeType="UP" address="::1" port=1'],
    [client.feed(server.encode(rows, 2))[0], 'RESULT Rows stream=2 length=1 columnCount=1 pagingState=<2 bytes> warnings=["w"]'],
    [client.feed(server.encode(prepared, 2))[0], "RESULT Prepared stream=2 id=<1 bytes> resultMetadataId=<0 bytes> pkIndices=[0] bind=[a map<int, text>] result=[]"],
    [new Codec({ version: 4 }).feed(bytes("84000001 08 00000000"))[0], 'RESULT stream=1 error="RESULT: RESULT.kind ends before the field does (offset 0)"'],
    [new Codec({ version: 4 }).feed(bytes("04000001 08 00000000"))[0], 'framing error error="frame.version goes the other way (offset 0): a client reads responses"'],
  ]) {
    assert.equal(messageText(message), text);
  }
  const self = { opcode: "OPTIONS", customPayload: {} };
  self.customPayload.self = self;
  assert.match(messageText(self), /^OPTIONS customPayload=\{self: .*…/);
  assert.throws(() => messageText("QUERY"), { code: "CQL_OPTION" });
});

const ready = bytes("84000000 02 00000000");
const collect = async (stream) => {
  const messages = [];
  try {
    for await (const message of stream) messages.push(message.opcode);
  } catch (error) {
    messages.push(error.code);
  }
  return messages;
};
const through = (chunks, codec) => collect(new ReadableStream({ pull: (controller) => (chunks.length ? controller.enqueue(chunks.shift()) : controller.close()) }).pipeThrough(messageStream(codec)));

test("a web stream of messages, and how it ends", async () => {
  const client = () => new Codec({ version: 4 });
  assert.deepEqual(await through([ready.subarray(0, 5), ready.subarray(5), ready.buffer], client()), ["READY", "READY"]);
  assert.deepEqual(await through([], client()), []);
  assert.deepEqual(await through([ready, ready.subarray(0, 5)], client()), ["READY", "CQL_FRAMING"]); // ends inside a message
  assert.deepEqual(await through([bytes("84000000 02 00000000 83000000 02 00000000")], client()), ["READY", "CQL_FRAMING"]);
  assert.deepEqual(await through([ready, "text"], client()), ["READY", "CQL_OPTION"]);
  assert.deepEqual(await through([bytes("04000000 05 00000000")], new Codec({ role: "server" })), ["OPTIONS"]);
  assert.throws(() => messageStream({}), { code: "CQL_OPTION" });
});
