// One value on its own: type text and JavaScript value ↔ bytes of a cell.
import type { Conn, Metadata } from "#glue";
import type { ColumnSpec, CqlType, CqlTypeInput, ValueOptions } from "../../types/index.js";
import { bind, finish, withValues } from "./bind.ts";
import { toDate, uuidText } from "./cell.ts";
import type { Column } from "./column.ts";
import { CqlError, decodeError } from "./errors.ts";
import { MOST, givenBytes, plainBytes } from "./given.ts";
import { readColumns } from "./table.ts";
import { typeHandle } from "./type.ts";
import { EXACT_VALUES, type ValueSettings, readValueOptions } from "./value-options.ts";
import { unset } from "./values.ts";
import { checkLent, checkTrap, currentGeneration, instance, memory, memoryBytes, withInstance } from "./wasm.ts";

/** Codecs that belong to no connection and are not in use. One is enough, but for a getter in a value that encodes another value. */
let idle: Conn[] = [];
let generation = -1;

/** One that is not in use, and nothing that the caller gave runs while it is. */
function loneConn(): Conn {
  checkLent();
  if (generation !== currentGeneration() || idle.length === 0) {
    if (generation !== currentGeneration()) idle = [];
    generation = currentGeneration();
    idle.push(new (instance().Conn)(false, 5, undefined, {}));
  }
  return idle[idle.length - 1]!;
}

function withLoneConn<T>(work: (conn: Conn) => T): T {
  return withInstance(() => {
    const conn = loneConn();
    idle.pop();
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

/** What most values are, without a page made for them: numbers and their vectors, text, bytes. All else, and what is wrong, is undefined. */
function decodeSimply(given: CqlTypeInput, cell: Uint8Array): unknown {
  try {
    const type = typeHandle(given).description; // first: a getter of the caller's may change the cell
    const length = byteLength.call(cell);
    if (arrayKind.call(cell) !== "Uint8Array" || length > MOST) return undefined;
    switch (type.kind) {
      case "int":
      case "float":
      case "bigint":
      case "double": {
        const width = WIDTHS[type.kind]!;
        if (length !== width) return undefined;
        const at = numbersAt(cell, length, width) / width;
        return memory()[ARRAYS[type.kind]!]![at];
      }
      case "timestamp": {
        if (length !== 8) return undefined;
        const at = numbersAt(cell, 8, 8) >> 2;
        return toDate(memory().ints, at);
      }
      case "boolean":
        return length === 1 ? cell[0] !== 0 : undefined;
      case "text":
        return strict.decode(length ? cell : plainBytes(cell)); // which throws where the cell was transferred, and decode gives ""
      case "blob":
        return plainBytes(cell).slice();
      case "uuid":
      case "timeuuid":
        return length === 16 ? uuidText(cell) : undefined;
      case "vector": {
        const { kind } = type.of[0]!;
        const width = WIDTHS[kind];
        const count = type.dimension!;
        if (width === undefined || length !== width * count) return undefined;
        const at = numbersAt(cell, length, width) / width;
        const numbers = memory()[ARRAYS[kind]!] as Float32Array;
        if (length > SMALL) return numbers.slice(at, at + count);
        const vector = new (numbers.constructor as Float32ArrayConstructor)(count);
        for (let i = 0; i < count; i++) vector[i] = numbers[at + i]!;
        return vector;
      }
    }
  } catch {
    // The long way says what is wrong.
  }
  return undefined;
}

/** Of elements that stand in a vector as they are. */
const WIDTHS: Record<string, number> = { float: 4, double: 8, int: 4, bigint: 8 };
const ARRAYS: Record<string, "ints" | "longs" | "singles" | "floats"> = { int: "ints", bigint: "longs", float: "singles", double: "floats" };
/** Bytes that a loop copies sooner than `slice`. */
const SMALL = 64;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** The array's own, whatever properties of these names say; throw, or say nothing, for what is none. */
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const byteLength = Object.getOwnPropertyDescriptor(typedArray, "byteLength")!.get as (this: Uint8Array) => number;
const arrayKind = Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag)!.get as (this: Uint8Array) => string | undefined;

/** Bytes in which nothing is wrong. */
function plainly(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return arrayKind.call(bytes) === "Uint8Array" && byteLength.call(bytes) <= MOST ? plainBytes(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Where in the codec's memory these numbers now are in the machine's order. */
function numbersAt(cell: Uint8Array, length: number, width: number): number {
  const conn = loneConn();
  const at = conn.cell(length); // before the memory is looked at: it may grow
  memoryBytes().set(cell, at);
  conn.swap_cell(width);
  return at;
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
  if (options === undefined && bytes) {
    const value = decodeSimply(type, bytes);
    if (value !== undefined) return value;
  }
  // A value on its own has no `isEmpty` beside it: what is empty must show in the value.
  const settings = readValueOptions("options of decodeValue", options, EXACT_VALUES);
  if (bytes === null) return null;
  const cell = plainly(bytes) ?? givenBytes("decodeValue", bytes);
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
