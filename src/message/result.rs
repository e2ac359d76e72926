//! RESULT (v5 §4.2.5): `<kind>`, an `[int]`, and what it says: Void nothing, Set_keyspace a `[string]`; Rows, Prepared and
//! Schema_change have files of their own.

use super::{Prepared, Rows, SchemaChange};
use crate::spec::Dialect;
use crate::spec::code::result_kind as kind;
use crate::wire::{ErrorKind, Reader, Result};

/// The answer to QUERY, PREPARE, EXECUTE and BATCH.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(tag = "kind"))]
pub enum ResultMessage<'a> {
    /// §4.2.5.2
    Rows(Rows<'a>),
    /// §4.2.5.1
    Void,
    /// §4.2.5.3
    #[cfg_attr(feature = "js", serde(rename = "Set_keyspace"))]
    SetKeyspace {
        /// The one now in use.
        keyspace: &'a str,
    },
    /// §4.2.5.4
    Prepared(Prepared<'a>),
    /// §4.2.5.5
    #[cfg_attr(feature = "js", serde(rename = "Schema_change"))]
    SchemaChange(SchemaChange<'a>),
}

impl<'a> ResultMessage<'a> {
    /// Reads the body. The cells of Rows are left as they are.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<ResultMessage<'a>> {
        let here = r.clone();
        Ok(match r.int("RESULT.kind")? {
            kind::ROWS => ResultMessage::Rows(Rows::decode(r, dialect)?),
            kind::VOID => ResultMessage::Void,
            kind::SET_KEYSPACE => ResultMessage::SetKeyspace { keyspace: r.string("RESULT.keyspace")? },
            kind::PREPARED => ResultMessage::Prepared(Prepared::decode(r, dialect)?),
            kind::SCHEMA_CHANGE => ResultMessage::SchemaChange(SchemaChange::decode(r)?),
            _ => return Err(here.error(ErrorKind::BadValue, "RESULT.kind")),
        })
    }
}
