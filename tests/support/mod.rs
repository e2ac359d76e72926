//! What the integration tests share: hexadecimal literals, recorded sessions, and the values that a driver decoded from them.
#![allow(dead_code)] // each test file uses a part

pub mod driver_json;
pub mod recording;

use std::sync::Arc;

use cqlwire::spec::{Compression, Dialect, Version};
use cqlwire::value::{CqlType, parse_type};

/// The bytes of a hexadecimal literal; spaces and line ends may stand anywhere.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    assert!(digits.len().is_multiple_of(2), "odd number of digits in {text}");
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_else(|| panic!("not hexadecimal: {text}")) as u8;
    digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Bytes as a hexadecimal literal.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A type by its CQL text.
pub fn ty(text: &str) -> Arc<CqlType> {
    Arc::new(parse_type(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// A dialect with a compression.
pub fn dialect(version: Version, compression: Compression) -> Dialect {
    Dialect { compression, ..Dialect::new(version) }
}

/// Plain v3, v4 and v5.
pub fn dialects() -> [Dialect; 3] {
    [Version::V3, Version::V4, Version::V5].map(Dialect::new)
}
