// UUIDs as RFC 9562 has them: random ones (version 4), those of a time (version 1, CQL's timeuuid), and the date of one of these.
import { uuidText } from "./cell.ts";
import { CqlError } from "./errors.ts";
import { describe } from "./given.ts";

/** Version 1 counts units of 100 ns from 1582-10-15 on, in 60 bits. */
const PER_MS = 10_000n;
const PER_SECOND = 10_000_000n;
const EPOCH_MS = -12_219_292_800_000;
const LAST_MS = Number((1n << 60n) / PER_MS) + EPOCH_MS - 1;

export function uuid(): string {
  const bytes = random();
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  return uuidText(withVariant(bytes));
}

export function timeuuid(date?: Date | number): string {
  return date === undefined ? ofClock(Date.now()) : ofDate(date);
}

export function timeuuidDate(text: string): Date {
  const match = typeof text === "string" && /^([0-9a-f]{8})-([0-9a-f]{4})-1([0-9a-f]{3})-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(text);
  if (!match) {
    throw new CqlError("CQL_VALUE", `timeuuidDate has ${describe(text)} that is no UUID of version 1: expected text as d2177dd0-eaa2-11de-a572-001b779c76e3`);
  }
  return new Date(Number(BigInt(`0x${match[3]}${match[2]}${match[1]}`) / PER_MS) + EPOCH_MS);
}

/** The last UUID made: its time, and the rest of it (clock sequence and node). With one rest, no time is used twice. */
interface Last {
  time: bigint;
  rest: string;
}
const clock: Last = { time: -1n, rest: "" };
const given: Last = { time: -1n, rest: "" };

/** Each later than the one before: there are 10,000 in a millisecond, and more take from the next. */
function ofClock(ms: number): string {
  const time = timeOf(ms);
  const isSetBack = clock.time - time >= PER_SECOND;
  if (clock.rest === "" || isSetBack) Object.assign(clock, { time, rest: randomRest() });
  else clock.time = time > clock.time ? time : clock.time + 1n;
  return textOf(clock);
}

/** Of the same millisecond as the one before: the next 100 ns of it. When these are used up, or for another one: the first of a new rest. */
function ofDate(date: Date | number): string {
  const ms = typeof date === "number" ? date : msOf(date);
  if (!Number.isInteger(ms) || ms < EPOCH_MS || ms > LAST_MS) {
    throw new CqlError("CQL_VALUE", `timeuuid has ${describe(date)}: expected a Date or whole milliseconds, from 1582-10-15 to 5236-03-31`);
  }
  const time = timeOf(ms);
  const isNext = given.time >= time && given.time < time + PER_MS - 1n;
  Object.assign(given, isNext ? { time: given.time + 1n } : { time, rest: randomRest() });
  return textOf(given);
}

/** Also of another realm's Date. */
function msOf(date: Date): number {
  try {
    return Date.prototype.getTime.call(date);
  } catch {
    return NaN; // no Date
  }
}

const timeOf = (ms: number): bigint => BigInt(ms - EPOCH_MS) * PER_MS;

function textOf({ time, rest }: Last): string {
  const digits = time.toString(16).padStart(15, "0");
  return `${digits.slice(7)}-${digits.slice(3, 7)}-1${digits.slice(0, 3)}-${rest}`;
}

/** Random, with the multicast bit set, so that it is no network card's address (§5.1, §6.10). */
function randomRest(): string {
  const bytes = random();
  bytes[10]! |= 1;
  return uuidText(withVariant(bytes)).slice(19);
}

/** Random bytes are asked for by the page: one call costs as much for 4,096 bytes as for 16. Each is used once. */
const PAGE = 4096;
let page = new Uint8Array(0);
let used = 0;

function random(): Uint8Array {
  if (used === page.length) {
    page = crypto.getRandomValues(new Uint8Array(PAGE));
    used = 0;
  }
  return page.subarray(used, (used += 16));
}

function withVariant(bytes: Uint8Array): Uint8Array {
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes;
}
