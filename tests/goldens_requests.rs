//! Every request as bytes, in every version: written from the layouts of native_protocol_v3, v4 and v5 §4.1, and from reports. Each
//! is read, written (also behind other bytes), and refused at every cut.

mod support;

use cqlwire::message::*;
use cqlwire::spec::{Consistency, Opcode};
use cqlwire::wire::{ErrorKind, Reader, Writer};
use support::{dialects, hex, to_hex};

fn both_ways(letters: &str, literal: &str, request: Request<'_>) {
    let bytes = hex(literal);
    for dialect in dialects(letters) {
        let decoded = Request::decode(request.opcode(), &mut Reader::new(&bytes), dialect);
        assert_eq!(decoded.as_ref(), Ok(&request), "{dialect:?} {literal}");
        for before in [&[][..], &[0xee; 7]] {
            let mut w = Writer::new();
            w.put(before);
            request.encode(&mut w, dialect).unwrap();
            assert_eq!(to_hex(&w.as_slice()[before.len()..]), to_hex(&bytes), "{dialect:?} {request:?}");
            assert_eq!(&w.as_slice()[..before.len()], before);
        }
        for cut in 0..bytes.len() {
            let error = Request::decode(request.opcode(), &mut Reader::new(&bytes[..cut]), dialect);
            assert_eq!(error.map_err(|error| error.kind), Err(ErrorKind::Truncated), "{dialect:?} {literal} cut at {cut}");
        }
    }
}

fn params<'a>(consistency: Consistency, values: &[Bound<'a>]) -> Params<'a> {
    let values = if values.is_empty() { None } else { Some(values.to_vec()) };
    Params { consistency, values, names: vec![], options: RequestOptions::default() }
}

const SEVEN: Bound<'static> = Bound::Bytes(&[0, 0, 0, 7]);

/// The options of v3 and v4; v5 adds two.
fn all_options(v5: bool) -> RequestOptions<'static> {
    RequestOptions {
        skip_metadata: true,
        page_size: Some(100),
        paging_state: Some(&[0x01, 0x02]),
        serial_consistency: Some(Consistency::Serial),
        timestamp: Some(5),
        keyspace: v5.then_some("ks"),
        now_in_seconds: v5.then_some(2_000_000_000),
    }
}

#[test]
fn startup() {
    both_ways("345", "0001 000b 'CQL_VERSION' 0005 '3.0.0'", Request::Startup(Startup { options: vec![("CQL_VERSION", "3.0.0")] }));
    both_ways(
        "345x",
        "0003 000b 'CQL_VERSION' 0005 '3.0.0' 000b 'COMPRESSION' 0003 'lz4' 000b 'DRIVER_NAME' 0000",
        Request::Startup(Startup { options: vec![("CQL_VERSION", "3.0.0"), ("COMPRESSION", "lz4"), ("DRIVER_NAME", "")] }),
    );
}

#[test]
fn options() {
    both_ways("345x", "", Request::Options);
}

#[test]
fn register() {
    let event_types = vec!["TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE"];
    both_ways("345x", "0003 000f 'TOPOLOGY_CHANGE' 000d 'STATUS_CHANGE' 000d 'SCHEMA_CHANGE'", Request::Register(Register { event_types }));
    both_ways("345", "0000", Request::Register(Register { event_types: vec![] }));
}

#[test]
fn auth_response_has_one_length() {
    // AlexPikalov/cdrs#296, krojew/cdrs-tokio#57, scylladb/scylla-rust-driver#273: the token must not be wrapped twice
    for (literal, token) in
        [("00000014 00 'cassandra' 00 'cassandra'", Some(&b"\0cassandra\0cassandra"[..])), ("00000000", Some(&[][..])), ("ffffffff", None)]
    {
        both_ways("345x", literal, Request::AuthResponse(AuthResponse { token }));
    }
    let secret = AuthResponse { token: Some(b"\0user\0secret") };
    assert!(!format!("{:?}", Request::AuthResponse(secret)).contains("115"), "no byte of a password in a debug text");
}

#[test]
fn query() {
    let plain = |consistency, query| Request::Query(Query { query, params: params(consistency, &[]) });
    both_ways("34x", "00000008 'SELECT 1' 0001 00", plain(Consistency::One, "SELECT 1"));
    both_ways("5", "00000008 'SELECT 1' 0001 00000000", plain(Consistency::One, "SELECT 1"));
    both_ways("34", "00000003 e29883 000a 00", plain(Consistency::LocalOne, "☃")); // lengths count bytes
    both_ways("34", "00000001 'q' 0063 00", plain(Consistency(0x63), "q")); // a level that is not known

    // values 01, skip_metadata 02, page size 04, paging state 08, serial consistency 10, timestamp 20
    let with = |values: &[Bound<'static>], v5| {
        Request::Query(Query { query: "q", params: Params { options: all_options(v5), ..params(Consistency::Quorum, values) } })
    };
    let tail = "00000064 00000002 0102 0008 0000000000000005";
    both_ways("3", &format!("00000001 'q' 0004 3f 0002 00000004 00000007 ffffffff {tail}"), with(&[SEVEN, Bound::Null], false));
    let values = [SEVEN, Bound::Null, Bound::Unset, Bound::Bytes(&[])];
    let written = "0004 00000004 00000007 ffffffff fffffffe 00000000";
    both_ways("4x", &format!("00000001 'q' 0004 3f {written} {tail}"), with(&values, false));
    // and keyspace 80, now_in_seconds 100
    both_ways("5", &format!("00000001 'q' 0004 000001bf {written} {tail} 0002 'ks' 77359400"), with(&values, true));

    // names 40
    let mut named = params(Consistency::All, &[SEVEN, Bound::Null]);
    named.names = vec!["n", "long"];
    named.options.serial_consistency = Some(Consistency::LocalSerial);
    let values = "0002 0001 'n' 00000004 00000007 0004 'long' ffffffff 0009";
    both_ways("34", &format!("00000001 'q' 0005 51 {values}"), Request::Query(Query { query: "q", params: named.clone() }));
    both_ways("5", &format!("00000001 'q' 0005 00000051 {values}"), Request::Query(Query { query: "q", params: named }));

    let none = Params { values: Some(vec![]), ..params(Consistency::One, &[]) };
    both_ways("34", "00000001 'q' 0001 01 0000", Request::Query(Query { query: "q", params: none }));
    // Tokens of no bytes are kept: scylladb/scylla-rust-driver#1063
    let mut empty_state = params(Consistency::One, &[]);
    empty_state.options.paging_state = Some(&[]);
    both_ways("34", "00000001 'q' 0001 08 00000000", Request::Query(Query { query: "q", params: empty_state }));
}

#[test]
fn prepare() {
    let prepare = |keyspace| Request::Prepare(Prepare { query: "SELECT 1", keyspace });
    both_ways("34x", "00000008 'SELECT 1'", prepare(None));
    both_ways("5", "00000008 'SELECT 1' 00000000", prepare(None));
    both_ways("5", "00000008 'SELECT 1' 00000001 0002 'ks'", prepare(Some("ks")));
}

#[test]
fn execute_has_the_layout_of_its_connection() {
    // scylladb/python-driver#770, scylladb/gocql#590
    let execute = |result_metadata_id, skip_metadata| {
        let mut params = params(Consistency::One, &[SEVEN]);
        params.options.skip_metadata = skip_metadata;
        Request::Execute(Execute { id: &[0xaa, 0xaa], result_metadata_id, params })
    };
    both_ways("34", "0002 aaaa 0001 01 0001 00000004 00000007", execute(&[], false));
    both_ways("x", "0002 aaaa 0002 bbbb 0001 03 0001 00000004 00000007", execute(&[0xbb, 0xbb], true));
    both_ways("5", "0002 aaaa 0002 bbbb 0001 00000003 0001 00000004 00000007", execute(&[0xbb, 0xbb], true));
    // A statement that was prepared without an id: the field is there all the same.
    both_ways("x", "0002 aaaa 0000 0001 01 0001 00000004 00000007", execute(&[], false));
    both_ways("5", "0002 aaaa 0000 0001 00000001 0001 00000004 00000007", execute(&[], false));

    // One message on three connections: an id that the connection has no place for is left out.
    let Request::Execute(message) = execute(&[0xbb, 0xbb], false) else { panic!() };
    let mut w = Writer::new();
    message.encode(&mut w, dialects("4")[0]).unwrap();
    assert_eq!(w.as_slice(), hex("0002 aaaa 0001 01 0001 00000004 00000007"));

    let all = |v5| {
        let params = Params { options: all_options(v5), ..params(Consistency::Two, &[SEVEN]) };
        Request::Execute(Execute { id: &[0xaa], result_metadata_id: if v5 { &[0xbb] } else { &[] }, params })
    };
    let tail = "0001 00000004 00000007 00000064 00000002 0102 0008 0000000000000005";
    both_ways("34", &format!("0001 aa 0002 3f {tail}"), all(false));
    both_ways("5", &format!("0001 aa 0001 bb 0002 000001bf {tail} 0002 'ks' 77359400"), all(true));
}

#[test]
fn batch() {
    let batch = |batch_type, statements: &[(Statement<'static>, Vec<Bound<'static>>)], options| {
        Request::Batch(Batch { batch_type, statements: statements.to_vec(), consistency: Consistency::LocalQuorum, options })
    };
    let none = RequestOptions::default;
    both_ways("34x", "00 0000 0006 00", batch(0, &[], none()));
    both_ways("5", "01 0000 0006 00000000", batch(1, &[], none()));

    let statements = [
        (Statement::Text("q"), vec![SEVEN, Bound::Null]),
        (Statement::Prepared(&[0xaa, 0xaa]), vec![]),
        (Statement::Prepared(&[0xbb]), vec![Bound::Bytes(&[])]),
    ];
    let written = "0003
        00 00000001 'q' 0002 00000004 00000007 ffffffff
        01 0002 aaaa 0000
        01 0001 bb 0001 00000000";
    both_ways("34x", &format!("02 {written} 0006 00"), batch(2, &statements, none()));
    both_ways("5", &format!("02 {written} 0006 00000000"), batch(2, &statements, none()));

    let mut options = RequestOptions { serial_consistency: Some(Consistency::Serial), timestamp: Some(-1), ..none() };
    both_ways("34", &format!("00 {written} 0006 30 0008 ffffffffffffffff"), batch(0, &statements, options.clone()));
    options.keyspace = Some("ks");
    options.now_in_seconds = Some(-2);
    let tail = "000001b0 0008 ffffffffffffffff 0002 'ks' fffffffe";
    both_ways("5", &format!("00 {written} 0006 {tail}"), batch(0, &statements, options));

    let unset = [(Statement::Prepared(&[0xaa]), vec![Bound::Unset])];
    both_ways("4x", "00 0001 01 0001 aa 0001 fffffffe 0006 00", batch(0, &unset, none()));
}

#[test]
fn negative_lengths_of_values() {
    // v3 has [bytes] there: null at every negative length. v4 §3 and v5 §3 have [value]: -1 null, -2 not set, the rest an error.
    let parts = [
        ("3", Opcode::Query, "00000001 'q' 0001 01 0001", ""),
        ("3", Opcode::Batch, "00 0001 01 0001 aa 0001", "0006 00"),
        ("4x", Opcode::Query, "00000001 'q' 0001 01 0001", ""),
        ("4x", Opcode::Batch, "00 0001 01 0001 aa 0001", "0006 00"),
        ("5", Opcode::Query, "00000001 'q' 0001 00000001 0001", ""),
        ("5", Opcode::Batch, "00 0001 01 0001 aa 0001", "0006 00000000"),
    ];
    for (letters, opcode, before, after) in parts {
        for length in ["ffffffff", "fffffffe", "fffffffd", "80000000"] {
            let bytes = hex(&format!("{before} {length} {after}"));
            for dialect in dialects(letters) {
                let value = match Request::decode(opcode, &mut Reader::new(&bytes), dialect) {
                    Ok(Request::Query(query)) => Ok(query.params.values.unwrap()[0]),
                    Ok(Request::Batch(batch)) => Ok(batch.statements[0].1[0]),
                    Ok(other) => panic!("{other:?}"),
                    Err(error) => Err((error.kind, error.what, error.at)),
                };
                let expected = match length {
                    "ffffffff" => Ok(Bound::Null),
                    _ if letters == "3" => Ok(Bound::Null),
                    "fffffffe" => Ok(Bound::Unset),
                    _ => Err((ErrorKind::BadLength, "params.value", hex(before).len())),
                };
                assert_eq!(value, expected, "{opcode:?} {dialect:?} {length}");
            }
        }
    }
}

#[test]
fn what_a_version_lacks_is_refused() {
    let refused = |letters: &str, request: Request<'_>, what: &str| {
        for dialect in dialects(letters) {
            let error = request.encode(&mut Writer::new(), dialect).unwrap_err();
            assert_eq!((error.kind, error.what), (ErrorKind::Unsupported, what), "{dialect:?}");
        }
    };
    let query = |options| Request::Query(Query { query: "q", params: Params { options, ..params(Consistency::One, &[]) } });
    let keyspace = || RequestOptions { keyspace: Some("ks"), ..RequestOptions::default() };
    let now = || RequestOptions { now_in_seconds: Some(1), ..RequestOptions::default() };
    refused("34x", query(keyspace()), "params.keyspace");
    refused("34x", query(now()), "params.now_in_seconds");
    refused("34x", Request::Prepare(Prepare { query: "q", keyspace: Some("ks") }), "PREPARE.keyspace");
    refused("3", Request::Query(Query { query: "q", params: params(Consistency::One, &[Bound::Unset]) }), "params.value (unset)");
    let batch = |options| Request::Batch(Batch { batch_type: 0, statements: vec![], consistency: Consistency::One, options });
    refused("34x", batch(keyspace()), "params.keyspace");
    refused("345", batch(RequestOptions { page_size: Some(1), ..RequestOptions::default() }), "BATCH.options (paging)");
    refused("345", batch(RequestOptions { skip_metadata: true, ..RequestOptions::default() }), "BATCH.options (paging)");
}

#[test]
fn what_no_version_has_is_refused() {
    let error = |request: &Request<'_>| request.encode(&mut Writer::new(), dialects("5")[0]).unwrap_err();
    let mut wrong = params(Consistency::One, &[SEVEN, SEVEN]);
    wrong.names = vec!["only"];
    assert_eq!(error(&Request::Query(Query { query: "q", params: wrong })).kind, ErrorKind::WrongCount);
    let mut wrong = params(Consistency::One, &[]);
    wrong.options.serial_consistency = Some(Consistency::Quorum);
    assert_eq!(error(&Request::Query(Query { query: "q", params: wrong })).kind, ErrorKind::BadValue);
    let batch = Batch { batch_type: 3, statements: vec![], consistency: Consistency::One, options: RequestOptions::default() };
    assert_eq!(error(&Request::Batch(batch)).kind, ErrorKind::BadValue);

    for (opcode, literal, kind) in [
        (Opcode::Batch, "03 0000 0001 00000000", ErrorKind::BadValue),
        (Opcode::Batch, "00 0001 02 0000 0000 0001 00000000", ErrorKind::BadValue),
        (Opcode::Batch, "00 0000 0001 00000040", ErrorKind::BadValue), // names in a batch: CASSANDRA-10246
        (Opcode::Query, "ffffffff", ErrorKind::BadLength),
        (Opcode::Query, "00000001 ff 0001 00000000", ErrorKind::BadText),
        (Opcode::Result, "00000001", ErrorKind::WrongDirection),
    ] {
        let kind_of = Request::decode(opcode, &mut Reader::new(&hex(literal)), dialects("5")[0]).unwrap_err().kind;
        assert_eq!(kind_of, kind, "{literal}");
    }
    // Flags that nobody has defined, and bytes left over, are taken as servers take them.
    let query = Request::Query(Query { query: "q", params: params(Consistency::One, &[]) });
    for literal in ["00000001 'q' 0001 00008000", "00000001 'q' 0001 00000000 ff"] {
        assert_eq!(Request::decode(Opcode::Query, &mut Reader::new(&hex(literal)), dialects("5")[0]).as_ref(), Ok(&query));
    }
}
