// duration
import { CqlError } from "./errors.ts";
import { INSPECT, SECOND, bad, brand, isInt32, kindOf, noOperators, pad } from "./value-class.ts";

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

/** Weeks, or the other parts; ISO 8601-2 lets each have a sign. */
const ISO =
  /^P(?=.)(?:(-?\d+)W|(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?=.)(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+)(?:\.(\d{1,9}))?S)?)?)$/i;

/** duration: months, days and nanoseconds, which do not convert into one another; all of one sign. */
export class Duration {
  readonly months: number;
  readonly days: number;
  readonly nanoseconds: bigint;

  constructor(months: number, days: number, nanoseconds: bigint) {
    if (!isInt32(months) || !isInt32(days) || typeof nanoseconds !== "bigint" || BigInt.asIntN(64, nanoseconds) !== nanoseconds) {
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

  /** As CQL writes it: `1y2mo3d4h`, and `0s` for nothing. With signs that differ, which no server takes, ISO 8601-2's `P1M-2D`. */
  toString(): string {
    const left = { months: BigInt(this.months), days: BigInt(this.days), nanoseconds: this.nanoseconds };
    const parts = Object.values(left);
    const negative = parts.some((part) => part < 0n);
    if (negative && parts.some((part) => part > 0n)) return mixedText(this);
    let text = "";
    for (const [symbol, part, size] of UNITS) {
      if (symbol === "w") continue;
      const amount = left[part] / size;
      if (amount !== 0n) text += `${amount < 0n ? -amount : amount}${symbol}`;
      left[part] -= amount * size;
    }
    return text === "" ? "0s" : negative ? `-${text}` : text;
  }

  /** The same months, days and nanoseconds. There is no `compare`: whether 1mo is more than 30d, CQL does not say. */
  equals(other: unknown): boolean {
    if (kindOf(other) !== "Duration") return false;
    const { months, days, nanoseconds } = other as Duration;
    return this.months === months && this.days === days && this.nanoseconds === nanoseconds;
  }

  valueOf(): never {
    return noOperators("Duration", "equals, or months, days and nanoseconds");
  }

  [INSPECT](): string {
    return `Duration ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

brand(Duration, "Duration");

function mixedText({ months, days, nanoseconds }: Duration): string {
  const part = (value: number, symbol: string): string => (value ? `${value}${symbol}` : "");
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const time = size ? `T${nanoseconds < 0n ? "-" : ""}${size / SECOND}.${pad(size % SECOND, 9)}S` : "";
  return `P${part(months, "M")}${part(days, "D")}${time}`;
}

function parseDuration(text: string): Duration {
  if (typeof text !== "string") throw bad("duration", text, "1y2mo3w4d5h6m7s8ms9us10ns or P1Y2M3DT4H5M6S");
  const parts = { months: 0n, days: 0n, nanoseconds: 0n };
  const negative = text.startsWith("-");
  const body = negative ? text.slice(1) : text;
  const iso = ISO.exec(body);
  if (iso) {
    const [weeks, years, months, days, hours, minutes, seconds] = iso.slice(1, 8).map((digits) => BigInt(digits ?? 0));
    const fraction = BigInt((iso[8] ?? "").padEnd(9, "0"));
    parts.months = years! * 12n + months!;
    parts.days = weeks! * 7n + days!;
    parts.nanoseconds = ((hours! * 60n + minutes!) * 60n + seconds!) * SECOND + (iso[7]?.startsWith("-") ? -fraction : fraction);
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
