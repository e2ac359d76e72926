//! ScyllaDB's extensions of v4 and v5: names and numbers of scylladb/scylladb `docs/dev/protocol-extensions.md`, whose sections are cited as
//! "Scylla, Intranode sharding". Keys in the exact case: the server looks for no other.
//!
//! Not here, and so never asked for, are extensions that change what this crate reads and writes: TABLETS_ROUTING_V2_… (a byte at the end of
//! EXECUTE) and SCYLLA_FAILURE_REASON_MAP (v5's failure map on v4). CLIENT_ROUTES_CHANGE has no key: a client finds out by REGISTER.

/// Options of SUPPORTED that tell of the node (Scylla, Host ID discovery, Intranode sharding). A client does not send them.
pub mod option {
    /// The shard that serves this connection.
    pub const SHARD: &str = "SCYLLA_SHARD";
    /// How many shards the node has.
    pub const NR_SHARDS: &str = "SCYLLA_NR_SHARDS";
    /// Parameter of the sharding algorithm.
    pub const SHARDING_IGNORE_MSB: &str = "SCYLLA_SHARDING_IGNORE_MSB";
    /// Name of the sharding algorithm.
    pub const SHARDING_ALGORITHM: &str = "SCYLLA_SHARDING_ALGORITHM";
    /// Class name of the partitioner.
    pub const PARTITIONER: &str = "SCYLLA_PARTITIONER";
    /// The port where the client's own port chooses the shard.
    pub const SHARD_AWARE_PORT: &str = "SCYLLA_SHARD_AWARE_PORT";
    /// The same, with TLS.
    pub const SHARD_AWARE_PORT_SSL: &str = "SCYLLA_SHARD_AWARE_PORT_SSL";
    /// The node's host id.
    pub const HOST_ID: &str = "SCYLLA_HOST_ID";
}

/// Options that offer an extension in SUPPORTED and ask for it in STARTUP. The server looks whether the key is there.
pub mod extension {
    /// Result metadata ids before v5 (Scylla, Negotiate sending metadata id).
    pub const USE_METADATA_ID: &str = "SCYLLA_USE_METADATA_ID";
    /// Tablets in custom payloads (Scylla, Tablets routing v1).
    pub const TABLETS_ROUTING_V1: &str = "TABLETS_ROUTING_V1";
    /// A bit that tells conditional statements (Scylla, LWT prepared statements metadata mark).
    pub const LWT_ADD_METADATA_MARK: &str = "SCYLLA_LWT_ADD_METADATA_MARK";
    /// An error code of its own (Scylla, Rate limit error).
    pub const RATE_LIMIT_ERROR: &str = "SCYLLA_RATE_LIMIT_ERROR";
}

/// Parameters of extensions: values of the form `NAME=value` under the extension's key.
pub mod parameter {
    /// Of LWT_ADD_METADATA_MARK: an unsigned number of 32 bits.
    pub const LWT_META_BIT_MASK: &str = "LWT_OPTIMIZATION_META_BIT_MASK";
    /// Of RATE_LIMIT_ERROR: a signed number of 32 bits.
    pub const ERROR_CODE: &str = "ERROR_CODE";
}

/// The one sharding algorithm there is.
pub const BIASED_TOKEN_ROUND_ROBIN: &str = "biased-token-round-robin";
/// The partitioner whose tokens `route::token` makes.
pub const MURMUR3_PARTITIONER: &str = "org.apache.cassandra.dht.Murmur3Partitioner";
/// Names of RATE_LIMIT_ERROR's op_type, in the order of their codes.
pub const OP_TYPES: [&str; 2] = ["READ", "WRITE"];
