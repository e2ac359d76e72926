// What a real server sent, through the built package: every result's values, metadata, warnings and errors equal what an independent
// driver decoded from the same bytes (testdata/sessions).
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Codec, empty, serverError } from "cqlwire";

const folder = new URL("../testdata/sessions/", import.meta.url);

function read(name) {
  const plain = new URL(`${name}.jsonl`, folder);
  const text = existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, folder)));
  return text.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** A value as the expected files write it, with its type's tag. */
function shown(type, value) {
  return value === null ? null : { [tag(type)]: value === empty ? { empty: true } : bare(type, value) };
}

/** The tag that values of a type carry there: a UDT's with its keyspace, varchar as text. */
function tag(type) {
  const of = () => type.of.map(tag).join(", ");
  switch (type.kind) {
    case "udt":
      return `udt ${type.keyspace}.${type.name}`;
    case "list":
    case "set":
    case "map":
    case "tuple":
      return `${type.kind}<${of()}>`;
    case "vector":
      return `vector<${tag(type.of[0])}, ${type.dimension}>`;
    default:
      return type.kind;
  }
}

/** Python's repr of a double, as far as the recordings use it. */
function repr(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  if (Number.isInteger(value) && !text.includes("e")) return Math.abs(value) >= 1e16 ? exponential(value) : `${text}.0`;
  return Math.abs(value) < 1e-4 || text.includes("e") ? exponential(value) : text;
}
function exponential(value) {
  const [mantissa, exponent] = value.toExponential().split("e");
  const sign = exponent[0] === "-" ? "-" : "+";
  return `${mantissa}e${sign}${exponent.slice(1).padStart(2, "0")}`;
}

function bare(type, value) {
  if (value === null) return null;
  switch (type.kind) {
    case "bigint":
    case "counter":
    case "varint":
      return value.toString();
    case "float":
    case "double":
      return repr(value);
    case "decimal":
      return `${value.unscaled}E${-value.scale}`;
    case "blob":
    case "custom":
      return hex(value);
    case "timestamp":
      return typeof value === "bigint" ? value.toString() : String(value.getTime());
    case "date":
      return value.days;
    case "time":
      return value.nanoseconds.toString();
    case "duration":
      return { months: value.months, days: value.days, nanoseconds: value.nanoseconds.toString() };
    case "list":
    case "set":
    case "vector":
      return Array.from(value, (element) => bare(type.of[0], element));
    case "map":
      return [...value].map(([key, item]) => [bare(type.of[0], key), bare(type.of[1], item)]);
    case "tuple":
      return value.map((item, index) => shown(type.of[index], item));
    case "udt":
      return Object.fromEntries(type.names.map((name, index) => [name, shown(type.of[index], value[name])]));
    default:
      return value;
  }
}

/** The same value with its sets in one order: theirs has no meaning. */
function sorted(type, value) {
  const inside = (type, value) => {
    if (value === null || typeof value !== "object" || value.empty) return value;
    switch (type.kind) {
      case "set":
        return value.map((element) => inside(type.of[0], element)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      case "list":
      case "vector":
        return value.map((element) => inside(type.of[0], element));
      case "map":
        return value.map(([key, item]) => [inside(type.of[0], key), inside(type.of[1], item)]);
      case "tuple":
        return value.map((item, index) => sorted(type.of[index], item));
      case "udt":
        return Object.fromEntries(type.names.map((name, index) => [name, sorted(type.of[index], value[name])]));
      default:
        return value;
    }
  };
  return value === null || value === undefined ? value : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, inside(type, v)]));
}

/** Both sides of the session's connection, each read by its own codec, in the order in which they were recorded. */
function replay(name, version, compression) {
  const lines = read(name).filter((line) => line.conn === 2);
  const client = new Codec({ version });
  client.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0", ...(compression ? { COMPRESSION: compression } : {}) } }, 0);
  const server = new Codec({ role: "server" });
  const statements = new Map();
  const messages = [];
  for (const line of lines) {
    const bytes = Buffer.from(line.hex, "hex");
    if (line.dir === "c2s") {
      for (const request of server.feed(bytes)) {
        // The client's codec knows a statement's columns once it has written its EXECUTE. One that was never answered stays raw.
        const prepared = request.opcode === "EXECUTE" ? statements.get(hex(request.id)) : undefined;
        if (prepared) client.encode({ opcode: "EXECUTE", prepared, params: prepared.bind.map(() => null) }, request.stream);
      }
      continue;
    }
    for (const message of client.feed(bytes)) {
      messages.push(message);
      if (message.opcode === "READY" && !server.isEstablished) server.encode(message);
      const prepared = message.kind === "Prepared" ? message : message.prepared;
      if (prepared) statements.set(hex(prepared.id), prepared);
    }
  }
  return messages;
}

/** What the driver decoded, in order; it saw one answer for each request on the session's connection. */
function expected(name) {
  return read(`${name}.expected`).flatMap((line) => (line.n ? line.responses : []));
}

const KINDS = { Void: "void", Rows: "rows", Prepared: "prepared", Set_keyspace: "set_keyspace", Schema_change: "schema_change" };

function check(message, response, where) {
  if (message.opcode === "ERROR") {
    const error = serverError(message);
    assert.deepEqual([error.code, error.errorCode, error.message], [`CQL_${response.error}`, response.code, response.message], where);
    const { info = {} } = response;
    const counts = [message.received, message.blockFor, message.required, message.alive];
    const { received_responses: received, required_responses: blockFor, required_replicas: required, alive_replicas: alive } = info ?? {};
    assert.deepEqual(counts, [received, blockFor, required, alive], where);
  } else {
    const kind = KINDS[message.kind] ?? message.opcode.toLowerCase();
    assert.equal(kind, response.kind, where);
  }
  assert.equal(message.tracingId, response.trace_id, where);
  assert.deepEqual(message.warnings, response.warnings, where);
  if (message.kind === "Prepared") {
    assert.equal(hex(message.id), response.id, where);
    assert.deepEqual(message.bind.map((spec) => spec.name), response.bind.map((spec) => spec.name), where);
  }
  if (message.kind === "Set_keyspace") assert.equal(message.keyspace, response.keyspace, where);
  if (message.kind !== "Rows") return 0;
  assert.deepEqual(message.columns.map((c) => [c.name, tag(c.type)]), response.columns.map((c) => [c.name, c.type]), where);
  assert.equal(message.pagingState && hex(message.pagingState), response.paging_state ?? null, where);
  assert.equal(message.length, response.rows.length, where);
  let cells = 0;
  response.rows.forEach((row, index) => {
    message.columns.forEach((column, c) => {
      const value = column.isEmpty(index) ? empty : column.at(index);
      assert.deepEqual(sorted(column.type, shown(column.type, value)), sorted(column.type, row[c]), `${where}: row ${index}, ${column.name}`);
      cells++;
    });
  });
  // The same values as row objects; names are unique in the recordings.
  message.rows.forEach((row, index) => assert.deepEqual(Object.values(row), message.columns.map((c) => c.at(index)), where));
  return cells;
}

for (const [name, version, compression] of [
  ["v3-plain", 3],
  ["v4-plain", 4],
  ["v4-lz4", 4, "lz4"],
  ["v4-snappy", 4, "snappy"],
  ["v5-plain", 5],
  ["v5-lz4", 5, "lz4"],
  ["failures-v3", 3],
  ["failures-v4", 4],
  ["failures-v5", 5],
]) {
  test(`${name}: every answer of the session`, () => {
    const responses = expected(name).filter((r) => r.kind !== "supported" && r.kind !== "ready");
    const answers = replay(name, version, compression).filter(
      (m) => m.opcode !== "EVENT" && m.opcode !== "SUPPORTED" && m.opcode !== "READY",
    );
    if (name === "v4-plain") {
      // This driver also reads the schema, between the requests of the application: rows of system tables that the next
      // expected answer does not have.
      let next = 0;
      const isDrivers = (m) =>
        m.kind === "Rows" &&
        m.metadata[0]?.keyspace.startsWith("system") &&
        JSON.stringify(m.columns.map((c) => c.name)) !== JSON.stringify(responses[next]?.columns?.map((c) => c.name));
      for (let i = 0; i < answers.length; i++) isDrivers(answers[i]) ? answers.splice(i--, 1) : next++;
    }
    let cells = 0;
    assert.equal(answers.length, responses.length);
    answers.forEach((message, index) => {
      cells += check(message, responses[index], `${name}, answer ${index}`);
    });
    if (!name.startsWith("failures")) assert.ok(cells > 600, `${cells} cells compared`);
  });
}
