// A column: typed arrays over the page's bytes, and the JavaScript value of one cell.
import type { Column as PublicColumn, CqlType } from "../../types/index.js";
import { bigintFromBytes, decimalFromBytes, inetText, range, toDate, uuidText } from "./cell.ts";
import { Duration } from "./duration.ts";
import { CqlError } from "./errors.ts";
import { LocalDate } from "./local-date.ts";
import { LocalTime } from "./local-time.ts";
import { type PageBytes, ownBytes } from "./page.ts";
import { EXACT_VALUES, type ValueSettings } from "./value-options.ts";
import { cqlMap, cqlSet, empty, record, textMap } from "./values.ts";

type Values = Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;
export type ArrayType = { new (buffer: ArrayBuffer, offset: number, length: number): Values; readonly name: string; readonly BYTES_PER_ELEMENT: number };

/** In `spec::Layout`. */
const UUID = 7;
/** By the type of its elements. */
export const VECTORS: Record<string, ArrayType> = {
  float: Float32Array,
  double: Float64Array,
  int: Int32Array,
  bigint: BigInt64Array,
  smallint: Int16Array,
  tinyint: Int8Array,
};
/** Types of keys that come out as strings and go in as the same ones. */
const TEXT_KEYS = new Set(["ascii", "text", "uuid", "timeuuid", "inet"]);

type Reader = (index: number) => unknown;

/** What a column of a page's bytes is: the words of `src/wasm/table.rs`, addresses as places in those bytes; and what was made of them. */
export interface Parts {
  readonly page: PageBytes;
  readonly settings: ValueSettings;
  readonly array: ArrayType;
  readonly layout: number;
  readonly isAscii: boolean;
  readonly dataAt: number;
  readonly dataLength: number;
  readonly offsetsAt: number;
  readonly offsetsLength: number;
  readonly validityAt: number;
  readonly validityLength: number;
  readonly oddAt: number;
  readonly oddLength: number;
  /** The column that this one's cells are inside of. */
  parent: Column | undefined;
  // Made when first asked for: a view costs as much as reading several cells.
  values: Values | undefined;
  offsets: Uint32Array | null | undefined;
  validity: Uint8Array | null | undefined;
  odd: Uint8Array | undefined;
  reader: Reader | undefined;
  strings: string[] | undefined;
}

export class Column implements PublicColumn {
  readonly name: string;
  readonly type: CqlType;
  readonly length: number;
  readonly stride: number;
  readonly children: readonly Column[];
  readonly #parts: Parts;

  constructor(name: string, type: CqlType, length: number, stride: number, parts: Parts, children: readonly Column[]) {
    this.name = name;
    this.type = type;
    this.length = length;
    this.stride = stride;
    this.children = children;
    this.#parts = parts;
    for (const child of children) child.#parts.parent = this;
  }

  get values(): Values {
    const parts = this.#parts;
    parts.page.check();
    return (parts.values ??= new parts.array(parts.page.buffer, parts.dataAt, parts.dataLength / parts.array.BYTES_PER_ELEMENT));
  }

  get offsets(): Uint32Array | null {
    const parts = this.#parts;
    parts.page.check();
    if (parts.offsets === undefined) parts.offsets = parts.offsetsLength ? new Uint32Array(parts.page.buffer, parts.offsetsAt, parts.offsetsLength) : null;
    return parts.offsets;
  }

  get validity(): Uint8Array | null {
    const parts = this.#parts;
    parts.page.check();
    if (parts.validity === undefined) parts.validity = parts.validityLength ? new Uint8Array(parts.page.buffer, parts.validityAt, parts.validityLength) : null;
    return parts.validity;
  }

  isNull(index: number): boolean {
    this.#checkIndex(index);
    return this.#isNull(index);
  }

  #checkIndex(index: number): void {
    if (index >= 0 && index < this.length && Number.isInteger(index)) return;
    throw new CqlError("CQL_RANGE", `row ${index} of column ${JSON.stringify(this.name)}, which has ${this.length}`);
  }

  #isNull(index: number): boolean {
    const { validity } = this;
    return validity !== null && ((validity[index >> 3]! >> (index & 7)) & 1) === 0;
  }

  isEmpty(index: number): boolean {
    return this.isNull(index) && this.#isOdd(index);
  }

  #isOdd(index: number): boolean {
    const parts = this.#parts;
    parts.page.check();
    if (parts.oddLength === 0) return false;
    parts.odd ??= new Uint8Array(parts.page.buffer, parts.oddAt, parts.oddLength);
    return ((parts.odd[index >> 3]! >> (index & 7)) & 1) === 1;
  }

  /** Of text: the first cell that is not UTF-8; -1 where all are. */
  firstNotText(): number {
    if (!this.hasOdd) return -1;
    for (let index = 0; index < this.length; index++) if (this.#isOdd(index)) return index;
    return -1;
  }

  at(index: number): unknown {
    const read = this.reader();
    this.#checkIndex(index);
    return read(index);
  }

  *[Symbol.iterator](): IterableIterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  /** The same cells as values that can be written again, whatever was asked for. */
  exact(): Column {
    const parts = { ...this.#parts, settings: EXACT_VALUES, parent: undefined, reader: undefined };
    return new Column(this.name, this.type, this.length, this.stride, parts, this.children.map((child) => child.exact()));
  }

  /** What a generated function reads a cell from, by what `sourceOf` in rows.ts says of the type: an array, the page's bytes, or a function. */
  source(kind: string): unknown {
    switch (kind) {
      case "values":
      case "boolean":
        return this.values;
      case "date":
        return this.#parts.page.words;
      case "vector":
        return this.#parts.page.buffer;
      case "strings":
        return this.#allStrings();
      default:
        return this.reader();
    }
  }

  /** Of its data, for those that read the page's bytes. */
  get placeInPage(): number {
    return this.#parts.dataAt;
  }

  get page(): PageBytes {
    return this.#parts.page;
  }

  /** There are cells that are neither values nor plain nulls. */
  get hasOdd(): boolean {
    return this.#parts.oddLength !== 0;
  }

  /** Nothing where they are not to be decoded many at once. */
  #allStrings(): string[] | undefined {
    const parts = this.#parts;
    if (parts.strings || this.hasOdd || parts.settings.strings === "own") return parts.strings;
    const { page, dataAt, isAscii, layout } = parts;
    return (parts.strings = layout === UUID ? page.uuids(dataAt, this.length) : page.strings(dataAt, this.offsets!, isAscii));
  }

  /** Gives the value of any cell. What the options ask for is decided here, not cell by cell. */
  reader(): Reader {
    const parts = this.#parts;
    parts.page.check(); // one that was made before reads what is there now
    return (parts.reader ??= this.#makeReader());
  }

  #makeReader(): Reader {
    const read = this.#valueReader();
    if (this.validity === null) return read;
    if (!this.hasOdd || this.#parts.settings.empties === "null") return (i) => (this.#isNull(i) ? null : read(i));
    return (i) => (this.#isNull(i) ? (this.#isOdd(i) ? empty : null) : read(i));
  }

  /** Of a cell that is not null. */
  #valueReader(): Reader {
    const { values, offsets, stride, children } = this;
    const { page, dataAt, isAscii } = this.#parts;
    const numbers = values as Int32Array;
    const longs = values as BigInt64Array;
    const bytes = values as Uint8Array;
    const cut = (i: number) => bytes.subarray(offsets![i]!, offsets![i + 1]!);
    const [first, second] = children.map((child) => child.reader());
    const elements = (i: number) => range(offsets![i]!, offsets![i + 1]!, first!);
    switch (this.type.kind) {
      case "tinyint":
      case "smallint":
      case "int":
      case "float":
      case "double":
        return (i) => numbers[i];
      case "bigint":
      case "counter":
        return this.#longReader() ?? ((i) => longs[i]);
      case "boolean":
        return (i) => bytes[i] === 1;
      case "timestamp":
        return this.#timestampReader();
      case "date":
        return (i) => new LocalDate(numbers[i]!);
      case "time":
        return (i) => new LocalTime(longs[i]!);
      case "uuid":
      case "timeuuid":
        return (i) => uuidText(bytes, i * 16);
      case "ascii":
      case "text":
        {
          const one = (i: number) => page.text(dataAt + offsets![i]!, dataAt + offsets![i + 1]!, isAscii);
          if (this.hasOdd) return (i) => (this.#isOdd(i) ? cut(i).slice() : one(i));
          if (this.#parts.settings.strings === "own") return one;
          return (i) => this.#allStrings()![i];
        }
      case "varint":
        return (i) => bigintFromBytes(cut(i));
      case "decimal":
        return (i) => decimalFromBytes(cut(i));
      case "inet":
        return (i) => inetText(cut(i));
      case "duration": {
        const [months, days, nanoseconds] = children.map((part) => part.values) as [Int32Array, Int32Array, BigInt64Array];
        return (i) => new Duration(months[i]!, days[i]!, nanoseconds[i]!);
      }
      case "list":
        return elements;
      case "set":
        return this.#parts.settings.sets === "array" ? elements : (i) => cqlSet(elements(i) as unknown[]);
      case "map":
        return this.#mapReader(first!, second!);
      case "tuple": {
        const items = children.map((child) => child.reader());
        return (i) => items.map((item) => item(i));
      }
      case "udt": {
        const names = this.type.names!;
        const fields = children.map((child) => child.reader());
        return (i) => record(fields.map((field, index) => [names[index]!, field(i)]));
      }
      case "vector": {
        if (children.length > 0) return elements;
        const number = this.type.of[0]!.kind === "bigint" && this.#longReader();
        if (number) return (i) => range(i * stride, (i + 1) * stride, number);
        return (i) => numbers.subarray(i * stride, (i + 1) * stride);
      }
      default: // blob, custom
        return (i) => ownBytes(cut(i));
    }
  }

  /** None where a bigint stays one. */
  #longReader(): Reader | undefined {
    const longs = this.values as BigInt64Array;
    if (this.#parts.settings.int64 === "string") return (i) => String(longs[i]);
    if (this.#parts.settings.int64 === "number") return (i) => this.#safe(longs[i]!, i, 'int64: "bigint" and "string" give any');
    return undefined;
  }

  #timestampReader(): Reader {
    const longs = this.values as BigInt64Array;
    if (this.#parts.settings.timestamps === "bigint") return (i) => longs[i];
    if (this.#parts.settings.timestamps === "number") return (i) => this.#safe(longs[i]!, i, 'timestamps: "bigint" gives any');
    const { page, dataAt } = this.#parts;
    return (i) => toDate(page.words, (dataAt >> 2) + 2 * i);
  }

  #mapReader(key: Reader, value: Reader): Reader {
    const offsets = this.offsets!;
    const keys = this.type.of[0]!.kind;
    const isText = TEXT_KEYS.has(keys) || (this.#parts.settings.int64 === "string" && (keys === "bigint" || keys === "counter"));
    if (this.#parts.settings.maps === "map" || !isText) {
      const make = isText ? textMap : cqlMap;
      return (i) => make(range(offsets[i]!, offsets[i + 1]!, (j) => [key(j), value(j)] as const));
    }
    return (i) => {
      const object = Object.create(null) as Record<string, unknown>;
      for (let j = offsets[i]!; j < offsets[i + 1]!; j++) {
        const name = key(j);
        if (typeof name !== "string") throw this.unfit(i, 'a key that is not text names no property: maps: "map" gives any key');
        object[name] = value(j);
      }
      return object;
    };
  }

  /** `index` counts elements of `values`. */
  #safe(value: bigint, index: number, otherwise: string): number {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw this.unfit(Math.floor(index / this.stride), `beyond 2⁵³ a number is no longer exact: ${otherwise}`);
  }

  /** Says where in the result cell `index` of this column stands, which may be inside of others. */
  unfit(index: number, reason: string): CqlError {
    let [column, row, path]: [Column, number, string] = [this, index, ""];
    for (let parent; (parent = column.#parts.parent); column = parent) {
      const place = parent.children.indexOf(column);
      const { offsets } = parent;
      if (offsets) {
        let cell = parent.length - 1;
        while (offsets[cell]! > row) cell--;
        const entry = row - offsets[cell]!;
        path = (parent.type.kind === "map" ? `, ${place ? "value" : "key"} of entry ${entry}` : `[${entry}]`) + path;
        row = cell;
      } else {
        path = (parent.type.names ? `.${parent.type.names[place]}` : `[${place}]`) + path;
      }
    }
    const at = `row ${row} of column ${JSON.stringify(column.name)}${path}`;
    return new CqlError("CQL_RANGE", `${at}: ${reason}`, { column: column.name, row, ...(path ? { path } : {}) });
  }
}
