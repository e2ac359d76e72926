//! What the integration tests share: hexadecimal literals, recorded sessions, and the values that a driver decoded from them.
#![allow(dead_code)] // each test file uses a part

pub mod driver_json;
pub mod independent;
pub mod messages;
pub mod plain_writer;
pub mod random;
pub mod recording;
pub mod responses;
pub mod scylla;

use std::sync::Arc;

use cqlwire::conn::Conn;
use cqlwire::spec::{Compression, Dialect, Features, Opcode, Version};
use cqlwire::value::{CqlType, parse_type};

/// The bytes of a literal: hexadecimal digits, and text in single quotes; spaces and line ends may stand between them.
pub fn hex(literal: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, part) in literal.split('\'').enumerate() {
        if index % 2 == 1 {
            bytes.extend(part.as_bytes());
            continue;
        }
        let digits: Vec<u8> = part.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        assert!(digits.len().is_multiple_of(2), "odd number of digits in {literal}");
        let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_else(|| panic!("not hexadecimal: {literal}")) as u8;
        bytes.extend(digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])));
    }
    bytes
}

/// Bytes as a hexadecimal literal.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A type by its CQL text.
pub fn ty(text: &str) -> Arc<CqlType> {
    Arc::new(parse_type(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// Every version with every compression it has.
pub const DIALECTS: [(Version, Compression); 8] = [
    (Version::V3, Compression::None),
    (Version::V3, Compression::Lz4),
    (Version::V3, Compression::Snappy),
    (Version::V4, Compression::None),
    (Version::V4, Compression::Lz4),
    (Version::V4, Compression::Snappy),
    (Version::V5, Compression::None),
    (Version::V5, Compression::Lz4),
];

/// A dialect with a compression.
pub fn dialect(version: Version, compression: Compression) -> Dialect {
    Dialect { compression, ..Dialect::new(version) }
}

/// Dialects by letter: `3`, `4`, `5`, and `x` for v4 with result metadata ids (SCYLLA_USE_METADATA_ID).
pub fn dialects(letters: &str) -> Vec<Dialect> {
    letters
        .chars()
        .map(|letter| match letter {
            '3' => Dialect::new(Version::V3),
            '4' => Dialect::new(Version::V4),
            '5' => Dialect::new(Version::V5),
            'x' => Dialect { features: Features { metadata_id: true, ..Features::NONE }, ..Dialect::new(Version::V4) },
            other => panic!("no dialect {other}"),
        })
        .collect()
}

/// `(stream, opcode)` of every frame that a codec reads, which is the same byte by byte and cut in two anywhere.
pub fn frames_of(conn: impl Fn() -> Conn, literal: &str) -> Vec<(i16, Opcode)> {
    let bytes = hex(literal);
    let read = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let (mut conn, mut seen) = (conn(), vec![]);
        for piece in pieces {
            conn.feed(piece);
            while let Some(header) = conn.next_frame().unwrap() {
                conn.body().unwrap();
                seen.push((header.stream, header.opcode));
            }
        }
        seen
    };
    let whole = read(&mut [&bytes[..]].into_iter());
    assert_eq!(read(&mut bytes.chunks(1)), whole, "byte by byte");
    for at in 0..bytes.len() {
        assert_eq!(read(&mut [&bytes[..at], &bytes[at..]].into_iter()), whole, "cut at {at}");
    }
    whole
}
