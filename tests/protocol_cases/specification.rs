//! Where the text of the specification itself misleads.

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::error::ErrorDetail;
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Opcode, Version};
use cqlwire::value::{Value, decode_value};
use cqlwire::wire::{ErrorKind, Reader, Writer};

use crate::support::independent::payloads;
use crate::support::{dialects, frames_of, hex, to_hex, ty};
use crate::{both_ways, client, reads, server};

const NONE: Compression = Compression::None;
const LZ4: Compression = Compression::Lz4;

fn query(text: &str) -> Request<'_> {
    let params = Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
    Request::Query(Query { query: text, params })
}

fn sent(mut conn: Conn, request: &Request<'_>) -> Vec<u8> {
    conn.send(request, 1, &FrameOptions::default()).unwrap();
    conn.output().unwrap().to_vec()
}

/// T1: the trailer is the CRC-32 of fa 2d 55 ca and the payload.
#[test]
fn t1_the_trailer_is_seeded() {
    let right = "09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 b5 55 74 86";
    assert_eq!(to_hex(&sent(client(Version::V5, NONE), &Request::Options)), right.replace(' ', ""));
    assert_eq!(frames_of(|| server(Version::V5, NONE), right), [(1, Opcode::Options)]);
    // What a plain CRC-32 gives, and one that is stored big-endian.
    for trailer in ["34 0d 22 af", "86 74 55 b5"] {
        let mut conn = server(Version::V5, NONE);
        conn.feed(&hex(&format!("09 00 02 a4 c8 c1 05 00 00 01 05 00 00 00 00 {trailer}")));
        assert_eq!(conn.next_frame().unwrap_err().kind, ErrorKind::BadChecksum);
    }
}

/// T2: where LZ4 is agreed the header is 17 + 17 + 1 bits in five bytes and three of CRC-24.
#[test]
fn t2_the_header_of_a_compressed_segment() {
    let text = "x".repeat(5000);
    let written = sent(client(Version::V5, LZ4), &query(&text));
    let fields = written[..5].iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    let (compressed, uncompressed) = (fields & 0x1_ffff, fields >> 17 & 0x1_ffff);
    assert_eq!((compressed as usize, uncompressed as usize, fields >> 34), (written.len() - 8 - 4, 9 + 4 + 5000 + 6, 1));
    assert_eq!(payloads(&written, true).len(), 1); // checks the CRC-24 of five bytes
}

/// T3: an uncompressed length of 0 marks a payload that is not compressed; the compressed length is then its own.
#[test]
fn t3_the_uncompressed_length_decides() {
    let written = sent(client(Version::V5, LZ4), &Request::Options);
    assert_eq!(to_hex(&written), "0900000004c2b8950500000105 00000000 b5557486".replace(' ', ""));
    assert_eq!(frames_of(|| server(Version::V5, LZ4), &to_hex(&written)), [(1, Opcode::Options)]);
}

/// T4: the self-contained flag is bit 17, counted from zero.
#[test]
fn t4_the_self_contained_flag() {
    assert_eq!(sent(client(Version::V5, NONE), &Request::Options)[..3], [9, 0, 0x02]);
    let text = "x".repeat(200_000);
    assert_eq!(sent(client(Version::V5, NONE), &query(&text))[2] & 0x02, 0);
}

/// T5: a segment's payload has at most 131,071 bytes, not 128 KiB.
#[test]
fn t5_the_largest_payload() {
    let text = "x".repeat(131_071);
    for (length, parts) in [(131_071, vec![(true, 131_071)]), (131_072, vec![(false, 131_071), (false, 1)])] {
        let written = sent(client(Version::V5, NONE), &query(&text[..length - 9 - 4 - 6]));
        let read: Vec<_> = payloads(&written, false).into_iter().map(|(whole, payload)| (whole, payload.len())).collect();
        assert_eq!(read, parts);
        let mut server = server(Version::V5, NONE);
        server.feed(&written);
        assert_eq!(server.next_frame().unwrap().unwrap().length, length - 9);
    }
}

/// T6: an element of variable size has an [unsigned vint] length in a vector, not that of [bytes].
#[test]
fn t6_elements_of_a_vector_have_vint_lengths() {
    both_ways(&ty("vector<text, 2>"), "01 61 02 62 63", Value::List(vec![Value::Text("a".into()), Value::Text("bc".into())]));
    assert!(decode_value(&ty("vector<text, 2>"), Some(&hex("00000001 61 00000002 62 63"))).is_err());
}

/// T7: STARTUP, READY and AUTHENTICATE of v5 are in no segment, and the frame's compression flag says nothing.
#[test]
fn t7_the_handshake_is_plain() {
    for answer in ["85 01 0000 02 00000000", "85 01 0000 03 00000003 0001 'a'"] {
        let mut conn = Conn::new(Role::Client, Version::V5);
        let startup = Startup { options: vec![("CQL_VERSION", "3.0.0"), ("COMPRESSION", "lz4")] };
        let written = {
            conn.send(&Request::Startup(startup), 0, &FrameOptions::default()).unwrap();
            conn.output().unwrap().to_vec()
        };
        conn.sent();
        assert_eq!(written[..5], hex("05 00 0000 01"));
        conn.feed(&hex(answer));
        conn.next_frame().unwrap().unwrap();
        conn.response().unwrap();
        conn.send(&Request::Options, 1, &FrameOptions::default()).unwrap();
        assert_eq!(to_hex(&conn.output().unwrap()[..8]), "0900000004c2b895");
    }
}

/// T8: tracing id and warnings stand in responses; a request with those flags has a payload at most.
#[test]
fn t8_a_request_has_no_tracing_id() {
    let mut conn = server(Version::V4, NONE);
    conn.feed(&hex("04 0e 0001 05 00000009 0001 0001 'k' ffffffff"));
    conn.next_frame().unwrap().unwrap();
    let (prefix, request) = conn.request().unwrap();
    assert_eq!((prefix.tracing_id, prefix.warnings.len(), &prefix.custom_payload[..]), (None, 0, &[("k", None)][..]));
    assert_eq!(request, Request::Options);
}

/// T9: in v4 too the order is tracing id, warnings, payload.
#[test]
fn t9_the_order_in_v4() {
    let tracing_id = "000102030405060708090a0b0c0d0e0f";
    for (flags, before) in [
        ("02", tracing_id.to_string()),
        ("0a", format!("{tracing_id} 0001 0001 'w'")),
        ("0c", "0001 0001 'w' 0001 0001 'k' ffffffff".to_string()),
        ("0e", format!("{tracing_id} 0001 0001 'w' 0001 0001 'k' ffffffff")),
    ] {
        let length = hex(&before).len() + 4;
        let mut conn = client(Version::V4, NONE);
        conn.feed(&hex(&format!("84 {flags} 0001 08 {length:08x} {before} 00000001")));
        conn.next_frame().unwrap().unwrap();
        let (prefix, response) = conn.response().unwrap();
        assert_eq!(response, Response::Result(ResultMessage::Void), "{flags}");
        let has = (prefix.tracing_id.is_some(), prefix.warnings == ["w"], prefix.custom_payload == [("k", None)]);
        let mask = hex(flags)[0];
        assert_eq!(has, (mask & 2 != 0, mask & 8 != 0, mask & 4 != 0));
    }
}

/// T10: servers send write types that v4's list lacks.
#[test]
fn t10_write_types_of_v4() {
    for (letters, name) in ["CAS", "VIEW", "CDC"].map(|name| ("34x", name)) {
        let literal = format!("00001100 0000 0008 00000000 00000002 {:04x} '{name}'", name.len());
        for dialect in dialects(letters) {
            let bytes = hex(&literal);
            let error = ErrorMessage::decode(&mut Reader::new(&bytes), dialect).unwrap();
            assert!(matches!(error.detail, ErrorDetail::WriteTimeout { write_type, contentions: None, .. } if write_type == name));
        }
    }
}

/// T11: readiness after authentication is shown by AUTH_SUCCESS; AUTH_RESPONSE is the client's.
#[test]
fn t11_auth_success_is_the_answer() {
    let mut conn = client(Version::V4, NONE);
    conn.feed(&hex("84 00 0000 10 00000004 ffffffff"));
    conn.next_frame().unwrap().unwrap();
    assert_eq!(conn.response().unwrap().1, Response::AuthSuccess(AuthSuccess { token: None }));
    let error = Response::decode(Opcode::AuthResponse, &mut Reader::new(&[0xff; 4]), conn.dialect()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::WrongDirection);
}

/// T12: the largest date is ff ff ff ff, 2³² - 1; there is no 2³² in four bytes.
#[test]
fn t12_the_largest_date() {
    both_ways(&ty("date"), "ffffffff", Value::Date(i32::MAX));
    assert!(decode_value(&ty("date"), Some(&hex("01 00000000"))).is_err());
}

/// T13: EXECUTE of v5 always has a result_metadata_id, [short bytes], possibly of no bytes.
#[test]
fn t13_the_metadata_id_of_execute() {
    for (literal, id) in [("0002 aaaa 0000 0001 00000000", &[][..]), ("0002 aaaa 0002 bbbb 0001 00000000", &[0xbb, 0xbb])] {
        let dialect = dialects("5")[0];
        let bytes = hex(literal);
        let Request::Execute(execute) = Request::decode(Opcode::Execute, &mut Reader::new(&bytes), dialect).unwrap() else { panic!() };
        assert_eq!(execute.result_metadata_id, id);
        let mut w = Writer::new();
        execute.encode(&mut w, dialect).unwrap();
        assert_eq!(w.as_slice(), bytes);
    }
    let cut = hex("0002 aaaa 0001 00000000");
    assert!(Request::decode(Opcode::Execute, &mut Reader::new(&cut), dialects("5")[0]).is_err());
}

/// T14: SCYLLA_USE_METADATA_ID puts the id where v5 has it, and changes nothing else of v4.
#[test]
fn t14_the_extension_keeps_v4s_layout() {
    let dialect = dialects("x")[0];
    let written = |request: Request<'_>| {
        let mut w = Writer::new();
        request.encode(&mut w, dialect).unwrap();
        to_hex(w.as_slice())
    };
    let params = || Params { consistency: Consistency::One, values: None, names: vec![], options: RequestOptions::default() };
    let execute = Request::Execute(Execute { id: &[0xaa], result_metadata_id: &[0xbb], params: params() });
    assert_eq!(written(execute), "0001aa0001bb000100");
    assert_eq!(written(Request::Prepare(Prepare { query: "q", keyspace: None })), "0000000171");
    assert_eq!(written(query("q")), "0000000171000100");
    let prepared = hex("00000004 0001 aa 0001 bb 00000000 00000000 00000000 00000004 00000000");
    let Response::Result(ResultMessage::Prepared(prepared)) =
        Response::decode(Opcode::Result, &mut Reader::new(&prepared), dialect).unwrap()
    else {
        panic!()
    };
    assert_eq!((prepared.id, prepared.result_metadata_id), (&[0xaa][..], &[0xbb][..]));
    reads(&ty("duration"), "02 04 06", &Value::Duration(cqlwire::value::Duration { months: 1, days: 2, nanoseconds: 3 }));
}
