//! Streams of frames and segments as reports have them: what stands between them, what a connection has agreed, what a server says
//! before anything is agreed. Each stream is also fed byte by byte and cut in two at every place.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::error::ErrorDetail;
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Dialect, Opcode, Version};
use cqlwire::wire::ErrorKind;
use support::{dialect, frames_of, hex};

fn client(version: Version, compression: Compression) -> impl Fn() -> Conn {
    move || Conn::established(Role::Client, dialect(version, compression))
}

fn server(version: Version, compression: Compression) -> impl Fn() -> Conn {
    move || Conn::established(Role::Server, dialect(version, compression))
}

const NONE: Compression = Compression::None;
const LZ4: Compression = Compression::Lz4;
const SNAPPY: Compression = Compression::Snappy;

#[test]
fn an_empty_segment_is_nothing() {
    // krojew/cdrs-tokio#99
    let empty = "00 00 02 6a 36 c4 d3 7e 77 44";
    let options = "09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86";
    assert_eq!(frames_of(server(Version::V5, NONE), empty), []);
    assert_eq!(frames_of(server(Version::V5, NONE), &format!("{empty} {empty} {options} {empty}")), [(1, Opcode::Options)]);
    // Nothing to send is no segment.
    assert!(client(Version::V5, NONE)().output().unwrap().is_empty());
}

#[test]
fn one_segment_holds_several_frames() {
    // whatyouhide/xandra#356
    let literal = "1a 00 02 20 55 a2 85 00 00 01 08 00 00 00 04 00 00 00 01 85 00 00 02 08 00 00 00 04 00 00 00 01 77 2e e9 4d";
    assert_eq!(frames_of(client(Version::V5, NONE), literal), [(1, Opcode::Result), (2, Opcode::Result)]);
}

#[test]
fn one_frame_comes_in_several_segments() {
    // whatyouhide/xandra#245, ferrosadb/ferrosa#328: the cut is inside the frame's header
    let first = "05 00 00 04 48 23 85 00 00 03 08 fc 35 cc 1a";
    let second = "08 00 00 a1 79 10 00 00 00 04 00 00 00 01 46 50 34 68";
    assert_eq!(frames_of(client(Version::V5, NONE), &format!("{first} {second}")), [(3, Opcode::Result)]);
    assert_eq!(frames_of(client(Version::V5, NONE), first), []);
    // scylladb/gocql#1074: an opening part without a byte (its checksums are those of no payload)
    let mut opener = hex("00 00 00");
    opener.extend(&cqlwire::frame::crc::crc24(0, 3).to_le_bytes()[..3]);
    opener.extend(cqlwire::frame::crc::crc32(&[]).to_le_bytes());
    let opener: String = opener.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(frames_of(client(Version::V5, NONE), &format!("{opener} {first} {opener} {second}")), [(3, Opcode::Result)]);
    // A self-contained segment cannot come before the rest of a frame.
    let mut conn = client(Version::V5, NONE)();
    conn.feed(&hex(first));
    conn.feed(&hex("09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86"));
    assert_eq!(conn.next_frame().unwrap_err().kind, ErrorKind::BadValue);
}

#[test]
fn the_uncompressed_length_says_whether_a_segment_is_compressed() {
    // datastax/go-cassandra-native-protocol#61
    for literal in [
        "09 00 00 00 04 c2 b8 95 05 00 00 01 05 00 00 00 00 b5 55 74 86",
        "0a 00 12 00 04 12 26 53 90 05 00 00 01 05 00 00 00 00 eb 1c 9c f1",
    ] {
        assert_eq!(frames_of(server(Version::V5, LZ4), literal), [(1, Opcode::Options)]);
    }
}

#[test]
fn a_bad_checksum_ends_the_connection() {
    // the trailer is seeded with fa 2d 55 ca: a plain CRC-32 of the payload is wrong
    for literal in ["09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 34 0d 22 af", "09 00 02 a5 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86"]
    {
        let mut conn = server(Version::V5, NONE)();
        conn.feed(&hex(literal));
        let error = conn.next_frame().unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadChecksum);
        conn.feed(&hex("09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86"));
        assert_eq!(conn.next_frame(), Err(error), "and stays ended");
    }
}

#[test]
fn segments_begin_after_authenticate_too() {
    // apache/cassandra-python-driver#1099
    let mut conn = Conn::new(Role::Client, Version::V5);
    conn.send(&Request::Startup(Startup { options: vec![("CQL_VERSION", "3.0.0")] }), 0, &FrameOptions::default()).unwrap();
    assert_eq!(conn.output().unwrap(), hex("05 00 0000 01 00000016 0001 000b 'CQL_VERSION' 0005 '3.0.0'"));
    conn.sent();
    // AUTHENTICATE without a segment, AUTH_SUCCESS in one, in one chunk
    conn.feed(&hex("85 00 0000 03 00000003 0001 'a' 0d0002cf07f7 85 00 0000 10 00000004 ffffffff 3cd8d3ac"));
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::Authenticate);
    conn.send(&Request::Options, 1, &FrameOptions::default()).unwrap();
    assert_eq!(conn.output().unwrap(), hex("09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86"));
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::AuthSuccess);
    assert_eq!(conn.response().unwrap().1, Response::AuthSuccess(AuthSuccess { token: None }));
    assert_eq!(conn.next_frame(), Ok(None));
}

#[test]
fn trace_id_warnings_and_payload_stand_before_any_message() {
    // apache/cassandra-java-driver#2023; apache/cassandra-nodejs-driver#186 for the cuts
    let prefixes = "00010203 04050607 08090a0b 0c0d0e0f 0001 0001 77 0001 0001 6b 00000001 ff";
    let void = "00000001";
    let error = "00002200 0001 'm'";
    let event = "000d 'STATUS_CHANGE' 0002 'UP' 04 7f000001 00002352";
    for (opcode, message, stream) in [("08", void, 1), ("00", error, 1), ("0c", event, -1i16)] {
        let length = hex(prefixes).len() + hex(message).len();
        let literal = format!("84 0e {:04x} {opcode} {length:08x} {prefixes} {message}", stream as u16);
        assert_eq!(frames_of(client(Version::V4, NONE), &literal).len(), 1);
        let mut conn = client(Version::V4, NONE)();
        conn.feed(&hex(&literal));
        conn.next_frame().unwrap();
        let (prefix, response) = conn.response().unwrap();
        assert_eq!(prefix.tracing_id, Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
        assert_eq!((&prefix.warnings[..], &prefix.custom_payload[..]), (&["w"][..], &[("k", Some(&[0xff][..]))][..]));
        match response {
            Response::Result(ResultMessage::Void) => {}
            Response::Error(error) => assert_eq!(error.detail, ErrorDetail::None {}),
            Response::Event(Event::StatusChange(change)) => assert_eq!(change.port, 9042),
            other => panic!("{other:?}"),
        }
    }
    // Flags that nobody has defined change nothing.
    let mut conn = client(Version::V4, NONE)();
    conn.feed(&hex("84 e0 0001 08 00000004 00000001"));
    conn.next_frame().unwrap();
    assert_eq!(conn.response().unwrap().1, Response::Result(ResultMessage::Void));
}

#[test]
fn compressed_bodies_as_servers_send_them() {
    // scylladb/scylla-rust-driver#65 and #63, #1639; whatyouhide/xandra#117
    for (compression, literal, opcode) in [
        (LZ4, "84 01 0001 08 00000009 00000004 40 00000001", Opcode::Result),
        (SNAPPY, "84 01 0001 08 00000006 04 0c 00000001", Opcode::Result),
        (LZ4, "84 01 0001 02 00000005 00000000 00", Opcode::Ready),
        (LZ4, "84 01 0001 02 00000004 00000000", Opcode::Ready),
        (SNAPPY, "84 01 0001 02 00000001 00", Opcode::Ready),
        // without the flag nothing is decompressed
        (LZ4, "84 00 0001 08 00000004 00000001", Opcode::Result),
        (SNAPPY, "84 00 0001 08 00000004 00000001", Opcode::Result),
    ] {
        assert_eq!(frames_of(client(Version::V4, compression), literal), [(1, opcode)]);
        let mut conn = client(Version::V4, compression)();
        conn.feed(&hex(literal));
        conn.next_frame().unwrap();
        conn.response().unwrap();
    }
    // A body that does not decompress spoils its own frame only.
    for (compression, bad, kind) in [
        (LZ4, "84 01 0001 08 00000000", ErrorKind::Truncated),
        (LZ4, "84 01 0001 08 00000001 00", ErrorKind::Truncated),
        (LZ4, "84 01 0001 08 00000003 000000", ErrorKind::Truncated),
        (LZ4, "84 01 0001 08 00000009 04000000 40 00000001", ErrorKind::BadCompression), // little-endian
        (LZ4, "84 01 0001 08 00000009 00000005 40 00000001", ErrorKind::BadCompression),
        (SNAPPY, "84 01 0001 08 00000000", ErrorKind::BadCompression),
        (SNAPPY, "84 01 0001 08 00000006 05 0c 00000001", ErrorKind::BadCompression),
        (NONE, "84 01 0001 08 00000009 00000004 40 00000001", ErrorKind::NotNegotiated),
    ] {
        let mut conn = client(Version::V4, compression)();
        conn.feed(&hex(&format!("{bad} 84 00 0002 08 00000004 00000001")));
        assert_eq!(conn.next_frame().unwrap().unwrap().stream, 1);
        assert_eq!(conn.response().unwrap_err().kind, kind, "{bad}");
        assert_eq!(conn.next_frame().unwrap().unwrap().stream, 2);
        conn.response().unwrap();
    }
    // v5 has compressed segments instead: the frame's flag says nothing.
    let mut conn = client(Version::V5, NONE)();
    let frame = hex("85 01 0001 08 00000004 00000001");
    let mut segments = vec![];
    cqlwire::frame::segment::put_frames(&frame, None, &mut segments).unwrap();
    conn.feed(&segments);
    conn.next_frame().unwrap();
    assert_eq!(conn.response().unwrap().1, Response::Result(ResultMessage::Void));
}

#[test]
fn nothing_is_compressed_before_the_server_has_seen_startup() {
    // apache/cassandra-gocql-driver#1230
    for compression in [LZ4, SNAPPY] {
        let mut conn = Conn::new(Role::Client, Version::V4);
        let options = FrameOptions::default();
        conn.send(&Request::Options, 0, &options).unwrap();
        assert_eq!(conn.output().unwrap(), hex("04 00 0000 05 00000000"));
        conn.sent();
        let padding = "x".repeat(1000);
        let startup = Startup { options: vec![("CQL_VERSION", "3.0.0"), ("COMPRESSION", compression.name()), ("PADDING", &padding)] };
        conn.send(&Request::Startup(startup), 1, &options).unwrap();
        conn.send(&Request::Options, 2, &options).unwrap(); // sent before the answer
        assert_eq!(conn.output().unwrap()[1], 0);
        conn.sent();
        conn.feed(&hex("84 00 0001 02 00000000"));
        conn.next_frame().unwrap();
        let params = Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
        conn.send(&Request::Query(Query { query: &padding, params }), 3, &options).unwrap();
        assert_eq!(conn.output().unwrap()[1], 1);
        conn.sent();
        conn.send(&Request::Options, 4, &options).unwrap(); // of an empty body there is nothing to compress
        assert_eq!(conn.output().unwrap(), hex("04 00 0004 05 00000000"));
    }
}

#[test]
fn a_startup_that_cannot_be_agreed_is_not_sent() {
    for (version, name, kind) in [(Version::V5, "snappy", ErrorKind::Unsupported), (Version::V4, "zstd", ErrorKind::BadValue)] {
        let mut conn = Conn::new(Role::Client, version);
        let startup = Startup { options: vec![("CQL_VERSION", "3.0.0"), ("COMPRESSION", name)] };
        let error = conn.send(&Request::Startup(startup), 0, &FrameOptions::default()).unwrap_err();
        assert_eq!(error.kind, kind);
        assert!(conn.output().unwrap().is_empty());
        assert_eq!(conn.dialect(), Dialect::new(version));
    }
}

#[test]
fn an_error_of_another_version_is_read() {
    // apache/cassandra-java-driver#790, datastax/csharp-driver#283: what a server that lacks our version answers
    for first in ["83", "84", "85", "86", "c2"] {
        for stream in ["0000", "0001"] {
            let mut conn = Conn::new(Role::Client, Version::V5);
            conn.feed(&hex(&format!("{first} 00 {stream} 00 00000009 0000000a 0003 'use'")));
            let header = conn.next_frame().unwrap().unwrap();
            assert_eq!(header.version, hex(first)[0] & 0x7f);
            let Response::Error(error) = conn.response().unwrap().1 else { panic!() };
            assert_eq!((error.code, error.message, conn.is_established()), (0x0a, "use", false));
        }
    }
    // Its fields are those of the frame's version, not of the connection's.
    let mut conn = Conn::new(Role::Client, Version::V5);
    conn.feed(&hex("84 00 0000 00 0000001d 00001500 0001 66 0004 00000001 00000002 00000001 0006 'SIMPLE'"));
    conn.next_frame().unwrap();
    let Response::Error(error) = conn.response().unwrap().1 else { panic!() };
    assert!(matches!(error.detail, ErrorDetail::WriteFailure { .. }));
    for (literal, kind) in [
        ("84 00 0001 02 00000000", ErrorKind::WrongVersion),
        ("82 00 00 00 00000003 000000", ErrorKind::WrongVersion), // v1 and v2 have an 8-byte header
        ("05 00 0001 05 00000000", ErrorKind::WrongDirection),
    ] {
        let mut conn = Conn::new(Role::Client, Version::V5);
        conn.feed(&hex(literal));
        assert_eq!(conn.next_frame().unwrap_err().kind, kind, "{literal}");
    }
}

#[test]
fn segments_of_131071_bytes_are_full() {
    // shotover/shotover-proxy#1141, whatyouhide/xandra#245: 131071 bytes in one segment, 131072 in two
    let params = || Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
    let text = "q".repeat(131_071);
    for (length, headers) in [(131_071, vec!["ffff03"]), (131_072, vec!["ffff01", "010000"])] {
        let mut conn = client(Version::V5, NONE)();
        let query = &text[..length - 9 - 4 - 2 - 4];
        conn.send(&Request::Query(Query { query, params: params() }), 1, &FrameOptions::default()).unwrap();
        let output = conn.output().unwrap().to_vec();
        let mut rest = &output[..];
        for header in headers {
            assert_eq!(rest[..3], hex(header));
            let payload = (u32::from_le_bytes([rest[0], rest[1], rest[2], 0]) & 0x1_ffff) as usize;
            rest = &rest[6 + payload + 4..];
        }
        assert!(rest.is_empty());
        let mut server = server(Version::V5, NONE)();
        server.feed(&output);
        server.next_frame().unwrap();
        assert!(matches!(server.request().unwrap().1, Request::Query(read) if read.query == query));
    }
}

#[test]
fn traffic_is_counted_on_the_wire_and_before_compression() {
    let text = "x".repeat(1000);
    for (version, compression, frame) in [(Version::V4, NONE, 9 + 1007), (Version::V4, LZ4, 9 + 1007), (Version::V5, LZ4, 9 + 1010)] {
        let mut client = client(version, compression)();
        let mut server = server(version, compression)();
        let params = Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
        client.send(&Request::Query(Query { query: &text, params }), 1, &FrameOptions::default()).unwrap();
        let wire = client.output().unwrap().to_vec();
        assert_eq!((client.traffic().sent, client.traffic().frames_sent), (0, frame));
        client.sent();
        assert_eq!(client.traffic().sent, wire.len() as u64);
        assert!(compression == NONE || wire.len() < 100);
        server.feed(&wire);
        assert_eq!((server.traffic().received, server.traffic().frames_received), (wire.len() as u64, 0));
        server.next_frame().unwrap();
        assert_eq!(server.traffic().frames_received, frame);
    }
}
