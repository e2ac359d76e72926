// The built package against the npm package cassandra-driver, for v3 and v4: its bytes for values of every type and for its requests
// are ours, and each reads what the other writes. Where it does otherwise is the table KNOWN, which shows that it still does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, decodeValue, encodeValue, unset } from "cqlwire";
import { columnInfo, comparable, encoder, fromDriver, options, requests, toDriver, types } from "./driver-peer.mjs";
import { preparedFrame } from "./prepared-frame.mjs";
import { NATIVES, anyType, anyValue, random } from "./random-values.mjs";

const hex = (bytes) => (bytes === null ? null : Buffer.from(bytes).toString("hex"));
const peer = encoder(4);
const established = (version) => new Codec({ version, established: {} });

/** What it does otherwise: what, with the rule that we follow, and a function that is true while it still does; none for what its interface lacks. */
const KNOWN = [
  ["an empty list or set is written as null (VAL: an empty collection is a count of 0)", () => peer.encode([], { code: types.dataTypes.list, info: { code: types.dataTypes.int } }) === null],
  ["nulls in collections are refused (v5 §3: a length of -1)", () => throws(() => peer.encode([null], { code: types.dataTypes.list, info: { code: types.dataTypes.int } }))],
  [
    "a null in a list is read as what comes before it (scylladb/python-driver#201 is the writing side)",
    () => throws(() => peer.decode(Buffer.from("00000002ffffffff0000000400000007", "hex"), { code: types.dataTypes.list, info: { code: types.dataTypes.int } }))
      || peer.decode(Buffer.from("00000002ffffffff0000000400000007", "hex"), { code: types.dataTypes.list, info: { code: types.dataTypes.int } })[1] !== 7,
  ],
  ["consistency ANY, which is 0, is written as ONE", () => peerFrame(new requests.QueryRequest("q", null, options({ consistency: 0 })), 4).at(-2) === 1],
  ["metadata cannot be skipped: there is no option for it", null],
  ["zero bytes of a type that has no such value are null, as null itself is", () => peer.decode(Buffer.alloc(0), { code: types.dataTypes.int }) === null],
];
const throws = (run) => {
  try {
    run();
    return false;
  } catch {
    return true;
  }
};
const peerFrame = (request, version, stream = 1) => request.write(encoder(version), stream);

test("what it is known to do otherwise, it still does", () => {
  for (const [what, still] of KNOWN) assert.ok(!still || still(), `no longer so, take it out: ${what}`);
});

test("values of every type, both ways", () => {
  const rng = random(1);
  const seen = new Set();
  for (let n = 0; n < 4000; n++) {
    const type = n < NATIVES.length * 40 ? { kind: NATIVES[n % NATIVES.length], of: [], text: NATIVES[n % NATIVES.length] } : anyType(rng);
    const value = anyValue(rng, type);
    const info = columnInfo(type);
    const ours = encodeValue(type.text, value);
    const theirs = peer.encode(toDriver(type, value), info);
    assert.equal(hex(theirs), hex(ours), type.text);
    assert.deepEqual(fromDriver(type, peer.decode(Buffer.from(ours), info)), comparable(type, value), type.text);
    assert.deepEqual(comparable(type, decodeValue(type.text, theirs)), comparable(type, value), type.text);
    seen.add(type.kind);
  }
  assert.equal(seen.size, NATIVES.length + 5);
});

const LEVELS = ["ANY", "ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL", "LOCAL_SERIAL", "LOCAL_ONE"];

/** Options in our words and in its. */
function anyOptions(rng, paging) {
  const maybe = (make) => (rng.below(2) ? make() : undefined);
  const consistency = 1 + rng.below(10);
  const given = {
    serialConsistency: maybe(() => rng.one(["SERIAL", "LOCAL_SERIAL"])),
    timestamp: maybe(() => rng.bits(64)),
    tracing: rng.below(2) === 1,
    customPayload: maybe(() => ({ key: Buffer.from([1, 2, 3]), "☃": Buffer.alloc(0) })),
    ...(paging ? { pageSize: maybe(() => 1 + rng.below(5000)), pageState: maybe(() => Buffer.from(rng.list(0, 9, () => rng.below(256)))) } : {}),
  };
  const ours = Object.fromEntries(Object.entries({ ...given, consistency: LEVELS[consistency] }).filter(([, value]) => value !== undefined));
  return { ours, theirs: { ...given, consistency, serialConsistency: given.serialConsistency && LEVELS.indexOf(given.serialConsistency) } };
}

/** v3 has no custom payload and no unset. */
function forVersion(version, { ours, theirs }) {
  if (version >= 4) return { ours, theirs };
  const { customPayload, ...rest } = ours;
  return { ours: rest, theirs: { ...theirs, customPayload: undefined } };
}

function anyParams(rng, version, bind) {
  const one = (type) => rng.one([null, version >= 4 ? unset : null, ...Array.from({ length: 6 }, () => anyValue(rng, type))]);
  const ours = bind.map(one);
  return { ours, theirs: ours.map((value, index) => (value === unset ? types.unset : toDriver(bind[index], value))) };
}

for (const version of [3, 4]) {
  test(`v${version}: OPTIONS, STARTUP, REGISTER, PREPARE, AUTH_RESPONSE`, () => {
    const same = (ours, theirs, stream) => assert.equal(hex(new Codec({ version }).encode(ours, stream)), hex(peerFrame(theirs, version, stream)));
    for (const stream of [0, 1, 300, 32767]) {
      same({ opcode: "OPTIONS" }, requests.options, stream);
      for (const given of [{}, { applicationName: "a", applicationVersion: "☃", clientId: types.Uuid.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f") }, { noCompact: true }]) {
        const startup = new requests.StartupRequest(given);
        const driver = peerFrame(startup, version, stream);
        const names = { NO_COMPACT: given.noCompact && "true", CLIENT_ID: given.clientId?.toString(), APPLICATION_NAME: given.applicationName, APPLICATION_VERSION: given.applicationVersion };
        const itself = { CQL_VERSION: "3.0.0", DRIVER_NAME: driverText(driver, "DRIVER_NAME"), DRIVER_VERSION: driverText(driver, "DRIVER_VERSION") };
        const options = Object.fromEntries(Object.entries({ ...itself, ...names }).filter(([, value]) => value));
        same({ opcode: "STARTUP", options }, startup, stream);
      }
      for (const eventTypes of [[], ["TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE"]]) same({ opcode: "REGISTER", eventTypes }, new requests.RegisterRequest(eventTypes), stream);
      for (const query of ["", "SELECT ☃", "x".repeat(70_000)]) same({ opcode: "PREPARE", query }, new requests.PrepareRequest(query), stream);
      for (const token of [null, Buffer.alloc(0), Buffer.from("\0cassandra\0cassandra")]) same({ opcode: "AUTH_RESPONSE", token }, new requests.AuthResponseRequest(token), stream);
    }
  });

  test(`v${version}: QUERY, with values by place and by name`, () => {
    const rng = random(2 + version);
    for (let n = 0; n < 600; n++) {
      const bind = rng.list(0, 3, () => anyType(rng, 2));
      const { ours, theirs } = forVersion(version, anyOptions(rng, true));
      const params = anyParams(rng, version, bind);
      const named = rng.below(2) === 1 && bind.length > 0;
      const query = rng.one(["", "SELECT ☃ FROM t", "x".repeat(300)]);
      const hints = { ...theirs, hints: bind.map(columnInfo) };
      const theirParams = named ? params.theirs.map((value, index) => ({ name: `n${index}`, value })) : params.theirs;
      const message = { opcode: "QUERY", query, ...ours };
      if (bind.length && named) {
        message.params = Object.fromEntries(params.ours.map((value, index) => [`n${index}`, value]));
        message.types = Object.fromEntries(bind.map((type, index) => [`n${index}`, type.text]));
      } else if (bind.length) {
        Object.assign(message, { params: params.ours, types: bind.map((type) => type.text) });
      }
      const request = new requests.QueryRequest(query, theirParams, options(hints), named);
      assert.equal(hex(established(version).encode(message, n)), hex(peerFrame(request, version, n)), query);
    }
  });

  test(`v${version}: EXECUTE and BATCH of prepared statements and of text`, () => {
    const rng = random(4 + version);
    const seen = new Set();
    for (let n = 0; n < 600; n++) {
      const codec = established(version);
      const id = Buffer.from(rng.list(1, 16, () => rng.below(256)));
      const bind = rng.list(0, 4, () => anyType(rng, 3, true));
      bind.forEach((type) => seen.add(type.kind));
      const [prepared] = codec.feed(preparedFrame(version, 1, id, bind));
      assert.deepEqual(prepared.bind.map(({ type }) => type.kind), bind.map(({ kind }) => kind));
      const meta = { columns: bind.map((type) => ({ type: columnInfo(type) })) };

      const params = anyParams(rng, version, bind);
      const { ours, theirs } = forVersion(version, anyOptions(rng, true));
      const execute = new requests.ExecuteRequest("", id, params.theirs, options(theirs), meta);
      const message = { opcode: "EXECUTE", prepared, ...(bind.length ? { params: params.ours } : {}), ...ours };
      assert.equal(hex(codec.encode(message, n)), hex(peerFrame(execute, version, n)));

      const batch = forVersion(version, anyOptions(rng, false));
      const type = rng.one(["LOGGED", "UNLOGGED", "COUNTER"]);
      const items = rng.list(1, 4, () => (rng.below(2) ? anyParams(rng, version, bind) : null));
      const statements = items.map((item) => (item ? { prepared, params: item.ours } : { query: "DELETE ☃" }));
      const queries = items.map((item) => (item ? { queryId: id, meta, params: item.theirs } : { query: "DELETE ☃", params: [] }));
      const theirBatch = new requests.BatchRequest(queries, options({ ...batch.theirs, type }));
      assert.equal(hex(codec.encode({ opcode: "BATCH", type, statements, ...batch.ours }, n)), hex(peerFrame(theirBatch, version, n)));
    }
    assert.equal(seen.size, NATIVES.length + 6);
  });
}

/** The value of a STARTUP option that the driver says of itself. */
function driverText(frame, name) {
  const at = frame.indexOf(name) + name.length;
  return frame.subarray(at + 2, at + 2 + frame.readUInt16BE(at)).toString();
}
