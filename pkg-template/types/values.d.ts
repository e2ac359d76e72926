// Values on their own: what CQL has and JavaScript has not.
import type { ValueOptions } from "./codec.js";
import type { Column } from "./columns.js";
import type { CqlType, CqlTypeInput } from "./cql-type.js";
import type { PreparedMessage } from "./responses.js";

/**
 * Reads `map<text, frozen<list<int>>>`. A UDT has no text that says its fields: use the `type` object of a column. Throws `CQL_TYPE`.
 *
 * @example
 * ```js
 * const type = parseType("map<text, frozen<list<int>>>");
 * type.kind; // → 'map'
 * type.text; // → 'map<text, list<int>>'
 * type.of[1].of[0].kind; // → 'int'
 * parseType("map<text>"); // → throws CQL_TYPE
 * ```
 */
export function parseType(text: string): CqlType;

/**
 * The bytes of one cell; null for null. Throws `CQL_ENCODE`.
 *
 * @example
 * ```js
 * encodeValue("int", 7); // → Uint8Array(4) [ 0, 0, 0, 7 ]
 * encodeValue("list<text>", ["a"]); // → Uint8Array(9) [ 0, 0, 0, 1, 0, 0, 0, 1, 97 ]
 * encodeValue("int", null); // → null
 * encodeValue("tinyint", 128); // → throws CQL_ENCODE
 * ```
 */
export function encodeValue(type: CqlTypeInput, value: unknown, options?: ValueOptions): Uint8Array | null;

/**
 * What one cell means; `empty` for zero bytes in a type that has no such value. Throws `CQL_DECODE`.
 *
 * @example
 * ```js
 * decodeValue("vector<float, 2>", Uint8Array.of(63, 128, 0, 0, 64, 0, 0, 0)); // → Float32Array(2) [ 1, 2 ]
 * decodeValue("bigint", Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7)); // → 7n
 * decodeValue("bigint", Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7), { int64: "number" }); // → 7
 * decodeValue("int", Uint8Array.of(1)); // → throws CQL_DECODE
 * ```
 */
export function decodeValue(type: CqlTypeInput, bytes: Uint8Array | null, options?: ValueOptions): unknown;

/**
 * Parameters as columns, by the names of the bind markers. Each is an array with one value a row (what goes in as a single parameter: also null, `unset`, an
 * array or typed array for a vector, a `Uint8Array` as a ready cell), a typed array of numbers (for a vector, as many as its dimension a row; it has no
 * nulls), or a column of a result, with its nulls. All have the same number of rows.
 */
export type ParamColumnsInput = Readonly<Record<string, readonly unknown[] | TypedArray | Column>>;

/** Numbers, also those of a `Uint8Array`, which is no cell here. A vector takes one of the kind that it comes out as, or of other numbers, but no `Uint8Array`. */
export type TypedArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;

/** Columns of parameters that fit a statement, for EXECUTE and BATCH. They are read when a message is written; the arrays must not change before. */
export interface ParamColumns {
  /** Of whose markers they are. */
  readonly prepared: PreparedMessage;
  /** Rows. */
  readonly length: number;
}

/**
 * Parameters of a prepared statement as columns, so that many rows are written without an object for each. Throws `CQL_PARAMS` where a column is missing,
 * unknown or of another length.
 *
 * @example
 * ```js
 * const codec = new Codec({ established: { version: 4 } });
 * const server = new Codec({ role: "server", established: { version: 4 } });
 * const bind = [{ name: "id", type: "int" }, { name: "v", type: "vector<float, 2>" }];
 * const [prepared] = codec.feed(server.encode({ opcode: "RESULT", kind: "Prepared", id: Uint8Array.of(1), bind }, 1));
 *
 * const columns = paramColumns(prepared, { id: Int32Array.of(1, 2, 3), v: Float32Array.of(0, 1, 2, 3, 4, 5) });
 * columns.length; // → 3
 * codec.encode({ opcode: "EXECUTE", prepared, columns, row: 2 }, 1); // id 3, v [4, 5]
 * codec.encode({ opcode: "BATCH", statements: [{ prepared, columns, from: 0, to: 2 }] }, 2); // two statements
 * ```
 */
export function paramColumns(prepared: PreparedMessage, columns: ParamColumnsInput): ParamColumns;

/**
 * For a parameter: leave the column as it is (v4).
 *
 * @example
 * ```js
 * const codec = new Codec({ established: { version: 4 } });
 * const id = Uint8Array.of(1);
 * codec.encode({ opcode: "EXECUTE", id, params: [7, unset], types: ["int", "text"] }, 1).length; // → 29
 * ```
 */
export const unset: unique symbol;

/**
 * Zero bytes in a type that has no such value of its own.
 *
 * @example
 * ```js
 * decodeValue("int", new Uint8Array(0)) === empty; // → true
 * encodeValue("int", empty); // → Uint8Array(0) []
 * ```
 */
export const empty: unique symbol;

/**
 * A random UUID (version 4).
 *
 * @example
 * ```js
 * uuid().length; // → 36
 * ```
 */
export function uuid(): string;

/**
 * A UUID of a time (version 1), for a timeuuid column. Without a date: of now, each later than the one before (unless the clock is set
 * back by a second or more). With a Date or milliseconds since 1970: of that millisecond; the first 10,000 in a row for one are in order, all
 * are distinct. Node and clock sequence are random. Throws `CQL_VALUE` outside 1582-10-15 to 5236-03-31.
 *
 * @example
 * ```js
 * const id = timeuuid(new Date("2024-02-29T12:00:00Z"));
 * timeuuidDate(id); // → 2024-02-29T12:00:00.000Z
   * ```
 */
export function timeuuid(date?: Date | number): string;

/**
 * When a UUID of version 1 was made, as CQL's `toTimestamp` gives it. Throws `CQL_VALUE` for a UUID of another version.
 *
 * @example
 * ```js
 * timeuuidDate("13814000-1dd2-11b2-8080-808080808080"); // → 1970-01-01T00:00:00.000Z
 * timeuuidDate(uuid()); // → throws CQL_VALUE
 * ```
 */
export function timeuuidDate(timeuuid: string): Date;

/**
 * decimal: `unscaled × 10^-scale`, exact. 1.0 and 1.00 differ in scale. Operators (`<`, `+`) throw `CQL_VALUE`, `==` compares objects: as text they would be
 * wrong, as numbers no longer exact.
 *
 * @example
 * ```js
 * const price = Decimal.from("12.50");
 * price.unscaled; // → 1250n
 * price.scale; // → 2
 * price.toString(); // → '12.50'
 * price.compare(Decimal.from("12.5")); // → 0
 * price.equals(Decimal.from("12.5")); // → false
 * JSON.stringify({ price }); // → '{"price":"12.50"}'
 * price < Decimal.from("13"); // → throws CQL_VALUE
 * ```
 */
export class Decimal {
  /** Throws `CQL_VALUE` for a scale of more than 32 bits. */
  constructor(unscaled: bigint, scale: number);
  /** From `12.50`, `-1E+3`, `.5`. Throws `CQL_VALUE`. */
  static from(text: string): Decimal;
  /** All its digits, and the sign. */
  readonly unscaled: bigint;
  /** How many of them stand behind the point; negative: zeros that follow. */
  readonly scale: number;
  /** The same scale and number, as BigDecimal's `equals`: 1.0 is not 1.00. False for what is no Decimal. */
  equals(other: unknown): boolean;
  /** By the number alone, as BigDecimal's `compareTo`: 1.0 and 1.00 give 0. Quick for any scale. Throws `CQL_VALUE` for what is no Decimal. */
  compare(other: Decimal): -1 | 0 | 1;
  /** As BigDecimal writes it; never longer than the digits and 15. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Throws `CQL_VALUE`. */
  valueOf(): never;
}

/**
 * date: a day without a time zone, from -5877641-06-23 to +5881580-07-11. `<`, `>` and `-` work, by `days`.
 *
 * @example
 * ```js
 * const day = LocalDate.from("2024-02-29");
 * day.days; // → 19782
 * day.month; // → 2
 * day < LocalDate.from("2024-03-01"); // → true
 * `${day}`; // → '2024-02-29'
 * LocalDate.from("2023-02-29"); // → throws CQL_VALUE
 * ```
 */
export class LocalDate {
  /** Since 1970-01-01. */
  constructor(days: number);
  /** From `2024-02-29`; years beyond 9999 have a sign. Throws `CQL_VALUE`. */
  static from(text: string): LocalDate;
  /** Since 1970-01-01. */
  readonly days: number;
  /** Astronomical: 0 is 1 BC. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** Of the month, 1 to 31. */
  readonly day: number;
  /** False for what is no LocalDate. */
  equals(other: unknown): boolean;
  /** Throws `CQL_VALUE` for what is no LocalDate. */
  compare(other: LocalDate): -1 | 0 | 1;
  /** `2024-02-29`, as CQL writes it. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Text where text is wanted, else `days`. */
  [Symbol.toPrimitive](hint: string): string | number;
}

/**
 * time: nanoseconds since midnight. `<`, `>` and `-` work, by `nanoseconds`.
 *
 * @example
 * ```js
 * const time = LocalTime.from("08:12:54.5");
 * time.nanoseconds; // → 29574500000000n
 * time.toString(); // → '08:12:54.500000000'
 * ```
 */
export class LocalTime {
  /** Throws `CQL_VALUE` for more than 64 bits. What is not within a day can be read, not written. */
  constructor(nanoseconds: bigint);
  /** From `08:12:54.123456789`; seconds and their fraction may be left out. Throws `CQL_VALUE`. */
  static from(text: string): LocalTime;
  /** Since midnight. */
  readonly nanoseconds: bigint;
  /** False for what is no LocalTime. */
  equals(other: unknown): boolean;
  /** Throws `CQL_VALUE` for what is no LocalTime. */
  compare(other: LocalTime): -1 | 0 | 1;
  /** `08:12:54.123456789`, as CQL writes it. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Text where text is wanted, else `nanoseconds`. */
  [Symbol.toPrimitive](hint: string): string | bigint;
}

/**
 * duration: three numbers that do not convert into one another, all of one sign. So durations have no order (is 1mo more than 30d?), there is no
 * `compare`, and operators throw `CQL_VALUE`.
 *
 * @example
 * ```js
 * const duration = Duration.from("1y2mo3d4h");
 * duration.months; // → 14
 * duration.nanoseconds; // → 14400000000000n
 * Duration.from("P1Y2M3DT4H").equals(duration); // → true
 * ```
 */
export class Duration {
  /** Throws `CQL_VALUE` for months or days of more than 32 bits, nanoseconds of more than 64. */
  constructor(months: number, days: number, nanoseconds: bigint);
  /** From CQL's `1y2mo3w4d5h6m7s8ms9us10ns` or ISO 8601's `P1Y2M3DT4H5M6.5S` and `P3W`. Throws `CQL_VALUE`. */
  static from(text: string): Duration;
  /** Of 32 bits. */
  readonly months: number;
  /** Of 32 bits. */
  readonly days: number;
  /** Of 64 bits. */
  readonly nanoseconds: bigint;
  /** The same three numbers: 1d is not 24h. False for what is no Duration. */
  equals(other: unknown): boolean;
  /** `1y2mo3d4h`, as CQL writes it; a part that is 0 is left out. */
  toString(): string;
  /** `toString()`. */
  toJSON(): string;
  /** Throws `CQL_VALUE`. */
  valueOf(): never;
}
