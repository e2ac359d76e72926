// docs/messages.md against JavaScript: what a message has as fields when it is read is what the tables say, for each message and version.
// tests/docs holds the rest of the tables.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Codec, unset } from "cqlwire";

const VERSIONS = [3, 4, 5];
const lines = readFileSync(new URL("../docs/messages.md", import.meta.url), "utf8").split("\n");

/** Names of the first path segment of what stands in backquotes in the JavaScript column: chapter → [versions, name][]. */
function fields(heading, versions = VERSIONS) {
  const start = lines.indexOf(`### ${heading}`);
  assert.notEqual(start, -1, heading);
  const end = lines.findIndex((line, at) => at > start && line.startsWith("#"));
  return lines.slice(start, end).filter((line) => /^\| /.test(line) && !/^\| field /.test(line)).flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    const [field, , v3, v4, v5, , , , js] = cells.slice(1);
    const own = versions.filter((version) => [v3, v4, v5][version - 3] === "✓");
    const names = [...js.matchAll(/`(\w+)(?=[\[\].\w]*`)/g)].map((match) => [own, match[1]]);
    const link = /^→ \[.*\]\(#(.*)\)/.exec(field);
    if (!link || names.length > 0) return names; // where a table stands for one field, the field is said
    const other = lines.find((text) => text.startsWith("### ") && text.slice(4).toLowerCase().replaceAll(" ", "-") === link[1]);
    return fields(other.slice(4), own);
  });
}
const expected = (heading, version) => new Set(fields(heading).filter(([versions]) => versions.includes(version)).map(([, name]) => name));

const bytes = (...values) => Uint8Array.from(values);
const frame = { tracing: true, customPayload: { k: bytes(1) } };
const only = (version, from, options) => (version >= from ? options : {});
/** Requests with all that the version has. By their chapter. */
const requests = (version) => {
  const last = { consistency: "ONE", serialConsistency: "SERIAL", timestamp: 1n, ...only(version, 5, { keyspace: "k", nowInSeconds: 1 }) };
  const paging = { pageSize: 1, pageState: bytes(1), skipMetadata: true };
  const params = { params: { a: bytes(1), b: null } };
  return {
    STARTUP: { options: { CQL_VERSION: "3.0.0" } },
    AUTH_RESPONSE: { token: bytes(1) },
    OPTIONS: {},
    QUERY: { query: "q", ...params, ...last, ...paging },
    PREPARE: { query: "q", ...only(version, 5, { keyspace: "k" }) },
    EXECUTE: { id: bytes(1), resultMetadataId: bytes(2), ...params, ...last, ...paging },
    BATCH: { type: "LOGGED", statements: [{ query: "q", params: [version > 3 ? unset : null] }], ...last },
    REGISTER: { eventTypes: ["STATUS_CHANGE"] },
  };
};
// A value of a request that was read has its bytes, so these are of what is written only; of the stream and opcode every message.
const WRITTEN = new Set(["prepared"]);

test("requests", () => {
  for (const version of VERSIONS) {
    for (const [opcode, message] of Object.entries(requests(version))) {
      const client = new Codec(opcode === "STARTUP" ? { version } : { established: { version } });
      const server = new Codec(opcode === "STARTUP" ? { role: "server", version } : { role: "server", established: { version } });
      const [read] = server.feed(client.encode({ opcode, ...message, ...only(version, 4, frame), tracing: true }, 1));
      const names = new Set([...expected(opcode, version), ...expected("Before a request", version), "tracing", "stream", "opcode"].filter((name) => !WRITTEN.has(name)));
      // `resultMetadataId` is there in each version, of no bytes where the version has none.
      if (opcode === "EXECUTE") names.add("resultMetadataId");
      assert.deepEqual(Object.keys(read).sort(), [...names].sort(), `${opcode} in v${version}`);
    }
  }
});

const column = { keyspace: "k", table: "t", name: "c", type: "int" };
const change = { changeType: "CREATED", target: "FUNCTION", keyspace: "k", name: "f", argumentTypes: ["int"] };
const node = { changeType: "UP", address: "::1", port: 9042 };
const counts = { consistency: "ONE", received: 1, blockFor: 2 };
const failures = (version) => (version >= 5 ? { failures: 1, reasons: [{ address: "::1", code: 1 }] } : { failures: 1 });
const ERRORS = {
  "ERROR": [0x2200, 3, {}],
  "ERROR 0x1000 UNAVAILABLE": [0x1000, 3, { consistency: "ONE", required: 2, alive: 1 }],
  "ERROR 0x1100 WRITE_TIMEOUT": [0x1100, 3, (version) => ({ ...counts, writeType: "CAS", ...only(version, 5, { contentions: 1 }) })],
  "ERROR 0x1200 READ_TIMEOUT": [0x1200, 3, { ...counts, dataPresent: true }],
  "ERROR 0x1300 READ_FAILURE": [0x1300, 4, (version) => ({ ...counts, ...failures(version), dataPresent: true })],
  "ERROR 0x1400 FUNCTION_FAILURE": [0x1400, 4, { keyspace: "k", function: "f", argumentTypes: ["int"] }],
  "ERROR 0x1500 WRITE_FAILURE": [0x1500, 4, (version) => ({ ...counts, ...failures(version), writeType: "SIMPLE" })],
  "ERROR 0x1700 CAS_WRITE_UNKNOWN": [0x1700, 5, counts],
  "ERROR 0x2400 ALREADY_EXISTS": [0x2400, 3, { keyspace: "k", table: "t" }],
  "ERROR 0x2500 UNPREPARED": [0x2500, 3, { statementId: bytes(1) }],
  "ERROR of SCYLLA_RATE_LIMIT_ERROR": [0xf000, 4, { opType: "READ", rejectedByCoordinator: true }],
};
const responses = (version) => ({
  "READY": { opcode: "READY" },
  "AUTHENTICATE": { opcode: "AUTHENTICATE", authenticator: "a" },
  "SUPPORTED": { opcode: "SUPPORTED", options: { a: ["b"] } },
  "RESULT Void": { opcode: "RESULT", kind: "Void" },
  "RESULT Rows": { opcode: "RESULT", kind: "Rows", metadata: [column], rows: [[1]], pagingState: bytes(1) },
  "RESULT Set_keyspace": { opcode: "RESULT", kind: "Set_keyspace", keyspace: "k" },
  "RESULT Prepared": { opcode: "RESULT", kind: "Prepared", id: bytes(1), bind: [column], result: [column] },
  "RESULT Schema_change": { opcode: "RESULT", kind: "Schema_change", ...change },
  "EVENT TOPOLOGY_CHANGE": { opcode: "EVENT", eventType: "TOPOLOGY_CHANGE", ...node, changeType: "NEW_NODE" },
  "EVENT STATUS_CHANGE": { opcode: "EVENT", eventType: "STATUS_CHANGE", ...node },
  "EVENT SCHEMA_CHANGE": { opcode: "EVENT", eventType: "SCHEMA_CHANGE", ...change },
  "EVENT CLIENT_ROUTES_CHANGE": { opcode: "EVENT", eventType: "CLIENT_ROUTES_CHANGE", changeType: "UPDATE_NODES", connectionIds: ["a"], hostIds: ["b"] },
  "EVENT of another type": { opcode: "EVENT", eventType: "UNKNOWN", unknownType: "NEWER", body: bytes(1) },
  "AUTH_CHALLENGE": { opcode: "AUTH_CHALLENGE", token: bytes(1) },
  "AUTH_SUCCESS": { opcode: "AUTH_SUCCESS", token: null },
  ...Object.fromEntries(
    Object.entries(ERRORS)
      .filter(([, [, since]]) => version >= since)
      .map(([heading, [code, , detail]]) => [heading, { opcode: "ERROR", code, message: "m", ...(typeof detail === "function" ? detail(version) : detail) }]),
  ),
});

test("responses", () => {
  for (const version of VERSIONS) {
    const features = only(version, 4, { rateLimitError: 0xf000 });
    const prefix = { tracingId: "00000000-0000-1000-8000-000000000000", ...only(version, 4, { warnings: ["w"], customPayload: { k: bytes(1) } }) };
    for (const [heading, message] of Object.entries(responses(version))) {
      const [client, server] = ["client", "server"].map((role) => new Codec({ role, established: { version, features } }));
      const [read] = client.feed(server.encode({ ...message, ...prefix }, 1));
      assert.equal(read.error, undefined, heading);
      const getters = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(read))).filter(([name, { get }]) => get && !name.startsWith("_"));
      const seen = new Set([...Object.keys(read), ...getters.map(([name]) => name)]);
      const names = new Set([...expected(heading, version), ...expected("Before a response", version), "stream", "opcode"]);
      // Of every Rows and Prepared, whatever the version has: null, empty.
      if (heading === "RESULT Rows") ["newMetadataId", "prepared"].forEach((name) => names.add(name));
      if (heading === "RESULT Prepared") ["resultMetadataId", "pkIndices"].forEach((name) => names.add(name));
      // The frame's own, said in its chapter.
      if (message.opcode === "ERROR") names.add("version");
      seen.delete("__proto__"); // a getter of every object's prototype
      assert.deepEqual([...seen].sort(), [...names].sort(), `${heading} in v${version}`);
    }
  }
});
