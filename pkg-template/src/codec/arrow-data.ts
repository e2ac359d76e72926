// The cells of a column as Arrow's buffers. What lies as Arrow has it is not copied here: text, bytes, numbers, vectors of numbers.
import type { ArrowField } from "./arrow-schema.ts";
import type { Column } from "./column.ts";

/** Arrow's array of one field. */
export interface ArrowData {
  readonly length: number;
  readonly nulls: number;
  /** A bitmap; null where nothing is null. */
  readonly validity: Uint8Array | null;
  /** Ends of bytes or of child slots; null where the slots have one size. */
  readonly offsets: Uint32Array | null;
  /** Bytes of the cells; null where the children have them. */
  readonly values: Uint8Array | null;
  /** Bits of a slot in `values`; 0 where `offsets` say it. */
  readonly bits: number;
  /** Slots of each child for one of this; 0 where `offsets` say it. */
  readonly each: number;
  readonly children: readonly ArrowData[];
}

/** Offsets are signed in Arrow. */
const MOST_OFFSET = 0x7fff_ffff;
const NONE: readonly never[] = [];

/** Throws `CQL_RANGE` where a cell has no form in Arrow. */
export function dataOf(column: Column, field: ArrowField): ArrowData {
  const { length, validity, offsets, values, children } = column;
  const nulls = countNulls(validity, length);
  if (offsets && offsets[length]! > MOST_OFFSET) {
    throw column.unfit(length - 1, "an Arrow column has at most 2³¹ - 1 bytes of text or of other bytes, or as many elements: ask for smaller pages");
  }
  switch (field.form) {
    case "fixed":
      if (column.type.kind === "time") checkTimes(column);
      return slots(length, nulls, validity, bytesOf(values), values.BYTES_PER_ELEMENT * column.stride * 8);
    case "boolean":
      return slots(length, nulls, validity, packBits(values as Uint8Array), 1);
    case "interval":
      return slots(length, nulls, validity, intervals(children as [Column, Column, Column]), 128);
    case "text": {
      const bad = column.firstNotText();
      if (bad >= 0) throw column.unfit(bad, "the text is not UTF-8, and Arrow has no other: cast it to blob in the query");
      return cut(length, nulls, validity, offsets!, bytesOf(values));
    }
    case "bytes":
      return cut(length, nulls, validity, offsets!, bytesOf(values));
    case "printed": {
      const printed = print(column);
      return cut(length, nulls, validity, printed.offsets, printed.values);
    }
    case "struct":
      return nested(length, nulls, validity, null, 1, field.children.map((child, index) => dataOf(children[index]!, child)));
    case "list":
      return nested(length, nulls, validity, offsets, 0, [dataOf(children[0]!, field.children[0]!)]);
    case "map":
    case "entries": {
      const keys = children[0]!;
      if (field.form === "map" && keys.validity) {
        throw keys.unfit(firstNull(keys), "a null key, where the first page had none and its schema is the stream's: toArrowIPC() of each page fits it");
      }
      const pairs = field.children[0]!.children.map((part, index) => dataOf(children[index]!, part));
      return nested(length, nulls, validity, offsets, 0, [nested(keys.length, 0, null, null, 1, pairs)]);
    }
    case "array": {
      const each = column.type.dimension!;
      const items = children[0]
        ? spread(dataOf(children[0], field.children[0]!), each, column)
        : slots(length * each, 0, null, bytesOf(values), values.BYTES_PER_ELEMENT * 8);
      return nested(length, nulls, validity, null, each, [items]);
    }
  }
}

const slots = (length: number, nulls: number, validity: Uint8Array | null, values: Uint8Array, bits: number): ArrowData => ({
  length, nulls, validity, offsets: null, values, bits, each: 0, children: NONE,
});
const cut = (length: number, nulls: number, validity: Uint8Array | null, offsets: Uint32Array, values: Uint8Array): ArrowData => ({
  length, nulls, validity, offsets, values, bits: 0, each: 0, children: NONE,
});
const nested = (length: number, nulls: number, validity: Uint8Array | null, offsets: Uint32Array | null, each: number, children: readonly ArrowData[]): ArrowData => ({
  length, nulls, validity, offsets, values: null, bits: 0, each, children,
});

const bytesOf = (values: ArrayBufferView): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

function firstNull(column: Column): number {
  for (let i = 0; ; i++) if (column.isNull(i)) return i;
}

/** Bits beyond the length are zero. */
function countNulls(validity: Uint8Array | null, length: number): number {
  if (validity === null) return 0;
  let valid = 0;
  for (let i = 0; i < validity.length; i++) {
    let byte = validity[i]!;
    byte -= (byte >> 1) & 0x55;
    byte = (byte & 0x33) + ((byte >> 2) & 0x33);
    valid += (byte + (byte >> 4)) & 15;
  }
  return length - valid;
}

/** Bytes of 0 and 1 → bits. */
function packBits(b: Uint8Array): Uint8Array {
  const out = new Uint8Array((b.length + 7) >> 3);
  const whole = b.length >> 3;
  for (let i = 0, j = 0; i < whole; i++, j += 8) {
    out[i] = b[j]! | (b[j + 1]! << 1) | (b[j + 2]! << 2) | (b[j + 3]! << 3) | (b[j + 4]! << 4) | (b[j + 5]! << 5) | (b[j + 6]! << 6) | (b[j + 7]! << 7);
  }
  for (let j = whole * 8; j < b.length; j++) out[whole]! |= b[j]! << (j & 7);
  return out;
}

/** Without a BigInt a cell: what is too much shows in the upper half. */
function checkTimes(column: Column): void {
  const times = column.values as BigInt64Array;
  const halves = new Int32Array(times.buffer, times.byteOffset, 2 * times.length);
  const day = 86_400_000_000_000n;
  const last = Number(day >> 32n);
  for (let i = 0; i < times.length; i++) {
    const upper = halves[2 * i + 1]!;
    if (upper >= 0 && upper < last) continue;
    if (upper !== last || times[i]! >= day) throw column.unfit(i, `${times[i]} ns is no time of a day`);
  }
}

function intervals([months, days, nanoseconds]: readonly [Column, Column, Column]): Uint8Array {
  const { length } = months;
  const out = new Int32Array(4 * length);
  const [m, d, n] = [months.values, days.values, nanoseconds.values] as [Int32Array, Int32Array, BigInt64Array];
  const halves = new Int32Array(n.buffer, n.byteOffset, 2 * length);
  for (let i = 0; i < length; i++) {
    out[4 * i] = m[i]!;
    out[4 * i + 1] = d[i]!;
    out[4 * i + 2] = halves[2 * i]!;
    out[4 * i + 3] = halves[2 * i + 1]!;
  }
  return bytesOf(out);
}

const text = new TextEncoder();

/** The values' own text: of a varint, a decimal, an inet, so ASCII. */
function print(column: Column): { offsets: Uint32Array; values: Uint8Array } {
  const { length } = column;
  const read = column.reader();
  const offsets = new Uint32Array(length + 1);
  const texts: string[] = [];
  let end = 0;
  for (let i = 0; i < length; i++) {
    if (!column.isNull(i)) {
      const one = String(read(i));
      texts.push(one);
      end += one.length;
    }
    if (end > MOST_OFFSET) throw column.unfit(i, "an Arrow column has at most 2³¹ - 1 bytes of text: ask for smaller pages");
    offsets[i + 1] = end;
  }
  return { offsets, values: text.encode(texts.join("")) };
}

/**
 * The elements of vectors, `each` a row. Where a vector is null we have none and Arrow wants some, whatever they are. This is for what is no
 * number: vectors of numbers have slots for nulls.
 */
function spread(data: ArrowData, each: number, vectors: Column): ArrowData {
  if (vectors.validity === null) return data;
  const runs: Run[] = [];
  let from = 0;
  for (let row = 0; row < vectors.length; row++) {
    if (vectors.isNull(row)) continue;
    const last = runs.at(-1);
    if (last && last.to + last.count === row * each) last.count += each;
    else runs.push({ from, to: row * each, count: each });
    from += each;
  }
  return move(data, runs, vectors.length * each);
}

/** Slots from `from` on that go to `to`. */
interface Run {
  readonly from: number;
  readonly to: number;
  count: number;
}

/** The slots of these runs at their new places, with blank ones between them. */
function move(data: ArrowData, runs: readonly Run[], length: number): ArrowData {
  const { validity, offsets, values, bits, each } = data;
  const scaled = each > 1 ? runs.map(({ from, to, count }) => ({ from: from * each, to: to * each, count: count * each })) : runs;
  return {
    ...data,
    length,
    nulls: validity ? data.nulls + length - data.length : 0,
    validity: validity && moveSlots(validity, 1, runs, length),
    offsets: offsets && moveOffsets(offsets, runs, length),
    values: offsets || !values ? values : moveSlots(values, bits, runs, length),
    children: offsets ? data.children : data.children.map((child) => move(child, scaled, length * each)),
  };
}

function moveSlots(slots: Uint8Array, bits: number, runs: readonly Run[], length: number): Uint8Array {
  const out = new Uint8Array(Math.ceil((length * bits) / 8));
  const bytes = bits / 8;
  for (const { from, to, count } of runs) {
    if (bits > 1) out.set(slots.subarray(from * bytes, (from + count) * bytes), to * bytes);
    else for (let i = 0; i < count; i++) out[(to + i) >> 3]! |= ((slots[(from + i) >> 3]! >> ((from + i) & 7)) & 1) << ((to + i) & 7);
  }
  return out;
}

function moveOffsets(offsets: Uint32Array, runs: readonly Run[], length: number): Uint32Array {
  const out = new Uint32Array(length + 1);
  let end = 0; // of the slots written
  for (const { from, to, count } of runs) {
    out.fill(offsets[from]!, end + 1, to + 1);
    out.set(offsets.subarray(from + 1, from + count + 1), to + 1);
    end = to + count;
  }
  return out.fill(offsets[offsets.length - 1]!, end + 1);
}
