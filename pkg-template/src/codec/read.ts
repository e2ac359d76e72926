// One frame that Rust has found → the message that users have: prefix, fields, and for Rows the columns.
import type { Conn, Metadata } from "#glue";
import type { ColumnSpec, Message, MessagePrefix, MessageTrace, PreparedMessage, ReceivedRequest, Role, RowsMessage, TraceField } from "../../types/index.js";
import { uuidText } from "./cell.ts";
import { CqlError, decodeError, isWasmError } from "./errors.ts";
import { BorrowedRows, type Page, RawRows, Rows } from "./rows-message.ts";
import { borrowColumns, pageBytes, readColumns } from "./table.ts";
import { columnsHandle, describeMetadata, metadataHandle } from "./type.ts";
import type { ValueSettings } from "./value-options.ts";
import { record, unset } from "./values.ts";
import { lend, memoryBytes, memoryWords, tables } from "./wasm.ts";

/** Kinds of `next_frame`'s word, see `src/wasm/read.rs`. */
const [ROWS, VOID] = [1, 2];
const NONE = 0xffff_ffff;

export class MessageReader {
  readonly #conn: Conn;
  readonly #role: Role;
  readonly #values: ValueSettings;
  /** The statement, with the snapshot of its metadata, whose EXECUTE is on a stream. */
  readonly #executing = new Map<number, PreparedMessage>();
  /** Columns that came with rows last time; unprepared results repeat them. */
  #lastColumns: readonly ColumnSpec[] | undefined;

  readonly #traces: boolean;

  readonly #isDebug: boolean;

  constructor(conn: Conn, role: Role, values: ValueSettings, traces: boolean, isDebug: boolean) {
    this.#conn = conn;
    this.#role = role;
    this.#values = values;
    this.#traces = traces;
    this.#isDebug = isDebug;
  }

  /** The answer on this stream is read with this statement's columns, unless it brings its own. */
  expect(stream: number, prepared: PreparedMessage): void {
    this.#executing.set(stream, prepared);
  }

  /** The current frame's message; `word` is what `next_frame` gave. Rows are lent to `use`. */
  message(word: number, use?: Use): Message | ReceivedRequest {
    const stream = (word << 16) >> 16;
    const kind = (word >>> 24) & 7;
    const prepared = this.#executing.get(stream);
    if (prepared) this.#executing.delete(stream);
    let trace: { trace: MessageTrace } | undefined;
    try {
      if (this.#traces) trace = { trace: this.#trace(prepared) };
      const prefix = (word >>> 27) & 1 ? { ...this.#prefix(), ...trace } : trace;
      if (kind === ROWS) {
        const rows = this.#rows(stream, prepared, use && ((page) => use(Object.assign(page, prefix))));
        return prefix ? Object.assign(rows, prefix) : rows;
      }
      if (kind === VOID) return { stream, opcode: "RESULT", kind: "Void", ...prefix };
      return this.#role === "server" ? this.#request(stream, prefix) : this.#cold(stream, prefix);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      if (error instanceof UseError) return { stream, opcode: "RESULT", error: error.reason, ...trace } as Message;
      // Also what JavaScript cannot hold, as a page for which there is no memory: the other messages are good.
      const bad = isWasmError(error) ? decodeError("CQL_DECODE", error) : new CqlError("CQL_DECODE", `the page cannot be held: ${String(error)}`, { cause: error });
      return { stream, opcode: opcodeName((word >>> 16) & 0xff), error: bad, ...trace } as Message;
    }
  }

  #trace(prepared: PreparedMessage | undefined): MessageTrace {
    let bytes: Uint8Array;
    try {
      bytes = this.#conn.frame_bytes();
    } catch (error) {
      if (!isWasmError(error)) throw error;
      return { bytes: new Uint8Array(0), fields: [] }; // a body that does not decompress: the message's error says so
    }
    const entries = prepared ? this.#conn.trace_with(metadataHandle(prepared.result)) : this.#conn.trace();
    const root: TraceField = { name: "", start: 0, end: bytes.length, fields: [] };
    const open: TraceField[] = [root];
    for (const { depth, what, index, start, end, text, number } of entries) {
      open.length = depth + 1;
      const value = number === null ? text : String(number);
      const field = { name: what, ...(index === null ? {} : { index }), start, end, ...(value === null ? { fields: [] } : { value }) };
      open[depth]!.fields!.push(field);
      if (value === null) open.push(field);
    }
    return { bytes, fields: root.fields! };
  }

  #prefix(): MessagePrefix {
    const { tracing_id: tracingId, warnings, payload } = this.#conn.prefix();
    return {
      ...(tracingId ? { tracingId: uuidText(tracingId) } : {}),
      ...(warnings.length ? { warnings } : {}),
      ...(payload.length ? { customPayload: record(payload) } : {}),
    };
  }

  #request(stream: number, prefix: MessagePrefix | undefined): ReceivedRequest {
    const message = { stream, ...(this.#conn.message() as { opcode: string; params?: unknown[]; statements?: { params: unknown[] }[] }), ...prefix };
    if ("options" in message) message.options = record(message.options as [string, string][]);
    // Rust has no name for JavaScript's constant.
    for (const { params } of message.statements ?? [message]) params?.forEach((value, index) => value === true && (params[index] = unset));
    const flags = this.#conn.request_flags();
    return { ...message, ...(flags & 1 ? { tracing: true } : {}), ...(flags & 2 ? { useBeta: true } : {}) } as unknown as ReceivedRequest;
  }

  #cold(stream: number, prefix: MessagePrefix | undefined): Message {
    const message: Record<string, unknown> = { stream, ...(this.#conn.message() as object), ...prefix };
    if (message["opcode"] === "ERROR") message["version"] = this.#conn.frame_version();
    if (message["opcode"] === "SUPPORTED") message["options"] = record(message["options"] as [string, string[]][]);
    if (message["kind"] === "Prepared") {
      const [bind, result] = [0, 1].map((which) => describeMetadata(this.#conn.metadata(which)));
      return Object.freeze({ ...message, bind, result }) as unknown as PreparedMessage;
    }
    return message as unknown as Message;
  }

  #rows(stream: number, prepared: PreparedMessage | undefined, use: Use | undefined): RowsMessage {
    let table;
    try {
      table = prepared ? this.#conn.rows_with(metadataHandle(prepared.result)) : this.#conn.rows();
    } catch (error) {
      if (!isWasmError(error) || error.kind !== "NoMetadata") throw error;
      return new RawRows(pageOf(stream, this.#conn.raw_rows(), null, true), this.#values);
    }
    const at = table >>> 2;
    const words = memoryWords();
    const source = words[at + 2]! & SOURCE;
    const hasNewId = words[at + 6] !== NONE;
    let own: Metadata | undefined;
    // Rust has its columns already: an error from here on must not leave those of an earlier page in their place.
    if (source === 1) this.#lastColumns = undefined;
    if (source !== 0 && (!this.#lastColumns || hasNewId)) {
      own = this.#conn.metadata(2);
      this.#lastColumns = describeMetadata(own);
    }
    const specs = source === 0 ? columnsHandle(prepared!.result).specs : this.#lastColumns!;
    let page = pageOf(stream, table, null, source === 0);
    if (hasNewId && own && prepared) {
      // The id and the columns are one snapshot: the statement is replaced as a whole, never changed.
      page = { ...page, prepared: Object.freeze({ ...prepared, resultMetadataId: page.newMetadataId!, result: specs }) };
    }
    if (use) return this.#lend(page, table + PAGE_BYTES, specs, use);
    return new Rows(page, specs, readColumns(table + PAGE_BYTES, specs, this.#values), this.#values);
  }

  #lend(page: Page, table: number, specs: readonly ColumnSpec[], use: Use): RowsMessage {
    // To be found out, whoever keeps a page has a copy, whose memory is taken from under it.
    const copied = this.#isDebug ? readColumns(table, specs, this.#values) : undefined;
    const { columns, bytes } = copied ? { columns: copied, bytes: pageBytes(copied) } : borrowColumns(table, specs, this.#values);
    const rows = new Rows(page, specs, columns, this.#values);
    try {
      const result = lend(() => {
        const given = use(rows);
        // Here, because `then` may be a getter, and call the codec.
        if (typeof Object(given).then !== "function") return given;
        throw new CqlError("CQL_OPTION", "the function that borrows a page gave a promise: the page is gone before that is done");
      });
      return new BorrowedRows(page, specs, result);
    } catch (cause) {
      throw new UseError(cause instanceof CqlError ? cause : new CqlError("CQL_OPTION", "the function that borrows a page failed", { cause }));
    } finally {
      if (bytes) {
        bytes.isGone = true;
        if (copied) structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      }
    }
  }
}

/** What stands before the columns in the table of words; of raw rows, their cells too. */
function pageOf(stream: number, table: number, prepared: PreparedMessage | null, noMetadata: boolean): Page {
  const words = memoryWords();
  const at = table >>> 2;
  const copy = (place: number) => (words[place + 1] === NONE ? null : memoryBytes().slice(words[place]!, words[place]! + words[place + 1]!));
  return {
    stream,
    length: words[at]!,
    columnCount: words[at + 1]!,
    noMetadata,
    globalTableSpec: (words[at + 2]! & GLOBAL_TABLE_SPEC) !== 0,
    pagingState: copy(at + 3),
    newMetadataId: copy(at + 5),
    prepared,
    cells: (words[at + 2]! & SOURCE) === RAW ? copy(at + 7) : null,
  };
}

type Use = (page: RowsMessage) => unknown;

/** Not of the codec's doing. */
class UseError {
  readonly reason: CqlError;

  constructor(reason: CqlError) {
    this.reason = reason;
  }
}

/** What stands before the words of columns in the table that `rows` gives. */
const PAGE_BYTES = 28;
/** The third word of `rows` and `raw_rows`: where the columns come from, and one flag. */
const [SOURCE, RAW, GLOBAL_TABLE_SPEC] = [3, 3, 4];

let opcodes: Map<number, string> | undefined;
function opcodeName(code: number): string {
  opcodes ??= new Map(tables().opcodes);
  return opcodes.get(code)!;
}
