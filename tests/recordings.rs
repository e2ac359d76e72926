//! Recorded sessions of a real server through both codecs: what is counted, that requests are written back byte for byte, and that
//! neither the chunks of a stream nor their sizes change anything. `tests/recordings_content.rs` looks at what the messages say.

mod support;

use std::collections::BTreeMap;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::segment::Segment;
use cqlwire::message::{Response, ResultMessage};
use cqlwire::spec::Opcode;
use cqlwire::wire::{Room, Writer};
use serde_json::{Map, Value as Json};
use support::recording::{self, Frame, Replay, SESSIONS};

/// Counts by name, as the JSON has them.
#[derive(Default)]
struct Counts(BTreeMap<String, u64>);

impl Counts {
    fn add(&mut self, name: String) {
        *self.0.entry(name).or_default() += 1;
    }
    fn json(self) -> Json {
        self.0.into_iter().map(|(name, count)| (name, count.into())).collect::<Map<_, _>>().into()
    }
}

fn side(is_response: bool) -> &'static str {
    if is_response { "s2c" } else { "c2s" }
}

#[test]
fn the_counts_are_those_of_a_reader_that_shares_no_code() {
    let lines = recording::lines("counts.json");
    assert_eq!(lines.len(), SESSIONS.len());
    for expected in &lines {
        let name = expected["file"].as_str().unwrap().split('.').next().unwrap();
        let frames = Replay::of(name, usize::MAX).frames;
        let (mut opcodes, mut flags, mut kinds, mut codes) = <(Counts, Counts, Counts, Counts)>::default();
        for frame in &frames {
            let header = &frame.header;
            let (side, opcode) = (side(header.is_response), header.opcode.name());
            opcodes.add(format!("{side} v{} {opcode}", header.version));
            flags.add(format!("{side} {opcode} 0x{:02x}", header.flags));
            match header.is_response.then(|| frame.response()) {
                Some(Response::Error(error)) => codes.add(format!("0x{:04x}", error.code)),
                Some(Response::Result(result)) => kinds.add(
                    match result {
                        ResultMessage::Rows(_) => "Rows",
                        ResultMessage::Void => "Void",
                        ResultMessage::SetKeyspace { .. } => "Set_keyspace",
                        ResultMessage::Prepared(_) => "Prepared",
                        ResultMessage::SchemaChange(_) => "Schema_change",
                    }
                    .into(),
                ),
                _ => {}
            }
        }
        assert_eq!(frames.len() as u64, expected["messages"].as_u64().unwrap(), "{name}");
        assert_eq!(opcodes.json(), expected["per_opcode"], "{name}");
        assert_eq!(flags.json(), expected["flags"], "{name}");
        assert_eq!(kinds.json(), expected["result_kinds"], "{name}");
        assert_eq!(codes.json(), expected["error_codes"], "{name}");
    }
}

#[test]
fn the_segments_are_those_of_a_reader_that_shares_no_code() {
    for expected in recording::lines("counts.json").iter().filter(|line| line.get("segments").is_some()) {
        let name = expected["file"].as_str().unwrap().split('.').next().unwrap();
        let frames = Replay::of(name, usize::MAX).frames;
        let mut counts = Counts::default();
        let mut largest = Map::new();
        for conn in 1..=expected["connections"].as_u64().unwrap() {
            let dialect = recording::agreed(&frames, conn);
            let lz4 = recording::has_lz4_segments(dialect);
            for is_response in [false, true] {
                let side = side(is_response);
                for (_, bytes) in recording::units(name, conn, is_response, dialect.version, lz4).iter().filter(|(segment, _)| *segment) {
                    let segment = Segment::read(bytes, lz4, 0).unwrap().unwrap();
                    assert_eq!(segment.length, bytes.len());
                    let mut payload = Room::default();
                    segment.append_payload(0, &mut payload).unwrap();
                    let payload = payload.as_slice();
                    let form = if segment.self_contained { "self-contained" } else { "part" };
                    let packed = if segment.uncompressed_length > 0 { " compressed" } else { "" };
                    counts.add(format!("{side} {form}{packed}"));
                    if segment.self_contained {
                        let (mut rest, mut holds) = (payload, 0);
                        while !rest.is_empty() {
                            rest = &rest[9 + u32::from_be_bytes(rest[5..9].try_into().unwrap()) as usize..];
                            holds += 1;
                        }
                        counts.add(format!("{side} self-contained holding {}", if holds == 1 { "1" } else { "2 or more" }));
                    }
                    let so_far = largest.get(side).and_then(Json::as_u64).unwrap_or(0);
                    largest.insert(side.into(), so_far.max(payload.len() as u64).into());
                }
            }
        }
        assert_eq!(counts.json(), expected["segments"], "{name}");
        assert_eq!(Json::from(largest), expected["largest_payload"], "{name}");
    }
}

#[test]
fn every_request_is_written_back_byte_for_byte() {
    for name in SESSIONS {
        for frame in Replay::of(name, usize::MAX).frames.iter().filter(|frame| !frame.header.is_response) {
            let request = frame.request();
            let mut w = Writer::new();
            w.byte(0xee);
            request.encode(&mut w, frame.dialect).unwrap();
            assert_eq!(&w.as_slice()[1..], frame.message, "{name}: {request:?}");

            // The whole frame, by a codec that has not agreed on anything yet: neither compressed nor in segments.
            let mut client = Conn::new(Role::Client, frame.dialect.version);
            let custom_payload = frame.payload.iter().map(|(name, bytes)| (name.as_str(), bytes.as_deref())).collect();
            let options = FrameOptions { tracing: frame.header.flags & 0x02 != 0, custom_payload, ..FrameOptions::default() };
            client.send(&request, frame.header.stream, &options).unwrap();
            assert_eq!(client.output().unwrap(), frame.uncompressed(), "{name}: {request:?}");
        }
    }
}

#[test]
fn every_response_is_written_back_byte_for_byte() {
    let mut written = 0;
    for name in SESSIONS {
        for frame in Replay::of(name, usize::MAX).frames.iter().filter(|frame| frame.header.is_response) {
            let response = frame.response();
            let mut w = Writer::new();
            w.byte(0xee);
            response.encode(&mut w, frame.dialect).unwrap();
            let (ours, theirs) = (&w.as_slice()[1..], &frame.message[..]);
            // A v3 server ends some schema changes of functions, which v3 does not know, in an empty string more.
            let extra = if theirs.len() == ours.len() + 2 && frame.header.version == 3 { 2 } else { 0 };
            assert_eq!(ours, &theirs[..theirs.len() - extra], "{name}: {response:?}");
            written += 1;
        }
    }
    assert!(written > 2000, "{written}");
}

#[test]
fn fed_one_byte_at_a_time_every_stream_gives_the_same() {
    for name in SESSIONS {
        let (whole, bytes) = (Replay::of(name, usize::MAX).frames, Replay::of(name, 1).frames);
        assert_eq!(whole.len(), bytes.len());
        assert!(whole == bytes, "{name}");
    }
}

/// All that a codec whose handshake is over makes of some pieces.
fn frames_of(conn: u64, dialect: cqlwire::spec::Dialect, pieces: [&[u8]; 2]) -> Vec<Frame> {
    let mut client = Conn::established(Role::Client, dialect);
    let mut frames = vec![];
    for piece in pieces {
        client.feed(piece);
        while client.next_frame().unwrap().is_some() {
            frames.push(Frame::of(conn, &client));
        }
    }
    frames
}

#[test]
fn cut_in_two_at_every_place_every_small_response_gives_the_same() {
    // apache/cassandra-nodejs-driver#186 and #55: flags parsed again, callbacks called again
    const SMALL: usize = 400;
    let mut seen = 0;
    for name in SESSIONS {
        let frames = Replay::of(name, usize::MAX).frames;
        for conn in [1, 2] {
            let dialect = recording::agreed(&frames, conn);
            let lz4 = recording::has_lz4_segments(dialect);
            let mut responses = frames.iter().filter(|frame| frame.conn == conn && frame.header.is_response);
            for (in_segments, bytes) in recording::units(name, conn, true, dialect.version, lz4) {
                if dialect.has_segments() && !in_segments {
                    responses.next(); // the handshake is not in segments
                    continue;
                }
                if in_segments && !Segment::read(&bytes, lz4, 0).unwrap().unwrap().self_contained {
                    continue; // parts are cut by `fed_one_byte_at_a_time…`
                }
                let whole = frames_of(conn, dialect, [&bytes, &[]]);
                // The split replay itself agrees with the recording in its order.
                if in_segments {
                    assert!(whole.iter().all(|frame| frame.header.is_response));
                } else {
                    let expected = responses.next().map(|frame| Frame { dialect, ..frame.clone() });
                    assert_eq!(expected.as_ref(), whole.first());
                }
                if bytes.len() > SMALL {
                    continue;
                }
                seen += 1;
                for at in 0..bytes.len() {
                    assert_eq!(frames_of(conn, dialect, [&bytes[..at], &bytes[at..]]), whole, "{name} cut at {at}");
                }
            }
        }
    }
    assert!(seen > 1000, "{seen} small responses");
}

#[test]
fn ready_switches_to_segments_between_two_frames_of_one_chunk() {
    // apache/cassandra-python-driver#1099: what follows READY or AUTHENTICATE is framed, even in the same read
    for name in ["v5-plain", "v5-lz4"] {
        let frames = Replay::of(name, usize::MAX).frames;
        let dialect = recording::agreed(&frames, 1);
        let lz4 = recording::has_lz4_segments(dialect);
        let startup = frames.iter().find(|frame| frame.header.opcode == Opcode::Startup).unwrap();
        let all: Vec<u8> = recording::units(name, 1, true, dialect.version, lz4).into_iter().flat_map(|(_, bytes)| bytes).collect();
        let mut client = Conn::new(Role::Client, dialect.version);
        client.send(&startup.request(), 1, &FrameOptions::default()).unwrap();
        client.feed(&all);
        let mut count = 0;
        while client.next_frame().unwrap().is_some() {
            client.response().unwrap();
            count += 1;
        }
        assert_eq!(count, frames.iter().filter(|frame| frame.conn == 1 && frame.header.is_response).count());
    }
}
