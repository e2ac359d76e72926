//! v5's segments.

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Opcode, Version};
use cqlwire::wire::ErrorKind;

use crate::support::independent::segment;
use crate::support::{frames_of, hex, to_hex};
use crate::{client, server};

const NONE: Compression = Compression::None;
const LZ4: Compression = Compression::Lz4;
const OPTIONS: &str = "09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86";

/// SEG-1: an empty segment says nothing and is never sent (krojew/cdrs-tokio#99).
#[test]
fn seg_1_an_empty_segment() {
    let empty = "00 00 02 6a 36 c4 d3 7e 77 44";
    assert_eq!(frames_of(|| server(Version::V5, NONE), empty), []);
    assert_eq!(frames_of(|| server(Version::V5, NONE), &format!("{empty} {empty} {OPTIONS} {empty} {OPTIONS}")), [(1, Opcode::Options); 2]);
    // One that is not self-contained, and those of an LZ4 connection.
    let (open, options) = (to_hex(&segment(&[], false, false, false)), hex("05 00 0001 05 00000000"));
    assert_eq!(frames_of(|| server(Version::V5, NONE), &format!("{open} {OPTIONS}")), [(1, Opcode::Options)]);
    let lz4 = [segment(&[], true, true, false), segment(&options, true, true, false), segment(&[], false, true, false)].concat();
    assert_eq!(frames_of(|| server(Version::V5, LZ4), &to_hex(&lz4)), [(1, Opcode::Options)]);
    for compression in [NONE, LZ4] {
        assert!(client(Version::V5, compression).output().unwrap().is_empty());
    }
}

/// SEG-2: one segment holds several frames (whatyouhide/xandra#356).
#[test]
fn seg_2_several_frames_in_a_segment() {
    let two = "1a 00 02 20 55 a2 85 00 00 01 08 00 00 00 04 00 00 00 01 85 00 00 02 08 00 00 00 04 00 00 00 01 77 2e e9 4d";
    assert_eq!(frames_of(|| client(Version::V5, NONE), two), [(1, Opcode::Result), (2, Opcode::Result)]);
    // What is sent at one moment shares a segment.
    let mut conn = client(Version::V5, NONE);
    for stream in 0..100 {
        conn.send(&Request::Options, stream, &FrameOptions::default()).unwrap();
    }
    assert_eq!(conn.output().unwrap()[..3], [0x84, 0x03, 0x02]); // 900 bytes
    let lz4 = segment(&hex("85 00 0001 08 00000004 00000001").repeat(40), true, true, true);
    assert_eq!(frames_of(|| client(Version::V5, LZ4), &to_hex(&lz4)), [(1, Opcode::Result); 40]);
}

/// SEG-3: a frame comes in several segments, cut inside its header too (whatyouhide/xandra#245, ferrosadb/ferrosa#328).
#[test]
fn seg_3_a_frame_in_several_segments() {
    let (first, second) = ("05 00 00 04 48 23 85 00 00 03 08 fc 35 cc 1a", "08 00 00 a1 79 10 00 00 00 04 00 00 00 01 46 50 34 68");
    assert_eq!(frames_of(|| client(Version::V5, NONE), first), []);
    assert_eq!(frames_of(|| client(Version::V5, NONE), &format!("{first} {second}")), [(3, Opcode::Result)]);
    // Cut at any place, with and without an empty opener (scylladb/gocql#1074), in either kind of connection.
    let frame = hex("85 00 0003 08 00000004 00000001");
    for (at, compression) in (0..=13).flat_map(|at| [(at, NONE), (at, LZ4)]) {
        let lz4 = compression == LZ4;
        let parts = [segment(&frame[..at], false, lz4, false), segment(&frame[at..], false, lz4, false)].concat();
        assert_eq!(frames_of(|| client(Version::V5, compression), &to_hex(&parts)), [(3, Opcode::Result)], "cut at {at}");
    }
    // A frame that is cut is not mixed with whole ones.
    let mut conn = client(Version::V5, NONE);
    conn.feed(&hex(&format!("{first} {OPTIONS}")));
    assert_eq!(conn.next_frame().unwrap_err().kind, ErrorKind::BadValue);
    // 131,071 bytes and one more: T5.
}

/// SEG-4: in an LZ4 connection every header has 8 bytes; the uncompressed length decides (datastax/go-cassandra-native-protocol#61).
#[test]
fn seg_4_what_is_not_compressed() {
    let (passed_through, block) = (
        "09 00 00 00 04 c2 b8 95 05 00 00 01 05 00 00 00 00 b5 55 74 86",
        "0a 00 12 00 04 12 26 53 90 05 00 00 01 05 00 00 00 00 eb 1c 9c f1",
    );
    for literal in [passed_through, block] {
        assert_eq!(frames_of(|| server(Version::V5, LZ4), literal), [(1, Opcode::Options)]);
    }
    // A block that grew is not sent; the CRC-32 covers what is sent; there is no length before the block.
    let mut conn = client(Version::V5, LZ4);
    conn.send(&Request::Options, 1, &FrameOptions::default()).unwrap();
    assert_eq!(conn.output().unwrap(), hex(passed_through));
    let mut damaged = hex(block);
    *damaged.last_mut().unwrap() ^= 1;
    let mut conn = server(Version::V5, LZ4);
    conn.feed(&damaged);
    assert_eq!(conn.next_frame().unwrap_err().kind, ErrorKind::BadChecksum);
    let mut conn = server(Version::V5, NONE); // without LZ4 the header has 6 bytes: another CRC-24
    conn.feed(&hex(passed_through));
    assert_eq!(conn.next_frame().unwrap_err().kind, ErrorKind::BadChecksum);
}

/// SEG-5: segments begin after AUTHENTICATE as after READY, between two messages of one chunk (apache/cassandra-python-driver#1099).
#[test]
fn seg_5_segments_after_authenticate() {
    let success = "0d 00 02 cf 07 f7 85 00 00 00 10 00 00 00 04 ff ff ff ff 3c d8 d3 ac";
    let handshake = |literal: &str| {
        let mut conn = Conn::new(Role::Client, Version::V5);
        conn.send(&Request::Startup(Startup { options: vec![("CQL_VERSION", "3.0.0")] }), 0, &FrameOptions::default()).unwrap();
        conn.output().unwrap();
        conn.sent();
        conn.feed(&hex(literal));
        conn
    };
    let mut conn = handshake(&format!("85 00 0000 03 00000003 0001 'a' {success}"));
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::Authenticate);
    conn.send(&Request::AuthResponse(AuthResponse { token: None }), 0, &FrameOptions::default()).unwrap();
    assert_eq!(conn.output().unwrap()[..3], [13, 0, 0x02]);
    conn.sent();
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::AuthSuccess);
    assert_eq!(conn.response().unwrap().1, Response::AuthSuccess(AuthSuccess { token: None }));

    let mut conn = handshake(&format!("85 00 0000 02 00000000 {success}"));
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::Ready);
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::AuthSuccess);
    conn.send(&Request::Options, 1, &FrameOptions::default()).unwrap(); // a heartbeat
    assert_eq!(conn.output().unwrap(), hex(OPTIONS));
    // ERROR before either is not in a segment.
    let mut conn = handshake("85 00 0000 00 00000008 0000000a 0002 'no'");
    assert_eq!(conn.next_frame().unwrap().unwrap().opcode, Opcode::Error);
    assert!(!conn.is_established());
}
