// The JavaScript value of one cell that is not a number already: from its bytes, or from the number that stands for it.
import { Decimal } from "./decimal.ts";
import { CqlError } from "./errors.ts";
import { DIGITS, decoder } from "./page.ts";

export function range<T>(from: number, to: number, at: (index: number) => T): T[] {
  const list = new Array<T>(to - from);
  for (let i = from; i < to; i++) list[i - from] = at(i);
  return list;
}

const MAX_DATE = 8_640_000_000_000_000;
/** Milliseconds whose two halves are `words[at]` and the next. Half as much work as a BigInt on the way. */
export function toDate(words: Int32Array, at: number): Date | bigint {
  const [low, high] = [words[at]! >>> 0, words[at + 1]!];
  const ms = high * 0x1_0000_0000 + low; // exact up to 2⁵³, which is more than a Date can be
  return ms >= -MAX_DATE && ms <= MAX_DATE ? new Date(ms) : (BigInt(high) << 32n) | BigInt(low);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function uuidText(b: Uint8Array, at = 0): string {
  let text = "";
  for (let i = 0; i < 16; i++) text += (i === 4 || i === 6 || i === 8 || i === 10 ? "-" : "") + HEX[b[at + i]!];
  return text;
}

/** What BigInt can hold in V8 is 2³⁰ bits. */
const MOST_BIGINT_BYTES = 1 << 27;

/** Six bytes or less, which a number holds exactly. */
function numberFromBytes(b: Uint8Array, length: number): number {
  let number = length > 0 ? (b[0]! << 24) >> 24 : 0;
  for (let i = 1; i < length; i++) number = number * 256 + b[i]!;
  return number;
}

export function bigintFromBytes(b: Uint8Array): bigint {
  const rest = b.length - 4;
  if (rest <= 2) return BigInt(numberFromBytes(b, b.length));
  if (rest <= 6) {
    const low = (b[rest]! << 24) | (b[rest + 1]! << 16) | (b[rest + 2]! << 8) | b[rest + 3]!;
    return (BigInt(numberFromBytes(b, rest)) << 32n) | BigInt(low >>> 0);
  }
  if (b.length >= MOST_BIGINT_BYTES) throw new CqlError("CQL_RANGE", `a number of ${b.length} bytes is more than a BigInt can hold`);
  const hex = new Uint8Array(2 * b.length + 2).fill(0x30);
  hex[1] = 0x78; // 0x
  for (let i = 0; i < b.length; i++) {
    hex[2 * i + 2] = DIGITS[b[i]! >> 4]!;
    hex[2 * i + 3] = DIGITS[b[i]! & 15]!;
  }
  return BigInt.asIntN(b.length * 8, BigInt(decoder.decode(hex)));
}

export function decimalFromBytes(b: Uint8Array): Decimal {
  return new Decimal(bigintFromBytes(b.subarray(4)), numberFromBytes(b, 4));
}

export function inetText(b: Uint8Array): string {
  if (b.length === 4) return `${b[0]}.${b[1]}.${b[2]}.${b[3]}`;
  const groups = range(0, 8, (i) => ((b[2 * i]! << 8) | b[2 * i + 1]!).toString(16));
  // RFC 5952 §5: an IPv4 address mapped into IPv6 keeps its own form.
  if (groups.slice(0, 6).join() === "0,0,0,0,0,ffff") return `::ffff:${b.subarray(12).join(".")}`;
  // RFC 5952 §4: the longest run of two or more zero groups, the first of equals, becomes "::".
  let [best, bestLength] = [0, 1];
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (groups[i + length] === "0") length++;
    if (length > bestLength) [best, bestLength] = [i, length];
  }
  if (bestLength === 1) return groups.join(":");
  return `${groups.slice(0, best).join(":")}::${groups.slice(best + bestLength).join(":")}`;
}
