// Types and values as the npm package cassandra-driver has them, and the requests it writes.
import { createRequire } from "node:module";
import driver from "cassandra-driver";
import { Decimal, Duration, LocalDate, LocalTime } from "cqlwire";

const require = createRequire(import.meta.url);
export const { types } = driver;
const { dataTypes } = types;
export const requests = require("cassandra-driver/lib/requests.js");
const Encoder = require("cassandra-driver/lib/encoder.js");
const { ExecutionOptions } = require("cassandra-driver/lib/execution-options.js");

/** Its encoder, with the options that are closest to what we do. */
export const encoder = (version) => new Encoder(version, { encoding: { useBigIntAsLong: true, useBigIntAsVarint: true, map: Map } });

/** The options of one of its requests; what is not given is not sent. */
export const options = (given) =>
  Object.assign(Object.create(ExecutionOptions.prototype), {
    getConsistency: () => given.consistency,
    getCustomPayload: () => given.customPayload,
    getFetchSize: () => given.pageSize ?? 0,
    getHints: () => given.hints,
    getKeyspace: () => given.keyspace,
    getOrGenerateTimestamp: () => (given.timestamp === undefined ? null : types.Long.fromString(String(given.timestamp))),
    getPageState: () => given.pageState,
    getSerialConsistency: () => given.serialConsistency,
    isBatchCounter: () => given.type === "COUNTER",
    isBatchLogged: () => given.type === "LOGGED",
    isQueryTracing: () => given.tracing === true,
  });

/** The same type. */
export function columnInfo({ kind, of, dimension }) {
  const inner = of.map(columnInfo);
  switch (kind) {
    case "list": case "set": return { code: dataTypes[kind], info: inner[0] };
    case "map": case "tuple": return { code: dataTypes[kind], info: inner };
    case "udt": return { code: dataTypes.udt, info: { keyspace: "k", name: "u", fields: inner.map((type, index) => ({ name: `f${index}`, type })) } };
    case "vector": return { code: dataTypes.custom, customTypeName: "vector", info: [inner[0], dimension] };
    default: return { code: dataTypes[kind], info: null };
  }
}

/** Our value as it takes it. */
export function toDriver(type, value) {
  if (value === null) return null;
  const [first, second] = type.of;
  switch (type.kind) {
    case "decimal": return new types.BigDecimal(types.Integer.fromString(String(value.unscaled)), value.scale);
    case "blob": return Buffer.from(value);
    case "date": return new types.LocalDate(value.days);
    case "time": return new types.LocalTime(types.Long.fromString(String(value.nanoseconds)));
    case "duration": return new types.Duration(value.months, value.days, types.Long.fromString(String(value.nanoseconds)));
    case "uuid": case "timeuuid": return types.Uuid.fromString(value);
    case "inet": return types.InetAddress.fromString(value);
    case "list": case "set": return value.map((item) => toDriver(first, item));
    case "map": return new Map([...value].map(([key, item]) => [toDriver(first, key), toDriver(second, item)]));
    case "tuple": return types.Tuple.fromArray(value.map((item, index) => toDriver(type.of[index], item)));
    case "udt": return Object.fromEntries(type.of.map((of, index) => [`f${index}`, toDriver(of, value[`f${index}`])]));
    case "vector": return new types.Vector(Array.from(value, (item) => toDriver(first, item)), first.kind);
    default: return value;
  }
}

/** What it read, as we have it. */
export function fromDriver(type, value) {
  if (value === null) return null;
  const [first, second] = type.of;
  switch (type.kind) {
    case "decimal": return new Decimal(BigInt(value._intVal.toString()), value._scale);
    case "blob": return Uint8Array.from(value);
    case "date": return new LocalDate(value.toBuffer().readUInt32BE() - 2 ** 31);
    case "time": return new LocalTime(value.toBuffer().readBigInt64BE());
    case "duration": return new Duration(value.months, value.days, BigInt(value.nanoseconds.toString()));
    case "uuid": case "timeuuid": return value.toString();
    case "inet": return value.getBuffer().toString("hex");
    case "list": case "set": return value.map((item) => fromDriver(first, item));
    case "map": return [...value].map(([key, item]) => [fromDriver(first, key), fromDriver(second, item)]);
    case "tuple": return value.values().map((item, index) => fromDriver(type.of[index], item));
    case "udt": return type.of.map((of, index) => fromDriver(of, value[`f${index}`]));
    case "vector": return Array.from(value, (item) => fromDriver(first, item));
    default: return value;
  }
}

/** Our value in the form that `fromDriver` gives. */
export function comparable(type, value) {
  if (value === null) return null;
  const [first, second] = type.of;
  switch (type.kind) {
    case "inet": return types.InetAddress.fromString(value).getBuffer().toString("hex");
    case "list": case "set": case "vector": return Array.from(value, (item) => comparable(first, item));
    case "map": return [...value].map(([key, item]) => [comparable(first, key), comparable(second, item)]);
    case "tuple": return value.map((item, index) => comparable(type.of[index], item));
    case "udt": return type.of.map((of, index) => comparable(of, value[`f${index}`]));
    default: return value;
  }
}
