// What callers give: of which kind it is, whatever its class makes of it, and how an error speaks of it.
import { CqlError } from "./errors.ts";

/** A value's built-in kind, whatever realm it is from. */
export const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getter = <T>(key: PropertyKey): ((view: unknown) => T) =>
  Function.prototype.call.bind(Object.getOwnPropertyDescriptor(TYPED_ARRAY, key)!.get as never) as (view: unknown) => T;
/** What a typed array is, and its true size, whatever a class of the caller's or another realm makes of it; undefined for all else. */
export const arrayKind = getter<string | undefined>(Symbol.toStringTag);
export const arrayBytes = getter<number>("byteLength");
export const arrayBuffer = getter<ArrayBufferLike>("buffer");
export const arrayOffset = getter<number>("byteOffset");
export const isBytes = (value: unknown): value is Uint8Array => arrayKind(value) === "Uint8Array";

/**
 * The same bytes without what a class of the caller's may add: a `length` of its own would have the glue write beyond its room. Throws where the
 * bytes are gone, as after a transfer to another thread.
 */
export const plainBytes = (bytes: ArrayBufferView): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Runs what may run code of the caller's: a getter, a proxy, an iterator. What that throws becomes the cause, so that no trap is seen in it. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    return unreadable(what, cause);
  }
}

export function unreadable(what: string, cause: unknown): never {
  throw cause instanceof CqlError ? cause : new CqlError("CQL_OPTION", `${what} cannot be read`, { cause });
}

/** An object whose properties are all that it is: of no class, or of another realm's Object. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype && !(Symbol.toStringTag in value)) return true; // the commonest, without what costs more
  return tag(value) === "Object" && (prototype === null || Object.getPrototypeOf(prototype) === null);
}

export const isWellFormed: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
    : (text) => !/\p{Surrogate}/u.test(text);

/** `limit::FRAME_BODY` in `src/spec/limit.rs`: what is longer is in no frame, and asking for its room could end the WebAssembly instance. */
export const MOST = 256 << 20;
export const tooLong = "no more than the 256 MiB that a frame can hold";

/** Bytes that a function of this name takes. */
export function givenBytes(what: string, given: Uint8Array): Uint8Array {
  const plain = isBytes(given) ? reading(`${what} has ${describe(given)} that`, () => plainBytes(given)) : undefined;
  if (plain && plain.length <= MOST) return plain;
  throw new CqlError("CQL_OPTION", `${what} has ${describe(given)}: expected ${plain ? tooLong : "a Uint8Array"}`);
}

/** A value's kind, for error texts. A string itself only where it cannot be a secret, such as a name from a list. */
export function describe(value: unknown, mayShow = false): string {
  if (value === null || value === undefined || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return mayShow && value.length <= 30 ? JSON.stringify(value) : "a string";
  if (typeof value !== "object") return typeof value === "symbol" ? value.toString() : `a ${typeof value}`;
  try {
    const kind = tag(value);
    const name = kind === "Object" ? (Object.getPrototypeOf(value)?.constructor?.name ?? "object") : kind;
    const length = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as { length?: number }).length : undefined;
    return length === undefined ? String(name) : `${String(name)}(${length})`;
  } catch {
    return "an object that cannot be read"; // a getter that throws, a proxy that was revoked
  }
}
