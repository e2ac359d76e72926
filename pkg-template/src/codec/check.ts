// The fields of every request message and what each may hold: checked before a byte is written. Another name is an error, because a
// misspelt option would be dropped in silence; another kind is one, because the codec takes it at its word.
import type { RequestMessage } from "../../types/index.js";
import { CqlError } from "./errors.ts";

/** What was expected instead; undefined if the value is good. */
type Check = (value: unknown) => string | undefined;

/** A value's built-in kind, whatever realm it is from. */
export const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
export const isBytes = (value: unknown): value is Uint8Array => ArrayBuffer.isView(value) && tag(value) === "Uint8Array";

/** An object whose properties are all that it is: of no class, or of another realm's Object. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return tag(value) === "Object" && (prototype === null || Object.getPrototypeOf(prototype) === null);
}

export const isWellFormed: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
    : (text) => !/\p{Surrogate}/u.test(text);

const text: Check = (value) =>
  typeof value !== "string" ? "a string" : isWellFormed(value) ? undefined : "a string without lone surrogates, which have no UTF-8 form";
const bytes: Check = (value) => (isBytes(value) ? undefined : "a Uint8Array");
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const int: Check = (value) => (typeof value === "number" && (value | 0) === value ? undefined : "a whole number of 32 bits");
const long: Check = (value) =>
  (typeof value === "bigint" && BigInt.asIntN(64, value) === value) || Number.isSafeInteger(value)
    ? undefined
    : "a bigint of 64 bits or a safe integer";
const object: Check = (value) => (Array.isArray(value) || tag(value) === "Object" ? undefined : "an array or an object");
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value) && `${check(value)} or null`;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && !Array.from(value).some((one) => check(one)) ? undefined : `an array, each item ${check(undefined)}`;
const recordOf =
  (check: Check): Check =>
  (value) => {
    const isRecord = object(value) === undefined && !Array.isArray(value);
    const isGood = isRecord && Object.entries(value as object).every(([key, one]) => !text(key) && !check(one));
    return isGood ? undefined : `an object, each property ${check(undefined)}`;
  };
const either =
  (a: Check, b: Check): Check =>
  (value) =>
    a(value) && b(value) && `${a(value)}; or ${b(value)}`;

const serial: Check = (value) => (value === "SERIAL" || value === "LOCAL_SERIAL" ? undefined : "SERIAL or LOCAL_SERIAL");
const statements: Check = (value) =>
  listOf(object)(value) ?? ((value as unknown[]).length <= 65_535 ? undefined : `at most 65,535 statements, not ${(value as unknown[]).length}`);

/** Fields that hold names from a list, so that errors may show what they hold. */
const NAMES = new Set(["opcode", "consistency", "serialConsistency", "type", "compression"]);

/** Fields that must be there end in "!". */
const FRAME = { "opcode!": text, tracing: flag, customPayload: recordOf(orNull(bytes)) };
const OPTIONS = { consistency: text, serialConsistency: serial, timestamp: long, keyspace: text, nowInSeconds: int };
const PAGING = { pageSize: int, pageState: orNull(bytes), skipMetadata: flag };
const TYPES = either(listOf(text), recordOf(text));

const FIELDS: Record<RequestMessage["opcode"], Record<string, Check>> = {
  STARTUP: { ...FRAME, "options!": recordOf(text) },
  OPTIONS: FRAME,
  PREPARE: { ...FRAME, "query!": text, keyspace: text },
  REGISTER: { ...FRAME, "eventTypes!": listOf(text) },
  AUTH_RESPONSE: { ...FRAME, "token!": orNull(bytes) },
  QUERY: { ...FRAME, ...OPTIONS, ...PAGING, "query!": text, params: object, types: TYPES },
  EXECUTE: { ...FRAME, ...OPTIONS, ...PAGING, "prepared!": object, params: object },
  BATCH: { ...FRAME, ...OPTIONS, type: text, "statements!": statements },
};
const list: Check = (value) => (Array.isArray(value) ? undefined : "an array: here parameters go by place");
const TEXT_STATEMENT = { "query!": text, params: list, types: listOf(text) };
const PREPARED_STATEMENT = { "prepared!": object, params: object };
const ESTABLISHED = { compression: text };

function checkFields(what: string, value: object, fields: Record<string, Check>): void {
  const fail = (problem: string): never => {
    throw new CqlError("CQL_OPTION", `${what} ${problem}`);
  };
  for (const [name, one] of Object.entries(value)) {
    const check = fields[name] ?? fields[`${name}!`];
    if (!check || name.endsWith("!")) {
      const names = Object.keys(fields).map((field) => field.replace("!", ""));
      return fail(`has no field ${JSON.stringify(name)}: there are ${names.join(", ")}`);
    }
    const expected = one === undefined ? undefined : check(one);
    if (expected) fail(`has ${describe(one, NAMES.has(name))} as ${name}: expected ${expected}`);
  }
  for (const field of Object.keys(fields)) {
    const name = field.slice(0, -1);
    if (field.endsWith("!") && (value as Record<string, unknown>)[name] === undefined) fail(`needs ${name}: ${fields[field]!(undefined)}`);
  }
}

export function checkRequest(message: RequestMessage): void {
  const fields = Object.hasOwn(FIELDS, message?.opcode) ? FIELDS[message.opcode] : undefined;
  if (!fields) throw new CqlError("CQL_OPTION", `opcode is ${describe(message?.opcode, true)}: expected one of ${Object.keys(FIELDS).join(", ")}`);
  checkFields(message.opcode, message, fields);
  if (message.opcode !== "BATCH") return;
  message.statements.forEach((statement, index) => {
    checkFields(`BATCH statement ${index}`, statement, "prepared" in statement ? PREPARED_STATEMENT : TEXT_STATEMENT);
  });
}

export function checkEstablished(value: object): void {
  if (object(value)) throw new CqlError("CQL_OPTION", `established is ${describe(value)}: expected an object`);
  checkFields("established", value, ESTABLISHED);
}

/** A value's kind, for error texts. A string itself only where it cannot be a secret, such as a name from a list. */
export function describe(value: unknown, mayShow = false): string {
  if (value === null || value === undefined || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return mayShow && value.length <= 30 ? JSON.stringify(value) : "a string";
  if (typeof value !== "object") return typeof value === "symbol" ? value.toString() : `a ${typeof value}`;
  try {
    const kind = tag(value);
    const name = kind === "Object" ? (Object.getPrototypeOf(value)?.constructor?.name ?? "object") : kind;
    const length = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as { length?: number }).length : undefined;
    return length === undefined ? String(name) : `${String(name)}(${length})`;
  } catch {
    return "an object that cannot be read"; // a getter that throws, a proxy that was revoked
  }
}
