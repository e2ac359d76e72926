// The fields of every message and what each may hold: checked before a byte is written. Another name is an error, because a
// misspelt option would be dropped in silence; another kind is one, because the codec takes it at its word.
import type { EventMessage, OutgoingResponse, RequestMessage, ResponseMessage, ResultMessage } from "../../types/index.js";
import { CqlError } from "./errors.ts";
import { MOST, describe, isBytes, isPlain, isWellFormed, plainBytes, reading, tag, tooLong } from "./given.ts";
import { record } from "./values.ts";

/** What was expected instead; undefined if the value is good. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value !== "string" ? "a string" : value.length > MOST ? tooLong : isWellFormed(value) ? undefined : "a string without lone surrogates, which have no UTF-8 form";
const bytes: Check = (value) => (!isBytes(value) ? "a Uint8Array" : value.length > MOST ? tooLong : undefined);

const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const count: Check = (value) => (Number.isSafeInteger(value) && (value as number) > 0 ? undefined : "a positive whole number");
const uint: Check = (value) => (typeof value === "number" && value >>> 0 === value ? undefined : "a whole number of 32 bits, not negative");
const int: Check = (value) => (typeof value === "number" && (value | 0) === value ? undefined : "a whole number of 32 bits");
const long: Check = (value) =>
  (typeof value === "bigint" && BigInt.asIntN(64, value) === value) || Number.isSafeInteger(value)
    ? undefined
    : "a bigint of 64 bits or a safe integer";
const object: Check = (value) => (Array.isArray(value) || (typeof value === "object" && value !== null && (isPlain(value) || tag(value) === "Object")) ? undefined : "an array or an object");
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value) && `${check(value)} or null`;
const listOf =
  (check: Check): Check =>
  (value) => {
    const expected = (): string => `an array, each item ${check(undefined)}`;
    if (!Array.isArray(value)) return expected();
    for (let i = 0; i < value.length; i++) if (check(value[i])) return expected();
    return undefined;
  };
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

const short: Check = (value) => (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535 ? undefined : "a whole number of 16 bits");
const byte: Check = (value) => (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255 ? undefined : "a whole number of 8 bits");
const opType: Check = (value) => (value === "READ" || value === "WRITE" ? undefined : byte(value) && `READ, WRITE or ${byte(value)}`);
const serial: Check = (value) => (value === "SERIAL" || value === "LOCAL_SERIAL" ? undefined : "SERIAL or LOCAL_SERIAL");
const level = either(text, short);
const statements: Check = (value) =>
  listOf(object)(value) ?? ((value as unknown[]).length <= 65_535 ? undefined : `at most 65,535 statements, not ${(value as unknown[]).length}`);

/** Fields that hold names from a list, so that errors may show what they hold. */
const NAMES = new Set(["opcode", "consistency", "serialConsistency", "type", "compression", "role", "version", "kind", "eventType", "opType"]);

/** Fields that must be there end in "!". */
const prepared: Check = (value) => {
  if (goodStatements.has(value as object)) return undefined;
  const { id, resultMetadataId, bind, result } = Object(value) as Record<string, unknown>;
  if (!isBytes(id) || !isBytes(resultMetadataId) || !Array.isArray(bind) || !Array.isArray(result)) return "a PREPARED message";
  if (Object.isFrozen(value)) goodStatements.add(value as object);
  return undefined;
};
/** That cannot change any more. */
const goodStatements = new WeakSet<object>();
const STREAM = { "opcode!": text, stream: int, trace: object, customPayload: recordOf(orNull(bytes)) };
const FRAME = { ...STREAM, tracing: flag, useBeta: flag };
const OPTIONS = { consistency: level, serialConsistency: serial, timestamp: long, keyspace: text, nowInSeconds: int };
const PAGING = { pageSize: int, pageState: orNull(bytes), skipMetadata: flag };
const TYPE = either(text, object);
const TYPES = either(listOf(TYPE), recordOf(TYPE));
const VALUES = { params: object, names: listOf(text), types: TYPES };

/** In the order in which `types/requests.d.ts` and `responses.d.ts` declare them, which is the order of `messageText`. */
const REQUESTS: Record<RequestMessage["opcode"], Fields> = {
  STARTUP: { "options!": recordOf(text), ...FRAME },
  OPTIONS: FRAME,
  PREPARE: { "query!": text, keyspace: text, ...FRAME },
  REGISTER: { "eventTypes!": listOf(text), ...FRAME },
  AUTH_RESPONSE: { "token!": orNull(bytes), ...FRAME },
  QUERY: { "query!": text, ...VALUES, ...OPTIONS, ...PAGING, ...FRAME },
  EXECUTE: { prepared, id: bytes, resultMetadataId: bytes, ...VALUES, columns: object, row: uint, ...OPTIONS, ...PAGING, ...FRAME },
  BATCH: { type: text, "statements!": statements, ...OPTIONS, ...FRAME },
};
const list: Check = (value) => (Array.isArray(value) ? undefined : "an array: here parameters go by place");
const TEXT_STATEMENT = { "query!": text, params: list, types: listOf(TYPE) };
const PREPARED_STATEMENT = { "prepared!": prepared, params: object, columns: object, from: uint, to: uint };
const ID_STATEMENT = { "id!": bytes, params: list, types: listOf(TYPE) };

const RESPONSE = { ...STREAM, tracingId: text, warnings: listOf(text) };
const COLUMN = { keyspace: text, table: text, "name!": text, "type!": TYPE };
const columns: Check = (value) =>
  listOf(object)(value) ?? (value as object[]).map((one) => problemOf(one, COLUMN)).find((problem) => problem !== undefined);
const SCHEMA_CHANGE = { "changeType!": text, "target!": text, "keyspace!": text, name: text, argumentTypes: listOf(text) };
const NODE_CHANGE = { "changeType!": text, "address!": text, "port!": int };
const REASON = { "address!": text, "code!": short };
const reasons: Check = (value) =>
  listOf(object)(value) ?? (value as object[]).map((one) => problemOf(one, REASON)).find((problem) => problem !== undefined);

const RESPONSES: Record<ResponseMessage["opcode"], Fields> = {
  ERROR: {
    ...RESPONSE, "code!": int, "message!": text, version: int, consistency: level, required: int, alive: int, received: int, blockFor: int, writeType: text,
    contentions: short, dataPresent: flag, failures: int, reasons, keyspace: text, table: text, function: text, argumentTypes: listOf(text), statementId: bytes,
    opType, rejectedByCoordinator: flag,
  },
  READY: RESPONSE,
  AUTHENTICATE: { ...RESPONSE, "authenticator!": text },
  SUPPORTED: { ...RESPONSE, "options!": recordOf(listOf(text)) },
  AUTH_CHALLENGE: { ...RESPONSE, "token!": orNull(bytes) },
  AUTH_SUCCESS: { ...RESPONSE, "token!": orNull(bytes) },
  RESULT: {},
  EVENT: {},
};
const RESULTS: Record<ResultMessage["kind"], Fields> = {
  Void: {},
  Set_keyspace: { "keyspace!": text },
  Schema_change: SCHEMA_CHANGE,
  Prepared: { "id!": bytes, resultMetadataId: bytes, pkIndices: listOf(short), isLwt: flag, bind: columns, result: columns },
  Rows: {
    metadata: columns, rows: listOf(object), pagingState: orNull(bytes), newMetadataId: orNull(bytes), noMetadata: flag, globalTableSpec: flag,
    cells: orNull(bytes), length: int, columnCount: int, columns: list, prepared: orNull(object),
  },
};
const EVENTS: Record<EventMessage["eventType"], Fields> = {
  TOPOLOGY_CHANGE: NODE_CHANGE,
  STATUS_CHANGE: NODE_CHANGE,
  SCHEMA_CHANGE,
  CLIENT_ROUTES_CHANGE: { "changeType!": text, "connectionIds!": listOf(text), "hostIds!": listOf(text) },
  UNKNOWN: { "unknownType!": text, "body!": bytes },
};

const LIMITS = { frameBody: count, nullSlots: count };
const FEATURES = { metadataId: flag, tabletsV1: flag, lwtMask: orNull(uint), rateLimitError: orNull(int) };
const ESTABLISHED = { version: int, compression: text, features: object };

type Fields = Record<string, Check>;
interface Table {
  /** Without a prototype. */
  readonly checks: Readonly<Record<string, Check | undefined>>;
  readonly required: readonly string[];
}
const tableOf = new Map<Fields, Table>();

function table(fields: Fields): Table {
  let known = tableOf.get(fields);
  if (!known) {
    const names = Object.keys(fields);
    const checks = Object.create(null) as Record<string, Check>;
    for (const name of names) checks[name.replace("!", "")] = fields[name]!;
    known = { checks, required: names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1)) };
    tableOf.set(fields, known);
  }
  return known;
}

/** What is wrong with an object of these fields, as the end of a sentence that begins with its name. */
function problemOf(value: object, fields: Fields): string | undefined {
  const { checks, required } = table(fields);
  for (const name in value) {
    const check = checks[name];
    const one = (value as Record<string, unknown>)[name];
    const expected = check && one !== undefined ? check(one) : undefined;
    if (!check && Object.hasOwn(value, name)) return `has no field ${JSON.stringify(name)}: there are ${Object.keys(checks).join(", ")}`;
    if (expected) return `has ${describe(one, NAMES.has(name))} as ${name}: expected ${expected}`;
  }
  for (const name of required) {
    if ((value as Record<string, unknown>)[name] === undefined) return `needs ${name}: ${checks[name]!(undefined)}`;
  }
  return undefined;
}

function checkFields(what: string, value: object, fields: Fields): void {
  const problem = problemOf(value, fields);
  if (problem) throw new CqlError("CQL_OPTION", `${what} ${problem}`);
}

/** The row of `table` that the field of this name picks. */
function pick<T>(table: Record<string, T>, field: string, value: unknown): T {
  if (typeof value === "string" && Object.hasOwn(table, value)) return table[value]!;
  throw new CqlError("CQL_OPTION", `${field} is ${describe(value, true)}: expected one of ${Object.keys(table).join(", ")}`);
}

/** The names of a message's fields, in the order in which they are declared; of a message nobody knows, its own. */
export function fieldNames(message: object): string[] {
  const { opcode = "", kind = "", eventType = "" } = message as { opcode?: string; kind?: string; eventType?: string };
  const tables: [Record<string, Fields>, string][] = [[REQUESTS, opcode], [RESPONSES, opcode], [RESULTS, kind], [EVENTS, eventType]];
  const known = tables.flatMap(([table, name]) => (Object.hasOwn(table, name) ? Object.keys(table[name]!) : []));
  const frame = ["tracing", "useBeta", "tracingId", "warnings", "customPayload", "opcode!", "stream", "trace"];
  const names = ["eventType", ...known.filter((name) => !frame.includes(name)), ...frame].map((name) => name.replace("!", ""));
  return [...new Set([...names, ...Object.keys(message)])];
}

/** Fields that are read where they are written, item by item. */
const AS_GIVEN = new Set(["params", "types", "prepared", "metadata", "rows", "columns", "bind", "result", "trace"]);
/** Every field of any message. */
const FIELD_NAMES = [...new Set([REQUESTS, RESPONSES, RESULTS, EVENTS].flatMap((table) => Object.values(table).flatMap((fields) => Object.keys(fields))))].map(
  (name) => name.replace("!", ""),
);

/** A message as data: each field is read once, so that no getter gives something else after the check, nor runs while Rust is at work. */
export function snapshot<T>(message: T): T {
  if (typeof message !== "object" || message === null) return message;
  return reading("the message", () => fieldsOf(isPlain(message) ? { ...(message as object) } : { ...(message as object), ...inherited(message) })) as T;
}

/** What an object has from its class, as Rows have their columns. */
function inherited(message: object): Record<string, unknown> {
  // Rows that were read: they have cells, or columns, of which `rows` would be made.
  const left = (message as { cells?: unknown }).cells ? ["metadata", "columns", "rows"] : "columns" in message ? ["rows"] : [];
  const names = FIELD_NAMES.filter((name) => name in message && !Object.hasOwn(message, name) && !left.includes(name) && !(name in Object.prototype));
  return Object.fromEntries(names.map((name) => [name, (message as Record<string, unknown>)[name]]));
}

function fieldsOf(own: Record<string, unknown>): Record<string, unknown> {
  for (const name in own) {
    const value = own[name];
    if (typeof value !== "object" || value === null || AS_GIVEN.has(name)) continue;
    own[name] = name === "statements" && Array.isArray(value) ? statementsOf(value) : inert(value);
  }
  return own;
}

function statementsOf(list: unknown[]): unknown[] {
  const own = new Array<unknown>(list.length);
  for (let i = 0; i < own.length; i++) {
    const one: unknown = list[i];
    own[i] = typeof one === "object" && one !== null ? (preparedStatement(one) ?? fieldsOf({ ...one })) : one;
  }
  return own;
}

/** The commonest statement: a prepared one that was checked before, its parameters by place, and nothing else. */
function preparedStatement(one: object): PreparedStatement | undefined {
  if (!isPlain(one)) return undefined;
  const { prepared, params } = one as { prepared?: object; params?: unknown };
  let fields = 0;
  for (const _ in one) fields++;
  return fields === 2 && goodStatements.has(prepared!) && Array.isArray(params) ? new PreparedStatement(prepared!, params) : undefined;
}

/** What needs no further check. */
class PreparedStatement {
  readonly prepared: object;
  readonly params: unknown[];
  constructor(prepared: object, params: unknown[]) {
    this.prepared = prepared;
    this.params = params;
  }
}

/** Deeper than any field of a message that is data. */
const DEEPEST = 4;

/** The same data: of objects their own properties, of arrays the items. What else there may be is no field's kind. */
export function inert(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isBytes(value)) return plainBytes(value);
  if (depth === DEEPEST) return value;
  if (Array.isArray(value)) return Array.from(value, (item) => inert(item, depth + 1));
  if (tag(value) !== "Object") return value;
  return record(Object.entries(value).map(([name, one]) => [name, inert(one, depth + 1)]));
}

export function checkRequest(message: RequestMessage): void {
  checkFields(message?.opcode, message, pick(REQUESTS, "opcode", message?.opcode));
  if (message.opcode === "EXECUTE" && !message.prepared === !message.id) throw new CqlError("CQL_OPTION", "EXECUTE needs prepared or id, and not both");
  if (message.opcode === "EXECUTE" && message.prepared && message.columns && message.params) throw new CqlError("CQL_OPTION", PARAMS_OR_COLUMNS("EXECUTE"));
  if (message.opcode === "EXECUTE" && !message.prepared && "columns" in message) throw new CqlError("CQL_OPTION", "EXECUTE has columns, which need prepared");
  if (message.opcode !== "BATCH") return;
  message.statements.forEach((statement, index) => {
    if (statement instanceof PreparedStatement) return;
    const problem = problemOf(statement, "prepared" in statement ? PREPARED_STATEMENT : "id" in statement ? ID_STATEMENT : TEXT_STATEMENT);
    if (problem) throw new CqlError("CQL_OPTION", `BATCH statement ${index} ${problem}`);
    if ("columns" in statement && statement.params) throw new CqlError("CQL_OPTION", PARAMS_OR_COLUMNS(`BATCH statement ${index}`));
  });
}

const PARAMS_OR_COLUMNS = (what: string): string => `${what} has params and columns: give one of them`;

const withFields = (table: Record<string, Fields>, fields: Fields): Record<string, Fields> =>
  Object.fromEntries(Object.entries(table).map(([name, own]) => [name, { ...RESPONSE, ...fields, ...own }]));
const RESULT_FIELDS = withFields(RESULTS, { "kind!": text });
const EVENT_FIELDS = withFields(EVENTS, { "eventType!": text });

export function checkResponse(message: OutgoingResponse): void {
  const fields = pick(RESPONSES, "opcode", message?.opcode);
  if (message.opcode === "RESULT") checkFields(`RESULT ${message.kind}`, message, pick(RESULT_FIELDS, "kind", message.kind));
  else if (message.opcode === "EVENT") checkFields("EVENT", message, pick(EVENT_FIELDS, "eventType", message.eventType));
  else checkFields(message.opcode, message, fields);
}

export function checkOptions(what: "established" | "established.features" | "offer" | "limits", value: object): void {
  if (object(value)) throw new CqlError("CQL_OPTION", `${what} is ${describe(value)}: expected an object`);
  checkFields(what, value, { established: ESTABLISHED, "established.features": FEATURES, offer: FEATURES, limits: LIMITS }[what]);
}

/** A SUPPORTED, or as much of it as says something. */
export function checkSupported(what: string, message: { options: unknown }): void {
  const expected = reading(what, () => recordOf(listOf(text))(Object(message).options));
  if (expected) throw new CqlError("CQL_OPTION", `${what} has ${describe(message)}: expected a SUPPORTED message, whose options are ${expected}`);
}
