// Parameters as they were when the call was made. A statement may have to be prepared first, may wait its turn, may be asked again or
// for its next page: by then the caller may have filled the same buffer anew.

/** Deeper values are left as they are: the codec refuses them anyway. */
const MOST_DEPTH = 64;

/** A copy of whatever in `value` can change; what cannot is taken as it is. */
export function own(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH || Object.isFrozen(value)) return value;
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    const copy = buffer.slice(byteOffset, byteOffset + byteLength);
    if (value instanceof DataView) return new DataView(copy);
    const constructor = value.constructor as { BYTES_PER_ELEMENT?: number; new (buffer: ArrayBufferLike): unknown };
    // Buffer is not made from a buffer by `new`; any other typed array is.
    return constructor.BYTES_PER_ELEMENT !== undefined && constructor.name !== "Buffer" ? new constructor(copy) : new Uint8Array(copy);
  }
  const copy = (one: unknown): unknown => own(one, depth + 1);
  if (Array.isArray(value)) return Array.from(value, copy);
  switch (Object.prototype.toString.call(value).slice(8, -1)) {
    case "Date":
      return new Date(value as unknown as number);
    case "Map":
      return new Map(Array.from(value as Map<unknown, unknown>, ([key, item]) => [copy(key), copy(item)]));
    case "ArrayBuffer":
      return (value as ArrayBuffer).slice(0);
    case "Object":
      if (Symbol.iterator in value) break;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
  }
  // Sets, and iterators that can be read once only.
  return Symbol.iterator in value ? Array.from(value as Iterable<unknown>, copy) : value;
}
