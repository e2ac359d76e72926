//! The largest counts and lengths, and one more: what does not fit is refused before anything of it is sent, and the output is then
//! exactly what it was. scylladb/gocql#1043, scylladb/scylla-rust-driver#820, datastax/csharp-driver#144 and #475.

mod support;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::*;
use cqlwire::spec::{Consistency, Dialect, Version};
use cqlwire::value::Value;
use cqlwire::wire::{ErrorKind, Result};
use support::{DIALECTS, dialect, hex, ty};

const MOST: usize = 65_535;

fn params<'a>(values: Vec<Bound<'a>>) -> Params<'a> {
    Params { consistency: Consistency::One, values: Some(values), names: vec![], options: RequestOptions::default() }
}

fn batch<'a>(statements: Vec<(Statement<'a>, Vec<Bound<'a>>)>) -> Request<'a> {
    Request::Batch(Batch { batch_type: 1, statements, consistency: Consistency::One, options: RequestOptions::default() })
}

/// Each dialect in which the output is built in another way.
fn conns() -> Vec<Conn> {
    DIALECTS.map(|(version, compression)| Conn::established(Role::Client, dialect(version, compression))).into()
}

/// A call that fails, between two requests that do not.
fn leaves_no_trace(conn: &mut Conn, what: &str, fail: impl FnOnce(&mut Conn) -> Result<()>) -> ErrorKind {
    let version = conn.dialect().version;
    let text = "SELECT ".to_string() + &"x".repeat(300);
    let before = Request::Query(Query { query: &text, params: params(vec![]) });
    conn.send(&before, 1, &FrameOptions::default()).unwrap();
    let output = conn.output().unwrap().to_vec();
    let kind = fail(conn).expect_err(what).kind;
    assert!(conn.output().unwrap() == output, "{what} in {version:?}");
    conn.send(&before, 1, &FrameOptions::default()).unwrap();
    let mut server = Conn::established(Role::Server, conn.dialect());
    server.feed(conn.output().unwrap());
    for _ in 0..2 {
        server.next_frame().unwrap().unwrap();
        assert_eq!(server.request().unwrap().1, before, "{what} in {version:?}");
    }
    assert_eq!(server.next_frame(), Ok(None));
    conn.sent();
    kind
}

#[test]
fn one_more_than_a_short_can_say() {
    let long = "x".repeat(MOST + 1);
    let many = vec![Bound::Null; MOST + 1];
    let names = vec!["n"; MOST + 1];
    let mut named = params(many.clone());
    named.names = names.clone();
    let mut long_name = params(vec![Bound::Null]);
    long_name.names = vec![&long];
    let statements = |count| vec![(Statement::Prepared(&[1]), vec![]); count];
    let execute = |id, params| Request::Execute(Execute { id, result_metadata_id: &[], params });
    let options = FrameOptions::default;
    let long_payload = FrameOptions { tracing: true, custom_payload: vec![(&long, None)], ..FrameOptions::default() };
    let many_payloads = FrameOptions { tracing: true, custom_payload: vec![("k", None); MOST + 1], ..FrameOptions::default() };
    for mut conn in conns() {
        for (what, request, options, v3) in [
            ("65,536 values of a QUERY", Request::Query(Query { query: "q", params: params(many.clone()) }), options(), true),
            ("65,536 named values", Request::Query(Query { query: "q", params: named.clone() }), options(), true),
            ("65,536 values of an EXECUTE", execute(&[1], params(many.clone())), options(), true),
            ("a name of 65,536 bytes", Request::Query(Query { query: "q", params: long_name.clone() }), options(), true),
            ("an id of 65,536 bytes", execute(long.as_bytes(), params(vec![])), options(), true),
            ("65,536 statements", batch(statements(MOST + 1)), options(), true),
            ("65,536 values in a BATCH", batch(vec![(Statement::Text("q"), many.clone())]), options(), true),
            ("an id of 65,536 bytes in a BATCH", batch(vec![(Statement::Prepared(long.as_bytes()), vec![])]), options(), true),
            ("an event of 65,536 bytes", Request::Register(Register { event_types: vec![&long] }), options(), true),
            ("65,536 events", Request::Register(Register { event_types: names.clone() }), options(), true),
            ("a payload name of 65,536 bytes", Request::Options, long_payload.clone(), false),
            ("65,536 payloads", Request::Options, many_payloads.clone(), false),
        ] {
            if !v3 && conn.dialect().version == Version::V3 {
                continue;
            }
            let kind = leaves_no_trace(&mut conn, what, |conn| conn.send(&request, 2, &options));
            assert_eq!(kind, ErrorKind::TooLarge, "{what}");
        }
        let startup = Request::Startup(Startup { options: vec![("K", &long)] });
        let kind = leaves_no_trace(&mut conn, "a second STARTUP", |conn| conn.send(&startup, 2, &options()));
        assert_eq!(kind, ErrorKind::Misuse);
        let mut conn = Conn::new(Role::Client, conn.dialect().version);
        assert_eq!(conn.send(&startup, 2, &options()).unwrap_err().kind, ErrorKind::TooLarge);
        assert!(conn.output().unwrap().is_empty());
    }
}

#[test]
fn as_much_as_a_short_can_say() {
    let long = "x".repeat(MOST);
    let conn = |version| Conn::established(Role::Client, Dialect::new(version));
    let round = |version: Version, request: &Request<'_>| {
        let mut client = conn(version);
        client.send(request, 1, &FrameOptions::default()).unwrap();
        let written = client.output().unwrap().to_vec();
        let mut server = Conn::established(Role::Server, Dialect::new(version));
        server.feed(&written);
        server.next_frame().unwrap().unwrap();
        assert!(server.request().unwrap().1 == *request);
        written
    };
    for version in Version::ALL {
        round(version, &Request::Query(Query { query: "q", params: params(vec![Bound::Null; MOST]) }));
        round(version, &Request::Execute(Execute { id: long.as_bytes(), result_metadata_id: &[], params: params(vec![]) }));
        round(version, &Request::Register(Register { event_types: vec![&long] }));
        round(version, &batch(vec![(Statement::Text("q"), vec![Bound::Bytes(&[1]); MOST])]));
        round(version, &batch(vec![(Statement::Prepared(&[1]), vec![]); MOST]));
    }
    // 40,000 statements are legal
    let written = round(Version::V4, &batch(vec![(Statement::Prepared(&[1]), vec![]); 40_000]));
    assert_eq!(written[9..12], hex("01 9c40"));
}

#[test]
fn what_the_connection_lacks() {
    let with = |options| Request::Query(Query { query: "q", params: Params { options, ..params(vec![Bound::Null]) } });
    let keyspace = || RequestOptions { keyspace: Some("ks"), timestamp: Some(1), ..RequestOptions::default() };
    let now = || RequestOptions { now_in_seconds: Some(1), page_size: Some(1), ..RequestOptions::default() };
    let unset = Request::Query(Query { query: "q", params: params(vec![Bound::Bytes(&[1]), Bound::Unset]) });
    let payload = FrameOptions { tracing: false, custom_payload: vec![("k", None)], ..FrameOptions::default() };
    let none = FrameOptions::default();
    for mut conn in conns() {
        let version = conn.dialect().version;
        if version < Version::V5 {
            for (what, request) in [
                ("keyspace", with(keyspace())),
                ("now_in_seconds", with(now())),
                ("keyspace of PREPARE", Request::Prepare(Prepare { query: "q", keyspace: Some("ks") })),
            ] {
                assert_eq!(leaves_no_trace(&mut conn, what, |conn| conn.send(&request, 2, &none)), ErrorKind::Unsupported);
            }
        }
        if version == Version::V3 {
            assert_eq!(leaves_no_trace(&mut conn, "unset", |conn| conn.send(&unset, 2, &none)), ErrorKind::Unsupported);
            let kind = leaves_no_trace(&mut conn, "payload", |conn| conn.send(&Request::Options, 2, &payload));
            assert_eq!(kind, ErrorKind::Unsupported);
        }
        let kind = leaves_no_trace(&mut conn, "a negative stream", |conn| conn.send(&Request::Options, -1, &none));
        assert_eq!(kind, ErrorKind::OutOfRange);
    }
}

#[test]
fn a_request_built_step_by_step_leaves_no_trace_either() {
    let none = FrameOptions::default();
    let float3 = ty("vector<float, 3>");
    for mut conn in conns() {
        // an error of a value, then the request is taken back
        let kind = leaves_no_trace(&mut conn, "a value", |conn| {
            conn.begin_execute(2, &none, &[1], &[], Consistency::One)?;
            conn.value(ty("int"), None)?;
            let (binder, w) = conn.binder();
            binder.int64(w, 1)?;
            conn.value(float3.clone(), None)?;
            let (binder, w) = conn.binder();
            let result = binder.begin(w, 3).and_then(|()| binder.number(w, 1.0)).and_then(|()| binder.text(w, "x"));
            conn.abort_message();
            result
        });
        assert_eq!(kind, ErrorKind::WrongKind);
        // an error at the end
        let kind = leaves_no_trace(&mut conn, "65,536 values", |conn| {
            conn.begin_query(2, &none, "q", Consistency::One)?;
            for _ in 0..=MOST {
                conn.value(ty("int"), None)?;
                let (binder, w) = conn.binder();
                binder.null(w)?;
            }
            conn.end_request(&RequestOptions::default())
        });
        assert_eq!(kind, ErrorKind::TooLarge);
        let kind = leaves_no_trace(&mut conn, "a value that is not ended", |conn| {
            conn.begin_query(2, &none, "q", Consistency::One)?;
            conn.value(ty("list<int>"), None)?;
            let (binder, w) = conn.binder();
            binder.begin(w, 1)?;
            conn.end_request(&RequestOptions::default())
        });
        assert_eq!(kind, ErrorKind::Misuse);
        let kind = leaves_no_trace(&mut conn, "a batch with paging", |conn| {
            conn.begin_batch(2, &none, 0, Consistency::One)?;
            conn.statement(Statement::Text("q"))?;
            conn.end_request(&RequestOptions { page_size: Some(1), ..RequestOptions::default() })
        });
        assert_eq!(kind, ErrorKind::Unsupported);
        let kind = leaves_no_trace(&mut conn, "an unknown batch type", |conn| conn.begin_batch(2, &none, 3, Consistency::One));
        assert_eq!(kind, ErrorKind::BadValue);
        // no frame may be taken, nor begun, while one is built
        conn.begin_query(2, &none, "q", Consistency::One).unwrap();
        assert_eq!(conn.output().unwrap_err().kind, ErrorKind::Misuse);
        assert_eq!(conn.send(&Request::Options, 3, &none).unwrap_err().kind, ErrorKind::Misuse);
        conn.abort_message();
        assert!(conn.output().unwrap().is_empty());
    }
}

#[test]
fn step_by_step_gives_the_same_bytes_as_the_whole_message() {
    let types = [ty("int"), ty("text"), ty("list<text>"), ty("vector<float, 2>")];
    let values = [
        Value::Int(7),
        Value::Null,
        Value::List(vec![Value::Text("a".into()), Value::Null]),
        Value::List(vec![Value::Float(1.0), Value::Float(2.0)]),
    ];
    let cells: Vec<Vec<u8>> = ["00000007", "", "00000002 00000001 'a' ffffffff", "3f800000 40000000"].map(hex).into();
    let bounds: Vec<_> = cells.iter().map(|cell| if cell.is_empty() { Bound::Null } else { Bound::Bytes(cell) }).collect();
    let bind = |conn: &mut Conn, name: Option<&str>| {
        for (ty, value) in types.iter().zip(&values) {
            conn.value(ty.clone(), name).unwrap();
            let (binder, w) = conn.binder();
            match value {
                Value::Int(number) => binder.number(w, f64::from(*number)).unwrap(),
                Value::Null => binder.null(w).unwrap(),
                Value::List(elements) => {
                    binder.begin(w, elements.len()).unwrap();
                    for element in elements {
                        match element {
                            Value::Text(text) => binder.text(w, text).unwrap(),
                            Value::Float(number) => binder.number(w, f64::from(*number)).unwrap(),
                            _ => binder.null(w).unwrap(),
                        }
                    }
                    binder.end(w).unwrap();
                }
                other => panic!("{other:?}"),
            }
        }
    };
    let options = RequestOptions { page_size: Some(10), timestamp: Some(3), skip_metadata: true, ..RequestOptions::default() };
    let frame = FrameOptions { tracing: true, custom_payload: vec![], ..FrameOptions::default() };
    for (mut steps, mut whole) in conns().into_iter().zip(conns()) {
        for name in [None, Some("n")] {
            steps.begin_query(5, &frame, "SELECT", Consistency::Two).unwrap();
            bind(&mut steps, name);
            steps.end_request(&options).unwrap();
            let names = name.map_or(vec![], |name| vec![name; bounds.len()]);
            let params = Params { consistency: Consistency::Two, values: Some(bounds.clone()), names, options: options.clone() };
            whole.send(&Request::Query(Query { query: "SELECT", params: params.clone() }), 5, &frame).unwrap();

            steps.begin_execute(6, &frame, &[1, 2], &[3], Consistency::Two).unwrap();
            bind(&mut steps, name);
            steps.end_request(&options).unwrap();
            whole.send(&Request::Execute(Execute { id: &[1, 2], result_metadata_id: &[3], params }), 6, &frame).unwrap();
        }
        let plain = RequestOptions { timestamp: Some(3), ..RequestOptions::default() };
        steps.begin_batch(7, &frame, 2, Consistency::All).unwrap();
        for statement in [Statement::Text("UPDATE"), Statement::Prepared(&[9])] {
            steps.statement(statement).unwrap();
            bind(&mut steps, None);
        }
        steps.statement(Statement::Text("no values")).unwrap();
        steps.end_request(&plain).unwrap();
        let statements = vec![
            (Statement::Text("UPDATE"), bounds.clone()),
            (Statement::Prepared(&[9]), bounds.clone()),
            (Statement::Text("no values"), vec![]),
        ];
        whole.send(&Request::Batch(Batch { batch_type: 2, statements, consistency: Consistency::All, options: plain }), 7, &frame).unwrap();
        assert_eq!(steps.output().unwrap(), whole.output().unwrap());
    }
}

#[test]
fn what_is_sent_is_dropped_and_nothing_else() {
    let options = FrameOptions::default;
    let mut conn = Conn::new(Role::Client, Version::V4);
    let request = |stream: u8| vec![4, 0, 0, stream, 5, 0, 0, 0, 0];
    conn.send(&Request::Options, 1, &options()).unwrap();
    assert_eq!(conn.output().unwrap(), request(1));
    conn.send(&Request::Options, 2, &options()).unwrap();
    conn.sent(); // of the first alone
    assert_eq!(conn.output().unwrap(), request(2));
    // Also while the next is half built, and whether it is ended or taken back.
    conn.begin_query(3, &options(), "q", Consistency::One).unwrap();
    conn.sent();
    conn.sent();
    conn.end_request(&RequestOptions::default()).unwrap();
    assert_eq!(conn.output().unwrap(), [4, 0, 0, 3, 7, 0, 0, 0, 8, 0, 0, 0, 1, b'q', 0, 1, 0]);
    conn.begin_query(4, &options(), "q", Consistency::One).unwrap();
    conn.sent();
    conn.abort_message();
    assert!(conn.output().unwrap().is_empty());
}
