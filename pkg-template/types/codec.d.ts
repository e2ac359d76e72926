// The codec of one connection.
import type { OutgoingResponse } from "./outgoing.js";
import type { ReceivedRequest, RequestMessage } from "./requests.js";
import type { Message, RowsMessage } from "./responses.js";
import type { ScyllaFeatures } from "./routing.js";

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
