// The bytes that the columns of one page share, and what is made of them for many cells at once.
import { CqlError } from "./errors.ts";

/** Node.js and Bun have methods that decode a range of bytes several times faster than TextDecoder does. */
type Slice = (this: Uint8Array, start: number, end: number) => string;
interface BufferClass {
  allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer>;
  readonly prototype?: { readonly latin1Slice?: Slice; readonly utf8Slice?: Slice };
}

const { Buffer } = globalThis as unknown as { Buffer?: BufferClass };
const { latin1Slice, utf8Slice } = Buffer?.prototype ?? {};

export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Below this size an ArrayBuffer's zeros cost less than going through `Buffer`. */
const LARGE = 1 << 16;

/** One that is written at once, as a whole. */
export function newBuffer(size: number): ArrayBuffer {
  // Not from a pool: what belongs to a page is of no other.
  return size >= LARGE && Buffer?.allocUnsafeSlow ? Buffer.allocUnsafeSlow(size).buffer : new ArrayBuffer(size);
}

/** The same bytes in a buffer of their own. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length < LARGE) return bytes.slice();
  const own = new Uint8Array(newBuffer(bytes.length));
  own.set(bytes);
  return own;
}

/** Strings are cut from decoded blocks of at most this size, because a piece of 13 or more characters keeps its block alive. */
const BLOCK = 16_384;

export class PageBytes {
  readonly buffer: ArrayBuffer;
  readonly bytes: Uint8Array;
  /** They were lent, and the time is over. */
  isGone = false;
  #words: Int32Array | undefined;

  constructor(bytes: Uint8Array) {
    this.buffer = bytes.buffer as ArrayBuffer;
    this.bytes = bytes;
  }

  /** What was lent, given back. */
  check(): void {
    if (this.isGone) throw new CqlError("CQL_COLUMN", "the columns of a borrowed page are gone once its function has returned: take from them there what is to be kept");
  }

  /** At multiples of 4. */
  get words(): Int32Array {
    return (this.#words ??= new Int32Array(this.buffer));
  }

  /** Of valid UTF-8; `isAscii` makes it faster. */
  text(start: number, end: number, isAscii: boolean): string {
    const slice = isAscii ? latin1Slice : utf8Slice;
    return slice ? slice.call(this.bytes, start, end) : decoder.decode(this.bytes.subarray(start, end));
  }

  /** The texts between `offsets`, which count from `base`. */
  strings(base: number, offsets: Uint32Array, isAscii: boolean): string[] {
    const count = offsets.length - 1;
    const strings = new Array<string>(count);
    for (let first = 0; first < count; ) {
      const start = offsets[first]!;
      let last = first + 1;
      while (last < count && offsets[last + 1]! - start <= BLOCK) last++;
      const end = offsets[last]!;
      const text = this.text(base + start, base + end, isAscii);
      if (text.length === end - start) {
        for (let from = start, to; first < last; from = to) {
          to = offsets[first + 1]!;
          strings[first++] = text.substring(from - start, to - start);
        }
      } else {
        const { bytes } = this;
        for (let at = start, from = 0; first < last; ) {
          // UTF-16 has one unit for a character, two where UTF-8 has four bytes.
          let to = from;
          for (const next = offsets[first + 1]!; at < next; at++) {
            const byte = bytes[base + at]!;
            if ((byte & 0xc0) !== 0x80) to += byte < 0xf0 ? 1 : 2;
          }
          strings[first++] = text.substring(from, to);
          from = to;
        }
      }
    }
    return strings;
  }

  /** The texts of `count` uuids. */
  uuids(base: number, count: number): string[] {
    const { bytes } = this;
    const strings = new Array<string>(count);
    const most = Math.min(count, Math.floor(BLOCK / 36));
    const block = new PageBytes(new Uint8Array(most * 36));
    const text = block.bytes;
    for (let first = 0; first < count; ) {
      const last = Math.min(first + most, count);
      let to = 0;
      for (let at = base + first * 16, end = base + last * 16; at < end; ) {
        for (let part = 0; part < 16; part++) {
          if (part === 4 || part === 6 || part === 8 || part === 10) text[to++] = 0x2d;
          const byte = bytes[at++]!;
          text[to++] = DIGITS[byte >> 4]!;
          text[to++] = DIGITS[byte & 15]!;
        }
      }
      const all = block.text(0, to, true);
      for (let from = 0; first < last; from += 36) strings[first++] = all.substring(from, from + 36);
    }
    return strings;
  }
}

/** Of hexadecimal numbers. */
export const DIGITS = new TextEncoder().encode("0123456789abcdef");
