//! Every response as bytes, in every version: ERROR, READY, AUTHENTICATE, SUPPORTED, EVENT and the SASL messages, written from
//! native_protocol_v3, v4 and v5 §4.2 and §8/9, and from reports. RESULT has `tests/goldens_results.rs`. Each is read, and refused at
//! every cut.

mod support;

use cqlwire::message::error::{ErrorDetail, Failures};
use cqlwire::message::event::{NodeChange, UnknownEvent};
use cqlwire::message::*;
use cqlwire::spec::{Consistency, Opcode, code};
use cqlwire::wire::{ErrorKind, Reader, Writer};
use support::{dialects, hex};

fn read(letters: &str, opcode: Opcode, literal: &str, response: Response<'_>) {
    let bytes = hex(literal);
    for dialect in dialects(letters) {
        let mut r = Reader::new(&bytes);
        let decoded = Response::decode(opcode, &mut r, dialect);
        assert_eq!(decoded.as_ref(), Ok(&response), "{dialect:?} {literal}");
        let taken = r.position();
        // Written back, also into a writer that holds bytes.
        let mut w = Writer::new();
        w.byte(0xee);
        response.encode(&mut w, dialect).unwrap();
        assert_eq!(&w.as_slice()[1..], &bytes[..taken], "{dialect:?} {literal}");
        for cut in 0..taken {
            match Response::decode(opcode, &mut Reader::new(&bytes[..cut]), dialect) {
                Err(error) => assert_eq!(error.kind, ErrorKind::Truncated, "{dialect:?} {literal} cut at {cut}"),
                // Of an unknown event everything after the type is its body, however little.
                Ok(Response::Event(Event::Unknown(_))) => assert!(matches!(&response, Response::Event(Event::Unknown(_)))),
                Ok(other) => panic!("{dialect:?} {literal} cut at {cut}: {other:?}"),
            }
        }
    }
}

fn error<'a>(code: i32, message: &'a str, detail: ErrorDetail<'a>) -> Response<'a> {
    Response::Error(ErrorMessage { code, message, detail })
}

#[test]
fn errors_without_fields() {
    for (number, name) in [
        (0x0000, "SERVER_ERROR"),
        (0x000a, "PROTOCOL_ERROR"),
        (0x0100, "AUTHENTICATION_ERROR"),
        (0x1001, "OVERLOADED"),
        (0x1002, "IS_BOOTSTRAPPING"),
        (0x1003, "TRUNCATE_ERROR"),
        (0x1600, "CDC_WRITE_FAILURE"),
        (0x2000, "SYNTAX_ERROR"),
        (0x2100, "UNAUTHORIZED"),
        (0x2200, "INVALID"),
        (0x2300, "CONFIG_ERROR"),
    ] {
        read("345x", Opcode::Error, &format!("{number:08x} 0002 'no'"), error(number, "no", ErrorDetail::None {}));
        assert_eq!(code::error::name(number), Some(name));
    }
    read("345", Opcode::Error, "00002200 0000", error(0x2200, "", ErrorDetail::None {}));
    // A code of the future: what follows the message is left unread.
    read("345", Opcode::Error, "00009999 0001 'm' 0102 03", error(0x9999, "m", ErrorDetail::None {}));
    assert_eq!(code::error::name(0x9999), None);
}

#[test]
fn errors_that_are_the_same_in_every_version() {
    let detail = ErrorDetail::Unavailable { consistency: Consistency::Quorum, required: 3, alive: 1 };
    read("345", Opcode::Error, "00001000 0001 'm' 0004 00000003 00000001", error(0x1000, "m", detail));
    let detail = ErrorDetail::ReadTimeout { consistency: Consistency::One, received: 0, block_for: 1, data_present: true };
    read("345", Opcode::Error, "00001200 0001 'm' 0001 00000000 00000001 01", error(0x1200, "m", detail));
    let detail = ErrorDetail::ReadTimeout { consistency: Consistency(0x63), received: 2, block_for: 2, data_present: false };
    read("345", Opcode::Error, "00001200 0000 0063 00000002 00000002 00", error(0x1200, "", detail));
    let detail = ErrorDetail::AlreadyExists { keyspace: "ks", table: "t" };
    read("345", Opcode::Error, "00002400 0001 'm' 0002 'ks' 0001 't'", error(0x2400, "m", detail));
    let detail = ErrorDetail::AlreadyExists { keyspace: "ks", table: "" };
    read("345", Opcode::Error, "00002400 0001 'm' 0002 'ks' 0000", error(0x2400, "m", detail));
    let detail = ErrorDetail::Unprepared { statement_id: &[0xaa, 0xbb] };
    read("345", Opcode::Error, "00002500 0001 'm' 0002 aabb", error(0x2500, "m", detail));
}

#[test]
fn write_timeouts_name_types_that_the_specification_lacks() {
    // krojew/cdrs-tokio#112: CAS under v3 and v4; apache/cassandra-java-driver#862: VIEW, CDC
    for write_type in ["SIMPLE", "BATCH", "UNLOGGED_BATCH", "COUNTER", "BATCH_LOG", "VIEW", "CDC", "NEW_ONE"] {
        let detail =
            ErrorDetail::WriteTimeout { consistency: Consistency::Serial, received: 0, block_for: 2, write_type, contentions: None };
        let literal = format!("00001100 0001 'f' 0008 00000000 00000002 {:04x} '{write_type}'", write_type.len());
        read("345", Opcode::Error, &literal, error(0x1100, "f", detail));
    }
    let cas = |contentions| {
        let (consistency, write_type) = (Consistency::Serial, "CAS");
        error(0x1100, "f", ErrorDetail::WriteTimeout { consistency, received: 0, block_for: 2, write_type, contentions })
    };
    read("34x", Opcode::Error, "00001100 0001 66 0008 00000000 00000002 0003 434153", cas(None));
    read("5", Opcode::Error, "00001100 0001 66 0008 00000000 00000002 0003 434153 0007", cas(Some(7)));
}

#[test]
fn failures_differ_in_every_version() {
    // scylladb/scylladb#5610: v3 has no such codes, so what follows the message is opaque
    let v4 = || Failures { count: 1, reasons: vec![] };
    let v5 = || Failures { count: 1, reasons: vec![([127, 0, 0, 1].into(), 1)] };
    let write = |failures| {
        let (consistency, write_type) = (Consistency::Quorum, "SIMPLE");
        error(0x1500, "f", ErrorDetail::WriteFailure { consistency, received: 1, block_for: 2, failures, write_type })
    };
    read("4x", Opcode::Error, "00001500 0001 66 0004 00000001 00000002 00000001 0006 'SIMPLE'", write(v4()));
    read("5", Opcode::Error, "00001500 0001 66 0004 00000001 00000002 00000001 04 7f000001 0001 0006 'SIMPLE'", write(v5()));
    read("3", Opcode::Error, "00001500 0001 66 0004 00000001 00000002 0006 'SIMPLE'", error(0x1500, "f", ErrorDetail::None {}));

    let read_failure = |failures, data_present| {
        let consistency = Consistency::All;
        error(0x1300, "f", ErrorDetail::ReadFailure { consistency, received: 1, block_for: 3, failures, data_present })
    };
    read("4x", Opcode::Error, "00001300 0001 66 0005 00000001 00000003 00000001 01", read_failure(v4(), true));
    let two = Failures { count: 2, reasons: vec![([10, 0, 0, 1].into(), 0), ("2001:db8::1".parse().unwrap(), 0x0102)] };
    let literal = "00001300 0001 66 0005 00000001 00000003 00000002 04 0a000001 0000 10 20010db8000000000000000000000001 0102 00";
    read("5", Opcode::Error, literal, read_failure(two, false));
    let none = Failures { count: 0, reasons: vec![] };
    read("5", Opcode::Error, "00001300 0001 66 0005 00000001 00000003 00000000 00", read_failure(none, false));
    read("3", Opcode::Error, "00001300 0001 66 0005 00000001 00000003 01", error(0x1300, "f", ErrorDetail::None {}));

    let function = ErrorDetail::FunctionFailure { keyspace: "ks", function: "f", argument_types: vec!["int", "text"] };
    let literal = "00001400 0001 66 0002 'ks' 0001 'f' 0002 0003 'int' 0004 'text'";
    read("4x5", Opcode::Error, literal, error(0x1400, "f", function));
    read("3", Opcode::Error, literal, error(0x1400, "f", ErrorDetail::None {}));

    let cas = ErrorDetail::CasWriteUnknown { consistency: Consistency::Serial, received: 1, block_for: 2 };
    let literal = "00001700 0001 66 0008 00000001 00000002";
    read("5", Opcode::Error, literal, error(0x1700, "f", cas));
    read("34x", Opcode::Error, literal, error(0x1700, "f", ErrorDetail::None {}));
}

#[test]
fn an_impossible_failure_map_is_refused() {
    for (literal, kind) in [
        ("00001500 0001 66 0004 00000001 00000002 ffffffff 0006 'SIMPLE'", ErrorKind::BadLength),
        ("00001500 0001 66 0004 00000001 00000002 7fffffff 0006 'SIMPLE'", ErrorKind::Truncated),
        ("00001500 0001 66 0004 00000001 00000002 00000001 05 7f00000100 0001 0006 'SIMPLE'", ErrorKind::BadLength),
    ] {
        let error = Response::decode(Opcode::Error, &mut Reader::new(&hex(literal)), dialects("5")[0]).unwrap_err();
        assert_eq!(error.kind, kind, "{literal}");
    }
}

#[test]
fn the_handshake() {
    read("345x", Opcode::Ready, "", Response::Ready);
    let authenticator = "org.apache.cassandra.auth.PasswordAuthenticator";
    read("345x", Opcode::Authenticate, &format!("002f '{authenticator}'"), Response::Authenticate(Authenticate { authenticator }));
    let options = vec![("COMPRESSION", vec!["snappy", "lz4"]), ("CQL_VERSION", vec!["3.4.7"]), ("EMPTY", vec![])];
    read(
        "345x",
        Opcode::Supported,
        "0003 000b 'COMPRESSION' 0002 0006 'snappy' 0003 'lz4' 000b 'CQL_VERSION' 0001 0005 '3.4.7' 0005 'EMPTY' 0000",
        Response::Supported(Supported { options }),
    );
    read("345x", Opcode::Supported, "0000", Response::Supported(Supported { options: vec![] }));
}

#[test]
fn a_null_token_is_not_an_empty_one() {
    // AlexPikalov/cdrs#296 and others: the last token was dropped
    for (literal, token) in [("ffffffff", None), ("00000000", Some(&[][..])), ("00000003 010203", Some(&[1, 2, 3]))] {
        read("345x", Opcode::AuthChallenge, literal, Response::AuthChallenge(AuthChallenge { token }));
        read("345x", Opcode::AuthSuccess, literal, Response::AuthSuccess(AuthSuccess { token }));
    }
}

#[test]
fn events() {
    let node = |change_type, address: &str| NodeChange { change_type, address: address.parse().unwrap(), port: 9042 };
    read(
        "345x",
        Opcode::Event,
        "000f 'TOPOLOGY_CHANGE' 0008 'NEW_NODE' 04 7f000001 00002352",
        Response::Event(Event::TopologyChange(node("NEW_NODE", "127.0.0.1"))),
    );
    read(
        "345x",
        Opcode::Event,
        "000f 'TOPOLOGY_CHANGE' 000c 'REMOVED_NODE' 10 20010db8000000000000000000000001 00002352",
        Response::Event(Event::TopologyChange(node("REMOVED_NODE", "2001:db8::1"))),
    );
    for change_type in ["UP", "DOWN"] {
        let literal = format!("000d 'STATUS_CHANGE' {:04x} '{change_type}' 04 0a000001 00002352", change_type.len());
        read("345x", Opcode::Event, &literal, Response::Event(Event::StatusChange(node(change_type, "10.0.0.1"))));
    }
    let change = |change_type, target, name, argument_types| {
        Response::Event(Event::SchemaChange(SchemaChange { change_type, target, keyspace: "ks", name, argument_types }))
    };
    for (literal, expected) in [
        ("0007 'CREATED' 0008 'KEYSPACE' 0002 'ks'", change("CREATED", "KEYSPACE", None, None)),
        ("0007 'UPDATED' 0005 'TABLE' 0002 'ks' 0001 't'", change("UPDATED", "TABLE", Some("t"), None)),
        ("0007 'DROPPED' 0004 'TYPE' 0002 'ks' 0001 't'", change("DROPPED", "TYPE", Some("t"), None)),
        (
            "0007 'CREATED' 0008 'FUNCTION' 0002 'ks' 0001 'f' 0002 0003 'int' 0004 'text'",
            change("CREATED", "FUNCTION", Some("f"), Some(vec!["int", "text"])),
        ),
        ("0007 'DROPPED' 0009 'AGGREGATE' 0002 'ks' 0001 'a' 0000", change("DROPPED", "AGGREGATE", Some("a"), Some(vec![]))),
    ] {
        read("345x", Opcode::Event, &format!("000d 'SCHEMA_CHANGE' {literal}"), expected);
    }
    let unknown = UnknownEvent { event_type: "CLIENT_ROUTES", body: &[1, 2, 3] };
    read("345x", Opcode::Event, "000d 'CLIENT_ROUTES' 010203", Response::Event(Event::Unknown(unknown)));
}

#[test]
fn what_no_version_has_is_refused() {
    for (opcode, literal, kind) in [
        (Opcode::Event, "000d 'STATUS_CHANGE' 0002 'UP' 05 0a00000100 00002352", ErrorKind::BadLength),
        (Opcode::Authenticate, "0001 ff", ErrorKind::BadText),
        (Opcode::Supported, "ffff", ErrorKind::Truncated),
        (Opcode::Query, "00000000 0001 00", ErrorKind::WrongDirection),
    ] {
        let error = Response::decode(opcode, &mut Reader::new(&hex(literal)), dialects("4")[0]).unwrap_err();
        assert_eq!(error.kind, kind, "{literal}");
    }
}

#[test]
fn what_authentication_says_is_not_printed() {
    let (token, none) = (Some(&b"secret"[..]), None);
    for (shown, expected) in [
        (format!("{:?}", Response::AuthChallenge(AuthChallenge { token })), "AuthChallenge(AuthChallenge { token: *** })"),
        (format!("{:?}", Response::AuthSuccess(AuthSuccess { token })), "AuthSuccess(AuthSuccess { token: *** })"),
        (format!("{:?}", Response::AuthSuccess(AuthSuccess { token: none })), "AuthSuccess(AuthSuccess { token: None })"),
        (format!("{:?}", Request::AuthResponse(AuthResponse { token })), "AuthResponse(AuthResponse { token: *** })"),
    ] {
        assert_eq!(shown, expected);
    }
}
