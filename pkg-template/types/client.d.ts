// cqlwire/client: queries over one connection to a Cassandra or ScyllaDB node.
/// <reference lib="esnext.disposable" />

import type { Column, ColumnSpec, ColumnValues, Consistency, CqlError, ParamColumnsInput, Params, Row, SchemaChange, ValueOptions } from "./index.js";

export { CqlError, Decimal, Duration, LocalDate, LocalTime, empty, timeuuid, timeuuidDate, unset, uuid } from "./index.js";

/** Of the Paxos phase of a conditional update. */
export type SerialConsistency = "SERIAL" | "LOCAL_SERIAL";
/** Named bytes, for extensions of a server (v4 and later). */
export type CustomPayload = Readonly<Record<string, Uint8Array | null>>;

/** User name and password, for servers with PasswordAuthenticator. */
export interface Credentials {
  /** Of the role. */
  username: string;
  /** Sent as it is: use a connection that one can trust. */
  password: string;
}

/**
 * Answers what the server asks before it lets a client in (v5 §4.1.2, §4.2.7, §4.2.8). `credentials` needs none of this.
 *
 * @example
 * ```js
 * const authenticator = {
 *   start: (name) => new TextEncoder().encode("\0ada\0secret"), // SASL PLAIN
 *   challenge: (token) => null,
 * };
 * const other = await Client.connect({ contactPoints: [process.env.CQL], authenticator });
 * await other.close();
 * ```
 */
export interface Authenticator {
  /** The first token. `name` is the server's authenticator, a Java class name. */
  start(name: string): Uint8Array | null | Promise<Uint8Array | null>;
  /** The answer to each further token of the server. */
  challenge(token: Uint8Array | null): Uint8Array | null | Promise<Uint8Array | null>;
  /** The server's last token, once it is content. What this throws refuses the server. */
  success?(token: Uint8Array | null): void | Promise<void>;
}

/** Options of `Client.connect`. An unknown one is an error (`CQL_OPTION`). */
export interface ConnectOptions {
  /** `host`, `host:port`, `[IPv6]:port`. Port 9042 where none is given. The first one that can be reached is used. */
  contactPoints: readonly string[];
  /** The keyspace in use from the start, its exact name (case counts). */
  keyspace?: string;
  /** For servers with PasswordAuthenticator. */
  credentials?: Credentials;
  /** Instead of `credentials`, for other ways to authenticate. */
  authenticator?: Authenticator;
  /** This version and no other. Default: 5, or the highest below it that the server speaks. */
  protocolVersion?: 3 | 4 | 5;
  /** This compression, or an error. Default: lz4, else snappy (v3 and v4 have it, v5 has not), else none, as the server offers. */
  compression?: "lz4" | "snappy" | "none";
  /** For each contact point and version tried, in ms: from opening the socket to the end of the handshake. Default 5,000. */
  connectTimeout?: number;
  /** Requests that wait for their answer at once, 1 to 32,767. Default 2,048. Those beyond wait their turn. */
  maxInFlight?: number;
  /** Requests that wait their turn. Beyond, `CQL_QUEUE_FULL`. Default 16,384. */
  maxQueued?: number;
  /** How values come out: BigInt or number, Date or milliseconds, … */
  values?: ValueOptions;

  /** Default of the option of the same name of each call. */
  consistency?: Consistency;
  /** Default of the option of the same name of each call. */
  serialConsistency?: SerialConsistency;
  /** Default of the option of the same name of each call. */
  pageSize?: number;
  /** Default of the option of the same name of each call. */
  timeout?: number;
}

/** Options of every call. */
export interface CallOptions {
  /**
   * In ms, for the whole call (for pages: for each page). Default 12,000. Then `CQL_TIMEOUT_CLIENT`; the server may still do what it
   * was asked (`mayBeApplied`).
   */
  timeout?: number;
  /** Rejects the call at once with `CQL_ABORTED`. The server does not hear of it and may still do what it was asked. */
  signal?: AbortSignal;
}

/** Options of a request (v5 §4.1.4). What is not given is not sent, but for consistency and page size. */
export interface RequestOptions extends CallOptions {
  /** Default LOCAL_ONE. */
  consistency?: Consistency;
  /** Of the Paxos phase of conditional updates. The server's default is SERIAL. */
  serialConsistency?: SerialConsistency;
  /** Write time in microseconds since 1970. Default: the server's clock. */
  timestamp?: bigint | number;
  /** Keyspace of this request alone (v5). */
  keyspace?: string;
  /** The server's "now" in seconds since 1970, to test time to live (v5). */
  nowInSeconds?: number;
  /** Ask the server to trace the request: see `tracingId`. */
  tracing?: boolean;
  /** Named bytes for a server extension (v4 and later). */
  customPayload?: CustomPayload;
}

export interface QueryOptions extends RequestOptions {
  /** Rows a page, at most. Default 5,000. */
  pageSize?: number;
  /** Where to go on: `pageState` of an earlier result of the same query; null: from the start. */
  pageState?: Uint8Array | null;
  /**
   * Prepare the query first. Default: when there are params. With `false`, the server tells no types: params then need `types`, or are
   * bytes, null or unset. The client never guesses a type.
   */
  prepare?: boolean;
  /** Types of the params as CQL writes them, by place or by name; only with `prepare: false`. */
  types?: readonly string[] | Readonly<Record<string, string>>;
}

export interface BatchOptions extends RequestOptions {
  /** LOGGED (default): all or nothing. UNLOGGED: without the log. COUNTER: counter updates only. */
  type?: "LOGGED" | "UNLOGGED" | "COUNTER";
}

export interface PrepareOptions extends CallOptions {
  /** Keyspace of unqualified names in the query (v5). */
  keyspace?: string;
}

/** A statement of a batch: prepared if it has params (or is a prepared statement), sent as text if not. */
export interface BatchItem {
  /** CQL, or what `prepare` gave. */
  query: string | PreparedStatement;
  /** By place, or by the names of its markers. */
  params?: Params;
  /** Instead of `params`: columns by the names of the markers. Each row is a statement. */
  columns?: ParamColumnsInput;
}

/** Options of `bulk`. `timeout` is that of each request. */
export interface BulkOptions extends RequestOptions {
  /** Requests that wait for their answer at once. Default 256. */
  concurrency?: number;
  /**
   * Several rows a request, as a BATCH. Only for rows of one partition: of several, servers make more work than of single rows. A batch ends before
   * `rows` (default 100) or about `bytes` (default 40 KiB) are passed; servers refuse large ones. Default type: UNLOGGED.
   */
  batch?: {
    /** Rows of a batch, at most. Default 100. */
    rows?: number;
    /** About how many bytes a batch has, at most. Default 40 KiB. */
    bytes?: number;
    /** Default UNLOGGED. */
    type?: "LOGGED" | "UNLOGGED" | "COUNTER";
  };
}

/** A row that may not have been written. */
export interface BulkFailure {
  /** Of the columns, from 0. */
  readonly row: number;
  /** Why. All rows of a batch that failed have the same; a row whose values do not fit, or cannot be read, fails alone. */
  readonly error: CqlError;
}

/** What became of the rows. */
export interface BulkResult {
  /** All. */
  readonly rows: number;
  /** Whose write the server has confirmed. */
  readonly written: number;
  /** All others, in their order. */
  readonly failures: readonly BulkFailure[];
}

/**
 * One page of rows; empty for what returns none. Rows and columns are copies: they stay right while other pages come. A vector of numbers in a row, or by
 * `at`, is a view into its column: `.slice()` to keep it without the page.
 *
 * @example
 * ```js
 * await client.execute("INSERT INTO docs (topic, id, embedding) VALUES (?, ?, ?)", ["art", 1, [1, 0, 0]]);
 * for await (const page of client.pages("SELECT id, embedding FROM docs")) {
 *   const { values, stride } = page.column("embedding"); // one Float32Array
 *   values.length / stride; // → 1
 * }
 * ```
 */
export interface Page<R extends object = Row> extends PageFacts {
  /** Rows of this page. */
  readonly length: number;
  /** As plain objects, made when first asked for. */
  readonly rows: R[];
  /** As columns, typed arrays where the type allows it. */
  readonly columns: readonly Column[];
  /** One column by name. Throws `CQL_COLUMN` if there is none of that name, or two. */
  column<V extends ColumnValues = ColumnValues>(name: string): Column<V>;
  /** The rows as an Arrow IPC stream of one record batch; of all pages: `arrowStream(client.pages(…))`. Throws `CQL_RANGE`, and `CQL_COLUMN` where there are no columns. */
  toArrowIPC(): Uint8Array;
}

/** What comes with a page. */
export interface PageFacts {
  /** Where the next page begins; null when there is none. Opaque: only for the same query, on the same protocol version. */
  readonly pageState: Uint8Array | null;
  /** What the server warns of (v4 and later). */
  readonly warnings: readonly string[];
  /** Id of the trace, in `system_traces`, if it was asked for. */
  readonly tracingId: string | null;
  /** From a server extension (v4 and later). */
  readonly customPayload: CustomPayload | null;
}

/**
 * Answer to a query: its first page, and the way to the others.
 *
 * @example
 * ```js
 * const result = await client.execute("SELECT id, title FROM docs WHERE topic = ?", ["art"]);
 * result.rows;                        // the first page; result.pageState is null when that is all
 * for await (const row of result) {}  // all rows, page after page
 * ```
 */
export interface Result<R extends object = Row> extends Page<R>, AsyncIterable<R> {
  /** What a schema statement changed. */
  readonly schemaChange: SchemaChange | null;
}

/**
 * A statement that the server knows, for any number of calls of the client that prepared it. It is renewed by itself when the server
 * has forgotten it or when its columns change.
 *
 * @example
 * ```js
 * const insert = await client.prepare("INSERT INTO docs (topic, id, title) VALUES (?, ?, ?)");
 * await client.execute(insert, ["art", 2, "Noon"]);
 * insert.params.map(({ name }) => name); // → [ 'topic', 'id', 'title' ]
 * ```
 */
export interface PreparedStatement {
  /** Its text. */
  readonly query: string;
  /** Names and types of the markers. */
  readonly params: readonly ColumnSpec[];
  /** Names and types of the columns it returns, as known now; empty if none. */
  readonly columns: readonly ColumnSpec[];
  /** What the server warned of when it prepared the statement. */
  readonly warnings: readonly string[];
}

/**
 * A client: one connection to one node.
 *
 * Params are taken as they are when the call is made: the same buffer can be filled anew at once. (Objects of classes of your own are
 * read when they are sent.) An open client keeps the process alive.
 *
 * Calls reject with a `CqlError`, whose `code` says what happened; what one query met has its text as `query`:
 * - `CQL_OPTION`: an option that is unknown or has a bad value. `CQL_PARAMS`: too few or too many params, or other names. `CQL_ENCODE`: a
 *   param that does not fit its type. `CQL_TYPE`: a type's text that is none. Nothing was sent.
 * - `CQL_TIMEOUT_CLIENT`, `CQL_ABORTED`, `CQL_CONNECTION_CLOSED`: no answer; `mayBeApplied` is true if it was sent and may be a write.
 * - `CQL_QUEUE_FULL`: too many requests wait already. `CQL_CLIENT_CLOSED`: after `close()`. Nothing was sent.
 * - `CQL_STATEMENT_CHANGED`: a statement could only be prepared again for another keyspace.
 * - `CQL_UNAVAILABLE`, `CQL_INVALID`, `CQL_WRITE_TIMEOUT`, …: the server's answer, with `errorCode` and the fields of v5 §8.
 * - `CQL_DECODE`, `CQL_NO_METADATA`: an answer that cannot be read. `CQL_PROTOCOL`: one that answers something else. `CQL_FRAMING`,
 *   `CQL_PROTOCOL`, `CQL_WASM`: also as the cause of a closed connection. `CQL_COLUMN`, `CQL_RANGE`: no such column or row of a result.
 *
 * @example
 * ```js
 * const client = await Client.connect({ contactPoints: [process.env.CQL ?? "127.0.0.1:9042"], keyspace: "shop" });
 * try {
 *   await client.execute("INSERT INTO docs (topic, id, title) VALUES (?, ?, ?)", ["art", 1, "Night"]);
 * } finally {
 *   await client.close();
 * }
 * ```
 */
export class Client implements AsyncDisposable {
  private constructor();

  /**
   * Connects to the first contact point that can be reached, agrees on version and compression, authenticates, and takes the
   * keyspace in use.
   *
   * Rejects with `CQL_NO_HOST` (`causes`: one `{ contactPoint, error }` each) when none can be used, and at once with
   * `CQL_OPTION`, `CQL_CREDENTIALS`, `CQL_AUTHENTICATION_ERROR`, `CQL_UNAUTHORIZED` or `CQL_INVALID` when another node would say the
   * same. As an `error` in `causes`: `CQL_CONNECTION_CLOSED`, `CQL_TIMEOUT_CLIENT`, `CQL_PROTOCOL_VERSION`, ….
   *
   * @example
   * ```js
   * const v4 = await Client.connect({ contactPoints: [process.env.CQL ?? "127.0.0.1:9042"], protocolVersion: 4, compression: "none" });
   * v4.protocolVersion; // → 4
   * await v4.close();
   * await Client.connect({ contactPoints: [] }); // → throws CQL_OPTION
   * ```
   */
  static connect(options: ConnectOptions): Promise<Client>;

  /** `host:port` of the node. */
  readonly address: string;
  /** 3, 4 or 5. */
  readonly protocolVersion: 3 | 4 | 5;
  /** What was agreed. */
  readonly compression: "lz4" | "snappy" | "none";
  /** The keyspace in use, as the server confirmed it last. */
  readonly keyspace: string | null;
  /** The connection ended, or `close` was called: every call will be refused. Connect a new client. */
  readonly isClosed: boolean;

  /**
   * Runs one query (v5 §4.1.4, §4.1.6) and resolves with its first page. With params it is prepared, once per text, and the server
   * says what type each param has.
   *
   * @example
   * ```js
   * await client.execute("UPDATE carts SET total = :total WHERE user = :user", { total: 3, user: "ada" }, { consistency: "QUORUM" });
   * ```
   */
  execute<R extends object = Row>(query: string | PreparedStatement, params?: Params, options?: QueryOptions): Promise<Result<R>>;

  /**
   * All pages of a query, each asked for when the loop gets to it. They can be gone through once.
   *
   * @example
   * ```js
   * for await (const page of client.pages("SELECT * FROM docs", [], { pageSize: 1000 })) console.log(page.length);
   * ```
   */
  pages<R extends object = Row>(query: string | PreparedStatement, params?: Params, options?: QueryOptions): AsyncIterable<Page<R>>;

  /**
   * Prepares a query (v5 §4.1.5). `execute` does it by itself; this is to learn types, or to do it early. The client keeps the last
   * 1,000 texts; a statement you hold works on regardless.
   *
   * @example
   * ```js
   * const { params } = await client.prepare("SELECT * FROM docs WHERE topic = ? AND id = ?");
   * params.map(({ name, type }) => `${name} ${type.text}`); // → [ 'topic text', 'id int' ]
   * ```
   */
  prepare(query: string, options?: PrepareOptions): Promise<PreparedStatement>;

  /**
   * Several statements as one (v5 §4.1.7). Best within one partition.
   *
   * @example
   * ```js
   * await client.batch([
   *   { query: "UPDATE carts SET total = ? WHERE user = ?", params: [3, "ada"] },
   *   { query: "INSERT INTO items (user, id) VALUES (?, ?)", params: { user: "ada", id: 7 } },
   * ]);
   * ```
   */
  batch(items: readonly BatchItem[], options?: BatchOptions): Promise<Result>;

  /**
   * Writes many rows from columns, without an object for each: as concurrent EXECUTEs of one prepared statement, or as batches of rows. Resolves when all
   * are answered; rows that failed are in `failures`, also those whose values do not fit (`CQL_ENCODE`), and after an abort or a lost connection all
   * that are left. Rejects where nothing was sent: the statement cannot be prepared, a column is missing, unknown or of another length (`CQL_PARAMS`), an
   * option is wrong. The columns are read as the rows go out: they must not change before it has resolved.
   *
   * @example
   * ```js
   * const columns = { topic: ["art", "art"], id: Int32Array.of(8, 9), embedding: Float32Array.of(1, 0, 0, 0, 1, 0) };
   * const { written, failures } = await client.bulk("INSERT INTO docs (topic, id, embedding) VALUES (?, ?, ?)", columns);
   * [written, failures]; // → [ 2, [] ]
   * ```
   */
  bulk(query: string | PreparedStatement, columns: ParamColumnsInput, options?: BulkOptions): Promise<BulkResult>;

  /**
   * Refuses new calls, waits for those that run, at most `timeout` ms (default 5,000), and closes the connection. What still
   * runs then is rejected with `CQL_CONNECTION_CLOSED`. Never rejects; more calls give the same promise.
   *
   * @example
   * ```js
   * await client.close({ timeout: 1000 });
   * client.isClosed; // → true
   * await client.execute("SELECT * FROM docs"); // → throws CQL_CLIENT_CLOSED
   * ```
   */
  close(options?: { timeout?: number }): Promise<void>;

  /** `close()`, for `await using` (Node.js 24, Deno, or compiled by TypeScript). */
  [Symbol.asyncDispose](): Promise<void>;
}
