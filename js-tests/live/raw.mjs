// One connection that is nothing but a socket and the codec: for tests that must choose each message themselves.
import net from "node:net";
import { Codec, serverError } from "cqlwire";

export const [host, port] = (process.env.CQL ?? "").split(":");

export class Raw {
  events = [];
  #waiting = new Map();
  #next = 0;

  static async open(version, compression = "none") {
    if (!host || !port) throw new Error("CQL is not set: expected host:port of a running Cassandra 5");
    const raw = new Raw();
    raw.codec = new Codec({ version });
    raw.socket = net.connect({ host, port: Number(port) });
    raw.socket.on("data", (chunk) => raw.#receive(raw.codec.feed(chunk)));
    raw.socket.on("close", () => raw.#fail(new Error("the connection ended")));
    raw.socket.on("error", (error) => raw.#fail(error));
    raw.supported = await raw.ask({ opcode: "OPTIONS" });
    const options = { CQL_VERSION: "3.0.0", ...(compression === "none" ? {} : { COMPRESSION: compression }) };
    raw.ready = await raw.ask({ opcode: "STARTUP", options });
    return raw;
  }

  #receive(messages) {
    for (const message of messages) {
      if (message.fatal) return this.#fail(message.error);
      if (message.stream === -1) {
        this.events.push(message);
        continue;
      }
      this.#waiting.get(message.stream).resolve(message);
      this.#waiting.delete(message.stream);
    }
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** The answer, whatever it is; an answer that does not decode rejects. */
  async answer(message) {
    const stream = this.#next++ % 32_768;
    const bytes = this.codec.encode(message, stream);
    const got = await new Promise((resolve, reject) => {
      this.#waiting.set(stream, { resolve, reject });
      this.socket.write(bytes);
    });
    if (got.error) throw got.error;
    return got;
  }

  /** The answer; an ERROR rejects. */
  async ask(message) {
    const got = await this.answer(message);
    if (got.opcode === "ERROR") throw serverError(got);
    return got;
  }

  query(query, options = {}) {
    return this.ask({ opcode: "QUERY", query, ...options });
  }

  async prepare(query) {
    return this.ask({ opcode: "PREPARE", query });
  }

  execute(prepared, params, options = {}) {
    return this.ask({ opcode: "EXECUTE", prepared, params, ...options });
  }

  close() {
    this.socket.destroy();
  }
}
