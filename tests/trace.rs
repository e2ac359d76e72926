//! Where fields stand: every byte of a message belongs to a field of its trace, in order; and what is said of the place where reading
//! fails. Offsets are counted in the layouts of the specification.

mod support;

use cqlwire::conn::{Conn, Role};
use cqlwire::frame::Header;
use cqlwire::message::*;
use cqlwire::spec::{Opcode, Version};
use cqlwire::value::parse_type;
use cqlwire::wire::{Entry, EntryValue};
use support::hex;
use support::recording::{Replay, SESSIONS};

/// The codec with the frame of this body before it.
fn reading(version: Version, opcode: Opcode, flags: u8, body: &[u8]) -> Conn {
    let role = if opcode.is_response() { Role::Client } else { Role::Server };
    let header = Header { version: version.number(), is_response: opcode.is_response(), flags, stream: 1, opcode, length: body.len() };
    // As on a v4 connection: segments have nothing to do with this.
    let mut conn = Conn::new(role, version);
    conn.feed(&[&header.to_bytes()[..], body].concat());
    conn.next_frame().unwrap().unwrap();
    conn
}

fn shown(entries: &[Entry]) -> Vec<String> {
    let line = |entry: &Entry| {
        let index = entry.index.map(|index| format!("[{index}]")).unwrap_or_default();
        let value = match &entry.value {
            Some(EntryValue::Text(text)) => format!(" {text}"),
            Some(EntryValue::Number(number)) => format!(" {number}"),
            None => String::new(),
        };
        format!("{}{}{index} {}..{}{value}", "  ".repeat(entry.depth), entry.what, entry.start, entry.end)
    };
    entries.iter().map(line).collect()
}

#[test]
fn a_query_with_everything() {
    let body = hex(
        "0001 0001 'k' 00000001 ff 00000001 'q' 0001 000001ff 0001 0001 'a' 00000002 0007 00000064 00000001 aa 0008 0000000000000005 0002 'ks' 00000009",
    );
    let conn = reading(Version::V5, Opcode::Query, 4, &body);
    let expected = [
        "header 0..9",
        "  frame.version 0..1 5 request",
        "  frame.flags 1..2 4",
        "  frame.stream 2..4 1",
        "  frame.opcode 4..5 7 QUERY",
        "  frame.length 5..9 71",
        "frame.custom_payload 9..11 1",
        "frame.custom_payload[0] 11..19",
        "  frame.custom_payload 11..14 k",
        "  frame.custom_payload 14..19 0xff",
        "QUERY 19..80",
        "  QUERY.query 19..24 q",
        "  params.consistency 24..26 ONE",
        "  params.flags 26..30 511",
        "  params.values 30..32 1",
        "  params.values[0] 32..41",
        "    params.name 32..35 a",
        "    params.value 35..41 0x0007",
        "  params.page_size 41..45 100",
        "  params.paging_state 45..50 0xaa",
        "  params.serial_consistency 50..52 SERIAL",
        "  params.timestamp 52..60 5",
        "  params.keyspace 60..64 ks",
        "  params.now_in_seconds 64..68 9",
    ];
    let traced = conn.trace(None).unwrap();
    // The lengths in the two lines that say the whole are those of this body.
    let expected =
        expected.map(|line| line.replace("9 71", &format!("9 {}", body.len())).replace("19..80", &format!("19..{}", 9 + body.len())));
    assert_eq!(shown(&traced.entries), expected);
    assert_eq!(traced.bytes[9..], body);
}

const COLUMNS: &str = "00000001 00000002 0001 'k' 0001 't' 0001 'a' 0009 0001 'b' 0020 0007";

#[test]
fn rows_with_and_without_columns() {
    let body = hex(&format!("00000002 {COLUMNS} 00000001 00000004 0000002a 00000010 00000001 00000008 3ff8000000000000"));
    let cells = [
        "rows 43..71",
        "  row[0] 43..71",
        "    column[0] 43..51",
        "      collection.element 43..51 0x0000002a",
        "      int 47..51 42",
        "    column[1] 51..71",
        "      collection.element 51..71 0x00000001000000083ff8000000000000",
        "      collection.count 55..59 1",
        "      collection.element[0] 59..71",
        "        collection.element 59..71 0x3ff8000000000000",
        "        double 63..71 1.5",
    ];
    let traced = reading(Version::V4, Opcode::Result, 0, &body).trace(None).unwrap();
    let lines = shown(&traced.entries);
    let start = lines.iter().position(|line| line.starts_with("rows ")).unwrap();
    assert_eq!(lines[start..], cells);

    let bare = hex("00000002 00000004 00000002 00000001 00000004 0000002a ffffffff");
    let conn = reading(Version::V4, Opcode::Result, 0, &bare);
    let columns = ["int", "text"].map(|text| ColumnSpec {
        keyspace: "k".into(),
        table: "t".into(),
        name: text.into(),
        ty: parse_type(text).unwrap().into(),
    });
    let last = |known| shown(&conn.trace(known).unwrap().entries).last().unwrap().trim().to_string();
    assert_eq!(last(None), "ROWS.cell 33..37 null");
    assert_eq!(last(Some(&columns)), "collection.element 33..37 null");
}

#[test]
fn rows_of_no_columns_have_no_place() {
    // Found by the fuzzer: 65,536 rows, all that may be of them, in 16 bytes.
    let conn = reading(Version::V4, Opcode::Result, 0, &hex("00000002 00000000 00000000 00010000"));
    let Response::Result(ResultMessage::Rows(rows)) = conn.response().unwrap().1 else { panic!("not rows") };
    assert_eq!(rows.row_count, 65_536);
    let trace = conn.trace(None).unwrap();
    assert_eq!(shown(&trace.entries).last().unwrap(), "rows 25..25");
}

/// What is not a group covers the frame without gap, each byte in the order of the wire.
fn covers_all(entries: &[Entry], length: usize, what: &str) {
    let mut at = 0;
    for entry in entries.iter().filter(|entry| entry.value.is_some()) {
        // A cell's bytes come first, then the parts that are read from them.
        assert!(entry.start <= at, "{what}: nothing for {at}..{}", entry.start);
        at = at.max(entry.end);
    }
    assert_eq!(at, length, "{what}");
}

#[test]
fn every_byte_of_every_recorded_frame_is_in_a_field() {
    let mut frames = 0;
    for name in SESSIONS {
        for frame in Replay::of(name, usize::MAX).frames {
            let role = if frame.header.is_response { Role::Client } else { Role::Server };
            let mut conn = Conn::new(role, frame.dialect.version);
            conn.feed(&frame.uncompressed());
            let header = conn.next_frame().unwrap().unwrap();
            let traced = conn.trace(None).unwrap();
            let has_tail = frame.header.is_response && frame.has_tail();
            covers_all(&traced.entries, traced.bytes.len() - if has_tail { 2 } else { 0 }, &format!("{name} {header:?}"));
            frames += 1;
        }
    }
    assert!(frames > 1000, "{frames}");
}

#[test]
fn where_reading_fails() {
    let class = "org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , 2)";
    let text = format!("00000002 00000001 00000002 0001 'k' 0001 't' 0001 'a' 0009 0009 'embedding' 0000 {:04x} '{class}'", class.len());
    for (version, opcode, body, path) in [
        (Version::V4, Opcode::Query, "00000001 'q' 0001 01 0002 00000001 07 00000005 07", "QUERY.values[1]"),
        (Version::V4, Opcode::Batch, "00 0002 00 00000001 'q' 0000 01 0005 aaaaaa", "BATCH.queries[1]"),
        (
            Version::V4,
            Opcode::Result,
            "00000004 0002 aaaa 00000000 00000001 00000000 0001 'k' 0001 't' 0001 'x' 0020 0021 0009",
            "RESULT.Prepared.bind.column[0].of.of",
        ),
        (Version::V4, Opcode::Result, "00000004 0002 aaaa 00000000 00000000 00000000 00000000 00000001 0001 'k'", "RESULT.Prepared.result"),
        (
            Version::V5,
            Opcode::Error,
            "00001300 0001 'x' 0001 00000001 00000002 00000002 04 7f000001 0001 05 7f000001 0001",
            "ERROR.reason_map[1]",
        ),
        (Version::V4, Opcode::Event, "000d 'STATUS_CHANGE' 0002 'UP' 05", "EVENT.STATUS_CHANGE"),
        (Version::V4, Opcode::Supported, "0001 0001 'a' 0002 0001 'b' 0005", "SUPPORTED.options[0].options[1]"),
        (Version::V4, Opcode::Result, "00000009", "RESULT"),
    ] {
        let body = hex(body);
        let conn = reading(version, opcode, 0, &body);
        let error = if opcode.is_response() { conn.response().err() } else { conn.request().err() }.unwrap();
        assert_eq!(conn.path(&error, None), path, "{error}");
    }
    // Cells: the metadata can be read, row 1's second cell cannot.
    let body = hex(&format!("{text} 00000002 00000004 00000001 ffffffff 00000004 00000002 00000007 00000000000000"));
    let conn = reading(Version::V4, Opcode::Result, 0, &body);
    let (_, Response::Result(ResultMessage::Rows(rows))) = conn.response().unwrap() else { panic!() };
    let error = cqlwire::column::Page::read(&rows, rows.metadata.columns.as_deref().unwrap()).unwrap_err();
    assert_eq!(conn.path(&error, None), "RESULT.Rows.row[1].column[1] \"embedding\"");
}
