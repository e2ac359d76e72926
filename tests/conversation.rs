//! Both sides of a connection against each other, from OPTIONS to a result: the handshake, and what is compressed or in segments from
//! where on. What the bytes are is held by the goldens and recordings; here it is that the two sides agree on them at every moment.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::Prefix;
use cqlwire::message::*;
use cqlwire::spec::{Compression, Opcode, Version};
use cqlwire::wire::ErrorKind;
use support::{DIALECTS, hex};

/// What one side has to say, to the other.
fn pass(from: &mut Conn, to: &mut Conn) -> Vec<u8> {
    let bytes = from.output().unwrap().to_vec();
    from.sent();
    to.feed(&bytes);
    bytes
}

fn startup(compression: Compression) -> Startup<'static> {
    let mut options = vec![("CQL_VERSION", "3.0.0")];
    if compression != Compression::None {
        options.push(("COMPRESSION", compression.name()));
    }
    Startup { options }
}

fn response(client: &mut Conn) -> (i16, Opcode) {
    let header = client.next_frame().unwrap().unwrap();
    client.response().unwrap();
    (header.stream, header.opcode)
}

#[test]
fn from_options_to_a_result_with_and_without_authentication() {
    let text = "a".repeat(300_000);
    for (version, compression) in DIALECTS {
        for authenticates in [false, true] {
            let (mut client, mut server) = (Conn::new(Role::Client, version), Conn::new(Role::Server, version));
            let (options, none) = (FrameOptions::default(), Prefix::default());
            client.send(&Request::Options, 0, &options).unwrap();
            pass(&mut client, &mut server);
            assert_eq!(server.next_frame().unwrap().unwrap().opcode, Opcode::Options);
            server.reply(&Response::Supported(Supported { options: vec![("COMPRESSION", vec!["lz4"])] }), 0, &none).unwrap();
            pass(&mut server, &mut client);
            assert_eq!(response(&mut client), (0, Opcode::Supported));

            client.send(&Request::Startup(startup(compression)), 1, &options).unwrap();
            pass(&mut client, &mut server);
            server.next_frame().unwrap().unwrap();
            assert_eq!(server.dialect(), client.dialect());
            // The answer, and what the server says right after it, in one run of bytes.
            let answer = if authenticates { Response::Authenticate(Authenticate { authenticator: "x" }) } else { Response::Ready };
            server.reply(&answer, 1, &none).unwrap();
            let event =
                SchemaChange { change_type: "CREATED", target: "KEYSPACE", keyspace: &text[..1000], name: None, argument_types: None };
            server.reply(&Response::Event(Event::SchemaChange(event)), -1, &none).unwrap();
            let bytes = pass(&mut server, &mut client);
            assert_eq!((bytes[0], bytes[1]), (0x80 | version.number(), 0), "the answer to STARTUP is as it is");
            assert_eq!(bytes.len() < 500, compression != Compression::None, "{version:?} {compression:?}: {}", bytes.len());
            assert_eq!(response(&mut client), (1, answer.opcode()));
            assert_eq!(response(&mut client), (-1, Opcode::Event));
            assert_eq!((client.is_established(), server.is_established()), (true, true));

            if authenticates {
                client.send(&Request::AuthResponse(AuthResponse { token: Some(b"t") }), 2, &options).unwrap();
                pass(&mut client, &mut server);
                assert!(matches!(server.next_frame().unwrap().map(|_| server.request().unwrap().1), Some(Request::AuthResponse(_))));
                server.reply(&Response::AuthSuccess(AuthSuccess { token: None }), 2, &none).unwrap();
                pass(&mut server, &mut client);
                assert_eq!(response(&mut client), (2, Opcode::AuthSuccess));
            }
            // Large both ways; two answers in one run, out of order.
            for stream in [3, 4] {
                client.send(&Request::Prepare(Prepare { query: &text, keyspace: None }), stream, &options).unwrap();
            }
            pass(&mut client, &mut server);
            for _ in 0..2 {
                server.next_frame().unwrap().unwrap();
                assert!(matches!(server.request().unwrap().1, Request::Prepare(prepare) if prepare.query == text));
            }
            let cells = [&300_000i32.to_be_bytes()[..], text.as_bytes()].concat();
            let metadata = RowsMetadata { column_count: 1, paging_state: Some(b"s"), ..RowsMetadata::default() };
            let rows = Rows { metadata, row_count: 1, cells: &cells, cells_at: 0 };
            let has_warnings = version != Version::V3;
            let warnings = if has_warnings { vec!["w"] } else { vec![] };
            let prefix = Prefix { tracing_id: Some([7; 16]), warnings, ..Prefix::default() };
            server.reply(&Response::Result(ResultMessage::Rows(rows)), 4, &prefix).unwrap();
            server.reply(&Response::Result(ResultMessage::Void), 3, &none).unwrap();
            pass(&mut server, &mut client);
            assert_eq!(client.next_frame().unwrap().unwrap().stream, 4);
            let (read, message) = client.response().unwrap();
            assert_eq!(read, prefix);
            assert!(
                matches!(message, Response::Result(ResultMessage::Rows(rows)) if rows.cells == cells && rows.metadata.paging_state == Some(b"s"))
            );
            assert_eq!(response(&mut client), (3, Opcode::Result));
            assert_eq!(client.next_frame().unwrap(), None);
        }
    }
}

#[test]
fn what_a_version_has_not_is_refused_and_leaves_nothing() {
    let mut server = Conn::new(Role::Server, Version::V3);
    let none = Prefix::default();
    server.reply(&Response::Ready, 1, &none).unwrap();
    let before = server.output().unwrap().to_vec();
    for prefix in [Prefix { warnings: vec!["w"], ..none.clone() }, Prefix { custom_payload: vec![("k", None)], ..none.clone() }] {
        assert_eq!(server.reply(&Response::Ready, 1, &prefix).unwrap_err().kind, ErrorKind::Unsupported);
    }
    let long = "x".repeat(65_536);
    let authenticate = Response::Authenticate(Authenticate { authenticator: &long });
    assert_eq!(server.reply(&authenticate, 1, &none).unwrap_err().kind, ErrorKind::TooLarge);
    let changed = RowsMetadata { new_metadata_id: Some(&[1]), columns: Some(vec![]), ..RowsMetadata::default() };
    let rows = |metadata| Response::Result(ResultMessage::Rows(Rows { metadata, row_count: 0, cells: &[], cells_at: 0 }));
    assert_eq!(server.reply(&rows(changed), 1, &none).unwrap_err().kind, ErrorKind::Unsupported);
    let miscounted = RowsMetadata { column_count: 2, columns: Some(vec![]), ..RowsMetadata::default() };
    assert_eq!(server.reply(&rows(miscounted), 1, &none).unwrap_err().kind, ErrorKind::ColumnCount);
    assert_eq!(server.output().unwrap(), before);
    assert_eq!(before, hex("83 00 0001 02 00000000"));
}

#[test]
fn an_error_whose_fields_are_not_its_codes_is_refused() {
    use cqlwire::message::error::{ErrorDetail, Failures};
    use cqlwire::spec::{Consistency, code::error as code};
    let failure = || ErrorDetail::WriteFailure {
        consistency: Consistency::One,
        received: 0,
        block_for: 1,
        failures: Failures { count: 1, reasons: vec![] },
        write_type: "SIMPLE",
    };
    for (version, code, detail, fits) in [
        (Version::V3, code::WRITE_FAILURE, failure(), false), // v3 defines no such code's fields
        (Version::V3, code::WRITE_FAILURE, ErrorDetail::None {}, true),
        (Version::V4, code::WRITE_FAILURE, failure(), true),
        (Version::V4, code::WRITE_FAILURE, ErrorDetail::None {}, false),
        (Version::V4, code::INVALID, failure(), false),
        (Version::V4, code::UNPREPARED, ErrorDetail::None {}, false),
        (Version::V4, 0x7777, ErrorDetail::None {}, true),
        (Version::V5, code::CAS_WRITE_UNKNOWN, ErrorDetail::None {}, false),
        (Version::V4, code::CAS_WRITE_UNKNOWN, ErrorDetail::None {}, true),
    ] {
        let mut server = Conn::new(Role::Server, version);
        let error = Response::Error(ErrorMessage { code, message: "no", detail });
        assert_eq!(server.reply(&error, 1, &Prefix::default()).is_ok(), fits, "{version:?} {code:#06x}");
        assert_eq!(server.output().unwrap().is_empty(), !fits);
    }
}

#[test]
fn each_side_says_its_own_part() {
    let (mut client, mut server) = (Conn::new(Role::Client, Version::V4), Conn::new(Role::Server, Version::V4));
    let wrong = [
        client.reply(&Response::Ready, 1, &Prefix::default()),
        server.send(&Request::Options, 1, &FrameOptions::default()),
        server.begin_batch(1, &FrameOptions::default(), 0, cqlwire::spec::Consistency::One),
    ];
    assert_eq!(wrong.map(|result| result.unwrap_err().kind), [ErrorKind::WrongDirection; 3]);
    assert!(client.output().unwrap().is_empty() && server.output().unwrap().is_empty());
}
