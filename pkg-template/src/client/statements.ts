// Prepared statements: what the server told of each text (the snapshot), replaced only as a whole. A request takes the snapshot when it
// is made; its answer is read with that one whatever happens meanwhile (the codec keeps it for the stream).
import { CqlError, INSPECT, serverError } from "../codec/index.ts";
import type { PreparedStatement } from "../../types/client.js";
import type { ColumnSpec, PreparedMessage } from "../../types/index.js";
import type { Connection } from "./connection.ts";
import { type Limits, Waiter, limits } from "./waiter.ts";

const MOST_STATEMENTS = 1_000;

export class Statement implements PreparedStatement {
  readonly query: string;
  /** Of unqualified names in the query. */
  readonly keyspace: string | null;
  /** The keyspace is an option of the call, not the connection's. */
  readonly isKeyspaceGiven: boolean;
  readonly owner: Statements;
  snapshot: PreparedMessage | undefined;
  preparing: Promise<PreparedMessage> | undefined;

  constructor(owner: Statements, query: string, keyspace: string | null, isKeyspaceGiven: boolean) {
    this.owner = owner;
    this.query = query;
    this.keyspace = keyspace;
    this.isKeyspaceGiven = isKeyspaceGiven;
    // Not for the user's eyes, nor for console.log.
    for (const name of ["owner", "snapshot", "preparing", "keyspace", "isKeyspaceGiven"]) {
      Object.defineProperty(this, name, { enumerable: false, writable: true });
    }
  }

  [INSPECT](): object {
    const shown = (specs: readonly ColumnSpec[]): string[] => specs.map(({ name, type }) => `${name} ${type.text}`);
    return { query: this.query, params: shown(this.params), columns: shown(this.columns) };
  }

  get params(): readonly ColumnSpec[] {
    return this.snapshot?.bind ?? [];
  }

  get columns(): readonly ColumnSpec[] {
    return this.snapshot?.result ?? [];
  }

  get warnings(): readonly string[] {
    return this.snapshot?.warnings ?? [];
  }

  /** METADATA_CHANGED: `renewed` follows `from`. If the snapshot is another by now, it is as new or will be told the same. */
  renew(from: PreparedMessage, renewed: PreparedMessage): void {
    if (this.snapshot === from) this.snapshot = renewed;
  }
}

/** The statements of one connection, the least recently used forgotten first. */
export class Statements {
  readonly #connection: Connection;
  readonly #timeout: number;
  readonly #byText = new Map<string, Statement>();

  constructor(connection: Connection, timeout: number) {
    this.#connection = connection;
    this.#timeout = timeout;
  }

  /**
   * The statement of a text. The same text means another table in another keyspace: the server binds it to the one in use when it is
   * prepared.
   */
  get(query: string | PreparedStatement, keyspace?: string): Statement {
    if (typeof query !== "string") {
      if (query instanceof Statement && query.owner === this) return query;
      // Of another client: its ids mean nothing here.
      query = query.query;
    }
    const effective = keyspace ?? this.#connection.keyspace;
    const key = JSON.stringify([keyspace !== undefined, effective, query]);
    let statement = this.#byText.get(key);
    if (statement) this.#byText.delete(key);
    else statement = new Statement(this, query, effective, keyspace !== undefined);
    this.#byText.set(key, statement); // last: the most recently used
    if (this.#byText.size > MOST_STATEMENTS) {
      const [oldest] = this.#byText.keys();
      this.#byText.delete(oldest!);
    }
    return statement;
  }

  /** The snapshot, prepared now if there is none or only `stale`, which the server no longer knows. */
  snapshot(statement: Statement, callLimits: Limits, stale?: PreparedMessage): Promise<PreparedMessage> {
    if (statement.snapshot && statement.snapshot !== stale) return Promise.resolve(statement.snapshot);
    // One PREPARE for all who wait; its time is its own, each of them has theirs.
    statement.preparing ??= this.#prepare(statement).finally(() => (statement.preparing = undefined));
    const waiter = new Waiter<PreparedMessage>(callLimits, (why) =>
      why === "abort"
        ? new CqlError("CQL_ABORTED", "aborted while the statement was prepared", { mayBeApplied: false, cause: callLimits.signal?.reason })
        : new CqlError("CQL_TIMEOUT_CLIENT", `the statement was not prepared within ${callLimits.timeout} ms`, { mayBeApplied: false }),
    );
    statement.preparing.then(
      (snapshot) => waiter.resolve(snapshot),
      // Each who waits has an error of its own, for the stack and the query that it will be given.
      (error: Error) => waiter.reject(error instanceof CqlError ? new CqlError(error.code, error.message, { query: statement.query, ...error, cause: error }) : error),
    );
    return waiter.promise;
  }

  async #prepare(statement: Statement): Promise<PreparedMessage> {
    const { query, keyspace, isKeyspaceGiven, snapshot: before } = statement;
    const { codec, keyspace: current } = this.#connection;
    // A statement that outlived a USE belongs to the keyspace of before, which v5 can say.
    const isElsewhere = keyspace !== current;
    const named = isKeyspaceGiven || (isElsewhere && codec.version === 5) ? keyspace : null;
    const message = { opcode: "PREPARE" as const, query, ...(named === null ? {} : { keyspace: named }) };
    const answer = await this.#connection.request(message, limits(this.#timeout));
    if (answer.opcode === "ERROR") throw serverError(answer);
    if (answer.opcode !== "RESULT" || answer.kind !== "Prepared") {
      throw new CqlError("CQL_PROTOCOL", `the server answered PREPARE with ${answer.opcode}`);
    }
    if (before && isElsewhere && named === null && !isSame(before.id, answer.id)) {
      const text = `the statement was prepared in keyspace ${keyspace ?? "none"}, and could be prepared again only in ${current ?? "none"}: name the keyspace in the query`;
      throw new CqlError("CQL_STATEMENT_CHANGED", text);
    }
    return (statement.snapshot = answer);
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
