//! ScyllaDB's extensions (scylladb/scylladb `docs/dev/protocol-extensions.md`): what a connection that agreed on them reads and writes.
//! Bytes are written from the document. `tests/scylla_options.rs` has how they are agreed.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::Prefix;
use cqlwire::message::error::ErrorDetail;
use cqlwire::message::event::ClientRoutesChange;
use cqlwire::message::*;
use cqlwire::route::Tablet;
use cqlwire::spec::{Consistency, Dialect, Features, Opcode, Version};
use cqlwire::wire::{ErrorKind, Reader, Writer};
use support::scylla::{OFFERED, newest_node};
use support::{dialects, hex};

fn v4(features: Features) -> Dialect {
    Dialect { features, ..Dialect::new(Version::V4) }
}

#[test]
fn a_conversation_from_options_to_a_rate_limit() {
    for version in Version::ALL {
        let (mut client, mut server) = (Conn::new(Role::Client, version), Conn::new(Role::Server, version));
        let pass = |from: &mut Conn, to: &mut Conn| {
            to.feed(from.output().unwrap());
            from.sent();
            to.next_frame().unwrap().unwrap().opcode
        };
        let (frame, none) = (FrameOptions::default(), Prefix::default());
        client.send(&Request::Options, 0, &frame).unwrap();
        pass(&mut client, &mut server);
        server.reply(&Response::Supported(Supported { options: newest_node() }), 0, &none).unwrap();
        assert_eq!(pass(&mut server, &mut client), Opcode::Supported);
        let mut options = vec![("CQL_VERSION", "3.0.0")];
        options.extend(Supported { options: newest_node() }.startup_options(client.dialect()));
        client.send(&Request::Startup(Startup { options }), 1, &frame).unwrap();
        assert_eq!(pass(&mut client, &mut server), Opcode::Startup);
        let expected = if version == Version::V3 { Features::NONE } else { OFFERED };
        assert_eq!((client.dialect().features, server.dialect().features), (expected, expected), "{version:?}");
        server.reply(&Response::Ready, 1, &none).unwrap();
        pass(&mut server, &mut client);

        let detail = ErrorDetail::RateLimit { op_type: 1, rejected_by_coordinator: true };
        let error = Response::Error(ErrorMessage { code: 0xf000, message: "too many", detail });
        let sent = server.reply(&error, 2, &none).map_err(|error| error.kind);
        if version == Version::V3 {
            assert_eq!(sent, Err(ErrorKind::Unsupported));
            continue;
        }
        pass(&mut server, &mut client);
        assert_eq!(client.response().unwrap().1, error);
    }
}

#[test]
fn what_the_node_has_can_be_known_from_elsewhere() {
    // A second connection to a node, on which nobody asks for OPTIONS again; and a server that is never asked.
    let all = Supported { options: newest_node() };
    let startup = Request::Startup(Startup { options: all.startup_options(Dialect::new(Version::V4)) });
    let (mut client, mut server) = (Conn::new(Role::Client, Version::V4), Conn::new(Role::Server, Version::V4));
    client.offer(all.scylla().features);
    server.offer(Features { tablets_v1: false, ..OFFERED });
    client.send(&startup, 1, &FrameOptions::default()).unwrap();
    assert_eq!(client.dialect().features, OFFERED);
    server.feed(client.output().unwrap());
    server.next_frame().unwrap().unwrap();
    assert_eq!(server.dialect().features, Features { tablets_v1: false, ..OFFERED });
    // A SUPPORTED that cannot be read is an error of its own, and tells nothing.
    let mut client = Conn::new(Role::Client, Version::V4);
    client.feed(&hex("84 00 0000 06 00000002 ffff"));
    client.next_frame().unwrap().unwrap();
    assert_eq!(client.response().unwrap_err().kind, ErrorKind::Truncated);
    client.send(&startup, 1, &FrameOptions::default()).unwrap();
    assert_eq!(client.dialect().features, Features { rate_limit_error: None, ..OFFERED });
}

#[test]
fn rate_limit_error_has_its_fields_under_the_agreed_code_alone() {
    // The layout is the document's; 0x4321, 0x8765 and what they hold are of scylladb/scylla-rust-driver's test.
    for (code, fields, op_type, rejected_by_coordinator) in [
        (0x4321, "00 01", 0, true),
        (0x8765, "01 00", 1, false),
        (0xf000, "01 01", 1, true),
        (-1, "00 00", 0, false),
        (0xf000, "07 00", 7, false),
    ] {
        let bytes = hex(&format!("{code:08x} 0009 'message 1' {fields}"));
        let detail = ErrorDetail::RateLimit { op_type, rejected_by_coordinator };
        let agreed = ErrorMessage { code, message: "message 1", detail };
        let unknown = ErrorMessage { detail: ErrorDetail::None {}, ..agreed.clone() };
        for dialect in dialects("345x") {
            let with = |rate_limit_error| Dialect { features: Features { rate_limit_error, ..dialect.features }, ..dialect };
            let read = |dialect| ErrorMessage::decode(&mut Reader::new(&bytes), dialect);
            let write = |message: &ErrorMessage<'_>, dialect| {
                let mut w = Writer::new();
                message.encode(&mut w, dialect).map(|()| w.into_bytes()).map_err(|error| error.kind)
            };
            assert_eq!(read(with(Some(code))).as_ref(), Ok(&agreed));
            assert_eq!(write(&agreed, with(Some(code))), Ok(bytes.clone()));
            assert_eq!(agreed.name(), Some("RATE_LIMIT_ERROR"));
            for cut in 0..bytes.len() {
                let result = ErrorMessage::decode(&mut Reader::new(&bytes[..cut]), with(Some(code)));
                assert_eq!(result.unwrap_err().kind, ErrorKind::Truncated, "cut at {cut}");
            }
            // Elsewhere it is a code nobody knows: data, and its fields no part of it.
            for other in [None, Some(0x1234)] {
                assert_eq!(read(with(other)).as_ref(), Ok(&unknown));
                assert_eq!(write(&agreed, with(other)), Err(ErrorKind::Unsupported));
                assert_eq!(write(&unknown, with(other)), Ok(bytes[..bytes.len() - 2].to_vec()));
            }
            assert_eq!(write(&unknown, with(Some(code))), Err(ErrorKind::Unsupported), "fields that the code has");
            assert_eq!(unknown.name(), None);
        }
    }
    // The codes of v5 §8 stay what they are.
    let dialect = v4(Features { rate_limit_error: Some(0x2500), ..Features::NONE });
    let unprepared = hex("00002500 0001 'm' 0002 aabb");
    let read = ErrorMessage::decode(&mut Reader::new(&unprepared), dialect).unwrap();
    assert_eq!(read.detail, ErrorDetail::Unprepared { statement_id: &[0xaa, 0xbb] });
}

/// PREPARED both ways: `literal` in `dialect`.
fn prepared(literal: &str, dialect: Dialect, canonical: &str) -> (Vec<u8>, bool) {
    let bytes = hex(literal);
    let mut r = Reader::new(&bytes);
    let Ok(Response::Result(ResultMessage::Prepared(prepared))) = Response::decode(Opcode::Result, &mut r, dialect) else {
        panic!("{literal}")
    };
    let mut w = Writer::new();
    Response::Result(ResultMessage::Prepared(prepared.clone())).encode(&mut w, dialect).unwrap();
    assert_eq!(w.as_slice(), hex(canonical), "{dialect:?} {literal}");
    (prepared.result_metadata_id.to_vec(), prepared.is_lwt)
}

#[test]
fn the_mark_tells_conditional_statements() {
    let bind = "0001 'k' 0001 't' 0001 'a' 0009";
    let result = "00000001 00000001 0001 'k' 0001 't' 0009 '[applied]' 0004";
    // flags, count, no pk index; bind markers. Then none at all, so no table either.
    let marked = |flags: &str| format!("00000004 0002 aaaa {flags} 00000001 00000000 {bind} {result}");
    let empty = |flags: &str| format!("00000004 0002 aaaa {flags} 00000000 00000000 {result}");
    let mask = |mask| v4(Features { lwt_mask: Some(mask), ..Features::NONE });
    for (dialect, flags, is_lwt) in [
        (mask(0x8000_0000), "80000001", true),
        (mask(0x8000_0000), "00000001", false),
        (mask(8), "00000009", true),
        (mask(8), "00000001", false),
        (mask(0xc000_0000), "c0000001", true),
    ] {
        assert_eq!(prepared(&marked(flags), dialect, &marked(flags)).1, is_lwt, "{flags}");
    }
    assert!(prepared(&empty("80000000"), mask(0x8000_0000), &empty("80000000")).1);
    // Every bit of the mask (scylladb/java-driver, LwtInfoTest); without a mask it is a bit that nobody knows, and not written back.
    assert!(!prepared(&marked("80000001"), mask(0xc000_0000), &marked("00000001")).1);
    assert!(!prepared(&marked("80000001"), v4(Features::NONE), &marked("00000001")).1);
    // In v3 and v5 at the same place.
    let features = Features { lwt_mask: Some(0x8000_0000), ..Features::NONE };
    let v3 = format!("00000004 0002 aaaa 80000001 00000001 {bind} {result}");
    assert!(prepared(&v3, Dialect { features, ..Dialect::new(Version::V3) }, &v3).1);
    let v5 = format!("00000004 0002 aaaa 0002 bbbb 80000001 00000001 00000000 {bind} {result}");
    assert!(prepared(&v5, Dialect { features, ..Dialect::new(Version::V5) }, &v5).1);
    // To a client that asked for no mark a server writes none.
    let metadata = RowsMetadata { column_count: 0, ..RowsMetadata::default() };
    let lwt = Prepared { id: &[0xaa], result_metadata_id: &[], pk_indices: vec![], is_lwt: true, bind: vec![], result: metadata };
    let mut w = Writer::new();
    lwt.encode(&mut w, v4(Features::NONE)).unwrap();
    assert_eq!(w.into_bytes(), hex("0001 aa 00000000 00000000 00000000 00000004 00000000"));
}

#[test]
fn the_metadata_id_stands_where_it_was_agreed() {
    // scylladb/python-driver#770, scylladb/gocql#590. One int, 7.
    let params = || Params {
        consistency: Consistency::One,
        values: Some(vec![Bound::Bytes(&[0, 0, 0, 7])]),
        names: vec![],
        options: RequestOptions::default(),
    };
    let id = Features { metadata_id: true, ..Features::NONE };
    let tail = "0001 00000004 00000007";
    let result = "00000001 00000001 0001 'k' 0001 't' 0001 'c' 0009";
    let bind = "00000001 00000001";
    let marker = "0001 'k' 0001 't' 0001 'a' 0009";
    for (version, features, execute, prepared_head, has_id) in [
        (Version::V3, Features::NONE, format!("0002 aaaa 0001 01 {tail}"), format!("0002 aaaa {bind}"), false),
        (Version::V3, id, format!("0002 aaaa 0002 bbbb 0001 01 {tail}"), format!("0002 aaaa 0002 bbbb {bind}"), true),
        (Version::V4, Features::NONE, format!("0002 aaaa 0001 01 {tail}"), format!("0002 aaaa {bind} 00000000"), false),
        (Version::V4, id, format!("0002 aaaa 0002 bbbb 0001 01 {tail}"), format!("0002 aaaa 0002 bbbb {bind} 00000000"), true),
        (
            Version::V5,
            Features::NONE,
            format!("0002 aaaa 0002 bbbb 0001 00000001 {tail}"),
            format!("0002 aaaa 0002 bbbb {bind} 00000000"),
            true,
        ),
        (Version::V5, id, format!("0002 aaaa 0002 bbbb 0001 00000001 {tail}"), format!("0002 aaaa 0002 bbbb {bind} 00000000"), true),
    ] {
        let dialect = Dialect { features, ..Dialect::new(version) };
        let request = |result_metadata_id| Request::Execute(Execute { id: &[0xaa, 0xaa], result_metadata_id, params: params() });
        // The same statement on every connection: the dialect decides, not the statement.
        let mut w = Writer::new();
        request(&[0xbb, 0xbb]).encode(&mut w, dialect).unwrap();
        assert_eq!(w.as_slice(), hex(&execute), "{dialect:?}");
        let read = Request::decode(Opcode::Execute, &mut Reader::new(w.as_slice()), dialect);
        assert_eq!(read, Ok(request(if has_id { &[0xbb, 0xbb] } else { &[] })));
        // Prepared before the extension was on: the field is there, empty.
        let mut w = Writer::new();
        request(&[]).encode(&mut w, dialect).unwrap();
        assert_eq!(w.into_bytes(), hex(&execute.replace("0002 bbbb", "0000")), "{dialect:?}");

        let literal = format!("00000004 {prepared_head} {marker} {result}");
        let (read, _) = prepared(&literal, dialect, &literal);
        assert_eq!(read, if has_id { &[0xbb, 0xbb][..] } else { &[] }, "{dialect:?}");
    }
}

#[test]
fn client_routes_change() {
    let event = |change_type, connection_ids: &[&'static str], host_ids: &[&'static str]| {
        let (connection_ids, host_ids) = (connection_ids.to_vec(), host_ids.to_vec());
        Response::Event(Event::ClientRoutesChange(ClientRoutesChange { change_type, connection_ids, host_ids }))
    };
    let host = "00112233-4455-6677-8899-aabbccddeeff";
    for (literal, expected) in [
        (format!("000c 'UPDATE_NODES' 0001 0002 'c1' 0001 0024 '{host}'"), event("UPDATE_NODES", &["c1"], &[host])),
        // scylladb/gocql, TestParseEventFrame_ClientRoutesChanged: another change, an empty id, no hosts
        ("0007 'UPDATED' 0002 0002 'c1' 0000 0000".into(), event("UPDATED", &["c1", ""], &[])),
        ("0000 0000 0001 0001 'x'".into(), event("", &[], &["x"])),
    ] {
        let bytes = hex(&format!("0014 'CLIENT_ROUTES_CHANGE' {literal}"));
        for dialect in dialects("345x") {
            assert_eq!(Response::decode(Opcode::Event, &mut Reader::new(&bytes), dialect).as_ref(), Ok(&expected));
            let mut w = Writer::new();
            expected.encode(&mut w, dialect).unwrap();
            assert_eq!(w.as_slice(), bytes);
            for cut in 0..bytes.len() {
                let error = Response::decode(Opcode::Event, &mut Reader::new(&bytes[..cut]), dialect).unwrap_err();
                assert_eq!(error.kind, ErrorKind::Truncated, "cut at {cut}");
            }
        }
    }
    let huge = hex("0014 'CLIENT_ROUTES_CHANGE' 000c 'UPDATE_NODES' ffff 0000");
    assert_eq!(Event::decode(&mut Reader::new(&huge)).unwrap_err().kind, ErrorKind::Truncated);
}

/// scylladb/scylla-rust-driver#1641, fixed in #1660: the first tablet of a table, and a range that is reversed.
const TABLET: &str = "00000008 8000000000000000 00000008 bfffffffffffffff 00000024 00000001 0000001c 00000010
    00112233445566778899aabbccddeeff 00000004 00000003";
const REVERSED: &str = "00000008 7fffffffffffffff 00000008 000000000000162e 00000004 00000000";

#[test]
fn a_result_is_delivered_whatever_its_tablet_says() {
    let frame = |payload: &[u8]| {
        let mut body = hex("0001 0012 'tablets-routing-v1'");
        body.extend((payload.len() as i32).to_be_bytes());
        body.extend(payload);
        body.extend(hex("00000001"));
        let mut frame = hex("84 04 0001 08");
        frame.extend((body.len() as i32).to_be_bytes());
        frame.extend(body);
        frame
    };
    let read = |payload: &[u8]| {
        let mut client = Conn::established(Role::Client, v4(OFFERED));
        client.feed(&frame(payload));
        client.next_frame().unwrap().unwrap();
        let (prefix, response) = client.response().unwrap();
        assert_eq!(response, Response::Result(ResultMessage::Void));
        Tablet::of(&prefix.custom_payload).map_err(|error| error.kind)
    };
    let tablet = read(&hex(TABLET)).unwrap().unwrap();
    assert_eq!((tablet.first_token, tablet.last_token), (i64::MIN, -4_611_686_018_427_387_905));
    assert_eq!(tablet.replicas, [(*hex("00112233445566778899aabbccddeeff").first_chunk().unwrap(), 3)]);
    assert_eq!(tablet.encode().unwrap(), hex(TABLET));
    assert_eq!(read(&hex(REVERSED)), Err(ErrorKind::OutOfRange));
    for payload in [&[][..], &[0], &[0xff; 4], &[0x7f; 64]] {
        assert!(read(payload).is_err(), "{payload:?}");
    }
    // scylladb/python-driver, TabletFromRowTest: without replicas it is none.
    assert_eq!(read(&hex("00000008 0000000000000000 00000008 0000000000000064 00000004 00000000")), Ok(None));

    assert_eq!(Tablet::of(&[]), Ok(None));
    assert_eq!(Tablet::of(&[("tablets-routing-v1", None)]), Ok(None));
    let other = hex(TABLET);
    assert_eq!(Tablet::of(&[("tablets-routing-v2", Some(&other)), ("TABLETS-ROUTING-V1", Some(&other))]), Ok(None));
}

#[test]
fn a_tablet_replaces_those_it_overlaps() {
    // scylladb/python-driver, test_add_tablet_…: the known tablets, the new one, and which are left
    let tablet = |(first_token, last_token)| Tablet { first_token, last_token, replicas: vec![([0; 16], 0)] };
    let (a, b, c, d) = (
        (-6917529027641081857, -4611686018427387905),
        (-4611686018427387905, -2305843009213693953),
        (-2305843009213693953, -1),
        (-1, 2305843009213693951),
    );
    let e = (-8611686018427387905, -7917529027641081857);
    for (known, new, left) in [
        (vec![a], e, vec![a]),
        (vec![a], d, vec![a]),
        (vec![a, d], b, vec![a, d]),
        (vec![a, b, c, d], (-3611686018427387905, -6), vec![a, d]),
        (vec![e, a], (-8011686018427387905, -7987529027641081857), vec![a]),
        (vec![e, a], (-5011686018427387905, -2987529027641081857), vec![e]),
    ] {
        let kept: Vec<_> = known.into_iter().filter(|range| !tablet(*range).overlaps(&tablet(new))).collect();
        assert_eq!(kept, left, "{new:?}");
    }
    assert!(!tablet(a).overlaps(&tablet(b)) && !tablet(b).overlaps(&tablet(a)), "neighbours");
    assert!(tablet(a).overlaps(&tablet(a)) && tablet((i64::MIN, i64::MAX)).overlaps(&tablet(a)));
}

/// The names of fields as JavaScript has them.
#[cfg(feature = "js")]
#[test]
fn what_crosses_to_javascript() {
    use serde_json::{json, to_value};
    let error = |op_type| {
        let detail = ErrorDetail::RateLimit { op_type, rejected_by_coordinator: true };
        to_value(Response::Error(ErrorMessage { code: 0xf000, message: "m", detail })).unwrap()
    };
    let expected = json!({ "opcode": "ERROR", "code": 61440, "message": "m", "opType": "WRITE", "rejectedByCoordinator": true });
    assert_eq!(error(1), expected);
    assert_eq!((&error(0)["opType"], &error(7)["opType"]), (&json!("READ"), &json!(7)));

    let change = ClientRoutesChange { change_type: "UPDATE_NODES", connection_ids: vec!["c"], host_ids: vec!["h"] };
    let expected = json!({ "eventType": "CLIENT_ROUTES_CHANGE", "changeType": "UPDATE_NODES", "connectionIds": ["c"], "hostIds": ["h"], "opcode": "EVENT" });
    assert_eq!(to_value(Response::Event(Event::ClientRoutesChange(change))).unwrap(), expected);

    let expected = json!({
        "shard": 0, "nrShards": 12, "shardingIgnoreMsb": 12, "shardingAlgorithm": "biased-token-round-robin",
        "partitioner": "org.apache.cassandra.dht.Murmur3Partitioner", "shardAwarePort": 19042, "shardAwarePortSsl": 19142,
        "hostId": "00112233-4455-6677-8899-aabbccddeeff",
        "features": { "metadataId": true, "tabletsV1": true, "lwtMask": 2147483648u32, "rateLimitError": 61440 },
    });
    assert_eq!(to_value(Supported { options: newest_node() }.scylla()).unwrap(), expected);
}
