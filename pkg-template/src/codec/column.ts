// The table of words that `rows` gives → typed arrays over one copy of the page, and the JavaScript value of one cell.
import type { Column as PublicColumn, CqlType } from "../../types/index.js";
import { asciiStrings, bigintFromBytes, decimalFromBytes, decoder, inetText, range, toDate, uuidText } from "./cell.ts";
import { Duration } from "./duration.ts";
import { CqlError } from "./errors.ts";
import { LocalDate } from "./local-date.ts";
import { LocalTime } from "./local-time.ts";
import { EXACT_VALUES, type ValueSettings } from "./value-options.ts";
import { cqlMap, cqlSet, empty, record, textMap } from "./values.ts";
import { memoryBytes, memoryWords } from "./wasm.ts";

type Values = Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;
type ArrayType = { new (buffer: ArrayBuffer, offset: number, length: number): Values; readonly BYTES_PER_ELEMENT: number };

/** By `spec::Layout`: the array that `values` is, and how many of its elements a row of stride 1 takes. */
const LAYOUTS: readonly (readonly [ArrayType, number])[] = [
  [Int8Array, 1], // Int8
  [Int16Array, 1], // Int16
  [Int32Array, 1], // Int32
  [BigInt64Array, 1], // Int64
  [Float32Array, 1], // Float32
  [Float64Array, 1], // Float64
  [Uint8Array, 1], // Bool
  [Uint8Array, 16], // Uuid
  [Int32Array, 1], // Date
  [Uint8Array, 1], // Text
  [Uint8Array, 1], // Bytes
  [Uint8Array, 0], // Duration
  [Uint8Array, 0], // List
  [Uint8Array, 0], // Map
  [Uint8Array, 0], // Struct
  [Uint8Array, 1], // Vector: the element's, below
];
const VECTORS: Record<string, ArrayType> = {
  float: Float32Array,
  double: Float64Array,
  int: Int32Array,
  bigint: BigInt64Array,
  smallint: Int16Array,
  tinyint: Int8Array,
};
/** Types of keys that come out as strings and go in as the same ones. */
const TEXT_KEYS = new Set(["ascii", "text", "uuid", "timeuuid", "inet"]);
/** `COLUMN_WORDS` in `src/wasm/table.rs`, where their meaning stands. */
const COLUMN_WORDS = 12;
const DURATION_PARTS: readonly CqlType[] = ["int", "int", "bigint"].map((kind) => ({ kind, text: kind, of: [] }) as CqlType);

type Reader = (index: number) => unknown;

export class Column implements PublicColumn {
  readonly name: string;
  readonly type: CqlType;
  readonly length: number;
  readonly stride: number;
  readonly values: Values;
  readonly offsets: Uint32Array | null;
  readonly validity: Uint8Array | null;
  readonly children: readonly Column[];
  readonly #odd: Uint8Array | null;
  readonly #layout: WordsOfColumn;
  readonly #settings: ValueSettings;
  /** The column that this one's cells are inside of. */
  #parent: Column | undefined;
  #reader: Reader | undefined;
  #strings: string[] | undefined;

  constructor(name: string, type: CqlType, page: ArrayBuffer, layout: WordsOfColumn, children: Column[], settings: ValueSettings) {
    this.name = name;
    this.type = type;
    this.length = layout.length;
    const [array, width] = type.kind === "vector" && children.length === 0 ? [VECTORS[type.of[0]!.kind]!, 1] : LAYOUTS[layout.layout]!;
    this.stride = layout.stride * (width || 1);
    this.values = new array(page, layout.dataAt, layout.dataLength / array.BYTES_PER_ELEMENT);
    this.offsets = layout.offsetsLength ? new Uint32Array(page, layout.offsetsAt, layout.offsetsLength) : null;
    this.validity = layout.validityLength ? new Uint8Array(page, layout.validityAt, layout.validityLength) : null;
    this.#odd = layout.oddLength ? new Uint8Array(page, layout.oddAt, layout.oddLength) : null;
    this.#layout = layout;
    this.#settings = settings;
    this.children = children;
    for (const child of children) child.#parent = this;
  }

  isNull(index: number): boolean {
    return this.validity !== null && ((this.validity[index >> 3]! >> (index & 7)) & 1) === 0;
  }

  isEmpty(index: number): boolean {
    return this.isNull(index) && this.#isOdd(index);
  }

  #isOdd(index: number): boolean {
    return this.#odd !== null && ((this.#odd[index >> 3]! >> (index & 7)) & 1) === 1;
  }

  /** Of text: the first cell that is not UTF-8; -1 where all are. */
  firstNotText(): number {
    if (this.#odd === null) return -1;
    for (let index = 0; index < this.length; index++) if (this.#isOdd(index)) return index;
    return -1;
  }

  at(index: number): unknown {
    if (!(index >= 0 && index < this.length && Number.isInteger(index))) {
      throw new CqlError("CQL_RANGE", `row ${index} of column ${JSON.stringify(this.name)}, which has ${this.length}`);
    }
    return this.reader()(index);
  }

  *[Symbol.iterator](): IterableIterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  /** The same cells as values that can be written again, whatever was asked for. */
  exact(): Column {
    const children = this.children.map((child) => child.exact());
    return new Column(this.name, this.type, this.values.buffer as ArrayBuffer, this.#layout, children, EXACT_VALUES);
  }

  /** Gives the value of any cell. What the options ask for is decided here, not cell by cell. */
  reader(): Reader {
    return (this.#reader ??= this.#makeReader());
  }

  #makeReader(): Reader {
    const read = this.#valueReader();
    if (this.validity === null) return read;
    if (this.#odd === null || this.#settings.empties === "null") return (i) => (this.isNull(i) ? null : read(i));
    return (i) => (this.isNull(i) ? (this.#isOdd(i) ? empty : null) : read(i));
  }

  /** Of a cell that is not null. */
  #valueReader(): Reader {
    const { values, offsets, stride, children } = this;
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
        if (!this.#layout.ascii) return (i) => (this.#isOdd(i) ? cut(i).slice() : decoder.decode(cut(i)));
        if (this.#settings.strings === "own") return (i) => decoder.decode(cut(i));
        return (i) => (this.#strings ??= asciiStrings(bytes, offsets!))[i];
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
        return this.#settings.sets === "array" ? elements : (i) => cqlSet(elements(i) as unknown[]);
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
        return (i) => cut(i).slice();
    }
  }

  /** None where a bigint stays one. */
  #longReader(): Reader | undefined {
    const longs = this.values as BigInt64Array;
    if (this.#settings.int64 === "string") return (i) => String(longs[i]);
    if (this.#settings.int64 === "number") return (i) => this.#safe(longs[i]!, i, 'int64: "bigint" and "string" give any');
    return undefined;
  }

  #timestampReader(): Reader {
    const longs = this.values as BigInt64Array;
    if (this.#settings.timestamps === "bigint") return (i) => longs[i];
    if (this.#settings.timestamps === "number") return (i) => this.#safe(longs[i]!, i, 'timestamps: "bigint" gives any');
    return (i) => toDate(longs[i]!);
  }

  #mapReader(key: Reader, value: Reader): Reader {
    const offsets = this.offsets!;
    const keys = this.type.of[0]!.kind;
    const isText = TEXT_KEYS.has(keys) || (this.#settings.int64 === "string" && (keys === "bigint" || keys === "counter"));
    if (this.#settings.maps === "map" || !isText) {
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
    for (let parent; (parent = column.#parent); column = parent) {
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

/** One column's words, its addresses already those in the copied page. */
interface WordsOfColumn {
  layout: number;
  ascii: boolean;
  stride: number;
  length: number;
  dataAt: number;
  dataLength: number;
  offsetsAt: number;
  offsetsLength: number;
  validityAt: number;
  validityLength: number;
  oddAt: number;
  oddLength: number;
}

interface Parsed {
  layout: WordsOfColumn;
  children: Parsed[];
}

/** Copies a page out of the codec's memory, one buffer for all of it, and makes its columns. */
export function readColumns(table: number, specs: readonly { name: string; type: CqlType }[], settings: ValueSettings): Column[] {
  const words = memoryWords();
  const memory = memoryBytes();
  const copies: [from: number, length: number, to: number][] = [];
  let size = 0;
  const place = (from: number, length: number): number => {
    const to = size;
    if (length > 0) copies.push([from, length, to]);
    size = (size + length + 7) & ~7; // every typed array fits at a multiple of 8
    return to;
  };
  let at = table >>> 2;
  const parse = (): Parsed => {
    const w = words.subarray(at, at + COLUMN_WORDS);
    at += COLUMN_WORDS;
    const [data, offsets, validity, odd] = [place(w[4]!, w[5]!), place(w[6]!, w[7]! * 4), place(w[8]!, w[9]!), place(w[10]!, w[11]!)];
    const layout: WordsOfColumn = {
      layout: w[0]! & 0x7fff_ffff,
      ascii: w[0]! >>> 31 === 1,
      stride: w[1]!,
      length: w[2]!,
      dataAt: data,
      dataLength: w[5]!,
      offsetsAt: offsets,
      offsetsLength: w[7]!,
      validityAt: validity,
      validityLength: w[9]!,
      oddAt: odd,
      oddLength: w[11]!,
    };
    return { layout, children: Array.from({ length: w[3]! }, parse) };
  };
  const parsed = specs.map(parse);
  const page = new ArrayBuffer(size);
  const out = new Uint8Array(page);
  for (const [from, length, to] of copies) out.set(memory.subarray(from, from + length), to);
  const make = (name: string, type: CqlType, { layout, children }: Parsed): Column => {
    const types = type.kind === "duration" ? DURATION_PARTS : type.of;
    const parts = children.map((child, index) => make("", types[index]!, child));
    return new Column(name, type, page, layout, parts, settings);
  };
  return parsed.map((column, index) => make(specs[index]!.name, specs[index]!.type, column));
}
