// What inspect.html does before it shows anything: pasted text → bytes → messages, held against the recordings of a real server and what
// independent readers found in them (testdata/sessions).
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Codec } from "cqlwire";
import { load } from "./inspect-modules.mjs";

const [{ PasteError, parsePaste }, { inspect, inspectAll, traceOf }, { link }, { show, summary }] = await Promise.all(
  ["paste", "messages", "link", "show"].map(load),
);

const folder = new URL("../testdata/sessions/", import.meta.url);
function read(name) {
  const plain = new URL(`${name}.jsonl`, folder);
  const text = existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, folder)));
  return text.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}
const counts = readFileSync(new URL("counts.json", folder), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const hex = (bytes) => Buffer.from(bytes).toString("hex");

// A real request: OPTIONS of v5 in a segment, from datastax/go-cassandra-native-protocol#61.
const OPTIONS = "0900000004c2b895050000010500000000b5557486";
const READY = "840000010200000000";

// Text → bytes.

const bytes = Buffer.from(READY, "hex");
const FORMS = [
  ["hexadecimal", READY],
  ["hexadecimal", READY.toUpperCase()],
  ["hexadecimal", " 84 00 00 01\n02 00 00 00 00\n"],
  ["hexadecimal", "84:00:00:01:02:00:00:00:00"],
  ["hexadecimal", "84-00-00-01-02-00-00-00-00"],
  ["hexadecimal", "0x840000010200000000"],
  ["hexadecimal", "{0x84, 0x00, 0x00, 0x01, 0x2, 0x0, 0, 0x0, 0x00}".replace(" 0,", " 00,")],
  ["hexadecimal", "<Buffer 84 00 00 01 02 00 00 00 00>"],
  ["hexadecimal", "8400 0001 0200 0000 00"],
  ["hexadecimal", "[84 00 00 01 02 00 00 00 00]"],
  ["hex dump", "00000000: 8400 0001 0200 0000 00                   ........."],
  ["hex dump", "00000000  84 00 00 01 02 00 00 00  00                       |.........|\n00000009\n"],
  ["hex dump", "0000   84 00 00 01 02 00 00 00 00                        ........."],
  ["escapes", "\\x84\\x00\\x00\\x01\\x02\\x00\\x00\\x00\\x00"],
  ["escapes", "b'\\x84\\x00\\x00\\x01\\x02\\x00\\x00\\x00\\x00'"],
  ["escapes", '(b"\\x84\\x00\\x00\\x01" +\n b"\\x02\\0\\0\\0\\000")'],
  ["numbers", "[132, 0, 0, 1, 2, 0, 0, 0, 0]"],
  ["numbers", "[-124, 0, 0, 1, 2, 0, 0, 0, 0]"],
  ["numbers", "[]byte[132 0 0 1 2 0 0 0 0]".slice(6)],
  ["numbers", "Uint8Array(9) [\n  132, 0, 0, 1, 2,\n  0, 0, 0, 0\n]"],
  ["base64", bytes.toString("base64")],
  ["base64", "hAAAAQIA\nAAAA"],
  ["base64", ` "${bytes.toString("base64url")}"`],
  ["base64", "hAAAAQ==AgAAAAA="],
];
for (const [form, text] of FORMS) {
  test(`paste: ${form}: ${JSON.stringify(text)}`, () => {
    const pasted = parsePaste(text);
    assert.deepEqual([pasted.form, hex(pasted.bytes)], [form, READY]);
  });
}

test("paste: escapes between printable characters, as Python prints bytes", () => {
  assert.equal(hex(parsePaste("b'\\x04\\x00\\x00\\x00\\x07\\x00\\x00\\x00\\x0f\\x00\\x00\\x00\\x08SELECT 1\\x00\\x01\\t\\'\"'").bytes), `040000000700000000f${""}`.slice(0, 17) + "f0000000853454c4543542031" + "00010927" + "22");
});

test("paste: lines of a dump whose characters look like digits", () => {
  const line = (offset, text) => `${offset.toString(16).padStart(8, "0")}: ${Buffer.from(text).toString("hex").replace(/(....)/g, "$1 ")} ${text}`;
  const text = "abcdef0123456789deadbeefcafebabe";
  assert.equal(Buffer.from(parsePaste([line(0, text.slice(0, 16)), line(16, text.slice(16))].join("\n")).bytes).toString(), text);
});

const REFUSED = [
  ["", /line 1, column 1: there is nothing to read/],
  [" \n", /nothing to read/],
  ["84 00 0", /line 1, column 7: 1 hexadecimal digits: two make a byte/],
  ["84 00\n00 0g 00", /line 2, column 5: "g" is no hexadecimal digit/],
  ["84 00 ü", /line 1, column 7: "ü"/],
  ["84000001020000000g", /column 18: "g" is no hexadecimal digit/],
  ["8400000102000000000", /line 1, column 1: 19 hexadecimal digits: two make a byte/],
  ["0x8400000102zz", /"z" is no hexadecimal digit/],
  ["hAAAAQIAAAAA!", /line 1, column 13: "!" is neither hexadecimal nor base64/],
  ["hAAAAQIAAAAAh", /base64 of 13 characters/],
  ["b'\\x84\\x0", /"\\\\x0" is no escape of a byte/],
  ["b'\\x84", /ends inside of/],
  ["b'\\x84é'", /"é" is no byte/],
  ["b'\\x84' oops", /"o" stands outside of the quotes/],
  ["00000000: 8400 0001\n00000003: 02", /line 1, column 1: a line of a dump that does not have the bytes/],
  ["0000  84 00\n0010  02", /line 2, column 1: the dump goes on at 16, after 2 bytes/],
  ["[1, 2, 256]", /line 1, column 8: 256 is no byte/],
];
for (const [text, message] of REFUSED) {
  test(`paste refused: ${JSON.stringify(text)}`, () => assert.throws(() => parsePaste(text), (error) => error instanceof PasteError && message.test(error.message)));
}

// Bytes → messages.

const RECORDINGS = counts.filter(({ file }) => !file.startsWith("probes"));
assert.equal(RECORDINGS.length, 9);

/** Each side of each connection in one paste: first all that the client sent, then all that the server did. */
function pastesOf(file) {
  const lines = read(file.replace(/\.jsonl.*/, ""));
  return [1, 2].map((conn) => ["c2s", "s2c"].map((dir) => Buffer.from(lines.filter((l) => l.conn === conn && l.dir === dir).map((l) => l.hex).join(""), "hex")));
}

for (const { file, per_opcode: perOpcode, result_kinds: kinds, error_codes: codes } of RECORDINGS) {
  test(`${file}: every frame is found again, without being told what it is`, () => {
    const [seen, seenKinds, seenCodes] = [{}, {}, {}];
    const count = (table, key) => (table[key] = (table[key] ?? 0) + 1);
    for (const sides of pastesOf(file)) {
      const all = Buffer.concat(sides);
      const { bytes, found, problem } = inspectAll(parsePaste(hex(all)).bytes);
      assert.equal(problem, null);
      let at = 0;
      for (const one of found) {
        // Each byte belongs to a message; those of one segment share it.
        assert.ok(one.from === at || one.index > 0, `${one.from} after ${at}`);
        at = one.to;
        const { message, way } = one;
        assert.equal(message.error, undefined);
        const side = way.role === "server" ? "c2s" : "s2c";
        assert.equal(one.to <= sides[0].length, side === "c2s");
        count(seen, `${side} v${message.version ?? way.version} ${message.opcode}`);
        if (message.kind) count(seenKinds, message.kind);
        if (message.code !== undefined) count(seenCodes, `0x${message.code.toString(16).padStart(4, "0")}`);
      }
      assert.equal(at, bytes.length);
    }
    assert.deepEqual([seen, seenKinds, seenCodes], [perOpcode, kinds, codes]);
  });
}

/** One connection in the order in which it was recorded: requests and answers take turns. */
const interleaved = (name, conn) => Buffer.from(read(name).filter((line) => line.conn === conn).map((line) => line.hex).join(""), "hex");

for (const name of ["v3-plain", "v4-lz4", "v4-snappy", "v5-plain", "v5-lz4"]) {
  test(`${name}: answers find their requests, rows without metadata their columns, EXECUTEs their statements`, () => {
    const { found, problem } = inspectAll(interleaved(name, 2));
    assert.equal(problem, null);
    const links = link(found);
    const expected = read(`${name}.expected`).filter((line) => line.n);
    const answers = found.filter(({ way, message }) => way.role === "client" && !["EVENT", "SUPPORTED", "READY"].includes(message.opcode));
    const responses = expected.flatMap((line) => line.responses.map((response) => ({ response, request: line.request }))).filter(
      ({ response }) => response.kind !== "supported" && response.kind !== "ready",
    );
    assert.equal(answers.length, responses.length);
    let typed = 0;
    answers.forEach((answer, index) => {
      const own = links.get(answer);
      const { response } = responses[index];
      assert.ok(own.request, `answer ${index} has a request`);
      if (answer.message.kind !== "Rows") return;
      assert.equal(own.request.message.opcode === "EXECUTE" || own.request.message.opcode === "QUERY" || own.request.message.opcode === "BATCH", true);
      assert.deepEqual(own.rows.metadata.map((spec) => spec.name), response.columns.map((column) => column.name));
      assert.equal(own.rows.length, response.rows.length);
      own.rows.columns.forEach((column, c) => {
        if (column.type.kind !== "int" && column.type.kind !== "text") return;
        response.rows.forEach((row, r) => {
          if (row[c] === null || typeof Object.values(row[c])[0] === "object") return;
          assert.equal(column.at(r), Object.values(row[c])[0]);
          typed++;
        });
      });
    });
    assert.ok(typed > 50, `${typed} values compared`);
    const executes = found.filter(({ message }) => message.opcode === "EXECUTE").map((one) => links.get(one));
    assert.ok(executes.length > 50);
    for (const { statement, params, answer } of executes) {
      if (!statement) {
        assert.equal(answer.message.opcode, "ERROR"); // made to be unknown to the server
        continue;
      }
      assert.match(statement.text, /^(SELECT|INSERT|UPDATE|DELETE|BEGIN)/i);
      for (const { type, value, error, bytes } of params?.[0].params ?? []) {
        assert.equal(error, undefined);
        assert.ok(type && (value !== undefined || !(bytes instanceof Uint8Array)));
      }
    }
  });

  test(`${name}: every byte of every message is some field's`, () => {
    const inspection = inspectAll(interleaved(name, 2));
    const links = link(inspection.found);
    for (const one of inspection.found) {
      const own = links.get(one);
      const { message } = one;
      const { bytes, fields } = traceOf(inspection.bytes, one, own.rows && own.statement && { ...own.statement.prepared, result: own.rows.metadata });
      const seen = new Uint8Array(bytes.length);
      const walk = (fields) => fields.forEach(({ start, end, fields: inner }) => (inner ? walk(inner) : seen.fill(1, start, end)));
      walk(fields);
      // Cassandra writes an empty name behind the keyspace of a v3 change of a keyspace: it belongs to no field.
      const end = message.changeType && message.target === "KEYSPACE" && one.way.version === 3 ? bytes.length - 2 : bytes.length;
      const missing = seen.indexOf(0);
      assert.ok(missing === -1 || missing >= end, `byte ${seen.indexOf(0)} of ${bytes.length}, ${one.message.opcode} ${summary(one.message, own)}`);
    }
  });
}

test("half a message at the end is said, what is before it is read", () => {
  for (const [all, whole] of [[READY + "8400000208", 9], [OPTIONS + OPTIONS.slice(0, 20), 21], [OPTIONS + "0900", 21], ["84", 0]]) {
    const { found, problem } = inspectAll(Buffer.from(all, "hex"));
    assert.deepEqual([found.length, problem], [whole ? 1 : 0, { kind: "half", at: whole }]);
  }
});

test("damage is said, what is before it is read", () => {
  const damaged = Buffer.from(OPTIONS + OPTIONS, "hex");
  damaged[21 + 10] ^= 1; // in the payload of the second segment: its CRC-32 does not fit
  const { found, problem } = inspectAll(damaged);
  assert.deepEqual([found.length, problem.kind, problem.at, problem.error.kind, problem.error.what], [1, "framing", 21, "BadChecksum", "segment.payload"]);
  const noFrame = inspectAll(Buffer.from(`${READY}040000017f00000000`, "hex"));
  assert.deepEqual([noFrame.found.length, noFrame.problem.kind, noFrame.problem.at, noFrame.problem.error.what], [1, "framing", 9, "frame.opcode"]);
});

test("compression is found by trying, also where it changes", () => {
  const texts = ["lz4", "snappy", "snappy", "lz4"].map((compression, index) => {
    const codec = new Codec({ established: { version: 4, compression } });
    return codec.encode({ opcode: "PREPARE", query: `SELECT ${"a, ".repeat(100)}b FROM t${index}` }, index);
  });
  const { found, problem } = inspectAll(Buffer.concat(texts));
  assert.equal(problem, null);
  assert.deepEqual(found.map(({ message, way }) => [message.query?.slice(-2), way.compression]), [["t0", "lz4"], ["t1", "snappy"], ["t2", "snappy"], ["t3", "lz4"]]);
});

test("what is not read is said", () => {
  const many = Buffer.concat(Array(50).fill(Buffer.from(READY, "hex")));
  const limits = { bytes: 1 << 20, messages: 20, decompressed: 1 << 20 };
  const { found, problem } = inspectAll(many, limits);
  assert.deepEqual([found.length, problem], [20, { kind: "limit", at: 20 * 9 }]);
  const short = inspectAll(many, { ...limits, messages: 1000, bytes: 100 });
  assert.deepEqual([short.found.length, short.problem], [11, { kind: "limit", at: 99 }]);
  const deflated = inspectAll(many, { ...limits, messages: 1000, decompressed: 95 });
  assert.deepEqual([deflated.found.length, deflated.problem], [11, { kind: "limit", at: 99 }]);
});

test("answers are not taken for those of other requests", () => {
  const client = new Codec({ version: 4 });
  const prepare = client.encode({ opcode: "PREPARE", query: "SELECT 1" }, 5);
  const answer = Buffer.from("8400000508000000040000000100".slice(0, -2), "hex"); // RESULT Void: not that of a PREPARE
  const { found } = inspectAll(Buffer.concat([prepare, answer]));
  assert.deepEqual(found.map(({ message }) => message.opcode), ["PREPARE", "RESULT"]);
  assert.equal(link(found).get(found[1]).request, undefined);
});

test("columns that changed count from then on", () => {
  const [client, server] = [new Codec({ established: { version: 5 } }), new Codec({ role: "server", established: { version: 5 } })];
  const [id, resultMetadataId, newMetadataId] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
  const column = (name) => ({ keyspace: "k", table: "t", name, type: "int" });
  const execute = (stream) => client.encode({ opcode: "EXECUTE", id, resultMetadataId, skipMetadata: true }, stream);
  const rows = (stream, names, more) => server.encode({ opcode: "RESULT", kind: "Rows", metadata: names.map(column), rows: [names.map((_, i) => i)], ...more }, stream);
  const { found } = inspectAll(Buffer.concat([
    client.encode({ opcode: "PREPARE", query: "SELECT *" }, 0),
    server.encode({ opcode: "RESULT", kind: "Prepared", id, resultMetadataId, bind: [], result: [column("a")] }, 0),
    execute(1), rows(1, ["a"], { noMetadata: true }),
    execute(2), rows(2, ["a", "b"], { newMetadataId }),
    execute(3), rows(3, ["a", "b"], { noMetadata: true }),
    execute(4), rows(4, ["a", "b", "c"], { noMetadata: true }),
  ]));
  const links = link(found);
  const answers = found.filter(({ message }) => message.kind === "Rows").map((one) => links.get(one));
  assert.deepEqual(answers.map(({ rows }) => rows?.metadata.map(({ name }) => name)), [["a"], ["a", "b"], ["a", "b"], undefined]);
  assert.match(answers[3].rowsNote, /Their statement has 2 columns, they have 3: cells are bytes/);
});

test("values are shown in one line of bounded length", () => {
  assert.equal(show({ a: [1, null, "x\ny"], b: new Map([[1n, Uint8Array.of(1, 171)]]) }), '{a: [1, null, "x\\ny"], b: {1: 0x01ab}}');
  assert.equal(show(new Float32Array([1, -0])), "[1, -0]");
  assert.equal(show("x".repeat(1000)).length, 201);
  assert.ok(show(Array(1e6).fill(1)).length <= 201);
  assert.equal(show(1n << 1_000_000n), "a number of very many digits");
});

test("damaged recordings: no exception, and an end", () => {
  let state = 1;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  for (const name of ["v4-lz4", "v5-lz4"]) {
    const all = interleaved(name, 2).subarray(0, 12_000);
    for (let round = 0; round < 10; round++) {
      const damaged = Buffer.from(all);
      for (let times = 0; times < 1 + random(4); times++) damaged[random(damaged.length)] = random(256);
      const inspection = inspectAll(damaged);
      const links = link(inspection.found);
      for (const one of inspection.found) {
        summary(one.message, links.get(one));
        if (one.message.error) traceOf(inspection.bytes, one);
      }
    }
  }
  const noise = Uint8Array.from({ length: 100_000 }, () => random(256));
  assert.ok(inspectAll(noise).problem);
});
