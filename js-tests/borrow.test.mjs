// Pages that are lent: views of the codec's own memory, for as long as a function runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, decodeValue, encodeValue, messageText } from "cqlwire";
import { cell, rowsFrame } from "./rows-frame.mjs";

const text = (string) => Buffer.from(string).toString("hex");
const int = (number) => (number >>> 0).toString(16).padStart(8, "0");
const TYPES = { i: "int", t: "text", v: ["vector", "float", 2], d: "double", w: "timestamp", u: "uuid", l: ["list", "int"] };
const row = (n) => [int(n), text(`ü${n}`), "3f80000040000000", "3ff8000000000000", "0000000000000005", "000102030405060708090a0b0c0d0e0f", `00000001 ${cell(int(n))}`];
/** Small pages are put together in the codec, large ones lie apart. */
const page = (length, stream = 1) => rowsFrame(TYPES, Array.from({ length }, (_, n) => (n % 5 === 4 ? row(n).map((one) => (n % 2 ? one : null)) : row(n))), stream);
const codec = (options) => new Codec({ version: 4, established: {}, ...options });
const SIZES = [3, 4000];

test("a borrowed page has the values of the same page copied", () => {
  for (const length of SIZES) {
    const [copied] = codec().feed(page(length));
    for (const debug of [false, true]) {
      const [message] = codec({ debug }).borrow(page(length), (lent) => {
        assert.equal(lent.length, length);
        assert.deepEqual(lent.metadata, copied.metadata);
        for (const [index, column] of lent.columns.entries()) {
          const own = copied.columns[index];
          assert.deepEqual([column.values, column.offsets, column.validity], [own.values, own.offsets, own.validity]);
          assert.deepEqual([...column], [...own]);
        }
        assert.deepEqual(lent.rows, copied.rows);
        return lent.column("i").values.slice();
      });
      assert.deepEqual(message.borrowed, copied.column("i").values);
      assert.deepEqual([message.stream, message.length, message.opcode, message.kind], [1, length, "RESULT", "Rows"]);
      assert.deepEqual(message.metadata, copied.metadata);
      for (const use of [() => message.columns, () => message.rows, () => message.column("i")]) assert.throws(use, { code: "CQL_COLUMN" });
      assert.match(messageText(message), /^RESULT Rows stream=1/);
    }
  }
});

test("a lent page has what came beside it", () => {
  const server = new Codec({ role: "server", version: 4, established: {} });
  const beside = { tracingId: "00010203-0405-0607-0809-0a0b0c0d0e0f", warnings: ["slow"] };
  const frame = server.encode({ opcode: "RESULT", kind: "Rows", metadata: [{ name: "i", type: "int" }], rows: [[1]], ...beside }, 1);
  const seen = [];
  const [message] = codec().borrow(frame, ({ tracingId, warnings }) => seen.push({ tracingId, warnings }));
  assert.deepEqual([...seen, { tracingId: message.tracingId, warnings: message.warnings }], [beside, beside]);
});

test("no copy is made but in debug", () => {
  for (const length of SIZES) {
    const sizes = [false, true].map((debug) => codec({ debug }).borrow(page(length), (lent) => [lent.column("i").values.buffer.byteLength, lent.column("i").values.byteOffset])[0].borrowed);
    assert.deepEqual([sizes[0][0] % 65_536, sizes[0][1] > 1024], [0, true]); // all of the codec's memory, and a place in it
    assert.ok(sizes[1][0] % 65_536 !== 0 && sizes[1][1] < 1024);
  }
});

test("a page that was kept is gone: its columns say so, and in debug its arrays are empty", () => {
  for (const length of SIZES) {
    for (const debug of [false, true]) {
      const kept = {};
      const client = codec({ debug });
      client.borrow(page(length), (lent) => {
        kept.page = lent;
        kept.column = lent.column("i");
        kept.values = lent.column("i").values;
        kept.vector = lent.column("v").at(0);
        kept.text = lent.column("t").at(0);
        kept.rows = lent.rows;
      });
      // Memory that grows, and other pages in it.
      for (let n = 0; n < 20; n++) client.feed(page(5000));
      encodeValue("blob", new Uint8Array(32 << 20));
      assert.equal(kept.text, "ü0");
      assert.deepEqual([kept.rows[1].i, kept.rows[1].t, kept.rows[1].l, kept.rows[1].w], [1, "ü1", [1], new Date(5)]);
      for (const use of [() => kept.column.values, () => kept.column.at(0), () => kept.column.validity, () => kept.column.isNull(0), () => kept.page.column("d").at(0), () => [...kept.page.column("t")], () => kept.page.column("l").at(1)]) {
        assert.throws(use, { code: "CQL_COLUMN" });
      }
      if (debug) assert.deepEqual([kept.values.length, kept.vector.length, kept.rows[0].v.length], [0, 0, 0]);
    }
  }
});

test("rows of a page that was kept are refused too where they are not made by generated code", () => {
  // More columns than an object literal is generated for, each of them read in the function.
  const columns = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`c${n}`, "int"]));
  let kept;
  const client = codec();
  client.borrow(rowsFrame(columns, [Array.from({ length: 200 }, (_, n) => int(n))]), (lent) => {
    kept = lent;
    assert.deepEqual(lent.columns.map((column) => column.at(0)), Array.from({ length: 200 }, (_, n) => n));
  });
  client.feed(page(4000));
  assert.throws(() => kept.rows, { code: "CQL_COLUMN" });
});

test("a getter of what the function gives runs while the page is lent", () => {
  const client = codec();
  let called;
  const sly = { get then() { try { called = client.feed(page(3, 7)); } catch (error) { called = error.code; } } };
  const [first, second] = client.borrow(Buffer.concat([page(3, 1), page(3, 2)]), () => sly);
  assert.equal(called, "CQL_OPTION");
  assert.deepEqual([first.borrowed, second.borrowed, second.stream], [sly, sly, 2]);
});

test("the function calls no codec, gives no promise, and may throw: the message says so, and the others are good", () => {
  const other = codec();
  const bytes = [page(3, 1), page(3, 2), page(3, 3)];
  for (const [use, code, pattern] of [
    [() => other.feed(page(1)), "CQL_OPTION", /was called/],
    [() => other.version, "CQL_OPTION", /was called/],
    [() => new Codec(), "CQL_OPTION", /was called/],
    [() => decodeValue("int", Uint8Array.of(0, 0, 0, 1)), "CQL_OPTION", /was called/],
    [() => encodeValue("int", 1), "CQL_OPTION", /was called/],
    [async () => 1, "CQL_OPTION", /promise/],
    [(lent) => lent.column("none"), "CQL_COLUMN", /no column/],
    [() => { throw new WebAssembly.RuntimeError("not the codec's"); }, "CQL_OPTION", /failed/],
  ]) {
    const client = codec();
    const messages = client.borrow(Buffer.concat(bytes), (lent) => (lent.stream === 2 ? use(lent) : lent.length));
    assert.deepEqual([messages.length, messages[0].borrowed, messages[2].borrowed], [3, 3, 3]);
    assert.deepEqual([messages[1].stream, messages[1].opcode, messages[1].error.code], [2, "RESULT", code]);
    assert.match(messages[1].error.message, pattern);
    assert.equal(client.feed(page(2))[0].rows.length, 2); // and afterwards all is as before
  }
  assert.throws(() => codec().borrow(page(1)), { code: "CQL_OPTION" });
  assert.throws(() => codec({ debug: 1 }), { code: "CQL_OPTION" });
});

test("what is no page, or one that nobody knows, is as feed gives it", () => {
  const ready = Uint8Array.of(0x84, 0, 0, 1, 2, 0, 0, 0, 0);
  const raw = Uint8Array.from(Buffer.from("84000001 08 00000014 00000002 00000004 00000001 00000001 00000000".replaceAll(" ", ""), "hex"));
  const use = () => assert.fail("nothing to lend");
  assert.deepEqual(new Codec({ version: 4 }).borrow(ready, use), [{ stream: 1, opcode: "READY" }]);
  const [message] = codec().borrow(raw, use);
  assert.throws(() => message.columns, { code: "CQL_NO_METADATA" });
});
