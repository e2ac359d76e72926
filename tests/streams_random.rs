//! Random requests and random cuts: what is encoded is decoded again, in every version and under every compression, however the
//! stream arrives; and bytes that are no stream end a codec with an error, never with a panic.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Dialect, Opcode, Version};
use cqlwire::wire::{Reader, Writer};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::messages::{Parts, any_parts, request};
use support::{dialect, dialects};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Sends all, and gives what is on the wire.
fn sent(dialect: Dialect, all: &[Parts]) -> Vec<u8> {
    let mut client = Conn::established(Role::Client, dialect);
    let mut wire = vec![];
    for (index, parts) in all.iter().enumerate() {
        let payload = if dialect.has_warnings_and_payload() { &parts.payload[..] } else { &[] };
        let custom_payload = payload.iter().map(|(name, bytes)| (name.as_str(), bytes.as_deref())).collect();
        let options = FrameOptions { tracing: parts.tracing, custom_payload, ..FrameOptions::default() };
        client.send(&request(parts, dialect), parts.stream, &options).unwrap();
        if index % 2 == 1 {
            wire.extend(client.output().unwrap());
            client.sent();
        }
    }
    wire.extend(client.output().unwrap());
    wire
}

/// Takes what a server reads, as text and in order.
fn received(dialect: Dialect, pieces: &[&[u8]]) -> Vec<String> {
    let mut server = Conn::established(Role::Server, dialect);
    let mut seen = vec![];
    for piece in pieces {
        server.feed(piece);
        while let Some(header) = server.next_frame().unwrap() {
            let (prefix, request) = server.request().unwrap();
            seen.push(format!("{} {} {prefix:?} {request:?}", header.stream, header.flags & 2));
        }
    }
    seen
}

fn expected(dialect: Dialect, all: &[Parts]) -> Vec<String> {
    let one = |parts: &Parts| {
        let payload = if dialect.has_warnings_and_payload() { &parts.payload[..] } else { &[] };
        let custom_payload = payload.iter().map(|(name, bytes)| (name.as_str(), bytes.as_deref())).collect();
        let prefix = cqlwire::frame::Prefix { tracing_id: None, warnings: vec![], custom_payload };
        let tracing = if parts.tracing { 2 } else { 0 };
        format!("{} {tracing} {prefix:?} {:?}", parts.stream, request(parts, dialect))
    };
    all.iter().map(one).collect()
}

fn cut<'a>(bytes: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort();
    cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn a_request_is_decoded_as_it_was(parts in any_parts(), before in vec(any::<u8>(), 0..5)) {
        for dialect in dialects("345x") {
            let request = request(&parts, dialect);
            let mut w = Writer::new();
            w.put(&before);
            request.encode(&mut w, dialect).unwrap();
            let mut r = Reader::new(&w.as_slice()[before.len()..]);
            prop_assert_eq!(&Request::decode(request.opcode(), &mut r, dialect).unwrap(), &request);
            prop_assert_eq!((r.left(), &w.as_slice()[..before.len()]), (0, &before[..]));
        }
    }

    #[test]
    fn a_damaged_request_or_response_does_not_panic(
        parts in any_parts(),
        damage in vec((any::<Index>(), any::<u8>()), 1..4),
        opcode in select(Opcode::ALL),
    ) {
        for dialect in dialects("345x") {
            let request = request(&parts, dialect);
            let mut w = Writer::new();
            request.encode(&mut w, dialect).unwrap();
            let mut bytes = w.into_bytes();
            for (at, byte) in damage.iter().filter(|_| !bytes.is_empty()).collect::<Vec<_>>() {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            let _ = Request::decode(request.opcode(), &mut Reader::new(&bytes), dialect);
            let _ = Response::decode(opcode, &mut Reader::new(&bytes), dialect);
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_stream_says_the_same_however_it_is_cut(all in vec(any_parts(), 1..6), cuts in vec(any::<Index>(), 0..12)) {
        for (version, compression) in support::DIALECTS {
            let dialect = dialect(version, compression);
            // STARTUP on a connection that is established would agree on something else.
            let all: Vec<_> = all.iter().filter(|parts| parts.kind != 1).cloned().collect();
            let wire = sent(dialect, &all);
            let expected = expected(dialect, &all);
            prop_assert_eq!(&received(dialect, &[&wire]), &expected);
            prop_assert_eq!(&received(dialect, &cut(&wire, &cuts)), &expected);
        }
    }

    #[test]
    fn a_stream_of_garbage_ends_with_an_error(
        head in select(vec![vec![], vec![0x84, 0, 0, 1], vec![0x85, 1, 0, 0], vec![0x04, 1, 0, 1], vec![0x00, 0x00, 0x02, 0x6a, 0x36, 0xc4]]),
        bytes in vec(prop_oneof![Just(0u8), any::<u8>()], 0..200),
        cuts in vec(any::<Index>(), 0..4),
    ) {
        let stream = [&head[..], &bytes].concat();
        for version in Version::ALL {
            for compression in [Compression::None, Compression::Lz4, Compression::Snappy] {
                for mut conn in [Role::Client, Role::Server].map(|role| Conn::established(role, dialect(version, compression))) {
                    for piece in cut(&stream, &cuts) {
                        conn.feed(piece);
                        while let Ok(Some(_)) = conn.next_frame() {
                            let _ = conn.response();
                            let _ = conn.request();
                        }
                    }
                }
            }
        }
    }
}
