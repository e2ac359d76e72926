// Our tokens against the server's own token(), for keys of one column and of three, of every length around a block.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeValue, murmur3Token, routingKey } from "cqlwire";
import { Raw } from "./raw.mjs";

test("murmur3Token agrees with token()", async (t) => {
  const raw = await Raw.open(5, "lz4");
  t.after(() => raw.close());
  await raw.query("DROP KEYSPACE IF EXISTS tokens");
  await raw.query("CREATE KEYSPACE tokens WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  await raw.query("CREATE TABLE tokens.one (k blob PRIMARY KEY)");
  await raw.query("CREATE TABLE tokens.three (a text, b int, c blob, PRIMARY KEY ((a, b, c)))");
  let state = 7;
  const noise = (length) => Uint8Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff) >>> 16);
  const one = await raw.prepare("INSERT INTO tokens.one (k) VALUES (?)");
  const three = await raw.prepare("INSERT INTO tokens.three (a, b, c) VALUES (?, ?, ?)");
  assert.deepEqual([one.pkIndices, three.pkIndices], [[0], [0, 1, 2]]);
  await Promise.all(Array.from({ length: 100 }, (_, i) => raw.execute(one, [noise(i + 1)])));
  await Promise.all(Array.from({ length: 40 }, (_, i) => raw.execute(three, ["é".repeat(i), i - 20, noise(i)])));
  let compared = 0;
  for (const { k, t: token } of (await raw.query("SELECT k, token(k) AS t FROM tokens.one")).rows) {
    assert.equal(murmur3Token(k), token);
    compared++;
  }
  for (const { a, b, c, t: token } of (await raw.query("SELECT a, b, c, token(a, b, c) AS t FROM tokens.three")).rows) {
    assert.equal(murmur3Token(routingKey([encodeValue("text", a), encodeValue("int", b), c])), token);
    compared++;
  }
  assert.equal(compared, 140);
  await raw.query("DROP KEYSPACE tokens");
});
