// A RESULT of kind Rows, as users have it: columns, and rows made of them when asked for; or cells whose columns nobody knew.
import type { Column as PublicColumn, ColumnSpec, ColumnValues, PreparedMessage, Row, RowsMessage } from "../../types/index.js";
import { toArrowIPC } from "./arrow.ts";
import type { Column } from "./column.ts";
import { CqlError } from "./errors.ts";
import { describe, reading } from "./given.ts";
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

/** What a message with columns and one without have in common. */
abstract class AnyRows {
  readonly opcode = "RESULT";
  readonly kind = "Rows";
  readonly stream: number;
  readonly length: number;
  readonly columnCount: number;
  readonly noMetadata: boolean;
  readonly globalTableSpec: boolean;
  readonly pagingState: Uint8Array | null;
  readonly newMetadataId: Uint8Array | null;
  readonly prepared: PreparedMessage | null;
  readonly cells: Uint8Array | null;

  constructor(page: Page) {
    this.stream = page.stream;
    this.length = page.length;
    this.columnCount = page.columnCount;
    this.noMetadata = page.noMetadata;
    this.globalTableSpec = page.globalTableSpec;
    this.pagingState = page.pagingState;
    this.newMetadataId = page.newMetadataId;
    this.prepared = page.prepared;
    this.cells = page.cells;
  }
}

export class Rows extends AnyRows implements RowsMessage {
  // The message's own, so that a copy of it, `{ ...message }`, has them; `rows` are made of them when asked for.
  readonly metadata: readonly ColumnSpec[];
  readonly columns: readonly Column[];
  readonly #values: ValueSettings;
  #rows: Row[] | undefined;

  constructor(page: Page, specs: readonly ColumnSpec[], columns: readonly Column[], values: ValueSettings) {
    super(page);
    this.metadata = specs;
    this.columns = columns;
    this.#values = values;
  }

  get rows(): Row[] {
    return (this.#rows ??= makeRows(this.metadata, this.columns, this.length, this.#values));
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

  decode(_columns: PreparedMessage | readonly ColumnSpec[]): RowsMessage {
    return this;
  }
}

/** Rows whose cells are not to be had; `refuse` says why. */
abstract class Withheld extends AnyRows {
  readonly #refuse: () => never;

  constructor(page: Page, refuse: () => never) {
    super(page);
    this.#refuse = refuse;
  }

  get columns(): never {
    return this.#refuse();
  }

  get rows(): never {
    return this.#refuse();
  }

  column(_name: string): never {
    return this.#refuse();
  }

  toArrowIPC(): never {
    return this.#refuse();
  }
}

/** Rows that were lent, and what was made of them. */
export class BorrowedRows extends Withheld implements RowsMessage {
  readonly metadata: readonly ColumnSpec[];
  readonly borrowed: unknown;

  constructor(page: Page, specs: readonly ColumnSpec[], borrowed: unknown) {
    super(page, () => {
      throw new CqlError("CQL_COLUMN", `${page.length} rows were borrowed, and are gone: \`borrowed\` is what was made of them`);
    });
    this.metadata = specs;
    this.borrowed = borrowed;
  }

  decode(_columns: PreparedMessage | readonly ColumnSpec[]): RowsMessage {
    return this;
  }
}

/** Rows whose columns nobody knew. */
export class RawRows extends Withheld implements RowsMessage {
  readonly #values: ValueSettings;

  constructor(page: Page, values: ValueSettings) {
    super(page, () => unknownColumns(page));
    this.#values = values;
  }

  get metadata(): never {
    return unknownColumns(this);
  }

  decode(columns: PreparedMessage | readonly ColumnSpec[]): RowsMessage {
    const { metadata, specs } = columnsHandle(columnsOf(columns));
    const read = decodeRows(metadata, specs, this.cells!, this.length, this.columnCount, this.#values);
    return new Rows({ ...(this as Page), cells: null }, specs, read, this.#values);
  }
}

function unknownColumns({ length, columnCount }: Page): never {
  throw new CqlError(
    "CQL_NO_METADATA",
    `${length} rows of ${columnCount} columns came without their columns' description, and not in answer to an EXECUTE that this codec wrote: decode(prepared) reads them`,
  );
}

function columnsOf(given: PreparedMessage | readonly ColumnSpec[]): readonly ColumnSpec[] {
  const columns: unknown = reading("the columns", () => (Array.isArray(given) ? given : (Object(given) as Partial<PreparedMessage>).result));
  if (Array.isArray(columns)) return columns as ColumnSpec[];
  throw new CqlError("CQL_OPTION", `decode has ${describe(given)}: expected a PREPARED message or an array of columns`);
}
