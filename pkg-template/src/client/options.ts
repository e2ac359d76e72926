// Options, checked once: an unknown name or a value of the wrong kind is an error before anything is sent. What a level or a batch
// type may be called, the codec knows.
import { CqlError, type ValueSettings, consistencyNames, describe, readValueOptions } from "../codec/index.ts";
import type { Authenticator, BatchOptions, BulkOptions, CallOptions, ConnectOptions, PrepareOptions, QueryOptions } from "../../types/client.js";

export interface ContactPoint {
  text: string;
  host: string;
  port: number;
}

/** Defaults of the calls' options. */
export interface Defaults extends Pick<ConnectOptions, "serialConsistency"> {
  consistency: NonNullable<ConnectOptions["consistency"]>;
  pageSize: number;
  timeout: number;
}

export interface ConnectSettings extends Defaults, Pick<ConnectOptions, "keyspace" | "protocolVersion" | "compression"> {
  contactPoints: ContactPoint[];
  authenticator?: Authenticator;
  connectTimeout: number;
  maxInFlight: number;
  maxQueued: number;
  values: ValueSettings;
}

type Check = (value: unknown) => string | undefined;

const DEFAULTS = {
  consistency: "LOCAL_ONE",
  pageSize: 5_000,
  timeout: 12_000,
  connectTimeout: 5_000,
  maxInFlight: 2_048,
  maxQueued: 16_384,
} as const;
const DEFAULT_PORT = 9042;

// Checks: undefined, or what was expected.

const text: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "a string that is not empty");
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
// By tag, not instanceof: values may come from another realm, as in test runners that use node:vm.
const tagged =
  (tag: string): Check =>
  (value) =>
    Object.prototype.toString.call(value) === `[object ${tag}]` ? undefined : `${/^[AEIO]/.test(tag) ? "an" : "a"} ${tag}`;
const object: Check = (value) => (typeof value === "object" && value !== null && !ArrayBuffer.isView(value) ? undefined : "an object");
const bytesOrNull: Check = (value) => (value === null ? undefined : tagged("Uint8Array")(value) && "a Uint8Array or null");
const oneOf =
  (...allowed: unknown[]): Check =>
  (value) =>
    allowed.includes(value) ? undefined : `one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}`;
const level: Check = (value) => oneOf(...consistencyNames())(value);
const integer =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? undefined : `an integer from ${least} to ${most}`;
const methods =
  (...names: string[]): Check =>
  (value) =>
    names.every((name) => typeof (value as Record<string, unknown> | null | undefined)?.[name] === "function")
      ? undefined
      : `an object with the methods ${names.join(" and ")}`;

const INT = 0x7fff_ffff;
/** Timers take no more. */
const milliseconds = integer(1, INT);

const callChecks = {
  timeout: milliseconds,
  signal: tagged("AbortSignal"),
};
const requestChecks = {
  ...callChecks,
  consistency: level,
  serialConsistency: oneOf("SERIAL", "LOCAL_SERIAL"),
  timestamp: ((value) =>
    typeof value === "bigint" || Number.isSafeInteger(value) ? undefined : "a bigint or an integer, microseconds since 1970") as Check,
  keyspace: text,
  nowInSeconds: integer(-INT - 1, INT),
  tracing: flag,
  customPayload: object,
};
const queryChecks = { ...requestChecks, pageSize: integer(1, INT), pageState: bytesOrNull, prepare: flag, types: object };
const batchChecks = { ...requestChecks, type: oneOf("LOGGED", "UNLOGGED", "COUNTER") };
const bulkChecks = { ...requestChecks, concurrency: integer(1, 32_767), batch: object };
const bulkBatchChecks = { rows: integer(1, 65_535), bytes: integer(1, INT), type: oneOf("LOGGED", "UNLOGGED", "COUNTER") };
/** Servers warn of batches beyond some KiB, and refuse them at ten times that (`batch_size_fail_threshold`, 50 KiB). */
const BULK_BATCH = { rows: 100, bytes: 40 << 10, type: "UNLOGGED" } as const;
const CONCURRENCY = 256;
const prepareChecks = { ...callChecks, keyspace: text };
const connectChecks = {
  contactPoints: ((value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string") ? undefined : 'an array such as ["127.0.0.1:9042"]') as Check,
  keyspace: text,
  credentials: ((value) => {
    const { username, password, ...others } = (value ?? {}) as Record<string, unknown>;
    const isGood = typeof username === "string" && typeof password === "string" && Object.keys(others).length === 0;
    return isGood ? undefined : "{ username, password }, two strings and nothing else";
  }) as Check,
  authenticator: methods("start", "challenge"),
  protocolVersion: oneOf(3, 4, 5),
  compression: oneOf("lz4", "snappy", "none"),
  connectTimeout: milliseconds,
  maxInFlight: integer(1, 32_767),
  maxQueued: integer(0, INT),
  consistency: level,
  serialConsistency: oneOf("SERIAL", "LOCAL_SERIAL"),
  pageSize: integer(1, INT),
  timeout: milliseconds,
  values: object,
};

/** Options that hold names from a list, so that errors may show what they hold. */
const NAMES = new Set(["consistency", "serialConsistency", "compression", "type"]);

/** The options that are given: `undefined` counts as not given. */
function read<T extends object>(call: string, options: T | undefined, checks: Record<keyof T & string, Check>): Partial<T> {
  const given: Record<string, unknown> = {};
  if (options === undefined) return given as Partial<T>;
  if (object(options)) throw new CqlError("CQL_OPTION", `the options of ${call} must be an object, not ${describe(options)}`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) {
      throw new CqlError("CQL_OPTION", `${call} has no option ${JSON.stringify(name)}: there are ${Object.keys(checks).join(", ")}`);
    }
    if (value === undefined) continue;
    const expected = checks[name as keyof T & string](value);
    if (expected !== undefined) throw new CqlError("CQL_OPTION", `option ${name} of ${call} must be ${expected}, not ${describe(value, NAMES.has(name))}`);
    given[name] = value;
  }
  return given as Partial<T>;
}

/** Merged with the client's defaults. */
export type QuerySettings = QueryOptions & Defaults;
export type BatchSettings = BatchOptions & Pick<Defaults, "consistency" | "timeout">;

export function readQueryOptions(call: string, options: QueryOptions | undefined, defaults: Defaults): QuerySettings {
  const settings = { ...defaults, ...read(call, options, queryChecks) };
  if (settings.types !== undefined && settings.prepare !== false) {
    throw new CqlError("CQL_OPTION", `option types of ${call} needs prepare: false: of a prepared query the server tells the types`);
  }
  return settings;
}

export function readBatchOptions(options: BatchOptions | undefined, { consistency, serialConsistency, timeout }: Defaults): BatchSettings {
  return { consistency, ...(serialConsistency && { serialConsistency }), timeout, ...read("batch", options, batchChecks) };
}

export type BulkSettings = Omit<BulkOptions, "batch"> &
  Pick<Defaults, "consistency" | "timeout"> & { concurrency: number; batch?: Required<NonNullable<BulkOptions["batch"]>> };

export function readBulkOptions(options: BulkOptions | undefined, { consistency, serialConsistency, timeout }: Defaults): BulkSettings {
  const { batch, ...given } = read("bulk", options, bulkChecks);
  const settings = { consistency, ...(serialConsistency && { serialConsistency }), timeout, concurrency: CONCURRENCY, ...given };
  return batch ? { ...settings, batch: { ...BULK_BATCH, ...read("bulk's batch", batch, bulkBatchChecks) } } : settings;
}

export function readPrepareOptions(options: PrepareOptions | undefined, { timeout }: Defaults): PrepareOptions & { timeout: number } {
  return { timeout, ...read("prepare", options, prepareChecks) };
}

export function readCloseOptions(options: Pick<CallOptions, "timeout"> | undefined): { timeout: number } {
  return { timeout: 5_000, ...read("close", options, { timeout: milliseconds }) };
}

export function readConnectOptions(options: ConnectOptions): ConnectSettings {
  const { contactPoints, credentials, authenticator, values, ...given } = read("Client.connect", options, connectChecks);
  if (contactPoints === undefined) throw new CqlError("CQL_OPTION", 'Client.connect needs contactPoints, such as ["127.0.0.1:9042"]');
  if (credentials && authenticator) throw new CqlError("CQL_OPTION", "give Client.connect credentials or an authenticator, not both");
  const settings: ConnectSettings = { ...DEFAULTS, ...given, contactPoints: contactPoints.map(readContactPoint), values: readValueOptions("option values", values) };
  if (settings.protocolVersion === 5 && settings.compression === "snappy") throw noSnappy();
  if (authenticator) settings.authenticator = authenticator;
  if (credentials) settings.authenticator = plainText(credentials.username, credentials.password);
  return settings;
}

export function noSnappy(): CqlError {
  const text = 'protocol v5 knows lz4 only (v5 §2.3): with compression: "snappy" also give protocolVersion: 4, or choose "lz4"';
  return new CqlError("CQL_OPTION", text);
}

function readContactPoint(text: string): ContactPoint {
  // `[IPv6]:port`, `host:port`, `host`; more than one colon without brackets is an IPv6 address.
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:/]+|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(?:%\w+)?))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (!host || number < 1 || number > 65_535) {
    throw new CqlError("CQL_OPTION", `contact point ${JSON.stringify(text)}: expected host, host:port or [IPv6]:port`);
  }
  return { text, host, port: number };
}

/** SASL PLAIN without an authorisation identity: what PasswordAuthenticator takes. */
function plainText(username: string, password: string): Authenticator {
  return {
    start: () => new TextEncoder().encode(`\0${username}\0${password}`),
    challenge() {
      throw new CqlError("CQL_CREDENTIALS", "the server asks for more than user name and password: give an authenticator instead of credentials");
    },
  };
}
