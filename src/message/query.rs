//! QUERY (v5 §4.1.4): `<query><query_parameters>`, the query a `[long string]`.

use super::params::{Params, ParamsWriter};
use crate::spec::Dialect;
use crate::wire::{Reader, Result, Writer};

/// One statement as text.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Query<'a> {
    /// CQL.
    pub query: &'a str,
    /// Consistency, values and options.
    #[cfg_attr(feature = "js", serde(flatten))]
    pub params: Params<'a>,
}

impl<'a> Query<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Query<'a>> {
        Ok(Query { query: r.long_string("QUERY.query")?, params: Params::decode(r, dialect)? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        self.params.encode(open(w, self.query, self.params.consistency, dialect)?, w)
    }
}

/// Begins a QUERY; the parameters follow.
pub fn open(w: &mut Writer, query: &str, consistency: crate::spec::Consistency, dialect: Dialect) -> Result<ParamsWriter> {
    w.long_string(query, "QUERY.query")?;
    Ok(ParamsWriter::open(w, consistency, dialect))
}
