//! ERROR bodies, and what a server says before anything is agreed.

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::error::{ErrorDetail, Failures};
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Version};
use cqlwire::wire::{ErrorKind, Reader, Writer};

use crate::client;
use crate::support::{dialects, hex, to_hex};

fn detail<'a>(letters: &str, bytes: &'a [u8]) -> ErrorDetail<'a> {
    let mut all: Vec<_> = dialects(letters)
        .into_iter()
        .map(|dialect| ErrorMessage::decode(&mut Reader::new(bytes), dialect).unwrap_or_else(|error| panic!("{dialect:?} {error}")).detail)
        .collect();
    let first = all.pop().unwrap();
    assert!(all.iter().all(|other| *other == first));
    first
}

/// ERR-1: write types, levels and codes that are not known are passed through (krojew/cdrs-tokio#112, apache/cassandra-java-driver#862).
#[test]
fn err_1_what_is_not_known() {
    let cas = hex("00 00 11 00 00 01 66 00 08 00 00 00 00 00 00 00 02 00 03 43 41 53");
    let timeout = |write_type, contentions| ErrorDetail::WriteTimeout {
        consistency: Consistency::Serial,
        received: 0,
        block_for: 2,
        write_type,
        contentions,
    };
    assert_eq!(detail("34x", &cas), timeout("CAS", None));
    assert_eq!(detail("5", &[&cas[..], &[0, 7]].concat()), timeout("CAS", Some(7)));
    for name in ["VIEW", "CDC", "NEWER", ""] {
        let bytes = [&cas[..17], &(name.len() as u16).to_be_bytes(), name.as_bytes()].concat();
        assert_eq!(detail("345x", &bytes), timeout(name, None));
    }
    let level = hex("00001000 0000 0063 00000001 00000000");
    assert_eq!(detail("345", &level), ErrorDetail::Unavailable { consistency: Consistency(0x63), required: 1, alive: 0 });
    for code in [0x9999, 0x0001, -1] {
        let bytes = [&i32::to_be_bytes(code)[..], &hex("0002 'no' 0102 03")].concat();
        let error = ErrorMessage::decode(&mut Reader::new(&bytes), dialects("4")[0]).unwrap();
        assert_eq!((error.code, error.message, error.detail), (code, "no", ErrorDetail::None {}));
    }
    // An error that cannot be decoded concerns its own stream.
    let mut conn = client(Version::V4, Compression::None);
    conn.feed(&hex("84 00 0001 00 00000008 00001100 0000 0008 84 00 0002 02 00000000"));
    assert_eq!(conn.next_frame().unwrap().unwrap().stream, 1);
    assert_eq!(conn.response().unwrap_err().kind, ErrorKind::Truncated);
    assert_eq!(conn.next_frame().unwrap().unwrap().stream, 2);
}

/// ERR-2: Read_failure and Write_failure differ in each version (scylladb/scylladb#5610 sent v3 the shape below).
#[test]
fn err_2_failures() {
    let one = |reasons: Vec<(std::net::IpAddr, u16)>| Failures { count: 1, reasons };
    let write = |failures| ErrorDetail::WriteFailure {
        consistency: Consistency::Quorum,
        received: 1,
        block_for: 2,
        failures,
        write_type: "SIMPLE",
    };
    let v4 = hex("00 00 15 00 00 01 66 00 04 00 00 00 01 00 00 00 02 00 00 00 01 00 06 53 49 4d 50 4c 45");
    let v5 = hex("00 00 15 00 00 01 66 00 04 00 00 00 01 00 00 00 02 00 00 00 01 04 7f 00 00 01 00 01 00 06 53 49 4d 50 4c 45");
    let v3 = hex("00 00 15 00 00 01 66 00 04 00 00 00 01 00 00 00 02 00 06 53 49 4d 50 4c 45");
    assert_eq!(detail("4x", &v4), write(one(vec![])));
    assert_eq!(detail("5", &v5), write(one(vec![([127, 0, 0, 1].into(), 1)])));
    assert_eq!(detail("3", &v3), ErrorDetail::None {});
    // The address has no port, the count is an [int], the code a [short]; IPv6 too; none at all.
    let read = |literal: &str, failures| {
        let bytes = hex(&format!("00001300 0000 0001 00000000 00000001 {literal} 01"));
        assert_eq!(
            detail("5", &bytes),
            ErrorDetail::ReadFailure { consistency: Consistency::One, received: 0, block_for: 1, failures, data_present: true }
        );
    };
    read("00000000", Failures { count: 0, reasons: vec![] });
    read("00000001 10 20010db8000000000000000000000001 ffff", one(vec![("2001:db8::1".parse().unwrap(), 0xffff)]));
    for count in ["7fffffff", "ffffffff"] {
        let bytes = hex(&format!("00001300 0000 0001 00000000 00000001 {count} 01"));
        assert!(ErrorMessage::decode(&mut Reader::new(&bytes), dialects("5")[0]).is_err());
    }
}

/// NEG-1: the first ERROR is read whatever its version and stream, and is in no segment (apache/cassandra-java-driver#790). The
/// JavaScript test has what the client does then.
#[test]
fn neg_1_an_error_of_another_version() {
    for first in ["83", "84", "85", "86", "c2"] {
        for stream in ["0000", "0001"] {
            let mut conn = Conn::new(Role::Client, Version::V5);
            let startup = Startup { options: vec![("CQL_VERSION", "3.0.0")] };
            conn.send(&Request::Startup(startup), 1, &FrameOptions::default()).unwrap();
            conn.feed(&hex(&format!("{first} 00 {stream} 00 00000008 0000000a 0002 'no'")));
            assert_eq!(conn.next_frame().unwrap().unwrap().version, hex(first)[0] & 0x7f);
            let Response::Error(error) = conn.response().unwrap().1 else { panic!() };
            assert_eq!((error.code, error.message, conn.is_established()), (0x0a, "no", false));
        }
    }
    // Any other message in another version is an error.
    let mut conn = Conn::new(Role::Client, Version::V5);
    conn.feed(&hex("84 00 0001 02 00000000"));
    assert_eq!(conn.next_frame().unwrap_err().kind, ErrorKind::WrongVersion);
}

/// NEG-3: a SASL token is one [bytes], null and empty differ, the last one is there (AlexPikalov/cdrs#296, krojew/cdrs-tokio#57,
/// scylladb/scylla-rust-driver#273).
#[test]
fn neg_3_tokens() {
    for dialect in dialects("345x") {
        let mut w = Writer::new();
        AuthResponse { token: Some(b"\0cassandra\0cassandra") }.encode(&mut w).unwrap();
        assert_eq!(to_hex(w.as_slice()), "00000014 00 636173 73616e647261 00 63617373616e647261".replace(' ', ""));
        for (literal, token) in [("ffffffff", None), ("00000000", Some(&[][..])), ("00000001 07", Some(&[7]))] {
            let bytes = hex(literal);
            for (opcode, message) in [
                (cqlwire::spec::Opcode::AuthSuccess, Response::AuthSuccess(AuthSuccess { token })),
                (cqlwire::spec::Opcode::AuthChallenge, Response::AuthChallenge(AuthChallenge { token })),
            ] {
                assert_eq!(Response::decode(opcode, &mut Reader::new(&bytes), dialect), Ok(message));
            }
            let mut w = Writer::new();
            AuthResponse { token }.encode(&mut w).unwrap();
            assert_eq!(w.as_slice(), bytes);
        }
    }
    // Challenges may come several times.
    let mut conn = client(Version::V4, Compression::None);
    conn.feed(&hex("84 00 0000 0e 00000004 00000000 84 00 0000 0e 00000005 00000001 09 84 00 0000 10 00000004 ffffffff"));
    let mut seen = vec![];
    while conn.next_frame().unwrap().is_some() {
        seen.push(format!("{:?}", conn.response().unwrap().1.opcode()));
    }
    assert_eq!(seen, ["AuthChallenge", "AuthChallenge", "AuthSuccess"]);
}
