//! What a ScyllaDB node says in SUPPORTED.

use cqlwire::spec::Features;

/// Options of SUPPORTED.
pub type Options<'a> = Vec<(&'a str, Vec<&'a str>)>;

/// scylladb/java-driver, ShardingInfoTest: what a server in a container says.
pub fn node() -> Options<'static> {
    vec![
        ("COMPRESSION", vec!["lz4", "snappy"]),
        ("CQL_VERSION", vec!["3.3.1"]),
        ("SCYLLA_LWT_ADD_METADATA_MARK", vec!["LWT_OPTIMIZATION_META_BIT_MASK=2147483648"]),
        ("SCYLLA_NR_SHARDS", vec!["12"]),
        ("SCYLLA_PARTITIONER", vec!["org.apache.cassandra.dht.Murmur3Partitioner"]),
        ("SCYLLA_RATE_LIMIT_ERROR", vec!["ERROR_CODE=61440"]),
        ("SCYLLA_SHARD", vec!["0"]),
        ("SCYLLA_SHARDING_ALGORITHM", vec!["biased-token-round-robin"]),
        ("SCYLLA_SHARDING_IGNORE_MSB", vec!["12"]),
        ("SCYLLA_SHARD_AWARE_PORT", vec!["19042"]),
        ("TABLETS_ROUTING_V1", vec![]),
    ]
}

/// The same and all else that the document has, and what of other extensions servers were seen to offer.
pub fn newest_node() -> Options<'static> {
    let mut options = node();
    options.extend([
        ("SCYLLA_SHARD_AWARE_PORT_SSL", vec!["19142"]),
        ("SCYLLA_HOST_ID", vec!["00112233-4455-6677-8899-aabbccddeeff"]),
        ("SCYLLA_USE_METADATA_ID", vec![""]),
        ("TABLETS_ROUTING_V2_EXPERIMENTAL", vec![""]),
        ("TABLETS_ROUTING_V2_EXPERIMENTAL_V2", vec![""]),
        ("SCYLLA_FAILURE_REASON_MAP", vec!["REASON_RATE_LIMITED=61440", "REASON_LARGE_DATA_REJECTED=61441"]),
        ("SCYLLA_OF_THE_FUTURE", vec!["A=1", "B"]),
    ]);
    options
}

/// The extensions that the newest node offers and this crate has.
pub const OFFERED: Features = Features { metadata_id: true, tablets_v1: true, lwt_mask: Some(0x8000_0000), rate_limit_error: Some(0xf000) };
