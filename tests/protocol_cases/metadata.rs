//! Metadata of rows and of prepared statements.

use cqlwire::column::Page;
use cqlwire::message::*;
use cqlwire::spec::{Consistency, Dialect, Opcode};
use cqlwire::value::Value;
use cqlwire::wire::{ErrorKind, Reader, Writer};

use crate::support::{dialects, hex, to_hex, ty};
use crate::{column, result};

fn rows(body: &[u8], dialect: Dialect) -> Rows<'_> {
    let ResultMessage::Rows(rows) = result(body, dialect).unwrap() else { panic!("not Rows") };
    rows
}

/// META-1: rows without metadata whose number of columns is not the known one are refused (scylladb/gocql#261, SELECT * after ALTER
/// TABLE). The JavaScript test has the codec's side.
#[test]
fn meta_1_another_number_of_columns() {
    let body = hex("00000002 00000004 00000002 00000001 00000004 00000001 00000004 00000002");
    for dialect in dialects("345x") {
        let rows = rows(&body, dialect);
        for known in [0, 1, 3] {
            let error = Page::read(&rows, &vec![column("c", ty("int")); known]).unwrap_err();
            assert_eq!(error.kind, ErrorKind::ColumnCount, "{known} known");
        }
        let page = Page::read(&rows, &[column("a", ty("int")), column("b", ty("int"))]).unwrap();
        assert_eq!((page.columns[0].value(&ty("int"), 0), page.columns[1].value(&ty("int"), 0)), (Value::Int(1), Value::Int(2)));
    }
}

/// META-2: Metadata_changed is the mask 0x0008, its id follows the paging state, and the new columns decode the rows
/// (scylladb/java-driver#597).
#[test]
fn meta_2_metadata_changed() {
    let alone = "00 00 00 02 00 00 00 09 00 00 00 01 00 02 ab cd 00 01 6b 00 01 74 00 01 63 00 09 00 00 00 01 00 00 00 04 00 00 00 2a";
    let paged = "00 00 00 02 00 00 00 0b 00 00 00 01 00 00 00 02 01 02 00 02 ab cd 00 01 6b 00 01 74 00 01 63 00 09 00 00 00 00";
    for (literal, state) in [(alone, None), (paged, Some(&[1, 2][..]))] {
        let body = hex(literal);
        for dialect in dialects("5x") {
            let rows = rows(&body, dialect);
            assert_eq!((rows.metadata.new_metadata_id, rows.metadata.paging_state), (Some(&[0xab, 0xcd][..]), state));
            let columns = rows.metadata.columns.clone().unwrap();
            assert_eq!(columns, [column("c", ty("int"))]);
            let page = Page::read(&rows, &columns).unwrap();
            assert_eq!(
                (0..page.row_count).map(|row| page.columns[0].value(&ty("int"), row)).collect::<Vec<_>>(),
                if state.is_none() { vec![Value::Int(42)] } else { vec![] }
            );
            let mut w = Writer::new();
            Response::Result(ResultMessage::Rows(rows)).encode(&mut w, dialect).unwrap();
            assert_eq!(w.as_slice(), body, "and written in the same order");
        }
        for dialect in dialects("34") {
            assert_eq!(result(&body, dialect).unwrap_err().kind, ErrorKind::NotNegotiated);
        }
    }
    // With No_metadata it is malformed. The bit number taken for the mask (0x0003) is other flags.
    for dialect in dialects("5x") {
        assert_eq!(result(&hex("00000002 0000000c 00000001 0002 abcd 00000000"), dialect).unwrap_err().kind, ErrorKind::BadValue);
        let three = hex("00000002 00000003 00000001 00000002 0102 0001 6b 0001 74 0001 63 0009 00000000");
        assert_eq!(rows(&three, dialect).metadata.new_metadata_id, None);
    }
}

/// META-4: EXECUTE and PREPARED have the layout of the connection that carries them (scylladb/python-driver#770, scylladb/gocql#590).
#[test]
fn meta_4_the_layout_is_the_connections() {
    let execute = |skip_metadata, result_metadata_id| Execute {
        id: &[0xaa, 0xaa],
        result_metadata_id,
        params: Params {
            consistency: Consistency::One,
            values: Some(vec![Bound::Bytes(&[0, 0, 0, 7])]),
            names: vec![],
            options: RequestOptions { skip_metadata, ..RequestOptions::default() },
        },
    };
    let id: &[u8] = &[0xbb, 0xbb];
    for (letters, skip, literal) in [
        ("34", false, "00 02 aa aa 00 01 01 00 01 00 00 00 04 00 00 00 07"),
        ("x", true, "00 02 aa aa 00 02 bb bb 00 01 03 00 01 00 00 00 04 00 00 00 07"),
        ("5", true, "00 02 aa aa 00 02 bb bb 00 01 00 00 00 03 00 01 00 00 00 04 00 00 00 07"),
    ] {
        for dialect in dialects(letters) {
            // One message, encoded for whichever connection takes it.
            let mut w = Writer::new();
            execute(skip, id).encode(&mut w, dialect).unwrap();
            assert_eq!(to_hex(w.as_slice()), literal.replace(' ', ""), "{dialect:?}");
            let bytes = hex(literal);
            let read = Request::decode(Opcode::Execute, &mut Reader::new(&bytes), dialect).unwrap();
            let id = if dialect.has_result_metadata_id() { id } else { &[] };
            assert_eq!(read, Request::Execute(execute(skip, id)));
        }
    }
    // A statement that was prepared without an id: the field is there all the same.
    for (letters, flags) in [("x", "01"), ("5", "00000001")] {
        let mut w = Writer::new();
        execute(false, &[]).encode(&mut w, dialects(letters)[0]).unwrap();
        assert_eq!(to_hex(w.as_slice()), format!("0002aaaa00000001{flags}00010000000400000007"));
    }
    // PREPARED: v3 has no list of the partition key, v4 has it, v5 and the extension add the id.
    for (letters, literal, pk, id) in [
        ("3", "00000004 0001 aa 00000001 00000001 0001 'k' 0001 't' 0001 'c' 0009 00000004 00000000", &[][..], &[][..]),
        ("4", "00000004 0001 aa 00000001 00000001 00000001 0000 0001 'k' 0001 't' 0001 'c' 0009 00000004 00000000", &[0], &[]),
        ("5x", "00000004 0001 aa 0001 bb 00000001 00000001 00000001 0000 0001 'k' 0001 't' 0001 'c' 0009 00000004 00000000", &[0], &[0xbb]),
    ] {
        for dialect in dialects(letters) {
            let body = hex(literal);
            let ResultMessage::Prepared(prepared) = result(&body, dialect).unwrap() else { panic!() };
            assert_eq!((&prepared.pk_indices[..], prepared.result_metadata_id), (pk, id), "{dialect:?}");
            assert_eq!(prepared.bind, [column("c", ty("int"))]);
        }
    }
}

/// META-5: the paging state stands with No_metadata too, and is opaque: of no bytes it is one, null is none
/// (scylladb/scylla-rust-driver#1063).
#[test]
fn meta_5_the_paging_state() {
    let body = hex("00 00 00 02 00 00 00 06 00 00 00 01 00 00 00 02 01 02 00 00 00 01 00 00 00 04 00 00 00 2a");
    for dialect in dialects("345x") {
        let rows = rows(&body, dialect);
        assert_eq!(rows.metadata.paging_state, Some(&[1, 2][..]));
        assert_eq!(Page::read(&rows, &[column("c", ty("int"))]).unwrap().columns[0].value(&ty("int"), 0), Value::Int(42));
        for (literal, state) in [("00000000", Some(&[][..])), ("ffffffff", None), ("00000003 00ff80", Some(&[0, 0xff, 0x80]))] {
            let body = hex(&format!("00000002 00000006 00000001 {literal} 00000000"));
            assert_eq!(self::rows(&body, dialect).metadata.paging_state, state);
        }
    }
}
