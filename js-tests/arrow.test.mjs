// toArrowIPC and arrowStream, read by the npm package apache-arrow: every type and value, random pages, and what Arrow's format asks for.
// js-tests/arrow/python.test.mjs reads the same with pyarrow and DuckDB.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, CqlError, arrowStream } from "cqlwire";
import { MessageReader, tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { readTable } from "./arrow/apache-arrow.mjs";
import { expected, unmetLimits } from "./arrow/expected.mjs";
import { pageOf, pageOfMetadata, randomCase, tableCases } from "./arrow/pages.mjs";

const READER = "apache-arrow";

/** What the reader sees of one column against its values. */
function check({ values, error }, type, column, what) {
  let refusal;
  const wanted = column.map((value) => expected(READER, type, value, (pattern) => (refusal = pattern)));
  if (refusal) assert.match(String(error), refusal, what);
  else assert.deepEqual({ values, error }, { values: wanted, error: undefined }, what);
}

test("every type and value of the table, alone and with nulls", () => {
  const cases = tableCases();
  assert.ok(cases.length > 700, String(cases.length));
  for (const { name, values, page } of cases) {
    const { table, columns } = readTable(page.toArrowIPC());
    assert.deepEqual([table.numRows, table.numCols, table.batches.length], [values.length, 1, values.length ? 1 : table.batches.length], name);
    check(columns[0], page.columns[0].type, values, name);
    // The table's values are those that the column itself gives.
    check(columns[0], page.columns[0].type, [...page.columns[0]], name);
  }
  assert.deepEqual(unmetLimits(READER), []);
});

test("random pages", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (seed) => {
      const { rows, page } = randomCase(seed);
      const { table, columns } = readTable(page.toArrowIPC());
      assert.equal(table.numRows, rows.length);
      page.columns.forEach((column, index) => check(columns[index], column.type, rows.map((row) => row[index]), `column ${index}, ${column.type.text}`));
    }),
    { numRuns: 500, seed: 5 },
  );
});

/** The messages of a stream, by apache-arrow's own reading of them, and where each begins. */
function messagesOf(bytes) {
  const reader = new MessageReader(bytes);
  const messages = [];
  for (let at = 0, message; (message = reader.readMessage()); ) {
    const body = reader.readMessageBody(message.bodyLength);
    const view = new DataView(bytes.buffer, bytes.byteOffset + at);
    messages.push({ message, at, metadata: view.getInt32(4, true), continuation: view.getUint32(0), body });
    at += 8 + view.getInt32(4, true) + message.bodyLength;
  }
  return messages;
}

/** Where the nodes and the buffers of a batch are: structs of 64-bit numbers, for readers that do not copy. Message.header is field 2, RecordBatch's are 1 and 2. */
function pairsOf(bytes, start) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  const follow = (at) => at + view.getUint32(at, true);
  const field = (table, index) => follow(table + view.getUint16(table - view.getInt32(table, true) + 4 + 2 * index, true));
  const batch = field(follow(0), 2);
  return [1, 2].map((index) => start + field(batch, index) + 4); // after the count
}

test("the stream's own form: prefixes, multiples of 8, zeros between buffers, the end", (t) => {
  // What was in the memory before is nowhere.
  t.mock.method(Buffer, "allocUnsafeSlow", (size) => Buffer.alloc(size, 0xaa));
  for (let seed = 1; seed <= 200; seed++) {
    const bytes = randomCase(seed).page.toArrowIPC();
    assert.equal(bytes.constructor, Uint8Array);
    assert.equal(bytes.byteOffset, 0);
    const [schema, batch, ...rest] = messagesOf(bytes);
    assert.equal(rest.length, 0);
    assert.ok(schema.message.isSchema() && batch.message.isRecordBatch());
    for (const { message, at, metadata, continuation } of [schema, batch]) {
      assert.deepEqual([continuation, at % 8, metadata % 8, message.bodyLength % 8, message.version], [0xffffffff, 0, 0, 0, 4]); // V5
    }
    for (const place of pairsOf(bytes, batch.at + 8)) assert.equal(place % 8, 0);
    const { nodes, buffers } = batch.message.header();
    let end = 0;
    for (const { offset, length } of buffers) {
      assert.equal(offset, Math.ceil(end / 8) * 8);
      assert.ok(batch.body.subarray(end, offset).every((byte) => byte === 0));
      end = offset + length;
    }
    assert.ok(batch.body.subarray(end).every((byte) => byte === 0));
    assert.equal(batch.message.bodyLength, Math.ceil(end / 8) * 8);
    for (const { length, nullCount } of nodes) assert.ok(nullCount <= length);
    const rest8 = bytes.subarray(batch.at + 8 + batch.metadata + batch.message.bodyLength);
    assert.deepEqual([...rest8], [255, 255, 255, 255, 0, 0, 0, 0]);
  }
});

test("what has no null has no bitmap, and nulls are counted", () => {
  const ofNodes = (page) => {
    const [, { message }] = messagesOf(page.toArrowIPC());
    const { nodes, buffers } = message.header();
    return { nodes: nodes.map(({ length, nullCount }) => [length, nullCount]), bitmaps: buffers.map(({ length }) => length) };
  };
  assert.deepEqual(ofNodes(pageOf({ a: "int", b: "boolean" }, [[1, true], [2, false]])), { nodes: [[2, 0], [2, 0]], bitmaps: [0, 8, 0, 1] });
  const nulls = Array.from({ length: 20 }, (_, row) => [row % 3 ? row : null, row % 2 ? [1, 2] : null]);
  // 20 rows, of which 0, 3, … and the even ones are null; a vector's numbers have slots for its nulls, and no bitmap of their own.
  assert.deepEqual(ofNodes(pageOf({ a: "int", v: "vector<float, 2>" }, nulls)), { nodes: [[20, 7], [20, 10], [40, 0]], bitmaps: [3, 80, 3, 0, 160] });
  // Other vectors' elements are moved apart for them.
  const texts = nulls.map(([, v]) => [v && ["a", "b"]]);
  assert.deepEqual(ofNodes(pageOf({ v: "vector<text, 2>" }, texts)), { nodes: [[20, 10], [40, 0]], bitmaps: [3, 0, 164, 20] });
  // No rows: one offset.
  assert.deepEqual(ofNodes(pageOf({ a: "text", l: "list<int>" }, [])), { nodes: [[0, 0], [0, 0], [0, 0]], bitmaps: [0, 4, 0, 0, 4, 0, 0] });
  assert.deepEqual(ofNodes(pageOfMetadata([], [[], []])), { nodes: [], bitmaps: [] });
});

test("fields: names that are twice there, what can be null, the extension of uuids", () => {
  const twins = pageOfMetadata([{ name: "c", type: "int" }, { name: "c", type: "list<uuid>" }], [[1, ["00000000-0000-0000-0000-000000000001"]]]);
  const [{ message }] = messagesOf(twins.toArrowIPC());
  const { fields } = message.header();
  assert.deepEqual(fields.map(({ name, nullable }) => [name, nullable]), [["c", true], ["c", true]]);
  const uuid = fields[1].type.children[0];
  assert.deepEqual([...uuid.metadata], [["ARROW:extension:name", "arrow.uuid"], ["ARROW:extension:metadata", ""]]);
  // Of a Map neither the entries nor the keys.
  const { fields: [{ type }] } = tableFromIPC(pageOf({ m: "map<int, text>" }, []).toArrowIPC()).schema;
  const [entries] = type.children;
  assert.deepEqual([entries, ...entries.type.children].map(({ name, nullable }) => [name, nullable]), [["entries", false], ["key", false], ["value", true]]);
});

const collect = async (chunks) => {
  const all = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
};
const ids = (...values) => pageOf({ id: "int", t: "text" }, values.map((value) => [value, String(value)]));

test("arrowStream: the schema, a batch a page, the end; from any iterable, and as a web stream", async () => {
  const pages = [ids(1, 2), ids(), ids(3)];
  async function* later() {
    yield* pages;
  }
  const chunks = await collect(arrowStream(pages));
  assert.equal(chunks.length, 5);
  assert.deepEqual([...chunks.at(-1)], [255, 255, 255, 255, 0, 0, 0, 0]);
  const bytes = Buffer.concat(chunks);
  const table = tableFromIPC(bytes);
  assert.deepEqual(table.batches.map(({ numRows }) => numRows), [2, 0, 1]);
  assert.deepEqual([...table.getChild("id")], [1, 2, 3]);
  assert.deepEqual([...table.getChild("t")], ["1", "2", "3"]);
  for (const other of [later(), new Set(pages), pages.values(), ReadableStream.from(pages)]) assert.deepEqual(Buffer.concat(await collect(arrowStream(other))), bytes);
  const web = await tableFromIPC(ReadableStream.from(arrowStream(later())));
  assert.deepEqual([...web.getChild("id")], [1, 2, 3]);
  // One page is the same as its own stream.
  assert.deepEqual(Buffer.concat(await collect(arrowStream([pages[0]]))), Buffer.from(pages[0].toArrowIPC()));
  // What comes after is the caller's: no chunk is shared.
  (await collect(arrowStream(pages))).at(-1).fill(7);
  assert.deepEqual([...(await collect(arrowStream(pages))).at(-1)], [255, 255, 255, 255, 0, 0, 0, 0]);
});

test("arrowStream asks for a page when its chunk is asked for, and lets go of the source", async () => {
  const asked = [];
  let ended = false;
  async function* source() {
    try {
      for (let n = 0; ; n++) {
        asked.push(n);
        yield ids(n);
      }
    } finally {
      ended = true;
    }
  }
  const chunks = arrowStream(source());
  await chunks.next(); // schema
  await chunks.next();
  assert.deepEqual(asked, [0]);
  await chunks.next();
  assert.deepEqual(asked, [0, 1]);
  await chunks.return();
  assert.ok(ended);
});

const map = (...pairs) => pageOf({ a: "int", m: "map<int, text>" }, pairs.map((entries, row) => [row, entries && new Map(entries)]));

test("null keys: a List in place of a Map, in every page as in the first", async () => {
  const typeOf = (bytes) => String(tableFromIPC(bytes).schema.fields[1].type);
  const list = "List<Struct<{key:Int32, value:Utf8}>>";
  assert.equal(typeOf(map([[1, "a"]]).toArrowIPC()), "Map<{key:Int32, value:Utf8}>");
  assert.equal(typeOf(map([[1, "a"], [null, "b"]]).toArrowIPC()), list);
  const bytes = Buffer.concat(await collect(arrowStream([map([[null, "b"]]), map([[1, "a"]], null)])));
  assert.equal(typeOf(bytes), list);
  assert.deepEqual(readTable(bytes).columns[1].values, [[[null, "b"]], [["1", "a"]], null]);
  await assert.rejects(collect(arrowStream([map([[1, "a"]]), map(null, [[1, "a"], [null, "b"]])])), {
    code: "CQL_RANGE", column: "m", row: 1, path: ", key of entry 1", message: /null key.*toArrowIPC\(\) of each page/,
  });
});

test("what has no form in Arrow is refused, and the error says where", async () => {
  const cell = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
  const refused = (page, fields) =>
    assert.throws(() => page.toArrowIPC(), (error) => {
      assert.ok(error instanceof CqlError);
      assert.deepEqual({ code: error.code, column: error.column, row: error.row, ...(error.path && { path: error.path }) }, { code: "CQL_RANGE", ...fields });
      return true;
    });
  // Together they would be UTF-8, each alone is not.
  refused(pageOf({ n: "int", t: "text" }, [[1, "é"], [1, "a"], [2, cell("c3")], [3, cell("a9")]]), { column: "t", row: 2 });
  refused(pageOf({ t: "ascii" }, [...Array(20).fill(["x"]), [cell("ff")]]), { column: "t", row: 20 });
  refused(pageOf({ l: "list<text>" }, [[["a"]], [cell("00000002 00000001 61 00000001 ff".replaceAll(" ", ""))]]), { column: "l", row: 1, path: "[1]" });
  const day = 86_400_000_000_000n;
  const half = 1n << 32n; // the two halves of a time are looked at one by one
  const times = [[0n, true], [day - 1n, true], [day, false], [-1n, false], [2n ** 63n - 1n, false], [day - (day % half), true], [day + half - (day % half), false]];
  for (const [time, good] of times) {
    const page = pageOf({ t: "time" }, [[null], [cell(BigInt.asUintN(64, time).toString(16).padStart(16, "0"))]]);
    if (good) assert.deepEqual(readTable(page.toArrowIPC()).columns[0].values, [null, String(time)]);
    else refused(page, { column: "t", row: 1 });
  }
  // 2 GiB of text: no page of a test, so only its offsets say so.
  const [column] = pageOf({ t: "text" }, [["a"]]).columns;
  const large = (size) => new Proxy(column, {
    get(target, name) {
      if (name === "offsets") return Uint32Array.of(0, size);
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await assert.rejects(collect(arrowStream([{ columns: [large(2 ** 31)], length: 1 }])), { code: "CQL_RANGE", column: "t", row: 0, message: /2³¹ - 1 bytes/ });
  await collect(arrowStream([{ columns: [large(2 ** 31 - 1)], length: 1 }]));
});

test("what is no page, and pages of other columns, are refused", async () => {
  for (const bad of [undefined, null, 5, {}, ids(1), () => {}]) assert.throws(() => arrowStream(bad), { code: "CQL_OPTION", message: /^arrowStream has / }, String(bad));
  for (const bad of [null, 5, {}, { columns: [], length: "1" }, { columns: [1], length: 1 }, [ids(1)], { opcode: "READY", stream: 0 }]) {
    await assert.rejects(collect(arrowStream([bad])), { code: "CQL_OPTION", message: /^page 0 of arrowStream is / });
  }
  await assert.rejects(collect(arrowStream([])), { code: "CQL_OPTION", message: /no page/ });
  const udt = (name, type = "int") => pageOf({ u: { kind: "udt", keyspace: "k", name: "u", names: [name], of: [type] } }, []);
  await collect(arrowStream([udt("a"), udt("a")]));
  for (const [one, other] of [
    [ids(1), pageOf({ id: "int" }, [])],
    [ids(1), pageOf({ id: "int", t: "text", x: "int" }, [])],
    [ids(1), pageOf({ id: "int", other: "text" }, [])],
    [ids(1), pageOf({ id: "bigint", t: "text" }, [])],
    [pageOf({ v: "vector<int, 2>" }, []), pageOf({ v: "vector<int, 3>" }, [])],
    [udt("a"), udt("b")], // types of one text
    [udt("a"), udt("a", "text")],
  ]) {
    await assert.rejects(collect(arrowStream([one, other])), { code: "CQL_COLUMN", message: /^page 1 of arrowStream has the columns .*: the first page had / });
  }
  // Rows whose columns nobody knows.
  const [server, client] = ["server", "client"].map((role) => new Codec({ role, established: { version: 5 } }));
  const [unknown] = client.feed(server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "a", type: "int" }], rows: [[1]], noMetadata: true }, 0));
  assert.throws(() => unknown.toArrowIPC(), { code: "CQL_NO_METADATA" });
  await assert.rejects(collect(arrowStream([unknown])), { code: "CQL_NO_METADATA" });
  // What the source throws is passed on as it is.
  const own = new Error("mine");
  await assert.rejects(collect(arrowStream((function* () { yield ids(1); throw own; })())), own);
});
