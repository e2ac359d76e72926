// A server on 127.0.0.1 that answers by script, for what a real one will not do. It knows the 9-byte frame header of v3 and v4 (and of v5
// before READY) and nothing else: all that it sends is hex in the tests.
import { once } from "node:events";
import { createServer } from "node:net";

/** Hex with blanks → bytes; `SS SS` is the stream. */
export function bytes(hex, stream = 0) {
  const text = hex.replace("SS SS", stream.toString(16).padStart(4, "0")).replaceAll(/\s/g, "");
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(`not hex: ${hex}`);
  return Buffer.from(text, "hex");
}

export const OPCODES = { STARTUP: 0x01, OPTIONS: 0x05, QUERY: 0x07, PREPARE: 0x09, EXECUTE: 0x0a, BATCH: 0x0d, AUTH_RESPONSE: 0x0f };
const NAMES = Object.fromEntries(Object.entries(OPCODES).map(([name, code]) => [code, name]));

// Answers in v4.
export const SUPPORTED = "84 00 SS SS 06 00 00 00 02  00 00";
export const READY = "84 00 SS SS 02 00 00 00 00";
export const VOID = "84 00 SS SS 08 00 00 00 04  00 00 00 01";
/** One row of k.t, one column c int = 42. */
export const ROW_42 =
  "84 00 SS SS 08 00 00 00 23  00 00 00 02  00 00 00 01 00 00 00 01  00 01 6b 00 01 74  00 01 63 00 09  00 00 00 01  00 00 00 04 00 00 00 2a";
/** The same with 43. */
export const ROW_43 = ROW_42.replace(/2a$/, "2b");

/**
 * `answer(request, send)` is called for each frame; `request` has `version`, `opcode` (a name), `stream`, `body`, `connection` (a
 * number from 0) and `socket`; `send(hex)` sends with the request's stream. Without an answer of its own (`true` returned, or something sent)
 * OPTIONS gets SUPPORTED and STARTUP gets READY.
 */
export async function scriptedServer(answer) {
  const requests = [];
  const sockets = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = sockets.push(socket) - 1;
    let buffer = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("end", () => socket.keepsHalfOpen || socket.end());
    socket.on("data", (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= 9 && buffer.length >= 9 + buffer.readUInt32BE(5)) {
        const length = 9 + buffer.readUInt32BE(5);
        const frame = buffer.subarray(0, length);
        buffer = buffer.subarray(length);
        const request = {
          version: frame[0],
          opcode: NAMES[frame[4]],
          stream: frame.readInt16BE(2),
          body: frame.subarray(9),
          frame,
          connection,
          socket,
        };
        requests.push(request);
        let isAnswered = false;
        const send = (hex) => {
          isAnswered = true;
          socket.write(bytes(hex, request.stream));
        };
        if (answer(request, send) === true || isAnswered) continue;
        if (request.opcode === "OPTIONS") send(SUPPORTED);
        if (request.opcode === "STARTUP") send(READY);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    contactPoint: `127.0.0.1:${server.address().port}`,
    requests,
    sockets,
    /** Requests of one opcode. */
    of: (opcode) => requests.filter((request) => request.opcode === opcode),
    /** Resolves once `count` requests of an opcode have come. */
    async seen(opcode, count = 1) {
      const start = performance.now();
      while (this.of(opcode).length < count) {
        if (performance.now() - start > 5_000) throw new Error(`${this.of(opcode).length} ${opcode} came, expected ${count}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return this.of(opcode);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A server for one test, closed after it. */
export async function serve(t, answer = () => {}) {
  const server = await scriptedServer(answer);
  t.after(() => server.close());
  return server;
}
