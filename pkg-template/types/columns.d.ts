// Results as columns of typed arrays, and as Arrow.
import type { CqlType } from "./cql-type.js";
import type { RowsMessage } from "./responses.js";

/** Where the values of a column are: see `Column`. */
export type ColumnValues = Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;

/**
 * The cells of one column; name the kind of its values where you know it: `page.column<Float32Array>("v").values`. By type: Int8Array, Int16Array, Int32Array (also date, in days since 1970-01-01),
 * BigInt64Array (bigint, counter, timestamp in ms, time in ns), Float32Array, Float64Array; Uint8Array of 0 and 1 (boolean), of 16 a row
 * (uuid), or cut by `offsets` (text, blob, custom; varint, decimal and inet as their cells' bytes). A vector of numbers is one array, `stride` a row. The
 * slot of a null is zero.
 *
 * The others have `children`, and no `values`: of lists, sets, maps and other vectors those of all rows, cut by `offsets`; of tuples and UDTs one a
 * field, a slot a row; of durations months, days (Int32Array) and nanoseconds (BigInt64Array).
 */
export interface Column<V extends ColumnValues = ColumnValues> {
  /** As the result names it. */
  readonly name: string;
  /** Of its cells. */
  readonly type: CqlType;
  /** Rows. */
  readonly length: number;
  /** Elements of `values` a row. */
  readonly stride: number;
  /** The slots; what they hold for each type is said above. */
  readonly values: V;
  /** `length + 1` ends, in `values` or in `children`. */
  readonly offsets: Uint32Array | null;
  /** Arrow's validity bitmap: bit `i & 7` of byte `i >> 3` is 1 where row i is not null. null: no row is null. */
  readonly validity: Uint8Array | null;
  /** Of what has parts: elements; keys and values; items or fields. */
  readonly children: readonly Column[];
  /** The JavaScript value of a row. Of a numeric vector: a view into `values`, `.slice()` to keep it without its page. Throws `CQL_RANGE` for a row that is not there, as the next two do. */
  at(row: number): unknown;
  /** True for null, and where `isEmpty` is. */
  isNull(row: number): boolean;
  /** The row is null because the cell has zero bytes in a type that has no such value. */
  isEmpty(row: number): boolean;
  /** `at` of each row. */
  [Symbol.iterator](): IterableIterator<unknown>;
}

/** What `arrowStream` takes: a RESULT of rows, a page of the client. */
export type ArrowPage = Pick<RowsMessage, "columns" | "length">;

/**
 * Pages of the same columns as an Arrow IPC stream, in pieces: the schema, a record batch for each page, the end. Arrow's types for those of CQL:
 *
 * - numbers, boolean and blob their like, counter Int64, custom Binary; text and ascii Utf8; decimal, varint and inet Utf8, their text;
 * - timestamp Timestamp(ms, UTC), date Date32, time Time64(ns), duration Interval(MONTH_DAY_NANO);
 * - uuid and timeuuid FixedSizeBinary(16) with the extension name `arrow.uuid`;
 * - list and set List, vector FixedSizeList, UDT Struct, tuple Struct of fields `0`, `1`, …;
 * - map Map, or, where a key in the first page is null, a List of Struct(key, value): Arrow has no null keys.
 *
 * All fields but a Map's keys are nullable; an empty cell is null. Throws `CQL_RANGE` with `column` and `row` for text that is not UTF-8, a time beyond a day, a null
 * key in a later page than the first, and a column of 2 GiB; `CQL_COLUMN` where the columns of pages differ; `CQL_OPTION` where there is no page.
 *
 * @example
 * ```js
 * const type = "vector<float, 2>";
 * const server = new Codec({ role: "server", established: { version: 5 } });
 * const bytes = server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "v", type }], rows: [[[1, 2]], [null]] }, 0);
 * const [page] = new Codec({ established: { version: 5 } }).feed(bytes);
 * const whole = page.toArrowIPC(); // for tableFromIPC of apache-arrow
 * const chunks = [];
 * for await (const chunk of arrowStream([page])) chunks.push(chunk); // or ReadableStream.from(arrowStream(pages))
 * chunks.length; // → 3
 * whole.length === chunks.reduce((sum, chunk) => sum + chunk.length, 0); // → true
 * ```
 */
export function arrowStream(pages: Iterable<ArrowPage> | AsyncIterable<ArrowPage>): AsyncGenerator<Uint8Array, void, undefined>;
