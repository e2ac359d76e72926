// Where a row lives: the token of its partition key, and in ScyllaDB its shard and its tablet.
import type { Sharding, Tablet } from "../../types/index.js";
import { uuidText } from "./cell.ts";
import { inert } from "./check.ts";
import { CqlError, decodeError, isWasmError } from "./errors.ts";
import { describe, givenBytes, isBytes, plainBytes, reading } from "./given.ts";
import { withInstance } from "./wasm.ts";

export function murmur3Token(key: Uint8Array): bigint {
  const plain = givenBytes("murmur3Token", key);
  return withInstance((codec) => codec.murmur3_token(plain));
}

export function routingKey(columns: readonly Uint8Array[]): Uint8Array {
  const cells = reading("routingKey", () => (Array.isArray(columns) ? Array.from(columns as Uint8Array[], (one) => isBytes(one) && plainBytes(one)) : []));
  if (cells.length === 0 || !cells.every(isBytes)) {
    throw new CqlError("CQL_OPTION", `routingKey has ${describe(columns)}: expected the cells of the partition key, an array of Uint8Array`);
  }
  try {
    return withInstance((codec) => codec.routing_key(cells));
  } catch (error) {
    throw isWasmError(error) ? new CqlError("CQL_ENCODE", `${error.what} ${error.meaning}: at most 65,535 bytes each`) : error;
  }
}

export function shardOf(token: bigint, sharding: Sharding): number {
  if (typeof token !== "bigint" || BigInt.asIntN(64, token) !== token) {
    throw new CqlError("CQL_OPTION", `shardOf has ${describe(token)} as token: expected a bigint of 64 bits`);
  }
  const { nrShards, ignoreMsb } = reading("shardOf", () => ({ nrShards: sharding?.nrShards, ignoreMsb: sharding?.ignoreMsb }));
  const isGood = Number.isInteger(nrShards) && nrShards > 0 && nrShards <= 65_535 && Number.isInteger(ignoreMsb) && ignoreMsb >= 0 && ignoreMsb <= 63;
  if (!isGood) {
    throw new CqlError("CQL_OPTION", `shardOf has ${describe(nrShards)} shards and ${describe(ignoreMsb)} bits to ignore: expected 1 to 65,535 and 0 to 63`);
  }
  return withInstance((codec) => codec.shard_of(token, nrShards, ignoreMsb)!);
}

export function decodeTablet(payload: Uint8Array): Tablet | null {
  const plain = givenBytes("decodeTablet", payload);
  try {
    const tablet = withInstance((codec) => codec.decode_tablet(plain));
    if (!tablet) return null;
    const { first_token: firstToken, last_token: lastToken, replicas } = tablet;
    return { firstToken, lastToken, replicas: replicas.map(([host, shard]) => ({ hostId: uuidText(host), shard })) };
  } catch (error) {
    throw decodeError("CQL_DECODE", error);
  }
}

export function encodeTablet(tablet: Tablet): Uint8Array {
  const { firstToken, lastToken, replicas } = reading("encodeTablet", () => inert({ ...(Object(tablet) as Tablet) })) as Tablet;
  const isToken = (token: unknown) => typeof token === "bigint" && BigInt.asIntN(64, token) === token;
  const isReplica = (replica: unknown) => {
    const { hostId, shard } = Object(replica) as Tablet["replicas"][number];
    return typeof hostId === "string" && typeof shard === "number" && (shard | 0) === shard;
  };
  if (!isToken(firstToken) || !isToken(lastToken) || !Array.isArray(replicas) || !Array.from(replicas).every(isReplica)) {
    const expected = "firstToken and lastToken as bigint of 64 bits, and replicas, each with hostId as a string and shard as a whole number";
    throw new CqlError("CQL_OPTION", `encodeTablet has ${describe(tablet)}: expected ${expected}`);
  }
  const [hosts, shards] = [replicas.map(({ hostId }) => hostId), Int32Array.from(replicas, ({ shard }) => shard)];
  try {
    return withInstance((codec) => codec.encode_tablet(firstToken, lastToken, hosts, shards));
  } catch (error) {
    throw isWasmError(error) ? new CqlError("CQL_ENCODE", `${error.what} ${error.meaning}`, { kind: error.kind, what: error.what }) : error;
  }
}
