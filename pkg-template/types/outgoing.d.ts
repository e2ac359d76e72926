// Responses, as a server writes them.
import type { Column } from "./columns.js";
import type { ColumnSpecInput } from "./cql-type.js";
import type { AuthChallengeMessage, AuthSuccessMessage, AuthenticateMessage, ErrorMessage, EventMessage, PreparedMessage, ReadyMessage, Response, SchemaChangeMessage, SetKeyspaceMessage, SupportedMessage, VoidMessage } from "./responses.js";

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
