//! What crosses to JavaScript as plain objects, beside the messages themselves.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use crate::frame::Prefix;
use crate::message::{ColumnSpec, ScyllaOptions};
use crate::route::Tablet;
use crate::spec::{Consistency, Opcode, code};
use crate::value::CqlType;
use crate::wire::{Entry, EntryValue, Error};

/// An [`Error`], for JavaScript to make an exception of.
#[derive(Serialize)]
pub struct JsError {
    /// Of what was read: where in the message.
    path: String,
    kind: &'static str,
    what: &'static str,
    at: usize,
    element: Option<u32>,
    /// The end of a sentence that begins with `what`.
    meaning: &'static str,
    message: String,
}

impl JsError {
    pub fn of(error: Error, path: String) -> JsError {
        let message = if path.is_empty() { error.to_string() } else { format!("{path}: {error}") };
        let Error { kind, what, at, element } = error;
        JsError { path, kind: kind.name(), what, at, element, meaning: kind.meaning(), message }
    }
}

/// Names and codes that both sides use.
#[derive(Serialize)]
pub struct Tables {
    consistencies: Vec<(&'static str, u16)>,
    errors: &'static [(i32, &'static str)],
    batch_types: [&'static str; 3],
    opcodes: Vec<(u8, &'static str)>,
}

impl Tables {
    pub fn all() -> Tables {
        Tables {
            consistencies: Consistency::ALL.iter().map(|(level, name)| (*name, level.0)).collect(),
            errors: code::error::ERRORS,
            batch_types: code::BATCH_TYPES,
            opcodes: Opcode::ALL.iter().map(|opcode| (*opcode as u8, opcode.name())).collect(),
        }
    }
}

/// A column or bind marker.
#[derive(Serialize)]
pub struct JsColumn<'a> {
    keyspace: &'a str,
    table: &'a str,
    name: &'a str,
    r#type: JsType<'a>,
}

impl JsColumn<'_> {
    pub fn of(column: &ColumnSpec) -> JsColumn<'_> {
        let ColumnSpec { keyspace, table, name, ty } = column;
        JsColumn { keyspace, table, name, r#type: js_type(ty) }
    }
}

/// A type, with its children. JavaScript makes the text of a type with parameters from those of its children, when it is asked for:
/// written out at each level it would be of the square of the size that came.
#[derive(Serialize, Default)]
struct JsType<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    of: Vec<JsType<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimension: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keyspace: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

fn js_type(ty: &CqlType) -> JsType<'_> {
    let plain = |kind, of| JsType { kind, of, ..JsType::default() };
    let leaf = |kind, of| JsType { text: Some(ty.to_string()), ..plain(kind, of) };
    match ty {
        CqlType::Native(native) => leaf(native.name(), Vec::new()),
        CqlType::Custom(class) => JsType { name: Some(class), ..leaf("custom", Vec::new()) },
        CqlType::List(element) => plain("list", [js_type(element)].into()),
        CqlType::Set(element) => plain("set", [js_type(element)].into()),
        CqlType::Map(key, value) => plain("map", [js_type(key), js_type(value)].into()),
        CqlType::Tuple(items) => plain("tuple", items.iter().map(|item| js_type(item)).collect()),
        CqlType::Vector(element, dimension) => JsType { dimension: Some(*dimension), ..plain("vector", [js_type(element)].into()) },
        CqlType::Udt(udt) => JsType {
            names: Some(udt.fields.iter().map(|(name, _)| &**name).collect()),
            keyspace: Some(&udt.keyspace),
            name: Some(&udt.name),
            ..leaf("udt", udt.fields.iter().map(|(_, field)| js_type(field)).collect())
        },
    }
}

/// A field of a trace, or a group of them.
#[derive(Serialize)]
pub struct JsEntry<'a> {
    depth: usize,
    what: &'static str,
    index: Option<usize>,
    start: usize,
    end: usize,
    text: Option<&'a str>,
    number: Option<f64>,
}

impl JsEntry<'_> {
    pub fn of(entry: &Entry) -> JsEntry<'_> {
        let Entry { depth, what, index, start, end, value } = entry;
        let (text, number) = match value {
            Some(EntryValue::Text(text)) => (Some(&**text), None),
            Some(EntryValue::Number(number)) => (None, Some(*number)),
            None => (None, None),
        };
        JsEntry { depth: *depth, what, index: *index, start: *start, end: *end, text, number }
    }
}

/// Tracing id, warnings and payload of a frame.
#[derive(Serialize)]
pub struct JsPrefix<'a> {
    #[serde(with = "bytes")]
    tracing_id: Option<&'a [u8]>,
    warnings: &'a [&'a str],
    payload: Vec<(&'a str, Bytes<'a>)>,
}

impl<'a> JsPrefix<'a> {
    pub fn of(prefix: &'a Prefix<'a>) -> JsPrefix<'a> {
        JsPrefix {
            tracing_id: prefix.tracing_id.as_ref().map(|id| &id[..]),
            warnings: &prefix.warnings,
            payload: prefix.custom_payload.iter().map(|(name, value)| (*name, Bytes(*value))).collect(),
        }
    }
}

/// What a ScyllaDB node says of itself.
#[derive(Serialize)]
pub struct JsScylla<'a> {
    #[serde(flatten)]
    options: ScyllaOptions<'a>,
    sharding: Option<JsSharding>,
}

/// What `shardOf` takes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsSharding {
    nr_shards: u16,
    ignore_msb: u8,
}

impl<'a> JsScylla<'a> {
    pub fn of(options: ScyllaOptions<'a>) -> JsScylla<'a> {
        let sharding = options.sharding().map(|(nr_shards, ignore_msb)| JsSharding { nr_shards, ignore_msb });
        JsScylla { options, sharding }
    }
}

/// A tablet, its tokens as BigInts.
#[derive(Serialize)]
pub struct JsTablet<'a> {
    first_token: i64,
    last_token: i64,
    replicas: Vec<(Bytes<'a>, i32)>,
}

impl JsTablet<'_> {
    pub fn of(tablet: &Tablet) -> JsTablet<'_> {
        let Tablet { first_token, last_token, replicas } = tablet;
        let replicas = replicas.iter().map(|(host, shard)| (Bytes(Some(host)), *shard)).collect();
        JsTablet { first_token: *first_token, last_token: *last_token, replicas }
    }
}

/// Bytes or null, as `Uint8Array` or null.
struct Bytes<'a>(Option<&'a [u8]>);

impl Serialize for Bytes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        bytes::serialize(&self.0, serializer)
    }
}

mod bytes {
    pub fn serialize<S: serde::Serializer>(bytes: &Option<&[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => serializer.serialize_bytes(bytes),
            None => serializer.serialize_none(),
        }
    }
}
