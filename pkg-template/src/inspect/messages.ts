// Bytes → messages, without being told what they are. Whether they are frames or v5 segments, whose, of which version and how compressed is
// found by trying: the codec of each way reads on, and the way that gives messages without a framing error is right (a segment's header has a
// checksum). Where a way ends, as when the other direction follows, the ways are tried again.
import { Codec } from "../codec/index.ts";
import type { CqlError, FramingError, Message, MessageTrace, PreparedMessage, ReceivedRequest } from "../../types/index.js";

/** How bytes are read. */
export interface Way {
  readonly role: "client" | "server";
  readonly version: 3 | 4 | 5;
  /** In v5's segments. */
  readonly segments: boolean;
  readonly compression: "none" | "lz4" | "snappy";
  /** ScyllaDB's extension of v4, where the paste has the STARTUP that asks for it. */
  readonly metadataId: boolean;
}

export type AnyMessage = Exclude<Message | ReceivedRequest, FramingError>;

export interface Found {
  readonly message: AnyMessage;
  readonly way: Way;
  /** The bytes of its frame, or of the segments that it came in; and which of the messages in them. */
  readonly from: number;
  readonly to: number;
  readonly index: number;
}

/** Why not all was read; what was before it is good. */
export interface Problem {
  readonly kind: "framing" | "half" | "limit";
  /** What could not be read begins here. */
  readonly at: number;
  readonly error?: CqlError;
}

export interface Inspection {
  readonly bytes: Uint8Array;
  readonly found: readonly Found[];
  readonly problem: Problem | null;
}

/** What is read of a paste: more of it would be slow to read and of no use to look at. */
export const LIMITS = { bytes: 8 << 20, messages: 10_000, decompressed: 64 << 20 };
/** Most bytes of one message, and of the empty slots in its columns. */
const FRAME = 32 << 20;
/** Steps between two pauses. */
const PAUSE = 512;
/** A unit's first bytes are read one by one, and its last ones; those between in steps of as many. */
const NEAR = 256;

/** Yields now and then, so that a page stays alive meanwhile. */
export function* inspect(bytes: Uint8Array, limits = LIMITS): Generator<undefined, Inspection> {
  const found: Found[] = [];
  const readable = bytes.subarray(0, limits.bytes);
  let asked: Asked = { compression: "lz4", metadataId: false };
  let last: Way | undefined;
  let problem: Problem | null = null;
  let decompressed = 0;
  for (let at = 0; at < readable.length && !problem; ) {
    const run = yield* bestRun(readable, at, asked, last);
    last = run.way;
    if (!run.unit.length && run.start === at) problem = run.problem(at);
    at = run.start; // empty segments, if there are no messages
    while (run.unit.length) {
      found.push(...run.unit);
      for (const { message } of run.unit) asked = askedIn(message) ?? asked;
      if (found.length > limits.messages || decompressed + run.decompressed > limits.decompressed) problem = { kind: "limit", at: found[limits.messages]?.from ?? run.start };
      else if (run.isSpoilt) problem = run.problem(run.unit[0]!.from);
      if (problem || run.isHandshakeOver) break;
      yield* run.next();
      if (run.unit.some(({ message }) => isOtherCompression(message))) break; // from `at` again, in all ways
      at = run.start;
    }
    decompressed += run.decompressed;
  }
  if (readable.length < bytes.length && problem?.kind !== "framing") problem = { kind: "limit", at: problem?.at ?? readable.length };
  return { bytes, found: found.slice(0, limits.messages), problem };
}

/** The same at once. */
export function inspectAll(bytes: Uint8Array, limits = LIMITS): Inspection {
  for (const steps = inspect(bytes, limits); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** From which bytes the message's fields were read. `prepared`: whose columns its rows have, where they came without. */
export function traceOf(bytes: Uint8Array, { way, from, to, index, message }: Found, prepared?: PreparedMessage): MessageTrace {
  const codec = codecOf(way, true);
  // A codec knows the columns of a statement whose EXECUTE it wrote.
  if (prepared) (codec as Codec<"client">).write({ opcode: "EXECUTE", prepared, params: prepared.bind.map(() => null) }, message.stream);
  const again = codec.feed(bytes.subarray(from, to))[index] as AnyMessage;
  return again.trace!;
}

/** What the STARTUP in a paste asks for: tried first. */
type Asked = Pick<Way, "compression" | "metadataId">;

function askedIn(message: AnyMessage): Asked | undefined {
  if (message.opcode !== "STARTUP" || message.error) return undefined;
  const { COMPRESSION, SCYLLA_USE_METADATA_ID } = (message as { options: Record<string, string> }).options;
  return { compression: COMPRESSION?.toLowerCase() === "snappy" ? "snappy" : "lz4", metadataId: SCYLLA_USE_METADATA_ID !== undefined };
}

/** Segments first: of what is none, their checksum says so at once. The first byte of a frame is its direction and its version. */
function waysFor(first: number, asked: Asked): Way[] {
  const ways: Way[] = [];
  for (const compression of ["none", "lz4"] as const) {
    for (const role of ["server", "client"] as const) ways.push({ role, version: 5, segments: true, compression, metadataId: false });
  }
  const role = first < 0x80 ? "server" : "client";
  const number = first & 0x7f;
  if (number === 3 || number === 4 || role === "client") {
    const version = number === 3 || number === 5 ? number : 4; // an ERROR can come in any version
    const compressions = version === 5 ? (["none"] as const) : asked.compression === "lz4" ? (["lz4", "snappy"] as const) : (["snappy", "lz4"] as const);
    for (const compression of compressions) ways.push({ ...asked, role, version, segments: false, compression });
  } else {
    ways.push({ role, version: 5, segments: false, compression: "none", metadataId: false }); // takes the version of the frame
  }
  return ways;
}

function codecOf({ role, version, segments, compression, metadataId }: Way, trace: boolean): Codec<"client" | "server"> {
  // A v5 codec whose handshake is over reads segments; the frames before are those of the handshake.
  const established = segments || version < 5 ? { version, compression, features: { metadataId: metadataId && version === 4 } } : undefined;
  return new Codec<"client" | "server">({ role, version, ...(established ? { established } : {}), limits: { frameBody: FRAME, nullSlots: FRAME }, trace });
}

/** One way's reading, from one place on. A unit is a frame, or a segment, or the segments of one frame: bytes that give messages alone. */
class Run {
  /** The messages of the last unit; none at the end or after an error. */
  unit: Found[] = [];
  /** Where the next unit begins. */
  start: number;
  /** The unit has messages, and then what cannot be read. */
  isSpoilt = false;
  error: CqlError | undefined;
  /** Bytes that were read. */
  at: number;
  readonly #bytes: Uint8Array;
  readonly way: Way;
  #codec: Codec<"client" | "server">;
  /** Up to here byte by byte. */
  #near = 0;
  #steps = 0;
  /** Bytes of frames before this codec's. */
  #before = 0;
  #beforeUnit = 0;

  constructor(bytes: Uint8Array, at: number, way: Way) {
    this.#bytes = bytes;
    this.start = this.at = at;
    this.way = way;
    this.#codec = codecOf(way, false);
  }

  /**
   * Reads the next unit, at its ends byte by byte, since the codec does not say where in its bytes a message ends. A step that went past the end is
   * taken again by a new codec from the start of the unit: what was before it has no part in it.
   */
  *next(): Generator<undefined, void> {
    const messages: AnyMessage[] = [];
    while (this.at < this.#bytes.length && !this.error) {
      const isNear = this.at < Math.max(this.start + NEAR, this.#near);
      const to = Math.min(this.#bytes.length, this.at + (isNear ? 1 : NEAR));
      const read = this.#codec.feed(this.#bytes.subarray(this.at, to));
      if (++this.#steps % PAUSE === 0) yield;
      const isWhole = read.length > 0 || this.#codec.waiting === 0;
      if (isWhole && to - this.at > 1) {
        this.#near = to;
        this.#before = this.#beforeUnit;
        this.#codec = codecOf(this.way, false);
        this.#codec.feed(this.#bytes.subarray(this.start, this.at));
        continue;
      }
      this.at = to;
      for (const message of read) {
        if (message.stream === null) this.error = message.error;
        else messages.push(message);
      }
      if (this.error || this.#codec.waiting > 0) continue;
      this.#take(messages, this.at);
      if (messages.length) return;
    }
    this.isSpoilt = messages.length > 0;
    this.#take(messages, this.start);
  }

  #take(messages: AnyMessage[], next: number): void {
    const { start: from, at: to } = this;
    this.unit = messages.map((message, index) => ({ message, way: this.way, from, to, index }));
    this.start = next;
    this.#beforeUnit = this.decompressed;
  }

  /** Of v5: from here on in segments, compressed or not. */
  get isHandshakeOver(): boolean {
    return !this.way.segments && this.way.version === 5 && !this.error && this.#codec.isEstablished;
  }

  get decompressed(): number {
    return this.#before + this.#codec.traffic.framesReceived;
  }

  problem(at: number): Problem {
    return this.error ? { kind: "framing", at, error: this.error } : { kind: "half", at };
  }

  /** How well the way fits: messages, then what may become one, then what was read before an error. */
  get rank(): number {
    if (this.unit.some(({ message }) => isOtherCompression(message))) return 2;
    if (this.unit.length) return this.unit.some(({ message }) => message.error) ? 3 : 4;
    return this.error ? 0 : 1;
  }
}

function* bestRun(bytes: Uint8Array, at: number, asked: Asked, last: Way | undefined): Generator<undefined, Run> {
  let best: Run | undefined;
  // Mostly it is the other side of the same connection.
  const isLikeLast = (way: Way): number => Number(way.version === last?.version && way.segments === last.segments && way.compression === last.compression);
  for (const way of waysFor(bytes[at]!, asked).sort((a, b) => isLikeLast(b) - isLikeLast(a))) {
    const run = new Run(bytes, at, way);
    yield* run.next();
    if (run.rank === 4) return run;
    if (!best || run.rank > best.rank || (run.rank === best.rank && run.at > best.at)) best = run;
  }
  return best!;
}

/** The body does not decompress this way. */
const isOtherCompression = ({ error }: AnyMessage): boolean => String(error?.["what"]).startsWith("frame.body");
