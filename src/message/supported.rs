//! SUPPORTED (v5 §4.2.4): `[string multimap]` of STARTUP options and PROTOCOL_VERSIONS.

use alloc::vec::Vec;

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
}
