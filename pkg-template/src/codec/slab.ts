// Room for bytes that leave the codec. Small ones share a buffer, because a buffer costs more than what is in it; none is ever written twice.
import { memory } from "./wasm.ts";

const SLAB = 65_536;
/** What is larger has a buffer of its own: a kept frame keeps no more than some four times its size, or a slab. */
const MOST_SHARED = 16_384;

/** So few are copied without a view of where they are, which would cost more. */
const FEW = 128;

let slab = new Uint8Array(0);
let slabWords = new Uint32Array(0);
let used = 0;

/** A copy of a piece of the codec's memory. */
export function copyOut(at: number, length: number): Uint8Array {
  const { bytes, words } = memory();
  if (length > MOST_SHARED) {
    const own = unwritten(length);
    own.set(new Uint8Array(bytes.buffer, at, length));
    return own;
  }
  if (used + length > slab.length) {
    slab = unwritten(SLAB);
    slabWords = new Uint32Array(slab.buffer, slab.byteOffset, SLAB / 4);
    used = 0;
  }
  const out = new Uint8Array(slab.buffer, slab.byteOffset + used, length);
  if (length <= FEW && at % 4 === 0) {
    // The words they are in: up to three bytes more of the codec's memory lie behind `out`, in what is left free between two frames.
    const [from, to, count] = [at >>> 2, used >>> 2, (length + 3) >>> 2];
    for (let i = 0; i < count; i++) slabWords[to + i] = words[from + i]!;
    used = (used + length + 7) & ~7;
    return out;
  }
  out.set(new Uint8Array(bytes.buffer, at, length));
  used = (used + length + 7) & ~7;
  return out;
}

const { Buffer } = globalThis as unknown as { Buffer?: { allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer> } };

/** A buffer of its own. In Node.js it is not zeroed first: whoever asks writes all of it. */
export const unwritten: (size: number) => Uint8Array<ArrayBuffer> =
  typeof Buffer?.allocUnsafeSlow === "function"
    ? (size) => {
        const { buffer, byteOffset } = Buffer.allocUnsafeSlow!(size);
        return new Uint8Array(buffer, byteOffset, size);
      }
    : (size) => new Uint8Array(size);
