//! Random requests and random cuts: what is encoded is decoded again, in every version and under every compression, however the
//! stream arrives; and bytes that are no stream end a codec with an error, never with a panic.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Dialect, Opcode, Version};
use cqlwire::wire::{Reader, Writer};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::{dialect, dialects};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A value by ownership: null, unset or bytes.
type Cell = Option<Option<Vec<u8>>>;

/// skip_metadata, page size, paging state, local serial consistency, timestamp, keyspace, now_in_seconds.
type Options = (bool, Option<i32>, Option<Vec<u8>>, Option<bool>, Option<i64>, Option<String>, Option<i32>);

/// Everything a request can hold.
#[derive(Debug, Clone)]
struct Parts {
    kind: usize,
    text: String,
    texts: Vec<(String, String)>,
    id: Vec<u8>,
    metadata_id: Vec<u8>,
    cells: Vec<Cell>,
    statements: Vec<(bool, Vec<Cell>)>,
    consistency: u16,
    options: Options,
    stream: i16,
    tracing: bool,
    payload: Vec<(String, Option<Vec<u8>>)>,
}

fn any_cell() -> impl Strategy<Value = Cell> {
    let bytes = prop_oneof![8 => vec(any::<u8>(), 0..40), 1 => vec(select(vec![0u8, 1, 255]), 3000)];
    prop_oneof![1 => Just(None), 1 => Just(Some(None)), 6 => bytes.prop_map(|bytes| Some(Some(bytes)))]
}

fn any_parts() -> impl Strategy<Value = Parts> {
    let texts = vec((".{0,5}", ".{0,9}"), 0..4);
    // Some texts are larger than a segment.
    let text = prop_oneof![30 => ".{0,40}", 1 => "[ab]{1}".prop_map(|text| text.repeat(200_000))];
    let bytes = || vec(any::<u8>(), 0..20);
    let options = (
        any::<bool>(),
        option::of(any::<i32>()),
        option::of(bytes()),
        option::of(any::<bool>()),
        option::of(any::<i64>()),
        option::of(".{0,6}"),
        option::of(any::<i32>()),
    );
    let statements = vec((any::<bool>(), vec(any_cell(), 0..3)), 0..4);
    let frame = (0..=i16::MAX, any::<bool>(), vec((".{0,6}", option::of(bytes())), 0..3));
    (0..8usize, text, texts, (bytes(), bytes()), vec(any_cell(), 0..4), statements, any::<u16>(), options, frame).prop_map(
        |(kind, text, texts, (id, metadata_id), cells, statements, consistency, options, (stream, tracing, payload))| Parts {
            kind,
            text,
            texts,
            id,
            metadata_id,
            cells,
            statements,
            consistency,
            options,
            stream,
            tracing,
            payload,
        },
    )
}

fn bound(cell: &Cell, dialect: Dialect) -> Bound<'_> {
    match cell {
        None => Bound::Null,
        Some(None) if dialect.has_unset() => Bound::Unset,
        Some(None) => Bound::Null,
        Some(Some(bytes)) => Bound::Bytes(bytes),
    }
}

/// The request that the parts make on a connection of this dialect.
fn request<'a>(parts: &'a Parts, dialect: Dialect) -> Request<'a> {
    let (skip_metadata, page_size, paging_state, serial, timestamp, keyspace, now) = &parts.options;
    let options = RequestOptions {
        skip_metadata: *skip_metadata,
        page_size: *page_size,
        paging_state: paging_state.as_deref(),
        serial_consistency: serial.map(|local| if local { Consistency::LocalSerial } else { Consistency::Serial }),
        timestamp: *timestamp,
        keyspace: keyspace.as_deref().filter(|_| dialect.has_request_keyspace()),
        now_in_seconds: now.filter(|_| dialect.has_now_in_seconds()),
    };
    let cells: Vec<_> = parts.cells.iter().map(|cell| bound(cell, dialect)).collect();
    let named = parts.tracing && !cells.is_empty();
    let names = if named { cells.iter().map(|_| parts.text.get(..1).unwrap_or("n")).collect() } else { vec![] };
    let consistency = Consistency(parts.consistency);
    let params = Params { consistency, values: Some(cells), names, options: options.clone() };
    let texts = || parts.texts.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    match parts.kind {
        0 => Request::Options,
        1 => Request::Startup(Startup { options: texts().collect() }),
        2 => Request::Register(Register { event_types: texts().map(|(key, _)| key).collect() }),
        3 => Request::AuthResponse(AuthResponse { token: parts.options.2.as_deref() }),
        4 => Request::Query(Query { query: &parts.text, params }),
        5 => Request::Prepare(Prepare { query: &parts.text, keyspace: options.keyspace }),
        6 => {
            let result_metadata_id = if dialect.has_result_metadata_id() { &parts.metadata_id[..] } else { &[] };
            Request::Execute(Execute { id: &parts.id, result_metadata_id, params })
        }
        _ => {
            let statement = |(text, cells): &'a (bool, Vec<Cell>)| {
                let statement = if *text { Statement::Text(&parts.text) } else { Statement::Prepared(&parts.id) };
                (statement, cells.iter().map(|cell| bound(cell, dialect)).collect())
            };
            let options = RequestOptions { skip_metadata: false, page_size: None, paging_state: None, ..options };
            Request::Batch(Batch {
                batch_type: parts.consistency as u8 % 3,
                statements: parts.statements.iter().map(statement).collect(),
                consistency,
                options,
            })
        }
    }
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
