// A server's ERROR message → the error that it stands for.
import type { ErrorMessage } from "../../types/index.js";
import { CqlError } from "./errors.ts";
import { tables } from "./wasm.ts";

let names: Map<number, string> | undefined;

/** The error that an ERROR message stands for: `CQL_` and the code's name, the server's words, the code's own fields. */
export function serverError(message: ErrorMessage): CqlError {
  // One that could not be read has its own error.
  const { error } = Object(message) as { error?: unknown };
  if (error instanceof CqlError) return error;
  if (Object(message).opcode !== "ERROR") throw new CqlError("CQL_OPTION", "serverError has another message: expected an ERROR");
  names ??= new Map(tables().errors);
  const { opcode: _opcode, stream: _stream, version: _version, code, message: text, ...fields } = message;
  // For rate limits each node says the number, so this error is told by its fields.
  const name = message.opType === undefined ? `CQL_${names.get(code) ?? `0x${(code >>> 0).toString(16).padStart(4, "0")}`}` : "CQL_RATE_LIMIT_ERROR";
  return new CqlError(name, text, { ...fields, errorCode: code });
}
