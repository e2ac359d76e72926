// Pages as an Arrow IPC stream: the schema, a record batch for each page, the end. Each message is FF FF FF FF, the size of its flatbuffer,
// the flatbuffer, and of a batch the buffers of its columns (Arrow columnar format, Encapsulated message format).
import type { ArrowPage } from "../../types/index.js";
import { type ArrowData, dataOf } from "./arrow-data.ts";
import { type ArrowField, batchMessage, fieldOf, schemaMessage } from "./arrow-schema.ts";
import type { Column } from "./column.ts";
import { CqlError } from "./errors.ts";
import { FlatBuffer } from "./flatbuffer.ts";
import { describe, reading } from "./given.ts";
import { sameType } from "./type.ts";

interface Page {
  readonly columns: readonly Column[];
  readonly length: number;
}

const PREFIX = 8;
const CONTINUES = 0xffff_ffff;
const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
const scratch = new FlatBuffer();

/** One page as a stream of its own. */
export function toArrowIPC(page: Page): Uint8Array {
  const fields = page.columns.map((column) => fieldOf(column));
  const schema = schemaBytes(fields);
  return batchBytes(page, fields, schema, END);
}

/** All pages as one stream, in pieces. */
export function arrowStream(pages: Iterable<ArrowPage> | AsyncIterable<ArrowPage>): AsyncGenerator<Uint8Array, void, undefined> {
  const isIterable = reading("arrowStream", () => Object(pages) === pages && (Symbol.asyncIterator in pages || Symbol.iterator in pages));
  if (!isIterable) throw new CqlError("CQL_OPTION", `arrowStream has ${describe(pages)}: expected pages, in an iterable`);
  return chunks(pages);
}

async function* chunks(pages: Iterable<ArrowPage> | AsyncIterable<ArrowPage>): AsyncGenerator<Uint8Array, void, undefined> {
  let fields: readonly ArrowField[] | undefined;
  let specs: readonly Pick<Column, "name" | "type">[] = [];
  let count = 0;
  for await (const given of pages) {
    const page = pageOf(given, count++);
    if (fields === undefined) {
      fields = page.columns.map((column) => fieldOf(column));
      specs = page.columns.map(({ name, type }) => ({ name, type })); // without the page
      yield schemaBytes(fields);
    } else if (page.columns.length !== specs.length || !page.columns.every(({ name, type }, i) => name === specs[i]!.name && sameType(type, specs[i]!.type))) {
      const shown = (columns: typeof specs) => columns.map(({ name, type }) => `${name} ${type.text}`).join(", ");
      throw new CqlError("CQL_COLUMN", `page ${count - 1} of arrowStream has the columns ${shown(page.columns)}: the first page had ${shown(specs)}`);
    }
    yield batchBytes(page, fields);
  }
  if (fields === undefined) throw new CqlError("CQL_OPTION", "arrowStream has no page: the schema is that of the first one");
  yield END.slice();
}

function pageOf(given: ArrowPage, index: number): Page {
  const page = reading(`page ${index} of arrowStream`, () => {
    const { columns, length } = Object(given) as Page;
    const isPage = Array.isArray(columns) && columns.every((column) => typeof Object(column).unfit === "function" && column.length === length) && Number.isSafeInteger(length);
    return isPage && { columns, length };
  });
  if (page) return page;
  throw new CqlError("CQL_OPTION", `page ${index} of arrowStream is ${describe(given)}: expected a RESULT of rows, or a page of the client`);
}

function schemaBytes(fields: readonly ArrowField[]): Uint8Array {
  const metadata = scratch.write(schemaMessage(fields));
  const out = new Uint8Array(PREFIX + metadata.length);
  writeMetadata(out, 0, metadata);
  return out;
}

function writeMetadata(out: Uint8Array, at: number, metadata: Uint8Array): void {
  const view = new DataView(out.buffer, out.byteOffset + at);
  view.setUint32(0, CONTINUES);
  view.setUint32(4, metadata.length, true);
  out.set(metadata, at + PREFIX);
}

/** A record batch; what comes before and after it, in the same memory. */
function batchBytes(page: Page, fields: readonly ArrowField[], before?: Uint8Array, after?: Uint8Array): Uint8Array {
  const nodes: number[] = [];
  const places: number[] = [];
  const buffers: Uint8Array[] = [];
  let end = 0;
  const place = (buffer: Uint8Array): void => {
    places.push(end, buffer.length);
    buffers.push(buffer);
    end += padded(buffer.length);
  };
  // In the order of a walk that has each field before its children.
  const add = ({ length, nulls, validity, offsets, values, children }: ArrowData): void => {
    nodes.push(length, nulls);
    place(validity ?? NOTHING);
    if (offsets) place(new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength));
    if (values) place(values);
    children.forEach(add);
  };
  page.columns.forEach((column, index) => add(dataOf(column, fields[index]!)));

  const metadata = scratch.write(batchMessage(page.length, nodes, places, end));
  const start = (before?.length ?? 0) + PREFIX + metadata.length;
  const out = uninitialised(start + end + (after?.length ?? 0));
  if (before) out.set(before);
  writeMetadata(out, before?.length ?? 0, metadata);
  let at = start;
  for (const buffer of buffers) {
    out.set(buffer, at);
    const next = at + padded(buffer.length);
    for (let i = at + buffer.length; i < next; i++) out[i] = 0;
    at = next;
  }
  if (after) out.set(after, at);
  return out;
}

const NOTHING = new Uint8Array(0);
/** Every buffer begins at a multiple of 8. */
const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Memory that is written over at once: in Node.js it need not be zeroed. */
function uninitialised(length: number): Uint8Array {
  const { Buffer } = globalThis as unknown as { Buffer?: { allocUnsafeSlow(length: number): Uint8Array } };
  return Buffer ? new Uint8Array(Buffer.allocUnsafeSlow(length).buffer, 0, length) : new Uint8Array(length);
}
