//! Compression against other implementations, both ways: v3 and v4 bodies of every size under LZ4 and snappy, with and without
//! custom payload, tracing and the beta flag, and v5 segments. What is compressed decompresses to the plain frame; what others
//! compress is read.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::compress::{self, Compressor};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Version, limit};
use cqlwire::wire::{Room, Writer};
use support::dialect;
use support::independent::{self, lz4_pack, lz4_unpack, segment, snappy_pack, snappy_unpack};

const SIZES: [usize; 6] = [0, 1, 64, 1 << 10, 16 << 10, 100 << 10];
const COMPRESSIONS: [Compression; 3] = [Compression::None, Compression::Lz4, Compression::Snappy];

/// `size` characters, all different or all alike.
fn text(size: usize, compressible: bool) -> String {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..size).map(|_| if compressible { 'a' } else { (random() % 0x80) as u8 as char }).collect()
}

fn query(query: &str) -> Request<'_> {
    let params = Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
    Request::Query(Query { query, params })
}

/// The frame without compression, written out field by field.
fn plain_frame(version: u8, flags: u8, payload: bool, opcode: u8, message: &[u8]) -> Vec<u8> {
    let mut body = Vec::<u8>::new();
    if payload {
        body.extend(b"\x00\x02\x00\x01k\x00\x00\x00\x03abc\x00\x00\xff\xff\xff\xff");
    }
    body.extend(message);
    let flags = flags | if payload { 4 } else { 0 };
    let mut frame = vec![version, flags, 0x12, 0x34, opcode];
    frame.extend((body.len() as u32).to_be_bytes());
    frame.extend(body);
    frame
}

fn unpack(compression: Compression, body: &[u8]) -> Vec<u8> {
    match compression {
        Compression::None => body.to_vec(),
        Compression::Lz4 => lz4_unpack(&body[4..], u32::from_be_bytes(body[..4].try_into().unwrap()) as usize),
        Compression::Snappy => snappy_unpack(body),
    }
}

fn pack(compression: Compression, body: &[u8]) -> Vec<u8> {
    match compression {
        Compression::None => body.to_vec(),
        Compression::Lz4 => [&(body.len() as u32).to_be_bytes()[..], &lz4_pack(body)].concat(),
        Compression::Snappy => snappy_pack(body),
    }
}

/// Every request of the matrix: with its plain frame.
fn matrix(version: Version, mut each: impl FnMut(&Request<'_>, &FrameOptions<'_>, Vec<u8>, bool)) {
    for (size, compressible) in SIZES.into_iter().flat_map(|size| [(size, false), (size, true)]) {
        let text = text(size, compressible);
        for (payload, tracing, use_beta) in (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)) {
            if payload && version == Version::V3 {
                continue;
            }
            let custom_payload = if payload { vec![("k", Some(&b"abc"[..])), ("", None)] } else { vec![] };
            let options = FrameOptions { tracing, use_beta, custom_payload };
            let flags = if tracing { 2 } else { 0 } | if use_beta { 0x10 } else { 0 };
            // No request has a body of one byte; an empty QUERY has seven.
            let (request, opcode, message) = if size == 0 {
                (Request::Options, 5, vec![])
            } else {
                (query(&text), 7, [&(size as u32).to_be_bytes()[..], text.as_bytes(), &[0, 1, 0]].concat())
            };
            each(&request, &options, plain_frame(version.number(), flags, payload, opcode, &message), compressible);
        }
    }
}

#[test]
fn what_is_written_decompresses_to_the_plain_frame() {
    for (version, compression) in [Version::V3, Version::V4].into_iter().flat_map(|version| COMPRESSIONS.map(|c| (version, c))) {
        let mut client = Conn::established(Role::Client, dialect(version, compression));
        matrix(version, |request, options, plain, compressible| {
            client.send(request, 0x1234, options).unwrap();
            let written = client.output().unwrap().to_vec();
            client.sent();
            let case = format!("{version:?} {compression:?} {} bytes", plain.len());
            // An empty body never, any other always: servers and the other drivers do so too.
            if compression == Compression::None || plain.len() == 9 {
                assert!(written == plain, "{case}");
                return;
            }
            let body = unpack(compression, &written[9..]);
            assert_eq!((written[0], written[1], &written[2..5]), (plain[0], plain[1] | 1, &plain[2..5]), "{case}");
            assert_eq!(u32::from_be_bytes(written[5..9].try_into().unwrap()) as usize, written.len() - 9, "{case}");
            assert!(body == plain[9..], "{case}");
            assert!(written.len() < plain.len() || plain.len() < 200 || !compressible, "{case}");
        });
    }
}

#[test]
fn what_others_compress_is_read() {
    for (version, compression) in [Version::V3, Version::V4].into_iter().flat_map(|version| COMPRESSIONS.map(|c| (version, c))) {
        let mut server = Conn::established(Role::Server, dialect(version, compression));
        matrix(version, |request, options, plain, _| {
            // Compressed whether it gains or not, as servers do; also an empty body.
            let body = pack(compression, &plain[9..]);
            let mut frame = plain[..9].to_vec();
            if compression != Compression::None {
                frame[1] |= 1;
            }
            frame[5..9].copy_from_slice(&(body.len() as u32).to_be_bytes());
            frame.extend(body);
            for frame in [&frame, &plain] {
                server.feed(frame);
                let header = server.next_frame().unwrap().unwrap();
                assert_eq!((header.stream, header.flags & 2 != 0, header.flags & 0x10 != 0), (0x1234, options.tracing, options.use_beta));
                let (prefix, read) = server.request().unwrap();
                assert_eq!((&prefix.custom_payload, &read == request), (&options.custom_payload, true), "{compression:?}");
            }
        });
    }
}

#[test]
fn bodies_of_any_bytes_survive_the_independent_implementations() {
    let bodies = (0..300).chain([1000, 70_000]).map(|size| text(size, false).into_bytes()).chain([vec![7], vec![0; 99_999]]);
    let mixed = [text(5000, false), text(5000, true), text(100, false)].concat().repeat(3).into_bytes();
    let mut compressor = Compressor::default();
    for body in bodies.chain([mixed]) {
        for compression in [Compression::Lz4, Compression::Snappy] {
            let mut read = Room::default();
            read.put(&[1, 2, 3], 0);
            compress::decompress_body(compression, &pack(compression, &body), limit::FRAME_BODY, &mut read).unwrap();
            assert!(read.as_slice() == body, "{compression:?} {}", body.len());
            let mut written = Writer::from([&[9; 9][..], &body].concat());
            let is_compressed = compressor.body(compression, &mut written, 9).unwrap();
            let written = written.as_slice();
            assert_eq!((&written[..9], is_compressed), (&[9; 9][..], !body.is_empty()));
            let back = if is_compressed { unpack(compression, &written[9..]) } else { written[9..].to_vec() };
            assert!(back == body, "{compression:?} {}", body.len());
        }
    }
}

#[test]
fn segments_are_those_of_another_implementation() {
    for lz4 in [false, true] {
        let dialect = dialect(Version::V5, if lz4 { Compression::Lz4 } else { Compression::None });
        for compressible in [false, true] {
            let texts: Vec<_> = SIZES.iter().chain(&[131_000, 131_072, 400_000]).map(|size| text(*size, compressible)).collect();
            let mut client = Conn::established(Role::Client, dialect);
            let mut plain = vec![];
            for (index, text) in texts.iter().enumerate() {
                client.send(&query(text), 0x1234, &FrameOptions::default()).unwrap();
                let message = [&(text.len() as u32).to_be_bytes()[..], text.as_bytes(), &[0, 1, 0, 0, 0, 0]].concat();
                plain.extend(plain_frame(5, 0, false, 7, &message));
                if index % 2 == 1 {
                    plain.extend(plain_frame(5, 0, false, 5, &[]));
                    client.send(&Request::Options, 0x1234, &FrameOptions::default()).unwrap();
                }
            }
            let written = client.output().unwrap().to_vec();
            let payloads = independent::payloads(&written, lz4);
            assert!(payloads.iter().flat_map(|(_, payload)| payload).eq(&plain));
            assert!(payloads.iter().all(|(_, payload)| (1..=131_071).contains(&payload.len())));
            assert!(payloads.iter().any(|(self_contained, _)| !self_contained));

            // And the other way round, in segments cut elsewhere, some compressed for no gain.
            let mut stream = vec![];
            let mut frames = &plain[..];
            while !frames.is_empty() {
                let length = 9 + u32::from_be_bytes(frames[5..9].try_into().unwrap()) as usize;
                let (frame, rest) = frames.split_at(length);
                frames = rest;
                if length <= 100 {
                    stream.extend(segment(frame, true, lz4, lz4));
                } else {
                    frame.chunks(99_991).for_each(|part| stream.extend(segment(part, false, lz4, lz4 && part.len().is_multiple_of(2))));
                }
            }
            let mut server = Conn::established(Role::Server, dialect);
            let mut read = vec![];
            for chunk in stream.chunks(16_384) {
                server.feed(chunk);
                while server.next_frame().unwrap().is_some() {
                    match server.request().unwrap().1 {
                        Request::Query(query) => read.push(query.query.to_string()),
                        other => assert_eq!(other, Request::Options),
                    }
                }
            }
            assert!(read == texts);
        }
    }
}
