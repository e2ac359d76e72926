// CQL types as Arrow's, in the words of its Schema.fbs.
import type { Column } from "./column.ts";
import { type Field, type Ref, pairs, string, table, vector } from "./flatbuffer.ts";

/** How the cells lie: the buffers beside validity, and what the children have for a row. */
export type Form =
  | "fixed" // slots of one size
  | "boolean" // bits
  | "bytes" // offsets and bytes
  | "text" // the same, in UTF-8 as they came
  | "printed" // the same, of the values' own text
  | "interval" // months, days, nanoseconds: 16 bytes
  | "list" // offsets into the child
  | "map" // the same, into entries, whose keys are not null
  | "entries" // a map whose keys may be null: a list all the same
  | "array" // n child slots a row
  | "struct"; // one child slot a row

/** A column, or what is inside of one, without its cells. */
export interface ArrowField {
  readonly name: string;
  readonly isNullable: boolean;
  readonly form: Form;
  /** The number of a type in the union `Type`, and the table that goes with it. */
  readonly type: readonly [number: number, table: Ref];
  readonly children: readonly ArrowField[];
}

const UTF8 = [5, table()] as const;
const BINARY = [4, table()] as const;
const LIST = [12, table()] as const;
const STRUCT = [13, table()] as const;
const MAP = [17, table([1, 0])] as const; // keysSorted
const int = (bits: number) => [2, table([4, bits], [1, 1])] as const; // is_signed
const float = (precision: number) => [3, table([2, precision])] as const;
const UUID = [15, table([4, 16])] as const; // FixedSizeBinary

const NATIVES: Readonly<Record<string, readonly [Form, ArrowField["type"]]>> = {
  ascii: ["text", UTF8],
  text: ["text", UTF8],
  tinyint: ["fixed", int(8)],
  smallint: ["fixed", int(16)],
  int: ["fixed", int(32)],
  bigint: ["fixed", int(64)],
  counter: ["fixed", int(64)],
  varint: ["printed", UTF8],
  decimal: ["printed", UTF8],
  inet: ["printed", UTF8],
  float: ["fixed", float(1)],
  double: ["fixed", float(2)],
  boolean: ["boolean", [6, table()]],
  blob: ["bytes", BINARY],
  custom: ["bytes", BINARY],
  timestamp: ["fixed", [10, table([2, 1], string("UTC"))]], // in milliseconds
  date: ["fixed", [8, table([2, 0])]], // in days
  time: ["fixed", [9, table([2, 3], [4, 64])]], // in nanoseconds
  duration: ["interval", [11, table([2, 2])]], // MONTH_DAY_NANO
  uuid: ["fixed", UUID],
  timeuuid: ["fixed", UUID],
};

const field = (name: string, isNullable: boolean, form: Form, type: ArrowField["type"], children: readonly ArrowField[] = []): ArrowField => ({ name, isNullable, form, type, children });

/** The field of a column. A map becomes Arrow's Map where no key in it is null, which Arrow does not allow there. */
export function fieldOf({ name, type, children }: Column, own = name, isNullable = true): ArrowField {
  const native = NATIVES[type.kind];
  if (native) return field(own, isNullable, native[0], native[1]);
  switch (type.kind) {
    case "vector": {
      const numbers = NATIVES[type.of[0]!.kind]!;
      const item = children[0] ? fieldOf(children[0], "item") : field("item", true, numbers[0], numbers[1]);
      return field(own, isNullable, "array", [16, table([4, type.dimension!])], [item]);
    }
    case "map": {
      const isMap = children[0]!.validity === null;
      const parts = [fieldOf(children[0]!, "key", !isMap), fieldOf(children[1]!, "value")];
      const entries = field(isMap ? "entries" : "item", false, "struct", STRUCT, parts);
      return field(own, isNullable, isMap ? "map" : "entries", isMap ? MAP : LIST, [entries]);
    }
    case "tuple":
    case "udt":
      return field(own, isNullable, "struct", STRUCT, children.map((child, index) => fieldOf(child, type.names?.[index] ?? String(index))));
    default: // list, set
      return field(own, isNullable, "list", LIST, [fieldOf(children[0]!, "item")]);
  }
}

const keyValue = (key: string, value: string): Ref => table(string(key), string(value));
const UUID_EXTENSION = vector([keyValue("ARROW:extension:name", "arrow.uuid"), keyValue("ARROW:extension:metadata", "")]);

const fieldTable = ({ name, isNullable, type, children }: ArrowField): Ref =>
  table(string(name), [1, Number(isNullable)], [1, type[0]], type[1], null, vector(children.map(fieldTable)), type === UUID ? UUID_EXTENSION : null);

/** `Message` of Message.fbs, in the version V5. */
const message = (kind: number, header: Ref, bodyLength: number): Ref => table([2, 4], [1, kind], header, [8, bodyLength]);

export function schemaMessage(fields: readonly ArrowField[]): Ref {
  const endianness: Field = [2, 0]; // little, as WebAssembly is
  return message(1, table(endianness, vector(fields.map(fieldTable))), 0);
}

/** `nodes`: length and null count of each; `buffers`: offset and length of each. */
export const batchMessage = (length: number, nodes: readonly number[], buffers: readonly number[], bodyLength: number): Ref =>
  message(3, table([8, length], pairs(nodes), pairs(buffers)), bodyLength);
