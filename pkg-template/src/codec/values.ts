// The constants that stand for no value, and the containers that values come out in.

/** For a parameter: leave the column as it is (v4). */
export const unset: unique symbol = Symbol.for("cqlwire.unset");
/** Zero bytes in a type that has no such value of its own. */
export const empty: unique symbol = Symbol.for("cqlwire.empty");

/** What a CQL map becomes. JSON: pairs. */
export class CqlMap<K, V> extends Map<K, V> {
  toJSON(): unknown {
    return [...this];
  }
}

/** What a CQL map with text for keys becomes. JSON: an object, or pairs where a key is no text all the same (null, or not UTF-8). */
export class TextMap<K, V> extends CqlMap<K, V> {
  override toJSON(): unknown {
    const pairs = [...this];
    return pairs.every(([key]) => typeof key === "string") ? record(pairs as [string, V][]) : pairs;
  }
}

/** What a CQL set becomes where Sets are asked for. JSON: an array. */
export class CqlSet<T> extends Set<T> {
  toJSON(): T[] {
    return [...this];
  }
}

/** An object with these own properties, also one called `__proto__`. */
export function record<T>(pairs: Iterable<[string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of pairs) {
    if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  }
  return object;
}
