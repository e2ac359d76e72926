//! EXECUTE (v5 §4.1.6): `<id>[<result_metadata_id>]<query_parameters>`, ids as `[short bytes]`. The metadata id is there whenever the
//! connection has negotiated it, even if empty.

use super::params::{Params, ParamsWriter};
use crate::spec::{Consistency, Dialect};
use crate::wire::{Reader, Result, Writer};

/// One prepared statement.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Execute<'a> {
    /// From PREPARED.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bytes"))]
    pub id: &'a [u8],
    /// From PREPARED or the latest Rows with Metadata_changed; empty for a statement that was prepared without one. Not
    /// written where the dialect has no such field.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bytes"))]
    pub result_metadata_id: &'a [u8],
    /// Consistency, values and options.
    #[cfg_attr(feature = "js", serde(flatten))]
    pub params: Params<'a>,
}

impl<'a> Execute<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Execute<'a>> {
        Ok(Execute {
            id: r.short_bytes("EXECUTE.id")?,
            result_metadata_id: if dialect.has_result_metadata_id() { r.short_bytes("EXECUTE.result_metadata_id")? } else { &[] },
            params: Params::decode(r, dialect)?,
        })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        self.params.encode(open(w, self.id, self.result_metadata_id, self.params.consistency, dialect)?, w)
    }
}

/// Begins an EXECUTE; the parameters follow.
pub fn open(w: &mut Writer, id: &[u8], result_metadata_id: &[u8], consistency: Consistency, dialect: Dialect) -> Result<ParamsWriter> {
    w.short_bytes(id, "EXECUTE.id")?;
    if dialect.has_result_metadata_id() {
        w.short_bytes(result_metadata_id, "EXECUTE.result_metadata_id")?;
    }
    Ok(ParamsWriter::open(w, consistency, dialect))
}
