// A RESULT of kind Rows, as users have it: columns, and rows made of them when asked for; or cells whose columns nobody knew.
import type { Column as PublicColumn, ColumnSpec, ColumnValues, PreparedMessage, Row, RowsMessage } from "../../types/index.js";
import { toArrowIPC } from "./arrow.ts";
import { describe, reading } from "./check.ts";
import type { Column } from "./column.ts";
import { CqlError } from "./errors.ts";
import { makeRows } from "./rows.ts";
import { columnsHandle } from "./type.ts";
import type { ValueSettings } from "./value-options.ts";
import { decodeRows } from "./value.ts";

/** What Rust says of a page beside its columns. */
export interface Page {
  readonly stream: number;
  readonly length: number;
  readonly columnCount: number;
  readonly noMetadata: boolean;
  readonly globalTableSpec: boolean;
  readonly pagingState: Uint8Array | null;
  readonly newMetadataId: Uint8Array | null;
  readonly prepared: PreparedMessage | null;
  /** Of columns that nobody knew, as they came. */
  readonly cells: Uint8Array | null;
}

export class Rows implements RowsMessage {
  readonly opcode = "RESULT";
  readonly kind = "Rows";
  declare readonly stream: number;
  declare readonly length: number;
  declare readonly columnCount: number;
  declare readonly noMetadata: boolean;
  declare readonly globalTableSpec: boolean;
  declare readonly pagingState: Uint8Array | null;
  declare readonly newMetadataId: Uint8Array | null;
  declare readonly prepared: PreparedMessage | null;
  declare readonly cells: Uint8Array | null;
  declare readonly metadata: readonly ColumnSpec[];
  declare readonly columns: readonly Column[];
  readonly #values: ValueSettings;
  #rows: Row[] | undefined;

  /** `specs`: null where nobody knows them. */
  constructor(page: Page, specs: readonly ColumnSpec[] | null, columns: readonly Column[], values: ValueSettings) {
    // The message's own, so that a copy of it, `{ ...message }`, has them; `rows` are made of them when asked for.
    Object.assign(this, page, specs && { metadata: specs, columns });
    this.#values = values;
  }

  get rows(): Row[] {
    return (this.#rows ??= makeRows(this.columns, this.length));
  }

  column<V extends ColumnValues = ColumnValues>(name: string): PublicColumn<V> {
    const found = this.columns.filter((column) => column.name === name);
    if (found.length === 1) return found[0] as unknown as PublicColumn<V>; // the caller knows the type
    const reason = found.length ? `${found.length} columns are called` : "no column is called";
    throw new CqlError("CQL_COLUMN", `${reason} ${JSON.stringify(name)}: there are ${this.columns.map((c) => c.name).join(", ")}`);
  }

  toArrowIPC(): Uint8Array {
    return toArrowIPC(this);
  }

  decode(columns: PreparedMessage | readonly ColumnSpec[]): RowsMessage {
    if (!this.cells) return this;
    const { metadata, specs } = columnsHandle(columnsOf(columns));
    const { stream, length, columnCount, noMetadata, globalTableSpec, pagingState, newMetadataId, prepared } = this;
    const page = { stream, length, columnCount, noMetadata, globalTableSpec, pagingState, newMetadataId, prepared, cells: null };
    return new Rows(page, specs, decodeRows(metadata, specs, this.cells, length, columnCount, this.#values), this.#values);
  }
}

// Of a message that has none of its own.
for (const name of ["metadata", "columns"]) {
  Object.defineProperty(Rows.prototype, name, {
    get(this: Rows): never {
      const { length, columnCount } = this;
      throw new CqlError(
        "CQL_NO_METADATA",
        `${length} rows of ${columnCount} columns came without their columns' description, and not in answer to an EXECUTE that this codec wrote: decode(prepared) reads them`,
      );
    },
    set(this: Rows, value: unknown) {
      Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
    },
  });
}

function columnsOf(given: PreparedMessage | readonly ColumnSpec[]): readonly ColumnSpec[] {
  const columns: unknown = reading("the columns", () => (Array.isArray(given) ? given : (Object(given) as Partial<PreparedMessage>).result));
  if (Array.isArray(columns)) return columns as ColumnSpec[];
  throw new CqlError("CQL_OPTION", `decode has ${describe(given)}: expected a PREPARED message or an array of columns`);
}
