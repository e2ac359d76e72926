// JavaScript values into the codec: the *kind* of a value picks the call, Rust writes the bytes by the column's *type* and refuses
// what does not fit. One call per leaf, plus begin and end of a nesting; strings and bytes are copied once, straight into the request.
import type { Conn } from "#glue";
import type { CqlType } from "../../types/index.js";
import { describe, isWellFormed, tag } from "./check.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { Decimal, Duration, LocalDate, LocalTime, empty, unset } from "./values.ts";
import { memoryBytes } from "./wasm.ts";

const encoder = new TextEncoder();

/** Typed arrays that go into a vector of just their kind as a block: `NumberKind` in `src/value/bind.rs`, and the element type. */
const BLOCKS: Record<string, [number, string]> = {
  Float32Array: [0, "float"],
  Float64Array: [1, "double"],
  Int32Array: [2, "int"],
  BigInt64Array: [3, "bigint"],
};

class Refused extends Error {}
const refuse = (reason: string): never => {
  throw new Refused(reason);
};

/** Writes one value of `type`. `where` names it in errors. Throws `CqlError` with code `CQL_ENCODE`; the caller takes the request back. */
export function bind(conn: Conn, type: CqlType, value: unknown, where: () => string): void {
  try {
    put(conn, type, value, true);
  } catch (error) {
    if (error instanceof Refused) {
      throw new CqlError("CQL_ENCODE", `${where()}: ${kindOf(value)} for ${type.text}: ${error.message}`, { type: type.text });
    }
    if (!isWasmError(error)) throw error;
    const { kind, what, element, meaning } = error;
    const place = element === null ? "" : `element ${element}: `;
    throw new CqlError("CQL_ENCODE", `${where()}: ${kindOf(value)} for ${type.text}: ${place}${what} ${meaning}`, {
      type: type.text,
      kind,
      ...(element === null ? {} : { element }),
    });
  }
}

/** Never the value itself, which may be a secret. */
const kindOf = (value: unknown): string => (typeof value === "object" ? describe(value) : typeof value === "symbol" ? value.toString() : typeof value);

/** A text form, read by its class: what is wrong with it is said without the text. */
function fromText<T>(read: (text: string) => T, text: string, expected: string): T {
  try {
    return read(text);
  } catch {
    return refuse(`expected ${expected}`);
  }
}

function put(conn: Conn, type: CqlType, value: unknown, whole: boolean): void {
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
      if (!/^[+-]?\d+$/.test(value)) refuse("expected decimal digits");
      return putBigInt(conn, BigInt(value));
    case "decimal":
      return putObject(conn, type, fromText(Decimal.from, value, "a decimal number as -12.50 or 1E+3"), false);
    case "date":
      return conn.days(fromText(LocalDate.from, value, "a date as YYYY-MM-DD").days);
    case "time":
      return conn.nanoseconds(fromText(LocalTime.from, value, "a time as hh:mm:ss.nnnnnnnnn").nanoseconds);
    case "duration":
      return putObject(conn, type, fromText(Duration.from, value, "a duration as 1y2mo3d4h or P1Y2M3DT4H"), false);
    case "timestamp":
      return conn.number(fromText(parseTimestamp, value, "an ISO 8601 date, or date and time with Z or an offset"));
  }
  if (!isWellFormed(value)) refuse("a lone surrogate has no UTF-8 form");
  const most = value.length * 3;
  const at = conn.open_text(most);
  conn.close_text(encoder.encodeInto(value, memoryBytes().subarray(at, at + most)).written);
}

/** A day alone is its midnight UTC, as JavaScript has it; a time needs its offset, or it would depend on the machine's time zone. */
function parseTimestamp(text: string): number {
  const match = /^([+-]?\d{4,6}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text);
  const ms = match ? Date.parse(text) : NaN;
  LocalDate.from(match?.[1] ?? ""); // JavaScript takes the 31st of February for a day in March
  return Number.isNaN(ms) ? refuse("") : ms;
}

function putDate(conn: Conn, type: CqlType, value: Date): void {
  const ms = value.getTime();
  if (Number.isNaN(ms)) refuse("not a valid date");
  if (type.kind !== "date") return conn.number(ms);
  if (ms % 86_400_000 !== 0) refuse("a date takes a Date at midnight UTC: another one is a point in time, not a day");
  conn.days(ms / 86_400_000);
}

function putObject(conn: Conn, type: CqlType, value: object, whole: boolean): void {
  if (value instanceof Decimal) return conn.hex_decimal(value.scale, value.unscaled < 0n, hex(value.unscaled));
  if (value instanceof LocalDate) return conn.days(value.days);
  if (value instanceof LocalTime) return conn.nanoseconds(value.nanoseconds);
  if (value instanceof Duration) return conn.duration(value.months, value.days, value.nanoseconds);
  const kind = tag(value);
  if (kind === "Date") return putDate(conn, type, value as Date);
  if (ArrayBuffer.isView(value)) return putView(conn, type, value, kind, whole);
  if (kind === "ArrayBuffer" || kind === "SharedArrayBuffer") {
    if (type.kind !== "blob") refuse("an ArrayBuffer is taken for a blob only");
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
  refuse("this kind of value does not fit the type");
}

function putView(conn: Conn, type: CqlType, value: ArrayBufferView, kind: string, whole: boolean): void {
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  // Whole parameters of any type may come serialised; deeper down Rust takes bytes where they are a value.
  if (kind === "Uint8Array" && (whole || !["list", "set", "vector", "tuple"].includes(type.kind))) return putBytes(conn, bytes);
  if (kind === "DataView" && type.kind === "blob") return putBytes(conn, bytes);
  const block = BLOCKS[kind];
  if (block && type.kind === "vector" && type.of[0]!.kind === block[1]) {
    const at = conn.open_numbers(block[0], (value as Float32Array).length);
    memoryBytes().set(bytes, at);
    return conn.close_numbers();
  }
  if (kind !== "DataView" && ["list", "set", "vector", "tuple"].includes(type.kind)) return putElements(conn, type, value);
  refuse(type.kind === "blob" ? "only bytes make a blob: of other arrays the byte order is unknown" : "this kind of array does not fit the type");
}

function putBytes(conn: Conn, bytes: Uint8Array): void {
  const at = conn.open_bytes(bytes.length);
  memoryBytes().set(bytes, at);
}

function putElements(conn: Conn, type: CqlType, value: object): void {
  if (!(Symbol.iterator in value)) refuse("expected an array or another iterable");
  // The length must be known first, and an array's must not change under us.
  const elements = Array.from(value as Iterable<unknown>);
  conn.begin(elements.length);
  elements.forEach((element, index) => put(conn, type.kind === "tuple" ? (type.of[index] ?? type) : type.of[0]!, element, false));
  conn.end();
}

function putMap(conn: Conn, type: CqlType, value: object): void {
  let entries: [unknown, unknown][];
  if (Array.isArray(value) || tag(value) === "Map") {
    entries = Array.from(value as Iterable<[unknown, unknown]>);
    if (!entries.every((entry) => Array.isArray(entry) && entry.length === 2)) refuse("expected pairs of key and value");
  } else if (tag(value) === "Object") {
    entries = Object.entries(value);
  } else {
    return refuse("expected a Map, an object or pairs");
  }
  const [keyType, valueType] = type.of as [CqlType, CqlType];
  conn.begin(entries.length);
  for (const [key, item] of entries) {
    put(conn, keyType, key, false);
    put(conn, valueType, item, false);
  }
  conn.end();
}

function putUdt(conn: Conn, type: CqlType, value: object): void {
  if (tag(value) !== "Object" && tag(value) !== "Map") refuse("expected an object or a Map with the fields by name");
  const fields = tag(value) === "Map" ? (value as Map<unknown, unknown>) : new Map<unknown, unknown>(Object.entries(value));
  const names = type.names!;
  for (const name of fields.keys()) {
    if (!names.includes(name as string)) refuse(`the type has no field ${JSON.stringify(name)}: it has ${names.join(", ")}`);
  }
  conn.begin(names.length);
  names.forEach((name, index) => (fields.has(name) ? put(conn, type.of[index]!, fields.get(name), false) : conn.null()));
  conn.end();
}
