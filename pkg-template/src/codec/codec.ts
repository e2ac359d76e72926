// The codec of one connection: bytes → messages, messages → bytes. Rust holds the bytes and the phase; here is which prepared
// statement each stream's EXECUTE used, and what happens when the bytes are bad.
import type { Conn } from "#glue";
import type {
  Codec as PublicCodec,
  CodecOptions,
  Message,
  OutgoingResponse,
  ReceivedRequest,
  RequestMessage,
  Role,
  RowsMessage,
  ScyllaFeatures,
  Traffic,
} from "../../types/index.js";
import { checkOptions, inert, snapshot } from "./check.ts";
import { CqlError, type WasmError, decodeError, isWasmError } from "./errors.ts";
import { MOST, describe, plainBytes, reading, tag } from "./given.ts";
import { MessageReader } from "./read.ts";
import { writeRequest } from "./request.ts";
import { writeResponse } from "./response.ts";
import { useFeatures } from "./scylla.ts";
import { type ValueSettings, readValueOptions } from "./value-options.ts";
import { copyOut } from "./slab.ts";
import { checkLent, checkTrap, currentGeneration, instance, memoryBytes } from "./wasm.ts";

/** A chunk goes in by pieces of this size, so that its messages leave before the next piece needs room. */
const PIECE = 1 << 20;
/** `limit::FRAME_BODY` and `limit::NULL_SLOTS` in `src/spec/limit.rs`. */
const LIMITS = { frameBody: MOST, nullSlots: 256 << 20 };

export class Codec<R extends Role = "client"> implements PublicCodec<R> {
  readonly role: R;
  readonly #conn: Conn;
  readonly #generation: number;
  readonly #reader: MessageReader;
  readonly #values: ValueSettings;
  readonly #frameBody: number;
  #broken: CqlError | undefined;
  #isWriting = false;

  constructor(options: CodecOptions<R> = {}) {
    if (typeof options !== "object" || options === null) throw new CqlError("CQL_OPTION", `Codec has ${describe(options)} as options: expected an object`);
    const given = reading("options of Codec", () => {
      const { role, version, established, limits, trace, debug, values, ...unknown } = options;
      return { role, version, established: inert(established), limits: inert(limits), trace, debug, values: inert(values), unknown } as CodecOptions<R> & { unknown: object };
    });
    const { role = "client" as R, version, established, limits, trace = false, debug = false, values, unknown } = given;
    const [name] = Object.keys(unknown);
    if (name !== undefined) throw new CqlError("CQL_OPTION", `Codec has no option ${JSON.stringify(name)}`);
    if (role !== "client" && role !== "server") throw new CqlError("CQL_OPTION", `role is ${describe(role, true)}: expected client or server`);
    for (const [name, flag] of Object.entries({ trace, debug })) {
      if (typeof flag !== "boolean") throw new CqlError("CQL_OPTION", `${name} is ${describe(flag)}: expected true or false`);
    }
    if (established !== undefined) checkOptions("established", established);
    if (limits !== undefined) checkOptions("limits", limits);
    const number = version ?? established?.version ?? 5;
    if (number !== 3 && number !== 4 && number !== 5) throw new CqlError("CQL_OPTION", `version is ${describe(number)}: expected 3, 4 or 5`);
    if (established?.version !== undefined && established.version !== number) {
      throw new CqlError("CQL_OPTION", `version is ${number} and established.version ${established.version}: give one of them`);
    }
    this.role = role;
    this.#values = readValueOptions("values", values);
    const { Conn } = instance();
    this.#generation = currentGeneration();
    const compression = established && (established.compression ?? "none");
    const { features = {} } = established ?? {};
    try {
      this.#conn = useFeatures("established.features", features, () => {
        return new Conn(role === "server", number, compression === "none" ? "" : compression, features);
      });
    } catch (error) {
      if (!isWasmError(error)) throw error;
      throw new CqlError("CQL_OPTION", `established.compression is ${describe(compression, true)}: version ${number} does not have it`);
    }
    if (version !== undefined) this.#conn.fix_version();
    const { frameBody = LIMITS.frameBody, nullSlots = LIMITS.nullSlots } = limits ?? {};
    this.#frameBody = Math.min(frameBody, LIMITS.frameBody);
    if (limits) this.#conn.limit(this.#frameBody, Math.min(nullSlots, 1 << 30));
    this.#reader = new MessageReader(this.#conn, role, this.#values, trace, debug);
  }

  get version(): 3 | 4 | 5 {
    this.#checkInstance();
    return this.#conn.version() as 3 | 4 | 5;
  }

  get isEstablished(): boolean {
    this.#checkInstance();
    return this.#conn.is_established();
  }

  get compression(): "none" | "lz4" | "snappy" {
    this.#checkInstance();
    return (this.#conn.compression() || "none") as "none";
  }

  get hasResultMetadataId(): boolean {
    this.#checkInstance();
    return this.#conn.has_result_metadata_id();
  }

  get features(): ScyllaFeatures {
    this.#checkInstance();
    return this.#conn.features();
  }

  get traffic(): Traffic {
    this.#checkInstance();
    const [received, framesReceived, sent, framesSent] = this.#conn.traffic();
    return { received: received!, framesReceived: framesReceived!, sent: sent!, framesSent: framesSent! };
  }

  get waiting(): number {
    this.#checkInstance();
    return this.#conn.waiting();
  }

  offer(features: Partial<ScyllaFeatures>): void {
    this.#check();
    if (this.isEstablished) throw new CqlError("CQL_OPTION", "offer was called after the handshake, in which extensions are agreed");
    try {
      const own = reading("offer", () => inert(features)) as Partial<ScyllaFeatures>;
      useFeatures("offer", own, () => this.#conn.offer(own));
    } catch (error) {
      this.#trapped(error);
      throw error;
    }
  }

  encode(message: Outgoing<R>, stream?: number): Uint8Array {
    this.write(message, stream);
    return this.flush();
  }

  write(given: Outgoing<R>, givenStream?: number): void {
    this.#check();
    const message = snapshot(given);
    const { stream: own, opcode } = Object(message) as { stream?: number; opcode?: string };
    const stream = givenStream ?? own ?? (opcode === "EVENT" ? -1 : undefined);
    const least = this.role === "server" ? -32_768 : 0;
    if (!Number.isInteger(stream) || stream! < least || stream! > 32_767) {
      throw new CqlError("CQL_OPTION", `stream is ${describe(stream)}: expected ${least} to 32767`);
    }
    if (this.#isWriting) {
      // A getter or an iterator among the parameters of a request that is half written.
      throw new CqlError("CQL_OPTION", "write was called while the parameters of another request are read");
    }
    this.#isWriting = true;
    try {
      if (this.role === "server") writeResponse(this.#conn, message as OutgoingResponse, stream!, this.#values);
      else writeRequest(this.#conn, message as RequestMessage, stream!, this.#values);
    } catch (error) {
      this.#trapped(error);
      this.#abort();
      return reading(String(message?.opcode), () => {
        throw error;
      });
    } finally {
      this.#isWriting = false;
    }
    if (message.opcode === "EXECUTE" && message.prepared) this.#reader.expect(stream!, message.prepared);
  }

  flush(): Uint8Array {
    this.#check();
    try {
      const at = this.#conn.flush();
      const bytes = copyOut(at, this.#conn.flushed());
      this.#conn.sent();
      return bytes;
    } catch (error) {
      this.#trapped(error);
      throw isWasmError(error) ? new CqlError("CQL_ENCODE", `${error.what} ${error.meaning}`, { kind: error.kind, what: error.what }) : error;
    }
  }

  feed(chunk: Uint8Array | ArrayBuffer): Incoming<R>[] {
    return this.#feed("feed", chunk);
  }

  borrow(chunk: Uint8Array | ArrayBuffer, use: (page: RowsMessage) => unknown): Incoming<R>[] {
    if (typeof use !== "function") throw new CqlError("CQL_OPTION", `borrow has ${describe(use)}: expected a function`);
    return this.#feed("borrow", chunk, use);
  }

  #feed(name: string, chunk: Uint8Array | ArrayBuffer, use?: (page: RowsMessage) => unknown): Incoming<R>[] {
    this.#check();
    if (!ArrayBuffer.isView(chunk) && reading("the chunk", () => tag(chunk)) !== "ArrayBuffer") {
      throw new CqlError("CQL_OPTION", `${name} has ${describe(chunk)}: expected a Uint8Array or an ArrayBuffer`);
    }
    const bytes = bytesOf(name, chunk);
    const messages: (Message | ReceivedRequest)[] = [];
    try {
      for (let start = 0; start < bytes.byteLength; start += PIECE) {
        const piece = bytes.length <= PIECE ? bytes : bytes.subarray(start, start + PIECE);
        const at = this.#conn.receive(piece.length);
        memoryBytes().set(piece, at);
        for (let word; (word = this.#conn.next_frame()) !== 0; ) messages.push(this.#reader.message(word, use));
      }
    } catch (error) {
      checkTrap(error);
      const isLost = this.#generation !== currentGeneration();
      if (!isLost && !isWasmError(error)) throw new CqlError("CQL_OPTION", `${name} has ${describe(chunk)} that cannot be read`, { cause: error });
      // Last: the messages before it are good.
      this.#broken = isLost ? instanceLost(error) : decodeError("CQL_FRAMING", error, this.#expected(error));
      messages.push({ stream: null, opcode: null, error: this.#broken, fatal: true });
    }
    return messages as Incoming<R>[];
  }

  /** What the stream should have had there, for the commonest mistakes. */
  #expected(error: unknown): string {
    const { kind, what } = error as WasmError;
    if (what === "frame.version" && kind === "WrongVersion") return `: this codec has version ${this.#conn.version()}`;
    if (what === "frame.version" && kind === "WrongDirection") return `: a ${this.role} reads ${this.role === "client" ? "responses" : "requests"}`;
    if (what === "frame.length" && kind === "BadLength") return `: at most ${this.#frameBody} bytes`;
    return "";
  }

  /** Takes back what was begun. After a stack overflow inside the codec it cannot, and the instance is lost. */
  #abort(): void {
    try {
      this.#conn.abort();
    } catch (error) {
      this.#trapped(error);
      throw error;
    }
  }

  /** After a framing error, or when the instance that holds this codec's state is gone. */
  #check(): void {
    if (this.#broken) throw this.#broken;
    this.#checkInstance();
  }

  #checkInstance(): void {
    checkLent();
    if (this.#generation !== currentGeneration()) this.#trapped(undefined);
  }

  #trapped(error: unknown): void {
    checkTrap(error);
    if (this.#generation === currentGeneration()) return;
    throw (this.#broken = instanceLost(error));
  }
}

type Outgoing<R> = R extends "server" ? OutgoingResponse : RequestMessage;
type Incoming<R> = R extends "server" ? ReceivedRequest : Message;

function bytesOf(name: string, chunk: Uint8Array | ArrayBuffer): Uint8Array {
  const plain = () => (ArrayBuffer.isView(chunk) ? plainBytes(chunk) : new Uint8Array(chunk));
  try {
    return plain();
  } catch {
    return reading(`${name} has ${describe(chunk)} that`, plain);
  }
}

function instanceLost(cause: unknown): CqlError {
  return new CqlError("CQL_WASM", "the WebAssembly instance that held this connection's state failed; make a new connection", { cause });
}
