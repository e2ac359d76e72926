// Requests, as a client writes and a server reads them.
import type { CqlTypeInput } from "./cql-type.js";
import type { BadMessage, FramingError, MessageTrace, PreparedMessage } from "./responses.js";
import type { ParamColumns } from "./values.js";

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
