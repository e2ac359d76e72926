//! AUTH_CHALLENGE (v5 §4.2.7): one `[bytes]` SASL token; null and empty differ. It may come several times.

use crate::wire::{Reader, Result, Writer};

/// The server's question in the SASL exchange.
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct AuthChallenge<'a> {
    /// What it means is the authenticator's.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::optional_bytes"))]
    pub token: Option<&'a [u8]>,
}

impl<'a> AuthChallenge<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<AuthChallenge<'a>> {
        Ok(AuthChallenge { token: r.bytes("AUTH_CHALLENGE.token")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.bytes(self.token, "AUTH_CHALLENGE.token")
    }
}

impl core::fmt::Debug for AuthChallenge<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        super::debug_token("AuthChallenge", self.token, f)
    }
}
