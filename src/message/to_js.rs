//! How the fields that serde has no form for go to JavaScript: bytes as `Uint8Array`, addresses and levels as text.

use core::net::IpAddr;

use serde::Serializer;
use serde::ser::SerializeSeq;

use crate::spec::Consistency;

pub(super) fn bytes<S: Serializer>(bytes: &&[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

pub(super) fn optional_bytes<S: Serializer>(bytes: &Option<&[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    match bytes {
        Some(bytes) => serializer.serialize_bytes(bytes),
        None => serializer.serialize_none(),
    }
}

/// By name; a number that has none stays a number.
pub(super) fn consistency<S: Serializer>(level: &Consistency, serializer: S) -> Result<S::Ok, S::Error> {
    match level.name() {
        Some(name) => serializer.serialize_str(name),
        None => serializer.serialize_u16(level.0),
    }
}

pub(super) fn address<S: Serializer>(address: &IpAddr, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(address)
}

pub(super) fn reasons<S: Serializer>(reasons: &[(IpAddr, u16)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(reasons.len()))?;
    for (address, code) in reasons {
        list.serialize_element(&Reason { address, code: *code })?;
    }
    list.end()
}

#[derive(serde::Serialize)]
struct Reason<'a> {
    #[serde(serialize_with = "borrowed_address")]
    address: &'a IpAddr,
    code: u16,
}

fn borrowed_address<S: Serializer>(address: &&IpAddr, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(address)
}
