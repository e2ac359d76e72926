// Decimal, LocalDate, LocalTime, Duration: comparison, text both ways, JSON, operators, and values of another copy of the package.
// Properties are tried on random values; orders and texts of hostile scales are from Java's BigDecimal.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import fc from "fast-check";
import { CqlError, Decimal, Duration, LocalDate, LocalTime, decodeValue, encodeValue } from "cqlwire";

const require = createRequire(import.meta.url);
/** What `require` gives where it cannot give the module itself: another copy. */
const other = require(join(dirname(require.resolve("cqlwire/package.json")), "dist/index.cjs"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const decimals = fc.tuple(fc.oneof(fc.bigInt({ min: -99n, max: 99n }), fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })), fc.oneof(fc.integer({ min: -12, max: 12 }), int32))
  .map(([unscaled, scale]) => new Decimal(unscaled, scale));
const dates = int32.map((days) => new LocalDate(days));
const times = fc.oneof(fc.bigInt({ min: 0n, max: 86_399_999_999_999n }), int64).map((nanoseconds) => new LocalTime(nanoseconds));
const small = fc.integer({ min: -40, max: 40 });
const durations = fc.oneof(fc.tuple(int32, int32, int64), fc.tuple(small, small, small.map((n) => BigInt(n) * 500_000_000n))).map((parts) => new Duration(...parts));

test("text and JSON say all of a value: what is read back is equal, and the text no longer than it must be", () => {
  for (const [Class, values] of [[Decimal, decimals], [LocalDate, dates], [LocalTime, times], [Duration, durations]]) {
    fc.assert(fc.property(values, (value) => {
      const back = Class.from(String(value));
      assert.ok(back.equals(value) && value.equals(back), `${value} ${inspect(back)}`);
      assert.deepEqual(back, value);
      assert.equal(JSON.stringify({ value }), `{"value":"${value}"}`);
      if (Class === Decimal) assert.ok(String(value).length <= String(value.unscaled).length + 15);
    }), { numRuns: 500 });
  }
});

test("a value survives the cell", () => {
  const oneSign = ({ months, days, nanoseconds }) => [months, days, Number(nanoseconds)].every((n) => n >= 0) || [months, days, Number(nanoseconds)].every((n) => n <= 0);
  const ofDay = ({ nanoseconds }) => nanoseconds >= 0n && nanoseconds < 86_400_000_000_000n;
  for (const [type, values] of [["decimal", decimals], ["date", dates], ["time", times.filter(ofDay)], ["duration", durations.filter(oneSign)]]) {
    fc.assert(fc.property(values, (value) => {
      assert.deepEqual(decodeValue(type, encodeValue(type, value)), value);
      assert.equal(hex(encodeValue(type, String(value))), hex(encodeValue(type, value)));
    }), { numRuns: 200 });
  }
});

test("Decimal: equals and compare are BigDecimal's equals and compareTo", () => {
  for (const [a, b, order, isEqual] of [
    ["1.0", "1.00", 0, false], ["1", "2", -1, false], ["-1", "1", -1, false], ["0", "0.000", 0, false], ["0E+5", "0", 0, false], ["1E+3", "1000", 0, false],
    ["1E+3", "1000.0", 0, false], ["9.99", "10", -1, false], ["-9.99", "-10", 1, false], ["123E-5", "0.00123", 0, true], ["100", "1E+2", 0, false],
    ["101", "1E+2", 1, false], ["99", "1E+2", -1, false], ["12345678901234567890.1", "12345678901234567890.10", 0, false],
    ["12345678901234567890.1", "12345678901234567890.09", 1, false], ["1E+2147483647", "1E-2147483647", 1, false], ["-1E+2147483647", "1E-2147483647", -1, false],
    ["1E+2147483647", "9E+2147483646", 1, false], ["1E+2147483647", "10E+2147483646", 0, false], ["0E+2147483647", "0E-2147483647", 0, false],
  ]) {
    const [x, y] = [Decimal.from(a), Decimal.from(b)];
    assert.deepEqual([x.compare(y), y.compare(x), x.equals(y), y.equals(x)], [order, order === 0 ? 0 : -order, isEqual, isEqual], `${a} ${b}`);
  }
  // Where both can be written out, as integers of one scale.
  const near = fc.tuple(fc.bigInt({ min: -2000n, max: 2000n }), fc.integer({ min: -4, max: 4 })).map(([unscaled, scale]) => new Decimal(unscaled, scale));
  const written = ({ unscaled, scale }) => unscaled * 10n ** BigInt(4 - scale);
  fc.assert(fc.property(near, near, (a, b) => {
    const [x, y] = [written(a), written(b)];
    assert.equal(a.compare(b), x < y ? -1 : x > y ? 1 : 0);
  }), { numRuns: 1000 });
  fc.assert(fc.property(decimals, decimals, decimals, (a, b, c) => {
    assert.equal(a.compare(a), 0);
    const [low, middle, high] = [a, b, c].sort((x, y) => x.compare(y));
    assert.ok(low.compare(middle) <= 0 && middle.compare(high) <= 0 && low.compare(high) <= 0);
  }));
});

test("hostile scales cost nothing", () => {
  const [huge, tiny] = [new Decimal(1n, -(2 ** 31)), new Decimal(1n, 2 ** 31 - 1)];
  const many = new Decimal(10n ** 20_000n, 2 ** 31 - 1);
  const start = performance.now();
  for (let i = 0; i < 1000; i++) {
    assert.equal(huge.compare(tiny), 1);
    assert.equal(tiny.compare(huge), -1);
    assert.equal(huge.equals(tiny), false);
    assert.equal(Decimal.from("1E-2147483647").compare(tiny), 0);
    assert.equal(`${huge}${tiny}`, "1E+21474836481E-2147483647");
  }
  assert.equal(many.compare(huge), -1);
  assert.ok(performance.now() - start < 1000, "milliseconds for thousands");
});

test("LocalDate and LocalTime: one order, by operators too; sorting needs compare", () => {
  for (const [values, field] of [[dates, "days"], [times, "nanoseconds"]]) {
    fc.assert(fc.property(values, values, (a, b) => {
      assert.equal(a < b, a[field] < b[field]);
      assert.equal(a >= b, a[field] >= b[field]);
      assert.equal(a.compare(b), a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0);
      assert.equal(a.equals(b), a[field] === b[field]);
      assert.ok(a.equals(a) && a.compare(a) === 0);
      assert.equal(a - b, a[field] - b[field]);
    }));
  }
  const [early, late] = ["9999-12-31", "+10000-01-01"].map(LocalDate.from);
  assert.ok(early < late && String(early) > String(late)); // not as text
  assert.equal(`${early}|` + early, "9999-12-31|9999-12-31");
  assert.ok(LocalTime.from("08:00") < LocalTime.from("08:00:00.000000001"));
  assert.equal(LocalTime.from("08:00") + "", "08:00:00.000000000");
});

test("Decimal and Duration have no operators: nothing is wrong in silence", () => {
  const [nine, ten] = [Decimal.from("9"), Decimal.from("10")];
  const [day, hours] = [Duration.from("1d"), Duration.from("24h")];
  for (const wrong of [() => nine < ten, () => nine + ten, () => +nine, () => nine == "9", () => "" + nine, () => day < hours, () => day + hours, () => Math.max(day)]) {
    assert.throws(wrong, { code: "CQL_VALUE", message: /no operators/ }, String(wrong));
  }
  assert.equal(`${nine} ${String(ten)} ${day} ${[nine]}`, "9 10 1d 9");
  assert.deepEqual([[ten, nine].sort((a, b) => a.compare(b)).join(), day.equals(hours), day.equals(Duration.from("1d"))], ["9,10", false, true]);
  assert.equal("compare" in day, false);
});

test("comparison with what is of no such class: equals is false, compare throws", () => {
  const values = [Decimal.from("1"), new LocalDate(1), new LocalTime(1n), new Duration(0, 0, 1n)];
  for (const value of values) {
    for (const wrong of [...values.filter((one) => one !== value), null, undefined, 1, "1", { ...value }, new Date(0)]) {
      assert.equal(value.equals(wrong), false);
      if (value.compare) assert.throws(() => value.compare(wrong), { code: "CQL_VALUE" });
    }
  }
});

test("a duration of two signs, which only a broken cell has, has a true text too", () => {
  // v5 §5.8: months -1, days 1, nanoseconds 1,500,000,000, as zigzag vints
  const mixed = decodeValue("duration", Uint8Array.from(Buffer.from("0102f0b2d05e00", "hex")));
  assert.deepEqual(mixed, new Duration(-1, 1, 1_500_000_000n));
  assert.equal(String(mixed), "P-1M1DT1.500000000S");
  assert.deepEqual(Duration.from("P-1M1DT1.500000000S"), mixed);
  assert.deepEqual(Duration.from("-P1M-1DT-1.5S"), mixed);
  assert.equal(String(new Duration(1, 0, -1n)), "P1MT-0.000000001S");
  assert.throws(() => encodeValue("duration", mixed), { code: "CQL_ENCODE" });
});

test("a time that is of no day has a text that no time of day has, and does not go in", () => {
  for (const nanoseconds of [-1n, 86_400_000_000_000n, -(2n ** 63n)]) {
    const time = new LocalTime(nanoseconds);
    assert.equal(String(time), `${nanoseconds}ns`);
    assert.ok(LocalTime.from(String(time)).equals(time));
    assert.throws(() => encodeValue("time", time), { code: "CQL_ENCODE" });
  }
  for (const text of ["5ns", "0ns", "9223372036854775808ns", "ns", "--1ns"]) assert.throws(() => LocalTime.from(text), { code: "CQL_VALUE" }, text);
});

test("what no class can hold", () => {
  for (const make of [
    () => new Decimal(1, 0), () => new Decimal(1n, 1.5), () => new Decimal(1n, 2 ** 31), () => new Decimal("1", 0), () => new LocalDate(1.5), () => new LocalDate(2 ** 31),
    () => new LocalDate(1n), () => new LocalDate("1"), () => new Decimal(1n, 0n), () => new Duration(1n, 0, 0n), () => new LocalTime(1), () => new LocalTime(2n ** 63n), () => new LocalTime(-(2n ** 63n) - 1n), () => new Duration(1.5, 0, 0n),
    () => new Duration(0, 2 ** 31, 0n), () => new Duration(0, 0, 2n ** 63n), () => new Duration(0, 0, 0),
  ]) {
    assert.throws(make, (error) => error instanceof CqlError && error.code === "CQL_VALUE", String(make));
  }
  for (const value of [Decimal.from("1"), new LocalDate(1), new LocalTime(1n), new Duration(0, 0, 1n)]) {
    assert.ok(Object.isFrozen(value));
    assert.equal(Object.getPrototypeOf(value).constructor.name, inspect(value).split(" ")[0]);
  }
});

test("values of another copy of the package are known: as parameters, in comparisons, by instanceof", () => {
  for (const [type, name, text] of [["decimal", "Decimal", "1.50"], ["date", "LocalDate", "2024-02-29"], ["time", "LocalTime", "08:12:54.123456789"], ["duration", "Duration", "1mo2d"]]) {
    const [mine, foreign] = [{ Decimal, LocalDate, LocalTime, Duration }[name].from(text), other[name].from(text)];
    assert.notEqual(Object.getPrototypeOf(mine), Object.getPrototypeOf(foreign)); // or this tests nothing
    assert.equal(hex(encodeValue(type, foreign)), hex(encodeValue(type, mine)));
    assert.equal(hex(encodeValue(`list<${type}>`, [foreign])), hex(encodeValue(`list<${type}>`, [mine])));
    assert.ok(mine.equals(foreign) && foreign.equals(mine));
    if (mine.compare) assert.equal(mine.compare(foreign), 0);
    for (const Class of [mine.constructor, foreign.constructor]) {
      assert.ok(mine instanceof Class && foreign instanceof Class);
      for (const wrong of [{ ...mine }, null, text, new Date(0)]) assert.equal(wrong instanceof Class, false);
      class Derived extends Class {}
      assert.equal(mine instanceof Derived, false);
    }
  }
  assert.equal(other.empty === decodeValue("int", new Uint8Array(0)), true);
});
