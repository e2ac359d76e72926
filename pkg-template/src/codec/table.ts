// The table of words that `rows` gives (`src/wasm/table.rs`) → columns over one copy of the page, or over the codec's memory as it is.
import type { CqlType } from "../../types/index.js";
import { type ArrayType, Column, type Parts, VECTORS } from "./column.ts";
import { CqlError } from "./errors.ts";
import { PageBytes, newBuffer } from "./page.ts";
import type { ValueSettings } from "./value-options.ts";
import { memoryBytes, memoryWords } from "./wasm.ts";

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
/** `COLUMN_WORDS` in `src/wasm/table.rs`, where their meaning stands. */
const COLUMN_WORDS = 12;
const DURATION_PARTS: readonly CqlType[] = ["int", "int", "bigint"].map((kind) => ({ kind, text: kind, of: [] }) as CqlType);

const NO_CHILDREN: readonly Column[] = Object.freeze([]);

/**
 * Copies a page out of the codec's memory, one buffer for all of it, and makes its columns. `table`: where the words of `lay_out` in
 * `src/wasm/table.rs` begin.
 */
export function readColumns(table: number, specs: Specs, settings: ValueSettings): Column[] {
  const [words, memory] = [memoryWords(), memoryBytes()];
  const [togetherAt, size] = [words[table >>> 2]!, words[(table >>> 2) + 1]!];
  const bytes = togetherAt ? memory.slice(togetherAt, togetherAt + size) : new Uint8Array(newBuffer(size));
  return walkColumns({ words, at: (table >>> 2) + 2, page: new PageBytes(bytes), memory, base: togetherAt || -1, end: 0, settings }, specs);
}

/** The same without a copy: columns of the codec's memory as it is. Nothing may be asked of the codec while they are in use. */
export function borrowColumns(table: number, specs: Specs, settings: ValueSettings): { bytes: PageBytes; columns: Column[] } {
  const [words, memory] = [memoryWords(), memoryBytes()];
  const page = new PageBytes(memory);
  return { bytes: page, columns: walkColumns({ words, at: (table >>> 2) + 2, page, memory, base: 0, end: 0, settings }, specs) };
}

/** Of a page that has columns. */
export const pageBytes = (columns: readonly Column[]): PageBytes | undefined => columns[0]?.page;

type Specs = readonly { name: string; type: CqlType }[];

function walkColumns(walk: Walk, specs: Specs): Column[] {
  const columns = new Array<Column>(specs.length);
  for (let index = 0; index < specs.length; index++) columns[index] = readColumn(walk, specs[index]!.name, specs[index]!.type);
  return columns;
}

interface Walk {
  readonly words: Uint32Array;
  /** The next column's words. */
  at: number;
  readonly page: PageBytes;
  readonly memory: Uint8Array;
  /** The address of the page's first byte; -1 where its parts lie apart, and are put together here. */
  readonly base: number;
  /** Bytes of it that are put together. */
  end: number;
  readonly settings: ValueSettings;
}

function readColumn(walk: Walk, name: string, type: CqlType): Column {
  const { words, at } = walk;
  walk.at += COLUMN_WORDS;
  const layout = words[at]! & 0x7fff_ffff;
  const count = words[at + 3]!;
  const [array, width] = type.kind === "vector" && count === 0 ? [VECTORS[type.of[0]!.kind]!, 1] : LAYOUTS[layout]!;
  const parts: Parts = {
    page: walk.page,
    settings: walk.settings,
    array,
    layout,
    isAscii: words[at]! >>> 31 === 1,
    dataAt: place(walk, words[at + 4]!, words[at + 5]!),
    dataLength: words[at + 5]!,
    offsetsAt: place(walk, words[at + 6]!, words[at + 7]! * 4),
    offsetsLength: words[at + 7]!,
    validityAt: place(walk, words[at + 8]!, words[at + 9]!),
    validityLength: words[at + 9]!,
    oddAt: place(walk, words[at + 10]!, words[at + 11]!),
    oddLength: words[at + 11]!,
    parent: undefined,
    values: undefined,
    offsets: undefined,
    validity: undefined,
    odd: undefined,
    reader: undefined,
    strings: undefined,
  };
  let children = NO_CHILDREN;
  if (count > 0) {
    const types = type.kind === "duration" ? DURATION_PARTS : type.of;
    children = Array.from({ length: count }, (_, index) => readColumn(walk, "", types[index]!));
  }
  return new Column(name, type, words[at + 2]!, words[at + 1]! * (width || 1), parts, children);
}

/** Where in the page the bytes from `from` on are, or now go. */
function place(walk: Walk, from: number, length: number): number {
  if (length === 0) return 0;
  // What is at other places no array can be made of, and `Int32Array`s of all memory would show what stands beside it.
  if (((from - Math.max(walk.base, 0)) & 7) !== 0 && walk.base >= 0) throw new CqlError("CQL_WASM", "a page's bytes are not where numbers can be");
  if (walk.base >= 0) return from - walk.base;
  const to = walk.end;
  walk.page.bytes.set(walk.memory.subarray(from, from + length), to);
  walk.end = (to + length + 7) & ~7; // every typed array fits at a multiple of 8
  return to;
}
