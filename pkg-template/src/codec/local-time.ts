// time
import { CqlError } from "./errors.ts";
import { INSPECT, type Order, SECOND, bad, brand, expectKind, kindOf, order, pad } from "./value-class.ts";

const DAY = 86_400n * SECOND;

/** time: nanoseconds since midnight. */
export class LocalTime {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    if (typeof nanoseconds !== "bigint" || BigInt.asIntN(64, nanoseconds) !== nanoseconds) {
      throw new CqlError("CQL_VALUE", "a LocalTime is a bigint of nanoseconds, of 64 bits");
    }
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

  equals(other: unknown): boolean {
    return kindOf(other) === "LocalTime" && this.nanoseconds === (other as LocalTime).nanoseconds;
  }

  compare(other: LocalTime): Order {
    expectKind("LocalTime", other);
    return order(this.nanoseconds, other.nanoseconds);
  }

  /** `<` and `-` take the nanoseconds; `+` and `==`, as with a Date, the text. */
  [Symbol.toPrimitive](hint: string): string | bigint {
    return hint === "number" ? this.nanoseconds : this.toString();
  }

  [INSPECT](): string {
    return `LocalTime ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

brand(LocalTime, "LocalTime");

function parseTime(text: string): LocalTime {
  if (typeof text !== "string") throw bad("time", text, "hh:mm:ss.nnnnnnnnn");
  // What `toString` writes where there is no such time of day.
  const beyond = /^(-?\d{1,19})ns$/.exec(text);
  if (beyond) {
    const nanoseconds = BigInt(beyond[1]!);
    if ((nanoseconds < 0n || nanoseconds >= DAY) && BigInt.asIntN(64, nanoseconds) === nanoseconds) return new LocalTime(nanoseconds);
  }
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/.exec(text);
  const [hours, minutes, seconds] = match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : [24, 0, 0];
  if (hours > 23 || minutes > 59 || seconds > 59) throw bad("time", text, "hh:mm:ss.nnnnnnnnn");
  const fraction = BigInt((match?.[4] ?? "").padEnd(9, "0"));
  return new LocalTime(BigInt((hours * 60 + minutes) * 60 + seconds) * SECOND + fraction);
}
