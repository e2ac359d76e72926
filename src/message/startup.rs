//! STARTUP (v5 §4.1.1; Scylla, Extending protocol extensions support): `[string map]` of options. Never compressed, never in a segment.

use alloc::vec::Vec;

use crate::spec::flag::metadata::can_mark_lwt;
use crate::spec::scylla::{extension, parameter};
use crate::spec::{Compression, Dialect, Features};
use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// The first request but for OPTIONS.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Startup<'a> {
    /// CQL_VERSION is mandatory; COMPRESSION, DRIVER_NAME, DRIVER_VERSION, … are not.
    pub options: Vec<(&'a str, &'a str)>,
}

impl<'a> Startup<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<Startup<'a>> {
        Ok(Startup { options: r.string_map("STARTUP.options")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.string_map(&self.options, "STARTUP.options")
    }

    /// The dialect of a connection on which the server accepts this. A compression that is unknown, or that the version or this
    /// build lacks, is refused. Keys in any case, as Cassandra takes them; those of ScyllaDB's extensions in theirs, as ScyllaDB does.
    ///
    /// `offered` are the extensions that the node's SUPPORTED has, if it is known: both sides then agree on what is in both messages, and
    /// parameters are the node's. If not, on what STARTUP asks for, with the mask that it may repeat; the code of RATE_LIMIT_ERROR it
    /// never says, so that such an error then is one of unknown code.
    pub fn negotiate(&self, dialect: Dialect, offered: Option<Features>) -> Result<Dialect> {
        let option = |name| self.options.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
        let compression = match option("COMPRESSION") {
            None => Some(Compression::None),
            Some(name) => Compression::from_name(name),
        };
        let usable = |c: &Compression| dialect.version.has_compression(*c) && (*c != Compression::Snappy || cfg!(feature = "snappy"));
        match compression.filter(usable) {
            Some(compression) => Ok(Dialect { compression, features: self.features(offered), ..dialect }),
            // None of its name at all, or none that this version and build have.
            None if option("COMPRESSION").and_then(Compression::from_name).is_none() => {
                Err(Error::new(ErrorKind::BadValue, "STARTUP.COMPRESSION", 0))
            }
            None => Err(Error::new(ErrorKind::Unsupported, "STARTUP.COMPRESSION", 0)),
        }
    }

    fn features(&self, offered: Option<Features>) -> Features {
        let value = |key| self.options.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let asks = |key| value(key).is_some();
        let offered = offered.unwrap_or(Features {
            metadata_id: true,
            tablets_v1: true,
            lwt_mask: value(extension::LWT_ADD_METADATA_MARK).and_then(repeated_mask),
            rate_limit_error: None,
        });
        Features {
            metadata_id: offered.metadata_id && asks(extension::USE_METADATA_ID),
            tablets_v1: offered.tablets_v1 && asks(extension::TABLETS_ROUTING_V1),
            lwt_mask: offered.lwt_mask.filter(|_| asks(extension::LWT_ADD_METADATA_MARK)),
            rate_limit_error: offered.rate_limit_error.filter(|_| asks(extension::RATE_LIMIT_ERROR)),
        }
    }
}

/// The mask in a STARTUP: as `NAME=mask` (what SUPPORTED has; gocql, the Rust driver) or alone (the Python driver), also as the signed
/// number of the same bits (the Java driver).
fn repeated_mask(value: &str) -> Option<u32> {
    let mask = value.strip_prefix(parameter::LWT_META_BIT_MASK).and_then(|rest| rest.strip_prefix('=')).unwrap_or(value);
    let mask = mask.parse().or_else(|_| mask.parse::<i32>().map(|signed| signed as u32)).ok()?;
    can_mark_lwt(mask).then_some(mask)
}
