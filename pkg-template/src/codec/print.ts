// A message as one line of text, for logs: what is set, in the order in which the fields are declared; bytes only by size, tokens not at all.
import type { CqlType, Message, OutgoingResponse, ReceivedRequest, RequestMessage } from "../../types/index.js";
import { fieldNames } from "./check.ts";
import { CqlError } from "./errors.ts";
import { describe, isBytes, reading } from "./given.ts";
import { unset } from "./values.ts";

/** Most characters of a text, most items of a list. */
const LONGEST = 100;
const MOST = 10;
const DEEPEST = 4;
/** They hold passwords, or what stands for one. */
const SECRETS = new Set(["AUTH_RESPONSE", "AUTH_CHALLENGE", "AUTH_SUCCESS"]);
/** What Rows have instead of long lists. */
const ROWS = ["length", "columnCount", "noMetadata", "pagingState", "newMetadataId"];

export function messageText(message: Message | ReceivedRequest | RequestMessage | OutgoingResponse): string {
  if (typeof message !== "object" || message === null) throw new CqlError("CQL_OPTION", `messageText has ${describe(message)}: expected a message`);
  return reading("the message", () => lineOf(message as unknown as Record<string, unknown>));
}

function lineOf(fields: Record<string, unknown>): string {
  const { opcode, kind, stream, error } = fields;
  const head = [opcode ?? "framing error", kind].filter((word) => word !== undefined).map(String);
  if (stream !== undefined && stream !== null) head.push(`stream=${String(stream)}`);
  if (error !== undefined) return [...head, `error=${JSON.stringify(String((error as Error).message))}`].join(" ");
  const isRows = kind === "Rows";
  const shown = isRows ? [...ROWS] : fieldNames(fields).filter((name) => !["opcode", "kind", "stream", "trace"].includes(name));
  for (const name of ["tracingId", "warnings", "customPayload"]) if (isRows) shown.push(name);
  for (const name of shown) {
    const value = fields[name];
    if (value === undefined || value === null || value === false) continue;
    head.push(`${name}=${SECRETS.has(String(opcode)) && name === "token" ? "***" : text(value)}`);
  }
  return head.join(" ");
}

function text(value: unknown, depth = 0): string {
  if (depth > DEEPEST) return "…"; // also an object that holds itself
  if (value === null) return "null";
  if (value === unset) return "unset";
  if (typeof value === "string") return value.length > LONGEST ? `${JSON.stringify(value.slice(0, LONGEST))}… (${value.length} characters)` : JSON.stringify(value);
  if (isBytes(value)) return `<${value.length} bytes>`;
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST).map((item) => text(item, depth + 1));
    return `[${items.join(", ")}${value.length > MOST ? `, … ${value.length - MOST} more` : ""}]`;
  }
  if (typeof value !== "object") return String(value);
  const { name, type, query, id, opcode } = value as { name?: string; type?: CqlType; query?: string; id?: unknown; opcode?: string };
  if (name !== undefined && type !== undefined) return `${name} ${type.text ?? String(type)}`;
  if (opcode === "RESULT" && isBytes(id)) return `<prepared, ${id.length} bytes>`;
  if (query !== undefined || id !== undefined) return text(query ?? id, depth + 1);
  const entries = Object.entries(value);
  const items = entries.slice(0, MOST).map(([key, item]) => `${key}: ${text(item, depth + 1)}`);
  return `{${items.join(", ")}${entries.length > MOST ? `, … ${entries.length - MOST} more` : ""}}`;
}
