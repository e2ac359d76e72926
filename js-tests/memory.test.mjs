// What the codec's memory keeps of large pages. It cannot shrink, so the bound is that it is used again: the second page like the first asks for nothing more.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec } from "cqlwire";
import { rowsFrame } from "./rows-frame.mjs";

/** Bytes of the codec's memory: what a borrowed array is a view of. */
const small = rowsFrame({ i: "int" }, [["00000001"]]);
const codec = new Codec({ version: 4, established: {} });
const size = () => codec.borrow(small, (page) => page.column("i").values.buffer.byteLength)[0].borrowed;

/** The frame of `text` with its only cell's `[bytes]` a blob of `length`. */
function large(length) {
  const head = rowsFrame({ b: "blob" }, [[""]]);
  const frame = new Uint8Array(head.length + length);
  frame.set(head);
  const view = new DataView(frame.buffer);
  view.setInt32(5, head.length - 9 + length);
  view.setInt32(head.length - 4, length);
  return frame;
}

test("a second page of 100 MB takes no more of the codec's memory than the first, and the first at most four times its size", () => {
  const before = size();
  const frame = large(100 << 20);
  assert.equal(codec.feed(frame)[0].columns[0].values.length, 100 << 20);
  const after = size();
  assert.ok(after - before <= 400 << 20, `${(after - before) >> 20} MiB more`);
  for (let n = 0; n < 3; n++) codec.feed(frame);
  assert.equal(size(), after);
  // Other connections find what was given back, in pieces: after the first of them no more is asked for.
  const others = Array.from({ length: 4 }, () => {
    new Codec({ version: 4, established: {} }).feed(frame);
    return size();
  });
  assert.ok(others[0] - before <= 400 << 20, `${(others[0] - before) >> 20} MiB more`);
  assert.deepEqual(new Set(others).size, 1);
});
