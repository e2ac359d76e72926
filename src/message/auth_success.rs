//! AUTH_SUCCESS (v5 §4.2.8): one `[bytes]` SASL token, the last; null and empty differ.

use crate::wire::{Reader, Result, Writer};

/// The end of the SASL exchange: the connection is ready.
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct AuthSuccess<'a> {
    /// For the authenticator to check.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::optional_bytes"))]
    pub token: Option<&'a [u8]>,
}

impl<'a> AuthSuccess<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<AuthSuccess<'a>> {
        Ok(AuthSuccess { token: r.bytes("AUTH_SUCCESS.token")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.bytes(self.token, "AUTH_SUCCESS.token")
    }
}

impl core::fmt::Debug for AuthSuccess<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        super::debug_token("AuthSuccess", self.token, f)
    }
}
