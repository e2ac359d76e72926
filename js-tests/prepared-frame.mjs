// PREPARED written from the specification (§4.2.5.4), for tests that need a statement with columns of any type.
const CODES = {
  ascii: 1, bigint: 2, blob: 3, boolean: 4, counter: 5, decimal: 6, double: 7, float: 8, int: 9, timestamp: 0x0b, uuid: 0x0c, text: 0x0d, varint: 0x0e,
  timeuuid: 0x0f, inet: 0x10, date: 0x11, time: 0x12, smallint: 0x13, tinyint: 0x14, duration: 0x15, list: 0x20, map: 0x21, set: 0x22, udt: 0x30, tuple: 0x31,
};
const CLASSES = {
  ascii: "AsciiType", bigint: "LongType", blob: "BytesType", boolean: "BooleanType", counter: "CounterColumnType", decimal: "DecimalType", double: "DoubleType",
  float: "FloatType", int: "Int32Type", timestamp: "TimestampType", uuid: "UUIDType", text: "UTF8Type", varint: "IntegerType", timeuuid: "TimeUUIDType",
  inet: "InetAddressType", date: "SimpleDateType", time: "TimeType", smallint: "ShortType", tinyint: "ByteType", duration: "DurationType", list: "ListType",
  map: "MapType", set: "SetType", udt: "UserType", tuple: "TupleType", vector: "VectorType",
};
/** The first version that has a code for the type. */
const SINCE = { date: 4, time: 4, smallint: 4, tinyint: 4, duration: 5, vector: Infinity };

const short = (n) => Buffer.of(n >> 8, n & 255);
const int = (n) => Buffer.of(n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255);
const string = (text) => Buffer.concat([short(Buffer.byteLength(text)), Buffer.from(text)]);
const hexOf = (text) => Buffer.from(text).toString("hex");

function className({ kind, of, dimension }) {
  const name = `org.apache.cassandra.db.marshal.${CLASSES[kind]}`;
  const inner = of.map(className);
  if (kind === "udt") return `${name}(k,${hexOf("u")},${inner.map((type, index) => `${hexOf(`f${index}`)}:${type}`).join(",")})`;
  if (kind === "vector") return `${name}(${inner[0]} , ${dimension})`;
  return inner.length ? `${name}(${inner.join(",")})` : name;
}

function option(type, version) {
  const { kind, of } = type;
  if (version < (SINCE[kind] ?? 3)) return Buffer.concat([short(0), string(className(type))]);
  const inner = of.map((item) => option(item, version));
  const head = short(CODES[kind]);
  if (kind === "udt") return Buffer.concat([head, string("k"), string("u"), short(of.length), ...inner.flatMap((item, index) => [string(`f${index}`), item])]);
  return kind === "tuple" ? Buffer.concat([head, short(of.length), ...inner]) : Buffer.concat([head, ...inner]);
}

/** The frame of a PREPARED with these bind markers, named c0, c1, …, and result columns, named r0, r1, …; in v5 its metadata id is bbbb. */
export function preparedFrame(version, stream, id, bind, result = []) {
  const specs = (types, letter) => [
    ...(types.length ? [string("ks"), string("t")] : []),
    ...types.flatMap((type, index) => [string(`${letter}${index}`), option(type, version)]),
  ];
  const metadataId = version >= 5 ? [short(2), Buffer.of(0xbb, 0xbb)] : [];
  const body = Buffer.concat([
    int(4), short(id.length), id, ...metadataId,
    int(bind.length ? 1 : 0), int(bind.length), ...(version >= 4 ? [int(0)] : []), ...specs(bind, "c"),
    int(result.length ? 1 : 4), int(result.length), ...specs(result, "r"),
  ]);
  return Buffer.concat([Buffer.of(0x80 | version, 0), short(stream), Buffer.of(8), int(body.length), body]);
}
