// Decodes a recorded page, and encodes a request; throws if anything is wrong. Runs wherever the package is loaded: no imports but data.
import { firsts, ids, last, segment } from "./page.mjs";

export function check({ Codec, decodeValue, encodeValue }) {
  const equal = (actual, expected, what) => {
    const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
    if (a !== b) throw new Error(`${what}: ${a.slice(0, 200)}, expected ${b.slice(0, 200)}`);
  };
  const codec = new Codec({ version: 5, established: { compression: "lz4" } });
  const messages = codec.feed(Uint8Array.from(atob(segment), (character) => character.charCodeAt(0)));
  equal(messages.length, 1, "messages");
  const [page] = messages;
  if (page.error) throw page.error;
  const vectors = page.column("v");
  equal(vectors.values instanceof Float32Array && vectors.values.length, 20 * 128, "floats in one array");
  equal(page.rows.map((row) => row.id), ids, "ids");
  equal(page.rows.map((row) => row.v[0]), firsts, "first elements");
  equal([...vectors.at(19)], last, "the last vector");
  equal([...encodeValue("vector<float, 2>", [1, -2])], [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0], "an encoded vector");
  equal(decodeValue("map<text, int>", encodeValue("map<text, int>", { a: 1 })), { a: 1 }, "a map");
  const options = codec.encode({ opcode: "OPTIONS" }, 1);
  // datastax/go-cassandra-native-protocol#61
  equal([...options], [9, 0, 0, 0, 4, 0xc2, 0xb8, 0x95, 5, 0, 0, 1, 5, 0, 0, 0, 0, 0xb5, 0x55, 0x74, 0x86], "OPTIONS in a segment");
}
