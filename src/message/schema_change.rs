//! Schema_change, as a RESULT (v5 §4.2.5.5) and as an EVENT (v5 §4.2.6): `<change_type><target><options>`.

use alloc::vec::Vec;

use crate::wire::{Reader, Result, Writer};

/// What was created, updated or dropped. Texts are kept as they come: a server may know more of them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct SchemaChange<'a> {
    /// CREATED, UPDATED, DROPPED.
    pub change_type: &'a str,
    /// KEYSPACE, TABLE, TYPE, FUNCTION, AGGREGATE.
    pub target: &'a str,
    /// The keyspace, or the one the target is in.
    pub keyspace: &'a str,
    /// The target's name; `None` for a keyspace.
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<&'a str>,
    /// Argument types of a function or aggregate.
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
    pub argument_types: Option<Vec<&'a str>>,
}

impl<'a> SchemaChange<'a> {
    /// Reads the fields.
    pub fn decode(r: &mut Reader<'a>) -> Result<SchemaChange<'a>> {
        let change_type = r.string("SCHEMA_CHANGE.change_type")?;
        let target = r.string("SCHEMA_CHANGE.target")?;
        let keyspace = r.string("SCHEMA_CHANGE.keyspace")?;
        let name = if target == "KEYSPACE" { None } else { Some(r.string("SCHEMA_CHANGE.name")?) };
        let has_arguments = matches!(target, "FUNCTION" | "AGGREGATE");
        let argument_types = if has_arguments { Some(r.string_list("SCHEMA_CHANGE.argument_types")?) } else { None };
        Ok(SchemaChange { change_type, target, keyspace, name, argument_types })
    }

    /// Appends the fields.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.string(self.change_type, "SCHEMA_CHANGE.change_type")?;
        w.string(self.target, "SCHEMA_CHANGE.target")?;
        w.string(self.keyspace, "SCHEMA_CHANGE.keyspace")?;
        self.name.map_or(Ok(()), |name| w.string(name, "SCHEMA_CHANGE.name"))?;
        self.argument_types.as_ref().map_or(Ok(()), |types| w.string_list(types, "SCHEMA_CHANGE.argument_types"))
    }
}
