// One request message → the codec's calls, in the order of `src/conn/build.rs`.
import type { Conn } from "#glue";
import type { BatchMessage, ColumnSpec, CqlTypeInput, ExecuteMessage, PreparedMessage, QueryMessage, RequestMessage } from "../../types/index.js";
import { bind, finish, withValues } from "./bind.ts";
import { checkRequest } from "./check.ts";
import { consistencyCode } from "./consistency.ts";
import { CqlError, isWasmError } from "./errors.ts";
import { MOST, describe, isBytes, isWellFormed, plainBytes, reading, unreadable } from "./given.ts";
import { isParamColumns } from "./param-columns.ts";
import { STEP, type Steps } from "./steps.ts";
import { type StatementHandle, statementHandle, typeHandle } from "./type.ts";
import type { ValueSettings } from "./value-options.ts";
import { tables } from "./wasm.ts";

/** Appends one request. On an error the caller aborts, which takes all of it back. */
export function writeRequest(conn: Conn, message: RequestMessage, stream: number, values: ValueSettings): void {
  reading(String(message?.opcode), () => checkRequest(message));
  if (message.tracing) conn.trace_next();
  if (message.useBeta) conn.use_beta();
  putPayload(conn, message.customPayload);
  named(message.opcode, () => write(conn, message, stream, values));
}

export function putPayload(conn: Conn, payload: RequestMessage["customPayload"]): void {
  if (!payload) return;
  const entries = Object.entries(payload);
  const size = entries.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);
  if (size > MOST) throw new CqlError("CQL_OPTION", `customPayload has ${size} bytes: a frame holds 256 MiB`);
  for (const [name, value] of entries) conn.payload(name, value ?? undefined);
}

/** What Rust refuses, said of this message. */
export function named(message: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isWasmError(error)) throw error;
    throw new CqlError("CQL_ENCODE", `${message}: ${error.what} ${error.meaning}`, { kind: error.kind, what: error.what });
  }
}

function write(conn: Conn, message: RequestMessage, stream: number, values: ValueSettings): void {
  switch (message.opcode) {
    case "QUERY":
      conn.begin_query(stream, message.query, consistencyCode(message.consistency, "consistency"));
      if (isEmptyArray(message.params)) conn.no_values();
      else if (message.params) withValues(conn, values.undefinedAs, (steps) => putUntyped(steps, message, message.query));
      return end(conn, message);
    case "EXECUTE":
      return writeExecute(conn, message, stream, values);
    case "BATCH":
      return writeBatch(conn, message, stream, values);
    case "STARTUP":
      return conn.write(stream, { opcode: message.opcode, options: Object.entries(message.options) });
    default:
      return conn.write(stream, message);
  }
}

function writeExecute(conn: Conn, message: ExecuteMessage, stream: number, values: ValueSettings): void {
  const { prepared, params, consistency } = message;
  const level = consistencyCode(consistency, "consistency");
  if (prepared) {
    const statement = statementHandle(prepared);
    if (statement.id === undefined) conn.begin_prepared(stream, statement.metadata, level);
    else conn.begin_execute(stream, statement.id, plainBytes(prepared.resultMetadataId), level);
    withValues(conn, values.undefinedAs, (steps) => {
      if (message.columns) putRows(steps, statement, message.columns, prepared, message.row ?? 0, (message.row ?? 0) + 1, EXECUTE);
      else putParams(steps, statement, params ?? [], EXECUTE);
    });
  } else {
    conn.begin_execute(stream, message.id, message.resultMetadataId ?? new Uint8Array(0), level);
    if (isEmptyArray(params)) conn.no_values();
    else if (params) withValues(conn, values.undefinedAs, (steps) => putUntyped(steps, message, "EXECUTE"));
  }
  end(conn, message);
}

/** Written as a list of no values: what was read so is written so. */
const isEmptyArray = (params: Params | undefined): boolean => reading("params", () => Array.isArray(params) && params.length === 0);

function writeBatch(conn: Conn, message: BatchMessage, stream: number, values: ValueSettings): void {
  const types = tables().batch_types;
  const type = types.indexOf(message.type ?? "LOGGED");
  if (type < 0) throw new CqlError("CQL_OPTION", `type is ${JSON.stringify(message.type)}: expected ${types.join(", ")}`);
  conn.begin_batch(stream, type, consistencyCode(message.consistency, "consistency"));
  let last: PreparedMessage | undefined;
  let handle: StatementHandle | undefined;
  withValues(conn, values.undefinedAs, (steps) => {
    let count = 0;
    message.statements.forEach((statement) => {
      steps.group = count++;
      if ("prepared" in statement) {
        const { prepared, params = [] } = statement;
        if (prepared !== last || !handle) handle = statementHandle((last = prepared));
        const { columns, from = 0, to = columns?.length } = statement;
        if (columns) count += putRows(steps, handle, columns, prepared, from, to!, STATEMENT) - 1;
        else putParams(steps, handle, params, STATEMENT);
      } else {
        finish(steps);
        if ("id" in statement) conn.statement_prepared(statement.id);
        else conn.statement_text(statement.query);
        putUntyped(steps, statement, STATEMENT(steps.group));
      }
    });
  });
  end(conn, message);
}

function end(conn: Conn, message: QueryMessage | ExecuteMessage | BatchMessage): void {
  const { serialConsistency, timestamp, keyspace, nowInSeconds } = message;
  const { skipMetadata = false, pageSize, pageState } = message.opcode === "BATCH" ? ({} as Partial<QueryMessage>) : message;
  const isPlain = !skipMetadata && pageSize === undefined && !pageState && (serialConsistency ?? timestamp ?? keyspace ?? nowInSeconds) === undefined;
  if (isPlain) return conn.end_plain(); // a call without a BigInt costs a fraction
  const serial = serialConsistency === undefined ? undefined : consistencyCode(serialConsistency, "serialConsistency");
  conn.end_request(skipMetadata, pageSize, pageState ?? undefined, serial, timestamp === undefined ? undefined : BigInt(timestamp), keyspace, nowInSeconds);
}

/** Where a parameter stands, for errors; of a BATCH, by statement. */
type Where = (statement: number) => string;
const EXECUTE: Where = () => "EXECUTE";
const STATEMENT: Where = (statement) => `statement ${statement}`;

/** Values of a prepared statement: by place, or by the names of PREPARED, exact case. */
function putParams(steps: Steps, handle: StatementHandle, params: Params, where: Where): void {
  const values = valuesOf(steps, params, handle.specs, where);
  beginStatement(steps, handle, where);
  steps.parameters(values, bind);
}

/** Read here: then nothing runs code of the caller's before the values are noted. */
function valuesOf(steps: Steps, params: Params, specs: readonly ColumnSpec[], where: Where): readonly unknown[] {
  try {
    if (!Array.isArray(params)) return byName(params as Record<string, unknown>, specs, where(steps.group));
    const { length } = params;
    if (length === specs.length) return steps.items(params, length);
    const names = specs.length ? ` (${specs.map((spec) => spec.name).join(", ")})` : "";
    throw new CqlError("CQL_PARAMS", `${where(steps.group)}: ${length} parameters for ${specs.length} bind markers${names}`);
  } catch (cause) {
    return unreadable(where(steps.group), cause);
  }
}

/** In a BATCH, the statement; then its values follow. */
function beginStatement(steps: Steps, { metadata, specs, id }: StatementHandle, where: Where): void {
  steps.use(metadata, specs, (group, column) => `${where(group)}, parameter ${column} (${specs[column]!.name})`);
  if (where !== STATEMENT) return;
  if (id === undefined) return steps.put(STEP.statement);
  finish(steps);
  steps.conn.statement_prepared(id);
}

/** The rows from `from` to `to`, each a statement; how many. */
function putRows(steps: Steps, handle: StatementHandle, given: unknown, prepared: PreparedMessage, from: number, to: number, where: Where): number {
  if (!isParamColumns(given)) throw new CqlError("CQL_OPTION", `${where(steps.group)} has ${describe(given)} as columns: expected what paramColumns gives`);
  if (given.prepared !== prepared) throw new CqlError("CQL_PARAMS", `${where(steps.group)}: the columns are of another statement`);
  given.range(where(steps.group), from, to);
  for (let row = from; row < to; row++) {
    if (row > from) steps.group++;
    beginStatement(steps, handle, where);
    steps.parameters(given.valuesOf(row), bind);
  }
  return to - from;
}

type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

function byName(params: Record<string, unknown>, specs: readonly ColumnSpec[], where: string): unknown[] {
  const names = specs.map((spec) => spec.name);
  const places = new Map(names.map((name, index) => [name, index])); // of two with one name, the last
  const unknown = Object.keys(params).find((name) => !places.has(name));
  if (unknown !== undefined) {
    const there = names.length ? `there are ${names.join(", ")}` : "the query has none";
    throw new CqlError("CQL_PARAMS", `${where}: no bind marker is called ${JSON.stringify(unknown)}: ${there}`);
  }
  return names.map((name, index) => {
    if (!Object.hasOwn(params, name)) throw new CqlError("CQL_PARAMS", `${where}: no parameter for bind marker ${JSON.stringify(name)}`);
    if (places.size !== names.length && names.indexOf(name) !== index) {
      throw new CqlError("CQL_PARAMS", `${where}: several bind markers are called ${JSON.stringify(name)}: give the parameters by place`);
    }
    return params[name];
  });
}

interface Untyped {
  params?: Params;
  names?: readonly string[];
  types?: QueryMessage["types"];
}

/** Values of a statement whose types nobody said: of those the caller gives, else ready bytes, null and unset. Types are never guessed. */
function putUntyped(steps: Steps, { params, names: given, types }: Untyped, where: string): void {
  if (params === undefined) return;
  const [names, values] = reading(where, (): [readonly string[] | undefined, unknown[]] => {
    if (Array.isArray(params)) return [given, Array.from(params)]; // a hole is a value that is missing, not one to pass over
    const entries = Object.entries(params);
    return [entries.map(([name]) => name), entries.map(([, value]) => value)];
  });
  if (names && !names.every(isWellFormed)) throw new CqlError("CQL_PARAMS", `${where}: a parameter's name has a lone surrogate, which has no UTF-8 form`);
  if (names && (names.length !== values.length || (given && names !== given))) {
    throw new CqlError("CQL_PARAMS", `${where}: ${values.length} parameters for ${(given ?? names).length} names`);
  }
  const typeOf = (index: number): CqlTypeInput | undefined =>
    Array.isArray(types) ? types[index] : names && types && Object.hasOwn(types, names[index]!) ? (types as Record<string, CqlTypeInput>)[names[index]!] : undefined;
  const shown = (index: number): string => `${where}, parameter ${names ? names[index]! : index}`;
  const { group } = steps;
  values.forEach((value, index) => {
    const type = reading(where, () => typeOf(index));
    const plain = value === null || typeof value === "symbol" || isBytes(value) || (value === undefined && steps.undefinedAs !== undefined);
    if (type === undefined && !plain) {
      throw new CqlError("CQL_PARAMS", `${shown(index)}: the type of a parameter of a statement that is not prepared must be given in types`);
    }
    const { metadata, index: column, specs } = typeHandle(type ?? "blob");
    steps.use(metadata, specs, shown);
    steps.group = index;
    if (names) {
      finish(steps);
      steps.conn.value(metadata, column, names[index]);
    }
    bind(steps, column, value, names !== undefined);
  });
  finish(steps);
  steps.group = group;
}
