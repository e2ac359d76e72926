//! AUTHENTICATE (v5 §4.2.3): a `[string]`, the authenticator's class. Unframed in v5; what follows it is framed.

use crate::wire::{Reader, Result, Writer};

/// The server wants credentials.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct Authenticate<'a> {
    /// As `org.apache.cassandra.auth.PasswordAuthenticator`.
    pub authenticator: &'a str,
}

impl<'a> Authenticate<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<Authenticate<'a>> {
        Ok(Authenticate { authenticator: r.string("AUTHENTICATE.authenticator")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.string(self.authenticator, "AUTHENTICATE.authenticator")
    }
}
