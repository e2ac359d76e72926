//! PREPARE (v5 §4.1.5): `<query>[<flags>[<keyspace>]]`, the query a `[long string]`; flags and keyspace since v5.

use super::params::supported;
use crate::spec::Dialect;
use crate::spec::flag::prepare as flag;
use crate::wire::{Reader, Result, Writer};

/// A statement to be prepared. The answer is PREPARED.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Prepare<'a> {
    /// CQL.
    pub query: &'a str,
    /// Instead of the connection's keyspace (v5).
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
    pub keyspace: Option<&'a str>,
}

impl<'a> Prepare<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Prepare<'a>> {
        let query = r.long_string("PREPARE.query")?;
        let flags = if dialect.has_prepare_flags() { r.int_flags("PREPARE.flags")? } else { 0 };
        let keyspace = if flags & flag::KEYSPACE != 0 { Some(r.string("PREPARE.keyspace")?) } else { None };
        Ok(Prepare { query, keyspace })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        w.long_string(self.query, "PREPARE.query")?;
        if self.keyspace.is_some() {
            supported(dialect.has_request_keyspace(), "PREPARE.keyspace", w)?;
        }
        if dialect.has_prepare_flags() {
            w.int_flags(if self.keyspace.is_some() { flag::KEYSPACE } else { 0 });
        }
        self.keyspace.map_or(Ok(()), |keyspace| w.string(keyspace, "PREPARE.keyspace"))
    }
}
