// decimal
import { CqlError } from "./errors.ts";
import { INSPECT, type Order, bad, brand, expectKind, isInt32, kindOf, noOperators, order } from "./value-class.ts";

/** decimal: `unscaled × 10^-scale`. 1.0 and 1.00 differ. */
export class Decimal {
  readonly unscaled: bigint;
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    if (typeof unscaled !== "bigint" || !isInt32(scale)) {
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
    const digits = digitsOf(this);
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

  /** The same unscaled value and scale, as Java's BigDecimal has it: 1.0 is not 1.00. */
  equals(other: unknown): boolean {
    return kindOf(other) === "Decimal" && this.unscaled === (other as Decimal).unscaled && this.scale === (other as Decimal).scale;
  }

  /** By their numbers: 1.0 and 1.00 are 0. */
  compare(other: Decimal): Order {
    expectKind("Decimal", other);
    return compareDecimals(this, other);
  }

  valueOf(): never {
    return noOperators("Decimal", "compare and equals");
  }

  [INSPECT](): string {
    return `Decimal ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

brand(Decimal, "Decimal");

/** No power of ten is made: a scale may be as large as two thousand million. */
function compareDecimals(a: Decimal, b: Decimal): Order {
  if (a.scale === b.scale) return order(a.unscaled, b.unscaled);
  const sign = order(a.unscaled, 0n);
  if (sign !== order(b.unscaled, 0n) || sign === 0) return order(sign, order(b.unscaled, 0n));
  const [x, y] = [digitsOf(a), digitsOf(b)];
  // The place of the first digit tells, else the digits.
  const length = Math.max(x.length, y.length);
  const magnitude = order(x.length - a.scale, y.length - b.scale) || order(x.padEnd(length, "0"), y.padEnd(length, "0"));
  return order(magnitude * sign, 0);
}

const digitsOf = ({ unscaled }: Decimal): string => (unscaled < 0n ? -unscaled : unscaled).toString();

function parseDecimal(text: string): Decimal {
  if (typeof text !== "string") throw bad("decimal", text, "digits, a point, an exponent: -12.50, 1E+3");
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/.exec(text);
  const digits = match ? (match[2] ?? "") + (match[3] ?? "") : "";
  if (!match || digits === "") throw bad("decimal", text, "digits, a point, an exponent: -12.50, 1E+3");
  const scale = (match[3] ?? "").length - Number(match[4] ?? 0);
  if (!isInt32(scale)) throw bad("decimal", text, "a scale of 32 bits");
  const unscaled = BigInt(digits);
  return new Decimal(match[1] === "-" ? -unscaled : unscaled, scale);
}
