// One response message → the codec's calls, for who plays the server: the shape that reading gives is the shape to write.
import type { Conn } from "#glue";
import type { OutgoingResponse, OutgoingRows } from "../../types/index.js";
import { bind, withValues } from "./bind.ts";
import { checkResponse } from "./check.ts";
import type { Column } from "./column.ts";
import { CqlError } from "./errors.ts";
import { reading, unreadable } from "./given.ts";
import { named, putPayload } from "./request.ts";
import { columnsHandle, metadataHandle } from "./type.ts";
import type { ValueSettings } from "./value-options.ts";

const NO_BYTES = new Uint8Array(0);

/** Appends one response. On an error the caller aborts, which takes all of it back. */
export function writeResponse(conn: Conn, message: OutgoingResponse, stream: number, values: ValueSettings): void {
  reading(String(message?.opcode), () => checkResponse(message));
  const what = "kind" in message ? `RESULT ${message.kind}` : message.opcode;
  named(what, () => {
    if (message.tracingId !== undefined) conn.tracing_id(message.tracingId);
    message.warnings?.forEach((warning) => conn.warning(warning));
    putPayload(conn, message.customPayload);
    write(conn, message, stream, values);
  });
}

function write(conn: Conn, message: OutgoingResponse, stream: number, values: ValueSettings): void {
  if (message.opcode === "SUPPORTED") return conn.write(stream, { ...message, options: Object.entries(message.options) });
  if (message.opcode !== "RESULT") return conn.write(stream, message);
  switch (message.kind) {
    case "Rows":
      return writeRows(conn, message, stream, values);
    case "Prepared": {
      const { id, resultMetadataId = NO_BYTES, pkIndices = [], isLwt = false, bind: markers = [], result = [] } = message;
      return conn.prepared(stream, id, resultMetadataId, Uint16Array.from(pkIndices), isLwt, metadataHandle(markers), metadataHandle(result));
    }
    default:
      return conn.write(stream, message);
  }
}

function writeRows(conn: Conn, message: OutgoingRows, stream: number, values: ValueSettings): void {
  const state = message.pagingState ?? undefined;
  if (message.cells) {
    // Rows that were read without knowing their columns go on as they came.
    return conn.write_raw_rows(stream, message.length ?? 0, message.columnCount ?? 0, message.globalTableSpec ?? false, state, message.cells);
  }
  if (!message.metadata) throw new CqlError("CQL_OPTION", "RESULT Rows needs metadata, the columns of its rows, or cells that were read without it");
  const { metadata, specs } = columnsHandle(message.metadata);
  const withMetadata = !message.noMetadata;
  const sharesTable = specs.length > 0 && specs.every(({ keyspace, table }) => keyspace === specs[0]!.keyspace && table === specs[0]!.table);
  const global = message.globalTableSpec ?? (withMetadata && sharesTable);
  conn.begin_rows(stream, metadata, withMetadata, global, state, message.newMetadataId ?? undefined);
  const [length, cell] = cellsOf(message, specs.map((spec) => spec.name));
  withValues(conn, values.undefinedAs, (steps) => {
    steps.use(metadata, specs, (row, index) => `row ${row}, column ${index} (${specs[index]!.name})`);
    for (let row = 0; row < length; row++) {
      steps.group = row;
      for (let index = 0; index < specs.length; index++) bind(steps, index, cell(row, index));
    }
  });
  conn.end_rows(length);
}

/** How many rows, and their cells: of a message that was read from its columns, where empty is not null, else from `rows`. */
function cellsOf(message: OutgoingRows, names: readonly string[]): [number, (row: number, column: number) => unknown] {
  // By what they can do: those of another copy of this package can too.
  const columns = (message.columns ?? []).map((column) => column as Column);
  if (columns.length > 0 && columns.length === names.length && columns.every((column) => typeof column?.exact === "function")) {
    const exact = columns.map((column) => column.exact());
    const { length } = exact[0]!;
    if (message.length !== undefined && message.length !== length) {
      throw new CqlError("CQL_PARAMS", `length is ${message.length}, and the columns have ${length} rows`);
    }
    return [length, (row, index) => exact[index]!.at(row)];
  }
  if (names.length === 0 && message.rows === undefined) return [message.length ?? 0, () => null];
  // Items are read once: they are the caller's.
  const rows = reading("rows", () => Array.from(message.rows ?? []));
  reading("rows", () => checkRows(message, rows, names));
  const cell = (row: number, index: number): unknown => (Array.isArray(rows[row]) ? rows[row][index] : (rows[row] as Record<string, unknown>)[names[index]!]);
  return [rows.length, (row, index) => {
    try {
      return cell(row, index);
    } catch (cause) {
      return unreadable(`row ${row}`, cause);
    }
  }];
}

function checkRows(message: OutgoingRows, rows: readonly unknown[], names: readonly string[]): void {
  if (message.length !== undefined && message.length !== rows.length) {
    throw new CqlError("CQL_PARAMS", `length is ${message.length}, and there are ${rows.length} rows`);
  }
  const known = new Set(names);
  rows.forEach((row, index) => {
    if (Array.isArray(row)) {
      if (row.length !== names.length) throw new CqlError("CQL_PARAMS", `row ${index} has ${row.length} cells for ${names.length} columns`);
      return;
    }
    if (known.size !== names.length) {
      const twice = names.find((name, place) => names.indexOf(name) !== place);
      throw new CqlError("CQL_PARAMS", `row ${index}: several columns are called ${JSON.stringify(twice)}: give the cells by place`);
    }
    const unknown = Object.keys(row as object).find((name) => !known.has(name));
    if (unknown !== undefined) throw new CqlError("CQL_PARAMS", `row ${index}: no column is called ${JSON.stringify(unknown)}: there are ${names.join(", ")}`);
    const missing = names.find((name) => !Object.hasOwn(row as object, name));
    if (missing !== undefined) throw new CqlError("CQL_PARAMS", `row ${index} has no ${JSON.stringify(missing)}`);
  });
}
