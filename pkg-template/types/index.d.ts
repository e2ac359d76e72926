/**
 * cqlwire: the CQL native protocol (Apache Cassandra, ScyllaDB), versions 3, 4 and 5. No sockets here: bytes in, messages out,
 * and back. Section numbers are those of Cassandra's `native_protocol_v5.spec`.
 */

/** A CQL type as metadata describes it. */
export interface CqlType {
  /** `int`, `list`, `udt`, `vector`, `custom`, … */
  readonly kind: string;
  /** As CQL writes it: `map<text, list<int>>`; made when asked for. */
  readonly text: string;
  /** Element of list, set and vector; key and value of a map; items of a tuple; fields of a UDT. */
  readonly of: readonly CqlType[];
  /** Of a vector. */
  readonly dimension?: number;
  /** Field names of a UDT. */
  readonly names?: readonly string[];
  /** Keyspace of a UDT. */
  readonly keyspace?: string;
  /** Name of a UDT; marshal class of a custom type. */
  readonly name?: string;
}

/** Where a type is given: as CQL writes it, a column's `type`, or an object of that shape (a UDT has no text that says its fields). */
export type CqlTypeInput = string | (Omit<CqlType, "text" | "of"> & { readonly of?: readonly CqlTypeInput[] });

/** A column of a result, or a bind marker (§4.2.5.2). */
export interface ColumnSpec {
  readonly keyspace: string;
  readonly table: string;
  readonly name: string;
  readonly type: CqlType;
}

/** The same where it is given. */
export interface ColumnSpecInput {
  /** Default empty. */
  readonly keyspace?: string;
  /** Default empty. */
  readonly table?: string;
  readonly name: string;
  readonly type: CqlTypeInput;
}

/** By column name. What each type becomes is in the README; name your own type where a method takes one: `execute<{ id: number }>`. */
export type Row = Record<string, unknown>;
export type Consistency =
  | "ANY" | "ONE" | "TWO" | "THREE" | "QUORUM" | "ALL" | "LOCAL_QUORUM" | "EACH_QUORUM" | "SERIAL" | "LOCAL_SERIAL" | "LOCAL_ONE";
export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** What any request's frame can carry (§2.4.1.2). */
export interface RequestFrame {
  /** Ask the server to trace it; the answer then has a `tracingId`. */
  tracing?: boolean;
  /** Names and bytes for an extension of the server (v4). */
  customPayload?: Readonly<Record<string, Uint8Array | null>>;
  /** Agree to a version that the server still calls beta. */
  useBeta?: boolean;
  /** Used where `encode` and `write` are given none: a request that was read has the one it came on. */
  stream?: number;
}

/** Options of QUERY, EXECUTE and BATCH (§4.1.4). What is left out is not sent. One that the version lacks is an error naming it. */
export interface StatementOptions extends RequestFrame {
  /** Default `LOCAL_ONE`. A number stands for a level that has no name. */
  consistency?: Consistency | number;
  serialConsistency?: "SERIAL" | "LOCAL_SERIAL";
  /** Microseconds since 1970. */
  timestamp?: number | bigint;
  /** Instead of the connection's (v5). */
  keyspace?: string;
  /** The server's idea of now, for tests of time to live (v5). */
  nowInSeconds?: number;
}

export interface PagingOptions {
  /** Rows a page. */
  pageSize?: number;
  /** From the page before. Opaque; only for the same statement and protocol version. */
  pageState?: Uint8Array | null;
  /** Ask for rows without their columns' description: safe where `Codec.hasResultMetadataId`. */
  skipMetadata?: boolean;
}

/** §4.1.1 */
export interface StartupMessage extends RequestFrame { opcode: "STARTUP"; options: Readonly<Record<string, string>> }
/** §4.1.3 */
export interface OptionsMessage extends RequestFrame { opcode: "OPTIONS" }
/** §4.1.5 */
export interface PrepareMessage extends RequestFrame { opcode: "PREPARE"; query: string; keyspace?: string }
/** §4.1.8 */
export interface RegisterMessage extends RequestFrame { opcode: "REGISTER"; eventTypes: string[] }
/** §4.1.2 */
export interface AuthResponseMessage extends RequestFrame { opcode: "AUTH_RESPONSE"; token: Uint8Array | null }
/** Values whose types nobody has said: give `types`, or values that are bytes, null or unset. By name: an object, or `names` beside an array. */
export interface UntypedParams {
  params?: Params;
  /** As many as `params`, in their order: what a request that was read has, since two may have one name. */
  names?: readonly string[];
  types?: readonly CqlTypeInput[] | Readonly<Record<string, CqlTypeInput>>;
}
/** §4.1.4 */
export interface QueryMessage extends StatementOptions, PagingOptions, UntypedParams { opcode: "QUERY"; query: string }
/** §4.1.6. By the statement, whose types are known, or by its id. A request that was read has the id, and its values as bytes. */
export type ExecuteMessage = StatementOptions & PagingOptions & { opcode: "EXECUTE" } & (
    | { prepared: PreparedMessage; id?: undefined; params?: Params }
    | ({ prepared?: undefined; id: Uint8Array; resultMetadataId?: Uint8Array } & UntypedParams)
  );
export type BatchStatement =
  | { query: string; params?: readonly unknown[]; types?: readonly CqlTypeInput[] }
  | { prepared: PreparedMessage; params?: Params }
  | { id: Uint8Array; params?: readonly unknown[]; types?: readonly CqlTypeInput[] };
/** §4.1.7. Servers refuse large batches over several partitions; many rows go in as concurrent EXECUTEs. */
export interface BatchMessage extends StatementOptions {
  opcode: "BATCH";
  /** Default `LOGGED`. */
  type?: "LOGGED" | "UNLOGGED" | "COUNTER";
  statements: readonly BatchStatement[];
}
export type RequestMessage =
  | StartupMessage | OptionsMessage | PrepareMessage | RegisterMessage | AuthResponseMessage | QueryMessage | ExecuteMessage | BatchMessage;

/**
 * What a server reads: a request, in the shape that one gives to `encode`. Values are `Uint8Array`, null or `unset`; those with names have them in
 * `names`. A level, flag or option that the version lacks is not there.
 */
export type ReceivedRequest =
  | (RequestMessage & { readonly stream: number; readonly trace?: MessageTrace; readonly error?: undefined })
  | BadMessage
  | FramingError;

/** A field of a message and the bytes it was read from; a group of fields has `fields` in place of `value`. */
export interface TraceField {
  /** As the specification and errors name it: `QUERY.query`, `metadata.name`, `int`. */
  readonly name: string;
  /** Which of several. */
  readonly index?: number;
  /** Offsets in `MessageTrace.bytes`; a field of no bytes has `start === end`. */
  readonly start: number;
  readonly end: number;
  /** What it says, as text; cut where it is long. */
  readonly value?: string;
  readonly fields?: TraceField[];
}
/** Of a codec made with `trace: true`: what the message was read from. */
export interface MessageTrace {
  /** The frame: its header as it came, its body decompressed. Empty where that failed. */
  readonly bytes: Uint8Array;
  /** In the order of the bytes; up to where the message could be read. */
  readonly fields: TraceField[];
}

/** What any response's frame can carry (§4). */
export interface MessagePrefix {
  readonly tracingId?: string;
  readonly warnings?: readonly string[];
  readonly customPayload?: Readonly<Record<string, Uint8Array | null>>;
  readonly trace?: MessageTrace;
}
interface Response extends MessagePrefix {
  /** The request's stream; -1 for events. */
  readonly stream: number;
}

/** §8: `code`, the server's words, and the fields that the code has. */
export interface ErrorMessage extends Response {
  readonly opcode: "ERROR";
  readonly code: number;
  readonly message: string;
  /** Version of the frame: a server answers a version it lacks in one of its own. */
  readonly version: number;
  readonly consistency?: Consistency | number;
  readonly required?: number;
  readonly alive?: number;
  readonly received?: number;
  readonly blockFor?: number;
  readonly writeType?: string;
  readonly contentions?: number;
  readonly dataPresent?: boolean;
  readonly failures?: number;
  readonly reasons?: readonly { readonly address: string; readonly code: number }[];
  readonly keyspace?: string;
  readonly table?: string;
  readonly function?: string;
  readonly argumentTypes?: readonly string[];
  readonly statementId?: Uint8Array;
  /** Of ScyllaDB's rate limits, whose code the connection has agreed on (Scylla, Rate limit error). A number that has no name is a number. */
  readonly opType?: "READ" | "WRITE" | number;
  /** Of the same; else replicas rejected it. */
  readonly rejectedByCoordinator?: boolean;
}
/** §4.2.2 */
export interface ReadyMessage extends Response { readonly opcode: "READY" }
/** §4.2.3 */
export interface AuthenticateMessage extends Response { readonly opcode: "AUTHENTICATE"; readonly authenticator: string }
/** §4.2.4 */
export interface SupportedMessage extends Response { readonly opcode: "SUPPORTED"; readonly options: Readonly<Record<string, string[]>> }
/** §4.2.7 */
export interface AuthChallengeMessage extends Response { readonly opcode: "AUTH_CHALLENGE"; readonly token: Uint8Array | null }
/** §4.2.8 */
export interface AuthSuccessMessage extends Response { readonly opcode: "AUTH_SUCCESS"; readonly token: Uint8Array | null }
/** §4.2.6 */
export type EventMessage = Response & { readonly opcode: "EVENT" } & (
    | { readonly eventType: "TOPOLOGY_CHANGE" | "STATUS_CHANGE"; readonly changeType: string; readonly address: string; readonly port: number }
    | ({ readonly eventType: "SCHEMA_CHANGE" } & SchemaChange)
    | ClientRoutesChange
    | { readonly eventType: "UNKNOWN"; readonly unknownType: string; readonly body: Uint8Array }
  );
/**
 * Other addresses lead to a ScyllaDB cluster's nodes (Scylla, Sending the CLIENT_ROUTES_CHANGE event). No option of SUPPORTED tells of it: a server
 * that has no such event refuses the REGISTER that names it.
 */
export interface ClientRoutesChange {
  readonly eventType: "CLIENT_ROUTES_CHANGE";
  /** `UPDATE_NODES`: routes were inserted, updated or deleted. */
  readonly changeType: string;
  readonly connectionIds: readonly string[];
  readonly hostIds: readonly string[];
}
/** §4.2.5.5 */
export interface SchemaChange {
  readonly changeType: string;
  readonly target: string;
  readonly keyspace: string;
  readonly name?: string;
  readonly argumentTypes?: readonly string[];
}
/** §4.2.5.1 */
export interface VoidMessage extends Response { readonly opcode: "RESULT"; readonly kind: "Void" }
/** §4.2.5.3 */
export interface SetKeyspaceMessage extends Response { readonly opcode: "RESULT"; readonly kind: "Set_keyspace"; readonly keyspace: string }
/** §4.2.5.5 */
export type SchemaChangeMessage = Response & { readonly opcode: "RESULT"; readonly kind: "Schema_change" } & SchemaChange;
/** §4.2.5.4. Frozen: it is the statement's snapshot. Give the object itself to EXECUTE and BATCH, not a copy. */
export interface PreparedMessage extends Response {
  readonly opcode: "RESULT";
  readonly kind: "Prepared";
  readonly id: Uint8Array;
  /** Empty where the version has none. */
  readonly resultMetadataId: Uint8Array;
  /** Bind markers that make the partition key; empty where the server does not say. */
  readonly pkIndices: readonly number[];
  /** The statement is conditional, a lightweight transaction. False where the connection has no mark for it (`ScyllaFeatures.lwtMask`), whatever it is. */
  readonly isLwt: boolean;
  readonly bind: readonly ColumnSpec[];
  /** Columns of the rows it will give. */
  readonly result: readonly ColumnSpec[];
}
/** §4.2.5.2. Values are copies: they stay right for ever. */
export interface RowsMessage extends Response {
  readonly opcode: "RESULT";
  readonly kind: "Rows";
  /** Rows. */
  readonly length: number;
  readonly columnCount: number;
  /** They came without their columns' description: these are the prepared statement's. */
  readonly noMetadata: boolean;
  /** The flag of that name: the table was said once, for all columns. */
  readonly globalTableSpec: boolean;
  /** The rows as they came, where nobody knew their columns: then `metadata`, `columns` and `rows` throw `CQL_NO_METADATA`, and `decode` reads them. */
  readonly cells: Uint8Array | null;
  readonly metadata: readonly ColumnSpec[];
  readonly columns: readonly Column[];
  /** Row objects, made when first asked for. Of two columns with one name the first has it. */
  readonly rows: Row[];
  /** Where the next page begins; null on the last. */
  readonly pagingState: Uint8Array | null;
  /** The columns have changed since PREPARE (§4.2.5.2). */
  readonly newMetadataId: Uint8Array | null;
  /** Then, of an EXECUTE: the statement with its new snapshot, to be used from now on. */
  readonly prepared: PreparedMessage | null;
  /** By name. Throws `CQL_COLUMN` where there is none or two of it. */
  column<V extends ColumnValues = ColumnValues>(name: string): Column<V>;
  /** The message with its rows read as these columns; the message itself if it knows its own. Throws `CQL_DECODE`. */
  decode(columns: PreparedMessage | readonly ColumnSpec[]): RowsMessage;
}
/** A message whose body could not be read. Other streams are not concerned. */
export interface BadMessage {
  readonly stream: number;
  readonly opcode: string;
  readonly error: CqlError;
  readonly trace?: MessageTrace;
}
/** The stream of bytes itself is broken: the last message there is. */
export interface FramingError {
  readonly stream: null;
  readonly opcode: null;
  readonly error: CqlError;
  readonly fatal: true;
}
export type ResultMessage = VoidMessage | RowsMessage | SetKeyspaceMessage | PreparedMessage | SchemaChangeMessage;
export type ResponseMessage =
  | ErrorMessage | ReadyMessage | AuthenticateMessage | SupportedMessage | ResultMessage | EventMessage | AuthChallengeMessage | AuthSuccessMessage;
export type Message = (ResponseMessage & { readonly error?: undefined }) | BadMessage | FramingError;

type Outgoing<M> = M extends unknown ? Omit<M, "stream"> & { readonly stream?: number } : never;
/** Rows to be written: `metadata` and `rows`; or a message that was read, whose `columns` or `cells` are then written. */
export type OutgoingRows = Outgoing<MessagePrefix & { readonly stream: number }> & {
  readonly opcode: "RESULT";
  readonly kind: "Rows";
  readonly metadata?: readonly ColumnSpecInput[];
  /** Each an array in the order of `metadata`, or an object by column name. */
  readonly rows?: readonly (readonly unknown[] | Readonly<Record<string, unknown>>)[];
  readonly pagingState?: Uint8Array | null;
  /** Only with metadata, and where `Codec.hasResultMetadataId`. */
  readonly newMetadataId?: Uint8Array | null;
  /** Leave the columns' description out: the client asked for that (`skipMetadata`). */
  readonly noMetadata?: boolean;
  /** Default: the columns are of one table, and described. */
  readonly globalTableSpec?: boolean;
  readonly columns?: readonly Column[];
  readonly cells?: Uint8Array | null;
  readonly length?: number;
  readonly columnCount?: number;
  readonly prepared?: PreparedMessage | null;
};
/** What a server writes: the shape of what a client reads, without what follows from the rest. */
export type OutgoingResponse =
  | Outgoing<Omit<ErrorMessage, "version"> & { readonly version?: number }>
  | Outgoing<ReadyMessage | AuthenticateMessage | SupportedMessage | AuthChallengeMessage | AuthSuccessMessage>
  | Outgoing<VoidMessage | SetKeyspaceMessage | SchemaChangeMessage>
  | Outgoing<EventMessage>
  | (Outgoing<MessagePrefix & { readonly stream: number }> & {
      readonly opcode: "RESULT";
      readonly kind: "Prepared";
      readonly id: Uint8Array;
      readonly resultMetadataId?: Uint8Array;
      readonly pkIndices?: readonly number[];
      /** Told to a client that asked for the mark, as ScyllaDB does it; to others it goes without. */
      readonly isLwt?: boolean;
      readonly bind?: readonly ColumnSpecInput[];
      readonly result?: readonly ColumnSpecInput[];
    })
  | OutgoingRows;

export type ColumnValues = Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;

/**
 * The cells of one column; name the kind of its values where you know it: `page.column<Float32Array>("v").values`. By type: Int8Array, Int16Array, Int32Array (also date, in days since 1970-01-01),
 * BigInt64Array (bigint, counter, timestamp in ms, time in ns), Float32Array, Float64Array; Uint8Array of 0 and 1 (boolean), of 16 a row
 * (uuid), or cut by `offsets` (text, blob, varint, decimal, inet, custom). A vector of numbers is one array, `stride` a row. Lists,
 * maps, tuples, UDTs, durations and other vectors have `children`. The slot of a null is zero.
 */
export interface Column<V extends ColumnValues = ColumnValues> {
  readonly name: string;
  readonly type: CqlType;
  readonly length: number;
  /** Elements of `values` a row. */
  readonly stride: number;
  readonly values: V;
  /** `length + 1` ends, in `values` or in `children`. */
  readonly offsets: Uint32Array | null;
  /** Arrow's validity bitmap: bit `i & 7` of byte `i >> 3` is 1 where row i is not null. null: no row is null. */
  readonly validity: Uint8Array | null;
  readonly children: readonly Column[];
  /** The JavaScript value of a row. Of a numeric vector: a view into `values`, `.slice()` to keep it without its page. */
  at(row: number): unknown;
  isNull(row: number): boolean;
  /** The row is null because the cell has zero bytes in a type that has no such value. */
  isEmpty(row: number): boolean;
  [Symbol.iterator](): IterableIterator<unknown>;
}

/**
 * How values come out, and what goes in beside the README's table. They hold at every depth: elements, keys, fields. A name or a choice
 * that is not here is `CQL_OPTION`. `Column.values` and the other arrays of a column do not depend on them.
 */
export interface ValueOptions {
  /**
   * bigint and counter; not varint, which is always a BigInt. Default `bigint`. `number`: what is beyond 2⁵³ throws `CQL_RANGE` with
   * `column` and `row` when it is read. `string`: decimal digits. With these two a vector of bigint is an Array, no BigInt64Array.
   */
  int64?: "bigint" | "number" | "string";
  /**
   * timestamp. Default `date`: a Date, or a BigInt where Date has no such day. `number`, `bigint`: milliseconds since 1970; a `number` beyond
   * 2⁵³ throws `CQL_RANGE`.
   */
  timestamps?: "date" | "number" | "bigint";
  /** set. Default `array`. `set`: a Set, which tells objects apart by identity and has one zero; its JSON is an array. */
  sets?: "array" | "set";
  /**
   * map. Default `map`: a Map, which tells objects apart by identity and has one zero; its JSON is an object where keys are strings, else
   * pairs. `object`: an object without a prototype where the keys are strings (ascii, text, uuid, timeuuid, inet, and bigint with
   * `int64: "string"`; keys that look like array indices then come first); maps with other keys stay Maps. A key in an object that is null
   * or not UTF-8 throws `CQL_RANGE`.
   */
  maps?: "map" | "object";
  /**
   * Zero bytes in a type that has no such value. Default `null` (`Column.isEmpty` tells), but `marker` in `decodeValue`: the constant
   * `empty`, which is a symbol, so that JSON leaves it out.
   */
  empties?: "null" | "marker";
  /**
   * text and ascii. Default `sliced`: fast, but a string of 13 or more characters can keep up to 16 KiB of its page in memory. `own`: each
   * string keeps itself alone, for a few long-lived ones out of large pages.
   */
  strings?: "sliced" | "own";
  /** What `undefined` stands for as a parameter, or (`null` only) inside one. Default: nothing, it is `CQL_ENCODE`. */
  undefinedAs?: "unset" | "null";
}

export type Role = "client" | "server";

export interface CodecOptions<R extends Role = "client"> {
  /** Whether it writes requests and reads responses (`client`, the default) or the other way round. */
  role?: R;
  /** Default 5. A server takes the version of the first request; before that it answers in this one. */
  version?: 3 | 4 | 5;
  values?: ValueOptions;
  /** The handshake is over: for captures and tests. */
  established?: {
    version?: 3 | 4 | 5;
    compression?: "none" | "lz4" | "snappy";
    /** ScyllaDB's extensions that were agreed; those that are left out were not. */
    features?: Partial<ScyllaFeatures>;
  };
  limits?: Limits;
  /** Say of every message from which bytes its fields were read (`trace`). Costs time and memory: for tools. */
  trace?: boolean;
}

/** Caps on what the other side may claim. */
export interface Limits {
  /** Most bytes of a frame's body, as it came and decompressed; a larger frame is refused once its header is here. Default and most 256 MiB. */
  frameBody?: number;
  /** Most bytes that the slots of null cells may take in one page: a null is 4 bytes on the wire, a whole slot in a column. Default 256 MiB. */
  nullSlots?: number;
}

/** Bytes so far: on the wire, and as frames, without compression and segments. */
export interface Traffic {
  readonly received: number;
  readonly framesReceived: number;
  readonly sent: number;
  readonly framesSent: number;
}

/**
 * The codec of one connection. It stands before STARTUP, and learns compression and framing from the STARTUP and the READY or
 * AUTHENTICATE that go by. Nothing to free. As a server it reads requests and writes responses: the same shapes the other way round.
 *
 * ```js
 * const codec = new Codec({ version: 5 });
 * socket.write(codec.encode({ opcode: "OPTIONS" }, 0));
 * for (const message of codec.feed(chunk)) console.log(message.stream, message.opcode);
 * ```
 */
export class Codec<R extends Role = "client"> {
  constructor(options?: CodecOptions<R>);
  readonly role: R;
  /** Of the frames it writes. */
  readonly version: 3 | 4 | 5;
  /** READY or AUTHENTICATE has gone by. */
  readonly isEstablished: boolean;
  /** What STARTUP asked for. */
  readonly compression: "none" | "lz4" | "snappy";
  /** Changed metadata is told (v5, or `features.metadataId`), so that `skipMetadata` is safe. */
  readonly hasResultMetadataId: boolean;
  /** ScyllaDB's extensions that both sides agreed on: what STARTUP asked for, of what was offered. */
  readonly features: ScyllaFeatures;
  /**
   * Says which of ScyllaDB's extensions the node has, before STARTUP. Else the SUPPORTED that goes by says it; where none does (a second connection to
   * a node, a server that is not asked), STARTUP is taken at its word, and the error of rate limits, whose code it does not have, is an ERROR of
   * unknown code. What is left out the node does not have: `offer({})` is a server that knows none. Throws `CQL_OPTION` as `established.features`
   * does: for a mask or a code that means something else already, and after the handshake.
   */
  offer(features: Partial<ScyllaFeatures>): void;
  readonly traffic: Traffic;
  /** Bytes received that wait for the rest of their frame: not 0 where a stream ends inside a message. */
  readonly waiting: number;
  /** The bytes of one message. Throws `CQL_ENCODE`, `CQL_PARAMS`, `CQL_OPTION` or `CQL_TYPE`, and nothing of it is kept then. */
  encode(message: R extends "server" ? OutgoingResponse : RequestMessage, stream?: number): Uint8Array;
  /** The same, kept until `flush`: messages of one moment share segments (v5) and one write. */
  write(message: R extends "server" ? OutgoingResponse : RequestMessage, stream?: number): void;
  /** The bytes of everything written. */
  flush(): Uint8Array;
  /** Takes the next bytes of the stream, cut anywhere; gives the messages that are whole. They are copied at once. */
  feed(chunk: Uint8Array | ArrayBuffer): (R extends "server" ? ReceivedRequest : Message)[];
}

/**
 * A `TransformStream` from the bytes of a connection, cut anywhere, to its messages. It fails with `CQL_FRAMING` after the last good message of a
 * broken stream, and where the bytes end inside a message.
 *
 * ```js
 * const bytes = new Blob([Uint8Array.of(0x84, 0, 0, 0, 2, 0, 0, 0, 0)]).stream();
 * for await (const message of bytes.pipeThrough(messageStream(new Codec({ version: 4 })))) console.log(message.opcode); // READY
 * ```
 */
export function messageStream<R extends Role = "client">(
  codec: Codec<R>,
): TransformStream<Uint8Array | ArrayBuffer, R extends "server" ? ReceivedRequest : Message>;
/**
 * A message as one line, for logs: what is set, in the order in which this file declares it. Texts and lists are cut, bytes are said by their
 * size, and tokens of authentication not at all: `QUERY stream=1 consistency="ONE" query="SELECT 1"`.
 */
export function messageText(message: Message | ReceivedRequest | RequestMessage | OutgoingResponse): string;

/** Reads `map<text, frozen<list<int>>>`. A UDT has no text that says its fields: use the `type` object of a column. Throws `CQL_TYPE`. */
export function parseType(text: string): CqlType;
/** The bytes of one cell; null for null. Throws `CQL_ENCODE`. */
export function encodeValue(type: CqlTypeInput, value: unknown, options?: ValueOptions): Uint8Array | null;
/** What one cell means; `empty` for zero bytes in a type that has no such value. Throws `CQL_DECODE`. */
export function decodeValue(type: CqlTypeInput, bytes: Uint8Array | null, options?: ValueOptions): unknown;

/**
 * The token of a serialised partition key under Cassandra's Murmur3Partitioner, as CQL's `token()` gives it.
 *
 * ```js
 * murmur3Token(routingKey([encodeValue("text", "art"), encodeValue("int", 7)]));
 * ```
 */
export function murmur3Token(key: Uint8Array): bigint;
/**
 * The serialised partition key of its columns' cells, in the order of the table's key (PREPARED's `pkIndices`). Throws `CQL_ENCODE` for a
 * cell of more than 65,535 bytes in a key of several columns.
 */
export function routingKey(columns: readonly Uint8Array[]): Uint8Array;

/**
 * ScyllaDB's extensions of v4 and v5 that this package has: those that a node offers, or that a connection agreed on. "Scylla" and the name of a section
 * cite scylladb/scylladb `docs/dev/protocol-extensions.md`.
 */
export interface ScyllaFeatures {
  /** SCYLLA_USE_METADATA_ID: result metadata ids on v4, where v5 has them (Scylla, Negotiate sending metadata id). */
  readonly metadataId: boolean;
  /** TABLETS_ROUTING_V1: results can have a tablet in their custom payload, see `decodeTablet` (Scylla, Tablets routing v1). */
  readonly tabletsV1: boolean;
  /** SCYLLA_LWT_ADD_METADATA_MARK: the bits that tell `PreparedMessage.isLwt` (Scylla, LWT prepared statements metadata mark). null: not there. */
  readonly lwtMask: number | null;
  /** SCYLLA_RATE_LIMIT_ERROR: the code of the ERROR that has `opType` and `rejectedByCoordinator` (Scylla, Rate limit error). null: not there. */
  readonly rateLimitError: number | null;
}
/** What a ScyllaDB node says of itself (Scylla, Intranode sharding, Host ID discovery). null: it does not say it, or says what it cannot mean. */
export interface ScyllaOptions {
  /** SCYLLA_SHARD: the shard that serves this connection, from 0. */
  readonly shard: number | null;
  /** SCYLLA_NR_SHARDS: 1 to 65,535. */
  readonly nrShards: number | null;
  /** SCYLLA_SHARDING_IGNORE_MSB: 0 to 63. */
  readonly shardingIgnoreMsb: number | null;
  /** SCYLLA_SHARDING_ALGORITHM: `biased-token-round-robin` is the only one there is. */
  readonly shardingAlgorithm: string | null;
  /** SCYLLA_PARTITIONER: class name. */
  readonly partitioner: string | null;
  /** SCYLLA_SHARD_AWARE_PORT: where a connection is served by the shard `client's port % nrShards`. */
  readonly shardAwarePort: number | null;
  /** SCYLLA_SHARD_AWARE_PORT_SSL: the same, with TLS. */
  readonly shardAwarePortSsl: number | null;
  /** SCYLLA_HOST_ID: a UUID, as `system.local` has it. */
  readonly hostId: string | null;
  /** The extensions that it offers and this package has. */
  readonly features: ScyllaFeatures;
  /** For `shardOf`; null where algorithm or partitioner are not those that `shardOf` and `murmur3Token` know. */
  readonly sharding: Sharding | null;
}
/**
 * What a SUPPORTED tells of a ScyllaDB node. Each option by itself: one that makes no sense has no effect on the others. Of Cassandra's, all is null.
 * The codec that reads the message heeds it without being told; this is for whoever routes by it.
 */
export function scyllaOptions(supported: Pick<SupportedMessage, "options">): ScyllaOptions;
/**
 * The options of STARTUP that ask for all extensions that the node offers and this package has (Scylla, Extending protocol extensions support): none of
 * Cassandra, and none on v3. Leave one out and it is not agreed.
 *
 * ```js
 * const options = { CQL_VERSION: "3.0.0", ...scyllaStartupOptions(supported, codec.version) };
 * socket.write(codec.encode({ opcode: "STARTUP", options }, 1));
 * ```
 */
export function scyllaStartupOptions(supported: Pick<SupportedMessage, "options">, version: 3 | 4 | 5): Record<string, string>;

/** How a ScyllaDB node gives tokens to its shards: `scyllaOptions(supported).sharding`. */
export interface Sharding {
  /** SCYLLA_NR_SHARDS: shards of the node, 1 to 65,535. */
  readonly nrShards: number;
  /** SCYLLA_SHARDING_IGNORE_MSB: the token's first bits that do not count, 0 to 63. */
  readonly ignoreMsb: number;
}
/** Which shard of a ScyllaDB node owns a token, from 0 (Scylla, Intranode sharding: algorithm `biased-token-round-robin`). */
export function shardOf(token: bigint, sharding: Sharding): number;

/** A range of a table's tokens in ScyllaDB, and where it is. */
export interface Tablet {
  /** The tablet begins after this token. */
  readonly firstToken: bigint;
  /** The last token in it. */
  readonly lastToken: bigint;
  /** At least one. */
  readonly replicas: readonly { readonly hostId: string; readonly shard: number }[];
}
/**
 * What ScyllaDB says in `customPayload["tablets-routing-v1"]` when a request came to the wrong place. Throws `CQL_DECODE` for what makes no
 * sense: it is only a hint, the answer that it came with is good. null where it names no replica: there is nothing to remember.
 */
export function decodeTablet(payload: Uint8Array): Tablet | null;
/**
 * The same bytes from a tablet, for who plays the server: `{ …, customPayload: { "tablets-routing-v1": encodeTablet(tablet) } }`. Throws `CQL_ENCODE` for
 * a tablet that `decodeTablet` would not give: without tokens or replicas, or a host id that is no UUID.
 */
export function encodeTablet(tablet: Tablet): Uint8Array;

/** For a parameter: leave the column as it is (v4). */
export const unset: unique symbol;
/** Zero bytes in a type that has no such value of its own. */
export const empty: unique symbol;

/** A random UUID (version 4). */
export function uuid(): string;
/**
 * A UUID of a time (version 1), for a timeuuid column. Without a date: of now, each later than the one before (unless the clock is set
 * back by a second or more). With a Date or milliseconds since 1970: of that millisecond; the first 10,000 in a row for one are in order, all
 * are distinct. Node and clock sequence are random. Throws `CQL_VALUE` outside 1582-10-15 to 5236-03-31.
 */
export function timeuuid(date?: Date | number): string;
/** When a UUID of version 1 was made, as CQL's `toTimestamp` gives it. Throws `CQL_VALUE` for a UUID of another version. */
export function timeuuidDate(timeuuid: string): Date;

/**
 * decimal: `unscaled × 10^-scale`, exact. 1.0 and 1.00 differ in scale. Operators (`<`, `+`, `==`) throw `CQL_VALUE`: as text they would be
 * wrong, as numbers no longer exact.
 */
export class Decimal {
  /** Throws `CQL_VALUE` for a scale of more than 32 bits. */
  constructor(unscaled: bigint, scale: number);
  /** From `12.50`, `-1E+3`, `.5`. Throws `CQL_VALUE`. */
  static from(text: string): Decimal;
  readonly unscaled: bigint;
  readonly scale: number;
  /** The same scale and number, as BigDecimal's `equals`: 1.0 is not 1.00. False for what is no Decimal. */
  equals(other: unknown): boolean;
  /** By the number alone, as BigDecimal's `compareTo`: 1.0 and 1.00 give 0. Quick for any scale. Throws `CQL_VALUE` for what is no Decimal. */
  compare(other: Decimal): -1 | 0 | 1;
  /** As BigDecimal writes it; never longer than the digits and 15. */
  toString(): string;
  toJSON(): string;
  valueOf(): never;
}
/** date: a day without a time zone, from -5877641-06-23 to +5881580-07-11. `<`, `>` and `-` work, by `days`. */
export class LocalDate {
  /** Since 1970-01-01. */
  constructor(days: number);
  /** From `2024-02-29`; years beyond 9999 have a sign. Throws `CQL_VALUE`. */
  static from(text: string): LocalDate;
  readonly days: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** False for what is no LocalDate. */
  equals(other: unknown): boolean;
  /** Throws `CQL_VALUE` for what is no LocalDate. */
  compare(other: LocalDate): -1 | 0 | 1;
  toString(): string;
  toJSON(): string;
  [Symbol.toPrimitive](hint: string): string | number;
}
/** time: nanoseconds since midnight. `<`, `>` and `-` work, by `nanoseconds`. */
export class LocalTime {
  /** Throws `CQL_VALUE` for more than 64 bits. What is not within a day can be read, not written. */
  constructor(nanoseconds: bigint);
  /** From `08:12:54.123456789`; seconds and their fraction may be left out. Throws `CQL_VALUE`. */
  static from(text: string): LocalTime;
  readonly nanoseconds: bigint;
  /** False for what is no LocalTime. */
  equals(other: unknown): boolean;
  /** Throws `CQL_VALUE` for what is no LocalTime. */
  compare(other: LocalTime): -1 | 0 | 1;
  toString(): string;
  toJSON(): string;
  [Symbol.toPrimitive](hint: string): string | bigint;
}
/**
 * duration: three numbers that do not convert into one another, all of one sign. So durations have no order (is 1mo more than 30d?), there is no
 * `compare`, and operators throw `CQL_VALUE`.
 */
export class Duration {
  /** Throws `CQL_VALUE` for months or days of more than 32 bits, nanoseconds of more than 64. */
  constructor(months: number, days: number, nanoseconds: bigint);
  /** From CQL's `1y2mo3w4d5h6m7s8ms9us10ns` or ISO 8601's `P1Y2M3DT4H5M6.5S` and `P3W`. Throws `CQL_VALUE`. */
  static from(text: string): Duration;
  readonly months: number;
  readonly days: number;
  readonly nanoseconds: bigint;
  /** The same three numbers: 1d is not 24h. False for what is no Duration. */
  equals(other: unknown): boolean;
  toString(): string;
  toJSON(): string;
  valueOf(): never;
}

export interface CqlErrorFields {
  cause?: unknown;
  [field: string]: unknown;
}
/** What went wrong; the README has a line for each. Newer servers can have more. */
export type CqlErrorCode =
  | "CQL_OPTION" | "CQL_PARAMS" | "CQL_ENCODE" | "CQL_TYPE" | "CQL_VALUE" | "CQL_DECODE" | "CQL_NO_METADATA" | "CQL_FRAMING" | "CQL_COLUMN"
  | "CQL_RANGE" | "CQL_WASM" | "CQL_TIMEOUT_CLIENT" | "CQL_ABORTED" | "CQL_CONNECTION_CLOSED" | "CQL_QUEUE_FULL" | "CQL_CLIENT_CLOSED"
  | "CQL_STATEMENT_CHANGED" | "CQL_NO_HOST" | "CQL_CREDENTIALS" | "CQL_PROTOCOL" | "CQL_PROTOCOL_VERSION" | "CQL_SERVER_ERROR"
  | "CQL_PROTOCOL_ERROR" | "CQL_AUTHENTICATION_ERROR" | "CQL_UNAVAILABLE" | "CQL_OVERLOADED" | "CQL_IS_BOOTSTRAPPING"
  | "CQL_TRUNCATE_ERROR" | "CQL_WRITE_TIMEOUT" | "CQL_READ_TIMEOUT" | "CQL_READ_FAILURE" | "CQL_FUNCTION_FAILURE" | "CQL_WRITE_FAILURE"
  | "CQL_CDC_WRITE_FAILURE" | "CQL_CAS_WRITE_UNKNOWN" | "CQL_SYNTAX_ERROR" | "CQL_UNAUTHORIZED" | "CQL_INVALID" | "CQL_CONFIG_ERROR"
  | "CQL_ALREADY_EXISTS" | "CQL_UNPREPARED" | "CQL_RATE_LIMIT_ERROR"
  | (string & {});

/**
 * The one error class. `code` is stable: `CQL_ENCODE`, `CQL_PARAMS`, `CQL_OPTION`, `CQL_TYPE`, `CQL_VALUE` (what was given), `CQL_DECODE`,
 * `CQL_FRAMING`, `CQL_NO_METADATA` (bytes that came), `CQL_COLUMN`, `CQL_RANGE` (look-ups), `CQL_WASM` (the instance), and of a
 * server's ERROR `CQL_` and its name, as `CQL_UNAVAILABLE`.
 */
export class CqlError extends Error {
  constructor(code: CqlErrorCode, message: string, fields?: CqlErrorFields);
  readonly code: CqlErrorCode;
  /** The protocol's number, of a server's ERROR. */
  readonly errorCode?: number;
  /** The client's: the text of the query it is about. */
  readonly query?: string;
  /** The client's, where no answer came: the server may have done what it was asked. */
  readonly mayBeApplied?: boolean;
  /** Of `CQL_NO_HOST`: why each contact point could not be used. */
  readonly causes?: readonly { readonly contactPoint: string; readonly error: unknown }[];
  readonly [field: string]: unknown;
}
/** The error that an ERROR message stands for. */
export function serverError(message: ErrorMessage): CqlError;
