// CQL types as JavaScript knows them, and the handles by which Rust knows the same: of a statement's metadata, or of a type's text.
import type { Metadata } from "#glue";
import type { ColumnSpec, ColumnSpecInput, CqlType, CqlTypeInput, PreparedMessage } from "../../types/index.js";
import { CqlError, type WasmError, isWasmError } from "./errors.ts";
import { describe, isPlain, plainBytes } from "./given.ts";
import { INSPECT } from "./value-class.ts";
import { currentGeneration, instance } from "./wasm.ts";

/** What `JsType` in `src/wasm/shapes.rs` says; `text` of the types that have no parameters. */
type Described = Omit<CqlType, "of" | "text"> & { readonly text?: string; readonly of: readonly Described[] };

class Type implements CqlType {
  declare readonly kind: string;
  declare readonly dimension?: number;
  declare readonly names?: readonly string[];
  declare readonly keyspace?: string;
  declare readonly name?: string;
  readonly of: readonly Type[];
  #text: string | undefined;

  constructor({ text, of, ...rest }: Described) {
    Object.assign(this, rest);
    this.of = Object.freeze(of.map((child) => new Type(child)));
    this.#text = text;
    if (this.names) Object.freeze(this.names);
    Object.freeze(this);
  }

  get text(): string {
    return (this.#text ??= `${this.kind}<${[...this.of, ...(this.dimension === undefined ? [] : [this.dimension])].join(", ")}>`);
  }

  toString(): string {
    return this.text;
  }

  [INSPECT](): string {
    return `CqlType ${this.text}`;
  }
}

/** A type, as Rust knows it: a column of metadata. */
interface TypeHandle {
  readonly metadata: Metadata;
  /** Which of the metadata's columns. */
  readonly index: number;
  readonly description: CqlType;
  /** All of the metadata's columns. */
  readonly specs: readonly { readonly type: CqlType }[];
}

/** Types by their CQL text. Bounded; of one instance. */
let typesByText = new Map<string, TypeHandle>();
let typesGeneration = -1;
const MOST_TYPES = 1000;
/** The types of columns that Rust has described, and of objects that were given and cannot change. */
const typesByObject = new WeakMap<object, TypeHandle & { generation: number }>();
const metadataOf = new WeakMap<readonly ColumnSpecInput[], { metadata: Metadata; specs: readonly ColumnSpec[]; generation: number }>();

/** Names and types for users, frozen to the leaves: they are shared by every result of the statement. */
export function describeMetadata(metadata: Metadata): readonly ColumnSpec[] {
  const generation = currentGeneration();
  const specs = (metadata.describe() as (Omit<ColumnSpec, "type"> & { type: Described })[]).map((spec, index): ColumnSpec => {
    const type = new Type(spec.type);
    return Object.freeze({ ...spec, type });
  });
  specs.forEach(({ type }, index) => typesByObject.set(type, { metadata, index, description: type, specs, generation }));
  metadataOf.set(specs, { metadata, specs, generation });
  return Object.freeze(specs);
}

/** The columns that the caller describes, as Rust knows them. Throws `CQL_TYPE`. */
export function metadataHandle(columns: readonly ColumnSpecInput[]): Metadata {
  return columnsHandle(columns).metadata;
}

/** The same, with the columns as `describeMetadata` gives them: a caller's may have types by their text. */
export function columnsHandle(columns: readonly ColumnSpecInput[]): { readonly metadata: Metadata; readonly specs: readonly ColumnSpec[] } {
  const known = metadataOf.get(columns);
  if (known?.generation === currentGeneration()) return known;
  // A literal is a new array each time, and what Rust holds of it is let go only when JavaScript collects its garbage.
  const key = keyOf(columns);
  const same = key === undefined ? undefined : columnsByKey.get(key);
  if (same?.generation === currentGeneration()) return same;
  const metadata = ofColumns(columns, (_, index) => {
    const { name, type } = (columns[index] ?? {}) as Partial<ColumnSpecInput>;
    return `column ${index} (${String(name)}): ${typeof type === "string" ? JSON.stringify(type.slice(0, 60)) : "its type"}`;
  });
  const handle = { metadata, specs: describeMetadata(metadata), generation: currentGeneration() };
  if (key !== undefined) {
    if (columnsByKey.size >= MOST_COLUMNS) columnsByKey.clear();
    columnsByKey.set(key, handle);
  }
  // Those of another copy of this package.
  if (Object.isFrozen(columns) && columns.every((column) => Object.isFrozen(column) && isFixed(column.type))) metadataOf.set(columns, handle);
  return handle;
}

export interface StatementHandle {
  /** Its bind markers. */
  readonly metadata: Metadata;
  readonly specs: readonly ColumnSpec[];
  /** Where the statement can still be changed; else Rust has it with the markers. */
  readonly id?: Uint8Array | undefined;
}
const statements = new WeakMap<PreparedMessage, StatementHandle & { generation: number }>();

/** A statement as Rust knows it. One that can still be changed is not kept. */
export function statementHandle(prepared: PreparedMessage): StatementHandle {
  const known = statements.get(prepared);
  if (known?.generation === currentGeneration()) return known;
  columnsHandle(prepared.result); // what answers are read with: refused now, not when they come
  const { metadata, specs } = columnsHandle(prepared.bind);
  if (!Object.isFrozen(prepared) || !Object.isFrozen(prepared.bind)) return { metadata, specs, id: plainBytes(prepared.id) };
  const statement = metadata.of_statement(plainBytes(prepared.id), plainBytes(prepared.resultMetadataId));
  const handle = { metadata: statement, specs, generation: currentGeneration() };
  statements.set(prepared, handle);
  return handle;
}

/** Columns that were described alike, the last few. */
const columnsByKey = new Map<string, { metadata: Metadata; specs: readonly ColumnSpec[]; generation: number }>();
const MOST_COLUMNS = 64;
const LONGEST_KEY = 1 << 14;

/** Its own properties are all that it says, so that its JSON says it too. */
const isData = (value: object): boolean => isPlain(value) && !("toJSON" in value);
const isDataType = (type: CqlTypeInput): boolean =>
  typeof type === "string" || type instanceof Type || (isData(type) && (type.of === undefined || (Array.isArray(type.of) && type.of.every(isDataType))));

function keyOf(columns: readonly ColumnSpecInput[]): string | undefined {
  try {
    if (columns.length > 200 || !columns.every((column) => isData(column) && isDataType(column.type))) return undefined;
    const key = JSON.stringify(columns);
    return key.length <= LONGEST_KEY ? key : undefined;
  } catch {
    return undefined; // what is wrong with it Rust says
  }
}

/** All of it, of a UDT also the fields, which its text does not say. */
export function sameType(a: CqlType, b: CqlType): boolean {
  if (a === b) return true;
  if (a.text !== b.text || a.of.length !== b.of.length || a.names?.join("\0") !== b.names?.join("\0")) return false;
  return a.of.every((type, index) => sameType(type, b.of[index]!));
}

/** It says the same for ever. */
const isFixed = (type: CqlTypeInput): boolean =>
  typeof type === "string" || (Object.isFrozen(type) && (!type.names || Object.isFrozen(type.names)) && (!type.of || (Object.isFrozen(type.of) && type.of.every(isFixed))));

export function typeHandle(type: CqlTypeInput): TypeHandle {
  if (typeof type === "string") return byText(type);
  if (typeof type !== "object" || type === null) {
    throw new CqlError("CQL_TYPE", `${describe(type)} is not a CQL type: expected its text, or a type of a column`);
  }
  const known = typesByObject.get(type);
  if (known?.generation === currentGeneration()) return known;
  const handle = describeOne(ofColumns([{ type }], () => "the type"));
  if (isFixed(type)) typesByObject.set(type, { ...handle, generation: currentGeneration() });
  return handle;
}

function byText(text: string): TypeHandle {
  if (typesGeneration !== currentGeneration() || typesByText.size >= MOST_TYPES) {
    typesByText = new Map();
    typesGeneration = currentGeneration();
  }
  let handle = typesByText.get(text);
  if (!handle) {
    handle = describeOne(ofColumns([{ type: text }], (at) => `${JSON.stringify(text.slice(0, 60))} (at character ${at})`));
    typesByText.set(text, handle);
  }
  return handle;
}

function describeOne(metadata: Metadata): TypeHandle {
  const specs = describeMetadata(metadata);
  return { metadata, index: 0, description: specs[0]!.type, specs };
}

function ofColumns(columns: unknown, shown: (at: number, column: number) => string): Metadata {
  const { Metadata } = instance();
  try {
    return Metadata.of_columns(columns);
  } catch (error) {
    if (error instanceof CqlError) throw error;
    if (!isWasmError(error)) throw new CqlError("CQL_TYPE", "a type cannot be read", { cause: error });
    throw new CqlError("CQL_TYPE", `${shown(error.at, error.element ?? 0)} is not a CQL type: ${expectedType(error)}`, { kind: error.kind, what: error.what, offset: error.at });
  }
}

/** What would be a type there. */
function expectedType({ what, kind, meaning }: WasmError): string {
  if (what === "type.vector.dimension" || what === "type.dimension") return "expected a dimension from 1 to 65536";
  if (what === "type" && kind === "BadValue") return "expected a type's name, as map<text, frozen<list<int>>>";
  return `${what} ${kind === "BadValue" ? "is missing, or is none that there is" : meaning}`;
}
