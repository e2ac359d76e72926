// What a query gives: a page, and on a result the way to the next ones. The rows are the codec's; nothing is copied.
import { CqlError, INSPECT } from "../codec/index.ts";
import type { CustomPayload, Page as PublicPage, Result as PublicResult } from "../../types/client.js";
import type { Column, ColumnValues, ResultMessage, Row, SchemaChange } from "../../types/index.js";

const NONE: readonly never[] = Object.freeze([]);

export class Page<R extends object = Row> implements PublicPage<R> {
  readonly length: number;
  readonly columns: readonly Column[];
  readonly pageState: Uint8Array | null;
  readonly warnings: readonly string[];
  readonly tracingId: string | null;
  readonly customPayload: CustomPayload | null;
  readonly #message: ResultMessage;
  #noRows: R[] | undefined;

  constructor(message: ResultMessage) {
    const rows = message.kind === "Rows" ? message : undefined;
    this.length = rows?.length ?? 0;
    this.columns = rows?.columns ?? NONE;
    this.pageState = rows?.pagingState ?? null;
    this.warnings = message.warnings ?? NONE;
    this.tracingId = message.tracingId ?? null;
    this.customPayload = message.customPayload ?? null;
    this.#message = message;
  }

  get rows(): R[] {
    return this.#message.kind === "Rows" ? (this.#message.rows as R[]) : (this.#noRows ??= []);
  }

  [INSPECT](): object {
    const { length, rows, pageState, warnings, tracingId, customPayload } = this;
    return { length, rows, pageState, ...(warnings.length && { warnings }), ...(tracingId && { tracingId }), ...(customPayload && { customPayload }) };
  }

  column<V extends ColumnValues = ColumnValues>(name: string): Column<V> {
    if (this.#message.kind === "Rows") return this.#message.column<V>(name);
    throw new CqlError("CQL_COLUMN", `no column is called ${JSON.stringify(name)}: the query returned no rows`);
  }

  toArrowIPC(): Uint8Array {
    if (this.#message.kind === "Rows") return this.#message.toArrowIPC();
    throw new CqlError("CQL_COLUMN", "there are no columns to give Arrow: the query returned no rows");
  }
}

export class Result<R extends object = Row> extends Page<R> implements PublicResult<R> {
  readonly schemaChange: SchemaChange | null;
  readonly #next: (pageState: Uint8Array) => Promise<Page<R>>;

  constructor(message: ResultMessage, next: (pageState: Uint8Array) => Promise<Page<R>>) {
    super(message);
    this.#next = next;
    this.schemaChange = message.kind === "Schema_change" ? schemaChange(message) : null;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<R> {
    for (let page: Page<R> = this; ; ) {
      yield* page.rows;
      if (page.pageState === null) return;
      page = await this.#next(page.pageState);
    }
  }
}

function schemaChange({ changeType, target, keyspace, name, argumentTypes }: SchemaChange): SchemaChange {
  return Object.freeze({ changeType, target, keyspace, ...(name !== undefined && { name }), ...(argumentTypes && { argumentTypes }) });
}
