// growth.mjs OUT.json: how cost grows with what there is to do, ours beside the copy floor (benches/js/time.cjs; for row objects also such objects made of
// nothing), every point twice the one before. Fails where a step costs more than 2.2 times, beyond what the floor does there.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const { Codec } = require("cqlwire");
const { times, copyFloor, sizeOf } = require("./js/time.cjs");

const most = 2.2;
const budget = 3e7;

// ---- pages, written here from the specification (§4.2.5.2)

const CODES = { int: 9, double: 7, text: 13 };
const VECTOR = (dimension) => `org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType, ${dimension})`;
const string = (text) => Buffer.concat([Buffer.from([text.length >> 8, text.length]), Buffer.from(text)]);
const words = (...numbers) => {
  const out = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => out.writeInt32BE(number, 4 * index));
  return out;
};
const cells = {
  int: (row) => words(4, row * 2654435761 | 0),
  double: (row) => Buffer.concat([words(8), (() => { const out = Buffer.alloc(8); out.writeDoubleBE(row / 7); return out; })()]),
  text: (row) => Buffer.concat([words(20), Buffer.from(`text of row ${String(row).padStart(8, "0")}`)]),
};
/** A vector's cells differ by where they begin in one run of numbers. */
const run = Float32Array.from({ length: 8192 }, (_, index) => index / 8192 - 0.5);
const runBytes = Buffer.from(run.buffer.slice(0)).swap32();
const cell = (type, row) => (typeof type === "number" ? Buffer.concat([words(4 * type), runBytes.subarray(4 * (row % 4096), 4 * (row % 4096) + 4 * type)]) : cells[type](row));

/** A whole RESULT frame. A type is a name, or the dimension of a vector. */
function page(types, rows) {
  const specs = types.map((type, index) => {
    const code = typeof type === "number" ? [Buffer.from([0, 0]), string(VECTOR(type))] : [Buffer.from([0, CODES[type]])];
    return Buffer.concat([string(`c${index}`), ...code]);
  });
  const head = Buffer.concat([words(2, 1, types.length), string("bench"), string("t"), ...specs, words(rows)]);
  const width = types.reduce((sum, type) => sum + cell(type, 0).length, 0);
  const frame = new Uint8Array(9 + head.length + width * rows);
  let at = 9 + head.length;
  frame.set([0x84, 0, 0, 1, 8, ...words(at - 9 + width * rows)], 0);
  frame.set(head, 9);
  for (let row = 0; row < rows; row++) {
    for (const type of types) {
      const bytes = cell(type, row);
      frame.set(bytes, at);
      at += bytes.length;
    }
  }
  return frame;
}

function reading(types, rows, what = "columns", chunk = Infinity) {
  const frame = page(types, rows);
  const pieces = [];
  for (let at = 0; at < frame.length; at += chunk) pieces.push(frame.subarray(at, Math.min(at + chunk, frame.length)));
  const codec = new Codec({ established: { version: 4 } });
  const ours = () => {
    let messages;
    for (const piece of pieces) messages = codec.feed(piece);
    return messages[0][what];
  };
  if (ours().length !== (what === "rows" ? rows : types.length)) throw new Error("the page was not read");
  const [message] = new Codec({ established: { version: 4 } }).feed(frame);
  const copy = copyFloor(pieces, sizeOf(message.columns));
  return { ours, floor: what === "rows" ? () => [copy(), bareRows(rows)] : copy };
}

/** Rows of an int and a text, of nothing: what so many strings and objects cost in this engine, its garbage collector above all. */
const block = Buffer.alloc(16_380, "a").toString("latin1");
function bareRows(count) {
  const texts = new Array(count);
  for (let row = 0, at = 0; row < count; row++, at = at < 16_360 ? at + 20 : 0) texts[row] = block.substring(at, at + 20);
  const rows = new Array(count);
  for (let row = 0; row < count; row++) rows[row] = { c0: (row * 2654435761) | 0, c1: texts[row] };
  return rows;
}

function batching(count) {
  const [server, codec] = [new Codec({ role: "server", established: { version: 4 } }), new Codec({ established: { version: 4 } })];
  const bind = [{ name: "id", type: "int" }, { name: "name", type: "text" }];
  const [prepared] = codec.feed(server.encode({ opcode: "RESULT", kind: "Prepared", id: new Uint8Array(16), bind, result: [] }, 1));
  const statements = Array.from({ length: count }, (_, index) => ({ prepared, params: [index, `text of row ${String(index).padStart(8, "0")}`] }));
  const ours = () => codec.encode({ opcode: "BATCH", consistency: "ONE", statements }, 1);
  const frame = ours();
  return { ours, floor: copyFloor([frame], frame.length) };
}

// ---- what grows

/** From the first, doubling, to the last. */
const doubling = (from, to) => {
  const sizes = [];
  for (let size = from; size < to; size *= 2) sizes.push(size);
  return [...sizes, to];
};
const SERIES = [
  { name: "rows × (int, double), as columns", axis: "rows", sizes: doubling(10, 1_000_000), make: (n) => reading(["int", "double"], n) },
  { name: "rows × (int, text), as columns", axis: "rows", sizes: doubling(10, 1_000_000), make: (n) => reading(["int", "text"], n) },
  { name: "rows × (int, text), as objects", axis: "rows", sizes: doubling(10, 1_000_000), make: (n) => reading(["int", "text"], n, "rows") },
  { name: "columns of int, 1,000 rows", axis: "columns", sizes: doubling(1, 500), make: (n) => reading(Array(n).fill("int"), 1000) },
  { name: "1,000 vectors, as one column", axis: "dimension", sizes: doubling(4, 4096), make: (n) => reading([n], 1000) },
  { name: "BATCH of (int, text)", axis: "statements", sizes: doubling(1, 5000), make: batching },
  { name: "a page of 1 MiB, in chunks", axis: "bytes a chunk", sizes: doubling(1, 1 << 20), make: (n) => reading(["int", "double"], 52_428, "columns", n) },
  { name: "a page in chunks of 1 KiB", axis: "rows", sizes: doubling(40, 163_840), make: (n) => reading(["int", "double"], n, "columns", 1024) },
];

/** Where a step costs too much: what it costs, and what it may. A step that is not a doubling may what a power of it is. */
function tooMuch(a, b) {
  const step = Math.log2(b.size / a.size);
  const allowed = Math.max(most ** step, (b.floor / a.floor) * (most / 2) ** step);
  const cost = b.ours / a.ours;
  return cost > allowed ? { from: a.size, to: b.size, cost, allowed } : undefined;
}

const result = SERIES.map(({ name, axis, sizes, make }) => {
  const measure = (size) => ({ size, ...times(make(size), budget) });
  const points = sizes.map(measure);
  // What a neighbour on the machine has spoilt is measured again: a minimum only gets nearer to the truth.
  for (let again = 0; again < 6; again++) {
    for (let index = 1; index < points.length; index++) {
      if (!tooMuch(points[index - 1], points[index])) continue;
      for (const at of [index - 1, index]) {
        const { ours, floor } = measure(points[at].size);
        points[at].ours = Math.min(points[at].ours, ours);
        points[at].floor = Math.min(points[at].floor, floor);
      }
    }
  }
  const steep = points.slice(1).map((point, index) => tooMuch(points[index], point)).filter(Boolean);
  console.error(`${name}: ${(points[0].ours / 1e3).toFixed(1)} µs → ${(points.at(-1).ours / 1e3).toFixed(1)} µs${steep.length ? `; ${steep.length} steps too steep` : ""}`);
  for (const { from, to, cost, allowed } of steep) console.error(`  ${from} → ${to} ${axis}: ${cost.toFixed(2)} times, ${allowed.toFixed(2)} allowed`);
  return { name, axis, points, steep };
});
writeFileSync(process.argv[2], JSON.stringify(result));
process.exitCode = result.some(({ steep }) => steep.length) ? 1 : 0;
