// The constants that stand for no value, and the containers that values come out in.

/** For a parameter: leave the column as it is (v4). */
export const unset: unique symbol = Symbol.for("cqlwire.unset");
/** Zero bytes in a type that has no such value of its own. */
export const empty: unique symbol = Symbol.for("cqlwire.empty");

// A plain Map and Set, equal to those that a user makes: what they are in JSON is a property that is not enumerable.
const property = (value: (this: never) => unknown): PropertyDescriptor => ({ value, configurable: true, writable: true });
const ITEMS = property(function (this: Iterable<unknown>) {
  return [...this];
});
const OBJECT = property(function (this: Map<unknown, unknown>) {
  const pairs = [...this];
  return pairs.every(([key]) => typeof key === "string") ? record(pairs as [string, unknown][]) : pairs;
});

/** What a CQL map becomes. JSON: pairs. */
export const cqlMap = <K, V>(pairs: Iterable<readonly [K, V]>): Map<K, V> => Object.defineProperty(new Map(pairs), "toJSON", ITEMS);
/** What a CQL map with text for keys becomes. JSON: an object, or pairs where a key is no text all the same (null, or not UTF-8). */
export const textMap = <K, V>(pairs: Iterable<readonly [K, V]>): Map<K, V> => Object.defineProperty(new Map(pairs), "toJSON", OBJECT);
/** What a CQL set becomes where Sets are asked for. JSON: an array. */
export const cqlSet = <T>(items: Iterable<T>): Set<T> => Object.defineProperty(new Set(items), "toJSON", ITEMS);

/** An object with these own properties, also one called `__proto__`. */
export function record<T>(pairs: Iterable<[string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of pairs) {
    if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  }
  return object;
}
