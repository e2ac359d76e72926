//! SUPPORTED (v5 §4.2.4; Scylla, Extending protocol extensions support): `[string multimap]` of STARTUP options and PROTOCOL_VERSIONS,
//! and of what a ScyllaDB node says of itself.

use alloc::vec::Vec;
use core::str::FromStr;

use crate::spec::code::error;
use crate::spec::flag::metadata::can_mark_lwt;
use crate::spec::scylla::{self, extension, option, parameter};
use crate::spec::{Dialect, Features};
use crate::wire::{Reader, Result, Writer};

/// What STARTUP may ask for.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct Supported<'a> {
    /// In the order they came.
    pub options: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> Supported<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<Supported<'a>> {
        Ok(Supported { options: r.string_multimap("SUPPORTED.options")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.short_len(self.options.len(), "SUPPORTED.options")?;
        self.options.iter().try_for_each(|(key, values)| {
            w.string(key, "SUPPORTED.options")?;
            w.string_list(values, "SUPPORTED.options")
        })
    }

    /// What a ScyllaDB node says of itself. Of a key or value that is repeated the first counts.
    pub fn scylla(&self) -> ScyllaOptions<'a> {
        let nr_shards = self.number(option::NR_SHARDS).filter(|count| *count != 0);
        let port = |key| self.number(key).filter(|port| *port != 0);
        ScyllaOptions {
            shard: self.number(option::SHARD).filter(|shard| nr_shards.is_none_or(|count| *shard < count)),
            nr_shards,
            sharding_ignore_msb: self.number(option::SHARDING_IGNORE_MSB).filter(|bits| *bits < 64),
            sharding_algorithm: self.text(option::SHARDING_ALGORITHM),
            partitioner: self.text(option::PARTITIONER),
            shard_aware_port: port(option::SHARD_AWARE_PORT),
            shard_aware_port_ssl: port(option::SHARD_AWARE_PORT_SSL),
            host_id: self.text(option::HOST_ID).filter(|id| is_uuid(id)),
            features: Features {
                metadata_id: self.values(extension::USE_METADATA_ID).is_some(),
                tablets_v1: self.values(extension::TABLETS_ROUTING_V1).is_some(),
                lwt_mask: self.lwt_mask().map(|(mask, _)| mask),
                rate_limit_error: self
                    .parameter(extension::RATE_LIMIT_ERROR, parameter::ERROR_CODE)
                    .and_then(|(code, _)| decimal(code))
                    .filter(|code| error::name(*code).is_none()), // a code that has a meaning already would lose it
            },
        }
    }

    /// What a client adds to STARTUP to ask for the extensions that the node offers and this crate has: each key alone, but for the
    /// mask, which is given back as the node wrote it. The document leaves these values open, and the server looks at none.
    pub fn startup_options(&self, dialect: Dialect) -> Vec<(&'static str, &'a str)> {
        let offered = self.scylla().features;
        let mask = self.lwt_mask().map(|(_, value)| value);
        let keys = [
            (extension::USE_METADATA_ID, offered.metadata_id.then_some("")),
            (extension::TABLETS_ROUTING_V1, offered.tablets_v1.then_some("")),
            (extension::LWT_ADD_METADATA_MARK, mask),
            (extension::RATE_LIMIT_ERROR, offered.rate_limit_error.map(|_| "")),
        ];
        let asks = dialect.version.has_extensions();
        keys.into_iter().filter_map(|(key, value)| Some((key, value.filter(|_| asks)?))).collect()
    }

    fn values(&self, key: &str) -> Option<&[&'a str]> {
        self.options.iter().find(|(name, _)| *name == key).map(|(_, values)| &values[..])
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.values(key)?.first().copied().filter(|text| !text.is_empty())
    }

    fn number<T: FromStr>(&self, key: &str) -> Option<T> {
        decimal(self.text(key)?)
    }

    /// The value of an extension that is `name=…`: what follows the sign, and all of it.
    fn parameter(&self, key: &str, name: &str) -> Option<(&'a str, &'a str)> {
        self.values(key)?.iter().find_map(|value| Some((value.strip_prefix(name)?.strip_prefix('=')?, *value)))
    }

    fn lwt_mask(&self) -> Option<(u32, &'a str)> {
        let (mask, value) = self.parameter(extension::LWT_ADD_METADATA_MARK, parameter::LWT_META_BIT_MASK)?;
        Some((decimal(mask).filter(|mask| can_mark_lwt(*mask))?, value))
    }
}

/// What a ScyllaDB node says of itself in SUPPORTED. Each is absent where the node does not say it, or says what it cannot mean; that has no
/// effect on the others. Cassandra says nothing of the kind.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct ScyllaOptions<'a> {
    /// The shard that serves this connection, from 0.
    pub shard: Option<u16>,
    /// Shards of the node; not 0.
    pub nr_shards: Option<u16>,
    /// Parameter of the sharding algorithm; at most 63.
    pub sharding_ignore_msb: Option<u8>,
    /// How tokens are given to shards.
    pub sharding_algorithm: Option<&'a str>,
    /// Class name of the partitioner.
    pub partitioner: Option<&'a str>,
    /// The port where a connection goes to shard `client's port % nr_shards`.
    pub shard_aware_port: Option<u16>,
    /// The same, with TLS.
    pub shard_aware_port_ssl: Option<u16>,
    /// The node's host id, a UUID as `system.local` has it.
    pub host_id: Option<&'a str>,
    /// Extensions that it offers and this crate has.
    pub features: Features,
}

impl ScyllaOptions<'_> {
    /// Number of shards and ignored bits for `route::shard_of`, where the node's partitioner and algorithm are the ones it knows.
    pub fn sharding(&self) -> Option<(u16, u8)> {
        let known =
            self.sharding_algorithm == Some(scylla::BIASED_TOKEN_ROUND_ROBIN) && self.partitioner == Some(scylla::MURMUR3_PARTITIONER);
        self.nr_shards.zip(self.sharding_ignore_msb).filter(|_| known)
    }
}

/// Base-10 digits, without what `parse` takes beside them: a plus sign.
fn decimal<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// `8-4-4-4-12` hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let is_hyphen = |index| matches!(index, 8 | 13 | 18 | 23);
    text.len() == 36 && text.bytes().enumerate().all(|(index, byte)| if is_hyphen(index) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}
