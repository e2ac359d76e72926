//! Messages built step by step: the same bytes as from their structs, calls out of order, and what the limits of a connection refuse.

mod support;

use std::sync::Arc;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::Prefix;
use cqlwire::message::*;
use cqlwire::spec::{Compression, Consistency, Dialect, Limits, Version};
use cqlwire::value::Binder;
use cqlwire::wire::{Error, ErrorKind, Result, Writer};
use support::{dialect, hex, to_hex, ty};

fn server(version: Version) -> Conn {
    Conn::established(Role::Server, Dialect::new(version))
}

fn columns() -> Vec<ColumnSpec> {
    let column = |name: &str, text| ColumnSpec { keyspace: "k".into(), table: "t".into(), name: name.into(), ty: ty(text) };
    vec![column("a", "int"), column("b", "text")]
}

fn metadata() -> RowsMetadata<'static> {
    RowsMetadata { global_table_spec: true, column_count: 2, paging_state: Some(&[1]), columns: Some(columns()), ..RowsMetadata::default() }
}

fn cell(conn: &mut Conn, index: usize, put: impl FnOnce(&mut Binder, &mut Writer) -> Result<()>) -> Result<()> {
    conn.value(columns()[index].ty.clone(), None)?;
    let (binder, w) = conn.binder();
    put(binder, w)
}

#[test]
fn rows_cell_by_cell_are_the_rows_of_the_struct() {
    let prefix = Prefix { warnings: vec!["w"], ..Prefix::default() };
    let mut conn = server(Version::V4);
    conn.begin_rows(5, &prefix, &metadata()).unwrap();
    cell(&mut conn, 0, |binder, w| binder.number(w, 7.0)).unwrap();
    cell(&mut conn, 1, |binder, w| binder.null(w)).unwrap();
    conn.end_rows(1).unwrap();
    let built = conn.output().unwrap().to_vec();
    conn.sent();
    let rows = Rows { metadata: metadata(), row_count: 1, cells: &hex("00000004 00000007 ffffffff"), cells_at: 0 };
    conn.reply(&Response::Result(ResultMessage::Rows(rows)), 5, &prefix).unwrap();
    assert_eq!(to_hex(&built), to_hex(conn.output().unwrap()));
    // v4 §4.2.5.2 by hand.
    let body = "0001 0001 'w' 00000002 00000003 00000002 00000001 01 0001 'k' 0001 't' 0001 'a' 0009 0001 'b' 000d 00000001 00000004 00000007 ffffffff";
    let body = hex(body);
    assert_eq!(to_hex(&built), format!("84080005 08 {:08x}{}", body.len(), to_hex(&body)).replace(' ', ""));
}

#[test]
fn rows_that_are_not_whole_leave_nothing() {
    let mut conn = server(Version::V4);
    type Attempt<'a> = &'a dyn Fn(&mut Conn) -> Result<()>;
    let attempts: [(ErrorKind, &str, Attempt<'_>); 8] = [
        (ErrorKind::WrongCount, "ROWS.cells", &|conn| conn.end_rows(1)),
        (ErrorKind::WrongCount, "ROWS.cells", &|conn| conn.end_rows(usize::MAX)),
        (ErrorKind::Unsupported, "params.value (unset)", &|conn| {
            conn.value(ty("int"), None)?;
            conn.unset()
        }),
        (ErrorKind::Misuse, "params.value", &|conn| conn.value(ty("int"), Some("name"))),
        (ErrorKind::Misuse, "ROWS.cell", &|conn| {
            conn.value(ty("int"), None)?;
            conn.end_rows(1)
        }),
        (ErrorKind::Misuse, "frame", &|conn| conn.end_request(&RequestOptions::default())),
        (ErrorKind::Misuse, "BATCH.statement", &|conn| conn.statement(Statement::Text("q"))),
        (ErrorKind::Misuse, "params.values", &|conn| conn.no_values()),
    ];
    for (kind, what, attempt) in attempts {
        conn.begin_rows(1, &Prefix::default(), &metadata()).unwrap();
        cell(&mut conn, 0, |binder, w| binder.number(w, 7.0)).unwrap();
        let error = attempt(&mut conn).unwrap_err();
        assert_eq!((error.kind, error.what), (kind, what));
        conn.abort_message();
        assert_eq!(conn.output().unwrap(), [0; 0], "{what}");
        conn.sent();
    }
    let error = conn.end_rows(0).unwrap_err();
    assert_eq!((error.kind, error.what), (ErrorKind::Misuse, "frame"));
    // Before a byte: what this version's metadata cannot say, and a client that answers.
    let changed = RowsMetadata { new_metadata_id: Some(&[1]), ..metadata() };
    assert_eq!(conn.begin_rows(1, &Prefix::default(), &changed).unwrap_err().kind, ErrorKind::Unsupported);
    let mut two_tables = columns();
    two_tables[1].table = "other".into();
    let error = conn.begin_rows(1, &Prefix::default(), &RowsMetadata { columns: Some(two_tables), ..metadata() }).unwrap_err();
    assert_eq!((error.kind, error.what), (ErrorKind::BadValue, "metadata.global_table_spec"));
    assert_eq!(conn.output().unwrap(), [0; 0]);
    let mut client = Conn::established(Role::Client, Dialect::new(Version::V4));
    assert_eq!(client.begin_rows(1, &Prefix::default(), &metadata()).unwrap_err().kind, ErrorKind::WrongDirection);
}

#[test]
fn a_request_step_by_step() {
    let mut conn = Conn::established(Role::Client, Dialect::new(Version::V4));
    let frame = FrameOptions::default();
    conn.begin_query(1, &frame, "q", Consistency::One).unwrap();
    conn.no_values().unwrap();
    conn.end_request(&RequestOptions::default()).unwrap();
    conn.begin_query(2, &frame, "q", Consistency::One).unwrap();
    conn.value(ty("int"), None).unwrap();
    conn.unset().unwrap();
    let values = ["uuid", "inet", "inet"].map(ty);
    for (ty, text) in values.into_iter().zip(["00010203-0405-0607-0809-0a0b0c0d0e0f", "127.0.0.1", "::1"]) {
        conn.value(ty, None).unwrap();
        let (binder, w) = conn.binder();
        binder.text(w, text).unwrap();
    }
    for (ty, hex) in [("varint", "ff"), ("decimal", "ff")] {
        conn.value(support::ty(ty), None).unwrap();
        let (binder, w) = conn.binder();
        if ty == "varint" { binder.hex_integer(w, true, hex).unwrap() } else { binder.hex_decimal(w, 2, false, hex).unwrap() }
    }
    conn.end_request(&RequestOptions::default()).unwrap();
    let second = "00000001 'q' 0001 01 0006 fffffffe 00000010 000102030405060708090a0b0c0d0e0f 00000004 7f000001 \
                  00000010 00000000000000000000000000000001 00000002 ff01 00000006 00000002 00ff";
    let second = hex(second);
    let expected = format!("04000001 07 0000000a 00000001 71 0001 01 0000 04000002 07 {:08x}{}", second.len(), to_hex(&second));
    assert_eq!(to_hex(conn.output().unwrap()), expected.replace(' ', ""));
    conn.sent();

    conn.begin_query(1, &frame, "q", Consistency::One).unwrap();
    assert_eq!(conn.begin_query(2, &frame, "q", Consistency::One).unwrap_err().what, "frame");
    conn.value(ty("int"), None).unwrap();
    assert_eq!(conn.value(ty("int"), None).unwrap_err().what, "params.value"); // the one before has no value yet
    assert_eq!(conn.end_request(&RequestOptions::default()).unwrap_err().what, "params.value");
    for (ty, kind) in [("int", ErrorKind::WrongKind), ("text", ErrorKind::WrongKind)] {
        conn.begin_query(1, &frame, "q", Consistency::One).unwrap();
        conn.value(support::ty(ty), None).unwrap();
        let (binder, w) = conn.binder();
        assert_eq!(binder.hex_decimal(w, 0, false, "1").unwrap_err().kind, kind);
        conn.abort_message();
    }
}

#[test]
fn limits_of_a_connection() {
    let limits = Limits { frame_body: 4, ..Limits::default() };
    for (role, header) in [(Role::Client, "84000001 08"), (Role::Server, "04000001 05")] {
        let mut conn = Conn::new(role, Version::V4);
        conn.set_limits(limits);
        assert_eq!((conn.role(), conn.limits()), (role, limits));
        conn.feed(&hex(&format!("{header} 00000004 00")));
        assert_eq!(conn.next_frame(), Ok(None));
        assert_eq!(conn.waiting(), 10);
        conn.feed(&hex(&format!("000000 {header} 00000005")));
        assert!(conn.next_frame().unwrap().is_some());
        // Before its body is waited for.
        assert_eq!(conn.next_frame(), Err(Error::new(ErrorKind::BadLength, "frame.length", 18)));
    }
    // Decompressed too: what LZ4 says it will be, and 32 bytes in 7 of snappy.
    let mut conn = Conn::established(Role::Client, dialect(Version::V4, Compression::Lz4));
    conn.set_limits(Limits { frame_body: 20, ..limits });
    conn.feed(&hex("84010001 08 0000000c 00000015 1f0001 02 50 0000000000"));
    conn.next_frame().unwrap().unwrap();
    assert_eq!(conn.body().unwrap_err().what, "frame.body.lz4_length");
    for (frame_body, fits) in [(32, true), (31, false)] {
        let mut conn = Conn::established(Role::Client, dialect(Version::V4, Compression::Snappy));
        conn.set_limits(Limits { frame_body, ..limits });
        conn.feed(&hex("84010001 08 00000006 20 0000 7a 0100")); // one literal byte, then 31 times the byte before
        conn.next_frame().unwrap().unwrap();
        assert_eq!(conn.body().is_ok(), fits);
    }
}

#[test]
fn errors_as_text() {
    let error = Error::new(ErrorKind::Truncated, "QUERY.query", 3);
    assert_eq!(error.to_string(), "QUERY.query ends before the field does (offset 3)");
    assert_eq!(error.offset_by(2).in_element(4).in_element(5).to_string(), "QUERY.query ends before the field does (offset 5, element 4)");
    assert_eq!((error.kind.name(), error.kind.meaning()), ("Truncated", "ends before the field does"));
    assert_eq!([Consistency::One, Consistency(99)].map(|level| level.to_string()), ["ONE", "0x0063"]);
    let _: Arc<dyn std::error::Error> = Arc::new(error);
}
