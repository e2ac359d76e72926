// One value on its own: type text and JavaScript value ↔ bytes of a cell.
import type { Conn, Metadata } from "#glue";
import type { ColumnSpec, CqlType, CqlTypeInput, ValueOptions } from "../../types/index.js";
import { bind, finish, withValues } from "./bind.ts";
import { givenBytes } from "./check.ts";
import { type Column, readColumns } from "./column.ts";
import { CqlError, decodeError } from "./errors.ts";
import { typeHandle } from "./type.ts";
import { EXACT_VALUES, type ValueSettings, readValueOptions } from "./value-options.ts";
import { unset } from "./values.ts";
import { checkTrap, currentGeneration, memoryBytes, withInstance } from "./wasm.ts";

/** Codecs that belong to no connection and are not in use. One is enough, but for a getter in a value that encodes another value. */
let idle: Conn[] = [];
let generation = -1;

function withLoneConn<T>(work: (conn: Conn) => T): T {
  return withInstance(({ Conn }) => {
    if (generation !== currentGeneration()) {
      idle = [];
      generation = currentGeneration();
    }
    const conn = idle.pop() ?? new Conn(false, 5, undefined, {});
    try {
      return work(conn);
    } catch (error) {
      checkTrap(error);
      throw error;
    } finally {
      if (generation === currentGeneration()) {
        conn.abort(); // lets go of whatever is in it
        idle.push(conn);
      }
    }
  });
}

/** The columns of rows that came without metadata. */
export function decodeRows(
  types: Metadata,
  specs: readonly ColumnSpec[],
  cells: Uint8Array,
  rowCount: number,
  columnCount: number,
  values: ValueSettings,
): Column[] {
  return withLoneConn((conn) => {
    const at = conn.cell(cells.length);
    memoryBytes().set(cells, at);
    try {
      return readColumns(conn.decode_rows(types, rowCount, columnCount), specs, values);
    } catch (error) {
      throw decodeError("CQL_DECODE", error);
    }
  });
}

export function parseType(text: string): CqlType {
  return typeHandle(text).description;
}

/** The serialised cell, or null. */
export function encodeValue(type: CqlTypeInput, value: unknown, options?: ValueOptions): Uint8Array | null {
  const settings = readValueOptions("options of encodeValue", options);
  if (value === null || (value === undefined && settings.undefinedAs === "null")) return null;
  if (value === unset || (value === undefined && settings.undefinedAs === "unset")) {
    throw new CqlError("CQL_ENCODE", "unset is no value: only a whole parameter of a request can be unset");
  }
  const { metadata, index, specs } = typeHandle(type);
  return withLoneConn((conn) => {
    conn.lone_value(metadata, index);
    return withValues(conn, settings.undefinedAs, (steps) => {
      steps.use(metadata, specs, () => "value");
      bind(steps, index, value, true);
      finish(steps);
      return conn.lone_output().slice(4);
    });
  });
}

/** What a cell of these bytes means. */
export function decodeValue(type: CqlTypeInput, bytes: Uint8Array | null, options?: ValueOptions): unknown {
  // A value on its own has no `isEmpty` beside it: what is empty must show in the value.
  const settings = readValueOptions("options of decodeValue", options, EXACT_VALUES);
  if (bytes === null) return null;
  const cell = givenBytes("decodeValue", bytes);
  const { metadata, index, description } = typeHandle(type);
  return withLoneConn((conn) => {
    const at = conn.cell(cell.length); // before the memory is looked at: it may grow
    memoryBytes().set(cell, at);
    try {
      const [column] = readColumns(conn.decode_cell(metadata, index), [{ name: "value", type: description }], settings);
      return column!.at(0);
    } catch (error) {
      throw decodeError("CQL_DECODE", error);
    }
  });
}
