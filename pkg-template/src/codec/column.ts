// The table of words that `rows` gives → typed arrays over one copy of the page, and the JavaScript value of one cell.
import type { Column as PublicColumn, CqlType } from "../../types/index.js";
import { CqlError } from "./errors.ts";
import { CqlMap, Decimal, Duration, LocalDate, LocalTime, record } from "./values.ts";
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
/** `COLUMN_WORDS` in `src/wasm/table.rs`, where their meaning stands. */
const COLUMN_WORDS = 12;
const DURATION_PARTS: readonly CqlType[] = ["int", "int", "bigint"].map((kind) => ({ kind, text: kind, of: [] }) as CqlType);

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
  readonly #ascii: boolean;
  #reader: ((index: number) => unknown) | undefined;
  #strings: string[] | undefined;

  constructor(name: string, type: CqlType, page: ArrayBuffer, layout: WordsOfColumn, children: Column[]) {
    this.name = name;
    this.type = type;
    this.length = layout.length;
    const [array, width] = type.kind === "vector" && children.length === 0 ? [VECTORS[type.of[0]!.kind]!, 1] : LAYOUTS[layout.layout]!;
    this.stride = layout.stride * (width || 1);
    this.values = new array(page, layout.dataAt, layout.dataLength / array.BYTES_PER_ELEMENT);
    this.offsets = layout.offsetsLength ? new Uint32Array(page, layout.offsetsAt, layout.offsetsLength) : null;
    this.validity = layout.validityLength ? new Uint8Array(page, layout.validityAt, layout.validityLength) : null;
    this.#odd = layout.oddLength ? new Uint8Array(page, layout.oddAt, layout.oddLength) : null;
    this.#ascii = layout.ascii;
    this.children = children;
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

  at(index: number): unknown {
    if (!(index >= 0 && index < this.length && Number.isInteger(index))) {
      throw new CqlError("CQL_RANGE", `row ${index} of column ${JSON.stringify(this.name)}, which has ${this.length}`);
    }
    return this.isNull(index) ? null : this.reader()(index);
  }

  *[Symbol.iterator](): IterableIterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  /** Gives the value of a cell that is not null. */
  reader(): (index: number) => unknown {
    return (this.#reader ??= this.#makeReader());
  }

  #makeReader(): (index: number) => unknown {
    const { values, offsets, stride, children } = this;
    const numbers = values as Int32Array;
    const longs = values as BigInt64Array;
    const bytes = values as Uint8Array;
    const cut = (i: number) => bytes.subarray(offsets![i]!, offsets![i + 1]!);
    const child = (column: Column) => {
      const read = column.reader();
      return (i: number) => (column.isNull(i) ? null : read(i));
    };
    switch (this.type.kind) {
      case "tinyint":
      case "smallint":
      case "int":
      case "float":
      case "double":
      case "bigint":
      case "counter":
        return (i) => numbers[i];
      case "boolean":
        return (i) => bytes[i] === 1;
      case "timestamp":
        return (i) => toDate(longs[i]!);
      case "date":
        return (i) => new LocalDate(numbers[i]!);
      case "time":
        return (i) => new LocalTime(longs[i]!);
      case "uuid":
      case "timeuuid":
        return (i) => uuidText(bytes, i * 16);
      case "ascii":
      case "text":
        if (this.#ascii) return (i) => (this.#strings ??= asciiStrings(bytes, offsets!))[i];
        return (i) => (this.#isOdd(i) ? cut(i).slice() : decoder.decode(cut(i)));
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
      case "set": {
        const element = child(children[0]!);
        return (i) => range(offsets![i]!, offsets![i + 1]!, element);
      }
      case "map": {
        const key = child(children[0]!);
        const value = child(children[1]!);
        return (i) => new CqlMap(range(offsets![i]!, offsets![i + 1]!, (j) => [key(j), value(j)] as const));
      }
      case "tuple": {
        const items = children.map(child);
        return (i) => items.map((item) => item(i));
      }
      case "udt": {
        const names = this.type.names!;
        const fields = children.map(child);
        return (i) => record(fields.map((field, index) => [names[index]!, field(i)]));
      }
      case "vector": {
        if (children.length === 0) return (i) => numbers.subarray(i * stride, (i + 1) * stride);
        const element = child(children[0]!);
        return (i) => range(offsets![i]!, offsets![i + 1]!, element);
      }
      default: // blob, custom
        return (i) => cut(i).slice();
    }
  }
}

function range<T>(from: number, to: number, at: (index: number) => T): T[] {
  const list = new Array<T>(to - from);
  for (let i = from; i < to; i++) list[i - from] = at(i);
  return list;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Strings are cut from decoded blocks of at most this size, because a piece of 13 or more characters keeps its block alive. */
const BLOCK = 16_384;

function asciiStrings(bytes: Uint8Array, offsets: Uint32Array): string[] {
  const strings: string[] = [];
  const count = offsets.length - 1;
  for (let first = 0; first < count; ) {
    const start = offsets[first]!;
    let last = first + 1;
    while (last < count && offsets[last + 1]! - start <= BLOCK) last++;
    const text = decoder.decode(bytes.subarray(start, offsets[last]!));
    for (; first < last; first++) strings.push(text.substring(offsets[first]! - start, offsets[first + 1]! - start));
  }
  return strings;
}

const MAX_DATE = 8_640_000_000_000_000n;
function toDate(ms: bigint): Date | bigint {
  return ms >= -MAX_DATE && ms <= MAX_DATE ? new Date(Number(ms)) : ms;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function uuidText(b: Uint8Array, at = 0): string {
  let text = "";
  for (let i = 0; i < 16; i++) text += (i === 4 || i === 6 || i === 8 || i === 10 ? "-" : "") + HEX[b[at + i]!];
  return text;
}

/** What BigInt can hold in V8 is 2³⁰ bits. */
const MOST_BIGINT_BYTES = 1 << 27;
const DIGITS = new TextEncoder().encode("0123456789abcdef");

function bigintFromBytes(b: Uint8Array): bigint {
  if (b.length >= MOST_BIGINT_BYTES) throw new CqlError("CQL_RANGE", `a number of ${b.length} bytes is more than a BigInt can hold`);
  const hex = new Uint8Array(2 * b.length + 2).fill(0x30);
  hex[1] = 0x78; // 0x
  for (let i = 0; i < b.length; i++) {
    hex[2 * i + 2] = DIGITS[b[i]! >> 4]!;
    hex[2 * i + 3] = DIGITS[b[i]! & 15]!;
  }
  return BigInt.asIntN(b.length * 8, BigInt(b.length ? decoder.decode(hex) : 0));
}

function decimalFromBytes(b: Uint8Array): Decimal {
  return new Decimal(bigintFromBytes(b.subarray(4)), Number(bigintFromBytes(b.subarray(0, 4))));
}

function inetText(b: Uint8Array): string {
  if (b.length === 4) return b.join(".");
  const groups = range(0, 8, (i) => ((b[2 * i]! << 8) | b[2 * i + 1]!).toString(16));
  // RFC 5952 §5: an IPv4 address mapped into IPv6 keeps its own form.
  if (groups.slice(0, 6).join() === "0,0,0,0,0,ffff") return `::ffff:${b.subarray(12).join(".")}`;
  // RFC 5952 §4: the longest run of two or more zero groups, the first of equals, becomes "::".
  let [best, bestLength] = [0, 1];
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (groups[i + length] === "0") length++;
    if (length > bestLength) [best, bestLength] = [i, length];
  }
  if (bestLength === 1) return groups.join(":");
  return `${groups.slice(0, best).join(":")}::${groups.slice(best + bestLength).join(":")}`;
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
export function readColumns(table: number, specs: readonly { name: string; type: CqlType }[]): Column[] {
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
    return new Column(name, type, page, layout, children.map((child, index) => make("", types[index]!, child)));
  };
  return parsed.map((column, index) => make(specs[index]!.name, specs[index]!.type, column));
}
