// What a column holds, one row of the table for each layout: kind of array, stride, offsets, validity, children, the slot of a null.
// Ten cells, of which those of rows 1 and 9 are null, so that the bitmap's order and its second byte show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Codec, Decimal, Duration, LocalDate, LocalTime } from "cqlwire";
import { cell, rowsFrame } from "./rows-frame.mjs";

const NULLS = [1, 9];
/** Arrow: the least significant bit first, 1 where there is a value, 0 beyond the end. */
const VALIDITY = Uint8Array.of(0b1111_1101, 0b0000_0001);

/** A column whose cells are `a` in even rows and `b` in odd ones, null in rows 1 and 9. */
function column(type, a, b) {
  const cells = Array.from({ length: 10 }, (_, row) => [NULLS.includes(row) ? null : row % 2 ? b : a]);
  const [message] = new Codec({ version: 4 }).feed(rowsFrame({ c: type, whole: type }, cells.map(([one]) => [one, a])));
  assert.equal(message.error, undefined);
  // The same type without a null has no bitmap.
  assert.equal(message.column("whole").validity, null);
  const found = message.column("c");
  assert.deepEqual(found.validity, VALIDITY);
  assert.deepEqual([...Array(10).keys()].filter((row) => found.isNull(row)), NULLS);
  assert.equal(found.length, 10);
  return found;
}

/** What `at` and iteration give: `a` and `b` in turn, null twice. */
function gives(found, a, b) {
  const expected = Array.from({ length: 10 }, (_, row) => (NULLS.includes(row) ? null : row % 2 ? b : a));
  assert.deepEqual([...found], expected);
  assert.deepEqual(expected.map((_, row) => found.at(row)), expected);
}

const filled = (a, b, zero) => Array.from({ length: 10 }, (_, row) => (NULLS.includes(row) ? zero : row % 2 ? b : a));

test("numbers: one array by width, zero in a null's slot", () => {
  for (const [type, a, b, array, values, out] of [
    ["tinyint", "05", "ff", Int8Array, [5, -1]],
    ["smallint", "0005", "ffff", Int16Array, [5, -1]],
    ["int", "00000005", "ffffffff", Int32Array, [5, -1]],
    ["bigint", "0000000000000005", "ffffffffffffffff", BigInt64Array, [5n, -1n]],
    ["counter", "0000000000000005", "ffffffffffffffff", BigInt64Array, [5n, -1n]],
    ["timestamp", "0000000000000005", "ffffffffffffffff", BigInt64Array, [5n, -1n], [new Date(5), new Date(-1)]], // ms
    ["time", "0000000000000005", "0000000000000001", BigInt64Array, [5n, 1n], [new LocalTime(5n), new LocalTime(1n)]], // ns
    ["date", "80000005", "7fffffff", Int32Array, [5, -1], [new LocalDate(5), new LocalDate(-1)]], // days since 1970-01-01
    ["float", "3fc00000", "c0000000", Float32Array, [1.5, -2]],
    ["double", "3ff8000000000000", "c000000000000000", Float64Array, [1.5, -2]],
    ["boolean", "01", "05", Uint8Array, [1, 1], [true, true]], // every byte but 0 is true
    ["boolean", "00", "01", Uint8Array, [0, 1], [false, true]],
  ]) {
    const found = column(type, a, b);
    assert.equal(found.values.constructor, array, type);
    assert.deepEqual([...found.values], filled(...values, array === BigInt64Array ? 0n : 0), type);
    assert.deepEqual([found.stride, found.offsets, found.children.length], [1, null, 0]);
    gives(found, ...(out ?? values));
  }
});

test("uuid, timeuuid: 16 bytes a row", () => {
  for (const type of ["uuid", "timeuuid"]) {
    const found = column(type, "d2177dd0eaa211dea572001b779c76e3", "000102030405060708090a0b0c0d0e0f");
    assert.deepEqual([found.values.constructor, found.values.length, found.stride, found.offsets, found.children.length], [Uint8Array, 160, 16, null, 0]);
    assert.equal(Buffer.from(found.values.subarray(0, 48)).toString("hex"), `d2177dd0eaa211dea572001b779c76e3${"00".repeat(16)}d2177dd0eaa211dea572001b779c76e3`);
    gives(found, "d2177dd0-eaa2-11de-a572-001b779c76e3", "00010203-0405-0607-0809-0a0b0c0d0e0f");
  }
});

test("what varies in size: bytes and their ends, nothing for a null", () => {
  for (const [type, a, b, ...out] of [
    ["text", "6869", "c3a9", "hi", "é"],
    ["ascii", "6869", "21", "hi", "!"],
    ["blob", "0102", "", Uint8Array.of(1, 2), new Uint8Array(0)],
    ["varint", "05", "ff7f", 5n, -129n],
    ["decimal", "00000001ce", "fffffffd01", Decimal.from("-5.0"), Decimal.from("1E+3")],
    ["inet", "7f000001", "20010db8000000000000000000000001", "127.0.0.1", "2001:db8::1"],
    [["custom", "com.example.Mine"], "0102", "03", Uint8Array.of(1, 2), Uint8Array.of(3)],
  ]) {
    const found = column(type, a, b);
    const ends = filled(a.length / 2, b.length / 2, 0).reduce((list, size) => [...list, list.at(-1) + size], [0]);
    assert.deepEqual([found.values.constructor, found.offsets, found.stride, found.children.length], [Uint8Array, Uint32Array.from(ends), 1, 0], String(type));
    assert.equal(Buffer.from(found.values).toString("hex"), filled(a, b, "").join(""));
    gives(found, ...out);
  }
});

test("duration: months, days, nanoseconds as children", () => {
  const found = column("duration", "020406", "010305");
  assert.deepEqual(found.children.map(({ values }) => values.constructor), [Int32Array, Int32Array, BigInt64Array]);
  assert.deepEqual(found.children.map(({ values }) => [...values]), [filled(1, -1, 0), filled(2, -2, 0), filled(3n, -3n, 0n)]);
  assert.deepEqual([found.offsets, found.values.length], [null, 0]);
  gives(found, new Duration(1, 2, 3n), new Duration(-1, -2, -3n));
});

test("a vector of numbers: one array, dimension elements a row, all zero for a null", () => {
  for (const [of, a, b, array, x, y] of [
    ["float", "3f800000 40000000 40400000", "bf800000 00000000 00000000", Float32Array, [1, 2, 3], [-1, 0, 0]],
    ["double", "3ff0000000000000 4000000000000000 4008000000000000", "bff0000000000000 0000000000000000 0000000000000000", Float64Array, [1, 2, 3], [-1, 0, 0]],
    ["int", "00000001 00000002 00000003", "ffffffff 00000000 00000000", Int32Array, [1, 2, 3], [-1, 0, 0]],
    ["bigint", "0000000000000001 0000000000000002 0000000000000003", "ffffffffffffffff 0000000000000000 0000000000000000", BigInt64Array, [1n, 2n, 3n], [-1n, 0n, 0n]],
    // With a length before each element, as servers write these.
    ["smallint", "02 0001 02 0002 02 0003", "02 ffff 02 0000 02 0000", Int16Array, [1, 2, 3], [-1, 0, 0]],
    ["tinyint", "01 01 01 02 01 03", "01 ff 01 00 01 00", Int8Array, [1, 2, 3], [-1, 0, 0]],
  ]) {
    const found = column(["vector", of, 3], a, b);
    assert.deepEqual([found.values.constructor, found.values.length, found.stride, found.offsets, found.children.length], [array, 30, 3, null, 0], of);
    const zero = array === BigInt64Array ? 0n : 0;
    assert.deepEqual([...found.values], filled(x, y, [zero, zero, zero]).flat(), of);
    gives(found, array.from(x), array.from(y));
    // A view, not a copy; for a null nothing.
    assert.equal(found.at(2).buffer, found.values.buffer);
    assert.equal(found.at(2).byteOffset, found.values.byteOffset + 6 * array.BYTES_PER_ELEMENT);
  }
});

test("list, set, map, vectors of anything else: offsets into children", () => {
  const two = `00000002 ${cell("00000001")} ffffffff`;
  const one = `00000001 ${cell("00000007")}`;
  for (const kind of ["list", "set"]) {
    const found = column([kind, "int"], two, one);
    const ends = filled(2, 1, 0).reduce((list, size) => [...list, list.at(-1) + size], [0]);
    assert.deepEqual([found.offsets, found.children.length, found.values.length], [Uint32Array.from(ends), 1, 0]);
    const [elements] = found.children;
    assert.deepEqual([elements.values.constructor, elements.length, elements.type.kind], [Int32Array, ends.at(-1), "int"]);
    assert.deepEqual([...elements.values], filled([1, 0], [7], []).flat());
    assert.deepEqual([...elements], filled([1, null], [7], []).flat());
    gives(found, [1, null], [7]);
  }

  const map = column(["map", "text", "int"], `00000002 ${cell("61")} ${cell("00000001")} ${cell("6262")} ffffffff`, "00000000");
  const [keys, values] = map.children;
  assert.deepEqual(map.offsets, Uint32Array.from(filled(2, 0, 0).reduce((list, size) => [...list, list.at(-1) + size], [0])));
  assert.deepEqual([[...keys].slice(0, 2), [...values].slice(0, 2), keys.length, values.length, keys.validity], [["a", "bb"], [1, null], 10, 10, null]);
  assert.deepEqual([[...map.at(0)], [...map.at(3)], map.at(1)], [[["a", 1], ["bb", null]], [], null]);

  const texts = column(["vector", "text", 2], "01 61 02 6262", "00 00");
  assert.deepEqual(texts.offsets, Uint32Array.from(filled(2, 2, 0).reduce((list, size) => [...list, list.at(-1) + size], [0])));
  assert.deepEqual([...texts.children[0]], filled(["a", "bb"], ["", ""], []).flat());
  gives(texts, ["a", "bb"], ["", ""]);
});

test("tuple, UDT: a child for each item or field, null in all of them for a null", () => {
  for (const [type, out] of [
    [["tuple", "int", "text"], ([a, b]) => [a, b]],
    [["udt", { f: "int", g: "text" }], ([f, g]) => ({ f, g })],
  ]) {
    const found = column(type, `${cell("00000005")} ${cell("61")}`, `${cell("00000007")} ffffffff`);
    assert.deepEqual([found.offsets, found.children.length, found.values.length], [null, 2, 0]);
    const [ints, texts] = found.children;
    assert.deepEqual([ints.length, texts.length, ints.type.kind, texts.type.kind], [10, 10, "int", "text"]);
    assert.deepEqual([...ints.values], filled(5, 7, 0));
    assert.deepEqual(ints.validity, VALIDITY);
    assert.deepEqual([...texts], filled("a", null, null));
    gives(found, out([5, "a"]), out([7, null]));
  }
  // A value that ends before its type does (v5 §6): what is missing is null.
  const short = column(["udt", { f: "int", g: "text" }], cell("00000005"), `${cell("00000007")} ${cell("61")}`);
  gives(short, { f: 5, g: null }, { f: 7, g: "a" });
});

test("zero bytes in a type that has no such value: null, told apart by isEmpty, also in children", () => {
  const [message] = new Codec({ version: 4 }).feed(rowsFrame({ i: "int", v: ["vector", "float", 2], l: ["list", "int"], t: "text" }, [["", "", "00000002 00000000 ffffffff", ""], [null, null, null, null]]));
  for (const name of ["i", "v"]) {
    const found = message.column(name);
    assert.deepEqual([found.at(0), found.isNull(0), found.isEmpty(0), found.isEmpty(1)], [null, true, true, false]);
    assert.ok(found.values.every((value) => value === 0));
  }
  const [elements] = message.column("l").children;
  assert.deepEqual([elements.isEmpty(0), elements.isEmpty(1), elements.isNull(1)], [true, false, true]);
  assert.deepEqual([message.column("t").at(0), message.column("t").isEmpty(0)], ["", false]); // text has it
});

test("a page without rows has columns all the same", () => {
  const [message] = new Codec({ version: 4 }).feed(rowsFrame({ i: "int", v: ["vector", "float", 3], t: "text", l: ["list", "int"], u: "uuid" }, []));
  assert.deepEqual(message.columns.map(({ length, values, stride, offsets, validity }) => [length, values.constructor, values.length, stride, offsets && [...offsets], validity]), [
    [0, Int32Array, 0, 1, null, null], [0, Float32Array, 0, 3, null, null], [0, Uint8Array, 0, 1, [0], null], [0, Uint8Array, 0, 1, [0], null], [0, Uint8Array, 0, 16, null, null],
  ]);
  assert.deepEqual([message.rows, [...message.column("i")]], [[], []]);
  for (const index of [0, -1, 0.5, NaN, "0"]) {
    for (const method of ["at", "isNull", "isEmpty"]) assert.throws(() => message.column("i")[method](index), { code: "CQL_RANGE" });
  }
});
