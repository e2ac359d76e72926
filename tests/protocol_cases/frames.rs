//! Frames and the counts in their bodies.

use cqlwire::column::Page;
use cqlwire::conn::{FrameOptions, Role};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Dialect, Opcode, Version};
use cqlwire::value::{CqlType, decode_value};
use cqlwire::wire::{ErrorKind, Reader};

use crate::support::{dialects, frames_of, hex, ty};
use crate::{client, result};

const NONE: Compression = Compression::None;
const FRM_1: &str =
    "84 0e 00 01 08 00 00 00 23 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 00 01 77 00 01 00 01 6b 00 00 00 01 ff 00 00 00 01";

/// FRM-1: tracing id, warnings and payload stand in this order, on any opcode (apache/cassandra-java-driver#2023).
#[test]
fn frm_1_tracing_id_warnings_payload() {
    let prefixes = "000102030405060708090a0b0c0d0e0f 0001 0001 77 0001 0001 6b 00000001 ff";
    for (opcode, stream, message) in [
        ("08", "0001", "00000001"),
        ("00", "0001", "00002200 0001 'm'"),
        ("0c", "ffff", "000d 'STATUS_CHANGE' 0002 'UP' 04 7f000001 00002352"),
        ("06", "0001", "0000"),
    ] {
        let length = hex(prefixes).len() + hex(message).len();
        let literal = format!("84 0e {stream} {opcode} {length:08x} {prefixes} {message}");
        if opcode == "08" {
            assert_eq!(hex(&literal), hex(FRM_1));
        }
        let mut conn = client(Version::V4, NONE);
        conn.feed(&hex(&literal));
        conn.next_frame().unwrap().unwrap();
        let (prefix, response) = conn.response().unwrap();
        assert_eq!(prefix.tracing_id, Some(std::array::from_fn(|n| n as u8)));
        assert_eq!((&prefix.warnings[..], &prefix.custom_payload[..]), (&["w"][..], &[("k", Some(&[0xff][..]))][..]));
        assert_eq!(response.opcode() as u8, hex(opcode)[0]);
        // Flags that nobody has defined do not shift the layout.
        let mut conn = client(Version::V4, NONE);
        conn.feed(&hex(&literal.replacen("84 0e", "84 ee", 1)));
        conn.next_frame().unwrap().unwrap();
        assert_eq!(conn.response().unwrap().1.opcode(), response.opcode());
    }
    // Compressed, all that follows the header is (scylladb/scylladb#2356 left the tracing id outside).
    let body = hex(FRM_1)[9..].to_vec();
    let block = [&[0xf0, body.len() as u8 - 15][..], &body].concat(); // one literal
    let mut frame = hex("84 0f 0001 08");
    frame.extend((block.len() as u32 + 4).to_be_bytes());
    frame.extend([&(body.len() as u32).to_be_bytes()[..], &block].concat());
    let mut conn = client(Version::V4, Compression::Lz4);
    conn.feed(&frame);
    conn.next_frame().unwrap().unwrap();
    assert_eq!(conn.response().unwrap().0.warnings, ["w"]);
}

/// FRM-2: a frame in pieces is one frame, and its flags are read once (apache/cassandra-nodejs-driver#186).
#[test]
fn frm_2_a_frame_in_pieces() {
    assert_eq!(frames_of(|| client(Version::V4, NONE), FRM_1), [(1, Opcode::Result)]);
    let prepared = "84 00 0002 08 0000001b 00000004 0001 aa 00000000 00000000 00000000 00000004";
    let change = "84 00 ffff 0c 00000026 000d 'SCHEMA_CHANGE' 0007 'CREATED' 0008 'KEYSPACE' 0002 'ks'";
    assert_eq!(
        frames_of(|| client(Version::V4, NONE), &format!("{FRM_1} {prepared} 00000000 {change} {FRM_1}")).len(),
        4,
        "PREPARED and SCHEMA_CHANGE once each (apache/cassandra-nodejs-driver#55)"
    );
    let mut conn = client(Version::V4, NONE);
    for byte in hex(FRM_1) {
        assert_eq!(conn.next_frame(), Ok(None));
        conn.feed(&[byte]);
    }
    assert_eq!(conn.next_frame().unwrap().unwrap().stream, 1);
    assert_eq!(conn.response().unwrap().0.warnings, ["w"]);
    assert_eq!(conn.next_frame(), Ok(None));
}

/// FRM-4: counts and nesting are checked against the bytes there are (scylladb/gocql#978, #1104, #1093); the connection goes on.
#[test]
fn frm_4_counts_are_not_taken_on_trust() {
    let columns = |option: &[u8]| [&hex("00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c'"), option, &[0; 4]].concat();
    let nested = |option: &[u8], count: usize| columns(&[&option.repeat(count)[..], &[0, 9].repeat(count)].concat());
    for (body, kind) in [
        (hex("00000004 0002 aaaa 00000001 00000000 ffffffff"), ErrorKind::BadLength),
        (hex("00000004 0002 aaaa 00000001 00000000 7fffffff"), ErrorKind::Truncated),
        (hex("00000002 00000004 00000000 7fffffff"), ErrorKind::BadLength),
        (columns(&hex("0031 ffff")), ErrorKind::Truncated),                   // arity
        (columns(&hex("0030 0001 'k' 0001 'u' ffff")), ErrorKind::Truncated), // fields
        (columns(&[&[0, 0x20].repeat(2_000_000)[..], &[0, 9]].concat()), ErrorKind::TooDeep),
        (nested(&[0, 0x31, 0, 1], 70), ErrorKind::TooDeep),
        (nested(&[0, 0x21, 0, 9], 70), ErrorKind::TooDeep),
    ] {
        for dialect in dialects("4") {
            assert_eq!(result(&body, dialect).unwrap_err().kind, kind, "{:02x?}", &body[..20]);
        }
        let mut conn = client(Version::V4, NONE);
        conn.feed(&hex(&format!("84 00 0001 08 {:08x}", body.len())));
        conn.feed(&body);
        conn.next_frame().unwrap().unwrap();
        assert!(conn.response().is_err());
        conn.feed(&hex("84 00 0002 08 00000004 00000001"));
        assert_eq!(conn.next_frame().unwrap().unwrap().stream, 2);
        conn.response().unwrap();
    }
    // Nested vectors in a class name: the column is opaque, the result is not spoilt.
    let class = format!("{}Int32Type{}", "VectorType(".repeat(200), ",1)".repeat(200));
    let body = columns(&hex(&format!("0000 {:04x} '{class}'", class.len())));
    let ResultMessage::Rows(rows) = result(&body, dialects("4")[0]).unwrap() else { panic!() };
    assert!(matches!(&*rows.metadata.columns.unwrap()[0].ty, CqlType::Custom(_)));
    // Counts in values.
    for (name, cell) in [
        ("list<int>", "7fffffff"),
        ("set<int>", "ffffffff"),
        ("map<int, int>", "7fffffff 00000004 00000001"),
        ("list<list<int>>", "00000001 00000004 7fffffff"),
        ("vector<text, 2>", "ff ffffffffffffffff"),
    ] {
        assert!(decode_value(&ty(name), Some(&hex(cell))).is_err(), "{name} {cell}");
    }
    // A count of rows that are not there.
    let body = hex("00000002 00000004 00000001 00000003 00000004 00000007");
    assert_eq!(result(&body, dialects("4")[0]).unwrap_err().kind, ErrorKind::Truncated);
    for cells in ["00000002 00000004 00000007", "00000001 7fffffff 00000007"] {
        let body = hex(&format!("00000002 00000004 00000001 {cells}"));
        let ResultMessage::Rows(rows) = result(&body, dialects("4")[0]).unwrap() else { panic!() };
        assert_eq!(Page::read(&rows, &[crate::column("c", ty("int"))]).unwrap_err().kind, ErrorKind::Truncated);
    }
}

/// FRM-5: [short] is unsigned, 65,535 is its last; more is refused before a byte is written (scylladb/gocql#1043,
/// scylladb/scylla-rust-driver#820). `tests/limits.rs` has every field.
#[test]
fn frm_5_sixteen_bits() {
    let statements = |count: usize| {
        let statements = vec![(Statement::Prepared(&[0xaa][..]), vec![]); count];
        Request::Batch(Batch { batch_type: 0, statements, consistency: Consistency::One, options: RequestOptions::default() })
    };
    let long = "é".repeat(32_768); // 65,536 bytes in 32,768 characters
    let params = |values| Params { consistency: Consistency::One, values: Some(values), names: vec![], options: RequestOptions::default() };
    let bound = |count| Request::Query(Query { query: "q", params: params(vec![Bound::Null; count]) });
    let register = |name| Request::Register(Register { event_types: vec![name] });
    let execute = |id| Request::Execute(Execute { id, result_metadata_id: &[], params: params(vec![]) });
    for version in Version::ALL {
        let mut conn = cqlwire::conn::Conn::established(Role::Client, Dialect::new(version));
        for (request, fits) in [
            (statements(40_000), true),
            (statements(65_535), true),
            (statements(65_536), false),
            (bound(65_535), true),
            (bound(65_536), false),
            (register(&long[..65_534]), true),
            (register(&long), false),
            (execute(&long.as_bytes()[..65_535]), true),
            (execute(long.as_bytes()), false),
        ] {
            let sent = conn.send(&request, 1, &FrameOptions::default()).map_err(|error| error.kind);
            assert_eq!(sent, if fits { Ok(()) } else { Err(ErrorKind::TooLarge) });
            if !fits {
                assert!(conn.output().unwrap().is_empty(), "nothing of it is left");
            }
            let written = conn.output().unwrap().to_vec();
            conn.sent();
            if fits {
                let mut server = cqlwire::conn::Conn::established(Role::Server, Dialect::new(version));
                server.feed(&written);
                server.next_frame().unwrap().unwrap();
                assert!(server.request().unwrap().1 == request);
            }
        }
    }
    let mut w = cqlwire::wire::Writer::new();
    statements(40_000).encode(&mut w, Dialect::new(Version::V4)).unwrap();
    assert_eq!(w.as_slice()[..3], [0, 0x9c, 0x40]);
    assert!(Request::decode(Opcode::Batch, &mut Reader::new(w.as_slice()), Dialect::new(Version::V4)).is_ok());
}
