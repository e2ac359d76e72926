//! Side: where a row lives. Values and bytes only: no cluster, no connection.
//!
//! - [`token`]: Cassandra's Murmur3 partitioner, and the serialised partition key it hashes
//! - [`shard`]: which shard of a ScyllaDB node owns a token
//! - [`tablet`]: the routing hint that ScyllaDB puts in a custom payload

pub mod shard;
pub mod tablet;
pub mod token;

pub use shard::shard_of;
pub use tablet::Tablet;
pub use token::{murmur3_token, routing_key};
