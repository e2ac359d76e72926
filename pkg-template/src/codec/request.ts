// One request message → the codec's calls, in the order of `src/conn/request.rs`.
import type { Conn, Metadata } from "#glue";
import type { BatchMessage, ColumnSpec, CqlType, ExecuteMessage, PreparedMessage, QueryMessage, RequestMessage } from "../../types/index.js";
import { bind } from "./bind.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { currentGeneration, instance } from "./wasm.ts";

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

function consistencyCode(name: string | undefined, option: string): number {
  consistencies ??= new Map(instance().tables().consistencies);
  const code = consistencies.get(name ?? "LOCAL_ONE");
  if (code !== undefined) return code;
  throw new CqlError("CQL_OPTION", `${option} is ${JSON.stringify(name)}: expected one of ${[...consistencies.keys()].join(", ")}`);
}

/** The fields of each message; another one is an error, because a misspelt option would be dropped in silence. */
const FRAME = ["opcode", "tracing", "customPayload"];
const OPTIONS = ["consistency", "serialConsistency", "timestamp", "keyspace", "nowInSeconds"];
const PAGING = ["pageSize", "pageState", "skipMetadata"];
const FIELDS: Record<RequestMessage["opcode"], readonly string[]> = {
  STARTUP: ["options"],
  OPTIONS: [],
  PREPARE: ["query", "keyspace"],
  REGISTER: ["eventTypes"],
  AUTH_RESPONSE: ["token"],
  QUERY: ["query", "params", "types", ...OPTIONS, ...PAGING],
  EXECUTE: ["prepared", "params", ...OPTIONS, ...PAGING],
  BATCH: ["type", "statements", ...OPTIONS],
};

/** Appends one request. On an error the caller aborts, which takes all of it back. */
export function writeRequest(conn: Conn, message: RequestMessage, stream: number): void {
  const fields = FIELDS[message.opcode];
  if (!fields) throw new CqlError("CQL_OPTION", `opcode is ${String(message.opcode)}: expected one of ${Object.keys(FIELDS).join(", ")}`);
  const unknown = Object.keys(message).find((name) => !fields.includes(name) && !FRAME.includes(name));
  if (unknown !== undefined) throw new CqlError("CQL_OPTION", `${message.opcode} has no field ${JSON.stringify(unknown)}`);
  if (message.tracing) conn.trace_next();
  for (const [name, value] of Object.entries(message.customPayload ?? {})) conn.payload(name, value ?? undefined);
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
  const types = instance().tables().batch_types;
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
      if (statement.params && !Array.isArray(statement.params)) {
        throw new CqlError("CQL_PARAMS", `${where}: a statement given as text in a BATCH takes its parameters by place`);
      }
      putUntyped(conn, statement.params, statement.types, where);
    }
  });
  end(conn, message);
}

function end(conn: Conn, message: QueryMessage | ExecuteMessage | BatchMessage): void {
  const { serialConsistency, timestamp, keyspace, nowInSeconds } = message;
  const { skipMetadata = false, pageSize, pageState } = message.opcode === "BATCH" ? ({} as Partial<QueryMessage>) : message;
  for (const [name, value] of Object.entries({ pageSize, nowInSeconds })) {
    if (value !== undefined && (value | 0) !== value) throw new CqlError("CQL_OPTION", `${name} is ${String(value)}: expected a whole number of 32 bits`);
  }
  const serial = serialConsistency === undefined ? undefined : consistencyCode(serialConsistency, "serialConsistency");
  conn.end_request(skipMetadata, pageSize, pageState ?? undefined, serial, microseconds(timestamp), keyspace, nowInSeconds);
}

function microseconds(timestamp: number | bigint | undefined): bigint | undefined {
  if (timestamp === undefined) return undefined;
  if (typeof timestamp === "bigint" ? BigInt.asIntN(64, timestamp) === timestamp : Number.isSafeInteger(timestamp)) return BigInt(timestamp);
  throw new CqlError("CQL_OPTION", `timestamp is ${String(timestamp)}: expected microseconds since 1970 as a bigint or a safe integer`);
}

/** Values of a prepared statement: by place, or by the names of PREPARED, exact case. */
function putParams(conn: Conn, types: Metadata, specs: readonly ColumnSpec[], params: Params, where: string): void {
  const values = Array.isArray(params) ? params : byName(params as Record<string, unknown>, specs, where);
  if (values.length !== specs.length) {
    const names = specs.map((spec) => spec.name).join(", ");
    throw new CqlError("CQL_PARAMS", `${where}: ${values.length} parameters for ${specs.length} bind markers (${names})`);
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
    throw new CqlError("CQL_PARAMS", `${where}: no bind marker is called ${JSON.stringify(unknown)}; there are ${names.join(", ")}`);
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
  values.forEach((value, index) => {
    const type = typeOf(index);
    const shown = `${where}, parameter ${names ? names[index]! : index}`;
    const plain = value === null || typeof value === "symbol" || value instanceof Uint8Array;
    if (type === undefined && !plain) {
      throw new CqlError("CQL_PARAMS", `${shown}: the type of a parameter of a statement that is not prepared must be given in types`);
    }
    const { metadata, description } = typeHandle(type ?? "blob");
    conn.value(metadata, 0, names?.[index]);
    bind(conn, description, value, () => shown);
  });
}

/** Types by their CQL text, as Rust and as JavaScript know them. Bounded; of one instance. */
let typeCache = new Map<string, { metadata: Metadata; description: CqlType }>();
let typeCacheGeneration = -1;
const MOST_TYPES = 1000;

export function typeHandle(text: string): { metadata: Metadata; description: CqlType } {
  const { Metadata } = instance();
  if (typeCacheGeneration !== currentGeneration() || typeCache.size >= MOST_TYPES) {
    typeCache = new Map();
    typeCacheGeneration = currentGeneration();
  }
  let handle = typeCache.get(text);
  if (!handle) {
    try {
      const metadata = Metadata.of_type(text);
      handle = { metadata, description: (metadata.describe() as ColumnSpec[])[0]!.type };
    } catch (error) {
      if (!isWasmError(error)) throw error;
      throw new CqlError("CQL_TYPE", `${JSON.stringify(text)} is not a CQL type: ${error.what} ${error.meaning} at character ${error.at}`, { offset: error.at });
    }
    typeCache.set(text, handle);
  }
  return handle;
}
