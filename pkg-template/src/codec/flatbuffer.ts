// Flatbuffers, the little of them that Arrow's messages are made of, written from the root on: what a field refers to comes after it.
// (Flatbuffers internals: a table begins with the distance back to its vtable, which has the place of each field in it, 0 for none;
// a reference is the distance on to what it refers to; everything is little-endian and aligned to its size.)

/** Writes itself at the end and says where it is. */
export type Ref = (out: FlatBuffer) => number;
/** A field of a table: a number with the bytes it takes, or a reference; null where it is not there. */
export type Field = readonly [size: 1 | 2 | 4 | 8, value: number] | Ref | null;

const text = new TextEncoder();
const sizeOf = (field: Exclude<Field, null>): number => (typeof field === "function" ? 4 : field[0]);
const aligned = (at: number, size: number): number => (at + size - 1) & -size;

export class FlatBuffer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  /** The whole buffer. It is this one's own memory, until the next one is written in it. */
  write(root: Ref): Uint8Array {
    this.#end = 0;
    this.#room(4);
    this.#refer(0, root);
    this.#room(0, 8);
    return this.#bytes.subarray(0, this.#end);
  }

  /** Zeroed room for `size` bytes, `before` of which come before what is aligned. */
  #room(size: number, alignment = 4, before = 0): number {
    const start = this.#end;
    const at = start + (-(start + before) & (alignment - 1));
    this.#end = at + size;
    if (this.#end > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#end);
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#bytes.fill(0, start, this.#end);
    return at;
  }

  #refer(at: number, ref: Ref): void {
    const to = ref(this);
    this.#view.setUint32(at, to - at, true);
  }

  table(fields: readonly Field[]): number {
    const vtable = this.#room(4 + 2 * fields.length, 2);
    // Its first four bytes are the distance to the vtable.
    let size = 4;
    for (const field of fields) if (field !== null) size = aligned(size, sizeOf(field)) + sizeOf(field);
    const table = this.#room(size, 8);
    this.#view.setInt32(table, table - vtable, true);
    this.#view.setUint16(vtable, 4 + 2 * fields.length, true);
    this.#view.setUint16(vtable + 2, size, true);
    size = 4;
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!;
      if (field === null) continue;
      const place = aligned(size, sizeOf(field));
      size = place + sizeOf(field);
      this.#view.setUint16(vtable + 4 + 2 * i, place, true);
      if (typeof field === "function") this.#refer(table + place, field);
      else if (field[0] === 8) this.#long(table + place, field[1]);
      else if (field[0] === 4) this.#view.setInt32(table + place, field[1], true);
      else if (field[0] === 2) this.#view.setInt16(table + place, field[1], true);
      else this.#view.setUint8(table + place, field[1]);
    }
    return table;
  }

  string(value: string): number {
    const at = this.#room(4 + 3 * value.length + 1); // no UTF-8 is longer; and a zero
    let length = 0;
    for (let code; length < value.length && (code = value.charCodeAt(length)) < 0x80; length++) this.#bytes[at + 4 + length] = code;
    if (length < value.length) length = text.encodeInto(value, this.#bytes.subarray(at + 4)).written;
    this.#view.setUint32(at, length, true);
    this.#end = at + 4 + length + 1;
    return at;
  }

  vector(refs: readonly Ref[]): number {
    const at = this.#room(4 + 4 * refs.length);
    this.#view.setUint32(at, refs.length, true);
    for (let i = 0; i < refs.length; i++) this.#refer(at + 4 + 4 * i, refs[i]!);
    return at;
  }

  /** A vector of structs of two 64-bit numbers, none of them negative. */
  pairs(numbers: readonly number[]): number {
    const at = this.#room(4 + 8 * numbers.length, 8, 4);
    this.#view.setUint32(at, numbers.length / 2, true);
    for (let i = 0; i < numbers.length; i++) this.#long(at + 4 + 8 * i, numbers[i]!);
    return at;
  }

  #long(at: number, value: number): void {
    this.#view.setUint32(at, value >>> 0, true);
    this.#view.setUint32(at + 4, value / 0x1_0000_0000, true);
  }
}

export const table =
  (...fields: Field[]): Ref =>
  (out) =>
    out.table(fields);
export const string =
  (value: string): Ref =>
  (out) =>
    out.string(value);
export const vector =
  (refs: readonly Ref[]): Ref =>
  (out) =>
    out.vector(refs);
export const pairs =
  (numbers: readonly number[]): Ref =>
  (out) =>
    out.pairs(numbers);
