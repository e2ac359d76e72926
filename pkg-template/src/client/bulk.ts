// Many rows from columns: concurrent EXECUTEs, or batches of rows, with a bound on how many are on their way. No row is lost in silence.
import { CqlError, ParamColumns } from "../codec/index.ts";
import type { BulkFailure, BulkResult } from "../../types/client.js";
import type { ParamColumnsInput, PreparedMessage, RequestMessage, ResultMessage } from "../../types/index.js";
import type { BulkSettings } from "./options.ts";

/** What the client does for it. */
export interface BulkCalls {
  /** The statement as the server knows it; another than `stale`, which it has forgotten. */
  snapshot(stale?: PreparedMessage): Promise<PreparedMessage>;
  /** Resolves with the answer, also an UNPREPARED; rejects for any other error. */
  ask(message: RequestMessage): Promise<ResultMessage | "unprepared">;
  /** No further request can go out. */
  isEnded(): boolean;
}

/** Rows from `from` to `to`, that go out together. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

/** What is wrong with a message before it is sent. */
const UNWRITTEN = new Set(["CQL_ENCODE", "CQL_PARAMS", "CQL_OPTION"]);
/** After so many failures the program has its turn: rows that cannot be written down fail without waiting for anything. */
const BREATH = 256;

export async function writeBulk(input: ParamColumnsInput, settings: BulkSettings, calls: BulkCalls): Promise<BulkResult> {
  const { concurrency, batch, signal, timeout: _timeout, ...options } = settings;
  let columns = new ParamColumns(await calls.snapshot(), input);
  const { length } = columns;
  const failures: BulkFailure[] = [];
  let next = 0;
  let breath: Promise<unknown> | undefined;
  /** Parts of a batch that could not be written down whole. */
  const parts: Piece[] = [];
  const takePiece = (): Piece => {
    const part = parts.pop();
    if (part) return part;
    const from = next;
    next = from + 1;
    if (batch) for (let bytes = columns.weigh(from); next < length && next - from < batch.rows; next++) if ((bytes += columns.weigh(next)) > batch.bytes) break;
    return { from, to: next };
  };
  const messageOf = ({ from, to }: Piece): RequestMessage => {
    const { prepared } = columns;
    if (!batch) return { ...options, opcode: "EXECUTE", prepared, columns, row: from } as RequestMessage;
    return { ...options, opcode: "BATCH", type: batch.type, statements: [{ prepared, columns, from, to }] } as RequestMessage;
  };
  const write = async (piece: Piece): Promise<void> => {
    const used = columns;
    if ((await calls.ask(messageOf(piece))) !== "unprepared") return;
    // One PREPARE for all who hear the same.
    const snapshot = await calls.snapshot(used.prepared);
    if (columns.prepared !== snapshot) columns = new ParamColumns(snapshot, input);
    if ((await calls.ask(messageOf(piece))) === "unprepared") throw new CqlError("CQL_UNPREPARED", "the server does not keep the statement");
  };
  const work = async (): Promise<void> => {
    while (next < length || parts.length) {
      const piece = takePiece();
      try {
        await write(piece);
      } catch (error) {
        const { from, to } = piece;
        if (UNWRITTEN.has((error as CqlError).code) && to - from > 1) {
          // Nothing was sent: a value does not fit or cannot be read, and the rows beside it shall not suffer.
          const middle = (from + to) >> 1;
          parts.push({ from: middle, to }, { from, to: middle });
          continue;
        }
        for (let row = piece.from; row < piece.to; row++) failures.push({ row, error: error as CqlError });
        if (failures.length % BREATH === 0) breath = new Promise((resolve) => setTimeout(resolve));
        await breath;
        // What would only fail in the same way is not tried.
        if (!calls.isEnded() && !signal?.aborted) continue;
        const { code, message } = error as CqlError;
        const unsent = next < length ? new CqlError(code, `not sent: ${message}`, { mayBeApplied: false, cause: error }) : undefined;
        for (; next < length; next++) failures.push({ row: next, error: unsent! });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, length) }, work));
  failures.sort((a, b) => a.row - b.row);
  return { rows: length, written: length - failures.length, failures };
}
