//! Frames and segments: header, tracing, warnings, payload, compression, checksums.

use std::collections::BTreeSet;

use cassandra_protocol::compression::Compression as CpCompression;
use cassandra_protocol::frame::frame_decoder::{FrameDecoder, Lz4FrameDecoder, UncompressedFrameDecoder};
use cassandra_protocol::frame::frame_encoder::{FrameEncoder, Lz4FrameEncoder, UncompressedFrameEncoder};
use cassandra_protocol::frame::{Direction, Envelope, Flags};
use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::Prefix;
use cqlwire::message::{Query, Request, Response, ResultMessage};
use cqlwire::spec::{Compression, Dialect, Version};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use scylla_cql::frame::request::query::QueryParameters;
use scylla_cql::frame::{Compression as ScCompression, SerializedRequest, parse_response_body_extensions};

use crate::known::Gap;
use crate::support::messages::{Parts, any_parts, request, text_of};
use crate::support::{DIALECTS, dialect};
use crate::{cp_requests as cp, for_each, request_body};

const CASES: usize = 60;

fn cp_compression(compression: Compression) -> CpCompression {
    match compression {
        Compression::None => CpCompression::None,
        Compression::Lz4 => CpCompression::Lz4,
        Compression::Snappy => CpCompression::Snappy,
    }
}

/// The frame as it has it. Its payload, if any, is not the frame's to it.
fn envelope(parts: &Parts, request: &Request<'_>, dialect: Dialect) -> Envelope {
    let flags = if parts.tracing { Flags::TRACING } else { Flags::empty() };
    let body = request_body(request, dialect);
    let (version, opcode) = (cp::version(dialect), cp::opcode(request.opcode()));
    Envelope::new(version, Direction::Request, flags, opcode, parts.stream, body, None, Vec::new())
}

/// The bytes of a connection that says these.
fn cp_writes(envelopes: Vec<Envelope>, dialect: Dialect) -> Vec<u8> {
    let frames = envelopes.into_iter().map(|envelope| envelope.encode_with(cp_compression(dialect.compression)).unwrap());
    if !dialect.has_segments() {
        return frames.flatten().collect();
    }
    let mut encoder: Box<dyn FrameEncoder> = match dialect.compression {
        Compression::Lz4 => Box::<Lz4FrameEncoder>::default(),
        _ => Box::<UncompressedFrameEncoder>::default(),
    };
    let mut wire = Vec::new();
    for frame in frames {
        if !encoder.can_fit(frame.len()) && encoder.has_envelopes() {
            wire.extend(encoder.finalize_self_contained());
            encoder.reset();
        }
        if encoder.can_fit(frame.len()) {
            encoder.add_envelope(frame);
            continue;
        }
        let mut rest = &frame[..];
        while !rest.is_empty() {
            let (taken, bytes) = encoder.finalize_non_self_contained(rest);
            wire.extend(bytes);
            rest = &rest[taken..];
            encoder.reset();
        }
    }
    if encoder.has_envelopes() {
        wire.extend(encoder.finalize_self_contained());
    }
    wire
}

fn cp_reads(mut wire: Vec<u8>, dialect: Dialect) -> Vec<Envelope> {
    let compression = cp_compression(dialect.compression);
    if dialect.has_segments() {
        let mut decoder: Box<dyn FrameDecoder> = match dialect.compression {
            Compression::Lz4 => Box::<Lz4FrameDecoder>::default(),
            _ => Box::<UncompressedFrameDecoder>::default(),
        };
        return decoder.consume(&mut wire, compression).unwrap();
    }
    let (mut envelopes, mut rest) = (Vec::new(), &wire[..]);
    while !rest.is_empty() {
        let parsed = Envelope::from_buffer(rest, compression).unwrap();
        rest = &rest[parsed.envelope_len..];
        envelopes.push(parsed.envelope);
    }
    envelopes
}

#[test]
fn cassandra_protocol_and_we_read_each_others_frames_and_segments() {
    for (version, compression) in DIALECTS {
        let dialect = dialect(version, compression);
        for_each(CASES, vec(any_parts(), 1..4), |mut all| {
            // STARTUP is never compressed, and never in a segment.
            all.retain(|parts| parts.kind != 1);
            let requests: Vec<_> = all.iter().map(|parts| request(parts, dialect)).collect();
            let envelopes: Vec<_> = all.iter().zip(&requests).map(|(parts, request)| envelope(parts, request, dialect)).collect();

            let mut server = Conn::established(Role::Server, dialect);
            server.feed(&cp_writes(envelopes.clone(), dialect));
            for (parts, request) in all.iter().zip(&requests) {
                let header = server.next_frame().unwrap().unwrap();
                assert_eq!((header.stream, header.flags & 2 != 0), (parts.stream, parts.tracing), "{dialect:?}");
                assert_eq!(server.request().unwrap().1, *request, "{dialect:?}");
            }
            assert_eq!(server.next_frame(), Ok(None));

            let mut client = Conn::established(Role::Client, dialect);
            for (parts, request) in all.iter().zip(&requests) {
                let options = FrameOptions { tracing: parts.tracing, ..FrameOptions::default() };
                client.send(request, parts.stream, &options).unwrap();
            }
            let read = cp_reads(client.output().unwrap().into(), dialect);
            // It keeps the flag of a body that it has decompressed.
            let read = read.into_iter().map(|envelope| Envelope { flags: envelope.flags - Flags::COMPRESSION, ..envelope });
            assert_eq!(read.collect::<Vec<_>>(), envelopes, "{dialect:?}");
        });
    }
}

type Payload = Vec<(String, Option<Vec<u8>>)>;

/// Tracing id, warnings, payload.
fn any_prefix() -> impl Strategy<Value = (Option<[u8; 16]>, Vec<String>, Payload)> {
    let payload = vec((text_of(0..=4), option::weighted(0.9, vec(any::<u8>(), 0..9))), 0..2);
    (option::of(any::<[u8; 16]>()), vec(text_of(0..=9), 0..3), payload)
}

#[test]
fn they_read_what_stands_before_our_responses() {
    let mut gaps = BTreeSet::new();
    let response = Response::Result(ResultMessage::SetKeyspace { keyspace: "shop, shop, shop, shop, shop" });
    let message = b"\x00\x00\x00\x03\x00\x1cshop, shop, shop, shop, shop";
    for (version, compression) in DIALECTS {
        let dialect = dialect(version, compression);
        for_each(CASES, any_prefix(), |(tracing_id, warnings, payload)| {
            let mut prefix = Prefix { tracing_id, ..Prefix::default() };
            if dialect.has_warnings_and_payload() {
                prefix.warnings = warnings.iter().map(String::as_str).collect();
                prefix.custom_payload = payload.iter().map(|(name, bytes)| (name.as_str(), bytes.as_deref())).collect();
            }
            let mut server = Conn::established(Role::Server, dialect);
            server.reply(&response, 7, &prefix).unwrap();
            let wire = server.output().unwrap().to_vec();

            let envelope = cp_reads(wire.clone(), dialect).remove(0);
            assert_eq!(envelope.tracing_id.map(|id| id.into_bytes()), tracing_id);
            assert_eq!(envelope.warnings, prefix.warnings);
            if prefix.custom_payload.is_empty() {
                assert_eq!(envelope.body, message, "{dialect:?}");
            } else {
                assert!(envelope.body.len() > message.len() && envelope.body.ends_with(message));
                gaps.insert(Gap::CpPayload);
            }

            let null_payload = prefix.custom_payload.iter().any(|(_, bytes)| bytes.is_none());
            if version != Version::V4 || null_payload {
                gaps.extend(null_payload.then_some(Gap::ScNullPayload));
                return;
            }
            let body = wire[9..].to_vec();
            let read = parse_response_body_extensions(wire[1], sc_compression(compression), body.into()).unwrap();
            assert_eq!((read.trace_id.map(|id| id.into_bytes()), &read.warnings), (tracing_id, &warnings));
            let read_payload = read.custom_payload.unwrap_or_default();
            assert_eq!(read_payload.len(), prefix.custom_payload.len());
            assert!(prefix.custom_payload.iter().all(|(name, bytes)| Some(&read_payload[*name][..]) == *bytes));
            assert_eq!(&read.body[..], message);
        });
    }
    assert_eq!(gaps, BTreeSet::from([Gap::CpPayload, Gap::ScNullPayload]));
}

fn sc_compression(compression: Compression) -> Option<ScCompression> {
    match compression {
        Compression::None => None,
        Compression::Lz4 => Some(ScCompression::Lz4),
        Compression::Snappy => Some(ScCompression::Snappy),
    }
}

#[test]
fn we_read_scylla_cqls_frames() {
    for (version, compression) in DIALECTS.into_iter().filter(|(version, _)| *version == Version::V4) {
        let dialect = dialect(version, compression);
        for_each(CASES, (".{0,300}", 0..=i16::MAX, any::<bool>()), |(text, stream, tracing)| {
            let query = scylla_cql::frame::request::Query { contents: text.as_str().into(), parameters: QueryParameters::default() };
            let mut frame = SerializedRequest::make(&query, sc_compression(compression), tracing).unwrap();
            frame.set_stream(stream);
            let mut server = Conn::established(Role::Server, dialect);
            server.feed(frame.get_data());
            let header = server.next_frame().unwrap().unwrap();
            assert_eq!((header.stream, header.flags & 2 != 0), (stream, tracing));
            let Request::Query(Query { query, params }) = server.request().unwrap().1 else { panic!("not a QUERY") };
            assert_eq!((query, params.values), (text.as_str(), None));
        });
    }
}
