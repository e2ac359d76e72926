//! The frame layer alone: checksums, LZ4 and snappy, segments, and the receive buffer by size of chunk. `cargo bench --bench frame`.

use std::hint::black_box;

use cqlwire::conn::{Conn, Role};
use cqlwire::frame::compress::{self, Compressor};
use cqlwire::frame::crc;
use cqlwire::frame::segment::put_frames;
use cqlwire::spec::{Compression, Dialect, Version, limit};
use cqlwire::wire::{Room, Writer};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 4] = [64, 1 << 10, 16 << 10, 100 << 10];

/// `len` bytes of words joined by spaces, as `kind` says, or of floats.
fn content(kind: &str, len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let words: Vec<String> = (0..256).map(|_| (0..3 + random() % 8).map(|_| (b'a' + (random() % 26) as u8) as char).collect()).collect();
    let mut out = vec![];
    while out.len() < len {
        match kind {
            "text" => out.extend(format!("{} ", words[random() as usize % 256]).bytes()),
            "floats" => out.extend(((random() >> 8) as f32 / 8_388_608.0 - 1.0).to_be_bytes()),
            _ => unreachable!(),
        }
    }
    out.truncate(len);
    out
}

/// A frame of version 5 or 4 around a body that nobody reads.
fn frame(version: u8, body: &[u8]) -> Vec<u8> {
    [&[0x80 | version, 0, 0, 1, 0x08], &(body.len() as u32).to_be_bytes()[..], body].concat()
}

fn checksums(c: &mut Criterion) {
    c.bench_function("crc/24", |b| b.iter(|| crc::crc24(black_box(0x12_3456_789a), 5)));
    let mut group = c.benchmark_group("crc/32");
    for size in SIZES {
        let bytes = content("text", size);
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(BenchmarkId::from_parameter(size), |b| b.iter(|| crc::crc32(black_box(&bytes))));
    }
}

fn bodies(c: &mut Criterion) {
    for (compression, name) in [(Compression::Lz4, "lz4"), (Compression::Snappy, "snappy")] {
        for kind in ["text", "floats"] {
            let mut group = c.benchmark_group(format!("{name}/{kind}"));
            for size in SIZES {
                let plain = content(kind, size);
                let (mut compressor, mut body, mut out) = (Compressor::default(), Writer::from(plain.clone()), Room::default());
                group.throughput(Throughput::Bytes(size as u64));
                group.bench_function(BenchmarkId::new("compress", size), |b| {
                    b.iter(|| {
                        body.truncate(0);
                        body.put(black_box(&plain));
                        compressor.body(compression, &mut body, 0)
                    });
                });
                group.bench_function(BenchmarkId::new("decompress", size), |b| {
                    b.iter(|| compress::decompress_body(compression, black_box(body.as_slice()), limit::FRAME_BODY, &mut out));
                });
            }
        }
    }
}

fn segments(c: &mut Criterion) {
    for lz4 in [false, true] {
        let mut group = c.benchmark_group(if lz4 { "segments/lz4" } else { "segments/plain" });
        for size in SIZES.into_iter().chain([1 << 20]) {
            let frame = frame(5, &content("text", size));
            let (mut compressor, mut wire) = (Compressor::default(), vec![]);
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new("put", size), |b| {
                b.iter(|| {
                    wire.clear();
                    put_frames(black_box(&frame), lz4.then_some(&mut compressor), &mut wire)
                });
            });
            let compression = if lz4 { Compression::Lz4 } else { Compression::None };
            let mut conn = Conn::established(Role::Client, Dialect { compression, ..Dialect::new(Version::V5) });
            group.bench_function(BenchmarkId::new("read", size), |b| b.iter(|| read(&mut conn, black_box(&wire), 64 << 10)));
        }
    }
}

/// One frame of 1 MiB in chunks: the time must not depend on their number beyond what each call costs.
fn chunks(c: &mut Criterion) {
    for version in [Version::V4, Version::V5] {
        let mut wire = frame(version.number(), &content("floats", 1 << 20));
        if version == Version::V5 {
            let frame = std::mem::take(&mut wire);
            put_frames(&frame, None, &mut wire).unwrap();
        }
        let mut group = c.benchmark_group(format!("chunks/{version:?}"));
        group.sample_size(20).throughput(Throughput::Bytes(wire.len() as u64));
        let mut conn = Conn::established(Role::Client, Dialect::new(version));
        for chunk in [1, 16, 256, 4 << 10, 64 << 10, 1 << 20] {
            group.bench_function(BenchmarkId::from_parameter(chunk), |b| b.iter(|| read(&mut conn, black_box(&wire), chunk)));
        }
    }
}

fn read(conn: &mut Conn, wire: &[u8], chunk: usize) {
    for chunk in wire.chunks(chunk) {
        conn.feed(chunk);
        while let Some(header) = conn.next_frame().unwrap() {
            black_box((header, conn.body().unwrap().2.left()));
        }
    }
}

criterion_group!(benches, checksums, bodies, segments, chunks);
criterion_main!(benches);
