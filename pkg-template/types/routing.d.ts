// Where a row is: tokens, and what ScyllaDB says of its shards and tablets.
import type { SupportedMessage } from "./responses.js";

/**
 * The token of a serialised partition key under Cassandra's Murmur3Partitioner, as CQL's `token()` gives it.
 *
 * @example
 * ```js
 * murmur3Token(encodeValue("int", 1)); // → -4069959284402364209n
 * ```
 */
export function murmur3Token(key: Uint8Array): bigint;

/**
 * The serialised partition key of its columns' cells, in the order of the table's key (PREPARED's `pkIndices`). Throws `CQL_ENCODE` for a
 * cell of more than 65,535 bytes in a key of several columns.
 *
 * @example
 * ```js
 * const key = routingKey([encodeValue("text", "art"), encodeValue("int", 7)]);
 * key; // → Uint8Array(13) [ 0, 3, 97, 114, 116, 0, 0, 4, 0, 0, 0, 7, 0 ]
 * routingKey([encodeValue("int", 7)]); // → Uint8Array(4) [ 0, 0, 0, 7 ]
 * ```
 */
export function routingKey(columns: readonly Uint8Array[]): Uint8Array;

/**
 * ScyllaDB's extensions of v4 and v5 that this package has: those that a node offers, or that a connection agreed on. "Scylla" and the name of a section
 * cite scylladb/scylladb `docs/dev/protocol-extensions.md`.
 */
export interface ScyllaFeatures {
  /** SCYLLA_USE_METADATA_ID: result metadata ids on v4, where v5 has them (Scylla, Negotiate sending metadata id). */
  readonly metadataId: boolean;
  /** TABLETS_ROUTING_V1: results can have a tablet in their custom payload, see `decodeTablet` (Scylla, Tablets routing v1). */
  readonly tabletsV1: boolean;
  /** SCYLLA_LWT_ADD_METADATA_MARK: the bits that tell `PreparedMessage.isLwt` (Scylla, LWT prepared statements metadata mark). null: not there. */
  readonly lwtMask: number | null;
  /** SCYLLA_RATE_LIMIT_ERROR: the code of the ERROR that has `opType` and `rejectedByCoordinator` (Scylla, Rate limit error). null: not there. */
  readonly rateLimitError: number | null;
}

/** What a ScyllaDB node says of itself (Scylla, Intranode sharding, Host ID discovery). null: it does not say it, or says what it cannot mean. */
export interface ScyllaOptions {
  /** SCYLLA_SHARD: the shard that serves this connection, from 0. */
  readonly shard: number | null;
  /** SCYLLA_NR_SHARDS: 1 to 65,535. */
  readonly nrShards: number | null;
  /** SCYLLA_SHARDING_IGNORE_MSB: 0 to 63. */
  readonly shardingIgnoreMsb: number | null;
  /** SCYLLA_SHARDING_ALGORITHM: `biased-token-round-robin` is the only one there is. */
  readonly shardingAlgorithm: string | null;
  /** SCYLLA_PARTITIONER: class name. */
  readonly partitioner: string | null;
  /** SCYLLA_SHARD_AWARE_PORT: where a connection is served by the shard `client's port % nrShards`. */
  readonly shardAwarePort: number | null;
  /** SCYLLA_SHARD_AWARE_PORT_SSL: the same, with TLS. */
  readonly shardAwarePortSsl: number | null;
  /** SCYLLA_HOST_ID: a UUID, as `system.local` has it. */
  readonly hostId: string | null;
  /** The extensions that it offers and this package has. */
  readonly features: ScyllaFeatures;
  /** For `shardOf`; null where algorithm or partitioner are not those that `shardOf` and `murmur3Token` know. */
  readonly sharding: Sharding | null;
}

/**
 * What a SUPPORTED tells of a ScyllaDB node. Each option by itself: one that makes no sense has no effect on the others. Of Cassandra's, all is null.
 * The codec that reads the message heeds it without being told; this is for whoever routes by it.
 *
 * @example
 * ```js
 * const { shard, nrShards, features } = scyllaOptions({ options: { SCYLLA_SHARD: ["3"], SCYLLA_NR_SHARDS: ["12"] } });
 * [shard, nrShards]; // → [ 3, 12 ]
 * features.metadataId; // → false
 * ```
 */
export function scyllaOptions(supported: Pick<SupportedMessage, "options">): ScyllaOptions;

/**
 * The options of STARTUP that ask for all extensions that the node offers and this package has (Scylla, Extending protocol extensions support): none of
 * Cassandra, and none on v3. Leave one out and it is not agreed.
 *
 * @example
 * ```js
 * const supported = { options: { COMPRESSION: ["lz4"], TABLETS_ROUTING_V1: [] } }; // as `feed` gives it
 * scyllaStartupOptions(supported, 4); // → { TABLETS_ROUTING_V1: '' }
 * const options = { CQL_VERSION: "3.0.0", ...scyllaStartupOptions(supported, 4) };
 * new Codec({ version: 4 }).encode({ opcode: "STARTUP", options }, 1).length; // → 53
 * ```
 */
export function scyllaStartupOptions(supported: Pick<SupportedMessage, "options">, version: 3 | 4 | 5): Record<string, string>;

/** How a ScyllaDB node gives tokens to its shards: `scyllaOptions(supported).sharding`. */
export interface Sharding {
  /** SCYLLA_NR_SHARDS: shards of the node, 1 to 65,535. */
  readonly nrShards: number;
  /** SCYLLA_SHARDING_IGNORE_MSB: the token's first bits that do not count, 0 to 63. */
  readonly ignoreMsb: number;
}

/**
 * Which shard of a ScyllaDB node owns a token, from 0 (Scylla, Intranode sharding: algorithm `biased-token-round-robin`).
 *
 * @example
 * ```js
 * shardOf(-9223372036854775808n, { nrShards: 8, ignoreMsb: 12 }); // → 0
 * ```
 */
export function shardOf(token: bigint, sharding: Sharding): number;

/** A range of a table's tokens in ScyllaDB, and where it is. */
export interface Tablet {
  /** The tablet begins after this token. */
  readonly firstToken: bigint;
  /** The last token in it. */
  readonly lastToken: bigint;
  /** At least one. */
  readonly replicas: readonly {
    /** Of the node, as `system.peers` has it. */
    readonly hostId: string;
    /** Of the node, from 0. */
    readonly shard: number;
  }[];
}

/**
 * What ScyllaDB says in `customPayload["tablets-routing-v1"]` when a request came to the wrong place. Throws `CQL_DECODE` for what makes no
 * sense: it is only a hint, the answer that it came with is good. null where it names no replica: there is nothing to remember.
 *
 * @example
 * ```js
 * const type = "tuple<bigint, bigint, list<tuple<uuid, int>>>";
 * const payload = encodeValue(type, [-1n, 5n, [["00112233-4455-6677-8899-aabbccddeeff", 3]]]);
 * const tablet = decodeTablet(payload);
 * tablet.lastToken; // → 5n
 * tablet.replicas; // → [ { hostId: '00112233-4455-6677-8899-aabbccddeeff', shard: 3 } ]
 * ```
 */
export function decodeTablet(payload: Uint8Array): Tablet | null;

/**
 * The same bytes from a tablet, for who plays the server: `{ …, customPayload: { "tablets-routing-v1": encodeTablet(tablet) } }`. Throws `CQL_ENCODE` for
 * a tablet that `decodeTablet` would not give: without tokens or replicas, or a host id that is no UUID.
 */
export function encodeTablet(tablet: Tablet): Uint8Array;
