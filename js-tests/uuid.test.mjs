// UUIDs: layout and dates by RFC 9562 and by values that others published, order and distinctness by making many.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CqlError, decodeValue, encodeValue, timeuuid, timeuuidDate, uuid } from "cqlwire";

const hex = (bytes) => Buffer.from(bytes).toString("hex");
/** Version 1's 60 bits, by the field layout of RFC 9562 §5.1. */
const ticks = (text) => {
  const [low, middle, high] = text.split("-");
  return BigInt(`0x${high.slice(1)}${middle}${low}`);
};
const V1 = /^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("uuid: version 4, variant 10, random everywhere else", () => {
  const many = Array.from({ length: 2000 }, uuid);
  for (const text of many) assert.match(text, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(many).size, many.length);
  const [all, any] = many.map((text) => BigInt(`0x${text.replaceAll("-", "")}`)).reduce(([and, or], bits) => [and & bits, or | bits], [(1n << 128n) - 1n, 0n]);
  assert.equal(all, 0x4000n << 64n | 0x8000n << 48n); // what all have in common
  assert.equal(any, (1n << 128n) - 1n ^ 0xbn << 76n ^ 0x4000n << 48n); // what none has
});

test("the date of a timeuuid", () => {
  for (const [text, ms] of [
    ["C232AB00-9414-11EC-B3C8-9F6BDECED846", Date.UTC(2022, 1, 22, 19, 22, 22)], // RFC 9562 A.1
    ["d9428888-122b-11e1-b85c-61cd3cbb3210", 1_321_651_533_573], // npm uuid's README; milliseconds by java.util.UUID
    // As Cassandra has it: (java.util.UUID.timestamp() / 10,000) - 12,219,292,800,000
    ["d2177dd0-eaa2-11de-a572-001b779c76e3", 1_261_009_589_805],
    ["00000000-0000-1000-8080-808080808080", -12_219_292_800_000],
    ["ffffffff-ffff-1fff-bf7f-7f7f7f7f7f7f", 103_072_857_660_684],
    ["13814000-1dd2-11b2-8080-808080808080", 0],
    ["13813fff-1dd2-11b2-8080-808080808080", -1],
  ]) {
    assert.equal(timeuuidDate(text).getTime(), ms, text);
  }
  const no = ["", "x", uuid(), "d2177dd0eaa211dea572001b779c76e3", "d2177dd0-eaa2-21de-a572-001b779c76e3", " d2177dd0-eaa2-11de-a572-001b779c76e3", null, undefined, 5, new Uint8Array(16)];
  for (const wrong of no) assert.throws(() => timeuuidDate(wrong), (error) => error instanceof CqlError && error.code === "CQL_VALUE", String(wrong));
});

test("timeuuid of a date: that millisecond, its 100-ns units in order, then anew; always distinct", () => {
  for (const date of [new Date("2022-02-22T19:22:22Z"), 0, -1, 1_321_651_533_573, -12_219_292_800_000, 103_072_857_660_683]) {
    const text = timeuuid(date);
    assert.match(text, V1);
    assert.equal(timeuuidDate(text).getTime(), Number(date));
    assert.equal(parseInt(text.slice(24, 26), 16) & 1, 1, "the node's multicast bit");
    assert.equal(decodeValue("timeuuid", encodeValue("timeuuid", text)), text);
  }
  assert.equal(timeuuid(Date.UTC(2022, 1, 22, 19, 22, 22)).slice(0, 18), "c232ab00-9414-11ec"); // RFC 9562 A.1

  const many = Array.from({ length: 25_000 }, () => timeuuid(1000));
  assert.equal(new Set(many).size, many.length);
  assert.ok(many.every((text) => timeuuidDate(text).getTime() === 1000));
  for (let i = 1; i < 10_000; i++) assert.equal(ticks(many[i]), ticks(many[0]) + BigInt(i));
  // Back to a millisecond that was used before.
  const mixed = Array.from({ length: 20_000 }, (_, index) => timeuuid(2000 + (index % 2)));
  assert.equal(new Set(mixed).size, mixed.length);
  assert.ok(new Set(mixed.map((text) => text.slice(19))).size > 19_990, "node and clock sequence are random");
});

test("timeuuid of now: each later than the one before, with one node", () => {
  const before = Date.now();
  const many = Array.from({ length: 50_000 }, () => timeuuid());
  for (let i = 1; i < many.length; i++) assert.ok(ticks(many[i]) > ticks(many[i - 1]));
  assert.equal(new Set(many.map((text) => text.slice(19))).size, 1);
  for (const text of [many[0], many.at(-1)]) {
    assert.match(text, V1);
    assert.equal(parseInt(text.slice(24, 26), 16) & 1, 1);
  }
  const [first, last] = [many[0], many.at(-1)].map((text) => timeuuidDate(text).getTime());
  assert.ok(first >= before - 1 && last <= Date.now() + 1000, `${before} ${first} ${last}`);
  assert.notEqual(timeuuid(last).slice(19), many[0].slice(19)); // those of dates have another node
});

test("a clock that stands still, steps back a little, or is set back", (t) => {
  let now = Date.now() + 60_000;
  t.mock.method(Date, "now", () => now);
  const origin = (text) => text.slice(19);
  const still = Array.from({ length: 15_000 }, () => timeuuid());
  for (let i = 1; i < still.length; i++) assert.equal(ticks(still[i]), ticks(still[i - 1]) + 1n); // the last ones are of the next millisecond
  now -= 500;
  const stepped = timeuuid();
  assert.equal(ticks(stepped), ticks(still.at(-1)) + 1n);
  assert.equal(origin(stepped), origin(still[0]));
  now -= 10_000;
  const back = timeuuid();
  assert.equal(timeuuidDate(back).getTime(), now);
  assert.notEqual(origin(back), origin(still[0])); // RFC 9562 §5.1: then another clock sequence
});

test("what is no time that version 1 can say", () => {
  for (const wrong of [NaN, 1.5, Infinity, new Date(NaN), "2024-01-01", null, 5n, {}, -12_219_292_800_001, 103_072_857_660_684, new Date(8.64e15)]) {
    assert.throws(() => timeuuid(wrong), (error) => error instanceof CqlError && error.code === "CQL_VALUE", String(wrong));
  }
  assert.equal(hex(encodeValue("timeuuid", timeuuid(0))).slice(0, 16), "138140001dd211b2");
});
