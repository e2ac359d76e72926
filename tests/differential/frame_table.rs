//! A table of request frames: message × version × compression × tracing, beta flag and custom payload. Each is the frame that a writer
//! of its own makes (`support/plain_writer.rs`) and, where they can, that of the two crates: plain ones byte for byte; compressed ones
//! in header, checksums and decompressed bytes, with the compressed block that of the simplest path.

use std::collections::BTreeMap;

use cassandra_protocol::compression::Compression as CpCompression;
use cassandra_protocol::frame::{Direction, Envelope, Flags, Serialize};
use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::Header;
use cqlwire::frame::compress::Compressor;
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Dialect, Opcode, Version};
use cqlwire::wire::Writer;

use crate::support::independent::{lz4_unpack, payloads, segment, snappy_unpack};
use crate::support::plain_writer::{self, Layout};
use crate::support::{DIALECTS, dialect, dialects};
use crate::{cp_requests, sc_requests};

const SEGMENT: usize = 131_071;
/// Bodies of 64 B, 1 KB, 16 KB and 100 KB, as AUTH_RESPONSE, whose message is four bytes and what one likes; where there are segments
/// also one that fills a segment and one that is a byte too long for it.
const SIZES: [usize; 6] = [64, 1 << 10, 16 << 10, 100 << 10, SEGMENT - 9, SEGMENT - 8];
const STREAM: i16 = 0x1234;

/// Who agreed with a row.
#[derive(Default)]
struct Tally {
    rows: usize,
    by_message: BTreeMap<&'static str, usize>,
    cassandra_protocol: usize,
    scylla_cql: usize,
    compressed: usize,
}

/// What is put in: random bytes, which do not compress, and equal ones.
struct Material {
    random: Vec<u8>,
    alike: Vec<u8>,
}

impl Material {
    fn new() -> Material {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut byte = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        };
        Material { random: (0..SEGMENT).map(|_| byte()).collect(), alike: vec![b'a'; SEGMENT] }
    }

    /// The messages of one version, by name.
    fn messages(&self, dialect: Dialect) -> Vec<(&'static str, Request<'_>)> {
        let v5 = dialect.has_request_keyspace();
        let unset = if dialect.has_unset() { Bound::Unset } else { Bound::Null };
        let params = |values: Option<Vec<Bound<'static>>>| Params {
            consistency: Consistency::LocalQuorum,
            values,
            names: vec![],
            options: RequestOptions::default(),
        };
        let batch_options = RequestOptions {
            serial_consistency: Some(Consistency::LocalSerial),
            timestamp: Some(-1),
            keyspace: v5.then_some("ks"),
            now_in_seconds: v5.then_some(2_000_000_000),
            ..RequestOptions::default()
        };
        let options = RequestOptions { page_size: Some(5000), paging_state: Some(&[1, 2, 3]), ..batch_options.clone() };
        let all = || Params {
            options: options.clone(),
            ..params(Some(vec![Bound::Bytes(&[0, 0, 0, 7]), Bound::Null, unset, Bound::Bytes(&[])]))
        };
        let insert = "INSERT INTO shop.docs (topic, id, title, v) VALUES (?, ?, ?, ?)";
        let vector = || Bound::Bytes(&self.random[..768 * 4]);
        let metadata_id: &[u8] = if dialect.has_result_metadata_id() { &[0xbb; 16] } else { &[] };
        let execute = |params| Request::Execute(Execute { id: &[0xaa; 16], result_metadata_id: metadata_id, params });
        let rows = |count: usize| {
            (0..count).map(|n| (Statement::Prepared(&[0xaa; 16]), vec![Bound::Bytes(&self.random[n..n + 4]), vector()])).collect()
        };
        let batch =
            |batch_type, statements, options| Request::Batch(Batch { batch_type, statements, consistency: Consistency::One, options });
        let mixed = vec![
            (Statement::Text(insert), vec![Bound::Bytes(b"art"), unset]),
            (Statement::Prepared(&[0xaa; 16]), vec![Bound::Null, vector()]),
            (Statement::Text("UPDATE shop.carts SET total = 1 WHERE user = 2"), vec![]),
        ];
        let mut list = vec![
            ("OPTIONS", Request::Options),
            ("REGISTER", Request::Register(Register { event_types: vec!["TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE"] })),
            ("AUTH_RESPONSE null", Request::AuthResponse(AuthResponse { token: None })),
            ("PREPARE", Request::Prepare(Prepare { query: insert, keyspace: None })),
            ("QUERY", Request::Query(Query { query: "SELECT * FROM shop.docs", params: params(None) })),
            ("QUERY all options", Request::Query(Query { query: insert, params: all() })),
            ("QUERY by name", Request::Query(Query { query: insert, params: Params { names: vec!["a", "☃", "c", "d"], ..all() } })),
            ("EXECUTE", execute(params(Some(vec![Bound::Bytes(&[0, 0, 0, 7])])))),
            (
                "EXECUTE skip metadata",
                execute(Params { options: RequestOptions { skip_metadata: true, ..RequestOptions::default() }, ..params(None) }),
            ),
            ("EXECUTE all options", execute(all())),
            ("EXECUTE vector", execute(Params { values: Some(vec![vector(), vector()]), ..params(None) })),
            ("BATCH empty", batch(0, vec![], RequestOptions::default())),
            ("BATCH mixed", batch(1, mixed, batch_options.clone())),
            ("BATCH of 50", batch(2, rows(50), batch_options)),
        ];
        if v5 {
            list.push(("PREPARE keyspace", Request::Prepare(Prepare { query: insert, keyspace: Some("ks") })));
        }
        let sizes = if dialect.has_segments() { &SIZES[..] } else { &SIZES[..4] };
        for bytes in [&self.random, &self.alike] {
            list.extend(
                sizes.iter().map(|size| ("AUTH_RESPONSE", Request::AuthResponse(AuthResponse { token: Some(&bytes[..*size - 4]) }))),
            );
        }
        list
    }
}

/// All combinations that the version has.
fn frame_options(dialect: Dialect) -> Vec<FrameOptions<'static>> {
    let payloads = if dialect.has_warnings_and_payload() { 2 } else { 1 };
    (0..4 * payloads)
        .map(|bits| FrameOptions {
            tracing: bits & 1 != 0,
            use_beta: bits & 2 != 0,
            custom_payload: if bits & 4 != 0 { vec![("key", Some(&b"abc"[..])), ("", None)] } else { vec![] },
        })
        .collect()
}

fn layout(dialect: Dialect) -> Layout {
    Layout { version: dialect.version.number(), metadata_id: dialect.features.metadata_id }
}

/// The simplest path to a compressed body; `None` for one of no bytes.
fn simply_compressed(compression: Compression, body: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Writer::from(body.to_vec());
    Compressor::default().body(compression, &mut packed, 0).unwrap().then(|| packed.into_bytes())
}

/// `written` is `plain` in this dialect. True where it is compressed.
fn assert_frame(dialect: Dialect, written: &[u8], plain: &[u8], what: &str) -> bool {
    if dialect.has_segments() {
        return assert_segments(dialect, written, plain, what);
    }
    let (head, body) = plain.split_at(9);
    let Some(packed) = simply_compressed(dialect.compression, body) else {
        assert!(written == plain, "{what}");
        return false;
    };
    let unpacked = match dialect.compression {
        Compression::Lz4 => lz4_unpack(&written[13..], u32::from_be_bytes(written[9..13].try_into().unwrap()) as usize),
        _ => snappy_unpack(&written[9..]),
    };
    assert!(unpacked == body, "{what}");
    assert_eq!((written[0], written[1], &written[2..5]), (head[0], head[1] | 1, &head[2..5]), "{what}");
    assert_eq!(written[5..9], ((written.len() - 9) as u32).to_be_bytes(), "{what}");
    assert!(written[9..] == packed, "{what}: not the simplest path's block");
    true
}

fn assert_segments(dialect: Dialect, written: &[u8], plain: &[u8], what: &str) -> bool {
    let (lz4, fits) = (dialect.compression == Compression::Lz4, plain.len() <= SEGMENT);
    if !lz4 {
        let expected: Vec<_> = plain.chunks(SEGMENT).flat_map(|part| segment(part, fits, false, false)).collect();
        assert!(written == expected, "{what}");
        return false;
    }
    let read = payloads(written, true); // checks both checksums
    assert!(read.iter().all(|(self_contained, _)| *self_contained == fits), "{what}");
    assert!(read.iter().map(|(_, payload)| &payload[..]).eq(plain.chunks(SEGMENT)), "{what}");
    let (mut rest, mut any) = (written, false);
    for part in plain.chunks(SEGMENT) {
        let length = (u32::from_le_bytes([rest[0], rest[1], rest[2], 0]) & 0x1_ffff) as usize;
        let mut compressor = Compressor::default();
        let block = compressor.block(part);
        let sent = if block.len() < part.len() { block } else { part };
        assert!(rest[8..8 + length] == *sent, "{what}: not the simplest path's block");
        any |= block.len() < part.len();
        rest = &rest[8 + length + 4..];
    }
    any
}

/// The same frame from cassandra-protocol, before compression; `None` where it has no such frame (`known.rs`).
fn cassandra_protocol_frame(dialect: Dialect, request: &Request<'_>, options: &FrameOptions<'_>) -> Option<Vec<u8>> {
    let mut gaps = Default::default();
    let mut narrowed = request.clone();
    cp_requests::narrow(&mut narrowed, &mut gaps);
    let by_name = matches!(request, Request::Query(query) if query.params.names.len() > 1);
    if !gaps.is_empty() || by_name || !options.custom_payload.is_empty() {
        return None;
    }
    let mut flags = if options.tracing { Flags::TRACING } else { Flags::empty() };
    flags |= if options.use_beta { Flags::BETA } else { Flags::empty() };
    let (version, opcode) = (cp_requests::version(dialect), cp_requests::opcode(request.opcode()));
    let body = cp_requests::request(request, dialect).serialize_to_vec(version);
    let envelope = Envelope::new(version, Direction::Request, flags, opcode, STREAM, body, None, vec![]);
    Some(envelope.encode_with(CpCompression::None).unwrap())
}

/// The same body from scylla-cql.
fn scylla_cql_body(dialect: Dialect, request: &Request<'_>) -> Option<Vec<u8>> {
    let mut gaps = Default::default();
    let mut narrowed = request.clone();
    sc_requests::narrow(&mut narrowed, &mut gaps);
    (dialect.version == Version::V4 && gaps.is_empty()).then(|| sc_requests::write(request, dialect))
}

#[test]
fn every_frame_is_that_of_other_writers() {
    let (material, mut tally) = (Material::new(), Tally::default());
    let all = DIALECTS.map(|(version, compression)| dialect(version, compression));
    for dialect in all.into_iter().chain(dialects("x")) {
        for (name, request) in material.messages(dialect) {
            for options in frame_options(dialect) {
                let what = format!("{name} {dialect:?} {options:?}");
                let mut client = Conn::established(Role::Client, dialect);
                client.send(&request, STREAM, &options).unwrap();
                let written = client.output().unwrap().to_vec();

                let plain = plain_writer::frame(layout(dialect), &request, STREAM, &options);
                tally.compressed += usize::from(assert_frame(dialect, &written, &plain, &what));
                if let Some(frame) = cassandra_protocol_frame(dialect, &request, &options) {
                    assert!(frame == plain, "cassandra-protocol: {what}");
                    tally.cassandra_protocol += 1;
                }
                if let Some(body) = scylla_cql_body(dialect, &request) {
                    assert!(plain.ends_with(&body), "scylla-cql: {what}");
                    tally.scylla_cql += 1;
                }
                let mut server = Conn::established(Role::Server, dialect);
                server.feed(&written);
                let header = server.next_frame().unwrap().unwrap();
                assert_eq!((header.stream, header.flags & 0x12), (STREAM, plain[1] & 0x12), "{what}");
                let (prefix, read) = server.request().unwrap();
                assert!(read == request && prefix.custom_payload == options.custom_payload, "{what}");
                tally.rows += 1;
                *tally.by_message.entry(name).or_default() += 1;
            }
        }
    }
    let Tally { rows, by_message, cassandra_protocol, scylla_cql, compressed } = tally;
    assert!(rows >= 200 && by_message.len() == 16, "{rows} {by_message:?}");
    assert!(cassandra_protocol >= 200 && scylla_cql >= 200 && compressed >= 200, "{cassandra_protocol} {scylla_cql} {compressed}");
}

#[test]
fn startup_goes_out_plain_whatever_it_asks_for() {
    for (version, compression) in DIALECTS {
        let mut options = vec![("CQL_VERSION", "3.0.0"), ("DRIVER_NAME", "☃")];
        options.extend((compression != Compression::None).then_some(("COMPRESSION", compression.name())));
        let request = Request::Startup(Startup { options });
        let mut client = Conn::new(Role::Client, version);
        let plain = |request: &Request<'_>| plain_writer::frame(layout(Dialect::new(version)), request, STREAM, &FrameOptions::default());
        // OPTIONS before it too: apache/cassandra-gocql-driver#1230.
        for request in [Request::Options, request, Request::Options] {
            client.send(&request, STREAM, &FrameOptions::default()).unwrap();
            assert_eq!(client.output().unwrap(), plain(&request), "{version:?} {compression:?}");
            client.sent();
        }
    }
}

/// No request has a body of one byte: the frame layer alone writes one.
#[test]
fn a_body_of_one_byte() {
    for (version, compression) in DIALECTS.into_iter().filter(|(version, _)| !version.has_segments()) {
        for options in frame_options(Dialect::new(Version::V3)) {
            let plain = plain_writer::frame_of(layout(Dialect::new(version)), 0x0f, STREAM, &options, &[7]);
            let mut w = Writer::new();
            let start = Header::open(&mut w, version, Opcode::AuthResponse, plain[1], STREAM);
            w.byte(7);
            if Compressor::default().body(compression, &mut w, start + Header::LEN).unwrap() {
                Header::add_flags(&mut w, start, 1);
            }
            Header::close(&mut w, start).unwrap();
            // The only LZ4 block and the only snappy body that there are for one byte.
            let body = match compression {
                Compression::None => &[7][..],
                Compression::Lz4 => &[0, 0, 0, 1, 0x10, 7],
                Compression::Snappy => &[1, 0, 7],
            };
            let flags = plain[1] | u8::from(compression != Compression::None);
            let expected = [&[plain[0], flags], &plain[2..8], &[body.len() as u8], body].concat();
            assert_eq!(w.as_slice(), expected, "{version:?} {compression:?}");
        }
    }
}
