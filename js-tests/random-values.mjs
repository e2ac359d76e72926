// Random CQL types and values of them from a seed, each value in the form in which `decodeValue` gives it.
import { Decimal, Duration, LocalDate, LocalTime } from "cqlwire";

/** xorshift32: the same numbers each time. */
export function random(seed) {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (limit) => next() % limit;
  return {
    below,
    one: (list) => list[below(list.length)],
    list: (from, to, make) => Array.from({ length: from + below(to - from + 1) }, make),
    bits: (count) => {
      let value = 0n;
      for (let n = 0; n < count; n += 32) value = (value << 32n) | BigInt(next());
      return BigInt.asIntN(count, value);
    },
  };
}

export const NATIVES =
  "ascii text tinyint smallint int bigint counter varint decimal float double boolean blob timestamp date time duration uuid timeuuid inet".split(" ");

/** A type as `{ kind, of, dimension, text }`; `udt` only where it is asked for, since CQL text does not say its fields. */
export function anyType(rng, depth = 3, withUdt = false) {
  const kind = depth && rng.below(3) === 0 ? rng.one(["list", "set", "map", "tuple", "vector", ...(withUdt ? ["udt"] : [])]) : rng.one(NATIVES);
  if (NATIVES.includes(kind)) return { kind, of: [], text: kind };
  const count = { map: 2, tuple: 1 + rng.below(3), udt: 1 + rng.below(3) }[kind] ?? 1;
  const of = Array.from({ length: count }, () => anyType(rng, depth - 1, withUdt));
  const texts = of.map((type) => type.text).join(", ");
  if (kind === "vector") {
    const dimension = 1 + rng.below(4);
    return { kind, of, dimension, text: `vector<${texts}, ${dimension}>` };
  }
  return { kind, of, text: kind === "udt" ? "k.u" : `${kind}<${texts}>` };
}

const ARRAYS = { float: Float32Array, double: Float64Array, int: Int32Array, bigint: BigInt64Array, smallint: Int16Array, tinyint: Int8Array };
const hex = (bits, digits) => BigInt.asUintN(digits * 4, bits).toString(16).padStart(digits, "0");

/** A value of a type, without nulls but in tuples and user-defined types, and without empty collections. */
export function anyValue(rng, type) {
  const value = (of) => anyValue(rng, of);
  const orNull = (of) => (rng.below(4) ? anyValue(rng, of) : null);
  const float = () => rng.one([0, 1.5, -2.25, Infinity, Math.fround(rng.below(1e9) / 7)]);
  const uuid = () => hex(rng.bits(128), 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  switch (type.kind) {
    case "ascii": return String.fromCharCode(...rng.list(0, 9, () => rng.below(128)));
    case "text": return rng.list(0, 9, () => rng.one(["a", "é", "☃", "😀", "\0", "z"])).join("");
    case "tinyint": return Number(rng.bits(32)) << 24 >> 24;
    case "smallint": return Number(rng.bits(32)) << 16 >> 16;
    case "int": return Number(rng.bits(32));
    case "bigint": case "counter": return rng.bits(64);
    case "varint": return BigInt.asIntN(rng.one([1, 8, 9, 16, 64, 100, 128]), rng.bits(128));
    case "decimal": return new Decimal(BigInt.asIntN(rng.one([8, 64, 100]), rng.bits(128)), rng.below(40) - 10);
    case "float": return float();
    case "double": return rng.one([-0, Math.PI, float(), Number.MAX_VALUE]);
    case "boolean": return rng.below(2) === 1;
    case "blob": return Uint8Array.from(rng.list(0, 9, () => rng.below(256)));
    case "timestamp": return new Date(Number(rng.bits(64) % 8_640_000_000_000_000n));
    case "date": return new LocalDate(rng.below(200_000_000) - 100_000_000);
    case "time": return new LocalTime(BigInt.asUintN(64, rng.bits(64)) % 86_400_000_000_000n);
    case "duration": {
      const sign = rng.one([1, -1]);
      return new Duration(sign * rng.below(2 ** 31), sign * rng.below(2 ** 31), BigInt(sign) * BigInt.asUintN(rng.one([7, 33, 63]), rng.bits(64)));
    }
    case "uuid": case "timeuuid": return uuid();
    case "inet": return rng.one([`10.0.${rng.below(256)}.1`, "::", "2001:db8::1", "::ffff:10.0.0.1", "1:0:0:2::3"]);
    case "list": case "set": return rng.list(1, 3, () => value(type.of[0]));
    // Keys of all kinds would have to differ as the driver sees them too: one is enough.
    case "map": return new Map([[value(type.of[0]), value(type.of[1])]]);
    case "tuple": return type.of.map(orNull);
    case "udt": return Object.fromEntries(type.of.map((of, index) => [`f${index}`, orNull(of)]));
    case "vector": {
      const values = Array.from({ length: type.dimension }, () => value(type.of[0]));
      return ARRAYS[type.of[0].kind]?.from(values) ?? values;
    }
  }
  throw new TypeError(type.kind);
}
