// What a reader of Arrow should see: of a CQL type the name that pyarrow has for Arrow's, of a JavaScript value plain data that three readers can
// say alike: digits, hex, text, arrays. Written from the mapping in the documentation; nothing of the package's own conversion is used.

const NATIVES = {
  ascii: "string", text: "string", varint: "string", decimal: "string", inet: "string",
  tinyint: "int8", smallint: "int16", int: "int32", bigint: "int64", counter: "int64",
  float: "float", double: "double", boolean: "bool", blob: "binary", custom: "binary",
  timestamp: "timestamp[ms, tz=UTC]", date: "date32[day]", time: "time64[ns]", duration: "month_day_nano_interval",
  uuid: "extension<arrow.uuid>", timeuuid: "extension<arrow.uuid>",
};

/** As pyarrow writes it; `nullKeys`: of maps in which a key is null. */
export function arrowType(type, nullKeys = () => false) {
  const of = type.of.map((one) => arrowType(one, nullKeys));
  switch (type.kind) {
    case "list": case "set": return `list<item: ${of[0]}>`;
    case "vector": return `fixed_size_list<item: ${of[0]}>[${type.dimension}]`;
    case "map": return nullKeys(type) ? `list<item: struct<key: ${of[0]}, value: ${of[1]}> not null>` : `map<${of[0]}, ${of[1]}>`;
    case "tuple": return `struct<${of.map((one, index) => `${index}: ${one}`).join(", ")}>`;
    case "udt": return `struct<${of.map((one, index) => `${type.names[index]}: ${one}`).join(", ")}>`;
    default: return NATIVES[type.kind];
  }
}

export function double(number) {
  if (Number.isNaN(number)) return "NaN";
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(number);
  return bytes.toString("hex");
}

const same = (value) => value;
/** Of a value that is not null: what a reader sees, before what `LIMITS` takes from it. */
const VALUES = {
  ascii: same, text: same, inet: same, boolean: same,
  tinyint: String, smallint: String, int: String, bigint: String, counter: String, varint: String, decimal: String,
  float: double, double,
  blob: (bytes) => Buffer.from(bytes).toString("hex"),
  custom: (bytes) => Buffer.from(bytes).toString("hex"),
  timestamp: (value) => String(typeof value === "bigint" ? value : value.getTime()),
  date: ({ days }) => String(days),
  time: ({ nanoseconds }) => String(nanoseconds),
  duration: ({ months, days, nanoseconds }) => [String(months), String(days), String(nanoseconds)],
  uuid: (text) => text.replaceAll("-", ""),
  timeuuid: (text) => text.replaceAll("-", ""),
};

const dashes = (hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const outside = (limit) => (ms) => BigInt(ms) > limit || BigInt(ms) < -limit;
/**
 * What a reader has otherwise than Arrow says: for values of a kind either the value that it gives, or those for which it refuses the whole column, and how.
 * Each has to be met, so that none stays here when its reader has learnt better.
 */
export const LIMITS = [
  { reader: "duckdb", kind: "duration", why: "an INTERVAL counts microseconds", value: ([months, days, ns]) => [months, days, String((BigInt(ns) / 1000n) * 1000n)] },
  { reader: "duckdb", kind: "uuid", why: "it has a UUID and gives its text to Arrow", value: dashes },
  { reader: "duckdb", kind: "timeuuid", why: "as uuid", value: dashes },
  { reader: "duckdb", kind: "timestamp", why: "TIMESTAMPTZ counts microseconds in 64 bits", refuses: outside((2n ** 63n - 1n) / 1000n), error: /Could not convert/ },
  { reader: "apache-arrow", kind: "text", why: "its TextDecoder takes a byte order mark away", value: (text) => text.replace(/^\ufeff/, "") },
  { reader: "apache-arrow", kind: "timestamp", why: "it gives numbers", refuses: outside(2n ** 53n - 1n), error: /not safe to convert to a number/ },
];
const met = new Set();
export const unmetLimits = (reader) => LIMITS.filter((limit) => limit.reader === reader && !met.has(limit));

/** The value as `reader` sees it. `refused` is told the error that it gives instead, if that is so. */
export function expected(reader, type, value, refused) {
  if (value === null) return null;
  const inside = (of, item) => expected(reader, of, item, refused);
  switch (type.kind) {
    case "list": case "set": case "vector": return Array.from(value, (item) => inside(type.of[0], item));
    case "map": return [...value].map(([key, item]) => [inside(type.of[0], key), inside(type.of[1], item)]);
    case "tuple": return value.map((item, index) => inside(type.of[index], item));
    case "udt": return type.names.map((name, index) => inside(type.of[index], Object.entries(value).find(([own]) => own === name)[1]));
  }
  const seen = VALUES[type.kind](value);
  const limit = LIMITS.find((one) => one.reader === reader && one.kind === type.kind);
  if (!limit) return seen;
  if (limit.value) {
    const less = limit.value(seen);
    if (String(less) !== String(seen)) met.add(limit);
    return less;
  }
  if (limit.refuses(seen)) {
    met.add(limit);
    refused(limit.error);
  }
  return seen;
}

/** True of a map type in which, in one of the values of the column, a key is null. */
export function nullKeys(type, values) {
  const found = new Set();
  const look = (of, value) => {
    if (value === null || of.of.length === 0) return;
    if (of.kind === "map") {
      for (const [key, item] of value) {
        if (key === null) found.add(of);
        look(of.of[0], key);
        look(of.of[1], item);
      }
    } else if (of.kind === "tuple") value.forEach((item, index) => look(of.of[index], item));
    else if (of.kind === "udt") of.names.forEach((name, index) => look(of.of[index], value[name]));
    else for (const item of value) look(of.of[0], item);
  };
  for (const value of values) look(type, value);
  return (of) => found.has(of);
}
