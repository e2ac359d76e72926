// Errors.
import type { ErrorMessage } from "./responses.js";

/** What a `CqlError` has beside its code and message. */
export interface CqlErrorFields {
  /** As in any Error. */
  cause?: unknown;
  [field: string]: unknown;
}

/** What went wrong; the README has a line for each. Newer servers can have more. */
export type CqlErrorCode =
  | "CQL_OPTION" | "CQL_PARAMS" | "CQL_ENCODE" | "CQL_TYPE" | "CQL_VALUE" | "CQL_DECODE" | "CQL_NO_METADATA" | "CQL_FRAMING" | "CQL_COLUMN"
  | "CQL_RANGE" | "CQL_WASM" | "CQL_TIMEOUT_CLIENT" | "CQL_ABORTED" | "CQL_CONNECTION_CLOSED" | "CQL_QUEUE_FULL" | "CQL_CLIENT_CLOSED"
  | "CQL_STATEMENT_CHANGED" | "CQL_NO_HOST" | "CQL_CREDENTIALS" | "CQL_PROTOCOL" | "CQL_PROTOCOL_VERSION" | "CQL_SERVER_ERROR"
  | "CQL_PROTOCOL_ERROR" | "CQL_AUTHENTICATION_ERROR" | "CQL_UNAVAILABLE" | "CQL_OVERLOADED" | "CQL_IS_BOOTSTRAPPING"
  | "CQL_TRUNCATE_ERROR" | "CQL_WRITE_TIMEOUT" | "CQL_READ_TIMEOUT" | "CQL_READ_FAILURE" | "CQL_FUNCTION_FAILURE" | "CQL_WRITE_FAILURE"
  | "CQL_CDC_WRITE_FAILURE" | "CQL_CAS_WRITE_UNKNOWN" | "CQL_SYNTAX_ERROR" | "CQL_UNAUTHORIZED" | "CQL_INVALID" | "CQL_CONFIG_ERROR"
  | "CQL_ALREADY_EXISTS" | "CQL_UNPREPARED" | "CQL_RATE_LIMIT_ERROR"
  | (string & {});

/**
 * The one error class. `code` is stable: `CQL_ENCODE`, `CQL_PARAMS`, `CQL_OPTION`, `CQL_TYPE`, `CQL_VALUE` (what was given), `CQL_DECODE`,
 * `CQL_FRAMING`, `CQL_NO_METADATA` (bytes that came), `CQL_COLUMN`, `CQL_RANGE` (look-ups), `CQL_WASM` (the instance), and of a
 * server's ERROR `CQL_` and its name, as `CQL_UNAVAILABLE`.
 *
 * @example
 * ```js
 * try {
 *   encodeValue("int", "one");
 * } catch (error) {
 *   error instanceof CqlError; // → true
 *   error.code; // → 'CQL_ENCODE'
 * }
 * ```
 */
export class CqlError extends Error {
  constructor(code: CqlErrorCode, message: string, fields?: CqlErrorFields);
  /** Stable, where the message is not. */
  readonly code: CqlErrorCode;
  /** The protocol's number, of a server's ERROR. */
  readonly errorCode?: number;
  /** The client's: the text of the query it is about. */
  readonly query?: string;
  /** The client's, where no answer came: the server may have done what it was asked. */
  readonly mayBeApplied?: boolean;
  /** Of `CQL_NO_HOST`: why each contact point could not be used. */
  readonly causes?: readonly {
    /** As it was given. */
    readonly contactPoint: string;
    /** Mostly a `CqlError`. */
    readonly error: unknown;
  }[];
  readonly [field: string]: unknown;
}

/**
 * The error that an ERROR message stands for.
 *
 * @example
 * ```js
 * const codec = new Codec({ version: 4 });
 * const [message] = codec.feed(Uint8Array.of(0x84, 0, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0x22, 0, 0, 2, 110, 111));
 * const error = serverError(message);
 * error.code; // → 'CQL_INVALID'
 * error.errorCode; // → 8704
 * error.message; // → 'no'
 * ```
 */
export function serverError(message: ErrorMessage): CqlError;
