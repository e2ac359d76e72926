// What users call. Each call is one journey: options → statements prepared → one request → a result, or one error.
import { CqlError, INSPECT, ParamColumns, serverError, tag } from "../codec/index.ts";
import type {
  BatchItem, BatchOptions, BulkOptions, BulkResult, Client as PublicClient, ConnectOptions, PrepareOptions, PreparedStatement, QueryOptions,
} from "../../types/client.js";
import type { BatchStatement, ParamColumnsInput, Params, PreparedMessage, RequestMessage, ResponseMessage, ResultMessage, Row } from "../../types/index.js";
import { writeBulk } from "./bulk.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./handshake.ts";
import {
  type ConnectSettings, type Defaults, type QuerySettings, readBatchOptions, readBulkOptions, readCloseOptions, readConnectOptions, readPrepareOptions, readQueryOptions,
} from "./options.ts";
import { own } from "./own.ts";
import { Page, Result } from "./result.ts";
import { type Statement, Statements } from "./statements.ts";
import { limits } from "./waiter.ts";

const UNPREPARED = 0x2500;
/** After the last answer, for the server to close its side. */
const CLOSE_GRACE = 500;
/** Another node would refuse the same. */
const FINAL = new Set(["CQL_OPTION", "CQL_CREDENTIALS", "CQL_AUTHENTICATION_ERROR", "CQL_UNAUTHORIZED", "CQL_INVALID"]);

/** A query, ready to be asked for any of its pages. */
interface Query {
  text: string;
  statement: Statement | undefined;
  params: Params | undefined;
  settings: QuerySettings;
}

export class Client implements PublicClient {
  readonly #connection: Connection;
  readonly #defaults: Defaults;
  readonly #statements: Statements;
  readonly #maxInFlight: number;
  #running = 0;
  #onIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  private constructor(connection: Connection, settings: ConnectSettings) {
    if (!settings) throw new CqlError("CQL_OPTION", "a client is made by Client.connect");
    this.#connection = connection;
    const { consistency, serialConsistency, pageSize, timeout, maxInFlight } = settings;
    this.#maxInFlight = maxInFlight;
    this.#defaults = { consistency, pageSize, timeout, ...(serialConsistency && { serialConsistency }) };
    this.#statements = new Statements(connection, settings.timeout);
  }

  static async connect(options: ConnectOptions): Promise<Client> {
    const settings = readConnectOptions(options);
    const causes: { contactPoint: string; error: unknown }[] = [];
    for (const point of settings.contactPoints) {
      try {
        return new this(await openConnection(point, settings), settings);
      } catch (error) {
        if (!(error instanceof CqlError) || FINAL.has(error.code)) throw error;
        causes.push({ contactPoint: point.text, error });
      }
    }
    // Most errors name the address; what a server said does not.
    const reasons = causes.map(({ contactPoint, error }) => {
      const { message } = error as Error;
      return message.includes(contactPoint) ? message : `${contactPoint}: ${message}`;
    });
    throw new CqlError("CQL_NO_HOST", `no contact point could be used: ${reasons.join("; ")}`, { causes, cause: causes[0]?.error });
  }

  get address(): string {
    return this.#connection.address;
  }

  get protocolVersion(): 3 | 4 | 5 {
    return this.#connection.codec.version;
  }

  get compression(): "lz4" | "snappy" | "none" {
    return this.#connection.codec.compression;
  }

  get keyspace(): string | null {
    return this.#connection.keyspace;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined || this.#connection.isEnded;
  }

  async execute<R extends object = Row>(query: string | PreparedStatement, params?: Params, options?: QueryOptions): Promise<Result<R>> {
    const prepared = this.#query("execute", query, params, options);
    const message = await this.#ask(prepared, prepared.settings.pageState ?? undefined);
    return new Result<R>(message, async (pageState) => new Page<R>(await this.#ask(prepared, pageState)));
  }

  pages<R extends object = Row>(query: string | PreparedStatement, params?: Params, options?: QueryOptions): AsyncGenerator<Page<R>, void> {
    // Now, not when the loop begins: the params are those of the call. What is wrong with them is the loop's to hear.
    let prepared: Query | CqlError;
    try {
      prepared = this.#query("pages", query, params, options);
    } catch (error) {
      if (!(error instanceof CqlError)) throw error;
      prepared = error;
    }
    return this.#pages<R>(prepared);
  }

  async *#pages<R extends object>(prepared: Query | CqlError): AsyncGenerator<Page<R>, void> {
    if (prepared instanceof CqlError) throw prepared;
    for (let pageState = prepared.settings.pageState ?? undefined; ; ) {
      const page = new Page<R>(await this.#ask(prepared, pageState));
      yield page;
      if (page.pageState === null) return;
      pageState = page.pageState;
    }
  }

  async prepare(query: string, options?: PrepareOptions): Promise<PreparedStatement> {
    const { keyspace, timeout, signal } = readPrepareOptions(options, this.#defaults);
    if (typeof query !== "string") throw new CqlError("CQL_OPTION", "the query must be a string");
    const statement = this.#statements.get(query, keyspace);
    await this.#run(query, () => this.#statements.snapshot(statement, limits(timeout, signal)));
    return statement;
  }

  async batch(items: readonly BatchItem[], options?: BatchOptions): Promise<Result> {
    const { timeout, signal, ...settings } = readBatchOptions(options, this.#defaults);
    if (!Array.isArray(items)) throw new CqlError("CQL_OPTION", "the items of batch must be an array of { query, params }");
    const statements = items.map((item: BatchItem, index) => this.#batchItem(item, index, settings.keyspace));
    const params = items.map((item: BatchItem, index) => own(item.params, `the params of batch item ${index}`));
    const columns = items.map((item: BatchItem, index) => own(item.columns, `the columns of batch item ${index}`));
    Object.assign(settings, { customPayload: own(settings.customPayload, "customPayload") });
    const callLimits = limits(timeout, signal);
    const message = await this.#run(undefined, async () => {
      let used = new Map<Statement, PreparedMessage>();
      const ask = async (): Promise<ResponseMessage> => {
        // All of them, since UNPREPARED names only the first that the server lacks.
        const stale = used;
        const distinct = [...new Set(statements.filter((statement) => typeof statement !== "string"))];
        const snapshots = await Promise.all(distinct.map((one) => this.#statements.snapshot(one, callLimits, stale.get(one))));
        used = new Map(distinct.map((statement, index) => [statement, snapshots[index]!]));
        const list = statements.map((statement, index): BatchStatement => {
          if (typeof statement === "string") return { query: statement };
          const prepared = used.get(statement)!;
          return columns[index] ? { prepared, columns: new ParamColumns(prepared, columns[index]) } : withParams({ prepared }, params[index]);
        });
        return this.#connection.request({ ...settings, opcode: "BATCH", statements: list }, callLimits, { mayWrite: true });
      };
      let answer = await ask();
      if (isUnprepared(answer) && used.size > 0) answer = await ask();
      return resultOf(answer, "BATCH");
    });
    return new Result(message, () => Promise.reject(new CqlError("CQL_PROTOCOL", "a batch has no pages")));
  }

  async bulk(query: string | PreparedStatement, columns: ParamColumnsInput, options?: BulkOptions): Promise<BulkResult> {
    const settings = readBulkOptions(options, this.#defaults);
    const text = textOf(query, "the query of bulk");
    if (tag(columns) !== "Object") throw new CqlError("CQL_OPTION", "the columns of bulk must be an object with an array for each bind marker");
    const statement = this.#statements.get(query, settings.keyspace);
    const { timeout, signal, keyspace: _keyspace, ...rest } = settings;
    rest.concurrency = Math.min(rest.concurrency, this.#maxInFlight); // more would only wait, where there may be no room for it
    Object.assign(rest, { customPayload: own(rest.customPayload, "customPayload") });
    const result = await this.#run(text, () =>
      writeBulk(columns, { ...rest, ...(signal && { signal }), timeout }, {
        snapshot: (stale) => this.#statements.snapshot(statement, limits(timeout, signal), stale),
        ask: async (message) => {
          const answer = await this.#connection.request(message, limits(timeout, signal), { mayWrite: true });
          if (isUnprepared(answer)) return "unprepared";
          return resultOf(answer, message.opcode);
        },
        isEnded: () => this.#connection.isEnded,
      }),
    );
    for (const { error } of result.failures) if (error instanceof CqlError && !("query" in error)) Object.assign(error, { query: text });
    return result;
  }

  close(options?: { timeout?: number }): Promise<void> {
    this.#closing ??= this.#close(readCloseOptions(options).timeout);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [INSPECT](): object {
    const { address, protocolVersion, compression, keyspace, isClosed } = this;
    return { address, protocolVersion, compression, keyspace, isClosed };
  }

  async #close(timeout: number): Promise<void> {
    if (this.#running > 0 && !this.#connection.isEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
        this.#onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await this.#connection.close(CLOSE_GRACE);
  }

  /** Counts the call, so that `close` can wait for it, and says of what fails which query it was. */
  async #run<T>(query: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new CqlError("CQL_CLIENT_CLOSED", "the client is closed: connect a new one");
    this.#running++;
    try {
      return await work();
    } catch (error) {
      if (error instanceof CqlError) {
        if (query !== undefined && !("query" in error)) Object.assign(error, { query });
        // From here, the stack has the lines of the caller; where the error was made, it had only a socket's or a timer's.
        (Error as { captureStackTrace?: (error: object) => void }).captureStackTrace?.(error);
      }
      throw error;
    } finally {
      this.#running--;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  #query(call: string, query: string | PreparedStatement, params: Params | undefined, options: QueryOptions | undefined): Query {
    const settings = readQueryOptions(call, options, this.#defaults);
    const text = textOf(query, `the query of ${call}`);
    checkParams(params, `the params of ${call}`);
    params = own(params, `the params of ${call}`);
    for (const name of ["pageState", "customPayload"] as const) Object.assign(settings, { [name]: own(settings[name], name) });
    const prepare = settings.prepare ?? (typeof query !== "string" || hasAny(params));
    return { text, params, settings, statement: prepare ? this.#statements.get(query, settings.keyspace) : undefined };
  }

  #batchItem(item: BatchItem, index: number, keyspace: string | undefined): Statement | string {
    const text = textOf(item?.query, `the query of batch item ${index}`);
    const unknown = Object.keys(item).find((name) => !["query", "params", "columns"].includes(name));
    if (unknown !== undefined) throw new CqlError("CQL_OPTION", `batch item ${index} has no ${JSON.stringify(unknown)}: only query, params and columns`);
    if (item.params && item.columns) throw new CqlError("CQL_OPTION", `batch item ${index} has params and columns: give one of them`);
    checkParams(item.params, `the params of batch item ${index}`);
    checkColumns(item.columns, `the columns of batch item ${index}`);
    return typeof item.query !== "string" || item.columns || hasAny(item.params) ? this.#statements.get(item.query, keyspace) : text;
  }

  /** One page. */
  #ask({ text, statement, params, settings }: Query, pageState: Uint8Array | undefined): Promise<ResultMessage> {
    const { timeout, signal, consistency, serialConsistency, timestamp, keyspace, nowInSeconds, tracing, customPayload, pageSize, types } = settings;
    const callLimits = limits(timeout, signal);
    const mayWrite = !/^\s*select\b/i.test(text);
    const options = { consistency, serialConsistency, timestamp, nowInSeconds, tracing, customPayload, pageSize, pageState } as object;
    return this.#run(text, async () => {
      if (!statement) {
        const message = withParams({ ...options, opcode: "QUERY", query: text, keyspace, types } as RequestMessage & { opcode: "QUERY" }, hasAny(params) ? params : undefined);
        return resultOf(await this.#connection.request(message, callLimits, { mayWrite }), "QUERY");
      }
      const execute = (snapshot: PreparedMessage): Promise<ResponseMessage> => {
        // Where changed columns are told (v5), the server need not describe them each time.
        const skipMetadata = this.#connection.codec.hasResultMetadataId && snapshot.result.length > 0;
        const message = withParams({ ...options, opcode: "EXECUTE" as const, prepared: snapshot, skipMetadata }, params);
        const observe = (answer: ResponseMessage): void => {
          if (answer.opcode === "RESULT" && answer.kind === "Rows" && answer.prepared) statement.renew(snapshot, answer.prepared);
        };
        return this.#connection.request(message, callLimits, { mayWrite, observe });
      };
      let snapshot = statement.snapshot ?? (await this.#statements.snapshot(statement, callLimits));
      let answer = await execute(snapshot);
      if (isUnprepared(answer)) {
        snapshot = await this.#statements.snapshot(statement, callLimits, snapshot);
        answer = await execute(snapshot);
      }
      return resultOf(answer, "EXECUTE");
    });
  }
}

function isUnprepared(answer: ResponseMessage): boolean {
  return answer.opcode === "ERROR" && answer.code === UNPREPARED;
}

function resultOf(answer: ResponseMessage, request: string): ResultMessage {
  if (answer.opcode === "RESULT") return answer;
  if (answer.opcode === "ERROR") throw serverError(answer);
  throw new CqlError("CQL_PROTOCOL", `the server answered ${request} with ${answer.opcode}`);
}

function withParams<T extends object>(message: T, params: Params | undefined): T & { params?: Params } {
  return params === undefined ? message : { ...message, params };
}

function hasAny(params: Params | undefined): boolean {
  return params !== undefined && (Array.isArray(params) ? params.length > 0 : Object.keys(params).length > 0);
}

function textOf(query: unknown, what: string): string {
  const text = typeof query === "object" && query !== null ? (query as PreparedStatement).query : query;
  if (typeof text !== "string") throw new CqlError("CQL_OPTION", `${what} must be a string or a prepared statement`);
  return text;
}

function checkColumns(columns: unknown, what: string): void {
  if (columns !== undefined && tag(columns) !== "Object") throw new CqlError("CQL_OPTION", `${what} must be an object with an array for each bind marker`);
}

function checkParams(params: unknown, what: string): void {
  if (params === undefined || Array.isArray(params) || tag(params) === "Object") return;
  throw new CqlError("CQL_OPTION", `${what} must be an array, or an object with the values by name`);
}
