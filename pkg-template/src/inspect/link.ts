// Which answer belongs to which request, and what that says of values whose types are not on the wire: those of EXECUTE and BATCH, and rows
// without metadata. A stream has one request at a time, so the nth answer on a stream is that of the nth request, if both began together: a
// stream on which any pair does not fit has no pairs.
import { decodeValue } from "../codec/index.ts";
import type { ColumnSpec, PreparedMessage, ReceivedRequest, RowsMessage } from "../../types/index.js";
import type { AnyMessage, Found } from "./messages.ts";

/** A parameter of a request; `type` and `value` where the statement's PREPARED is in the paste. */
export interface Param {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly bytes: unknown;
  readonly value?: unknown;
  readonly error?: string;
}

export interface Link {
  request?: Found;
  answer?: Found;
  /** Of EXECUTE, and of the rows that answer one. */
  statement?: Statement;
  /** Of QUERY and EXECUTE one list; of BATCH one for each statement. */
  params?: { readonly text: string; readonly params: Param[] }[];
  /** With columns, if they are known. */
  rows?: RowsMessage;
  /** Why they are not, or whose columns they have. */
  rowsNote?: string;
}

export interface Statement {
  readonly prepared: PreparedMessage;
  /** Where its PREPARE is there too. */
  readonly text: string | undefined;
}

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What the answers to a request can be. */
const ANSWERS: Record<string, (opcode: string, kind: string | undefined) => boolean> = {
  STARTUP: (opcode) => opcode === "READY" || opcode === "AUTHENTICATE",
  OPTIONS: (opcode) => opcode === "SUPPORTED",
  REGISTER: (opcode) => opcode === "READY",
  AUTH_RESPONSE: (opcode) => opcode === "AUTH_CHALLENGE" || opcode === "AUTH_SUCCESS",
  PREPARE: (opcode, kind) => opcode === "RESULT" && (kind === "Prepared" || kind === undefined),
  QUERY: (opcode, kind) => opcode === "RESULT" && kind !== "Prepared",
  EXECUTE: (opcode, kind) => opcode === "RESULT" && kind !== "Prepared",
  BATCH: (opcode, kind) => opcode === "RESULT" && kind !== "Prepared",
};
const kindOf = (message: AnyMessage): string | undefined => ("kind" in message ? message.kind : undefined);
const fits = (request: Found, answer: Found): boolean =>
  answer.message.opcode === "ERROR" || (ANSWERS[request.message.opcode]?.(answer.message.opcode, kindOf(answer.message)) ?? false);

export function link(found: readonly Found[]): Map<Found, Link> {
  const links = new Map<Found, Link>(found.map((one) => [one, {}]));
  pair(found, links);
  const statements = new Map<string, Statement>();
  for (const one of found) {
    const { message } = one;
    if (kindOf(message) !== "Prepared" || message.error) continue;
    const request = links.get(one)!.request?.message;
    const id = hex((message as PreparedMessage).id);
    const text = request && "query" in request ? request.query : undefined;
    statements.set(id, { prepared: message as PreparedMessage, text: text ?? statements.get(id)?.text });
  }
  // After a change of the columns the newer ones count, from the answer that told them on.
  const changed = new Map<string, readonly ColumnSpec[]>();
  for (const one of found) {
    const own = links.get(one)!;
    if (one.message.error) continue;
    if (one.way.role === "server") readParams(one.message as ReceivedRequest, own, statements);
    else if (kindOf(one.message) === "Rows") readRows(one.message as RowsMessage, own, statements, changed);
  }
  return links;
}

function pair(found: readonly Found[], links: Map<Found, Link>): void {
  const streams = new Map<number, { requests: Found[]; answers: Found[] }>();
  for (const one of found) {
    const { stream } = one.message;
    if (stream < 0) continue; // events
    const both = streams.get(stream) ?? { requests: [], answers: [] };
    streams.set(stream, both);
    (one.way.role === "server" ? both.requests : both.answers).push(one);
  }
  for (const { requests, answers } of streams.values()) {
    const pairs = requests.slice(0, answers.length).map((request, index): [Found, Found] => [request, answers[index]!]);
    if (answers.length > requests.length || !pairs.every(([request, answer]) => fits(request, answer))) continue;
    for (const [request, answer] of pairs) {
      links.get(request)!.answer = answer;
      links.get(answer)!.request = request;
    }
  }
}

function readParams(message: ReceivedRequest, own: Link, statements: ReadonlyMap<string, Statement>): void {
  if (message.opcode === "QUERY") {
    const { params, names, query } = message as { params?: unknown[]; names?: string[]; query: string };
    if (params?.length) own.params = [{ text: query, params: params.map((bytes, index) => ({ name: names?.[index], type: undefined, bytes })) }];
  } else if (message.opcode === "EXECUTE") {
    const { id, params, names } = message as { id: Uint8Array; params?: unknown[]; names?: string[] };
    const statement = statements.get(hex(id));
    if (statement) own.statement = statement;
    if (params?.length) own.params = [{ text: statementText(id, statement), params: typed(params, names, statement) }];
  } else if (message.opcode === "BATCH") {
    const { statements: all } = message as { statements: readonly { query?: string; id?: Uint8Array; params?: readonly unknown[] }[] };
    own.params = all.map(({ query, id, params = [] }) => {
      const statement = id && statements.get(hex(id));
      return { text: query ?? statementText(id!, statement), params: typed(params, undefined, statement) };
    });
  }
}

export const statementText = (id: Uint8Array, statement: Statement | undefined): string =>
  statement?.text ?? `statement 0x${hex(id)}${statement ? "" : ", not prepared in this paste"}`;

function typed(params: readonly unknown[], names: readonly string[] | undefined, statement: Statement | undefined): Param[] {
  return params.map((bytes, index) => {
    const specs = statement?.prepared.bind ?? [];
    const spec = names ? specs.find(({ name }) => name === names[index]) : specs[index];
    const name = names?.[index] ?? spec?.name;
    if (!spec || !(bytes instanceof Uint8Array)) return { name, type: spec?.type.text, bytes };
    try {
      return { name, type: spec.type.text, bytes, value: decodeValue(spec.type, bytes) };
    } catch (error) {
      return { name, type: spec.type.text, bytes, error: (error as Error).message };
    }
  });
}

function readRows(rows: RowsMessage, own: Link, statements: ReadonlyMap<string, Statement>, changed: Map<string, readonly ColumnSpec[]>): void {
  const request = own.request?.message;
  const id = request?.opcode === "EXECUTE" && "id" in request && request.id ? hex(request.id) : undefined;
  const statement = id === undefined ? undefined : statements.get(id);
  if (statement) own.statement = statement;
  if (!rows.cells) {
    own.rows = rows;
    if (id !== undefined && rows.newMetadataId) changed.set(id, rows.metadata);
    return;
  }
  const columns = (id !== undefined && changed.get(id)) || statement?.prepared.result;
  if (!columns) {
    own.rowsNote = `These rows came without their columns' description, and the PREPARED that told it is not in this paste${request ? "" : ", or the EXECUTE they answer"}: cells are bytes.`;
  } else if (columns.length !== rows.columnCount) {
    own.rowsNote = `These rows came without their columns' description. Their statement has ${columns.length} columns, they have ${rows.columnCount}: cells are bytes.`;
  } else {
    try {
      own.rows = rows.decode(columns);
      own.rowsNote = "These rows came without their columns' description: it is that of the statement whose EXECUTE they answer, going by stream and order.";
    } catch (error) {
      own.rowsNote = `These rows came without their columns' description, and do not read with that of the statement whose EXECUTE they answer: ${(error as Error).message}.`;
    }
  }
}
