//! AUTH_RESPONSE (v5 §4.1.2): one `[bytes]` SASL token. One length, not two: scylladb/scylla-rust-driver#273.

use crate::wire::{Reader, Result, Writer};

/// The client's part of the SASL exchange.
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct AuthResponse<'a> {
    /// Null and empty differ.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::optional_bytes"))]
    pub token: Option<&'a [u8]>,
}

impl<'a> AuthResponse<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<AuthResponse<'a>> {
        Ok(AuthResponse { token: r.bytes("AUTH_RESPONSE.token")? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        w.bytes(self.token, "AUTH_RESPONSE.token")
    }
}

impl core::fmt::Debug for AuthResponse<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        super::debug_token("AuthResponse", self.token, f)
    }
}
