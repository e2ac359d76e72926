// Types of columns, as metadata describes them.

/** A CQL type as metadata describes it. */
export interface CqlType {
  /** `int`, `list`, `udt`, `vector`, `custom`, … */
  readonly kind: string;
  /** As CQL writes it: `map<text, list<int>>`; made when asked for. */
  readonly text: string;
  /** Element of list, set and vector; key and value of a map; items of a tuple; fields of a UDT. */
  readonly of: readonly CqlType[];
  /** Of a vector. */
  readonly dimension?: number;
  /** Field names of a UDT. */
  readonly names?: readonly string[];
  /** Keyspace of a UDT. */
  readonly keyspace?: string;
  /** Name of a UDT; marshal class of a custom type. */
  readonly name?: string;
}

/** Where a type is given: as CQL writes it, a column's `type`, or an object of that shape (a UDT has no text that says its fields). */
export type CqlTypeInput =
  | string
  | (Omit<CqlType, "text" | "of"> & {
      /** As `CqlType.of`; default none. */
      readonly of?: readonly CqlTypeInput[];
    });

/** A column of a result, or a bind marker (§4.2.5.2). */
export interface ColumnSpec {
  /** Of its table. */
  readonly keyspace: string;
  /** Empty where it is of none. */
  readonly table: string;
  /** Of the column, an alias, or as the server calls an expression or a marker. */
  readonly name: string;
  /** What its cells are. */
  readonly type: CqlType;
}

/** The same where it is given. */
export interface ColumnSpecInput {
  /** Default empty. */
  readonly keyspace?: string;
  /** Default empty. */
  readonly table?: string;
  /** Of the column. */
  readonly name: string;
  /** What its cells are. */
  readonly type: CqlTypeInput;
}

/** By column name. What each type becomes is in the README; name your own type where a method takes one: `execute<{ id: number }>`. */
export type Row = Record<string, unknown>;
