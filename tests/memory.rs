//! Memory, by an allocator that counts: a large frame's buffers are given back, and what the wire claims is not what is allocated.
//! One test function, since the count is of the whole process.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::compress::Compressor;
use cqlwire::frame::segment::put_frames;
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Opcode, Version};
use cqlwire::value::{decode_value, parse_class};
use cqlwire::wire::Reader;
use support::{dialect, dialects, hex, ty};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize, less: usize) {
    let live = LIVE.fetch_add(more, Ordering::Relaxed) + more;
    PEAK.fetch_max(live, Ordering::Relaxed);
    LIVE.fetch_sub(less, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MB: usize = 1 << 20;

/// The most that a call allocates beyond what was there.
fn peak_of<T>(call: impl FnOnce() -> T) -> usize {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    drop(call());
    PEAK.load(Ordering::Relaxed) - before
}

/// An ERROR whose message nobody reads and whose rest is `size` bytes.
fn large_frame(version: u8, size: usize) -> Vec<u8> {
    let mut frame = vec![0x80 | version, 0, 0, 1, 0];
    frame.extend((size as u32).to_be_bytes());
    frame.extend([0, 0, 0, 0, 0, 0]);
    frame.resize(9 + size, 0x55);
    frame
}

fn a_large_response_gives_its_memory_back(name: &str, compression: Compression, version: Version, wire: Vec<u8>, size: usize) {
    let small = large_frame(version.number(), 100);
    let mut small_wire = small.clone();
    if version == Version::V5 {
        small_wire.clear();
        put_frames(&small, (compression == Compression::Lz4).then_some(&mut Compressor::default()), &mut small_wire).unwrap();
    }
    let mut conn = Conn::established(Role::Client, dialect(version, compression));
    let before = LIVE.load(Ordering::Relaxed);
    for chunk in wire.chunks(16 * MB) {
        conn.feed(chunk);
    }
    let header = conn.next_frame().unwrap().unwrap();
    assert_eq!((header.stream, conn.body().unwrap().2.left()), (1, size), "{name}");
    assert!(LIVE.load(Ordering::Relaxed) - before >= wire.len().min(size), "{name}: the frame is held");
    assert_eq!(conn.next_frame().unwrap(), None);
    let held = LIVE.load(Ordering::Relaxed) - before;
    assert!(held < 4 * MB, "{name}: {held} bytes are kept by a connection that is idle");
    conn.feed(&small_wire);
    conn.next_frame().unwrap().unwrap();
    conn.response().unwrap();
}

/// A caller that takes one frame after each feed, and never asks until there is none.
fn what_is_taken_is_dropped_by_whoever_feeds() {
    let frame = large_frame(4, MB);
    let mut conn = Conn::established(Role::Client, dialect(Version::V4, Compression::None));
    let before = LIVE.load(Ordering::Relaxed);
    for _ in 0..50 {
        conn.feed(&frame);
        conn.next_frame().unwrap().unwrap();
    }
    let held = LIVE.load(Ordering::Relaxed) - before;
    assert!(held < 8 * MB, "{held} bytes are kept after 50 frames of 1 MB, each of them taken");
}

fn a_large_request_gives_its_memory_back(compression: Compression, version: Version) {
    let text = "x".repeat(20 * MB);
    let params = Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
    let mut conn = Conn::established(Role::Client, dialect(version, compression));
    let before = LIVE.load(Ordering::Relaxed);
    let request = Request::Query(Query { query: &text, params });
    let peak = peak_of(|| conn.send(&request, 1, &FrameOptions::default()).unwrap());
    // One buffer that grows by doubling, and the compressed copy.
    assert!(peak < 90 * MB, "{compression:?} {version:?}: {peak} bytes for a request of 20 MB");
    conn.output().unwrap();
    conn.sent();
    let held = LIVE.load(Ordering::Relaxed) - before;
    assert!(held < 4 * MB, "{compression:?} {version:?}: {held} bytes are kept after the request was sent");
}

fn claims_are_not_allocated() {
    // scylladb/gocql#978 and #1104, and the like: small inputs that claim much
    let claims = [
        (Opcode::Result, "00000004 0002 aaaa 00000001 00000000 7fffffff"),
        (Opcode::Result, "00000002 00000004 00000000 7fffffff"),
        (Opcode::Result, "00000002 00000004 7fffffff 7fffffff"),
        (Opcode::Result, "00000002 00000000 7fffffff 00000000"),
        (Opcode::Result, "00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' 0031 ffff"),
        (Opcode::Result, "00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' 0030 0001 'k' 0001 'u' ffff"),
        (Opcode::Supported, "ffff 0001 'a' ffff"),
        (Opcode::Error, "00001500 0001 'f' 0004 00000001 00000002 7fffffff"),
        (Opcode::AuthChallenge, "7fffffff 00"),
    ];
    for (opcode, literal) in claims {
        let bytes = hex(literal);
        let peak = peak_of(|| Response::decode(opcode, &mut Reader::new(&bytes), dialects("5")[0]).is_ok());
        assert!(peak < 64 << 10, "{literal}: {peak} bytes");
    }
    for (opcode, literal) in [
        (Opcode::Batch, "00 ffff 01 0001 aa ffff"),
        (Opcode::Query, "00000001 'q' 0001 00000001 ffff"),
        (Opcode::Register, "ffff 0001 'a'"),
        (Opcode::Startup, "ffff 0001 'a' 0000"),
    ] {
        let bytes = hex(literal);
        let peak = peak_of(|| Request::decode(opcode, &mut Reader::new(&bytes), dialects("5")[0]).is_ok());
        assert!(peak < 64 << 10, "{literal}: {peak} bytes");
    }
    for (text, literal) in [
        ("list<int>", "7fffffff 00000000"),
        ("map<int, int>", "7fffffff 00000000"),
        ("vector<text, 65536>", "ff 7fffffffffffffff"),
        ("vector<double, 65536>", "0000000000000000"),
    ] {
        let (ty, bytes) = (ty(text), hex(literal));
        let peak = peak_of(|| decode_value(&ty, Some(&bytes)).is_ok());
        assert!(peak < 64 << 10, "{text}: {peak} bytes");
    }
    // A tuple may end early, and each field that it lacks is a value: 8 bytes an element that stand for 5,000.
    let tuples = ty(&format!("list<tuple<{}>>", vec!["int"; 5000].join(", ")));
    let bytes = [&hex("000003e8")[..], &hex("00000004 ffffffff").repeat(1000)].concat();
    let peak = peak_of(|| decode_value(&tuples, Some(&bytes)).is_ok());
    assert!(peak < 64 * MB, "{peak} bytes for {} bytes of tuples that end early", bytes.len());
    let deep = "org.apache.cassandra.db.marshal.ListType(".repeat(50_000);
    let peak = peak_of(|| parse_class(&deep));
    assert!(peak < 2 * deep.len(), "{peak} bytes for a class name of {}", deep.len());
    // A frame of 256 MB that is announced but does not come.
    let peak = peak_of(|| {
        let mut conn = Conn::established(Role::Client, dialect(Version::V4, Compression::None));
        conn.feed(&hex("84 00 0001 08 10000000"));
        conn.next_frame().unwrap()
    });
    assert!(peak < 64 << 10, "{peak} bytes");
}

#[test]
fn memory_is_given_back_and_claims_are_not_allocated() {
    claims_are_not_allocated();
    what_is_taken_is_dropped_by_whoever_feeds();
    let size = 100 * MB;
    let frame = large_frame(4, size);
    let packed = |body: Vec<u8>| {
        let mut packed = vec![0x84, 1, 0, 1, 0];
        packed.extend((body.len() as u32).to_be_bytes());
        packed.extend(body);
        packed
    };
    let lz4 = [&(size as u32).to_be_bytes()[..], &support::independent::lz4_pack(&frame[9..])].concat();
    let snappy = support::independent::snappy_pack(&frame[9..]);
    a_large_response_gives_its_memory_back("v4", Compression::None, Version::V4, frame, size);
    a_large_response_gives_its_memory_back("v4-lz4", Compression::Lz4, Version::V4, packed(lz4), size);
    a_large_response_gives_its_memory_back("v4-snappy", Compression::Snappy, Version::V4, packed(snappy), size);
    for compression in [Compression::None, Compression::Lz4] {
        let mut wire = vec![];
        put_frames(&large_frame(5, 20 * MB), (compression == Compression::Lz4).then_some(&mut Compressor::default()), &mut wire).unwrap();
        a_large_response_gives_its_memory_back("v5", compression, Version::V5, wire, 20 * MB);
    }
    a_large_request_gives_its_memory_back(Compression::None, Version::V4);
    a_large_request_gives_its_memory_back(Compression::Lz4, Version::V4);
    a_large_request_gives_its_memory_back(Compression::Snappy, Version::V4);
    a_large_request_gives_its_memory_back(Compression::None, Version::V5);
    a_large_request_gives_its_memory_back(Compression::Lz4, Version::V5);
}
