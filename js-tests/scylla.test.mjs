// ScyllaDB's extensions from JavaScript (scylladb/scylladb docs/dev/protocol-extensions.md): what SUPPORTED says, what STARTUP asks for, and what a
// client and a server then read and write. Bytes are written from the document; options and numbers without another note are those of
// the tests of ScyllaDB's own drivers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Codec, CqlError, decodeTablet, encodeTablet, murmur3Token, scyllaOptions, scyllaStartupOptions, serverError, shardOf } from "cqlwire";

const hex = (bytes) => Buffer.from(bytes).toString("hex");
/** Digits, and between quotes what is written as itself. */
const bytes = (text) =>
  new Uint8Array(Buffer.concat(text.split("'").map((part, index) => (index % 2 ? Buffer.from(part) : Buffer.from(part.replaceAll(/\s/g, ""), "hex")))));
const frame = (head, body) => {
  const length = bytes(body).length.toString(16).padStart(8, "0");
  return bytes(`${head} ${length} ${body}`);
};
const refuses = (code, text, run) =>
  assert.throws(run, (error) => {
    assert.ok(error instanceof CqlError);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    return true;
  });

const HOST = "00112233-4455-6677-8899-aabbccddeeff";
/** scylladb/java-driver, ShardingInfoTest: what a server in a container says. */
const NODE = {
  COMPRESSION: ["lz4", "snappy"],
  CQL_VERSION: ["3.3.1"],
  SCYLLA_LWT_ADD_METADATA_MARK: ["LWT_OPTIMIZATION_META_BIT_MASK=2147483648"],
  SCYLLA_NR_SHARDS: ["12"],
  SCYLLA_PARTITIONER: ["org.apache.cassandra.dht.Murmur3Partitioner"],
  SCYLLA_RATE_LIMIT_ERROR: ["ERROR_CODE=61440"],
  SCYLLA_SHARD: ["0"],
  SCYLLA_SHARDING_ALGORITHM: ["biased-token-round-robin"],
  SCYLLA_SHARDING_IGNORE_MSB: ["12"],
  SCYLLA_SHARD_AWARE_PORT: ["19042"],
  TABLETS_ROUTING_V1: [],
};
/** The same and all else that the document has, and what of other extensions servers were seen to offer. */
const NEWEST = {
  ...NODE,
  SCYLLA_SHARD_AWARE_PORT_SSL: ["19142"],
  SCYLLA_HOST_ID: [HOST],
  SCYLLA_USE_METADATA_ID: [""],
  TABLETS_ROUTING_V2_EXPERIMENTAL: [""],
  TABLETS_ROUTING_V2_EXPERIMENTAL_V2: [""],
  SCYLLA_FAILURE_REASON_MAP: ["REASON_RATE_LIMITED=61440", "REASON_LARGE_DATA_REJECTED=61441"],
  SCYLLA_OF_THE_FUTURE: ["A=1", "B"],
};
const NONE = { metadataId: false, tabletsV1: false, lwtMask: null, rateLimitError: null };
const ALL = { metadataId: true, tabletsV1: true, lwtMask: 0x8000_0000, rateLimitError: 0xf000 };
/** What STARTUP has of each. */
const ASKED = {
  metadataId: ["SCYLLA_USE_METADATA_ID", ""],
  tabletsV1: ["TABLETS_ROUTING_V1", ""],
  lwtMask: ["SCYLLA_LWT_ADD_METADATA_MARK", "LWT_OPTIMIZATION_META_BIT_MASK=2147483648"],
  rateLimitError: ["SCYLLA_RATE_LIMIT_ERROR", ""],
};
const NOTHING = {
  shard: null, nrShards: null, shardingIgnoreMsb: null, shardingAlgorithm: null, partitioner: null, shardAwarePort: null, shardAwarePortSsl: null, hostId: null,
  features: NONE, sharding: null,
};

test("what a node says of itself", () => {
  const said = {
    shard: 0, nrShards: 12, shardingIgnoreMsb: 12, shardingAlgorithm: "biased-token-round-robin", partitioner: "org.apache.cassandra.dht.Murmur3Partitioner",
    shardAwarePort: 19042, shardAwarePortSsl: 19142, hostId: HOST, features: ALL, sharding: { nrShards: 12, ignoreMsb: 12 },
  };
  assert.deepEqual(scyllaOptions({ options: NEWEST }), said);
  assert.deepEqual(scyllaOptions({ options: NODE }), { ...said, shardAwarePortSsl: null, hostId: null, features: { ...ALL, metadataId: false } });
  // scylladb/python-driver, tests/unit/test_shard_aware.py: keys and the shards that own them
  for (const [key, shard] of [["a", 4], ["b", 6], ["c", 6], ["e", 4], ["100000", 2]]) {
    assert.equal(shardOf(murmur3Token(Buffer.from(key)), scyllaOptions({ options: NODE }).sharding), shard);
  }
  // As a message that was read.
  const server = new Codec({ role: "server", version: 4 });
  const [message] = new Codec({ version: 4 }).feed(server.encode({ opcode: "SUPPORTED", options: NEWEST }, 0));
  assert.deepEqual(scyllaOptions(message), said);
  assert.deepEqual(scyllaStartupOptions(message, 4), Object.fromEntries(Object.values(ASKED)));
});

test("what a client asks for: what it can read, on v4 and v5", () => {
  for (const version of [4, 5]) {
    assert.deepEqual(Object.entries(scyllaStartupOptions({ options: NEWEST }, version)), Object.values(ASKED));
    assert.deepEqual(Object.keys(scyllaStartupOptions({ options: { TABLETS_ROUTING_V1: ["unexpected", "values"] } }, version)), ["TABLETS_ROUTING_V1"]);
  }
  assert.deepEqual(scyllaStartupOptions({ options: NEWEST }, 3), {});
});

test("of Cassandra's SUPPORTED nothing is known and nothing is echoed", () => {
  const lines = gunzipSync(readFileSync(new URL("../testdata/sessions/v4-plain.jsonl.gz", import.meta.url))).toString().trimEnd().split("\n");
  const recorded = lines.map((line) => JSON.parse(line)).find(({ dir, hex }) => dir === "s2c" && hex.startsWith("06", 8));
  const [supported] = new Codec({ version: 4 }).feed(bytes(recorded.hex));
  assert.deepEqual(Object.keys(supported.options), ["PROTOCOL_VERSIONS", "COMPRESSION", "CQL_VERSION"]);
  for (const message of [supported, { options: {} }, { options: { ["__proto__"]: ["1"] } }]) {
    assert.deepEqual(scyllaOptions(message), NOTHING);
    for (const version of [3, 4, 5]) assert.deepEqual(scyllaStartupOptions(message, version), {});
  }
});

test("an option that makes no sense is null and takes nothing with it", () => {
  const usual = scyllaOptions({ options: NEWEST });
  const numbers = ["", " ", "x", "-1", "-0", "+1", "1.0", "1e1", "0x1", "1 ", " 1", "1\0", "1,2", "٣", "NaN", "18446744073709551616", "9".repeat(60_000)];
  for (const [key, name, bad] of [
    ["SCYLLA_SHARD", "shard", [...numbers, "12", "65536"]],
    ["SCYLLA_NR_SHARDS", "nrShards", [...numbers, "0", "65536"]],
    ["SCYLLA_SHARDING_IGNORE_MSB", "shardingIgnoreMsb", [...numbers, "64", "256"]],
    ["SCYLLA_SHARD_AWARE_PORT", "shardAwarePort", [...numbers, "0", "65536"]],
    ["SCYLLA_SHARD_AWARE_PORT_SSL", "shardAwarePortSsl", [...numbers, "0", "65536"]],
    ["SCYLLA_HOST_ID", "hostId", ["", "127.0.0.1", HOST.replaceAll("-", ""), `${HOST}0`, HOST.replace("f", "g")]],
    ["SCYLLA_PARTITIONER", "partitioner", [""]],
    ["SCYLLA_SHARDING_ALGORITHM", "shardingAlgorithm", [""]],
  ]) {
    const sharding = ["nrShards", "shardingIgnoreMsb", "partitioner", "shardingAlgorithm"].includes(name) ? null : usual.sharding;
    for (const values of [[], ...bad.map((value) => [value]), ...bad.map((value) => [value, NEWEST[key][0]])]) {
      assert.deepEqual(scyllaOptions({ options: { ...NEWEST, [key]: values } }), { ...usual, [name]: null, sharding }, `${key} ${JSON.stringify(values).slice(0, 80)}`);
    }
  }
  // Others than those that shardOf knows: said, but nothing to compute shards by.
  assert.equal(scyllaOptions({ options: { ...NEWEST, SCYLLA_PARTITIONER: ["other"] } }).partitioner, "other");
  for (const key of ["SCYLLA_PARTITIONER", "SCYLLA_SHARDING_ALGORITHM"]) {
    assert.equal(scyllaOptions({ options: { ...NEWEST, [key]: ["other"] } }).sharding, null);
  }
  assert.deepEqual(scyllaOptions({ options: { scylla_nr_shards: ["3"], "SCYLLA_NR_SHARDS ": ["4"] } }), NOTHING, "keys in their case");
});

test("parameters of extensions: masks and codes that can mean nothing else", () => {
  const feature = (name, values) => {
    const options = { [ASKED[name][0]]: values };
    const features = scyllaOptions({ options }).features;
    assert.deepEqual({ ...features, [name]: null }, NONE);
    assert.deepEqual(Object.keys(scyllaStartupOptions({ options }, 4)), features[name] === null ? [] : [ASKED[name][0]], `${name} ${values}`);
    return features[name];
  };
  const mask = (text) => feature("lwtMask", [`LWT_OPTIMIZATION_META_BIT_MASK=${text}`]);
  // scylladb/java-driver, LwtInfoTest, has most of these. 1 and 4 are Global_tables_spec and No_metadata (v4 §4.2.5.2).
  assert.deepEqual(["8", "2147483648", "3221225472", "4294967290"].map(mask), [8, 0x8000_0000, 0xc000_0000, 0xffff_fffa]);
  for (const text of ["", "abc", "0x4", "4294967296", "-4", "-2147483648", "+8", " 8", "8 ", "0", "1", "4", "5", "4294967295"]) assert.equal(mask(text), null, text);
  const code = (text) => feature("rateLimitError", [`ERROR_CODE=${text}`]);
  assert.deepEqual(["61440", "123", "-1", "2147483647", "-2147483648"].map(code), [0xf000, 123, -1, 2_147_483_647, -2_147_483_648]);
  for (const text of ["", "x", "+1", "0xf000", "2147483648", "61440 ", "0", "4352", "9472"]) assert.equal(code(text), null, text);
  for (const values of [[], [""], ["61440"], ["error_code=61440"]]) assert.equal(feature("rateLimitError", values), null);
});

test("what is no SUPPORTED is refused", () => {
  for (const wrong of [undefined, null, 5, "SUPPORTED", {}, { options: null }, { options: [] }, { options: { a: "1" } }, { options: { a: [1] } }, { options: { a: ["\ud800"] } }, NODE]) {
    refuses("CQL_OPTION", /SUPPORTED message/, () => scyllaOptions(wrong));
    refuses("CQL_OPTION", /SUPPORTED message/, () => scyllaStartupOptions(wrong, 4));
  }
  for (const version of [undefined, null, "4", 2, 6]) refuses("CQL_OPTION", /version: expected 3, 4 or 5/, () => scyllaStartupOptions({ options: {} }, version));
});

/** A handshake; STARTUP asks for the extensions that `asked` names. */
function shake(version, asked, supported = NEWEST) {
  const [client, server] = [new Codec({ version }), new Codec({ role: "server" })];
  server.feed(client.encode({ opcode: "OPTIONS" }, 0));
  const [said] = client.feed(server.encode({ opcode: "SUPPORTED", options: supported }, 0));
  assert.deepEqual([client.features, server.features], [NONE, NONE], "nothing is agreed by an offer");
  const wanted = Object.entries(scyllaStartupOptions(said, version)).filter(([key]) => asked.some((name) => ASKED[name][0] === key));
  server.feed(client.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0", ...Object.fromEntries(wanted) } }, 1));
  client.feed(server.encode({ opcode: "READY" }, 1));
  return { client, server };
}
const only = (names) => ({ ...NONE, ...Object.fromEntries(names.map((name) => [name, ALL[name]])) });
const names = Object.keys(ASKED);

test("a handshake agrees on what both messages have, each extension on and off", () => {
  for (const version of [3, 4, 5]) {
    for (let set = 0; set < 1 << names.length; set++) {
      const asked = names.filter((_, index) => set & (1 << index));
      const { client, server } = shake(version, asked);
      const expected = version === 3 ? NONE : only(asked);
      assert.deepEqual([client.features, server.features], [expected, expected], `v${version} ${asked}`);
      assert.equal(client.hasResultMetadataId, version === 5 || expected.metadataId);
      // The other way round: the client would take all, the node has some.
      const supported = Object.fromEntries(Object.entries(NEWEST).filter(([key]) => !names.some((name) => ASKED[name][0] === key && !asked.includes(name))));
      const other = shake(version, names, supported);
      assert.deepEqual([other.client.features, other.server.features], [expected, expected], `v${version} ${asked}`);
    }
  }
});

test("what is offered can be known from elsewhere, before STARTUP alone", () => {
  const options = { CQL_VERSION: "3.0.0", ...scyllaStartupOptions({ options: NEWEST }, 4) };
  const startup = (offers) => {
    const client = new Codec({ version: 4 });
    const server = new Codec({ role: "server" });
    if (offers.client) client.offer(offers.client);
    if (offers.server) server.offer(offers.server);
    server.feed(client.encode({ opcode: "STARTUP", options }, 1));
    return [client, server];
  };
  const features = (offers) => startup(offers).map((codec) => codec.features);
  // At its word; the error's code is not in it.
  const atItsWord = { ...ALL, rateLimitError: null };
  assert.deepEqual(features({}), [atItsWord, atItsWord]);
  assert.deepEqual(features({ client: ALL, server: ALL }), [ALL, ALL]);
  assert.deepEqual(features({ client: {}, server: {} }), [NONE, NONE]);
  assert.deepEqual(features({ client: { ...NONE, rateLimitError: -5 }, server: { tabletsV1: true, lwtMask: 8 } }), [
    { ...NONE, rateLimitError: -5 },
    { ...NONE, tabletsV1: true, lwtMask: 8 },
  ]);
  const [client, server] = startup({});
  client.feed(server.encode({ opcode: "READY" }, 1));
  for (const codec of [client, server, new Codec({ established: {} })]) refuses("CQL_OPTION", /after the handshake/, () => codec.offer(ALL));
  assert.deepEqual(client.features, atItsWord);
});

test("features that are given: each is named that cannot be", () => {
  for (const features of [{}, ALL, { lwtMask: 0xffff_fffa }, { rateLimitError: -1 }, { metadataId: undefined, lwtMask: null, rateLimitError: null }]) {
    for (const role of ["client", "server"]) {
      const given = Object.fromEntries(Object.entries(features).filter(([, value]) => value !== undefined));
      assert.deepEqual(new Codec({ role, established: { version: 4, features } }).features, { ...NONE, ...given });
    }
  }
  assert.deepEqual(new Codec({ established: {} }).features, NONE);
  const wrong = [
    ...[0, 1, 4, 5, 0x8000_0001, 0xffff_ffff, -8, 2 ** 32, 8.5, NaN, "8", 8n, true].map((value) => ["lwtMask", value]),
    ...[0, 0x1100, 0x2500, 2 ** 31, -(2 ** 31) - 1, 1.5, "61440", 61440n, true].map((value) => ["rateLimitError", value]),
    ...[1, null, "true"].flatMap((value) => [["metadataId", value], ["tabletsV1", value]]),
    ["tabletsV2", true],
  ];
  for (const [name, value] of wrong) {
    refuses("CQL_OPTION", new RegExp(`^established.features .*${name}`), () => new Codec({ established: { version: 4, features: { [name]: value } } }));
    const codec = new Codec({ version: 4 });
    refuses("CQL_OPTION", new RegExp(`^offer .*${name}`), () => codec.offer({ ...ALL, [name]: value }));
    assert.deepEqual(scyllaOptions({ options: NEWEST }).features, ALL);
  }
  for (const value of [null, 5, "x"]) refuses("CQL_OPTION", /as features: expected/, () => new Codec({ established: { features: value } }));
  for (const value of [undefined, null, 5]) refuses("CQL_OPTION", /expected an object/, () => new Codec().offer(value));
  refuses("CQL_OPTION", /established.compression/, () => new Codec({ established: { version: 5, compression: "snappy", features: ALL } }));
});

const column = (name) => ({ keyspace: "k", table: "t", name, type: "int" });
/** A pair of codecs whose handshake is over. */
const pair = (version, features) => [new Codec({ established: { version, features } }), new Codec({ role: "server", established: { version, features } })];

test("the metadata id on v4: in PREPARED, EXECUTE and Rows", () => {
  const markers = "00000001 00000001 00000001 0000 0001'k' 0001't' 0001'a' 0009";
  const result = "00000001 00000001 0001'k' 0001't' 0001'c' 0009";
  const given = { opcode: "RESULT", kind: "Prepared", id: bytes("aaaa"), resultMetadataId: bytes("bbbb"), pkIndices: [0], bind: [column("a")], result: [column("c")] };
  for (const [features, id] of [[{ metadataId: true }, "0002 bbbb"], [{}, ""]]) {
    const [client, server] = pair(4, features);
    assert.equal(client.hasResultMetadataId, id !== "");
    const sent = server.encode(given, 1);
    assert.equal(hex(sent), hex(frame("84 00 0001 08", `00000004 0002 aaaa ${id} ${markers} ${result}`)));
    const [prepared] = client.feed(sent);
    assert.deepEqual([hex(prepared.id), hex(prepared.resultMetadataId), prepared.isLwt], ["aaaa", id ? "bbbb" : "", false]);
    assert.deepEqual(client.feed(server.encode(prepared)), [prepared]);

    const execute = client.encode({ opcode: "EXECUTE", prepared, params: [7], consistency: "ONE", skipMetadata: true }, 2);
    assert.equal(hex(execute), hex(frame("04 00 0002 0a", `0002 aaaa ${id} 0001 03 0001 00000004 00000007`)));
    const [read] = server.feed(execute);
    assert.deepEqual([hex(read.id), hex(read.resultMetadataId ?? bytes(""))], ["aaaa", id ? "bbbb" : ""]);
    assert.equal(hex(client.encode(read)), hex(execute));

    // The columns have changed: Metadata_changed (0x8) and the new id before the columns.
    const rows = { opcode: "RESULT", kind: "Rows", metadata: [column("c"), column("d")], rows: [[1, 2]], newMetadataId: bytes("cccccc") };
    const literal = frame("84 00 0002 08", "00000002 00000009 00000002 0003 cccccc 0001'k' 0001't' 0001'c' 0009 0001'd' 0009 00000001 00000004 00000001 00000004 00000002");
    if (id === "") {
      refuses("CQL_ENCODE", /new_metadata_id/, () => server.encode(rows, 2));
      const [bad] = client.feed(literal);
      assert.deepEqual([bad.stream, bad.error.code, bad.error.kind], [2, "CQL_DECODE", "NotNegotiated"]);
      continue;
    }
    assert.equal(hex(server.encode(rows, 2)), hex(literal));
    const [page] = client.feed(literal);
    assert.deepEqual([hex(page.newMetadataId), page.rows], ["cccccc", [{ c: 1, d: 2 }]]);
    assert.deepEqual([hex(page.prepared.resultMetadataId), page.prepared.result.map(({ name }) => name), page.prepared.isLwt], ["cccccc", ["c", "d"], false]);
    const again = client.encode({ opcode: "EXECUTE", prepared: page.prepared, params: [7], consistency: "ONE" }, 3);
    assert.equal(hex(again), hex(frame("04 00 0003 0a", "0002 aaaa 0003 cccccc 0001 01 0001 00000004 00000007")));
  }
});

test("the mark of conditional statements", () => {
  const result = "00000001 00000001 0001'k' 0001't' 0009'[applied]' 0004";
  const literal = (version, flags) =>
    frame(`8${version} 00 0001 08`, `00000004 0002 aaaa ${flags} 00000001 ${version > 3 ? "00000000" : ""} 0001'k' 0001't' 0001'a' 0009 ${result}`);
  const given = { opcode: "RESULT", kind: "Prepared", id: bytes("aaaa"), bind: [column("a")], result: [{ ...column("[applied]"), type: "boolean" }] };
  for (const version of [3, 4]) {
    for (const [lwtMask, isLwt, flags] of [[0x8000_0000, true, "80000001"], [0x8000_0000, false, "00000001"], [0x8000_0008, true, "80000009"], [8, true, "00000009"]]) {
      const [client, server] = pair(version, { lwtMask });
      const sent = server.encode({ ...given, isLwt }, 1);
      assert.equal(hex(sent), hex(literal(version, flags)));
      const [prepared] = client.feed(sent);
      assert.deepEqual([prepared.isLwt, Object.isFrozen(prepared)], [isLwt, true]);
      assert.equal(hex(server.encode(prepared)), hex(sent));
    }
    // Every bit of the mask (scylladb/java-driver, LwtInfoTest).
    const [some] = new Codec({ established: { version, features: { lwtMask: 0xc000_0000 } } }).feed(literal(version, "80000001"));
    assert.equal(some.isLwt, false);
    // Without a mask it is a bit that nobody knows, and to a client that asked for no mark a server writes none.
    const [client, server] = pair(version, {});
    assert.equal(client.feed(literal(version, "80000001"))[0].isLwt, false);
    assert.equal(hex(server.encode({ ...given, isLwt: true }, 1)), hex(literal(version, "00000001")));
    assert.equal(hex(server.encode(given, 1)), hex(literal(version, "00000001")));
    refuses("CQL_OPTION", /isLwt: expected true or false/, () => server.encode({ ...given, isLwt: 1 }, 1));
  }
});

test("the error of rate limits, under the agreed code alone", () => {
  // 0x4321, 0x8765 and what they hold are of scylladb/scylla-rust-driver's test.
  for (const version of [3, 4]) {
    for (const [code, digits, fields, opType, rejectedByCoordinator] of [
      [0x4321, "00004321", "00 01", "READ", true],
      [0x8765, "00008765", "01 00", "WRITE", false],
      [-1, "ffffffff", "01 01", "WRITE", true],
      [0xf000, "0000f000", "07 00", 7, false],
      [0xf000, "0000f000", "ff 01", 255, true],
    ]) {
      const literal = frame(`8${version} 00 0005 00`, `${digits} 0009'message 1' ${fields}`);
      const message = { opcode: "ERROR", code, message: "message 1", opType, rejectedByCoordinator };
      const [client, server] = pair(version, { rateLimitError: code });
      assert.equal(hex(server.encode(message, 5)), hex(literal));
      const [read] = client.feed(literal);
      assert.deepEqual(read, { stream: 5, ...message, version });
      assert.equal(hex(server.encode(read)), hex(literal));
      const error = serverError(read);
      assert.deepEqual([error.code, error.message, error.errorCode, error.opType, error.rejectedByCoordinator], ["CQL_RATE_LIMIT_ERROR", "message 1", code, opType, rejectedByCoordinator]);
      // Fields that this code has.
      for (const name of ["opType", "rejectedByCoordinator"]) refuses("CQL_ENCODE", new RegExp(name), () => server.encode({ ...message, [name]: undefined }, 5));
      for (let cut = 1; cut <= 2; cut++) {
        const short = literal.slice(0, literal.length - cut);
        short[8] -= cut;
        assert.equal(client.feed(short)[0].error.kind, "Truncated");
      }

      // Elsewhere it is a code that nobody knows, and its fields are no part of it.
      for (const features of [{}, { rateLimitError: 0x1234 }]) {
        const [client, server] = pair(version, features);
        for (const name of ["opType", "rejectedByCoordinator"]) {
          const { [name]: _, ...rest } = message;
          for (const given of [message, rest]) refuses("CQL_ENCODE", /(opType|rejectedByCoordinator) was not negotiated/, () => server.encode(given, 5));
        }
        assert.equal(server.flush().length, 0);
        const { opType: _, rejectedByCoordinator: __, ...plain } = message;
        assert.deepEqual(client.feed(literal), [{ stream: 5, ...plain, version }]);
        const sent = server.encode(plain, 5);
        assert.equal(hex(sent), hex(frame(`8${version} 00 0005 00`, `${digits} 0009'message 1'`)));
        assert.equal(serverError(client.feed(sent)[0]).code, code === -1 ? "CQL_0xffffffff" : `CQL_0x${code.toString(16)}`);
      }
    }
  }
  const [, server] = pair(4, ALL);
  const message = { opcode: "ERROR", code: 0xf000, message: "m", opType: "READ", rejectedByCoordinator: false };
  for (const opType of ["read", "OTHER", "", 256, -1, 0.5, "1", null, true]) refuses("CQL_OPTION", /opType: expected READ, WRITE or/, () => server.encode({ ...message, opType }, 1));
  for (const value of [1, 0, "true", null]) refuses("CQL_OPTION", /rejectedByCoordinator/, () => server.encode({ ...message, rejectedByCoordinator: value }, 1));
  // A number for what has a name is that name's byte.
  assert.equal(hex(server.encode({ ...message, opType: 1 }, 1).subarray(-2)), "0100");
});

test("a field that an error's code does not have is refused, not dropped", () => {
  const [, server] = pair(4, ALL);
  const unavailable = { opcode: "ERROR", code: 0x1000, message: "m", consistency: "ONE", required: 1, alive: 0 };
  const failure = { opcode: "ERROR", code: 0x1300, message: "m", consistency: "ONE", received: 0, blockFor: 1, failures: 0, dataPresent: false };
  for (const [message, name] of [
    [{ ...unavailable, opType: "READ" }, "opType"],
    [{ ...unavailable, received: 1 }, "received"],
    [{ ...failure, writeType: "SIMPLE" }, "writeType"],
    [{ ...failure, reasons: [] }, "reasons"], // v5 has them
    [{ opcode: "ERROR", code: 0, message: "m", argumentTypes: [] }, "argumentTypes"],
    [{ opcode: "ERROR", code: 0xf000, message: "m", opType: "READ", rejectedByCoordinator: true, alive: 1 }, "alive"],
    [{ opcode: "ERROR", code: 0x2400, message: "m", keyspace: "k", table: "t", function: "f" }, "function"],
  ]) {
    refuses("CQL_ENCODE", new RegExp(`ERROR: ${name} `), () => server.encode(message, 1));
    const { [name]: _, ...good } = message;
    if (name !== "opType" || message.code !== 0xf000) assert.ok(server.encode(good, 1).length > 9);
  }
});

test("CLIENT_ROUTES_CHANGE", () => {
  const event = (changeType, connectionIds, hostIds) => ({ stream: -1, opcode: "EVENT", eventType: "CLIENT_ROUTES_CHANGE", changeType, connectionIds, hostIds });
  for (const [literal, message] of [
    [`000c'UPDATE_NODES' 0001 0002'c1' 0001 0024'${HOST}'`, event("UPDATE_NODES", ["c1"], [HOST])],
    // scylladb/gocql, TestParseEventFrame_ClientRoutesChanged: another change, an empty id, no hosts
    ["0007'UPDATED' 0002 0002'c1' 0000 0000", event("UPDATED", ["c1", ""], [])],
    ["0000 0000 0001 0001'x'", event("", [], ["x"])],
  ]) {
    for (const version of [3, 4]) {
      const [client, server] = pair(version, {});
      const bytes = frame(`8${version} 00 ffff 0c`, `0014'CLIENT_ROUTES_CHANGE' ${literal}`);
      assert.deepEqual(client.feed(bytes), [message]);
      assert.equal(hex(server.encode(message)), hex(bytes));
    }
    const [client, server] = pair(5, {});
    assert.deepEqual(client.feed(server.encode(message)), [message]);
  }
  const [client, server] = pair(4, ALL);
  const good = event("UPDATE_NODES", ["c"], [HOST]);
  for (const [name, wrong] of [["changeType", 5], ["connectionIds", "c"], ["connectionIds", [1]], ["connectionIds", ["\ud800"]], ["hostIds", null], ["address", "::1"]]) {
    refuses("CQL_OPTION", new RegExp(name), () => server.encode({ ...good, [name]: wrong }));
  }
  for (const name of ["changeType", "connectionIds", "hostIds"]) refuses("CQL_OPTION", new RegExp(`needs ${name}`), () => server.encode({ ...good, [name]: undefined }));
  refuses("CQL_ENCODE", /connection_ids/, () => server.encode({ ...good, connectionIds: new Array(65_536).fill("") }));
  assert.equal(client.feed(frame("84 00 ffff 0c", "0014'CLIENT_ROUTES_CHANGE' 000c'UPDATE_NODES' ffff 0000"))[0].error.kind, "Truncated");
  const [register] = server.feed(client.encode({ opcode: "REGISTER", eventTypes: ["CLIENT_ROUTES_CHANGE"] }, 1));
  assert.deepEqual(register.eventTypes, ["CLIENT_ROUTES_CHANGE"]);
});

test("a tablet in a result's payload, both ways", () => {
  // scylladb/scylla-rust-driver#1641: the first tablet of a table
  const payload = "00000008 8000000000000000 00000008 bfffffffffffffff 00000024 00000001 0000001c 00000010 00112233445566778899aabbccddeeff 00000004 00000003";
  const tablet = { firstToken: -(2n ** 63n), lastToken: -4611686018427387905n, replicas: [{ hostId: HOST, shard: 3 }] };
  assert.equal(hex(encodeTablet(tablet)), hex(bytes(payload)));
  assert.equal(hex(encodeTablet({ ...tablet, replicas: [{ hostId: HOST.toUpperCase(), shard: 3 }] })), hex(bytes(payload)));
  const more = { firstToken: -1n, lastToken: 2n ** 63n - 1n, replicas: [0, 1, 2 ** 31 - 1].map((shard) => ({ hostId: HOST, shard })) };
  assert.deepEqual(decodeTablet(encodeTablet(more)), more);

  const { client, server } = shake(4, ["tabletsV1"]);
  const sent = server.encode({ opcode: "RESULT", kind: "Void", customPayload: { "tablets-routing-v1": encodeTablet(tablet) } }, 1);
  assert.equal(hex(sent), hex(frame("84 04 0001 08", `0001 0012'tablets-routing-v1' 00000040 ${payload} 00000001`)));
  const [message] = client.feed(sent);
  assert.deepEqual(decodeTablet(message.customPayload["tablets-routing-v1"]), tablet);

  for (const [change, text] of [
    [{ firstToken: 5n, lastToken: 5n }, /last_token/],
    [{ lastToken: tablet.firstToken }, /last_token/],
    [{ replicas: [] }, /replicas/],
    [{ replicas: [{ hostId: HOST, shard: -1 }] }, /shard/],
    [{ replicas: [{ hostId: "127.0.0.1", shard: 0 }] }, /host/],
    [{ replicas: [{ hostId: HOST, shard: 0 }, { hostId: "", shard: 0 }] }, /host/],
  ]) {
    refuses("CQL_ENCODE", text, () => encodeTablet({ ...tablet, ...change }));
  }
  for (const wrong of [
    undefined, null, 5, {}, { ...tablet, firstToken: 5 }, { ...tablet, lastToken: 2n ** 63n }, { ...tablet, replicas: null }, { ...tablet, replicas: [null] }, { ...tablet, replicas: new Array(1) },
    { ...tablet, replicas: [{ hostId: bytes("00"), shard: 0 }] }, { ...tablet, replicas: [{ hostId: HOST, shard: "0" }] }, { ...tablet, replicas: [{ hostId: HOST, shard: 2 ** 31 }] },
  ]) {
    refuses("CQL_OPTION", /encodeTablet has/, () => encodeTablet(wrong));
  }
});

test("a whole conversation: from OPTIONS to a rate limit, on v4 and v5", () => {
  for (const version of [4, 5]) {
    const { client, server } = shake(version, names);
    const pass = (message, stream) => client.feed(server.encode(message, stream))[0];
    const [asked] = server.feed(client.encode({ opcode: "PREPARE", query: "UPDATE t SET c = 1 WHERE a = ? IF c = 2" }, 2));
    assert.equal(asked.opcode, "PREPARE");
    const prepared = pass({ opcode: "RESULT", kind: "Prepared", id: bytes("aa"), resultMetadataId: bytes("bb"), pkIndices: [0], isLwt: true, bind: [column("a")], result: [column("c")] }, 2);
    assert.deepEqual([prepared.isLwt, hex(prepared.resultMetadataId)], [true, "bb"]);
    const [execute] = server.feed(client.encode({ opcode: "EXECUTE", prepared, params: [7], skipMetadata: true }, 3));
    assert.equal(hex(execute.resultMetadataId), "bb");
    const page = pass({ opcode: "RESULT", kind: "Rows", metadata: [column("c"), column("d")], rows: [[1, 2]], newMetadataId: bytes("cc") }, 3);
    assert.deepEqual([page.rows, hex(page.prepared.resultMetadataId), page.prepared.isLwt], [[{ c: 1, d: 2 }], "cc", true], "the renewed statement is as conditional as it was");
    const error = pass({ opcode: "ERROR", code: 0xf000, message: "too many", opType: "WRITE", rejectedByCoordinator: true }, 4);
    assert.equal(serverError(error).code, "CQL_RATE_LIMIT_ERROR");
  }
});
