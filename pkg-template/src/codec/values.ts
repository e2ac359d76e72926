// The CQL values that JavaScript has no type for: small, immutable, with exact text forms both ways.
import { CqlError } from "./errors.ts";

/** For a parameter: leave the column as it is (v4). */
export const unset: unique symbol = Symbol.for("cqlwire.unset");
/** Zero bytes in a type that has no such value of its own. */
export const empty: unique symbol = Symbol.for("cqlwire.empty");

/** How console.log shows a value, in Node.js, Deno and Bun. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");

// The texts are read by functions outside the classes: a class that names itself in its body is renamed by the bundler, and would
// print under that name.

function bad(type: string, text: string, expected: string): CqlError {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new CqlError("CQL_VALUE", `${JSON.stringify(shown)} is not a ${type}: expected ${expected}`);
}

/** decimal: `unscaled × 10^-scale`. 1.0 and 1.00 differ. */
export class Decimal {
  readonly unscaled: bigint;
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    if (typeof unscaled !== "bigint" || (scale | 0) !== scale) {
      throw new CqlError("CQL_VALUE", "a Decimal is a bigint and a scale of 32 bits");
    }
    this.unscaled = unscaled;
    this.scale = scale;
    Object.freeze(this);
  }

  /** From `12.50`, `-1E+3`, `.5`. */
  static from(text: string): Decimal {
    return parseDecimal(text);
  }

  /** As Java's BigDecimal writes it: plain where that is short, else with an exponent. Never longer than the digits and 15. */
  toString(): string {
    const negative = this.unscaled < 0n;
    const digits = (negative ? -this.unscaled : this.unscaled).toString();
    const sign = negative ? "-" : "";
    const exponent = digits.length - 1 - this.scale;
    if (this.scale >= 0 && exponent >= -6) {
      if (this.scale === 0) return sign + digits;
      const padded = digits.padStart(this.scale + 1, "0");
      return `${sign}${padded.slice(0, -this.scale)}.${padded.slice(-this.scale)}`;
    }
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${mantissa}E${exponent > 0 ? "+" : ""}${exponent}`;
  }

  [INSPECT](): string {
    return `Decimal ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/.exec(text);
  const digits = match ? (match[2] ?? "") + (match[3] ?? "") : "";
  if (!match || digits === "") throw bad("decimal", text, "digits, a point, an exponent: -12.50, 1E+3");
  const scale = (match[3] ?? "").length - Number(match[4] ?? 0);
  if ((scale | 0) !== scale) throw bad("decimal", text, "a scale of 32 bits");
  const unscaled = BigInt(digits);
  return new Decimal(match[1] === "-" ? -unscaled : unscaled, scale);
}

/** date: a day of the proleptic Gregorian calendar, without a time zone. `days` counts from 1970-01-01 and has 32 bits. */
export class LocalDate {
  readonly days: number;

  constructor(days: number) {
    if ((days | 0) !== days) throw new CqlError("CQL_VALUE", `${days} is not a day number of 32 bits`);
    this.days = days;
    Object.freeze(this);
  }

  /** From `2024-02-29`; years beyond 9999 have a sign. */
  static from(text: string): LocalDate {
    return parseDate(text);
  }

  get year(): number {
    return civilFromDays(this.days)[0];
  }
  get month(): number {
    return civilFromDays(this.days)[1];
  }
  get day(): number {
    return civilFromDays(this.days)[2];
  }

  toString(): string {
    const [year, month, day] = civilFromDays(this.days);
    const digits = String(Math.abs(year)).padStart(4, "0");
    const sign = year < 0 ? "-" : year > 9999 ? "+" : "";
    return `${sign}${digits}-${pad(month, 2)}-${pad(day, 2)}`;
  }

  [INSPECT](): string {
    return `LocalDate ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

function parseDate(text: string): LocalDate {
  const match = /^([+-]?\d{4,7})-(\d\d)-(\d\d)$/.exec(text);
  const [year, month, day] = match ? [Number(match[1]), Number(match[2]), Number(match[3])] : [0, 0, 0];
  const days = daysFromCivil(year, month, day);
  // Back again: refuses the 31st of a month of 30 days, and days beyond 32 bits.
  const civil = civilFromDays(days);
  if (!match || (days | 0) !== days || civil[1] !== month || civil[2] !== day) throw bad("date", text, "YYYY-MM-DD");
  return new LocalDate(days);
}

// Days ↔ year, month, day by counting 400-year eras from 0000-03-01, so that the leap day ends the year.
function civilFromDays(days: number): [number, number, number] {
  const fromEra = days + 719_468;
  const era = Math.floor(fromEra / 146_097);
  const dayOfEra = fromEra - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1];
}

function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

const pad = (value: number | bigint, length: number): string => String(value).padStart(length, "0");

const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;

/** time: nanoseconds since midnight. */
export class LocalTime {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    if (typeof nanoseconds !== "bigint") throw new CqlError("CQL_VALUE", "a LocalTime is a bigint of nanoseconds");
    this.nanoseconds = nanoseconds;
    Object.freeze(this);
  }

  /** From `08:12:54.123456789`; seconds and their fraction may be left out. */
  static from(text: string): LocalTime {
    return parseTime(text);
  }

  toString(): string {
    const seconds = this.nanoseconds / SECOND;
    if (this.nanoseconds < 0n || this.nanoseconds >= DAY) return `${this.nanoseconds}ns`; // servers do not check what they store
    return `${pad(seconds / 3600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}.${pad(this.nanoseconds % SECOND, 9)}`;
  }

  [INSPECT](): string {
    return `LocalTime ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

function parseTime(text: string): LocalTime {
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/.exec(text);
  const [hours, minutes, seconds] = match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : [24, 0, 0];
  if (hours > 23 || minutes > 59 || seconds > 59) throw bad("time", text, "hh:mm:ss.nnnnnnnnn");
  const fraction = BigInt((match?.[4] ?? "").padEnd(9, "0"));
  return new LocalTime(BigInt((hours * 60 + minutes) * 60 + seconds) * SECOND + fraction);
}

/** The units of a duration's text, the largest first: symbol, which part it counts in, how many of the part's own unit it is. */
const UNITS: readonly [string, "months" | "days" | "nanoseconds", bigint][] = [
  ["y", "months", 12n],
  ["mo", "months", 1n],
  ["w", "days", 7n],
  ["d", "days", 1n],
  ["h", "nanoseconds", 3600n * SECOND],
  ["m", "nanoseconds", 60n * SECOND],
  ["s", "nanoseconds", SECOND],
  ["ms", "nanoseconds", 1_000_000n],
  ["us", "nanoseconds", 1000n],
  ["ns", "nanoseconds", 1n],
];

/** duration: months, days and nanoseconds, which do not convert into one another; all of one sign. */
export class Duration {
  readonly months: number;
  readonly days: number;
  readonly nanoseconds: bigint;

  constructor(months: number, days: number, nanoseconds: bigint) {
    if ((months | 0) !== months || (days | 0) !== days || typeof nanoseconds !== "bigint" || BigInt.asIntN(64, nanoseconds) !== nanoseconds) {
      throw new CqlError("CQL_VALUE", "a Duration is months and days of 32 bits and a bigint of 64 bits");
    }
    this.months = months;
    this.days = days;
    this.nanoseconds = nanoseconds;
    Object.freeze(this);
  }

  /** From CQL's `-1y2mo3w4d5h6m7s8ms9us10ns` or ISO 8601's `P1Y2M3DT4H5M6.5S` and `P3W`. */
  static from(text: string): Duration {
    return parseDuration(text);
  }

  /** As CQL writes it: `1y2mo3d4h`, and `0s` for nothing. */
  toString(): string {
    const left = { months: BigInt(this.months), days: BigInt(this.days), nanoseconds: this.nanoseconds };
    const negative = left.months < 0n || left.days < 0n || left.nanoseconds < 0n;
    let text = "";
    for (const [symbol, part, size] of UNITS) {
      if (symbol === "w") continue;
      const amount = left[part] / size;
      if (amount !== 0n) text += `${amount < 0n ? -amount : amount}${symbol}`;
      left[part] -= amount * size;
    }
    return text === "" ? "0s" : negative ? `-${text}` : text;
  }

  [INSPECT](): string {
    return `Duration ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

function parseDuration(text: string): Duration {
  const parts = { months: 0n, days: 0n, nanoseconds: 0n };
  const negative = text.startsWith("-");
  const body = negative ? text.slice(1) : text;
  const iso = /^P(?=.)(?:(\d+)W|(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9}))?S)?)?)$/i.exec(body);
  if (iso) {
    const [weeks, years, months, days, hours, minutes, seconds] = iso.slice(1, 8).map((digits) => BigInt(digits ?? 0));
    parts.months = years! * 12n + months!;
    parts.days = weeks! * 7n + days!;
    parts.nanoseconds = ((hours! * 60n + minutes!) * 60n + seconds!) * SECOND + BigInt((iso[8] ?? "").padEnd(9, "0"));
  } else {
    let last = -1;
    for (const match of body.matchAll(/(\d+)(mo|ms|us|µs|ns|[ywdhms])|([^])/gi)) {
      const unit = match[2]?.toLowerCase().replace("µ", "u");
      const index = UNITS.findIndex(([symbol]) => symbol === unit);
      // Each unit once and in order: what Cassandra's own parser takes.
      if (index <= last) throw bad("duration", text, "1y2mo3w4d5h6m7s8ms9us10ns or P1Y2M3DT4H5M6S");
      last = index;
      parts[UNITS[index]![1]] += BigInt(match[1]!) * UNITS[index]![2];
    }
    if (last < 0) throw bad("duration", text, "1y2mo3w4d5h6m7s8ms9us10ns or P1Y2M3DT4H5M6S");
  }
  const sign = negative ? -1n : 1n;
  return new Duration(Number(parts.months * sign), Number(parts.days * sign), parts.nanoseconds * sign);
}

/** What a CQL map becomes. JSON: pairs. */
export class CqlMap<K, V> extends Map<K, V> {
  toJSON(): unknown {
    return [...this];
  }
}

/** What a CQL map with text for keys becomes. JSON: an object, or pairs where a key is no text all the same (null, or not UTF-8). */
export class TextMap<K, V> extends CqlMap<K, V> {
  override toJSON(): unknown {
    const pairs = [...this];
    return pairs.every(([key]) => typeof key === "string") ? record(pairs as [string, V][]) : pairs;
  }
}

/** What a CQL set becomes where Sets are asked for. JSON: an array. */
export class CqlSet<T> extends Set<T> {
  toJSON(): T[] {
    return [...this];
  }
}

/** An object with these own properties, also one called `__proto__`. */
export function record<T>(pairs: Iterable<[string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of pairs) {
    if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  }
  return object;
}
