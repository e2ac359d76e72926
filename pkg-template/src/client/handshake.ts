// From a contact point to a connection that is ready for queries: OPTIONS, STARTUP, authentication (v5 §4.1.1–4.1.3), USE; with a lower
// version on a new connection where the server does not speak ours.
import { CqlError, serverError } from "../codec/index.ts";
import type { RequestMessage, ResponseMessage } from "../../types/index.js";
import { Connection } from "./connection.ts";
import { type ConnectSettings, type ContactPoint, noSnappy } from "./options.ts";
import { type Limits, Waiter, limits } from "./waiter.ts";

/** The package's version; `tools/bundle.mjs` puts it here. */
declare const CQLWIRE_VERSION: string;

const PROTOCOL_ERROR = 0x000a;
type Version = 3 | 4 | 5;
const LOWEST = 3;

export async function openConnection({ host, port }: ContactPoint, settings: ConnectSettings): Promise<Connection> {
  const { maxInFlight, maxQueued, protocolVersion, values } = settings;
  for (let version: Version = protocolVersion ?? 5; ; ) {
    const connection = new Connection({ host, port, version, maxInFlight, maxQueued, values });
    try {
      await new Handshake(connection, settings).run();
      return connection;
    } catch (error) {
      connection.destroy();
      if (!(error instanceof VersionRefused)) throw error;
      if (protocolVersion !== undefined || version === LOWEST) {
        const text = `${connection.address} does not speak protocol v${version}: ${error.cause.message}`;
        throw new CqlError("CQL_PROTOCOL_VERSION", text, { cause: error.cause });
      }
      // Servers answer in a version of their own, or in ours (apache/cassandra-java-driver#790). An answer that is no lower tells nothing.
      const isUsable = error.version < version && error.version >= LOWEST;
      version = (isUsable ? error.version : version - 1) as Version;
    }
  }
}

class VersionRefused {
  constructor(
    readonly version: number,
    readonly cause: CqlError,
  ) {}
}

class Handshake {
  readonly #connection: Connection;
  readonly #settings: ConnectSettings;
  readonly #limits: Limits;

  constructor(connection: Connection, settings: ConnectSettings) {
    this.#connection = connection;
    this.#settings = settings;
    this.#limits = limits(settings.connectTimeout);
  }

  async run(): Promise<void> {
    const supported = await this.#greet({ opcode: "OPTIONS" });
    if (supported.opcode !== "SUPPORTED") throw unexpected("OPTIONS", supported);
    const compression = this.#chooseCompression(supported.options["COMPRESSION"] ?? []);
    const answer = await this.#greet({
      opcode: "STARTUP",
      options: {
        CQL_VERSION: "3.0.0",
        ...(compression === "none" ? {} : { COMPRESSION: compression }),
        DRIVER_NAME: "cqlwire",
        DRIVER_VERSION: CQLWIRE_VERSION,
      },
    });
    if (answer.opcode === "AUTHENTICATE") await this.#authenticate(answer.authenticator);
    else if (answer.opcode !== "READY") throw unexpected("STARTUP", answer);
    await this.#useKeyspace();
    this.#connection.ready();
  }

  /** A request whose version the server may not know. */
  async #greet(message: RequestMessage): Promise<ResponseMessage> {
    const answer = await this.#connection.request(message, this.#limits);
    if (answer.opcode !== "ERROR") return answer;
    if (answer.code === PROTOCOL_ERROR) throw new VersionRefused(answer.version, serverError(answer));
    throw serverError(answer);
  }

  #chooseCompression(offered: readonly string[]): "lz4" | "snappy" | "none" {
    const { compression: wanted } = this.#settings;
    const hasSnappy = this.#connection.codec.version !== 5;
    const has = (name: string): boolean => offered.some((one) => one.toLowerCase() === name);
    if (wanted === undefined) return has("lz4") ? "lz4" : has("snappy") && hasSnappy ? "snappy" : "none";
    if (wanted === "snappy" && !hasSnappy) throw noSnappy();
    if (wanted !== "none" && !has(wanted)) {
      const text = `${this.#connection.address} has no ${wanted} compression: it offers ${offered.join(", ") || "none"}`;
      throw new CqlError("CQL_OPTION", text);
    }
    return wanted;
  }

  async #authenticate(name: string): Promise<void> {
    const { authenticator } = this.#settings;
    if (!authenticator) {
      const text = `${this.#connection.address} asks who you are (${name}): give Client.connect credentials or an authenticator`;
      throw new CqlError("CQL_CREDENTIALS", text);
    }
    let token = await this.#ask(() => authenticator.start(name));
    for (;;) {
      const answer = await this.#connection.request({ opcode: "AUTH_RESPONSE", token: token ?? null }, this.#limits);
      if (answer.opcode === "ERROR") throw serverError(answer);
      if (answer.opcode === "AUTH_SUCCESS") return void (await this.#ask(() => authenticator.success?.(answer.token)));
      if (answer.opcode !== "AUTH_CHALLENGE") throw unexpected("AUTH_RESPONSE", answer);
      token = await this.#ask(() => authenticator.challenge(answer.token));
    }
  }

  /** The authenticator is the user's: what it throws is told with what it is about. */
  async #ask<T>(question: () => T): Promise<Awaited<T>> {
    try {
      const answer = question();
      const waiter = new Waiter<Awaited<T>>(this.#limits, () => {
        return new CqlError("CQL_CREDENTIALS", `the authenticator did not answer within ${this.#limits.timeout} ms`);
      });
      Promise.resolve(answer).then((value) => waiter.resolve(value), (error: Error) => waiter.reject(error));
      return await waiter.promise;
    } catch (cause) {
      if (cause instanceof CqlError) throw cause;
      throw new CqlError("CQL_CREDENTIALS", `the authenticator failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }

  async #useKeyspace(): Promise<void> {
    const { keyspace, consistency } = this.#settings;
    if (keyspace === undefined) return;
    const query = `USE "${keyspace.replaceAll('"', '""')}"`;
    const answer = await this.#connection.request({ opcode: "QUERY", query, consistency }, this.#limits);
    if (answer.opcode === "ERROR") throw serverError(answer);
  }
}

function unexpected(request: string, { opcode }: ResponseMessage): CqlError {
  return new CqlError("CQL_PROTOCOL", `the server answered ${request} with ${opcode}`);
}
