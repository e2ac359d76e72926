// Where a row lives, from JavaScript: shards and tablets of ScyllaDB. (Tokens are in values.test.mjs.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { CqlError, decodeTablet, shardOf } from "cqlwire";

const bytes = (text) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
/** The formula of ScyllaDB's protocol-extensions.md in exact arithmetic: `((token + 2⁶³) << msb mod 2⁶⁴) × shards / 2⁶⁴`. */
const byTheBook = (token, shards, msb) => Number((BigInt.asUintN(64, (token + (1n << 63n)) << BigInt(msb)) * BigInt(shards)) >> 64n);

test("the shard of a token", () => {
  for (const [token, nrShards, ignoreMsb, shard] of [[-(2n ** 63n), 4, 0, 0], [-1n, 4, 0, 1], [0n, 4, 0, 2], [2n ** 63n - 1n, 4, 0, 3], [-(2n ** 63n), 1, 12, 0]]) {
    assert.equal(shardOf(token, { nrShards, ignoreMsb }), shard);
  }
  for (const token of [-(2n ** 63n), -4069959284402364209n, -1n, 0n, 1n, 5427640137651536322n, 2n ** 63n - 1n]) {
    for (const [nrShards, ignoreMsb] of [[1, 0], [2, 12], [7, 12], [255, 12], [65_535, 0], [65_535, 63]]) {
      assert.equal(shardOf(token, { nrShards, ignoreMsb }), byTheBook(token, nrShards, ignoreMsb), `${token} ${nrShards} ${ignoreMsb}`);
    }
  }
  for (const wrong of [
    [5, { nrShards: 2, ignoreMsb: 12 }], ["5", { nrShards: 2, ignoreMsb: 12 }], [2n ** 63n, { nrShards: 2, ignoreMsb: 12 }], [0n], [0n, null], [0n, { nrShards: 2 }],
    [0n, { nrShards: 0, ignoreMsb: 12 }], [0n, { nrShards: 65_536, ignoreMsb: 12 }], [0n, { nrShards: "2", ignoreMsb: 12 }], [0n, { nrShards: 2, ignoreMsb: 64 }], [0n, { nrShards: 2, ignoreMsb: -1 }],
    [0n, { nrShards: 2.5, ignoreMsb: 0 }],
  ]) {
    assert.throws(() => shardOf(...wrong), (error) => error instanceof CqlError && error.code === "CQL_OPTION");
  }
});

/** scylladb/scylla-rust-driver#1641: the first tablet of a table, whose open lower bound is the smallest number there is. */
const FIRST =
  "00000008 8000000000000000 00000008 bfffffffffffffff 00000024 00000001 0000001c 00000010 00112233445566778899aabbccddeeff 00000004 00000003";

test("a tablet", () => {
  assert.deepEqual(decodeTablet(bytes(FIRST)), {
    firstToken: -(2n ** 63n),
    lastToken: -4611686018427387905n,
    replicas: [{ hostId: "00112233-4455-6677-8899-aabbccddeeff", shard: 3 }],
  });
  // Small tokens are BigInts too.
  const replica = "0000001c 00000010 00112233445566778899aabbccddeeff 00000004 00000000";
  const small = decodeTablet(bytes(`00000008 ffffffffffffffff 00000008 0000000000000005 00000044 00000002 ${replica} ${replica}`));
  assert.deepEqual([small.firstToken, small.lastToken, small.replicas.length], [-1n, 5n, 2]);
});

test("a tablet that makes no sense is an error value for whoever looks at the hint", () => {
  const reversed = "00000008 7fffffffffffffff 00000008 000000000000162e 00000004 00000000";
  const wrong = [reversed, "", FIRST.replace("00000001 0000001c", "7fffffff 0000001c"), FIRST.replace("00000024 00000001", "00000024 ffffffff"), FIRST.replace("00000004 00000003", "00000004 ffffffff"), FIRST.replace("00000008 8", "ffffffff 8")];
  for (const text of wrong) {
    assert.throws(() => decodeTablet(bytes(text)), (error) => error instanceof CqlError && error.code === "CQL_DECODE" && error.what.startsWith("tablet."), text);
  }
  const good = bytes(FIRST);
  for (let cut = 0; cut < good.length; cut++) assert.throws(() => decodeTablet(good.subarray(0, cut)), { code: "CQL_DECODE" }, `cut at ${cut}`);
  for (const value of [undefined, null, FIRST, [0], good.buffer]) assert.throws(() => decodeTablet(value), { code: "CQL_OPTION" });
  assert.equal(decodeTablet(good).replicas[0].shard, 3);
});
