// Values and messages as text for people: one line, of bounded length whatever the value is.
import { Decimal, INSPECT, empty, serverError, unset } from "../codec/index.ts";
import type { BatchMessage, EventMessage, ErrorMessage, PreparedMessage, RowsMessage, SchemaChange } from "../../types/index.js";
import { type Link, hex, statementText } from "./link.ts";
import type { AnyMessage } from "./messages.ts";

const MOST = 200;
const MOST_BITS = 8192;

/** A value as `decodeValue` gives it. */
export function show(value: unknown, most = MOST): string {
  let text = "";
  const put = (piece: string): boolean => (text += piece).length <= most;
  const list = <T>(open: string, items: Iterable<T>, close: string, each: (item: T) => void): void => {
    put(open);
    let isFirst = true;
    for (const item of items) {
      if (!put(isFirst ? "" : ", ")) return;
      isFirst = false;
      each(item);
    }
    put(close);
  };
  const write = (value: unknown): void => {
    if (text.length > most) return;
    const digits = typeof value === "bigint" ? value : value instanceof Decimal ? value.unscaled : 0n;
    if (BigInt.asIntN(MOST_BITS, digits) !== digits) put("a number of very many digits"); // they would take long to make
    else if (value === unset) put("unset");
    else if (value === empty) put("empty");
    else if (typeof value === "string") put(JSON.stringify(value.length > most ? value.slice(0, most) : value));
    else if (typeof value !== "object" || value === null) put(Object.is(value, -0) ? "-0" : String(value));
    else if (value instanceof Date) put(value.toISOString());
    else if (value instanceof Uint8Array) put(value.length ? `0x${hex(value.subarray(0, most))}` : "0 bytes");
    else if (ArrayBuffer.isView(value)) list("[", value as unknown as Iterable<unknown>, "]", write);
    else if (INSPECT in value) put(String(value)); // Decimal, LocalDate, LocalTime, Duration
    else if (value instanceof Map) list("{", value, "}", ([key, item]) => (write(key), put(": "), write(item)));
    else if (Array.isArray(value)) list("[", value, "]", write);
    else list("{", Object.entries(value), "}", ([key, item]) => (put(`${key}: `), write(item)));
  };
  write(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

const plural = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

const schemaChange = ({ changeType, target, keyspace, name, argumentTypes }: SchemaChange): string =>
  `${changeType} ${target} ${keyspace}${name ? `.${name}` : ""}${argumentTypes ? `(${argumentTypes.join(", ")})` : ""}`;

/** What a message says, in a line; its opcode and kind stand before it. Nothing of a token. */
export function summary(message: AnyMessage, own: Link): string {
  if (message.error) return message.error.message;
  switch (message.opcode) {
    case "STARTUP":
      return show((message as { options: unknown }).options);
    case "SUPPORTED":
      return show({ ...(message as { options: object }).options });
    case "QUERY":
    case "PREPARE":
      return cut((message as { query: string }).query);
    case "EXECUTE":
      return `${cut(statementText((message as { id: Uint8Array }).id, own.statement))}${own.params ? ` · ${plural(own.params[0]!.params.length, "value")}` : ""}`;
    case "BATCH": {
      const { type = "LOGGED", statements } = message as BatchMessage;
      return `${type} · ${plural(statements.length, "statement")}${own.params?.length ? ` · ${cut(own.params[0]!.text, 100)}` : ""}`;
    }
    case "REGISTER":
      return (message as { eventTypes: string[] }).eventTypes.join(", ");
    case "AUTHENTICATE":
      return (message as { authenticator: string }).authenticator;
    case "ERROR":
      return `${serverError(message as ErrorMessage).code.replace(/^CQL_/, "")} · ${cut((message as ErrorMessage).message)}`;
    case "EVENT":
      return eventText(message as EventMessage);
    case "RESULT":
      return resultText(message as unknown as { kind: string }, own);
    default:
      return "token" in message ? tokenText(message.token) : "";
  }
}

const cut = (text: string, most = MOST): string => (text.length > most ? `${text.slice(0, most)}…` : text);
export const tokenText = (token: Uint8Array | null): string => (token ? `token of ${plural(token.length, "byte")}` : "no token");

function eventText(message: EventMessage): string {
  if (message.eventType === "SCHEMA_CHANGE") return `SCHEMA_CHANGE · ${schemaChange(message)}`;
  if (message.eventType === "UNKNOWN") return message.unknownType;
  if (message.eventType === "CLIENT_ROUTES_CHANGE") return `${message.eventType} · ${message.changeType} ${plural(message.hostIds.length, "host")}`;
  return `${message.eventType} · ${message.changeType} ${message.address}:${message.port}`;
}

function resultText(message: { kind: string }, own: Link): string {
  switch (message.kind) {
    case "Rows": {
      const { length, columnCount, pagingState } = message as RowsMessage;
      const names = own.rows ? ` · ${cut(own.rows.metadata.map(({ name }) => name).join(", "), 100)}` : "";
      return `${plural(length, "row")} × ${plural(columnCount, "column")}${pagingState ? ", more follow" : ""}${names}`;
    }
    case "Prepared": {
      const { id, bind } = message as unknown as PreparedMessage;
      return `0x${hex(id)} · ${plural(bind.length, "bind marker")}`;
    }
    case "Set_keyspace":
      return (message as unknown as { keyspace: string }).keyspace;
    case "Schema_change":
      return schemaChange(message as unknown as SchemaChange);
    default:
      return "";
  }
}
