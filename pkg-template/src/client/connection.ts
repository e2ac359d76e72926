// One connection: requests → streams → answers. It gives each answer to the request it belongs to and to no other, whatever the
// server, the clock and the socket do, and settles every request exactly once.
import { Codec, CqlError, isParamColumns, serverError } from "../codec/index.ts";
import type { BatchStatement, ErrorMessage, Message, Params, RequestMessage, ResponseMessage, ValueOptions } from "../../types/index.js";
import { type Transport, afterDueTimers, afterThisTick, openTransport } from "./transport.ts";
import { type Limits, Waiter } from "./waiter.ts";

export interface ConnectionSettings {
  host: string;
  port: number;
  version: 3 | 4 | 5;
  maxInFlight: number;
  maxQueued: number;
  values: ValueOptions | undefined;
}

/** What the connection needs to know of a request beside the message. */
export interface RequestTraits {
  /** The server may change data: said where an answer is missing. */
  mayWrite?: boolean;
  /** Called with the answer also when nobody waits for it any more: what it says is still true. */
  observe?: (answer: ResponseMessage) => void;
}

interface Request extends RequestTraits {
  message: RequestMessage;
  waiter: Waiter<ResponseMessage>;
  isSent: boolean;
}

/** Bytes encoded, about, before they are handed to the socket: only then is it known whether the socket takes more. */
const MOST_UNFLUSHED = 1 << 20;
/** 1 to 32,767: see `ready`. */
const MOST_STREAMS = 32_767;
/** Given-up requests whose streams are still taken. With that many, the server does not answer: better to start anew. */
const MOST_ORPHANS = 256;

export class Connection {
  readonly codec: Codec;
  readonly address: string;
  /** The keyspace in use, as the server said last. */
  keyspace: string | null = null;
  readonly #transport: Transport;
  readonly #settings: ConnectionSettings;
  /** In flight, by stream. A request that was given up stays until its answer comes: its stream must not be used before. */
  readonly #pending = new Map<number, Request>();
  /** Not encoded yet, in order. */
  readonly #queue = new Set<Request>();
  readonly #freeStreams: number[] = [];
  #nextStream = 1;
  #orphans = 0;
  /** About how many bytes wait in the codec. */
  #unflushed = 0;
  #isBlocked = false;
  #isReady = false;
  /** Why and how it ended. */
  #end: { reason: string; cause: Error | undefined } | undefined;

  constructor(settings: ConnectionSettings) {
    const { host, port, version, values } = settings;
    this.#settings = settings;
    this.address = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    this.codec = new Codec({ version, values });
    this.#transport = openTransport(host, port, {
      onData: (chunk) => this.#receive(chunk),
      onDrain: () => {
        this.#isBlocked = false;
        this.#sendQueued();
      },
      onEnd: (cause) => this.#fail(cause ? describeCause(cause) : "the server closed it", cause ?? undefined),
    });
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /**
   * The handshake is over. Until here there is one request at a time, on stream 0; from here on stream 0 stays unused, because servers
   * report on it what is wrong with the connection.
   */
  ready(): void {
    this.#isReady = true;
  }

  /** Sends `message` and resolves with its answer, which can be an ERROR. */
  request(message: RequestMessage, limits: Limits, traits: RequestTraits = {}): Promise<ResponseMessage> {
    if (this.#end) return Promise.reject(this.#endError(undefined));
    const mustWait = this.#queue.size > 0 || !this.#canSend();
    if (mustWait && this.#queue.size >= this.#settings.maxQueued) {
      const { maxInFlight, maxQueued } = this.#settings;
      const text = `${maxInFlight} requests are in flight and ${maxQueued} wait: send fewer at once (options maxInFlight, maxQueued)`;
      return Promise.reject(new CqlError("CQL_QUEUE_FULL", text));
    }
    let request: Request | undefined; // none yet where the signal has fired already
    const waiter = new Waiter<ResponseMessage>(limits, (why) => this.#giveUp(request, limits, why));
    if (!waiter.isSettled) {
      request = { ...traits, message, waiter, isSent: false };
      if (mustWait) this.#queue.add(request);
      else this.#send(request);
    }
    return waiter.promise;
  }

  /** Ends in good order; whoever still waits is told. */
  close(grace: number): Promise<void> {
    if (this.#end) return Promise.resolve();
    const closed = this.#transport.close(grace);
    this.#settleAll("the client closed it", undefined);
    return closed;
  }

  /** Ends at once. */
  destroy(): void {
    this.#fail("the client closed it", undefined);
  }

  // Out.

  #canSend(): boolean {
    // Who was given up takes a stream, but nobody's turn.
    const inFlight = this.#pending.size - this.#orphans;
    return !this.#isBlocked && inFlight < this.#settings.maxInFlight && this.#pending.size < MOST_STREAMS;
  }

  #send(request: Request): void {
    const stream = this.#isReady ? (this.#freeStreams.pop() ?? this.#nextStream++) : 0;
    let weight: number;
    try {
      weight = weigh(request.message); // first: it reads values too, and what is written will be sent
      this.codec.write(request.message, stream);
    } catch (error) {
      // A value that does not fit, or that throws when it is read, concerns this request; nothing of it is left in the codec.
      this.#release(stream);
      request.waiter.reject(error as Error);
      if (error instanceof CqlError && error.code === "CQL_WASM") this.#fail("the codec failed", error);
      return;
    }
    request.isSent = true;
    this.#pending.set(stream, request);
    if (this.#unflushed === 0) afterThisTick(() => this.#flush());
    this.#unflushed += weight;
    if (this.#unflushed >= MOST_UNFLUSHED) this.#flush();
  }

  #flush(): void {
    if (this.#end || this.#unflushed === 0) return;
    this.#unflushed = 0;
    try {
      this.#isBlocked = !this.#transport.write(this.codec.flush());
    } catch (error) {
      this.#fail("the codec failed", error as Error);
    }
  }

  #sendQueued(): void {
    if (this.#end) return;
    for (const request of this.#queue) {
      if (!this.#canSend()) return;
      this.#queue.delete(request);
      this.#send(request);
    }
  }

  #release(stream: number): void {
    if (stream !== 0) this.#freeStreams.push(stream);
  }

  #giveUp(request: Request | undefined, { timeout, signal }: Limits, why: "timeout" | "abort"): CqlError {
    const isSent = request !== undefined && request.isSent;
    const mayBeApplied = isSent && request.mayWrite === true;
    if (request) this.#queue.delete(request);
    if (isSent) this.#addOrphan();
    const fate = mayBeApplied ? "the server may still apply it" : !this.#isReady ? "it was to connect" : isSent ? "the server may still work on it" : "it was not sent";
    return why === "abort"
      ? new CqlError("CQL_ABORTED", `aborted: ${fate}`, { mayBeApplied, cause: signal?.reason })
      : new CqlError("CQL_TIMEOUT_CLIENT", `no answer from ${this.address} within ${timeout} ms: ${fate}`, { mayBeApplied });
  }

  #addOrphan(): void {
    this.#orphans++;
    // Requests that wait are often due at the same time: those must not be sent in the moment before their own timer runs.
    afterDueTimers(() => {
      if (this.#orphans >= MOST_ORPHANS) this.#fail(`${this.#orphans} requests that were given up are still unanswered`, undefined);
      else this.#sendQueued();
    });
  }

  // In.

  #receive(chunk: Uint8Array): void {
    try {
      for (const message of this.codec.feed(chunk)) {
        this.#dispatch(message);
        if (this.#end) return;
      }
    } catch (error) {
      // A socket's event must not throw.
      return this.#fail("the codec failed", error as Error);
    }
    this.#sendQueued();
  }

  #dispatch(message: Message): void {
    if (message.stream === null) return this.#fail("what the server sent is not CQL", message.error);
    const { stream } = message;
    const request = this.#pending.get(stream);
    if (request === undefined) return this.#unasked(message);
    this.#pending.delete(stream);
    this.#release(stream);
    if (request.waiter.isSettled) this.#orphans--;
    if (message.error) return request.waiter.reject(message.error);
    if (message.opcode === "RESULT" && message.kind === "Set_keyspace") this.keyspace = message.keyspace;
    request.observe?.(message);
    request.waiter.resolve(message);
  }

  #unasked(message: Exclude<Message, { stream: null }>): void {
    if (message.stream < 0 && message.opcode === "EVENT") return;
    // What a server cannot tell the stream of, it reports on stream 0.
    if (message.stream === 0 && message.opcode === "ERROR" && !message.error) {
      const error = serverError(message as ErrorMessage);
      return this.#fail(`the server reported an error of the connection: ${error.message}`, error);
    }
    const text = `the server sent ${message.opcode} on stream ${message.stream}, on which nothing was asked`;
    this.#fail(text, new CqlError("CQL_PROTOCOL", text));
  }

  // The end.

  #fail(reason: string, cause: Error | undefined): void {
    if (this.#end) return;
    this.#transport.destroy();
    this.#settleAll(reason, cause);
  }

  #settleAll(reason: string, cause: Error | undefined): void {
    this.#end = { reason, cause };
    for (const request of [...this.#pending.values(), ...this.#queue]) request.waiter.reject(this.#endError(request));
    this.#pending.clear();
    this.#queue.clear();
  }

  #endError(request: Request | undefined): CqlError {
    const { reason, cause } = this.#end!;
    const isSent = request?.isSent === true;
    const mayBeApplied = isSent && request.mayWrite === true;
    const fields = cause ? { mayBeApplied, cause } : { mayBeApplied };
    if (!this.#isReady) return new CqlError("CQL_CONNECTION_CLOSED", `could not connect to ${this.address}: ${reason}`, fields);
    const fate = mayBeApplied ? "; the request may have been applied" : isSent ? "; the request was not answered" : "; the request was not sent";
    return new CqlError("CQL_CONNECTION_CLOSED", `the connection to ${this.address} ended: ${reason}${fate}`, fields);
  }
}

/** About how many bytes a request takes. Only what can be large counts. */
function weigh(message: RequestMessage): number {
  if (message.opcode === "BATCH") return message.statements.reduce((sum, statement) => sum + weighStatement(statement), 64);
  if (message.opcode === "EXECUTE" && message.prepared && isParamColumns(message.columns)) return 64 + message.columns.weigh(message.row ?? 0);
  return 64 + (message.opcode === "EXECUTE" || message.opcode === "QUERY" ? weighParams(message.params) : 0);
}

function weighStatement(statement: BatchStatement): number {
  if (!("columns" in statement) || !isParamColumns(statement.columns)) return weighParams(statement.params);
  const { columns, from = 0, to = columns.length } = statement;
  let sum = 0;
  for (let row = from; row < to; row++) sum += columns.weigh(row);
  return sum;
}

function weighParams(params: Params | undefined): number {
  let sum = 0;
  for (const value of params === undefined ? [] : Array.isArray(params) ? params : Object.values(params)) {
    if (typeof value === "string") sum += value.length;
    else if (ArrayBuffer.isView(value)) sum += value.byteLength;
    else if (Array.isArray(value)) sum += 8 * value.length;
    else sum += 16;
  }
  return sum;
}

/** Node's error for a name with several addresses has no text of its own. */
function describeCause(cause: Error): string {
  if (cause.message) return cause.message;
  return cause instanceof AggregateError ? cause.errors.map((error: Error) => error.message).join("; ") : cause.name;
}
