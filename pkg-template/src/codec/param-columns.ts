// Parameters as columns: an array for each bind marker in place of an object for each row. What each row takes from them is decided once.
import type { ParamColumns as PublicParamColumns, ParamColumnsInput, PreparedMessage } from "../../types/index.js";
import type { Column } from "./column.ts";
import { CqlError } from "./errors.ts";
import { arrayKind, describe, reading, unreadable } from "./given.ts";

type Read = (row: number) => unknown;
interface Source {
  readonly read: Read;
  readonly length: number;
  /** About how many bytes the value of a row takes. */
  readonly weigh: (row: number) => number;
}
type TypedArray = Float32Array;
type Spec = PreparedMessage["bind"][number];

/** Across copies of this package. */
const BRAND = Symbol.for("cqlwire.ParamColumns");
export const isParamColumns = (value: unknown): value is ParamColumns => typeof value === "object" && value !== null && BRAND in value;

export class ParamColumns implements PublicParamColumns {
  readonly prepared: PreparedMessage;
  readonly length: number;
  readonly #sources: readonly Source[];
  /** Of the row that is being written. */
  readonly #values: unknown[];

  constructor(prepared: PreparedMessage, columns: ParamColumnsInput) {
    const markers: unknown = reading("the statement", () => Object(prepared).bind as unknown);
    if (!Array.isArray(markers)) throw new CqlError("CQL_OPTION", `paramColumns has ${describe(prepared)}: expected a PREPARED message`);
    if (typeof columns !== "object" || columns === null) throw new CqlError("CQL_OPTION", `paramColumns has ${describe(columns)}: expected an object of columns`);
    this.prepared = prepared;
    this.#sources = reading("the columns", () => sourcesOf(markers as Spec[], columns as Record<string, unknown>));
    this.length = this.#sources[0]?.length ?? 0;
    this.#values = new Array<unknown>(markers.length);
    Object.defineProperty(this, BRAND, { value: true });
    Object.freeze(this);
  }

  /** The values of one row; the same array each time. */
  valuesOf(row: number): readonly unknown[] {
    try {
      for (let column = 0; column < this.#sources.length; column++) this.#values[column] = this.#sources[column]!.read(row);
      return this.#values;
    } catch (cause) {
      return unreadable(`row ${row} of the columns`, cause);
    }
  }

  /** What cannot be read weighs nothing: that is said where it is written. */
  weigh(row: number): number {
    try {
      return this.#sources.reduce((sum, source) => sum + source.weigh(row), 0);
    } catch {
      return 0;
    }
  }

  /** The rows from `from` to `to`, where they are some of these. */
  range(what: string, from: number, to: number): void {
    if (Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= this.length) return;
    throw new CqlError("CQL_PARAMS", `${what}: rows ${from} to ${to} of columns that have ${this.length}`);
  }
}

function sourcesOf(markers: readonly Spec[], columns: Record<string, unknown>): Source[] {
  const names = markers.map(({ name }) => name);
  const unknown = Object.keys(columns).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new CqlError("CQL_PARAMS", `no bind marker is called ${JSON.stringify(unknown)}: there are ${names.join(", ")}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CqlError("CQL_PARAMS", `several bind markers are called ${JSON.stringify(twice)}, and columns go by name`);
  const sources = markers.map((marker): Source => {
    if (!Object.hasOwn(columns, marker.name)) throw new CqlError("CQL_PARAMS", `no column for bind marker ${JSON.stringify(marker.name)}`);
    return sourceOf(marker, columns[marker.name]);
  });
  const [first] = sources;
  sources.forEach(({ length }, index) => {
    if (length === first!.length) return;
    throw new CqlError("CQL_PARAMS", `column ${names[index]} has ${length} rows, and column ${names[0]} has ${first!.length}`);
  });
  return sources;
}

function sourceOf({ name, type }: Spec, column: unknown): Source {
  if (Array.isArray(column)) {
    const list = column as unknown[];
    return { read: (row) => list[row], length: list.length, weigh: (row) => weighValue(list[row]) };
  }
  const kind = arrayKind(column);
  if (kind !== undefined) {
    const array = column as TypedArray;
    const width = array.BYTES_PER_ELEMENT;
    if (type.kind !== "vector") return { read: (row) => array[row], length: array.length, weigh: () => 8 };
    const stride = type.dimension!;
    if (array.length % stride !== 0) {
      throw new CqlError("CQL_PARAMS", `column ${name} has ${array.length} numbers: expected a multiple of ${stride}, the dimension of ${type.text}`);
    }
    // Bytes alone would be taken for serialised cells.
    if (kind === "Uint8Array" || kind === "Uint8ClampedArray") throw new CqlError("CQL_PARAMS", `column ${name} is a ${kind}: expected numbers for ${type.text}, or an array with a value a row`);
    return { read: (row) => array.subarray(row * stride, (row + 1) * stride), length: array.length / stride, weigh: () => stride * width };
  }
  const { length, at } = (typeof column === "object" && column !== null ? column : {}) as Partial<Column>;
  if (Number.isSafeInteger(length) && length! >= 0 && typeof at === "function") {
    const read = (row: number): unknown => (column as Column).at(row);
    return { read, length: length!, weigh: (row) => weighValue(read(row)) };
  }
  throw new CqlError("CQL_PARAMS", `column ${name} is ${describe(column)}: expected an array, a typed array or a column of a result`);
}

function weighValue(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Array.isArray(value) ? 8 * value.length : 16;
}

export function paramColumns(prepared: PreparedMessage, columns: ParamColumnsInput): ParamColumns {
  return new ParamColumns(prepared, columns);
}
