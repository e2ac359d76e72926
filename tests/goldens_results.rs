//! RESULT as bytes: all five kinds, every metadata flag, every `[option]`, in every version; written from native_protocol_v3, v4 and
//! v5 §4.2.5, and from reports. Each is read, and refused at every cut.

mod support;

use std::sync::Arc;

use cqlwire::column::Page;
use cqlwire::message::*;
use cqlwire::spec::{Dialect, Opcode};
use cqlwire::value::{CqlType, Udt, Value};
use cqlwire::wire::{Error, ErrorKind, Reader, Writer};
use support::{dialects, hex, ty};

fn decode(bytes: &[u8], dialect: Dialect) -> Result<ResultMessage<'_>, Error> {
    match Response::decode(Opcode::Result, &mut Reader::new(bytes), dialect)? {
        Response::Result(result) => Ok(result),
        other => panic!("{other:?}"),
    }
}

/// Decodes, also the cells where the columns are there.
fn decode_all(bytes: &[u8], dialect: Dialect) -> Result<ResultMessage<'_>, Error> {
    let result = decode(bytes, dialect)?;
    if let ResultMessage::Rows(Rows { metadata: RowsMetadata { columns: Some(columns), .. }, .. }) = &result {
        let ResultMessage::Rows(rows) = &result else { unreachable!() };
        Page::read(rows, columns)?;
    }
    Ok(result)
}

fn read(letters: &str, literal: &str, expected: ResultMessage<'_>) {
    check(letters, literal, expected, true);
}

/// What is legal and read, but not as servers write it: it would be written otherwise.
fn read_only(letters: &str, literal: &str, expected: ResultMessage<'_>) {
    check(letters, literal, expected, false);
}

fn check(letters: &str, literal: &str, mut expected: ResultMessage<'_>, is_canonical: bool) {
    let bytes = hex(literal);
    if let ResultMessage::Rows(rows) = &mut expected {
        rows.metadata.global_table_spec = bytes[7] & 0x01 != 0;
    }
    for dialect in dialects(letters) {
        assert_eq!(decode_all(&bytes, dialect).as_ref(), Ok(&expected), "{dialect:?} {literal}");
        // Written back, also into a writer that holds bytes.
        let mut w = Writer::new();
        w.byte(0xee);
        expected.encode(&mut w, dialect).unwrap();
        assert_eq!(w.as_slice()[1..] == bytes, is_canonical, "{dialect:?} {literal}");
        for cut in 0..bytes.len() {
            let kind = decode_all(&bytes[..cut], dialect).map_err(|error| error.kind);
            assert_eq!(kind, Err(ErrorKind::Truncated), "{dialect:?} {literal} cut at {cut}");
        }
    }
}

fn refused(letters: &str, literal: &str, kind: ErrorKind) {
    for dialect in dialects(letters) {
        assert_eq!(decode_all(&hex(literal), dialect).map_err(|error| error.kind), Err(kind), "{dialect:?} {literal}");
    }
}

fn column(name: &str, ty: Arc<CqlType>) -> ColumnSpec {
    ColumnSpec { keyspace: "k".into(), table: "t".into(), name: name.into(), ty }
}

/// Rows of `cells`, which stand at the end of the body.
fn rows<'a>(row_count: usize, columns: Option<Vec<ColumnSpec>>, column_count: usize, cells: &'a [u8], cells_at: usize) -> Rows<'a> {
    let metadata = RowsMetadata { column_count, columns, ..RowsMetadata::default() };
    Rows { metadata, row_count, cells, cells_at }
}

#[test]
fn void_set_keyspace_and_schema_changes() {
    read("345x", "00000001", ResultMessage::Void);
    read("345x", "00000003 0002 'ks'", ResultMessage::SetKeyspace { keyspace: "ks" });
    let change = |change_type, target, name, argument_types| {
        ResultMessage::SchemaChange(SchemaChange { change_type, target, keyspace: "ks", name, argument_types })
    };
    for (literal, expected) in [
        ("0007 'CREATED' 0008 'KEYSPACE' 0002 'ks'", change("CREATED", "KEYSPACE", None, None)),
        ("0007 'UPDATED' 0005 'TABLE' 0002 'ks' 0001 't'", change("UPDATED", "TABLE", Some("t"), None)),
        ("0007 'DROPPED' 0004 'TYPE' 0002 'ks' 0001 't'", change("DROPPED", "TYPE", Some("t"), None)),
        ("0007 'CREATED' 0008 'FUNCTION' 0002 'ks' 0001 'f' 0001 0003 'int'", change("CREATED", "FUNCTION", Some("f"), Some(vec!["int"]))),
        ("0007 'CREATED' 0009 'AGGREGATE' 0002 'ks' 0001 'a' 0000", change("CREATED", "AGGREGATE", Some("a"), Some(vec![]))),
    ] {
        read("345x", &format!("00000005 {literal}"), expected);
    }
    refused("345", "00000006", ErrorKind::BadValue);
    refused("345", "00000000", ErrorKind::BadValue);
}

#[test]
fn rows_with_one_table_spec_or_with_many() {
    let cells = hex("00000004 0000002a ffffffff 00000004 ffffffff 00000000");
    let columns = vec![column("a", ty("int")), column("b", ty("text"))];
    let literal = "00000002 00000001 00000002 0001 'k' 0001 't' 0001 'a' 0009 0001 'b' 000d 00000002";
    let cells_literal = "00000004 0000002a ffffffff 00000004 ffffffff 00000000";
    read("345x", &format!("{literal} {cells_literal}"), ResultMessage::Rows(rows(2, Some(columns.clone()), 2, &cells, 32)));
    let mut columns = columns;
    columns[1].table = "u".into();
    let literal = "00000002 00000000 00000002 0001 'k' 0001 't' 0001 'a' 0009 0001 'k' 0001 'u' 0001 'b' 000d 00000002";
    read("345x", &format!("{literal} {cells_literal}"), ResultMessage::Rows(rows(2, Some(columns), 2, &cells, 38)));
    // no rows, no columns
    read(
        "345",
        "00000002 00000001 00000001 0001 'k' 0001 't' 0001 'a' 0009 00000000",
        ResultMessage::Rows(rows(0, Some(vec![column("a", ty("int"))]), 1, &[], 27)),
    );
    read("345", "00000002 00000004 00000000 00000000", ResultMessage::Rows(rows(0, None, 0, &[], 16)));
    read("345", "00000002 00000001 00000000 00000003", ResultMessage::Rows(rows(3, Some(vec![]), 0, &[], 16)));
}

#[test]
fn the_paging_state_stands_also_without_metadata() {
    // scylladb/scylla-rust-driver#1063
    let bytes = hex("00000002 00000006 00000001 00000002 0102 00000001 00000004 0000002a");
    for dialect in dialects("345x") {
        let ResultMessage::Rows(rows) = decode(&bytes, dialect).unwrap() else { panic!() };
        assert_eq!(rows.metadata.paging_state, Some(&[1, 2][..]));
        let page = Page::read(&rows, &[column("c", ty("int"))]).unwrap();
        assert_eq!(page.columns[0].value(&ty("int"), 0), Value::Int(42));
        for cut in 0..22 {
            assert!(decode(&bytes[..cut], dialect).is_err(), "cut at {cut}");
        }
    }
    // An empty state is one; null is none.
    for (literal, state) in [("00000000", Some(&[][..])), ("ffffffff", None)] {
        let bytes = hex(&format!("00000002 00000006 00000001 {literal} 00000000"));
        let ResultMessage::Rows(rows) = decode(&bytes, dialects("4")[0]).unwrap() else { panic!() };
        assert_eq!(rows.metadata.paging_state, state);
    }
}

#[test]
fn a_new_metadata_id_follows_the_paging_state() {
    // scylladb/java-driver#597, scylladb/csharp-driver#272, scylladb/python-driver#770: the mask is 0x0008
    let alone = "00000002 00000009 00000001 0002 abcd 0001 6b 0001 74 0001 63 0009 00000001 00000004 0000002a";
    let after_state = "00000002 0000000b 00000001 00000002 0102 0002 abcd 0001 6b 0001 74 0001 63 0009 00000000";
    for dialect in dialects("5x") {
        let bytes = hex(alone);
        let ResultMessage::Rows(rows) = decode(&bytes, dialect).unwrap() else { panic!() };
        assert_eq!((rows.metadata.new_metadata_id, rows.metadata.paging_state), (Some(&[0xab, 0xcd][..]), None));
        let columns = rows.metadata.columns.as_ref().unwrap();
        assert_eq!(*columns, [column("c", ty("int"))]);
        assert_eq!(Page::read(&rows, columns).unwrap().columns[0].value(&ty("int"), 0), Value::Int(42));

        let bytes = hex(after_state);
        let ResultMessage::Rows(rows) = decode(&bytes, dialect).unwrap() else { panic!() };
        assert_eq!((rows.metadata.new_metadata_id, rows.metadata.paging_state), (Some(&[0xab, 0xcd][..]), Some(&[1, 2][..])));
        for literal in [alone, after_state] {
            let bytes = hex(literal);
            for cut in 0..bytes.len() {
                assert!(decode_all(&bytes[..cut], dialect).is_err());
            }
        }
    }
    refused("34", alone, ErrorKind::NotNegotiated);
    refused("345x", "00000002 0000000c 00000001 0002 abcd 00000000", ErrorKind::BadValue);
}

#[test]
fn columns_of_another_number_are_refused() {
    // scylladb/gocql#261, apache/cassandra-gocql-driver#1056: SELECT * after ALTER TABLE, with skipped metadata
    let bytes = hex("00000002 00000004 00000002 00000001 00000004 00000001 00000004 00000002");
    let ResultMessage::Rows(rows) = decode(&bytes, dialects("4")[0]).unwrap() else { panic!() };
    for known in [0, 1, 3] {
        let columns = vec![column("c", ty("int")); known];
        assert_eq!(Page::read(&rows, &columns).unwrap_err().kind, ErrorKind::ColumnCount);
    }
    assert_eq!(Page::read(&rows, &[column("a", ty("int")), column("b", ty("int"))]).unwrap().row_count, 1);
}

#[test]
fn every_option() {
    let udt = CqlType::Udt(Arc::new(Udt { keyspace: "k".into(), name: "u".into(), fields: vec![("f".into(), ty("int"))] }));
    let marshal = |class: &str| {
        let name = format!("org.apache.cassandra.db.marshal.{class}");
        format!("0000 {:04x} '{name}'", name.len())
    };
    let mut table: Vec<(String, Arc<CqlType>)> = [
        ("0001", "ascii"),
        ("0002", "bigint"),
        ("0003", "blob"),
        ("0004", "boolean"),
        ("0005", "counter"),
        ("0006", "decimal"),
        ("0007", "double"),
        ("0008", "float"),
        ("0009", "int"),
        ("000b", "timestamp"),
        ("000c", "uuid"),
        ("000d", "text"),
        ("000e", "varint"),
        ("000f", "timeuuid"),
        ("0010", "inet"),
        ("0011", "date"),
        ("0012", "time"),
        ("0013", "smallint"),
        ("0014", "tinyint"),
        ("0015", "duration"),
        ("0020 0009", "list<int>"),
        ("0022 000d", "set<text>"),
        ("0021 0009 0020 000d", "map<int, list<text>>"),
        ("0031 0002 0009 000d", "tuple<int, text>"),
        ("0031 0000", "tuple<>"),
    ]
    .map(|(literal, text)| (literal.into(), ty(text)))
    .into();
    table.push(("0030 0001 'k' 0001 'u' 0001 0001 'f' 0009".into(), Arc::new(udt)));
    for (class, text) in [
        ("DurationType", "duration"),
        ("SimpleDateType", "date"),
        ("TimeType", "time"),
        ("ByteType", "tinyint"),
        ("ShortType", "smallint"),
        ("VectorType(org.apache.cassandra.db.marshal.FloatType , 3)", "vector<float, 3>"),
    ] {
        table.push((marshal(class), ty(text)));
    }
    table.push(("0000 0010 'com.example.Mine'".into(), Arc::new(CqlType::Custom("com.example.Mine".into()))));
    for (option, ty) in table {
        let literal = format!("00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' {option} 00000001 ffffffff");
        let at = hex(&literal).len() - 4;
        // The versions in which servers write it so; elsewhere it is read all the same.
        let (canonical, other) = match option.as_str() {
            "0011" | "0012" | "0013" | "0014" => ("45x", "3"),
            "0015" => ("5", "34x"),
            class if class.contains("DurationType") => ("34x", "5"),
            class if ["SimpleDateType", "TimeType", "ByteType", "ShortType"].iter().any(|name| class.contains(name)) => ("3", "45x"),
            _ => ("345x", ""),
        };
        let expected = ResultMessage::Rows(rows(1, Some(vec![column("c", ty)]), 1, &[0xff; 4], at));
        read(canonical, &literal, expected.clone());
        read_only(other, &literal, expected);
    }
    refused("345", "00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' 000a 00000000", ErrorKind::BadValue); // text of v2
}

#[test]
fn prepared_has_the_layout_of_its_connection() {
    // scylladb/python-driver#770, scylladb/gocql#590
    let prepared = |pk_indices: &[u16], result_metadata_id| {
        let columns = Some(vec![column("c", ty("int"))]);
        let result = RowsMetadata { global_table_spec: true, column_count: 1, columns, ..RowsMetadata::default() };
        let bind = vec![column("a", ty("int")), column("b", ty("text"))];
        ResultMessage::Prepared(Prepared {
            id: &[0xaa, 0xaa],
            result_metadata_id,
            pk_indices: pk_indices.to_vec(),
            is_lwt: false,
            bind,
            result,
        })
    };
    let bind = "0001 'k' 0001 't' 0001 'a' 0009 0001 'b' 000d";
    let result = "00000001 00000001 0001 'k' 0001 't' 0001 'c' 0009";
    let id = &[0xbb, 0xbb][..];
    read("3", &format!("00000004 0002 aaaa 00000001 00000002 {bind} {result}"), prepared(&[], &[]));
    let pk = "00000002 0001 0000";
    read("4", &format!("00000004 0002 aaaa 00000001 00000002 {pk} {bind} {result}"), prepared(&[1, 0], &[]));
    read("5x", &format!("00000004 0002 aaaa 0002 bbbb 00000001 00000002 {pk} {bind} {result}"), prepared(&[1, 0], id));
    read("5x", &format!("00000004 0002 aaaa 0002 bbbb 00000001 00000002 00000000 {bind} {result}"), prepared(&[], id));

    let nothing = |bind| {
        let result = RowsMetadata { column_count: 0, ..RowsMetadata::default() };
        ResultMessage::Prepared(Prepared { id: &[], result_metadata_id: &[], pk_indices: vec![], is_lwt: false, bind, result })
    };
    read("4", "00000004 0000 00000000 00000000 00000000 00000004 00000000", nothing(vec![]));
    read_only("3", "00000004 0000 00000001 00000000 00000004 00000000", nothing(vec![]));
    read_only("3", "00000004 0000 00000004 00000005 00000004 00000000", nothing(vec![])); // markers that are not described
}

#[test]
fn counts_are_not_taken_on_trust() {
    // scylladb/gocql#978, #1104
    refused("4", "00000004 0002 aaaa 00000001 00000000 ffffffff", ErrorKind::BadLength);
    refused("4", "00000004 0002 aaaa 00000001 00000000 7fffffff", ErrorKind::Truncated);
    refused("345", "00000002 00000004 00000000 7fffffff", ErrorKind::BadLength);
    refused("345", "00000002 00000004 00000001 7fffffff", ErrorKind::Truncated);
    refused("345", "00000002 00000004 7fffffff 7fffffff", ErrorKind::Truncated);
    refused("345", "00000002 00000004 00000001 ffffffff", ErrorKind::BadLength);
    refused("345", "00000002 00000004 ffffffff 00000000", ErrorKind::BadLength);
    refused("345", "00000002 00000000 7fffffff 00000000", ErrorKind::Truncated);
    refused("345", "00000002 00000001 7fffffff 0001 'k' 0001 't' 00000000", ErrorKind::Truncated);
    let option = |option: &str| format!("00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' {option}");
    refused("345", &option("0031 ffff"), ErrorKind::Truncated);
    refused("345", &option("0030 0001 'k' 0001 'u' ffff"), ErrorKind::Truncated);
    let mut deep = hex(&option(""));
    deep.extend([0x00, 0x20].repeat(2_000_000));
    deep.extend([0x00, 0x09]);
    assert_eq!(decode(&deep, dialects("4")[0]).unwrap_err().kind, ErrorKind::TooDeep);
    let mut deep = hex(&option("0000 ffff"));
    deep.extend(b"org.apache.cassandra.db.marshal.ListType(".repeat(2000).into_iter().take(65_535));
    deep.extend([0; 4]);
    let ResultMessage::Rows(rows) = decode(&deep, dialects("4")[0]).unwrap() else { panic!() };
    assert!(matches!(&*rows.metadata.columns.unwrap()[0].ty, CqlType::Custom(_)), "a malformed class does not spoil the result");
}
