// The one error class. `code` is stable; the texts may change.
import type { CqlErrorFields } from "../../types/index.js";

const BRAND = Symbol.for("cqlwire.CqlError");

export class CqlError extends Error {
  readonly code: string;
  readonly [field: string]: unknown;

  constructor(code: string, message: string, fields: CqlErrorFields = {}) {
    const { cause, ...rest } = fields;
    super(message, cause === undefined ? undefined : { cause });
    const { code: _code, message: _message, ...own } = rest; // a field does not take their place
    Object.assign(this, own);
    this.name = "CqlError";
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  // True also for errors of another copy of this package.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** What the codec throws: a plain object, see `JsError` in `src/wasm/shapes.rs`. */
export interface WasmError {
  kind: string;
  /** Where in the message that was read; empty where that is not said. */
  path: string;
  what: string;
  at: number;
  element: number | null;
  /** The end of a sentence that begins with `what`. */
  meaning: string;
  message: string;
}

export function isWasmError(error: unknown): error is WasmError {
  return typeof error === "object" && error !== null && "kind" in error && "at" in error;
}

/** Bytes that could not be read: a body (`CQL_DECODE`), or the stream itself (`CQL_FRAMING`), which nothing follows. */
export function decodeError(code: "CQL_DECODE" | "CQL_FRAMING", error: unknown, expected = ""): CqlError {
  if (!isWasmError(error)) throw error;
  const { kind, path, what, at, element, message } = error;
  return new CqlError(kind === "NoMetadata" ? "CQL_NO_METADATA" : code, message + expected, { kind, ...(path ? { path } : {}), what, offset: at, ...(element === null ? {} : { element }) });
}
