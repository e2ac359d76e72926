//! REGISTER (v5 §4.1.8): `[string list]` of event types. The answer is READY.

use alloc::vec::Vec;

use crate::wire::{Reader, Result, Writer};

/// The events to be told of: TOPOLOGY_CHANGE, STATUS_CHANGE, SCHEMA_CHANGE.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Register<'a> {
    /// Names of event types.
    pub event_types: Vec<&'a str>,
}

impl<'a> Register<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<Register<'a>> {
        Ok(Register { event_types: r.string_list("REGISTER.event_types")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.string_list(&self.event_types, "REGISTER.event_types")
    }
}
