//! How the fields that serde has no form for go to JavaScript: bytes as `Uint8Array`, addresses and levels as text.

use alloc::vec::Vec;
use core::net::IpAddr;

use serde::Serializer;
use serde::ser::SerializeSeq;

use super::{Bound, Statement};
use crate::spec::code::BATCH_TYPES;
use crate::spec::{Consistency, scylla};

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

/// By name; a number that has none stays a number.
pub(super) fn op_type<S: Serializer>(op_type: &u8, serializer: S) -> Result<S::Ok, S::Error> {
    match scylla::OP_TYPES.get(usize::from(*op_type)) {
        Some(name) => serializer.serialize_str(name),
        None => serializer.serialize_u8(*op_type),
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

/// As a `BigInt`, for which serde has no form of its own: what is too wide for any number.
pub(super) fn bigint<S: Serializer>(value: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_i128(i128::from(*value)),
        None => serializer.serialize_none(),
    }
}

pub(super) fn optional_consistency<S: Serializer>(level: &Option<Consistency>, serializer: S) -> Result<S::Ok, S::Error> {
    match level {
        Some(level) => consistency(level, serializer),
        None => serializer.serialize_none(),
    }
}

pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

pub(super) fn batch_type<S: Serializer>(batch_type: &u8, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(BATCH_TYPES.get(usize::from(*batch_type)).unwrap_or(&""))
}

/// A cell as `Uint8Array`, null as null; unset as `true`, of which JavaScript makes its constant.
impl serde::Serialize for Bound<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Bound::Null => serializer.serialize_none(),
            Bound::Unset => serializer.serialize_bool(true),
            Bound::Bytes(bytes) => serializer.serialize_bytes(bytes),
        }
    }
}

/// A statement of a BATCH: its text, or its id as `Uint8Array`.
#[derive(serde::Serialize)]
struct JsStatement<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(serialize_with = "optional_bytes", skip_serializing_if = "Option::is_none")]
    id: Option<&'a [u8]>,
    params: &'a [Bound<'a>],
}

#[allow(clippy::type_complexity)] // the field's own
pub(super) fn statements<S: Serializer>(statements: &[(Statement<'_>, Vec<Bound<'_>>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(statements.iter().map(|(statement, params)| match *statement {
        Statement::Text(query) => JsStatement { query: Some(query), id: None, params },
        Statement::Prepared(id) => JsStatement { query: None, id: Some(id), params },
    }))
}
