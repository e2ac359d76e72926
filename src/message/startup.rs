//! STARTUP (v5 §4.1.1): `[string map]` of options. Never compressed, never in a segment.

use alloc::vec::Vec;

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
    /// build lacks, is refused. Keys in any case, as servers take them.
    pub fn negotiate(&self, dialect: Dialect) -> Result<Dialect> {
        let option = |name| self.options.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
        let compression = match option("COMPRESSION") {
            None => Some(Compression::None),
            Some(name) => Compression::from_name(name),
        };
        let usable = |c: &Compression| dialect.version.has_compression(*c) && (*c != Compression::Snappy || cfg!(feature = "snappy"));
        match compression.filter(usable) {
            Some(compression) => {
                Ok(Dialect { compression, features: Features { metadata_id: option("SCYLLA_USE_METADATA_ID").is_some() }, ..dialect })
            }
            None => Err(Error::new(ErrorKind::Unsupported, "STARTUP.COMPRESSION", 0)),
        }
    }
}
