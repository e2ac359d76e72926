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
export type CqlTypeInput =
  | string
  | (Omit<CqlType, "text" | "of"> & {
      /** As `CqlType.of`; default none. */
      readonly of?: readonly CqlTypeInput[];
    });

/** A column of a result, or a bind marker (§4.2.5.2). */
export interface ColumnSpec {
  /** Of its table. */
  readonly keyspace: string;
  /** Empty where it is of none. */
  readonly table: string;
  /** Of the column, an alias, or as the server calls an expression or a marker. */
  readonly name: string;
  /** What its cells are. */
  readonly type: CqlType;
}

/** The same where it is given. */
export interface ColumnSpecInput {
  /** Default empty. */
  readonly keyspace?: string;
  /** Default empty. */
  readonly table?: string;
  /** Of the column. */
  readonly name: string;
  /** What its cells are. */
  readonly type: CqlTypeInput;
}

/** By column name. What each type becomes is in the README; name your own type where a method takes one: `execute<{ id: number }>`. */
export type Row = Record<string, unknown>;
/** Levels by name (§3, `[consistency]`). Where a number is taken too, it is the protocol's, for levels that have no name here. */
export type Consistency =
  | "ANY" | "ONE" | "TWO" | "THREE" | "QUORUM" | "ALL" | "LOCAL_QUORUM" | "EACH_QUORUM" | "SERIAL" | "LOCAL_SERIAL" | "LOCAL_ONE";
/**
 * Values of a statement's markers: by place, or by name. What goes in for each type is in the README; a `Uint8Array` is a ready cell.
 */
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
  /** Of the Paxos phase of a conditional write. The server's default is SERIAL. */
  serialConsistency?: "SERIAL" | "LOCAL_SERIAL";
  /** Microseconds since 1970. */
  timestamp?: number | bigint;
  /** Instead of the connection's (v5). */
  keyspace?: string;
  /** The server's idea of now, for tests of time to live (v5). */
  nowInSeconds?: number;
}

/** Of QUERY and EXECUTE (§4.1.4). */
export interface PagingOptions {
  /** Rows a page. */
  pageSize?: number;
  /** From the page before. Opaque; only for the same statement and protocol version. */
  pageState?: Uint8Array | null;
  /** Ask for rows without their columns' description: safe where `Codec.hasResultMetadataId`. */
  skipMetadata?: boolean;
}

/** Begins a connection (§4.1.1). The answer is READY, AUTHENTICATE or ERROR. */
export interface StartupMessage extends RequestFrame {
  /** Tells the message. */
  opcode: "STARTUP";
  /** `CQL_VERSION` is needed; `COMPRESSION` is `lz4` or `snappy` (v3, v4); others as SUPPORTED has them. */
  options: Readonly<Record<string, string>>;
}
/** Asks what STARTUP may say (§4.1.3); also as a sign of life. The answer is SUPPORTED. */
export interface OptionsMessage extends RequestFrame {
  /** Tells the message. */
  opcode: "OPTIONS";
}
/** §4.1.5. The answer is RESULT of kind Prepared. */
export interface PrepareMessage extends RequestFrame {
  /** Tells the message. */
  opcode: "PREPARE";
  /** CQL, with `?` or `:name` for values. */
  query: string;
  /** Of names in the query that have none (v5). */
  keyspace?: string;
}
/** Asks for events (§4.1.8). The answer is READY. */
export interface RegisterMessage extends RequestFrame {
  /** Tells the message. */
  opcode: "REGISTER";
  /** `TOPOLOGY_CHANGE`, `STATUS_CHANGE`, `SCHEMA_CHANGE`. */
  eventTypes: string[];
}
/** §4.1.2. The answer is AUTH_CHALLENGE, AUTH_SUCCESS or ERROR. */
export interface AuthResponseMessage extends RequestFrame {
  /** Tells the message. */
  opcode: "AUTH_RESPONSE";
  /** What it means is the authenticator's. null and no bytes differ. */
  token: Uint8Array | null;
}
/** Values whose types nobody has said: give `types`, or values that are bytes, null or unset. By name: an object, or `names` beside an array. */
export interface UntypedParams {
  /** In the order of the markers, or by their names. */
  params?: Params;
  /** As many as `params`, in their order: what a request that was read has, since two may have one name. */
  names?: readonly string[];
  /** Of `params`, by place or by name; those without one are bytes, null or unset. */
  types?: readonly CqlTypeInput[] | Readonly<Record<string, CqlTypeInput>>;
}
/** One statement as text (§4.1.4). The answer is RESULT or ERROR. */
export interface QueryMessage extends StatementOptions, PagingOptions, UntypedParams {
  /** Tells the message. */
  opcode: "QUERY";
  /** CQL. */
  query: string;
}
/** §4.1.6. By the statement, whose types are known, or by its id. A request that was read has the id, and its values as bytes. */
export type ExecuteMessage = StatementOptions &
  PagingOptions & {
    /** Tells the message. */
    opcode: "EXECUTE";
  } & (
    | {
        /** As it was read: the object itself. Rows that come without metadata are then read with its columns. */
        prepared: PreparedMessage;
        /** Not beside `prepared`. */
        id?: undefined;
        /** Of the types that it has. */
        params?: Params;
        /** Instead of `params`: what {@link paramColumns} gives, of which the values of one row are taken. */
        columns?: ParamColumns;
        /** Which row of `columns`. Default 0. */
        row?: number;
      }
    | ({
        /** Not beside `id`. */
        prepared?: undefined;
        /** Of PREPARED. */
        id: Uint8Array;
        /** Of PREPARED, or of the last Rows that had a new one (v5). Default empty. */
        resultMetadataId?: Uint8Array;
      } & UntypedParams)
  );
/** A statement of a BATCH: as text, by the prepared statement, or by its id. */
export type BatchStatement =
  | {
      /** CQL. */
      query: string;
      /** By place: a BATCH has no names for values. */
      params?: readonly unknown[];
      /** Of `params`; those without one are bytes, null or unset. */
      types?: readonly CqlTypeInput[];
    }
  | {
      /** As it was read: the object itself. */
      prepared: PreparedMessage;
      /** By place, or by the names of its markers. */
      params?: Params;
      /** Instead of `params`: what {@link paramColumns} gives. Each row is a statement of the batch. */
      columns?: ParamColumns;
      /** The first row of `columns`. Default 0. */
      from?: number;
      /** Behind the last row. Default: all there are. */
      to?: number;
    }
  | {
      /** Of PREPARED. */
      id: Uint8Array;
      /** By place. */
      params?: readonly unknown[];
      /** Of `params`; those without one are bytes, null or unset. */
      types?: readonly CqlTypeInput[];
    };
/** §4.1.7. Servers refuse large batches over several partitions; many rows go in as concurrent EXECUTEs. */
export interface BatchMessage extends StatementOptions {
  /** Tells the message. */
  opcode: "BATCH";
  /** Default `LOGGED`. */
  type?: "LOGGED" | "UNLOGGED" | "COUNTER";
  /** In their order; at most 65,535. */
  statements: readonly BatchStatement[];
}
/** What a client writes. */
export type RequestMessage =
  | StartupMessage | OptionsMessage | PrepareMessage | RegisterMessage | AuthResponseMessage | QueryMessage | ExecuteMessage | BatchMessage;

/**
 * What a server reads: a request, in the shape that one gives to `encode`. Values are `Uint8Array`, null or `unset`; those with names have them in
 * `names`. A level, flag or option that the version lacks is not there.
 */
export type ReceivedRequest =
  | (RequestMessage & {
      /** To be answered on. */
      readonly stream: number;
      /** Of a codec made with `trace`. */
      readonly trace?: MessageTrace;
      /** Tells a message that could be read from one that could not. */
      readonly error?: undefined;
    })
  | BadMessage
  | FramingError;

/** A field of a message and the bytes it was read from; a group of fields has `fields` in place of `value`. */
export interface TraceField {
  /** As the specification and errors name it: `QUERY.query`, `metadata.name`, `int`. */
  readonly name: string;
  /** Which of several. */
  readonly index?: number;
  /** Offsets in `MessageTrace.bytes`, 9 more than an error's `offset` in the body; a field of no bytes has `start === end`. */
  readonly start: number;
  /** Offset behind its last byte. */
  readonly end: number;
  /** What it says, as text; cut where it is long. */
  readonly value?: string;
  /** Of a group. */
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
  /** Id of the trace in `system_traces`, where it was asked for. */
  readonly tracingId?: string;
  /** What the server wants people to read (v4). */
  readonly warnings?: readonly string[];
  /** Names and bytes of a server's extension (v4). */
  readonly customPayload?: Readonly<Record<string, Uint8Array | null>>;
  /** Of a codec made with `trace`. */
  readonly trace?: MessageTrace;
}
/** What every response has. */
export interface Response extends MessagePrefix {
  /** The request's stream; -1 for events. */
  readonly stream: number;
}

/** §8: `code`, the server's words, and the fields that the code has. */
export interface ErrorMessage extends Response {
  /** Tells the message. */
  readonly opcode: "ERROR";
  /** As §8 numbers them. */
  readonly code: number;
  /** The server's words. */
  readonly message: string;
  /** Version of the frame: a server answers a version it lacks in one of its own. */
  readonly version: number;
  /** Asked for. A number where it has no name. */
  readonly consistency?: Consistency | number;
  /** Replicas that were needed (UNAVAILABLE). */
  readonly required?: number;
  /** Replicas that were alive (UNAVAILABLE). */
  readonly alive?: number;
  /** Replicas that answered. */
  readonly received?: number;
  /** Replicas whose answer was needed. */
  readonly blockFor?: number;
  /** `SIMPLE`, `BATCH`, `UNLOGGED_BATCH`, `COUNTER`, `BATCH_LOG`, `CAS`, `VIEW`, `CDC`, or a newer one. */
  readonly writeType?: string;
  /** Of a `CAS` (v5). */
  readonly contentions?: number;
  /** The replica that was asked for the data answered. */
  readonly dataPresent?: boolean;
  /** Replicas that failed (v4). */
  readonly failures?: number;
  /** Which, and why (v5). */
  readonly reasons?: readonly {
    /** Of the replica. */
    readonly address: string;
    /** As §8 numbers reasons. */
    readonly code: number;
  }[];
  /** Of what exists (`ALREADY_EXISTS`), or of the function. */
  readonly keyspace?: string;
  /** That exists; empty for a keyspace. */
  readonly table?: string;
  /** That failed (v4). */
  readonly function?: string;
  /** Of the function, as CQL writes them (v4). */
  readonly argumentTypes?: readonly string[];
  /** That the server does not know (`UNPREPARED`). */
  readonly statementId?: Uint8Array;
  /** Of ScyllaDB's rate limits, whose code the connection has agreed on (Scylla, Rate limit error). A number that has no name is a number. */
  readonly opType?: "READ" | "WRITE" | number;
  /** Of the same; else replicas rejected it. */
  readonly rejectedByCoordinator?: boolean;
}
/** Answer to STARTUP and REGISTER (§4.2.2). */
export interface ReadyMessage extends Response {
  /** Tells the message. */
  readonly opcode: "READY";
}
/** Answer to STARTUP of a server that wants to know who it is (§4.2.3). */
export interface AuthenticateMessage extends Response {
  /** Tells the message. */
  readonly opcode: "AUTHENTICATE";
  /** A Java class name. */
  readonly authenticator: string;
}
/** Answer to OPTIONS (§4.2.4). */
export interface SupportedMessage extends Response {
  /** Tells the message. */
  readonly opcode: "SUPPORTED";
  /** What STARTUP may ask for, and `PROTOCOL_VERSIONS`; ScyllaDB's nodes tell of themselves here. Of a key that is repeated the last counts. */
  readonly options: Readonly<Record<string, string[]>>;
}
/** The server's question; the answer is another AUTH_RESPONSE (§4.2.7). */
export interface AuthChallengeMessage extends Response {
  /** Tells the message. */
  readonly opcode: "AUTH_CHALLENGE";
  /** What it means is the authenticator's. null and no bytes differ. */
  readonly token: Uint8Array | null;
}
/** The server is content (§4.2.8). */
export interface AuthSuccessMessage extends Response {
  /** Tells the message. */
  readonly opcode: "AUTH_SUCCESS";
  /** What it means is the authenticator's. null and no bytes differ. */
  readonly token: Uint8Array | null;
}
/** Something that happened in the cluster, for who asked by REGISTER (§4.2.6). Its stream is -1. */
export type EventMessage = Response & {
  /** Tells the message. */
  readonly opcode: "EVENT";
} & (
    | {
        /** Which it is. */
        readonly eventType: "TOPOLOGY_CHANGE" | "STATUS_CHANGE";
        /** `NEW_NODE`, `REMOVED_NODE`; `UP`, `DOWN`. */
        readonly changeType: string;
        /** Of the node, as text. */
        readonly address: string;
        /** Of the node, where it speaks this protocol. */
        readonly port: number;
      }
    | ({
        /** Which it is. */
        readonly eventType: "SCHEMA_CHANGE";
      } & SchemaChange)
    | ClientRoutesChange
    | {
        /** None that is known here. */
        readonly eventType: "UNKNOWN";
        /** What the server calls it. */
        readonly unknownType: string;
        /** What it says, as it came. */
        readonly body: Uint8Array;
      }
  );
/**
 * Other addresses lead to a ScyllaDB cluster's nodes (Scylla, Sending the CLIENT_ROUTES_CHANGE event). No option of SUPPORTED tells of it: a server
 * that has no such event refuses the REGISTER that names it.
 */
export interface ClientRoutesChange {
  /** Which it is. */
  readonly eventType: "CLIENT_ROUTES_CHANGE";
  /** `UPDATE_NODES`: routes were inserted, updated or deleted. */
  readonly changeType: string;
  /** Of the routes. */
  readonly connectionIds: readonly string[];
  /** Of the routes' nodes, as text. */
  readonly hostIds: readonly string[];
}
/** What was created, altered or dropped (§4.2.5.5). */
export interface SchemaChange {
  /** `CREATED`, `UPDATED`, `DROPPED`. */
  readonly changeType: string;
  /** `KEYSPACE`, `TABLE`, `TYPE`, `FUNCTION`, `AGGREGATE`. */
  readonly target: string;
  /** The one that changed, or that the target is in. */
  readonly keyspace: string;
  /** Of the target, where that is not the keyspace. */
  readonly name?: string;
  /** Of a function or aggregate, as CQL writes them (v4). */
  readonly argumentTypes?: readonly string[];
}
/** Done, and nothing to say (§4.2.5.1). */
export interface VoidMessage extends Response {
  /** Tells the message. */
  readonly opcode: "RESULT";
  /** Tells the result. */
  readonly kind: "Void";
}
/** Answer to USE (§4.2.5.3). */
export interface SetKeyspaceMessage extends Response {
  /** Tells the message. */
  readonly opcode: "RESULT";
  /** Tells the result. */
  readonly kind: "Set_keyspace";
  /** The one now in use. */
  readonly keyspace: string;
}
/** Answer to CREATE, ALTER and DROP (§4.2.5.5). */
export type SchemaChangeMessage = Response & {
  /** Tells the message. */
  readonly opcode: "RESULT";
  /** Tells the result. */
  readonly kind: "Schema_change";
} & SchemaChange;
/** Answer to PREPARE (§4.2.5.4). Frozen: it is the statement's snapshot. Give the object itself to EXECUTE and BATCH, not a copy. */
export interface PreparedMessage extends Response {
  /** Tells the message. */
  readonly opcode: "RESULT";
  /** Tells the result. */
  readonly kind: "Prepared";
  /** Of the statement; the server's own. */
  readonly id: Uint8Array;
  /** Empty where the version has none. */
  readonly resultMetadataId: Uint8Array;
  /** Bind markers that make the partition key; empty where the server does not say. */
  readonly pkIndices: readonly number[];
  /** The statement is conditional, a lightweight transaction. False where the connection has no mark for it (`ScyllaFeatures.lwtMask`), whatever it is. */
  readonly isLwt: boolean;
  /** Bind markers, in their order. */
  readonly bind: readonly ColumnSpec[];
  /** Columns of the rows it will give. */
  readonly result: readonly ColumnSpec[];
}
/** Rows of a SELECT, or of a conditional write (§4.2.5.2). Values are copies: they stay right for ever. A vector of numbers in a row is a view into its column. */
export interface RowsMessage extends Response {
  /** Tells the message. */
  readonly opcode: "RESULT";
  /** Tells the result. */
  readonly kind: "Rows";
  /** Rows. */
  readonly length: number;
  /** Columns. */
  readonly columnCount: number;
  /** They came without their columns' description: these are the prepared statement's. */
  readonly noMetadata: boolean;
  /** The flag of that name: the table was said once, for all columns. */
  readonly globalTableSpec: boolean;
  /** The rows as they came, where nobody knew their columns: then `metadata`, `columns` and `rows` throw `CQL_NO_METADATA`, and `decode` reads them. */
  readonly cells: Uint8Array | null;
  /** Names and types of the columns. */
  readonly metadata: readonly ColumnSpec[];
  /** The rows as columns, typed arrays where the type allows it. */
  readonly columns: readonly Column[];
  /** Row objects, made when first asked for. Of two columns with one name the first has it. */
  readonly rows: Row[];
  /** Where the next page begins; null on the last. */
  readonly pagingState: Uint8Array | null;
  /** The columns have changed since PREPARE (§4.2.5.2). */
  readonly newMetadataId: Uint8Array | null;
  /** Then, of an EXECUTE: the statement with its new snapshot, to be used from now on. */
  readonly prepared: PreparedMessage | null;
  /** What `borrow`'s function made of the page; `columns`, `rows` and `column` then throw `CQL_COLUMN`. */
  readonly borrowed?: unknown;
  /** By name. Throws `CQL_COLUMN` where there is none or two of it. */
  column<V extends ColumnValues = ColumnValues>(name: string): Column<V>;
  /** The rows as an Arrow IPC stream of one record batch, see `arrowStream`. */
  toArrowIPC(): Uint8Array;
  /** The message with its rows read as these columns; the message itself if it knows its own. Throws `CQL_DECODE`. */
  decode(columns: PreparedMessage | readonly ColumnSpec[]): RowsMessage;
}
/** A message whose body could not be read. Other streams are not concerned. */
export interface BadMessage {
  /** That it came on. */
  readonly stream: number;
  /** That it has. */
  readonly opcode: string;
  /** Why: `CQL_DECODE`; of `borrow`, what its function did that it must not, or threw (`CQL_OPTION`; what it threw is the `cause`). */
  readonly error: CqlError;
  /** Of a codec made with `trace`: up to where it could be read. */
  readonly trace?: MessageTrace;
}
/** The stream of bytes itself is broken: the last message there is. */
export interface FramingError {
  /** None. */
  readonly stream: null;
  /** None. */
  readonly opcode: null;
  /** Why: `CQL_FRAMING`. */
  readonly error: CqlError;
  /** Every later call of the codec throws the error. */
  readonly fatal: true;
}
/** Answer to QUERY, PREPARE, EXECUTE and BATCH (§4.2.5). */
export type ResultMessage = VoidMessage | RowsMessage | SetKeyspaceMessage | PreparedMessage | SchemaChangeMessage;
/** What a server says. */
export type ResponseMessage =
  | ErrorMessage | ReadyMessage | AuthenticateMessage | SupportedMessage | ResultMessage | EventMessage | AuthChallengeMessage | AuthSuccessMessage;
/** What a client reads. */
export type Message =
  | (ResponseMessage & {
      /** Tells a message that could be read from one that could not. */
      readonly error?: undefined;
    })
  | BadMessage
  | FramingError;

/** A message that is written: on the stream that `encode` and `write` are given, else on this. */
export type Outgoing<M> = M extends unknown
  ? Omit<M, "stream"> & {
      /** Of the request; -1 for events. */
      readonly stream?: number;
    }
  : never;
/** Rows to be written: `metadata` and `rows`; or a message that was read, whose `columns` or `cells` are then written. */
export type OutgoingRows = Outgoing<Response> & {
  /** Tells the message. */
  readonly opcode: "RESULT";
  /** Tells the result. */
  readonly kind: "Rows";
  /** Names and types of the columns. */
  readonly metadata?: readonly ColumnSpecInput[];
  /** Each an array in the order of `metadata`, or an object by column name. */
  readonly rows?: readonly (readonly unknown[] | Readonly<Record<string, unknown>>)[];
  /** Where the next page begins; null or none: this is the last. */
  readonly pagingState?: Uint8Array | null;
  /** Only with metadata, and where `Codec.hasResultMetadataId`. */
  readonly newMetadataId?: Uint8Array | null;
  /** Leave the columns' description out: the client asked for that (`skipMetadata`). */
  readonly noMetadata?: boolean;
  /** Default: the columns are of one table, and described. */
  readonly globalTableSpec?: boolean;
  /** Of a message that was read, in place of `rows`. */
  readonly columns?: readonly Column[];
  /** Of a message that was read without knowing its columns: they go on as they came. */
  readonly cells?: Uint8Array | null;
  /** Rows in `cells` or `columns`. */
  readonly length?: number;
  /** Columns in `cells`. */
  readonly columnCount?: number;
  /** Of a message that was read; not written. */
  readonly prepared?: PreparedMessage | null;
};
/** What a server writes: the shape of what a client reads, without what follows from the rest. */
export type OutgoingResponse =
  | Outgoing<
      Omit<ErrorMessage, "version"> & {
        /** Of a message that was read; not written: the version is the codec's. */
        readonly version?: number;
      }
    >
  | Outgoing<ReadyMessage | AuthenticateMessage | SupportedMessage | AuthChallengeMessage | AuthSuccessMessage>
  | Outgoing<VoidMessage | SetKeyspaceMessage | SchemaChangeMessage>
  | Outgoing<EventMessage>
  | (Outgoing<Response> & {
      /** Tells the message. */
      readonly opcode: "RESULT";
      /** Tells the result. */
      readonly kind: "Prepared";
      /** For EXECUTE and BATCH. */
      readonly id: Uint8Array;
      /** Written where the version has it. Default empty. */
      readonly resultMetadataId?: Uint8Array;
      /** Written where the version has them. Default none. */
      readonly pkIndices?: readonly number[];
      /** Told to a client that asked for the mark, as ScyllaDB does it; to others it goes without. */
      readonly isLwt?: boolean;
      /** Bind markers. Default none. */
      readonly bind?: readonly ColumnSpecInput[];
      /** Columns of the rows it will give. Default none. */
      readonly result?: readonly ColumnSpecInput[];
    })
  | OutgoingRows;

/** Where the values of a column are: see `Column`. */
export type ColumnValues = Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;

/**
 * The cells of one column; name the kind of its values where you know it: `page.column<Float32Array>("v").values`. By type: Int8Array, Int16Array, Int32Array (also date, in days since 1970-01-01),
 * BigInt64Array (bigint, counter, timestamp in ms, time in ns), Float32Array, Float64Array; Uint8Array of 0 and 1 (boolean), of 16 a row
 * (uuid), or cut by `offsets` (text, blob, custom; varint, decimal and inet as their cells' bytes). A vector of numbers is one array, `stride` a row. The
 * slot of a null is zero.
 *
 * The others have `children`, and no `values`: of lists, sets, maps and other vectors those of all rows, cut by `offsets`; of tuples and UDTs one a
 * field, a slot a row; of durations months, days (Int32Array) and nanoseconds (BigInt64Array).
 */
export interface Column<V extends ColumnValues = ColumnValues> {
  /** As the result names it. */
  readonly name: string;
  /** Of its cells. */
  readonly type: CqlType;
  /** Rows. */
  readonly length: number;
  /** Elements of `values` a row. */
  readonly stride: number;
  /** The slots; what they hold for each type is said above. */
  readonly values: V;
  /** `length + 1` ends, in `values` or in `children`. */
  readonly offsets: Uint32Array | null;
  /** Arrow's validity bitmap: bit `i & 7` of byte `i >> 3` is 1 where row i is not null. null: no row is null. */
  readonly validity: Uint8Array | null;
  /** Of what has parts: elements; keys and values; items or fields. */
  readonly children: readonly Column[];
  /** The JavaScript value of a row. Of a numeric vector: a view into `values`, `.slice()` to keep it without its page. */
  at(row: number): unknown;
  /** True for null, and where `isEmpty` is. */
  isNull(row: number): boolean;
  /** The row is null because the cell has zero bytes in a type that has no such value. */
  isEmpty(row: number): boolean;
  /** `at` of each row. */
  [Symbol.iterator](): IterableIterator<unknown>;
}

/** What `arrowStream` takes: a RESULT of rows, a page of the client. */
export type ArrowPage = Pick<RowsMessage, "columns" | "length">;
/**
 * Pages of the same columns as an Arrow IPC stream, in pieces: the schema, a record batch for each page, the end. Arrow's types for those of CQL:
 *
 * - numbers, boolean and blob their like, counter Int64, custom Binary; text and ascii Utf8; decimal, varint and inet Utf8, their text;
 * - timestamp Timestamp(ms, UTC), date Date32, time Time64(ns), duration Interval(MONTH_DAY_NANO);
 * - uuid and timeuuid FixedSizeBinary(16) with the extension name `arrow.uuid`;
 * - list and set List, vector FixedSizeList, UDT Struct, tuple Struct of fields `0`, `1`, …;
 * - map Map, or, where a key in the first page is null, a List of Struct(key, value): Arrow has no null keys.
 *
 * All fields but a Map's keys are nullable; an empty cell is null. Throws `CQL_RANGE` with `column` and `row` for text that is not UTF-8, a time beyond a day, a null
 * key in a later page than the first, and a column of 2 GiB; `CQL_COLUMN` where the columns of pages differ; `CQL_OPTION` where there is no page.
 *
 * @example
 * ```js
 * const type = "vector<float, 2>";
 * const server = new Codec({ role: "server", established: { version: 5 } });
 * const bytes = server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "v", type }], rows: [[[1, 2]], [null]] }, 0);
 * const [page] = new Codec({ established: { version: 5 } }).feed(bytes);
 * const whole = page.toArrowIPC(); // for tableFromIPC of apache-arrow
 * const chunks = [];
 * for await (const chunk of arrowStream([page])) chunks.push(chunk); // or ReadableStream.from(arrowStream(pages))
 * chunks.length; // → 3
 * whole.length === chunks.reduce((sum, chunk) => sum + chunk.length, 0); // → true
 * ```
 */
export function arrowStream(pages: Iterable<ArrowPage> | AsyncIterable<ArrowPage>): AsyncGenerator<Uint8Array, void, undefined>;

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

/** On which side of the connection a codec stands. */
export type Role = "client" | "server";

/** Of `new Codec`. An unknown one is `CQL_OPTION`. */
export interface CodecOptions<R extends Role = "client"> {
  /** Whether it writes requests and reads responses (`client`, the default) or the other way round. */
  role?: R;
  /** Default 5 for a client. A server takes the version of each request until STARTUP, or has this one only: a request of another cannot be read, and can be
   * answered with an ERROR until the handshake is over. */
  version?: 3 | 4 | 5;
  /** How values come out: BigInt or number, Date or milliseconds, …. */
  values?: ValueOptions;
  /** The handshake is over: for captures and tests. */
  established?: {
    /** Default: the option of that name. */
    version?: 3 | 4 | 5;
    /** Default none. */
    compression?: "none" | "lz4" | "snappy";
    /** ScyllaDB's extensions that were agreed; those that are left out were not. */
    features?: Partial<ScyllaFeatures>;
  };
  /** Caps on what the other side may claim. */
  limits?: Limits;
  /** Say of every message from which bytes its fields were read (`trace`). Costs time and memory: for tools. */
  trace?: boolean;
  /** Find out what is kept of a borrowed page: the arrays of `borrow`'s page lie in a copy, and are empty (length 0) once its function has returned. For tests. */
  debug?: boolean;
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
  /** Bytes given to `feed`. */
  readonly received: number;
  /** Bytes of whole frames that were read: headers, and bodies as they are decompressed. */
  readonly framesReceived: number;
  /** Bytes that `encode` and `flush` gave. */
  readonly sent: number;
  /** Bytes of frames that were written: headers, and bodies before they were compressed. */
  readonly framesSent: number;
}

/**
 * The codec of one end of a connection. It stands before STARTUP, and learns compression and framing from the STARTUP and the READY or
 * AUTHENTICATE that it writes and reads: who stands between two others writes on what it has read. Nothing to free. As a server it reads requests and writes responses: the same shapes the other way round.
 *
 * @example
 * ```js
 * const [client, server] = [new Codec({ version: 4 }), new Codec({ role: "server" })];
 * const bytes = client.encode({ opcode: "QUERY", query: "SELECT now() FROM system.local" }, 7); // to be sent
 * const [query] = server.feed(bytes); // what a server makes of it
 * query.query; // → 'SELECT now() FROM system.local'
 * const answer = server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "n", type: "int" }], rows: [[1], [2]] }, query.stream);
 * const [rows] = client.feed(answer);
 * rows.stream; // → 7
 * rows.rows; // → [ { n: 1 }, { n: 2 } ]
 * ```
 */
export class Codec<R extends Role = "client"> {
  constructor(options?: CodecOptions<R>);
  /** The side it stands on. */
  readonly role: R;
  /** Of the frames it writes. */
  readonly version: 3 | 4 | 5;
  /** READY or AUTHENTICATE was read, or by a server written. */
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
  /** Bytes so far. */
  readonly traffic: Traffic;
  /** Bytes received that wait for the rest of their frame: not 0 where a stream ends inside a message. */
  readonly waiting: number;
  /** The bytes of one message, after those of earlier `write`s that were not flushed; small ones may share a buffer with others. Throws `CQL_ENCODE`, `CQL_PARAMS`, `CQL_OPTION` or `CQL_TYPE`, and nothing of it is kept then. */
  encode(message: R extends "server" ? OutgoingResponse : RequestMessage, stream?: number): Uint8Array;
  /** The same, kept until `flush`: messages of one moment share segments (v5) and one write. */
  write(message: R extends "server" ? OutgoingResponse : RequestMessage, stream?: number): void;
  /** The bytes of everything written. */
  flush(): Uint8Array;
  /** Takes the next bytes of the stream, cut anywhere; gives the messages that are whole. They are copied at once. */
  feed(chunk: Uint8Array | ArrayBuffer): (R extends "server" ? ReceivedRequest : Message)[];
  /**
   * The same, but rows are not copied: `use` gets each page, whose columns are views of the codec's own memory, and what it returns is the message's
   * `borrowed`. To be read only, and only until `use` returns: then `columns` and their values throw, but an array that was kept shows whatever is there
   * next (`debug` finds it); what is kept is to be copied (`.slice()`; strings, numbers and blobs of `at` and `rows` are copies, vectors are not;
   * `toArrowIPC()` is one). `use` is not async, and calls no codec, this or another, nor `encodeValue` and `decodeValue`: that is `CQL_OPTION`. If it throws,
   * the message is `{ stream, opcode, error }`, and what it threw is the error's `cause`.
   *
   * @example
   * ```js
   * const [client, server] = [new Codec({ version: 4 }), new Codec({ role: "server" })];
   * const [query] = server.feed(client.encode({ opcode: "QUERY", query: "SELECT n FROM t" }, 1));
   * const answer = server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "n", type: "int" }], rows: [[1], [2]] }, query.stream);
   * const [rows] = client.borrow(answer, (page) => page.column("n").values.reduce((sum, n) => sum + n));
   * rows.borrowed; // → 3
   * ```
   */
  borrow(chunk: Uint8Array | ArrayBuffer, use: (page: RowsMessage) => unknown): (R extends "server" ? ReceivedRequest : Message)[];
}

/**
 * A `TransformStream` from the bytes of a connection, cut anywhere, to its messages. It fails with `CQL_FRAMING` after the last good message of a
 * broken stream, and where the bytes end inside a message.
 *
 * @example
 * ```js
 * const bytes = new Blob([Uint8Array.of(0x84, 0, 0, 0, 2, 0, 0, 0, 0)]).stream();
 * for await (const message of bytes.pipeThrough(messageStream(new Codec({ version: 4 })))) console.log(message.opcode); // READY
 * ```
 */
export function messageStream<R extends Role = "client">(
  codec: Codec<R>,
): TransformStream<Uint8Array | ArrayBuffer, R extends "server" ? ReceivedRequest : Message>;
/**
 * A message as one line, for logs: what is set, in the order in which this file declares it, what any message has at the end. Texts and lists are
 * cut, bytes are said by their size, and tokens of authentication not at all. Parameters that are not yet bytes are shown.
 *
 * @example
 * ```js
 * messageText({ opcode: "QUERY", query: "SELECT 1", consistency: "ONE", stream: 1 }); // → 'QUERY stream=1 query="SELECT 1" consistency="ONE"'
 * messageText({ opcode: "AUTH_RESPONSE", token: Uint8Array.of(1) }); // → 'AUTH_RESPONSE token=***'
 * ```
 */
export function messageText(message: Message | ReceivedRequest | RequestMessage | OutgoingResponse): string;

/**
 * Reads `map<text, frozen<list<int>>>`. A UDT has no text that says its fields: use the `type` object of a column. Throws `CQL_TYPE`.
 *
 * @example
 * ```js
 * const type = parseType("map<text, frozen<list<int>>>");
 * type.kind; // → 'map'
 * type.text; // → 'map<text, list<int>>'
 * type.of[1].of[0].kind; // → 'int'
 * parseType("map<text>"); // → throws CQL_TYPE
 * ```
 */
export function parseType(text: string): CqlType;
/**
 * The bytes of one cell; null for null. Throws `CQL_ENCODE`.
 *
 * @example
 * ```js
 * encodeValue("int", 7); // → Uint8Array(4) [ 0, 0, 0, 7 ]
 * encodeValue("list<text>", ["a"]); // → Uint8Array(9) [ 0, 0, 0, 1, 0, 0, 0, 1, 97 ]
 * encodeValue("int", null); // → null
 * encodeValue("tinyint", 128); // → throws CQL_ENCODE
 * ```
 */
export function encodeValue(type: CqlTypeInput, value: unknown, options?: ValueOptions): Uint8Array | null;
/**
 * What one cell means; `empty` for zero bytes in a type that has no such value. Throws `CQL_DECODE`.
 *
 * @example
 * ```js
 * decodeValue("vector<float, 2>", Uint8Array.of(63, 128, 0, 0, 64, 0, 0, 0)); // → Float32Array(2) [ 1, 2 ]
 * decodeValue("bigint", Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7)); // → 7n
 * decodeValue("bigint", Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7), { int64: "number" }); // → 7
 * decodeValue("int", Uint8Array.of(1)); // → throws CQL_DECODE
 * ```
 */
export function decodeValue(type: CqlTypeInput, bytes: Uint8Array | null, options?: ValueOptions): unknown;

/**
 * The token of a serialised partition key under Cassandra's Murmur3Partitioner, as CQL's `token()` gives it.
 *
 * @example
 * ```js
 * murmur3Token(encodeValue("int", 1)); // → -4069959284402364209n
 * ```
 */
export function murmur3Token(key: Uint8Array): bigint;
/**
 * The serialised partition key of its columns' cells, in the order of the table's key (PREPARED's `pkIndices`). Throws `CQL_ENCODE` for a
 * cell of more than 65,535 bytes in a key of several columns.
 *
 * @example
 * ```js
 * const key = routingKey([encodeValue("text", "art"), encodeValue("int", 7)]);
 * key; // → Uint8Array(13) [ 0, 3, 97, 114, 116, 0, 0, 4, 0, 0, 0, 7, 0 ]
 * routingKey([encodeValue("int", 7)]); // → Uint8Array(4) [ 0, 0, 0, 7 ]
 * ```
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
 *
 * @example
 * ```js
 * const { shard, nrShards, features } = scyllaOptions({ options: { SCYLLA_SHARD: ["3"], SCYLLA_NR_SHARDS: ["12"] } });
 * [shard, nrShards]; // → [ 3, 12 ]
 * features.metadataId; // → false
 * ```
 */
export function scyllaOptions(supported: Pick<SupportedMessage, "options">): ScyllaOptions;
/**
 * The options of STARTUP that ask for all extensions that the node offers and this package has (Scylla, Extending protocol extensions support): none of
 * Cassandra, and none on v3. Leave one out and it is not agreed.
 *
 * @example
 * ```js
 * const supported = { options: { COMPRESSION: ["lz4"], TABLETS_ROUTING_V1: [] } }; // as `feed` gives it
 * scyllaStartupOptions(supported, 4); // → { TABLETS_ROUTING_V1: '' }
 * const options = { CQL_VERSION: "3.0.0", ...scyllaStartupOptions(supported, 4) };
 * new Codec({ version: 4 }).encode({ opcode: "STARTUP", options }, 1).length; // → 53
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
/**
 * Which shard of a ScyllaDB node owns a token, from 0 (Scylla, Intranode sharding: algorithm `biased-token-round-robin`).
 *
 * @example
 * ```js
 * shardOf(-9223372036854775808n, { nrShards: 8, ignoreMsb: 12 }); // → 0
 * ```
 */
export function shardOf(token: bigint, sharding: Sharding): number;

/** A range of a table's tokens in ScyllaDB, and where it is. */
export interface Tablet {
  /** The tablet begins after this token. */
  readonly firstToken: bigint;
  /** The last token in it. */
  readonly lastToken: bigint;
  /** At least one. */
  readonly replicas: readonly {
    /** Of the node, as `system.peers` has it. */
    readonly hostId: string;
    /** Of the node, from 0. */
    readonly shard: number;
  }[];
}
/**
 * What ScyllaDB says in `customPayload["tablets-routing-v1"]` when a request came to the wrong place. Throws `CQL_DECODE` for what makes no
 * sense: it is only a hint, the answer that it came with is good. null where it names no replica: there is nothing to remember.
 *
 * @example
 * ```js
 * const type = "tuple<bigint, bigint, list<tuple<uuid, int>>>";
 * const payload = encodeValue(type, [-1n, 5n, [["00112233-4455-6677-8899-aabbccddeeff", 3]]]);
 * const tablet = decodeTablet(payload);
 * tablet.lastToken; // → 5n
 * tablet.replicas; // → [ { hostId: '00112233-4455-6677-8899-aabbccddeeff', shard: 3 } ]
 * ```
 */
export function decodeTablet(payload: Uint8Array): Tablet | null;
/**
 * The same bytes from a tablet, for who plays the server: `{ …, customPayload: { "tablets-routing-v1": encodeTablet(tablet) } }`. Throws `CQL_ENCODE` for
 * a tablet that `decodeTablet` would not give: without tokens or replicas, or a host id that is no UUID.
 */
export function encodeTablet(tablet: Tablet): Uint8Array;

/**
 * Parameters as columns, by the names of the bind markers. Each is an array with one value a row (what goes in as a single parameter: also null, `unset`, an
 * array or typed array for a vector, a `Uint8Array` as a ready cell), a typed array of numbers (for a vector, as many as its dimension a row; it has no
 * nulls), or a column of a result, with its nulls. All have the same number of rows.
 */
export type ParamColumnsInput = Readonly<Record<string, readonly unknown[] | TypedArray | Column>>;
/** Numbers, also those of a `Uint8Array`, which is no cell here. A vector takes one of the kind that it comes out as, or of other numbers, but no `Uint8Array`. */
export type TypedArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;
/** Columns of parameters that fit a statement, for EXECUTE and BATCH. They are read when a message is written; the arrays must not change before. */
export interface ParamColumns {
  /** Of whose markers they are. */
  readonly prepared: PreparedMessage;
  /** Rows. */
  readonly length: number;
}
/**
 * Parameters of a prepared statement as columns, so that many rows are written without an object for each. Throws `CQL_PARAMS` where a column is missing,
 * unknown or of another length.
 *
 * @example
 * ```js
 * const codec = new Codec({ established: { version: 4 } });
 * const server = new Codec({ role: "server", established: { version: 4 } });
 * const bind = [{ name: "id", type: "int" }, { name: "v", type: "vector<float, 2>" }];
 * const [prepared] = codec.feed(server.encode({ opcode: "RESULT", kind: "Prepared", id: Uint8Array.of(1), bind }, 1));
 *
 * const columns = paramColumns(prepared, { id: Int32Array.of(1, 2, 3), v: Float32Array.of(0, 1, 2, 3, 4, 5) });
 * columns.length; // → 3
 * codec.encode({ opcode: "EXECUTE", prepared, columns, row: 2 }, 1); // id 3, v [4, 5]
 * codec.encode({ opcode: "BATCH", statements: [{ prepared, columns, from: 0, to: 2 }] }, 2); // two statements
 * ```
 */
export function paramColumns(prepared: PreparedMessage, columns: ParamColumnsInput): ParamColumns;

/**
 * For a parameter: leave the column as it is (v4).
 *
 * @example
 * ```js
 * const codec = new Codec({ established: { version: 4 } });
 * const id = Uint8Array.of(1);
 * codec.encode({ opcode: "EXECUTE", id, params: [7, unset], types: ["int", "text"] }, 1).length; // → 29
 * ```
 */
export const unset: unique symbol;
/**
 * Zero bytes in a type that has no such value of its own.
 *
 * @example
 * ```js
 * decodeValue("int", new Uint8Array(0)) === empty; // → true
 * encodeValue("int", empty); // → Uint8Array(0) []
 * ```
 */
export const empty: unique symbol;

/**
 * A random UUID (version 4).
 *
 * @example
 * ```js
 * uuid().length; // → 36
 * ```
 */
export function uuid(): string;
/**
 * A UUID of a time (version 1), for a timeuuid column. Without a date: of now, each later than the one before (unless the clock is set
 * back by a second or more). With a Date or milliseconds since 1970: of that millisecond; the first 10,000 in a row for one are in order, all
 * are distinct. Node and clock sequence are random. Throws `CQL_VALUE` outside 1582-10-15 to 5236-03-31.
 *
 * @example
 * ```js
 * const id = timeuuid(new Date("2024-02-29T12:00:00Z"));
 * timeuuidDate(id); // → 2024-02-29T12:00:00.000Z
   * ```
 */
export function timeuuid(date?: Date | number): string;
/**
 * When a UUID of version 1 was made, as CQL's `toTimestamp` gives it. Throws `CQL_VALUE` for a UUID of another version.
 *
 * @example
 * ```js
 * timeuuidDate("13814000-1dd2-11b2-8080-808080808080"); // → 1970-01-01T00:00:00.000Z
 * timeuuidDate(uuid()); // → throws CQL_VALUE
 * ```
 */
export function timeuuidDate(timeuuid: string): Date;

/**
 * decimal: `unscaled × 10^-scale`, exact. 1.0 and 1.00 differ in scale. Operators (`<`, `+`) throw `CQL_VALUE`, `==` compares objects: as text they would be
 * wrong, as numbers no longer exact.
 *
 * @example
 * ```js
 * const price = Decimal.from("12.50");
 * price.unscaled; // → 1250n
 * price.scale; // → 2
 * price.toString(); // → '12.50'
 * price.compare(Decimal.from("12.5")); // → 0
 * price.equals(Decimal.from("12.5")); // → false
 * JSON.stringify({ price }); // → '{"price":"12.50"}'
 * price < Decimal.from("13"); // → throws CQL_VALUE
 * ```
 */
export class Decimal {
  /** Throws `CQL_VALUE` for a scale of more than 32 bits. */
  constructor(unscaled: bigint, scale: number);
  /** From `12.50`, `-1E+3`, `.5`. Throws `CQL_VALUE`. */
  static from(text: string): Decimal;
  /** All its digits, and the sign. */
  readonly unscaled: bigint;
  /** How many of them stand behind the point; negative: zeros that follow. */
  readonly scale: number;
  /** The same scale and number, as BigDecimal's `equals`: 1.0 is not 1.00. False for what is no Decimal. */
  equals(other: unknown): boolean;
  /** By the number alone, as BigDecimal's `compareTo`: 1.0 and 1.00 give 0. Quick for any scale. Throws `CQL_VALUE` for what is no Decimal. */
  compare(other: Decimal): -1 | 0 | 1;
  /** As BigDecimal writes it; never longer than the digits and 15. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Throws `CQL_VALUE`. */
  valueOf(): never;
}
/**
 * date: a day without a time zone, from -5877641-06-23 to +5881580-07-11. `<`, `>` and `-` work, by `days`.
 *
 * @example
 * ```js
 * const day = LocalDate.from("2024-02-29");
 * day.days; // → 19782
 * day.month; // → 2
 * day < LocalDate.from("2024-03-01"); // → true
 * `${day}`; // → '2024-02-29'
 * LocalDate.from("2023-02-29"); // → throws CQL_VALUE
 * ```
 */
export class LocalDate {
  /** Since 1970-01-01. */
  constructor(days: number);
  /** From `2024-02-29`; years beyond 9999 have a sign. Throws `CQL_VALUE`. */
  static from(text: string): LocalDate;
  /** Since 1970-01-01. */
  readonly days: number;
  /** Astronomical: 0 is 1 BC. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** Of the month, 1 to 31. */
  readonly day: number;
  /** False for what is no LocalDate. */
  equals(other: unknown): boolean;
  /** Throws `CQL_VALUE` for what is no LocalDate. */
  compare(other: LocalDate): -1 | 0 | 1;
  /** `2024-02-29`, as CQL writes it. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Text where text is wanted, else `days`. */
  [Symbol.toPrimitive](hint: string): string | number;
}
/**
 * time: nanoseconds since midnight. `<`, `>` and `-` work, by `nanoseconds`.
 *
 * @example
 * ```js
 * const time = LocalTime.from("08:12:54.5");
 * time.nanoseconds; // → 29574500000000n
 * time.toString(); // → '08:12:54.500000000'
 * ```
 */
export class LocalTime {
  /** Throws `CQL_VALUE` for more than 64 bits. What is not within a day can be read, not written. */
  constructor(nanoseconds: bigint);
  /** From `08:12:54.123456789`; seconds and their fraction may be left out. Throws `CQL_VALUE`. */
  static from(text: string): LocalTime;
  /** Since midnight. */
  readonly nanoseconds: bigint;
  /** False for what is no LocalTime. */
  equals(other: unknown): boolean;
  /** Throws `CQL_VALUE` for what is no LocalTime. */
  compare(other: LocalTime): -1 | 0 | 1;
  /** `08:12:54.123456789`, as CQL writes it. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Text where text is wanted, else `nanoseconds`. */
  [Symbol.toPrimitive](hint: string): string | bigint;
}
/**
 * duration: three numbers that do not convert into one another, all of one sign. So durations have no order (is 1mo more than 30d?), there is no
 * `compare`, and operators throw `CQL_VALUE`.
 *
 * @example
 * ```js
 * const duration = Duration.from("1y2mo3d4h");
 * duration.months; // → 14
 * duration.nanoseconds; // → 14400000000000n
 * Duration.from("P1Y2M3DT4H").equals(duration); // → true
 * ```
 */
export class Duration {
  /** Throws `CQL_VALUE` for months or days of more than 32 bits, nanoseconds of more than 64. */
  constructor(months: number, days: number, nanoseconds: bigint);
  /** From CQL's `1y2mo3w4d5h6m7s8ms9us10ns` or ISO 8601's `P1Y2M3DT4H5M6.5S` and `P3W`. Throws `CQL_VALUE`. */
  static from(text: string): Duration;
  /** Of 32 bits. */
  readonly months: number;
  /** Of 32 bits. */
  readonly days: number;
  /** Of 64 bits. */
  readonly nanoseconds: bigint;
  /** The same three numbers: 1d is not 24h. False for what is no Duration. */
  equals(other: unknown): boolean;
  /** `1y2mo3d4h`, as CQL writes it; a part that is 0 is left out. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Throws `CQL_VALUE`. */
  valueOf(): never;
}

/** What a `CqlError` has beside its code and message. */
export interface CqlErrorFields {
  /** As in any Error. */
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
 *
 * @example
 * ```js
 * try {
 *   encodeValue("int", "one");
 * } catch (error) {
 *   error instanceof CqlError; // → true
 *   error.code; // → 'CQL_ENCODE'
 * }
 * ```
 */
export class CqlError extends Error {
  constructor(code: CqlErrorCode, message: string, fields?: CqlErrorFields);
  /** Stable, where the message is not. */
  readonly code: CqlErrorCode;
  /** The protocol's number, of a server's ERROR. */
  readonly errorCode?: number;
  /** The client's: the text of the query it is about. */
  readonly query?: string;
  /** The client's, where no answer came: the server may have done what it was asked. */
  readonly mayBeApplied?: boolean;
  /** Of `CQL_NO_HOST`: why each contact point could not be used. */
  readonly causes?: readonly {
    /** As it was given. */
    readonly contactPoint: string;
    /** Mostly a `CqlError`. */
    readonly error: unknown;
  }[];
  readonly [field: string]: unknown;
}
/**
 * The error that an ERROR message stands for.
 *
 * @example
 * ```js
 * const codec = new Codec({ version: 4 });
 * const [message] = codec.feed(Uint8Array.of(0x84, 0, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0x22, 0, 0, 2, 110, 111));
 * const error = serverError(message);
 * error.code; // → 'CQL_INVALID'
 * error.errorCode; // → 8704
 * error.message; // → 'no'
 * ```
 */
export function serverError(message: ErrorMessage): CqlError;
