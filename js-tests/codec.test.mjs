// The codec of a connection, through the built package: frames as bytes, every split, the handshake's phases, errors and what they
// leave. Bytes are the specification's or from the reports that are named.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Codec, CqlError, unset } from "cqlwire";

const bytes = (hex) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const hex = (data) => Buffer.from(data).toString("hex");
const frame = (text) => text.replaceAll(" ", "");
const established = (version, compression = "none") => new Codec({ version, established: { compression } });
const throwsCode = (code, run) => assert.throws(run, (error) => error instanceof CqlError && (assert.equal(error.code, code), true));

/** PREPARED of a statement with these bind markers, as a v4 frame on stream 1: `id` aaaa, keyspace k, table t. */
function prepared(codec, markers, result = []) {
  const short = (n) => n.toString(16).padStart(4, "0");
  const int = (n) => (n >>> 0).toString(16).padStart(8, "0");
  const string = (text) => short(Buffer.byteLength(text)) + hex(Buffer.from(text));
  const specs = (list) => list.map(([name, type]) => string(name) + type).join("");
  const metadata = (list, pk) => int(list.length ? 1 : 4) + int(list.length) + pk + (list.length ? string("k") + string("t") : "") + specs(list);
  const rmid = codec.version === 5 ? "0002bbbb" : "";
  const body = "00000004" + "0002aaaa" + rmid + metadata(markers, codec.version === 3 ? "" : int(0)) + metadata(result, "");
  const head = (0x80 | codec.version).toString(16) + "00000108" + int(body.length / 2);
  return head + body;
}
const INT = "0009";
const TEXT = "000d";
const vectorType = (n) => {
  const name = `org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , ${n})`;
  return "0000" + name.length.toString(16).padStart(4, "0") + hex(Buffer.from(name));
};

test("requests before STARTUP, in each version", () => {
  for (const version of [3, 4, 5]) {
    const codec = new Codec({ version });
    assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 0)), `0${version}0000000500000000`);
    assert.equal(
      hex(codec.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0" } }, 1)),
      `0${version}00000101000000160001000b43514c5f56455253494f4e0005332e302e30`,
    );
    assert.equal(codec.isEstablished, false);
  }
});

test("v5 turns to segments right after READY, inside one chunk", () => {
  const codec = new Codec({ version: 5 });
  codec.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0" } }, 0);
  // READY unframed, then two Voids in one segment (whatyouhide/xandra#356), then an empty segment (krojew/cdrs-tokio#99)
  const chunk =
    "850000000200000000" +
    "1a 00 02 20 55 a2 85 00 00 01 08 00 00 00 04 00 00 00 01 85 00 00 02 08 00 00 00 04 00 00 00 01 77 2e e9 4d" +
    "00 00 02 6a 36 c4 d3 7e 77 44";
  const messages = codec.feed(bytes(chunk));
  assert.deepEqual(messages, [
    { stream: 0, opcode: "READY" },
    { stream: 1, opcode: "RESULT", kind: "Void" },
    { stream: 2, opcode: "RESULT", kind: "Void" },
  ]);
  assert.equal(codec.isEstablished, true);
  assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 1)), frame("09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86"));
});

test("v5 with authentication is framed from AUTHENTICATE on", () => {
  // apache/cassandra-python-driver#1099
  const codec = new Codec({ version: 5 });
  codec.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0" } }, 0);
  const [authenticate] = codec.feed(bytes("85 00 00 00 03 00 00 00 03 00 01 78"));
  assert.deepEqual(authenticate, { stream: 0, opcode: "AUTHENTICATE", authenticator: "x" });
  assert.equal(codec.encode({ opcode: "AUTH_RESPONSE", token: null }, 0)[2], 0x02); // a self-contained segment
  const [success] = codec.feed(bytes("0d 00 02 cf 07 f7 85 00 00 00 10 00 00 00 04 ff ff ff ff 3c d8 d3 ac"));
  assert.deepEqual(success, { stream: 0, opcode: "AUTH_SUCCESS", token: null });
});

test("every split of a stream gives the same messages", () => {
  const streams = {
    v4: [4, "none", "84 0e 00 01 08 00 00 00 23 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 00 01 77 00 01 00 01 6b 00 00 00 01 ff 00 00 00 01"],
    "v4 lz4": [4, "lz4", "84 01 00 01 08 00 00 00 09 00 00 00 04 40 00 00 00 01 84 01 00 01 02 00 00 00 05 00 00 00 00 00"],
    "v4 snappy": [4, "snappy", "84 01 00 01 08 00 00 00 06 04 0c 00 00 00 01 84 01 00 01 02 00 00 00 01 00"],
    // one frame cut 5 + 8, inside its header (whatyouhide/xandra#245)
    v5: [5, "none", "05 00 00 04 48 23 85 00 00 03 08 fc 35 cc 1a 08 00 00 a1 79 10 00 00 00 04 00 00 00 01 46 50 34 68 00 00 02 6a 36 c4 d3 7e 77 44"],
  };
  for (const [name, [version, compression, text]] of Object.entries(streams)) {
    const whole = bytes(text);
    const expected = established(version, compression).feed(whole);
    assert.ok(expected.length > 0 && expected.every((m) => !m.error), name);
    for (let cut = 0; cut <= whole.length; cut++) {
      const codec = established(version, compression);
      assert.deepEqual([...codec.feed(whole.subarray(0, cut)), ...codec.feed(whole.subarray(cut))], expected, `${name} cut at ${cut}`);
    }
    const codec = established(version, compression);
    assert.deepEqual([...whole].flatMap((byte) => codec.feed(Uint8Array.of(byte))), expected, `${name} byte by byte`);
  }
});

test("tracing id, warnings and payload stand beside the message", () => {
  // apache/cassandra-java-driver#2023
  const chunk = "84 0e 00 01 08 00 00 00 23 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 00 01 77 00 01 00 01 6b 00 00 00 01 ff 00 00 00 01";
  const [message] = established(4).feed(bytes(chunk));
  assert.deepEqual(message, {
    stream: 1,
    opcode: "RESULT",
    kind: "Void",
    tracingId: "00010203-0405-0607-0809-0a0b0c0d0e0f",
    warnings: ["w"],
    customPayload: { k: Uint8Array.of(0xff) },
  });
});

test("a PREPARED with warnings keeps them", () => {
  const codec = established(4);
  const plain = prepared(codec, [["i", INT]]);
  const body = "0001" + "000177" + plain.slice(18);
  const [message] = codec.feed(bytes("84080001 08" + (body.length / 2).toString(16).padStart(8, "0") + body));
  assert.deepEqual(message.warnings, ["w"]);
  assert.equal(message.bind[0].type.text, "int");
  assert.ok(Object.isFrozen(message) && Object.isFrozen(message.bind) && Object.isFrozen(message.bind[0]));
});

test("EXECUTE in each version, by place and by name", () => {
  // scylladb/python-driver#770: the metadata id is there if and only if the connection has it
  for (const [version, body] of [
    [3, "0002aaaa 000a 01 0001 00000004 00000007"],
    [4, "0002aaaa 000a 01 0001 00000004 00000007"],
    [5, "0002aaaa 0002bbbb 000a 00000001 0001 00000004 00000007"],
  ]) {
    const before = new Codec({ version }); // before the handshake, so that v5 is not in segments
    const [statement] = before.feed(bytes(prepared(before, [["i", INT]])));
    for (const params of [[7], { i: 7 }, [bytes("00000007")]]) {
      const sent = hex(before.encode({ opcode: "EXECUTE", prepared: statement, params }, 2));
      assert.equal(sent.slice(18), frame(body));
    }
  }
});

test("QUERY and BATCH with every option", () => {
  const options = { consistency: "QUORUM", serialConsistency: "LOCAL_SERIAL", timestamp: 5n };
  const v5 = new Codec({ version: 5 });
  const query = { opcode: "QUERY", query: "q", params: [bytes("ff"), null, unset], pageSize: 3, pageState: bytes("0102"), skipMetadata: true };
  assert.equal(
    hex(v5.encode({ ...query, ...options, keyspace: "k", nowInSeconds: -1 }, 0)).slice(18),
    frame("00000001 71 0004 000001bf 0003 00000001 ff ffffffff fffffffe 00000003 00000002 0102 0009 0000000000000005 0001 6b ffffffff"),
  );
  const v4 = new Codec({ version: 4 });
  assert.equal(
    hex(v4.encode({ opcode: "QUERY", query: "q", params: { n: 1 }, types: { n: "int" } }, 0)).slice(18),
    frame("00000001 71 000a 41 0001 0001 6e 00000004 00000001"),
  );
  const [statement] = v4.feed(bytes(prepared(v4, [["i", INT], ["v", vectorType(3)]])));
  const batch = {
    opcode: "BATCH",
    type: "UNLOGGED",
    statements: [
      { query: "q" },
      { prepared: statement, params: [1, new Float32Array([1, 2, 3])] },
      { prepared: statement, params: { v: bytes("3f800000 40000000 40400000"), i: null } },
    ],
  };
  const value = "0000000c 3f800000 40000000 40400000";
  assert.equal(
    hex(v4.encode({ ...batch, ...options }, 9)),
    frame(
      `04 00 0009 0d 00000052 01 0003 00 00000001 71 0000 01 0002aaaa 0002 00000004 00000001 ${value} 01 0002aaaa 0002 ffffffff ${value} 0004 30 0009 0000000000000005`,
    ),
  );
});

test("what a version lacks is refused by name, and nothing is left behind", () => {
  const codec = new Codec({ version: 4 });
  const clean = hex(new Codec({ version: 4 }).encode({ opcode: "OPTIONS" }, 3));
  const refused = [
    [{ opcode: "QUERY", query: "q", keyspace: "k" }, "CQL_ENCODE", /keyspace/],
    [{ opcode: "QUERY", query: "q", nowInSeconds: 1 }, "CQL_ENCODE", /now_in_seconds/],
    [{ opcode: "PREPARE", query: "q", keyspace: "k" }, "CQL_ENCODE", /keyspace/],
    [{ opcode: "STARTUP", options: { COMPRESSION: "zstd" } }, "CQL_ENCODE", /COMPRESSION/],
    [{ opcode: "QUERY", query: "q", params: [1] }, "CQL_PARAMS", /types/],
    [{ opcode: "QUERY", query: "q", pagesize: 1 }, "CQL_OPTION", /pagesize/],
    [{ opcode: "QUERY", query: "q", consistency: "one" }, "CQL_OPTION", /LOCAL_ONE/],
    [{ opcode: "QUERY", query: "q", serialConsistency: "ONE" }, "CQL_OPTION", /expected SERIAL or LOCAL_SERIAL/],
    [{ opcode: "QUERY", query: "q", params: [1, "x"], types: ["int", "int"] }, "CQL_ENCODE", /parameter 1: string for int: expected a whole number/],
    [{ opcode: "BATCH", statements: [{ query: "a" }, { query: "b", params: [2n ** 31n], types: ["int"] }] }, "CQL_ENCODE", /statement 1, parameter 0/],
    [{ opcode: "BATCH", statements: Array.from({ length: 65_536 }, () => ({ query: "" })) }, "CQL_OPTION", /at most 65,535/],
    [{ opcode: "QUERY", query: "q", params: [, 5], types: ["int", "int"] }, "CQL_ENCODE", /parameter 0: undefined/],
    [{ opcode: "QUERY", query: "q", params: new Map([["a", 1]]) }, "CQL_OPTION", /params/],
    [{ opcode: "BATCH", statements: [, { query: "q" }] }, "CQL_OPTION", /statements/],
    [{ opcode: "QUERY", query: "q", params: Array.from({ length: 65_536 }, () => null) }, "CQL_ENCODE", /params\.values/],
    [{ opcode: "EXECUTE", prepared: { id: bytes("aa") } }, "CQL_OPTION", /PREPARED/],
    [{ opcode: "HELLO" }, "CQL_OPTION", /HELLO/],
    // what the codec would take at its word: other kinds where text, bytes, numbers stand
    [{ opcode: "QUERY", query: 5 }, "CQL_OPTION", /query: expected a string/],
    [{ opcode: "QUERY" }, "CQL_OPTION", /needs query/],
    [{ opcode: "QUERY", query: "\ud800" }, "CQL_OPTION", /surrogate/],
    [{ opcode: "QUERY", query: "q", keyspace: 5 }, "CQL_OPTION", /keyspace/],
    [{ opcode: "QUERY", query: "q", params: [1], types: [5] }, "CQL_OPTION", /types/],
    [{ opcode: "QUERY", query: "q", params: 5 }, "CQL_OPTION", /params/],
    [{ opcode: "QUERY", query: "q", pageState: "abc" }, "CQL_OPTION", /pageState: expected a Uint8Array/],
    [{ opcode: "QUERY", query: "q", pageSize: 1.5 }, "CQL_OPTION", /pageSize/],
    [{ opcode: "QUERY", query: "q", timestamp: 2 ** 53 }, "CQL_OPTION", /timestamp/],
    [{ opcode: "QUERY", query: "q", customPayload: { k: "v" } }, "CQL_OPTION", /customPayload/],
    [{ opcode: "QUERY", query: "q", tracing: 1 }, "CQL_OPTION", /tracing/],
    [{ opcode: "PREPARE", query: {} }, "CQL_OPTION", /query/],
    [{ opcode: "AUTH_RESPONSE", token: "abc" }, "CQL_OPTION", /token/],
    [{ opcode: "AUTH_RESPONSE" }, "CQL_OPTION", /needs token/],
    [{ opcode: "STARTUP", options: { CQL_VERSION: 3 } }, "CQL_OPTION", /options/],
    [{ opcode: "REGISTER", eventTypes: [1] }, "CQL_OPTION", /eventTypes/],
    [{ opcode: "BATCH", statements: [{ query: 5 }] }, "CQL_OPTION", /statement 0/],
    [{ opcode: "BATCH", statements: [{ query: "q", parms: [1] }] }, "CQL_OPTION", /parms/],
    [{ opcode: "BATCH", statements: [{ query: "q", params: { a: 1 } }] }, "CQL_OPTION", /statement 0 has Object as params: expected an array/],
    [{ opcode: "BATCH" }, "CQL_OPTION", /needs statements/],
    [null, "CQL_OPTION", /opcode/],
  ];
  for (const [message, code, text] of refused) {
    codec.write({ opcode: "OPTIONS" }, 3);
    assert.throws(() => codec.write(message, 1), (error) => {
      assert.equal(error.code, code, error.message);
      assert.match(error.message, text);
      return true;
    });
    assert.equal(hex(codec.flush()), clean, String(text));
  }
  const v3 = new Codec({ version: 3 });
  assert.throws(() => v3.encode({ opcode: "QUERY", query: "q", params: [unset] }, 0), /unset/);
  assert.throws(() => v3.encode({ opcode: "OPTIONS", customPayload: { k: null } }, 0), /custom_payload/);
  assert.throws(() => new Codec({ version: 5 }).encode({ opcode: "STARTUP", options: { COMPRESSION: "snappy" } }, 0), /COMPRESSION/);
  assert.equal(v3.flush().length, 0);
});

test("40,000 statements fit in a batch", () => {
  // scylladb/scylla-rust-driver#820
  const sent = new Codec({ version: 4 }).encode({ opcode: "BATCH", statements: Array.from({ length: 40_000 }, () => ({ query: "" })) }, 0);
  assert.equal(hex(sent.subarray(10, 12)), "9c40");
});

test("metadata that changes: the new columns decode the rows and replace the snapshot as a whole", () => {
  // scylladb/java-driver#597 and others; the mask is 0x0008, the paging state comes before the id
  const codec = new Codec({ version: 5 });
  const [statement] = codec.feed(bytes(prepared(codec, [], [["old", TEXT]])));
  codec.encode({ opcode: "EXECUTE", prepared: statement, skipMetadata: true }, 4);
  const body = "00000002 00000009 00000001 0002abcd 00016b 000174 000163 0009 00000001 00000004 0000002a";
  const answer = (stream, text) => bytes(`850000${stream}08 ${(frame(text).length / 2).toString(16).padStart(8, "0")} ${text}`);
  const [rows] = codec.feed(answer("04", body));
  assert.deepEqual(rows.rows, [{ c: 42 }]);
  assert.equal(hex(rows.newMetadataId), "abcd");
  assert.deepEqual([hex(rows.prepared.resultMetadataId), rows.prepared.result[0].name, hex(rows.prepared.id)], ["abcd", "c", "aaaa"]);
  assert.equal(statement.result[0].name, "old"); // the old snapshot is as it was
  // the new one reads rows that come without metadata; the paging state is this answer's own (scylladb/scylla-rust-driver#1063)
  codec.encode({ opcode: "EXECUTE", prepared: rows.prepared, skipMetadata: true }, 5);
  const [next] = codec.feed(answer("05", "00000002 00000006 00000001 00000002 0102 00000001 00000004 0000002a"));
  assert.deepEqual([next.rows, hex(next.pagingState)], [[{ c: 42 }], "0102"]);
  // both flags: token first, then id
  codec.encode({ opcode: "EXECUTE", prepared: rows.prepared }, 6);
  const [both] = codec.feed(answer("06", "00000002 0000000b 00000001 00000002 0102 0002abcd 00016b 000174 000163 0009 00000000"));
  assert.deepEqual([hex(both.pagingState), hex(both.newMetadataId), both.length], ["0102", "abcd", 0]);
});

test("rows without metadata, with another number of columns than known, are an error of that stream", () => {
  // scylladb/gocql#261
  const codec = new Codec({ version: 4 });
  const [statement] = codec.feed(bytes(prepared(codec, [], [["c", INT]])));
  codec.encode({ opcode: "EXECUTE", prepared: statement, skipMetadata: true }, 1);
  const two = "84 00 00 01 08 00 00 00 1c 00000002 00000004 00000002 00000001 00000004 0000002a 00000000".replaceAll(" ", "");
  const messages = codec.feed(bytes(two + two + "840000020800000004" + "00000001"));
  assert.deepEqual(messages.map((m) => m.error?.code), ["CQL_DECODE", undefined, undefined]);
  assert.match(messages[0].error.message, /columns/);
  throwsCode("CQL_NO_METADATA", () => messages[1].rows);
  throwsCode("CQL_NO_METADATA", () => messages[1].column("c"));
  throwsCode("CQL_DECODE", () => messages[1].decode(statement)); // one column, not two
  assert.equal(hex(messages[1].cells), "000000040000002a00000000");
  assert.deepEqual(messages[1].decode([{ name: "a", type: "int" }, { name: "b", type: "text" }]).rows, [{ a: 42, b: "" }]);
  throwsCode("CQL_NO_METADATA", () => messages[1].columns); // the message itself is as it was
  assert.equal(messages[2].kind, "Void");
});

test("a framing error comes last, and every later call throws it", () => {
  for (const [version, text, code] of [
    [4, "840000010800000004 00000001 84000001 99 00000000", /opcode/],
    [4, "840000010800000004 00000001 0400000105 00000000", /other way/],
    [4, "840000010800000004 00000001 830000010800000004 00000001", /version/],
    [4, "840000010800000004 00000001 8400000108 7fffffff", /length/],
    [4, "840000010800000004 00000001 8200010000000000", /version/],
    [5, "1a 00 02 20 55 a2 85 00 00 01 08 00 00 00 04 00 00 00 01 85 00 00 02 08 00 00 00 04 00 00 00 01 77 2e e9 4e", /checksum/],
  ]) {
    const codec = established(version);
    const messages = codec.feed(bytes(text));
    const last = messages.at(-1);
    assert.deepEqual([last.fatal, last.error.code, messages.length], [true, "CQL_FRAMING", version === 5 ? 1 : 2]);
    assert.match(last.error.message, code);
    for (const run of [() => codec.feed(bytes("00")), () => codec.encode({ opcode: "OPTIONS" }, 0)]) throwsCode("CQL_FRAMING", run);
  }
});

test("an ERROR is read whatever its version", () => {
  // apache/cassandra-java-driver#790
  for (const version of ["84", "83", "85", "86"]) {
    const [error] = new Codec({ version: 5 }).feed(bytes(`${version} 00 00 00 00 00 00 00 07 0000000a 0001 78`));
    assert.deepEqual([error.opcode, error.code, error.message, error.version], ["ERROR", 10, "x", Number(`0x${version}`) & 127]);
  }
});

test("a body that does not decode concerns its stream only, also when it does not decompress", () => {
  const codec = established(4, "lz4");
  const messages = codec.feed(bytes("84 01 00 01 08 00 00 00 03 000000" + "84 01 00 02 08 00 00 00 09 ffffffff 40 00000001" + "84 00 00 03 02 00 00 00 00"));
  assert.deepEqual(messages.map((m) => [m.stream, m.opcode, m.error?.code]), [
    [1, "RESULT", "CQL_DECODE"],
    [2, "RESULT", "CQL_DECODE"],
    [3, "READY", undefined],
  ]);
});

test("the columns of a page that did not decode are not taken for those of the next", () => {
  const codec = established(4);
  const page = (name, cell) => {
    const body = frame(`00000002 00000001 00000001 00016b 000174 0001 ${hex(Buffer.from(name))} 0009 00000001 ${cell}`);
    return bytes(`8400000108 ${(body.length / 2).toString(16).padStart(8, "0")} ${body}`);
  };
  const good = "00000004 00000007";
  assert.deepEqual(codec.feed(page("a", good))[0].rows, [{ a: 7 }]);
  assert.equal(codec.feed(page("b", "00000003 000007"))[0].error.code, "CQL_DECODE");
  assert.deepEqual(codec.feed(page("b", good))[0].rows, [{ b: 7 }]);
  assert.deepEqual(codec.feed(page("b", good))[0].rows, [{ b: 7 }]);
});

test("an idle connection does not keep its large page", () => {
  const page = new Uint8Array((100 << 20) + 9);
  page.set(bytes("84 00 00 01 08 06 40 00 00 00 00 00 03")); // RESULT of 100 MiB: Set_keyspace and then something later
  const idle = [];
  let before;
  for (let i = 0; i < 6; i++) {
    const codec = established(4);
    assert.equal(codec.feed(page)[0].kind, "Set_keyspace");
    idle.push(codec);
    // The second still grows the memory, whose free parts lie differently by then; each next one finds room that was given back.
    if (i === 1) before = process.memoryUsage().external;
  }
  const grown = process.memoryUsage().external - before;
  assert.ok(grown < 50 << 20, `${grown >> 20} MiB more for four more idle connections`);
});

test("counts that lie cost nothing and leave the codec usable", () => {
  // scylladb/gocql#978, #1104
  const deep = "00000002 00000001 00000001 0000 0000 0000" + "0020".repeat(200_000) + "0009";
  const bodies = [
    "00000004 0002aaaa 00000001 00000000 ffffffff",
    "00000004 0002aaaa 00000001 00000000 7fffffff",
    "00000002 00000004 00000000 7fffffff",
    "00000002 00000004 7fffffff 7fffffff",
    "00000002 00000001 7fffffff 00016b 000174",
    deep,
  ];
  const codec = established(4);
  for (const body of bodies) {
    const length = (frame(body).length / 2).toString(16).padStart(8, "0");
    const [bad, good] = codec.feed(bytes(`8400000108${length}${body}` + "840000020800000004" + "00000001"));
    assert.equal(bad.error?.code, "CQL_DECODE", body.slice(0, 40));
    assert.equal(good.kind, "Void");
  }
});

test("values stay right while the codec's memory grows", () => {
  // wasm-bindgen/wasm-bindgen#1668: a view of memory that grows is empty
  const codec = established(4);
  const blob = (size) => {
    const cell = Buffer.alloc(size, 0xab);
    const head = bytes("00000002 00000001 00000001 00016b 000174 00016200 03 00000001");
    const body = Buffer.concat([head, Buffer.from(size.toString(16).padStart(8, "0"), "hex"), cell]);
    return Buffer.concat([bytes("8400000108"), Buffer.from(body.length.toString(16).padStart(8, "0"), "hex"), body]);
  };
  const [small] = codec.feed(blob(64));
  const kept = small.columns[0].at(0);
  const [large] = codec.feed(blob(64 << 20));
  assert.equal(large.columns[0].values.length, 64 << 20);
  assert.equal(hex(kept), "ab".repeat(64));
  assert.equal(hex(small.columns[0].values), "ab".repeat(64));
  const sent = codec.encode({ opcode: "QUERY", query: "x".repeat(1 << 20) }, 0);
  assert.equal(sent[13], 0x78);
});

test("chunks may be views into a larger buffer", () => {
  // cloudamqp/amqp-client.js#256
  const pool = new Uint8Array(64).fill(0xee);
  pool.set(bytes("840000070200000000"), 17);
  assert.deepEqual(established(4).feed(pool.subarray(17, 26)), [{ stream: 7, opcode: "READY" }]);
});

test("compression: a body is compressed whether it gains or not, an empty one never", () => {
  for (const compression of ["lz4", "snappy"]) {
    const codec = established(4, compression);
    assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 0)), "040000000500000000");
    assert.equal(codec.encode({ opcode: "QUERY", query: "x" }, 0)[1], 1);
    const long = codec.encode({ opcode: "QUERY", query: "x".repeat(1000) }, 0);
    assert.equal(long[1], 1);
    assert.ok(long.length < 200);
  }
  // never before STARTUP is answered (apache/cassandra-gocql-driver#1230)
  const codec = new Codec({ version: 4 });
  const startup = codec.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0", COMPRESSION: "lz4", X: "x".repeat(500) } }, 0);
  assert.equal(startup[1], 0);
  codec.feed(bytes("840100000200000005 00000000 00"));
  assert.equal(codec.encode({ opcode: "QUERY", query: "x".repeat(1000) }, 0)[1], 1);
});

test("duplicate and odd column names", () => {
  const codec = established(4);
  const body = "00000002 00000001 00000003 00016b 000174 000161 0009 000161 0009 00095f5f70726f746f5f5f 0009 00000001 00000004 00000001 00000004 00000002 00000004 00000003";
  const [rows] = codec.feed(bytes(`8400000108 ${(frame(body).length / 2).toString(16).padStart(8, "0")} ${body}`));
  const [row] = rows.rows;
  assert.deepEqual(Object.entries(row), [["a", 1], ["__proto__", 3]]);
  assert.equal(Object.getPrototypeOf(row), Object.prototype);
  throwsCode("CQL_COLUMN", () => rows.column("a"));
  throwsCode("CQL_COLUMN", () => rows.column("b"));
  throwsCode("CQL_RANGE", () => rows.columns[0].at(1));
  assert.deepEqual(rows.columns.map((c) => c.at(0)), [1, 2, 3]);
});

test("rows are the same where code may not be made from text", () => {
  // A content security policy and edge workers forbid `new Function`; Node.js can too.
  const script = new URL("load/node-esm.mjs", import.meta.url);
  const run = (...flags) => spawnSync(process.execPath, [...flags, fileURLToPath(script)], { encoding: "utf8" });
  const forbidden = spawnSync(process.execPath, ["--disallow-code-generation-from-strings", "-e", "new Function('')"]);
  assert.notEqual(forbidden.status, 0);
  for (const { status, stderr } of [run(), run("--disallow-code-generation-from-strings")]) assert.equal(status, 0, stderr);
});

test("stream ids and options are checked", () => {
  const codec = new Codec();
  for (const stream of [-1, 32_768, 1.5, NaN, "1"]) throwsCode("CQL_OPTION", () => codec.encode({ opcode: "OPTIONS" }, stream));
  throwsCode("CQL_OPTION", () => new Codec({ version: 6 }));
  throwsCode("CQL_OPTION", () => new Codec({ versions: 5 }));
  throwsCode("CQL_OPTION", () => new Codec({ version: 5, established: { compression: "snappy" } }));
  for (const established of [false, 5, { compression: 5 }, { versions: 4 }, { version: 6 }, { features: { metadata_id: true } }]) throwsCode("CQL_OPTION", () => new Codec({ established }));
});

test("a trap ends the connections of its instance, and the next codec gets a new one", (t) => {
  const codec = new Codec({ version: 4 });
  const other = new Codec({ version: 4 });
  const [statement] = other.feed(bytes(prepared(other, [["t", TEXT]])));
  // A trap is a WebAssembly.RuntimeError out of the codec's call; here one that comes while a long string is copied in.
  const write = t.mock.method(Buffer.prototype, "utf8Write", () => {
    throw new WebAssembly.RuntimeError("unreachable");
  });
  throwsCode("CQL_WASM", () => codec.encode({ opcode: "QUERY", query: "q", params: ["x".repeat(5000)], types: ["text"] }, 0));
  write.mock.restore();
  for (const broken of [codec, other]) {
    throwsCode("CQL_WASM", () => broken.encode({ opcode: "OPTIONS" }, 0));
    throwsCode("CQL_WASM", () => broken.feed(bytes("84")));
  }
  const next = new Codec({ version: 4 });
  // A statement is plain data: the new instance learns its types from it.
  assert.equal(hex(next.encode({ opcode: "EXECUTE", prepared: statement, params: ["x"] }, 0)).slice(18), "0002aaaa000a0100010000000178");
  assert.equal(hex(next.encode({ opcode: "QUERY", query: "q", params: ["x"], types: ["text"] }, 0)).slice(18), "0000000171000a0100010000000178");
});

test("a trap in the middle of a chunk leaves the messages before it", (t) => {
  const codec = established(4);
  const rows = "00000002 00000001 00000001 00016b 000174 000163 0009 00000001 00000004 0000002a";
  const page = `8400000208 ${(frame(rows).length / 2).toString(16).padStart(8, "0")} ${rows}`;
  const chunk = bytes("840000010800000004 00000001" + page + "840000030800000004 00000001");
  // By which the page is copied.
  const { slice } = Uint8Array.prototype;
  t.mock.method(Uint8Array.prototype, "slice", () => {
    throw new WebAssembly.RuntimeError("unreachable");
  });
  const messages = codec.feed(chunk);
  t.mock.restoreAll();
  assert.equal(Uint8Array.prototype.slice, slice);
  assert.deepEqual(messages.map((m) => [m.stream, m.kind, m.error?.code, m.fatal]), [[1, "Void", undefined, undefined], [null, undefined, "CQL_WASM", true]]);
  throwsCode("CQL_WASM", () => codec.feed(bytes("84")));
});

test("what is too large for any frame is refused before it takes memory", () => {
  const codec = new Codec({ version: 4 });
  const large = new Uint8Array((256 << 20) + 1);
  throwsCode("CQL_ENCODE", () => codec.encode({ opcode: "QUERY", query: "q", params: [large] }, 0));
  const half = large.subarray(0, 130 << 20);
  throwsCode("CQL_ENCODE", () => codec.encode({ opcode: "QUERY", query: "q", params: [half, half] }, 0));
  assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 0)), "040000000500000000");
});

test("traffic counts bytes on the wire and as frames", () => {
  const codec = established(4, "lz4");
  const sent = codec.encode({ opcode: "QUERY", query: "x".repeat(1000) }, 0);
  codec.feed(bytes("84 01 00 01 08 00 00 00 09 00 00 00 04 40 00 00 00 01"));
  assert.deepEqual(codec.traffic, { received: 18, framesReceived: 13, sent: sent.length, framesSent: 9 + 4 + 1000 + 3 });
});

test("STARTUP goes out once, before anything is agreed", () => {
  const codec = new Codec({ version: 5 });
  const startup = { opcode: "STARTUP", options: { CQL_VERSION: "3.0.0" } };
  codec.encode(startup, 0);
  codec.feed(bytes("850000000200000000"));
  throwsCode("CQL_ENCODE", () => codec.encode(startup, 0));
});
