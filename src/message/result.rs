//! RESULT (v5 §4.2.5): `<kind>`, an `[int]`, and what it says: Void nothing, Set_keyspace a `[string]`; Rows, Prepared and
//! Schema_change have files of their own.

use super::{Prepared, Rows, SchemaChange};
use crate::spec::Dialect;
use crate::spec::code::result_kind as kind;
use crate::wire::{ErrorKind, Reader, Result, Writer};

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
            kind::ROWS => ResultMessage::Rows(r.group("Rows", None, |r| Rows::decode(r, dialect))?),
            kind::VOID => ResultMessage::Void,
            kind::SET_KEYSPACE => ResultMessage::SetKeyspace { keyspace: r.string("RESULT.keyspace")? },
            kind::PREPARED => ResultMessage::Prepared(r.group("Prepared", None, |r| Prepared::decode(r, dialect))?),
            kind::SCHEMA_CHANGE => ResultMessage::SchemaChange(r.group("Schema_change", None, SchemaChange::decode)?),
            _ => return Err(here.error(ErrorKind::BadValue, "RESULT.kind")),
        })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        w.int(match self {
            ResultMessage::Rows(_) => kind::ROWS,
            ResultMessage::Void => kind::VOID,
            ResultMessage::SetKeyspace { .. } => kind::SET_KEYSPACE,
            ResultMessage::Prepared(_) => kind::PREPARED,
            ResultMessage::SchemaChange(_) => kind::SCHEMA_CHANGE,
        });
        match self {
            ResultMessage::Rows(rows) => rows.encode(w, dialect),
            ResultMessage::Void => Ok(()),
            ResultMessage::SetKeyspace { keyspace } => w.string(keyspace, "RESULT.keyspace"),
            ResultMessage::Prepared(prepared) => prepared.encode(w, dialect),
            ResultMessage::SchemaChange(change) => change.encode(w),
        }
    }
}
