// date
import { CqlError } from "./errors.ts";
import { describe } from "./given.ts";
import { INSPECT, type Order, bad, brand, expectKind, isInt32, kindOf, order, pad } from "./value-class.ts";

/** date: a day of the proleptic Gregorian calendar, without a time zone. `days` counts from 1970-01-01 and has 32 bits. */
export class LocalDate {
  readonly days: number;

  constructor(days: number) {
    if (!isInt32(days)) throw new CqlError("CQL_VALUE", `a LocalDate has ${describe(days)}: expected a day number of 32 bits`);
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

  equals(other: unknown): boolean {
    return kindOf(other) === "LocalDate" && this.days === (other as LocalDate).days;
  }

  compare(other: LocalDate): Order {
    expectKind("LocalDate", other);
    return order(this.days, other.days);
  }

  /** `<` and `-` take the days; `+` and `==`, as with a Date, the text. */
  [Symbol.toPrimitive](hint: string): string | number {
    return hint === "number" ? this.days : this.toString();
  }

  [INSPECT](): string {
    return `LocalDate ${this}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

brand(LocalDate, "LocalDate");

function parseDate(text: string): LocalDate {
  if (typeof text !== "string") throw bad("date", text, "YYYY-MM-DD");
  const match = /^([+-]?\d{4,7})-(\d\d)-(\d\d)$/.exec(text);
  const [year, month, day] = match ? [Number(match[1]), Number(match[2]), Number(match[3])] : [0, 0, 0];
  const days = daysFromCivil(year, month, day);
  // Back again: refuses the 31st of a month of 30 days, and days beyond 32 bits.
  const civil = civilFromDays(days);
  if (!match || !isInt32(days) || civil[1] !== month || civil[2] !== day) throw bad("date", text, "YYYY-MM-DD");
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
