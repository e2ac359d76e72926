// JavaScript values → steps: the *kind* of a value picks the step, Rust writes the bytes by the column's *type* and refuses what does not
// fit. Strings and bytes are copied as they are; what a step cannot hold has a call of its own.
import type { Conn } from "#glue";
import type { CqlType } from "../../types/index.js";
import { blockOf, blockStep } from "./block.ts";
import { Decimal } from "./decimal.ts";
import { Duration } from "./duration.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { arrayBytes, arrayKind, describe, isPlain, isWellFormed, plainBytes, tag } from "./given.ts";
import { LocalDate } from "./local-date.ts";
import { LocalTime } from "./local-time.ts";
import { STEP, type Steps, Surrogate, withSteps } from "./steps.ts";
import { kindOf } from "./value-class.ts";
import type { ValueSettings } from "./value-options.ts";
import { empty, unset } from "./values.ts";
import { isTrap } from "./wasm.ts";

/** What each type takes, for errors; the README's table says the same. */
const EXPECTED: Record<string, string> = {
  ascii: "a string of ASCII",
  text: "a string",
  tinyint: "a whole number from -128 to 127",
  smallint: "a whole number from -32768 to 32767",
  int: "a whole number from -2147483648 to 2147483647",
  bigint: "a BigInt of 64 bits, a safe integer, or decimal digits",
  counter: "a BigInt of 64 bits, a safe integer, or decimal digits",
  varint: "a BigInt, a safe integer, or decimal digits",
  decimal: "a Decimal, or text as -12.50 or 1E+3",
  float: "a number in the range of a float",
  double: "a number",
  boolean: "true or false",
  blob: "a Uint8Array, ArrayBuffer or DataView (of other arrays the byte order is unknown)",
  timestamp: "a Date, whole milliseconds, or ISO 8601 text (a time with Z or an offset)",
  date: "a LocalDate, text as YYYY-MM-DD, or a Date at midnight UTC (another Date is a point in time, not a day)",
  time: "a LocalTime within a day, or text as hh:mm:ss.nnnnnnnnn",
  duration: "a Duration of one sign, or text as 1y2mo3d4h or P1Y2M3DT4H",
  uuid: "text as 00010203-0405-0607-0809-0a0b0c0d0e0f, or 16 bytes",
  timeuuid: "text as 00010203-0405-0607-0809-0a0b0c0d0e0f, or 16 bytes",
  inet: "text as 127.0.0.1 or ::1, or 4 or 16 bytes",
  list: "an array or another iterable",
  set: "a Set, an array or another iterable",
  map: "a Map, an object, or pairs of key and value",
  tuple: "an array with at most as many items as the type has",
  udt: "an object or a Map with the fields by name",
  vector: "as many numbers as the type has, in an array or typed array",
  custom: "a Uint8Array",
};

class Refused extends Error {}
/** What the caller's own code threw while a value was read: kept apart, since it may be the trap of another WebAssembly module. */
class Unreadable extends Error {}
function read<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof Refused || cause instanceof CqlError ? cause : new Unreadable("", { cause });
  }
}

const refuse = (reason: string): never => {
  throw new Refused(reason);
};
/** Without a reason of its own: what the type takes. */
const unfit = (): never => refuse("");

/** Lends room for the values of one message, and hands over what is left in it. What is wrong with a value is said before what is wrong behind it. */
export function withValues<T>(conn: Conn, undefinedAs: ValueSettings["undefinedAs"], work: (steps: Steps) => T): T {
  return withSteps(conn, undefinedAs, (steps) => {
    try {
      const result = work(steps);
      steps.run();
      return result;
    } catch (error) {
      const isOfValue = error instanceof Surrogate || (steps.isCalling && !(error instanceof CqlError));
      throw isOfValue ? failure(steps, error) : earliest(steps, error);
    }
  });
}

/** What Rust refuses of the values that are noted, else `error`. */
function earliest(steps: Steps, error: unknown): unknown {
  if (steps.isCalling) return error; // it is of those
  try {
    steps.run();
    return error;
  } catch (earlier) {
    return failure(steps, earlier);
  }
}

/** Writes one parameter or cell, of this column. Throws `CqlError` with code `CQL_ENCODE`; the caller takes the message back. */
export function bind(steps: Steps, column: number, value: unknown, isBegun = false): void {
  try {
    steps.parameter(column, isBegun);
    put(steps, steps.specs[column]!.type, value, true);
  } catch (error) {
    throw failure(steps, error);
  }
}

/** Hands over what is noted, whose error may be of any value so far. */
export function finish(steps: Steps): void {
  try {
    steps.run();
  } catch (error) {
    throw failure(steps, error);
  }
}

/** Says which value of which parameter cannot be written, and why. */
function failure(steps: Steps, error: unknown): unknown {
  if (error instanceof CqlError || (steps.isCalling && isTrap(error))) return error;
  if (!isWasmError(error) && !(error instanceof Surrogate)) {
    // Refused here: what Rust refuses of the values before it comes first.
    const { current } = steps;
    const first = earliest(steps, error);
    if (first !== error) return first;
    steps.current = current;
  }
  const place = (error instanceof Surrogate && error.place) || steps.failed();
  if (!place) return error;
  const { group, column, value } = place;
  const [type, path] = locate(steps.specs[column]!.type, steps.conn.place());
  const at = `${steps.where(group, column)}${path}: ${shownKind(value)} for ${type.text}: `;
  const fields = { type: type.text, ...(path ? { path } : {}) };
  const expected = `expected ${EXPECTED[type.kind]}`;
  if (error instanceof Refused || error instanceof Surrogate) return new CqlError("CQL_ENCODE", at + (error.message || expected), fields);
  // What a getter, an iterator or a detached buffer throws when it is read.
  if (!isWasmError(error)) return new CqlError("CQL_ENCODE", `${at}cannot be read`, { ...fields, cause: error instanceof Unreadable ? error.cause : error });
  const { kind, what, meaning } = error;
  // Where the next text begins with its other half, the two are one character, and only Rust sees that it is of two texts.
  if (typeof value === "string" && !isWellFormed(value)) return new CqlError("CQL_ENCODE", at + new Surrogate().message, fields);
  const isOfType = ["WrongKind", "OutOfRange", "BadText", "WrongCount"].includes(kind);
  const isNull = value === null || value === unset || value === undefined;
  return new CqlError("CQL_ENCODE", at + (isOfType && !isNull ? expected : `${what} ${meaning}`), { ...fields, kind, what });
}

/** The type of the value at this place in a parameter, and the place as text. */
function locate(type: CqlType, place: Iterable<number>): [CqlType, string] {
  let path = "";
  for (const index of place) {
    const { kind, of, names } = type;
    if (kind === "map") path += `, ${index & 1 ? "value" : "key"} of entry ${index >> 1}`;
    else path += names ? `.${names[index]}` : `[${index}]`;
    type = (kind === "map" ? of[index & 1] : kind === "tuple" || kind === "udt" ? of[index] : of[0]) ?? type;
  }
  return [type, path];
}

/** Never the value itself, which may be a secret. */
const shownKind = (value: unknown): string => (typeof value === "object" ? describe(value) : typeof value === "symbol" ? value.toString() : typeof value);

/** A text form, read by its class: what is wrong with it is said without the text. */
function fromText<T>(read: (text: string) => T, text: string): T {
  try {
    return read(text);
  } catch {
    return unfit();
  }
}

function put(steps: Steps, type: CqlType, value: unknown, whole: boolean): void {
  steps.current = value;
  switch (typeof value) {
    case "number":
      return steps.number(value);
    case "string":
      return putString(steps, type, value);
    case "boolean":
      return steps.put(STEP.boolean, value ? 1 : 0);
    case "bigint":
      return putBigInt(steps, value);
    case "symbol":
      if (value === unset) return steps.put(STEP.unset);
      if (value === empty) return steps.put(STEP.empty);
      break;
    case "object":
      return value === null ? steps.put(STEP.null) : putObject(steps, type, value, whole);
    case "undefined":
      if (steps.undefinedAs === "null") return steps.put(STEP.null);
      if (steps.undefinedAs === "unset") return steps.put(STEP.unset);
      refuse("undefined is not a value: use null, or unset to leave the column as it is");
  }
  refuse("this kind of value has no CQL form");
}

function putBigInt(steps: Steps, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) steps.int64(value);
  else steps.direct((conn) => conn.hex_integer(value < 0n, hex(value)));
}

const hex = (value: bigint): string => (value < 0n ? -value : value).toString(16);

/** Text of text types, and the text forms of the others. */
function putString(steps: Steps, type: CqlType, value: string): void {
  switch (type.kind) {
    case "bigint":
    case "counter":
    case "varint":
      if (!/^[+-]?\d+$/.test(value)) unfit();
      return putBigInt(steps, BigInt(value));
    case "decimal":
      return putObject(steps, type, fromText(Decimal.from, value), false);
    case "date":
      return steps.put(STEP.days, fromText(LocalDate.from, value).days);
    case "time":
      return steps.int64(fromText(LocalTime.from, value).nanoseconds, STEP.nanoseconds);
    case "duration":
      return putObject(steps, type, fromText(Duration.from, value), false);
    case "timestamp":
      return steps.number(fromText(parseTimestamp, value));
  }
  steps.text(value);
}

/** A day alone is its midnight UTC, as JavaScript has it; a time needs its offset, or it would depend on the machine's time zone. */
function parseTimestamp(text: string): number {
  // Years as JavaScript reads them in every engine: four digits, or a sign and six.
  const match = /^((?:\d{4}|[+-](?!000000)\d{6})-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text);
  const ms = match ? Date.parse(text) : NaN;
  LocalDate.from(match?.[1] ?? ""); // JavaScript takes the 31st of February for a day in March
  return Number.isNaN(ms) ? unfit() : ms;
}

function putDate(steps: Steps, type: CqlType, value: Date): void {
  if (type.kind !== "timestamp" && type.kind !== "date") unfit();
  const ms = +value.getTime(); // now, since what is no number could run code later
  if (Number.isNaN(ms)) refuse("not a valid date");
  if (type.kind !== "date") return steps.number(ms);
  if (ms % 86_400_000 !== 0) unfit();
  steps.put(STEP.days, ms / 86_400_000);
}

function putObject(steps: Steps, type: CqlType, value: object, whole: boolean): void {
  const array = arrayKind(value);
  if (array !== undefined) return putArray(steps, type, value as Uint8Array, array, whole);
  switch (kindOf(value)) {
    case "Decimal": {
      const { scale, unscaled } = value as Decimal;
      const [places, isNegative, digits] = [scale | 0, unscaled < 0n, hex(unscaled)];
      return steps.direct((conn) => conn.hex_decimal(places, isNegative, digits));
    }
    case "LocalDate":
      return steps.put(STEP.days, (value as LocalDate).days | 0);
    case "LocalTime":
      return steps.int64(BigInt.asIntN(64, (value as LocalTime).nanoseconds), STEP.nanoseconds);
    case "Duration": {
      const { months, days, nanoseconds } = value as Duration;
      const [m, d, ns] = [months | 0, days | 0, BigInt.asIntN(64, nanoseconds)];
      return steps.direct((conn) => conn.duration(m, d, ns));
    }
  }
  const kind = tag(value);
  if (kind === "Date") return putDate(steps, type, value as Date);
  if (kind === "DataView" || kind === "ArrayBuffer" || kind === "SharedArrayBuffer") {
    if (type.kind !== "blob") unfit();
    const bytes = kind === "DataView" ? plainBytes(value as DataView) : new Uint8Array(value as ArrayBuffer);
    return steps.bytes(bytes, bytes.length);
  }
  switch (type.kind) {
    case "list":
    case "set":
    case "vector":
    case "tuple":
      return putElements(steps, type, value);
    case "map":
      return putMap(steps, type, value);
    case "udt":
      return putUdt(steps, type, value);
  }
  unfit();
}

function putArray(steps: Steps, type: CqlType, value: Uint8Array, kind: string, whole: boolean): void {
  const length = arrayBytes(value);
  if (length === 0) plainBytes(value); // throws where the bytes are gone, as after a transfer to another thread
  const hasElements = type.kind === "vector" || type.kind === "list" || type.kind === "set" || type.kind === "tuple";
  if (kind === "Uint8Array") {
    // Whole parameters of any type may come serialised; deeper down Rust takes bytes where they are a value. The same bytes as elements
    // would mean something else there than they mean here.
    if (hasElements && !whole) refuse("bytes are a serialised cell, which only a whole parameter can be: give the elements");
    return steps.bytes(value, length);
  }
  const step = blockStep(kind, type);
  if (step > 0) return steps.numbers(step, value as unknown as Float32Array, length);
  if (hasElements) return putElements(steps, type, value);
  unfit();
}

function putElements(steps: Steps, type: CqlType, value: object): void {
  if (!(Symbol.iterator in value) || tag(value) === "String") unfit(); // a string's characters are no list
  // The length must be known first, and an array's must not change under us.
  const elements = read(() => Array.from(value as Iterable<unknown>));
  const block = blockOf(type, elements);
  if (block) return steps.numbers(blockStep(arrayKind(block)!, type), block, block.byteLength);
  // What a tuple lacks is null. Not left out: a tuple of no items would have no bytes, and be read as empty.
  const lacking = type.kind === "tuple" ? Math.max(0, type.of.length - elements.length) : 0;
  steps.put(STEP.begin, elements.length + lacking);
  for (let i = 0; i < elements.length; i++) put(steps, type.kind === "tuple" ? type.of[i]! : type.of[0]!, elements[i], false);
  for (let i = 0; i < lacking; i++) steps.put(STEP.null);
  steps.put(STEP.end);
}

function putMap(steps: Steps, type: CqlType, value: object): void {
  let entries: [unknown, unknown][];
  if (Array.isArray(value) || tag(value) === "Map") {
    entries = read(() => Array.from(value as Iterable<[unknown, unknown]>));
    if (!entries.every((entry) => Array.isArray(entry) && entry.length === 2)) unfit();
  } else if (isPlain(value)) {
    entries = read(() => Object.entries(value));
  } else {
    return unfit();
  }
  const [keyType, valueType] = type.of as [CqlType, CqlType];
  steps.put(STEP.begin, entries.length);
  for (const [key, item] of entries) {
    put(steps, keyType, key, false);
    put(steps, valueType, item, false);
  }
  steps.put(STEP.end);
}

function putUdt(steps: Steps, type: CqlType, value: object): void {
  if (tag(value) !== "Object" && tag(value) !== "Map") unfit();
  const names = type.names!;
  const map = tag(value) === "Map" ? (value as Map<unknown, unknown>) : undefined;
  // An object of a class may have its fields as getters of the class.
  const has = (name: string): boolean => (map ? map.has(name) : Object.hasOwn(value, name) || (name in value && !(name in Object.prototype)));
  const get = (name: string): unknown => read(() => (map ? map.get(name) : (value as Record<string, unknown>)[name]));
  for (const name of map ? map.keys() : Object.keys(value)) {
    if (!names.includes(name as string)) refuse(`the type has no field ${JSON.stringify(name)}: it has ${names.join(", ")}`);
  }
  if (!isPlain(value) && !map && !names.some(has)) unfit(); // an object of a class that has none of the fields
  steps.put(STEP.begin, names.length);
  names.forEach((name, index) => {
    if (has(name)) put(steps, type.of[index]!, get(name), false);
    else steps.put(STEP.null);
  });
  steps.put(STEP.end);
}
