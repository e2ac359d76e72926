// One request message → the codec's calls, in the order of `src/conn/request.rs`.
import type { Conn, Metadata } from "#glue";
import type { BatchMessage, ColumnSpec, CqlType, ExecuteMessage, PreparedMessage, QueryMessage, RequestMessage } from "../../types/index.js";
import { bind } from "./bind.ts";
import { checkRequest, describe, isBytes } from "./check.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { currentGeneration, instance, tables } from "./wasm.ts";

/** The metadata of a prepared statement, as Rust holds it. */
interface Handles {
  bind: Metadata;
  result: Metadata;
}
const handles = new WeakMap<PreparedMessage, Handles & { generation: number }>();

export function keepHandles(prepared: PreparedMessage, { bind, result }: Handles): void {
  handles.set(prepared, { bind, result, generation: currentGeneration() });
}

export function handlesOf(prepared: PreparedMessage): Handles {
  const found = handles.get(prepared);
  if (!found) throw new CqlError("CQL_OPTION", "prepared is not a PREPARED message that this codec gave: a copy of one does not know its types");
  if (found.generation !== currentGeneration()) throw new CqlError("CQL_WASM", "the statement belongs to a failed instance: prepare it again");
  return found;
}

let consistencies: Map<string, number> | undefined;
const consistencyCodes = (): Map<string, number> => (consistencies ??= new Map(tables().consistencies));

export function consistencyNames(): string[] {
  return [...consistencyCodes().keys()];
}

function consistencyCode(name: string | undefined, option: string): number {
  const code = consistencyCodes().get(name ?? "LOCAL_ONE");
  if (code !== undefined) return code;
  throw new CqlError("CQL_OPTION", `${option} is ${JSON.stringify(name)}: expected one of ${consistencyNames().join(", ")}`);
}

/** Appends one request. On an error the caller aborts, which takes all of it back. */
export function writeRequest(conn: Conn, message: RequestMessage, stream: number): void {
  checkRequest(message);
  const payload = Object.entries(message.customPayload ?? {});
  if (message.tracing) conn.trace_next();
  for (const [name, value] of payload) conn.payload(name, value ?? undefined);
  try {
    write(conn, message, stream);
  } catch (error) {
    if (!isWasmError(error)) throw error;
    throw new CqlError("CQL_ENCODE", `${message.opcode}: ${error.what} ${error.meaning}`, { kind: error.kind, what: error.what });
  }
}

function write(conn: Conn, message: RequestMessage, stream: number): void {
  switch (message.opcode) {
    case "STARTUP":
      return conn.startup(stream, Object.entries(message.options).flat());
    case "OPTIONS":
      return conn.options(stream);
    case "PREPARE":
      return conn.prepare(stream, message.query, message.keyspace);
    case "REGISTER":
      return conn.register(stream, message.eventTypes);
    case "AUTH_RESPONSE":
      return conn.auth_response(stream, message.token ?? undefined);
    case "QUERY":
      conn.begin_query(stream, message.query, consistencyCode(message.consistency, "consistency"));
      putUntyped(conn, message.params, message.types, message.query);
      return end(conn, message);
    case "EXECUTE": {
      const { prepared, params } = message;
      const { bind } = handlesOf(prepared);
      conn.begin_execute(stream, prepared.id, prepared.resultMetadataId, consistencyCode(message.consistency, "consistency"));
      putParams(conn, bind, prepared.bind, params ?? [], "EXECUTE");
      return end(conn, message);
    }
    case "BATCH":
      return writeBatch(conn, message, stream);
  }
}

function writeBatch(conn: Conn, message: BatchMessage, stream: number): void {
  const types = tables().batch_types;
  const type = types.indexOf(message.type ?? "LOGGED");
  if (type < 0) throw new CqlError("CQL_OPTION", `type is ${JSON.stringify(message.type)}: expected ${types.join(", ")}`);
  conn.begin_batch(stream, type, consistencyCode(message.consistency, "consistency"));
  message.statements.forEach((statement, index) => {
    const where = `statement ${index}`;
    if ("prepared" in statement) {
      const { bind } = handlesOf(statement.prepared);
      conn.statement_prepared(statement.prepared.id);
      putParams(conn, bind, statement.prepared.bind, statement.params ?? [], where);
    } else {
      conn.statement_text(statement.query);
      putUntyped(conn, statement.params, statement.types, where);
    }
  });
  end(conn, message);
}

function end(conn: Conn, message: QueryMessage | ExecuteMessage | BatchMessage): void {
  const { serialConsistency, timestamp, keyspace, nowInSeconds } = message;
  const { skipMetadata = false, pageSize, pageState } = message.opcode === "BATCH" ? ({} as Partial<QueryMessage>) : message;
  const serial = serialConsistency === undefined ? undefined : consistencyCode(serialConsistency, "serialConsistency");
  conn.end_request(skipMetadata, pageSize, pageState ?? undefined, serial, timestamp === undefined ? undefined : BigInt(timestamp), keyspace, nowInSeconds);
}

/** Values of a prepared statement: by place, or by the names of PREPARED, exact case. */
function putParams(conn: Conn, types: Metadata, specs: readonly ColumnSpec[], params: Params, where: string): void {
  const values = Array.isArray(params) ? params : byName(params as Record<string, unknown>, specs, where);
  if (values.length !== specs.length) {
    const names = specs.length ? ` (${specs.map((spec) => spec.name).join(", ")})` : "";
    throw new CqlError("CQL_PARAMS", `${where}: ${values.length} parameters for ${specs.length} bind markers${names}`);
  }
  specs.forEach((spec, index) => {
    conn.value(types, index);
    bind(conn, spec.type, values[index], () => `${where}, parameter ${index} (${spec.name})`);
  });
}

type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

function byName(params: Record<string, unknown>, specs: readonly ColumnSpec[], where: string): unknown[] {
  const names = specs.map((spec) => spec.name);
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const there = names.length ? `there are ${names.join(", ")}` : "the query has none";
    throw new CqlError("CQL_PARAMS", `${where}: no bind marker is called ${JSON.stringify(unknown)}: ${there}`);
  }
  return names.map((name, index) => {
    if (!Object.hasOwn(params, name)) throw new CqlError("CQL_PARAMS", `${where}: no parameter for bind marker ${JSON.stringify(name)}`);
    if (names.indexOf(name) !== index) {
      throw new CqlError("CQL_PARAMS", `${where}: several bind markers are called ${JSON.stringify(name)}: give the parameters by place`);
    }
    return params[name];
  });
}

/** Values of a statement as text: of the types the caller says, else ready bytes, null and unset. Types are never guessed. */
function putUntyped(conn: Conn, params: Params | undefined, types: QueryMessage["types"], where: string): void {
  if (params === undefined) return;
  const named = !Array.isArray(params);
  const names = named ? Object.keys(params) : undefined;
  const values = named ? Object.values(params) : (params as readonly unknown[]);
  const typeOf = (index: number): string | undefined => (names ? (types as Record<string, string>)?.[names[index]!] : (types as string[])?.[index]);
  // Array.from: a hole is a value that is missing, not one to pass over.
  Array.from(values).forEach((value, index) => {
    const type = typeOf(index);
    const shown = `${where}, parameter ${names ? names[index]! : index}`;
    const plain = value === null || typeof value === "symbol" || isBytes(value);
    if (type === undefined && !plain) {
      throw new CqlError("CQL_PARAMS", `${shown}: the type of a parameter of a statement that is not prepared must be given in types`);
    }
    const { metadata, index: column, description } = typeHandle(type ?? "blob");
    conn.value(metadata, column, names?.[index]);
    bind(conn, description, value, () => shown);
  });
}

interface TypeHandle {
  readonly metadata: Metadata;
  /** Which of the metadata's columns. */
  readonly index: number;
  readonly description: CqlType;
}

/** Types by their CQL text, as Rust and as JavaScript know them. Bounded; of one instance. */
let typesByText = new Map<string, TypeHandle>();
let typesGeneration = -1;
const MOST_TYPES = 1000;
/** The types of columns that came from a server: a UDT has no text that says its fields. */
const typesOfColumns = new WeakMap<CqlType, TypeHandle & { generation: number }>();

/** Names and types for users, frozen to the leaves: they are shared by every result of the statement. */
export function describeMetadata(metadata: Metadata): readonly ColumnSpec[] {
  const specs = metadata.describe() as ColumnSpec[];
  specs.forEach((spec, index) => {
    freezeType(spec.type);
    typesOfColumns.set(spec.type, { metadata, index, description: spec.type, generation: currentGeneration() });
    Object.freeze(spec);
  });
  return Object.freeze(specs);
}

function freezeType(type: CqlType): void {
  type.of.forEach(freezeType);
  Object.freeze(type.of);
  if (type.names) Object.freeze(type.names);
  Object.freeze(type);
}

export function typeHandle(type: string | CqlType): TypeHandle {
  const ofColumn = typeof type === "object" && type !== null ? typesOfColumns.get(type) : undefined;
  if (ofColumn?.generation === currentGeneration()) return ofColumn;
  const text = typeof type === "string" ? type : type?.text;
  if (typeof text !== "string") throw new CqlError("CQL_TYPE", `${describe(type)} is not a CQL type: expected its text, or a type of a column`);
  const { Metadata } = instance();
  if (typesGeneration !== currentGeneration() || typesByText.size >= MOST_TYPES) {
    typesByText = new Map();
    typesGeneration = currentGeneration();
  }
  let handle = typesByText.get(text);
  if (!handle) {
    try {
      const metadata = Metadata.of_type(text);
      handle = { metadata, index: 0, description: describeMetadata(metadata)[0]!.type };
    } catch (error) {
      if (!isWasmError(error)) throw error;
      throw new CqlError("CQL_TYPE", `${JSON.stringify(text.slice(0, 60))} is not a CQL type: ${error.what} ${error.meaning} at character ${error.at}`, {
        offset: error.at,
      });
    }
    typesByText.set(text, handle);
  }
  return handle;
}
