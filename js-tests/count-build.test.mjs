// The counting of tools/count-build.mjs, on modules whose instructions can be counted by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { counting } from "../tools/count-build.mjs";

function load(text) {
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  const calls = [];
  const instance = new WebAssembly.Instance(new WebAssembly.Module(counting(module.emitBinary())), { js: { out: (x) => calls.push(x) } });
  const counts = (name, ...args) => {
    const { counted, crossings } = instance.exports;
    counted.value = crossings.value = 0n;
    const result = instance.exports[name](...args);
    return { result, instructions: Number(counted.value), crossings: Number(crossings.value) };
  };
  return { counts, calls };
}

const MODULE = `(module
  (import "js" "out" (func $out (param i32)))
  (memory 1)
  (global $g (mut i32) (i32.const 7))
  (func $square (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))
  (func (export "straight") (param i32) (result i32) (i32.add (local.get 0) (global.get $g)))
  (func (export "choice") (param i32) (result i32) (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.add (i32.const 1) (i32.const 2)))))
  (func (export "loop") (param i32) (result i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (local.get $sum) (call $square (local.get 0))))
      (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (local.get $sum))
  (func (export "tell") (param i32) (call $out (local.get 0)) (call $out (i32.const 9)))
  (func (export "fill") (param i32) (memory.fill (i32.const 0) (i32.const 1) (local.get 0)))
  (func (export "simd") (result i32) (i32x4.extract_lane 1 (i8x16.shuffle 4 5 6 7 0 1 2 3 0 0 0 0 0 0 0 0 (v128.const i32x4 1 2 3 4) (v128.load (i32.const 0)))))
)`;

test("instructions and calls across the boundary, as counted by hand", () => {
  const { counts, calls } = load(MODULE);
  // local.get, global.get, i32.add
  assert.deepEqual(counts("straight", 5), { result: 12, instructions: 3, crossings: 1 });
  // local.get, if; and one constant, or two and their sum
  assert.deepEqual(counts("choice", 1), { result: 1, instructions: 3, crossings: 1 });
  assert.deepEqual(counts("choice", 0), { result: 3, instructions: 5, crossings: 1 });
  // A round: sum, argument, call, add, set; the argument, 1, sub, tee, br_if; and three in `square`. At the end the result.
  assert.deepEqual(counts("loop", 4), { result: 30, instructions: 4 * 13 + 1, crossings: 1 });
  assert.deepEqual(counts("tell", 3), { result: undefined, instructions: 4, crossings: 3 });
  assert.deepEqual(calls, [3, 9]);
  // Three operands, the fill's fixed cost, and one for every 8 bytes.
  assert.equal(counts("fill", 100).instructions, 3 + 48 + 12);
  assert.equal(counts("fill", 0).instructions, 3 + 48);
  // What it fills with 1 above comes out of the shuffle as the first constant's second lane.
  assert.deepEqual(counts("simd"), { result: 1, instructions: 5, crossings: 1 });
});

test("an instruction that it does not know is refused", () => {
  const module = binaryen.parseText(MODULE);
  module.setFeatures(binaryen.Features.All);
  const bytes = Buffer.from(module.emitBinary());
  const at = bytes.indexOf(Buffer.from([0x20, 0, 0x23, 0, 0x6a]));
  bytes[at + 4] = 0xfb;
  assert.throws(() => counting(bytes), /does not know: 0xfb/);
});
