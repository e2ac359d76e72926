// Responses, as a client reads them, and what their bytes say where.
import type { Column, ColumnValues } from "./columns.js";
import type { ColumnSpec, Row } from "./cql-type.js";
import type { CqlError } from "./errors.js";
import type { Consistency } from "./requests.js";

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
