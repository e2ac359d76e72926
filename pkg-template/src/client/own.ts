// Parameters as they were when the call was made. A statement may have to be prepared first, may wait its turn, may be asked again or
// for its next page: by then the caller may have filled the same buffer anew.
import { CqlError, isPlain, tag } from "../codec/index.ts";

/**
 * A copy of what is in `value`: arrays, typed arrays, buffers, dates, maps, sets, plain objects, and what an iterator gives. An object of a
 * class is taken as it is: only its class knows how to copy it. `what` names the value if it cannot be read.
 */
export function own<T>(value: T, what: string): T {
  try {
    return copy(value, new Map()) as T;
  } catch (cause) {
    throw new CqlError("CQL_ENCODE", `${what} cannot be read`, { cause });
  }
}

/** `seen` holds the copy of each object met so far: shared ones stay shared, and cycles end. */
function copy(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = <C>(made: C): C => {
    seen.set(value, made);
    return made;
  };
  if (ArrayBuffer.isView(value)) return keep(copyView(value));
  if (Array.isArray(value)) {
    const made = keep(new Array<unknown>(value.length));
    for (let i = 0; i < value.length; i++) made[i] = copy(value[i], seen);
    return made;
  }
  switch (tag(value)) {
    case "Date":
      return keep(new Date((value as Date).getTime()));
    case "ArrayBuffer":
    case "SharedArrayBuffer":
      return keep(new Uint8Array(value as ArrayBuffer).slice().buffer);
    case "Map": {
      const made = keep(new Map<unknown, unknown>());
      for (const [key, item] of value as Map<unknown, unknown>) made.set(copy(key, seen), copy(item, seen));
      return made;
    }
    case "Set": {
      const made = keep(new Set<unknown>());
      for (const item of value as Set<unknown>) made.add(copy(item, seen));
      return made;
    }
  }
  // What can be read once only, such as a generator.
  const isIterator = Symbol.iterator in value && typeof (value as { next?: unknown }).next === "function";
  if (isIterator || (isPlain(value) && Symbol.iterator in value)) {
    return keep(Array.from(value as unknown as Iterable<unknown>, (item) => copy(item, seen)));
  }
  if (!isPlain(value)) return value;
  const made = keep<Record<string, unknown>>({});
  for (const [key, item] of Object.entries(value)) {
    // An own property, also if it is called __proto__.
    Object.defineProperty(made, key, { value: copy(item, seen), enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/** Of the built-in kind, whatever class or realm it is of: a subclass's constructor may want other arguments. */
function copyView(value: ArrayBufferView): ArrayBufferView {
  const { buffer } = new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  const kinds = globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>;
  return new kinds[tag(value)]!(buffer);
}
