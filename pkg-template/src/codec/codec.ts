// The codec of one connection: bytes → messages, messages → bytes. Rust holds the bytes and the phase; here is which prepared
// statement each stream's EXECUTE used, and the shape in which messages are handed out.
import type { Conn, Metadata } from "#glue";
import type {
  Codec as PublicCodec,
  Column as PublicColumn,
  CodecOptions,
  ColumnSpec,
  ColumnValues,
  Message,
  MessagePrefix,
  PreparedMessage,
  RequestMessage,
  Row,
  RowsMessage,
  Traffic,
} from "../../types/index.js";
import { checkEstablished, describe, tag } from "./check.ts";
import { type Column, readColumns, uuidText } from "./column.ts";
import { CqlError, decodeError, isWasmError } from "./errors.ts";
import { describeMetadata, handlesOf, keepHandles, writeRequest } from "./request.ts";
import { makeRows } from "./rows.ts";
import { record } from "./values.ts";
import { checkTrap, currentGeneration, instance, memoryBytes, memoryWords, tables } from "./wasm.ts";

/** Kinds of `next_frame`'s word, see `src/wasm.rs`. */
const [ROWS, VOID] = [1, 2];
const NONE = 0xffff_ffff;
/** A chunk goes in by pieces of this size, so that its messages leave before the next piece needs room. */
const PIECE = 1 << 20;

export class Codec implements PublicCodec {
  readonly version: 3 | 4 | 5;
  readonly #conn: Conn;
  readonly #generation: number;
  /** The statement, with the snapshot of its metadata, whose EXECUTE is on a stream. */
  readonly #executing = new Map<number, PreparedMessage>();
  /** Columns that came with rows last time; unprepared results repeat them. */
  #lastColumns: readonly ColumnSpec[] | undefined;
  #broken: CqlError | undefined;
  #isWriting = false;

  constructor(options: CodecOptions = {}) {
    if (typeof options !== "object" || options === null) throw new CqlError("CQL_OPTION", `Codec has ${describe(options)} as options: expected an object`);
    const { version = 5, established, ...unknown } = options;
    const [name] = Object.keys(unknown);
    if (name !== undefined) throw new CqlError("CQL_OPTION", `Codec has no option ${JSON.stringify(name)}`);
    if (version !== 3 && version !== 4 && version !== 5) throw new CqlError("CQL_OPTION", `version is ${describe(version)}: expected 3, 4 or 5`);
    this.version = version;
    const { Conn } = instance();
    this.#generation = currentGeneration();
    if (established !== undefined) checkEstablished(established);
    const compression = established?.compression ?? "none";
    try {
      this.#conn = new Conn(version, established !== undefined, compression === "none" ? "" : compression);
    } catch (error) {
      if (!isWasmError(error)) throw error;
      throw new CqlError("CQL_OPTION", `established.compression is ${describe(compression, true)}: version ${version} does not have it`);
    }
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

  get traffic(): Traffic {
    this.#checkInstance();
    const [received, framesReceived, sent, framesSent] = this.#conn.traffic();
    return { received: received!, framesReceived: framesReceived!, sent: sent!, framesSent: framesSent! };
  }

  encode(message: RequestMessage, stream: number): Uint8Array {
    this.write(message, stream);
    return this.flush();
  }

  write(message: RequestMessage, stream: number): void {
    this.#check();
    if (!Number.isInteger(stream) || stream < 0 || stream > 32_767) {
      throw new CqlError("CQL_OPTION", `stream is ${describe(stream)}: expected 0 to 32767`);
    }
    if (this.#isWriting) {
      // A getter or an iterator among the parameters of a request that is half written.
      throw new CqlError("CQL_OPTION", "write was called while the parameters of another request are read");
    }
    this.#isWriting = true;
    try {
      writeRequest(this.#conn, message, stream);
    } catch (error) {
      this.#trapped(error);
      this.#conn.abort();
      throw error;
    } finally {
      this.#isWriting = false;
    }
    if (message.opcode === "EXECUTE") this.#executing.set(stream, message.prepared);
  }

  flush(): Uint8Array {
    this.#check();
    try {
      return this.#conn.flush();
    } catch (error) {
      this.#trapped(error);
      throw isWasmError(error) ? new CqlError("CQL_ENCODE", `${error.what} ${error.meaning}`, { kind: error.kind, what: error.what }) : error;
    }
  }

  feed(chunk: Uint8Array | ArrayBuffer): Message[] {
    this.#check();
    if (!ArrayBuffer.isView(chunk) && tag(chunk) !== "ArrayBuffer") {
      throw new CqlError("CQL_OPTION", `feed has ${describe(chunk)}: expected a Uint8Array or an ArrayBuffer`);
    }
    const bytes = ArrayBuffer.isView(chunk) ? chunk : new Uint8Array(chunk);
    const messages: Message[] = [];
    try {
      for (let start = 0; start < bytes.byteLength; start += PIECE) {
        const piece = new Uint8Array(bytes.buffer, bytes.byteOffset + start, Math.min(PIECE, bytes.byteLength - start));
        const at = this.#conn.receive(piece.length);
        memoryBytes().set(piece, at);
        for (let word; (word = this.#conn.next_frame()) !== 0; ) messages.push(this.#message(word));
      }
    } catch (error) {
      checkTrap(error);
      const isLost = this.#generation !== currentGeneration();
      if (!isLost && !isWasmError(error)) throw new CqlError("CQL_OPTION", `feed has ${describe(chunk)} that cannot be read`, { cause: error });
      // Last: the messages before it are good.
      this.#broken = isLost ? instanceLost(error) : decodeError("CQL_FRAMING", error);
      messages.push({ stream: null, opcode: null, error: this.#broken, fatal: true });
    }
    return messages;
  }

  /** After a framing error, or when the instance that holds this codec's state is gone. */
  #check(): void {
    if (this.#broken) throw this.#broken;
    this.#checkInstance();
  }

  #checkInstance(): void {
    if (this.#generation !== currentGeneration()) this.#trapped(undefined);
  }

  #trapped(error: unknown): void {
    checkTrap(error);
    if (this.#generation === currentGeneration()) return;
    throw (this.#broken = instanceLost(error));
  }

  #message(word: number): Message {
    const stream = (word << 16) >> 16;
    const kind = (word >>> 24) & 7;
    const prepared = this.#executing.get(stream);
    if (prepared) this.#executing.delete(stream);
    try {
      const prefix = (word >>> 27) & 1 ? this.#prefix() : undefined;
      if (kind === ROWS) return Object.assign(this.#rows(stream, prepared), prefix);
      if (kind === VOID) return { stream, opcode: "RESULT", kind: "Void", ...prefix };
      return this.#cold(stream, prefix);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      // Also what JavaScript cannot hold, as a page for which there is no memory: the other messages are good.
      const bad = isWasmError(error) ? decodeError("CQL_DECODE", error) : new CqlError("CQL_DECODE", `the page cannot be held: ${String(error)}`, { cause: error });
      return { stream, opcode: opcodeName((word >>> 16) & 0xff), error: bad } as Message;
    }
  }

  #prefix(): MessagePrefix {
    const { tracing_id: tracingId, warnings, payload } = this.#conn.prefix();
    return {
      ...(tracingId ? { tracingId: uuidText(tracingId) } : {}),
      ...(warnings.length ? { warnings } : {}),
      ...(payload.length ? { customPayload: record(payload) } : {}),
    };
  }

  #cold(stream: number, prefix: MessagePrefix | undefined): Message {
    const message: Record<string, unknown> = { stream, ...(this.#conn.message() as object), ...prefix };
    if (message["opcode"] === "ERROR") message["version"] = this.#conn.frame_version();
    if (message["opcode"] === "SUPPORTED") message["options"] = record(message["options"] as [string, string[]][]);
    if (message["kind"] === "Prepared") {
      const [bind, result] = [this.#conn.metadata(0), this.#conn.metadata(1)];
      const prepared = Object.freeze({ ...message, bind: describeMetadata(bind), result: describeMetadata(result) }) as unknown as PreparedMessage;
      keepHandles(prepared, { bind, result });
      return prepared;
    }
    return message as unknown as Message;
  }

  #rows(stream: number, prepared: PreparedMessage | undefined): Rows {
    const known = prepared && handlesOf(prepared);
    const table = known ? this.#conn.rows_with(known.result) : this.#conn.rows();
    const head = memoryWords().slice(table >>> 2, (table >>> 2) + 7);
    const [length, , source, stateAt, stateLength, idAt, idLength] = head as unknown as number[] as [
      number, number, number, number, number, number, number,
    ];
    const copy = (at: number, size: number) => (size === NONE ? null : memoryBytes().slice(at, at + size));
    const pagingState = copy(stateAt, stateLength);
    const newMetadataId = copy(idAt, idLength);
    let own: Metadata | undefined;
    // Rust has its columns already: an error from here on must not leave those of an earlier page in their place.
    if (source === 1) this.#lastColumns = undefined;
    if (source !== 0 && (!this.#lastColumns || newMetadataId)) {
      own = this.#conn.metadata(2);
      this.#lastColumns = describeMetadata(own);
    }
    const specs = source === 0 ? prepared!.result : this.#lastColumns!;
    const columns = readColumns(table + 28, specs);
    let renewed: PreparedMessage | null = null;
    if (newMetadataId && own && prepared && known) {
      // The id and the columns are one snapshot: the statement is replaced as a whole, never changed.
      renewed = Object.freeze({ ...prepared, resultMetadataId: newMetadataId, result: specs });
      keepHandles(renewed, { bind: known.bind, result: own });
    }
    return new Rows(stream, length, specs, columns, pagingState, newMetadataId, renewed);
  }
}

function instanceLost(cause: unknown): CqlError {
  return new CqlError("CQL_WASM", "the WebAssembly instance that held this connection's state failed; make a new connection", { cause });
}

let opcodes: Map<number, string> | undefined;
function opcodeName(code: number): string {
  opcodes ??= new Map(tables().opcodes);
  return opcodes.get(code)!;
}

class Rows implements RowsMessage {
  readonly opcode = "RESULT";
  readonly kind = "Rows";
  readonly stream: number;
  readonly length: number;
  readonly metadata: readonly ColumnSpec[];
  readonly columns: readonly Column[];
  readonly pagingState: Uint8Array | null;
  readonly newMetadataId: Uint8Array | null;
  readonly prepared: PreparedMessage | null;
  #rows: Row[] | undefined;

  constructor(
    stream: number,
    length: number,
    metadata: readonly ColumnSpec[],
    columns: readonly Column[],
    pagingState: Uint8Array | null,
    newMetadataId: Uint8Array | null,
    prepared: PreparedMessage | null,
  ) {
    this.stream = stream;
    this.length = length;
    this.metadata = metadata;
    this.columns = columns;
    this.pagingState = pagingState;
    this.newMetadataId = newMetadataId;
    this.prepared = prepared;
  }

  get rows(): Row[] {
    return (this.#rows ??= makeRows(this.columns, this.length));
  }

  column<V extends ColumnValues = ColumnValues>(name: string): PublicColumn<V> {
    const found = this.columns.filter((column) => column.name === name);
    if (found.length === 1) return found[0] as unknown as PublicColumn<V>; // the caller knows the type
    const reason = found.length ? `${found.length} columns are called` : "no column is called";
    throw new CqlError("CQL_COLUMN", `${reason} ${JSON.stringify(name)}: there are ${this.columns.map((c) => c.name).join(", ")}`);
  }
}
