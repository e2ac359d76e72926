//! Compressed bodies of v3 and v4.

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Version};
use cqlwire::wire::ErrorKind;

use crate::client;
use crate::support::hex;

const LZ4: Compression = Compression::Lz4;
const SNAPPY: Compression = Compression::Snappy;

/// CMP-1: nothing is compressed before the server has seen STARTUP, and STARTUP never is (apache/cassandra-gocql-driver#1230).
#[test]
fn cmp_1_options_before_startup() {
    let text = "x".repeat(1000);
    for (version, compression) in [(Version::V3, LZ4), (Version::V3, SNAPPY), (Version::V4, LZ4), (Version::V4, SNAPPY)] {
        let mut conn = Conn::new(Role::Client, version);
        let flags = |conn: &mut Conn, request: &Request<'_>| {
            conn.send(request, 1, &FrameOptions::default()).unwrap();
            let flags = conn.output().unwrap()[1];
            conn.sent();
            flags
        };
        conn.send(&Request::Options, 0, &FrameOptions::default()).unwrap();
        assert_eq!(conn.output().unwrap(), [version.number(), 0, 0, 0, 5, 0, 0, 0, 0]);
        conn.sent();
        let startup = Startup { options: vec![("CQL_VERSION", "3.0.0"), ("COMPRESSION", compression.name()), ("PADDING", &text)] };
        assert_eq!(flags(&mut conn, &Request::Startup(startup)), 0);
        let register = Request::Register(Register { event_types: vec![&text] });
        assert_eq!(flags(&mut conn, &register), 0, "not before the answer");
        conn.feed(&[0x80 | version.number(), 0, 0, 1, 2, 0, 0, 0, 0]);
        conn.next_frame().unwrap().unwrap();
        assert_eq!(flags(&mut conn, &register), 1);
        assert_eq!(flags(&mut conn, &Request::Options), 0, "an empty body has nothing to compress");
    }
}

/// CMP-3: the length before an LZ4 block is big-endian and the uncompressed one; the header has the bytes that follow; snappy has no
/// length before it (scylladb/scylla-rust-driver#65, #63).
#[test]
fn cmp_3_lengths() {
    for (compression, literal) in [
        (LZ4, "84 01 00 01 08 00 00 00 09 00 00 00 04 40 00 00 00 01"),
        (SNAPPY, "84 01 00 01 08 00 00 00 06 04 0c 00 00 00 01"),
        (LZ4, "84 00 00 01 08 00 00 00 04 00 00 00 01"), // without the flag nothing is decompressed
        (SNAPPY, "84 00 00 01 08 00 00 00 04 00 00 00 01"),
    ] {
        let mut conn = client(Version::V4, compression);
        conn.feed(&hex(literal));
        conn.next_frame().unwrap().unwrap();
        assert_eq!(conn.response().unwrap().1, Response::Result(ResultMessage::Void), "{literal}");
    }
    let text = "x".repeat(300);
    let params = || Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
    for compression in [LZ4, SNAPPY] {
        let mut conn = client(Version::V4, compression);
        conn.send(&Request::Query(Query { query: &text, params: params() }), 1, &FrameOptions::default()).unwrap();
        let written = conn.output().unwrap().to_vec();
        assert_eq!(written[5..9], ((written.len() - 9) as u32).to_be_bytes());
        let body = 4 + 300 + 3;
        match compression {
            LZ4 => assert_eq!(written[9..13], (body as u32).to_be_bytes()),
            _ => assert_eq!(written[9..11], [body as u8 & 0x7f | 0x80, (body >> 7) as u8]), // snappy's own varint
        }
    }
    let mut conn = client(Version::V4, LZ4);
    conn.feed(&hex("84 01 0001 08 00000009 04000000 40 00000001")); // little-endian
    conn.next_frame().unwrap().unwrap();
    assert_eq!(conn.response().unwrap_err().kind, ErrorKind::BadCompression);
}

/// CMP-4: a compressed body that is too short is an error of its frame; one of nothing is empty (scylladb/scylla-rust-driver#1639,
/// whatyouhide/xandra#117).
#[test]
fn cmp_4_short_and_empty() {
    let bad = |compression, body: &str| {
        let mut conn = client(Version::V4, compression);
        conn.feed(&hex(&format!("84 01 0001 02 {:08x} {body} 84 00 0002 08 00000004 00000001", hex(body).len())));
        assert_eq!(conn.next_frame().unwrap().unwrap().stream, 1);
        let kind = conn.response().unwrap_err().kind;
        assert_eq!(conn.next_frame().unwrap().unwrap().stream, 2, "the connection goes on");
        conn.response().unwrap();
        kind
    };
    for body in ["", "00", "0000", "000000"] {
        assert_eq!(bad(LZ4, body), ErrorKind::Truncated, "{body}");
    }
    for (compression, body) in [(SNAPPY, ""), (SNAPPY, "80"), (SNAPPY, "04 0c"), (LZ4, "00000001"), (LZ4, "00000005 40 00000001")] {
        assert_eq!(bad(compression, body), ErrorKind::BadCompression, "{compression:?} {body}");
    }
    for (compression, literal) in [
        (LZ4, "84 01 00 00 02 00 00 00 05 00 00 00 00 00"),
        (SNAPPY, "84 01 00 00 02 00 00 00 01 00"),
        (LZ4, "84 01 0000 02 00000004 00000000"), // leniently, without a block
    ] {
        let mut conn = client(Version::V4, compression);
        conn.feed(&hex(literal));
        conn.next_frame().unwrap().unwrap();
        assert_eq!(conn.response().unwrap().1, Response::Ready, "{literal}");
    }
}
