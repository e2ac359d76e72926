// JavaScript values into the codec: the *kind* of a value picks the call, Rust writes the bytes by the column's *type* and refuses
// what does not fit. One call per leaf, plus begin and end of a nesting; strings and bytes are copied once, straight into the request.
import type { Conn } from "#glue";
import type { CqlType } from "../../types/index.js";
import { describe, isPlain, isWellFormed, plainBytes, tag } from "./check.ts";
import { Decimal } from "./decimal.ts";
import { Duration } from "./duration.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { LocalDate } from "./local-date.ts";
import { LocalTime } from "./local-time.ts";
import { kindOf } from "./value-class.ts";
import type { ValueSettings } from "./value-options.ts";
import { empty, unset } from "./values.ts";
import { memoryBytes } from "./wasm.ts";

const encoder = new TextEncoder();

/** Typed arrays that go into a vector of just their kind as a block: `NumberKind` in `src/value/bind.rs`, and the element type. */
const BLOCKS: Record<string, [kind: number, element: string, width: number]> = {
  Float32Array: [0, "float", 4],
  Float64Array: [1, "double", 8],
  Int32Array: [2, "int", 4],
  BigInt64Array: [3, "bigint", 8],
};

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

/** Where in the parameter the value stands that is being written, and what it is: for errors. */
let path: string[] = [];
let current: { type: CqlType; value: unknown };
/** What `undefined` stands for, if for anything. */
let undefinedAs: ValueSettings["undefinedAs"];

/** Writes one value of `type`. `where` names it in errors. Throws `CqlError` with code `CQL_ENCODE`; the caller takes the request back. */
export function bind(conn: Conn, type: CqlType, value: unknown, where: () => string, options: ValueSettings): void {
  // A getter among the value's parts may encode another value: then these are its, for a while.
  const outer = { path, current, undefinedAs };
  path = [];
  undefinedAs = options.undefinedAs;
  try {
    put(conn, type, value, true);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof CqlError) throw error;
    const at = `${where()}${path.join("")}: ${shownKind(current.value)} for ${current.type.text}: `;
    const fields = { type: current.type.text, ...(path.length ? { path: path.join("") } : {}) };
    if (error instanceof Refused) throw new CqlError("CQL_ENCODE", at + (error.message || `expected ${EXPECTED[current.type.kind]}`), fields);
    // What a getter, an iterator or a detached buffer throws when it is read.
    if (!isWasmError(error)) throw new CqlError("CQL_ENCODE", `${at}cannot be read`, { ...fields, cause: error instanceof Unreadable ? error.cause : error });
    const { kind, what, meaning } = error;
    const isOfType = ["WrongKind", "OutOfRange", "BadText", "WrongCount"].includes(kind);
    const isNull = current.value === null || current.value === unset || current.value === undefined;
    const reason = isOfType && !isNull ? `expected ${EXPECTED[current.type.kind]}` : `${what} ${meaning}`;
    throw new CqlError("CQL_ENCODE", at + reason, { ...fields, kind, what });
  } finally {
    ({ path, current, undefinedAs } = outer);
  }
}

/** `write` for one part of the value, which `place` names. */
function inside(place: string, write: () => void): void {
  path.push(place);
  write();
  path.pop();
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

function put(conn: Conn, type: CqlType, value: unknown, whole: boolean): void {
  current = { type, value };
  switch (typeof value) {
    case "number":
      return conn.number(value);
    case "string":
      return putString(conn, type, value);
    case "boolean":
      return conn.boolean(value);
    case "bigint":
      return putBigInt(conn, value);
    case "symbol":
      if (value === unset) return conn.unset();
      if (value === empty) return conn.empty();
      break;
    case "object":
      return value === null ? conn.null() : putObject(conn, type, value, whole);
    case "undefined":
      if (undefinedAs === "null") return conn.null();
      if (undefinedAs === "unset") return conn.unset();
      refuse("undefined is not a value: use null, or unset to leave the column as it is");
  }
  refuse("this kind of value has no CQL form");
}

function putBigInt(conn: Conn, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) conn.int64(value);
  else conn.hex_integer(value < 0n, hex(value));
}

const hex = (value: bigint): string => (value < 0n ? -value : value).toString(16);

/** Text of text types, and the text forms of the others. */
function putString(conn: Conn, type: CqlType, value: string): void {
  switch (type.kind) {
    case "bigint":
    case "counter":
    case "varint":
      if (!/^[+-]?\d+$/.test(value)) unfit();
      return putBigInt(conn, BigInt(value));
    case "decimal":
      return putObject(conn, type, fromText(Decimal.from, value), false);
    case "date":
      return conn.days(fromText(LocalDate.from, value).days);
    case "time":
      return conn.nanoseconds(fromText(LocalTime.from, value).nanoseconds);
    case "duration":
      return putObject(conn, type, fromText(Duration.from, value), false);
    case "timestamp":
      return conn.number(fromText(parseTimestamp, value));
  }
  if (!isWellFormed(value)) refuse("a lone surrogate has no UTF-8 form");
  const most = value.length * 3;
  const at = conn.open_text(most);
  conn.close_text(encoder.encodeInto(value, memoryBytes().subarray(at, at + most)).written);
}

/** A day alone is its midnight UTC, as JavaScript has it; a time needs its offset, or it would depend on the machine's time zone. */
function parseTimestamp(text: string): number {
  // Years as JavaScript reads them in every engine: four digits, or a sign and six.
  const match = /^((?:\d{4}|[+-](?!000000)\d{6})-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text);
  const ms = match ? Date.parse(text) : NaN;
  LocalDate.from(match?.[1] ?? ""); // JavaScript takes the 31st of February for a day in March
  return Number.isNaN(ms) ? unfit() : ms;
}

function putDate(conn: Conn, type: CqlType, value: Date): void {
  if (type.kind !== "timestamp" && type.kind !== "date") unfit();
  const ms = value.getTime();
  if (Number.isNaN(ms)) refuse("not a valid date");
  if (type.kind !== "date") return conn.number(ms);
  if (ms % 86_400_000 !== 0) unfit();
  conn.days(ms / 86_400_000);
}

function putObject(conn: Conn, type: CqlType, value: object, whole: boolean): void {
  switch (kindOf(value)) {
    case "Decimal": {
      const { scale, unscaled } = value as Decimal;
      return conn.hex_decimal(scale, unscaled < 0n, hex(unscaled));
    }
    case "LocalDate":
      return conn.days((value as LocalDate).days);
    case "LocalTime":
      return conn.nanoseconds((value as LocalTime).nanoseconds);
    case "Duration": {
      const { months, days, nanoseconds } = value as Duration;
      return conn.duration(months, days, nanoseconds);
    }
  }
  const kind = tag(value);
  if (kind === "Date") return putDate(conn, type, value as Date);
  if (ArrayBuffer.isView(value)) return putView(conn, type, value, kind, whole);
  if (kind === "ArrayBuffer" || kind === "SharedArrayBuffer") {
    if (type.kind !== "blob") unfit();
    return putBytes(conn, new Uint8Array(value as ArrayBuffer));
  }
  switch (type.kind) {
    case "list":
    case "set":
    case "vector":
    case "tuple":
      return putElements(conn, type, value);
    case "map":
      return putMap(conn, type, value);
    case "udt":
      return putUdt(conn, type, value);
  }
  unfit();
}

function putView(conn: Conn, type: CqlType, value: ArrayBufferView, kind: string, whole: boolean): void {
  const bytes = plainBytes(value);
  const hasElements = ["list", "set", "vector", "tuple"].includes(type.kind);
  if (kind === "Uint8Array") {
    // Whole parameters of any type may come serialised; deeper down Rust takes bytes where they are a value. The same bytes as elements
    // would mean something else there than they mean here.
    if (hasElements && !whole) refuse("bytes are a serialised cell, which only a whole parameter can be: give the elements");
    return putBytes(conn, bytes);
  }
  if (kind === "DataView" && type.kind === "blob") return putBytes(conn, bytes);
  const block = BLOCKS[kind];
  if (block && type.kind === "vector" && type.of[0]!.kind === block[1]) {
    // Not the array's own `length`, which a subclass may redefine.
    const at = conn.open_numbers(block[0], bytes.length / block[2]);
    memoryBytes().set(bytes, at);
    return conn.close_numbers();
  }
  if (kind !== "DataView" && hasElements) return putElements(conn, type, value);
  unfit();
}

function putBytes(conn: Conn, bytes: Uint8Array): void {
  const at = conn.open_bytes(bytes.length);
  memoryBytes().set(bytes, at);
}

function putElements(conn: Conn, type: CqlType, value: object): void {
  if (!(Symbol.iterator in value) || tag(value) === "String") unfit(); // a string's characters are no list
  // The length must be known first, and an array's must not change under us.
  const elements = read(() => Array.from(value as Iterable<unknown>));
  // What a tuple lacks is null. Not left out: a tuple of no items would have no bytes, and be read as empty.
  const lacking = type.kind === "tuple" ? Math.max(0, type.of.length - elements.length) : 0;
  conn.begin(elements.length + lacking);
  elements.forEach((element, index) => {
    inside(`[${index}]`, () => put(conn, type.kind === "tuple" ? type.of[index]! : type.of[0]!, element, false));
  });
  for (let i = 0; i < lacking; i++) conn.null();
  conn.end();
}

function putMap(conn: Conn, type: CqlType, value: object): void {
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
  conn.begin(entries.length);
  entries.forEach(([key, item], index) => {
    inside(`, key of entry ${index}`, () => put(conn, keyType, key, false));
    inside(`, value of entry ${index}`, () => put(conn, valueType, item, false));
  });
  conn.end();
}

function putUdt(conn: Conn, type: CqlType, value: object): void {
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
  conn.begin(names.length);
  names.forEach((name, index) => {
    if (has(name)) inside(`.${name}`, () => put(conn, type.of[index]!, get(name), false));
    else conn.null();
  });
  conn.end();
}
