//! L2: one CQL value ↔ bytes, and the descriptions of types. Nothing here knows a frame.

mod bind;
mod bind_leaf;
mod cql_text;
mod cql_type;
mod cursor;
mod decode;
mod encode;
mod marshal;
mod scalar;
mod steps;

pub use bind::{Binder, NumberKind};
pub use cql_text::parse_type;
pub use cql_type::{CqlType, TypeBudget, Udt};
pub(crate) use decode::vint_length;
pub use decode::{decode_value, read_value};
pub use encode::encode_value;
pub use marshal::parse_class;
pub use scalar::{Duration, minimal_varint, parse_uuid, read_duration};
pub use steps::{Steps, Target};

use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

/// One value, owned: the plain form that tests and Rust programs use. Results go to JavaScript as columns, not as these.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A negative length.
    Null,
    /// "Not set" (v4 §3): only in requests.
    Unset,
    /// Zero bytes in a type that has no such value of its own.
    Empty,
    /// boolean
    Boolean(bool),
    /// tinyint
    Tinyint(i8),
    /// smallint
    Smallint(i16),
    /// int
    Int(i32),
    /// bigint, counter
    Bigint(i64),
    /// Milliseconds since 1970.
    Timestamp(i64),
    /// Days since 1970-01-01.
    Date(i32),
    /// Nanoseconds since midnight.
    Time(i64),
    /// float
    Float(f32),
    /// double
    Double(f64),
    /// ascii, text
    Text(String),
    /// blob, custom; also a text cell that is not UTF-8.
    Blob(Vec<u8>),
    /// varint: two's complement, big-endian, no redundant byte.
    Varint(Vec<u8>),
    /// decimal: `unscaled × 10^-scale`.
    Decimal {
        /// Digits after the point; may be negative.
        scale: i32,
        /// As a varint.
        unscaled: Vec<u8>,
    },
    /// uuid, timeuuid
    Uuid([u8; 16]),
    /// inet
    Inet(IpAddr),
    /// duration
    Duration(Duration),
    /// list, set, vector, tuple
    List(Vec<Value>),
    /// map, in the order it came
    Map(Vec<(Value, Value)>),
    /// UDT: the fields in the order of the type; missing ones are null.
    Udt(Vec<Value>),
}
