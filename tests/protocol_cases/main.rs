//! Where codecs and drivers went wrong: public reports and misleading sentences of the specification, each under an id, with the report's
//! own bytes, the right value and its siblings. A test says its id in the line above it (`/// SEG-1: …`); what needs sockets or
//! JavaScript is in `js-tests/protocol-cases.test.mjs`, with the id in the test's name.

#[path = "../support/mod.rs"]
mod support;

mod classes;
mod compression;
mod errors;
mod frames;
mod metadata;
mod numbers;
mod routing;
mod segments;
mod specification;
mod values;

use std::sync::Arc;

use cqlwire::column::Page;
use cqlwire::conn::{Conn, Role};
use cqlwire::message::{ColumnSpec, ResultMessage, Rows, RowsMetadata};
use cqlwire::spec::{Compression, Dialect, Version};
use cqlwire::value::{CqlType, Value, decode_value, encode_value};
use cqlwire::wire::{Reader, Writer};
use support::{dialect, hex, to_hex};

/// Every id, and where its tests are: `r` here, `j` in JavaScript.
const CASES: &[(&str, &str)] = &[
    ("T1", "r"),       // v5: the trailer is a seeded CRC-32
    ("T2", "r"),       // 5 + 3 bytes of header where LZ4 is agreed
    ("T3", "r"),       // the uncompressed length marks what is not compressed
    ("T4", "r"),       // the self-contained flag is bit 17 from zero
    ("T5", "r"),       // 131,071 bytes a segment
    ("T6", "r"),       // elements of variable size in a vector have a vint length
    ("T7", "r"),       // the handshake of v5 is plain
    ("T8", "r"),       // tracing id and warnings stand in responses
    ("T9", "r"),       // v4's order of what stands before the message
    ("T10", "r"),      // write types that v4 does not list
    ("T11", "r j"),    // AUTH_SUCCESS shows readiness
    ("T12", "r j"),    // the largest date
    ("T13", "r"),      // EXECUTE's metadata id is [short bytes]
    ("T14", "r"),      // where SCYLLA_USE_METADATA_ID puts it
    ("SEG-1", "r"),    // an empty segment
    ("SEG-2", "r"),    // several frames in a segment
    ("SEG-3", "r"),    // a frame larger than a segment
    ("SEG-4", "r"),    // segments that are not compressed, in an LZ4 connection
    ("SEG-5", "r"),    // segments begin after AUTHENTICATE too
    ("FRM-1", "r"),    // order of tracing id, warnings, payload
    ("FRM-2", "r j"),  // bodies in pieces
    ("FRM-4", "r"),    // counts and nesting are not taken on trust
    ("FRM-5", "r j"),  // 16-bit counts
    ("CMP-1", "r"),    // nothing is compressed before STARTUP
    ("CMP-3", "r"),    // the length before an LZ4 block
    ("CMP-4", "r"),    // compressed bodies that are short or empty
    ("META-1", "r j"), // rows of another number of columns
    ("META-2", "r j"), // Metadata_changed
    ("META-4", "r"),   // the layout is the connection's
    ("META-5", "r"),   // the paging state stands with No_metadata too
    ("ERR-1", "r"),    // unknown write types, levels and codes
    ("ERR-2", "r"),    // failures in each version
    ("NEG-1", "r j"),  // an ERROR of another version
    ("NEG-3", "r j"),  // SASL tokens
    ("NUM-1", "r"),    // signs of varint and decimal
    ("NUM-2", "r"),    // vints and durations
    ("NUM-3", "r j"),  // the centre of dates
    ("NUM-5", "r j"),  // 64-bit numbers
    ("VAL-1", "r"),    // zero bytes
    ("VAL-2", "r j"),  // nulls in collections
    ("VAL-4", "r"),    // user-defined types that end early
    ("VEC-1", "r"),    // types that look fixed
    ("VEC-2", "r"),    // elements of variable size
    ("CUS-1", "r"),    // types by class name
    ("SCY-1", "r"),    // tablets
    ("ROU-1", "r"),    // tokens
    ("CON-1", "j"),    // late answers
    ("CON-2", "j"),    // sockets that end
    ("CON-3", "j"),    // a transport that cuts, delays and shares buffers
    ("WSM-1", "j"),    // memory that grows
];

#[test]
fn every_case_has_a_test_and_every_test_its_case() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let rust: String = std::fs::read_dir(folder.join("tests/protocol_cases"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let js = std::fs::read_to_string(folder.join("js-tests/protocol-cases.test.mjs")).unwrap();
    let ids_of = |line: &str| line.split_once(':').map(|(ids, _)| ids.split(", ").map(String::from).collect::<Vec<_>>());
    let mut found: Vec<(String, char)> = Vec::new();
    let lines: Vec<&str> = rust.lines().collect();
    for at in (0..lines.len()).filter(|at| lines[*at] == "#[test]") {
        let first = lines[..at].iter().rposition(|line| !line.starts_with("///")).map_or(0, |before| before + 1);
        let ids = lines[first].strip_prefix("/// ").and_then(ids_of);
        found.extend(ids.into_iter().flatten().map(|id| (id, 'r')));
    }
    found.extend(js.lines().filter_map(|line| line.strip_prefix("test(\"").and_then(ids_of)).flatten().map(|id| (id, 'j')));
    let expected: Vec<_> =
        CASES.iter().flat_map(|(id, places)| places.split(' ').map(|place| (id.to_string(), place.chars().next().unwrap()))).collect();
    let missing: Vec<_> = expected.iter().filter(|case| !found.contains(case)).collect();
    let unknown: Vec<_> = found.iter().filter(|case| !expected.contains(case)).collect();
    assert_eq!((missing, unknown), (vec![], vec![]), "without a test; not in the list");
}

fn client(version: Version, compression: Compression) -> Conn {
    Conn::established(Role::Client, dialect(version, compression))
}

fn server(version: Version, compression: Compression) -> Conn {
    Conn::established(Role::Server, dialect(version, compression))
}

/// The body of a RESULT.
fn result(body: &[u8], dialect: Dialect) -> Result<ResultMessage<'_>, cqlwire::wire::Error> {
    ResultMessage::decode(&mut Reader::new(body), dialect)
}

fn column(name: &str, ty: Arc<CqlType>) -> ColumnSpec {
    ColumnSpec { keyspace: "k".into(), table: "t".into(), name: name.into(), ty }
}

/// A cell decodes to this, alone and as a column.
fn reads(ty: &Arc<CqlType>, literal: &str, value: &Value) {
    let cell = hex(literal);
    assert_eq!(decode_value(ty, Some(&cell)).as_ref(), Ok(value), "{ty} {literal}");
    let mut cells = Writer::new();
    cells.bytes(Some(&cell), "cell").unwrap();
    let metadata = RowsMetadata { column_count: 1, ..RowsMetadata::default() };
    let rows = Rows { metadata, row_count: 1, cells: cells.as_slice(), cells_at: 0 };
    let page = Page::read(&rows, &[column("c", ty.clone())]).unwrap();
    assert_eq!(page.columns[0].value(ty, 0), *value, "{ty} {literal} in a column");
}

/// The value is written so, with its length.
fn writes(ty: &Arc<CqlType>, value: &Value, literal: &str) {
    let mut w = Writer::new();
    encode_value(ty, value, &mut w).unwrap_or_else(|error| panic!("{ty} {value:?}: {error}"));
    let content = hex(literal);
    assert_eq!(to_hex(w.as_slice()), to_hex(&[&(content.len() as u32).to_be_bytes()[..], &content].concat()), "{ty} {value:?}");
}

fn both_ways(ty: &Arc<CqlType>, literal: &str, value: Value) {
    reads(ty, literal, &value);
    writes(ty, &value, literal);
}
