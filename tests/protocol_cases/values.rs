//! Null, empty and unset; composite values; vectors.

use std::sync::Arc;

use cqlwire::column::Page;
use cqlwire::message::{Rows, RowsMetadata};
use cqlwire::value::{CqlType, Duration, Udt, Value, decode_value, encode_value};
use cqlwire::wire::{ErrorKind, Writer};

use crate::support::{dialects, hex, to_hex, ty};
use crate::{both_ways, column, reads, writes};

fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::List(values.into_iter().collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

/// VAL-1: zero bytes of a type that has no such value are empty, not null and not an error, and move no neighbour
/// (scylladb/scylla-rust-driver#278, #402, scylladb/cpp-driver#59, apache/cassandra-nodejs-driver#321, #294).
#[test]
fn val_1_zero_bytes() {
    for name in [
        "int",
        "bigint",
        "counter",
        "boolean",
        "float",
        "double",
        "timestamp",
        "uuid",
        "timeuuid",
        "inet",
        "varint",
        "decimal",
        "duration",
        "date",
        "time",
        "smallint",
        "tinyint",
        "list<int>",
        "set<text>",
        "map<text, int>",
        "tuple<int>",
        "vector<float, 3>",
        "vector<text, 2>",
    ] {
        both_ways(&ty(name), "", Value::Empty);
        assert_eq!(decode_value(&ty(name), None), Ok(Value::Null), "{name}");
    }
    for name in ["text", "ascii"] {
        both_ways(&ty(name), "", text(""));
    }
    both_ways(&ty("blob"), "", Value::Blob(vec![]));

    let cells = hex("00000000 ffffffff 00000000 00000000 00000004 0000002a");
    let columns = ["int", "int", "text", "map<int, int>", "int"].map(|name| column(name, ty(name)));
    let metadata = RowsMetadata { column_count: 5, ..RowsMetadata::default() };
    let page = Page::read(&Rows { metadata, row_count: 1, cells: &cells, cells_at: 0 }, &columns).unwrap();
    let row: Vec<_> = columns.iter().zip(&page.columns).map(|(spec, column)| column.value(&spec.ty, 0)).collect();
    assert_eq!(row, [Value::Empty, Value::Null, text(""), Value::Empty, Value::Int(42)]);
}

/// VAL-2: null in a collection has the length -1, never 0 (scylladb/python-driver#201, scylladb/scylladb#5825); elements, keys and
/// values may be null, of any negative length (apache/cassandra-java-driver#1310).
#[test]
fn val_2_nulls_in_collections() {
    both_ways(&ty("list<text>"), "00 00 00 02 00 00 00 05 68 65 6c 6c 6f ff ff ff ff", list([text("hello"), Value::Null]));
    both_ways(&ty("set<text>"), "00000002 ffffffff 00000000", list([Value::Null, text("")]));
    let map = Value::Map(vec![(Value::Tinyint(16), Value::Null), (Value::Null, Value::Smallint(2))]);
    both_ways(&ty("map<tinyint, smallint>"), "00 00 00 02 00 00 00 01 10 ff ff ff ff ff ff ff ff 00 00 00 02 00 02", map);
    for length in ["ffffffff", "fffffffe", "80000000"] {
        reads(&ty("list<int>"), &format!("00000002 {length} 00000004 00000007"), &list([Value::Null, Value::Int(7)]));
    }
    both_ways(&ty("tuple<int, text>"), "ffffffff 00000000", list([Value::Null, text("")]));
    both_ways(&ty("list<list<int>>"), "00000002 00000004 00000000 ffffffff", list([list([]), Value::Null]));
    // A vector has no place for one; unset is of parameters only.
    for (name, value, kind) in [
        ("vector<int, 1>", list([Value::Null]), ErrorKind::WrongKind),
        ("vector<text, 1>", list([Value::Null]), ErrorKind::WrongKind),
        ("list<int>", list([Value::Unset]), ErrorKind::WrongKind),
        ("tuple<int>", list([Value::Unset]), ErrorKind::WrongKind),
    ] {
        assert_eq!(encode_value(&ty(name), &value, &mut Writer::new()).unwrap_err().kind, kind, "{name} {value:?}");
    }
}

/// VAL-4: a user-defined type, and a tuple, may have fewer fields than its type says: the rest is null, and is not read from what
/// follows (AlexPikalov/cdrs#190, scylladb/scylla-rust-driver#284, #1315). A cut inside a field is an error.
#[test]
fn val_4_fewer_fields() {
    let fields = vec![("a".into(), ty("text")), ("b".into(), ty("timestamp"))];
    let udt: Arc<CqlType> = CqlType::Udt(Udt { keyspace: "k".into(), name: "u".into(), fields }.into()).into();
    let short = || Value::Udt(vec![text("x"), Value::Null]);
    reads(&udt, "00 00 00 01 78", &short());
    let map: Arc<CqlType> = CqlType::Map(ty("text"), udt.clone()).into();
    reads(&map, "00 00 00 01 00 00 00 01 31 00 00 00 05 00 00 00 01 78", &Value::Map(vec![(text("1"), short())]));
    let two: Arc<CqlType> = CqlType::List(udt.clone()).into();
    reads(&two, "00000002 00000005 00000001 78 00000005 00000001 78", &list([short(), short()]));
    let pair: Arc<CqlType> = CqlType::Tuple(vec![udt.clone(), ty("int")]).into();
    reads(&pair, "00000005 00000001 78 00000004 00000007", &list([short(), Value::Int(7)]));
    let vector: Arc<CqlType> = CqlType::Vector(udt.clone(), 2).into();
    reads(&vector, "05 00000001 78 05 00000001 78", &list([short(), short()]));
    reads(&ty("tuple<int, text>"), "00000004 00000001", &list([Value::Int(1), Value::Null]));
    for cut in ["000000", "00000001", "00000001 78 000000", "00000001 78 00000008 00000000"] {
        assert_eq!(decode_value(&udt, Some(&hex(cut))).unwrap_err().kind, ErrorKind::Truncated, "{cut}");
    }
}

/// VEC-1: only boolean, int, float, bigint, double, timestamp, uuid, timeuuid and vectors of those stand in a vector without a length
/// (scylladb/gocql#849, scylladb/python-driver#689, #730, apache/cassandra#4431, #4532).
#[test]
fn vec_1_types_that_look_fixed() {
    let uuid = Value::Uuid(std::array::from_fn(|n| n as u8));
    for (name, literal, value) in [
        ("vector<smallint, 2>", "02 00 01 02 ff fe", list([Value::Smallint(1), Value::Smallint(-2)])),
        ("vector<tinyint, 3>", "01 01 01 02 01 ff", list([Value::Tinyint(1), Value::Tinyint(2), Value::Tinyint(-1)])),
        ("vector<date, 1>", "04 80 00 00 00", list([Value::Date(0)])),
        ("vector<time, 1>", "08 00 00 00 00 00 00 00 01", list([Value::Time(1)])),
        ("vector<counter, 1>", "08 0000000000000001", list([Value::Bigint(1)])),
        ("vector<inet, 1>", "04 7f000001", list([Value::Inet([127, 0, 0, 1].into())])),
        ("vector<blob, 1>", "01 07", list([Value::Blob(vec![7])])),
        ("vector<varint, 1>", "02 0080", list([Value::Varint(vec![0, 0x80])])),
        ("vector<decimal, 1>", "05 00000001 ce", list([Value::Decimal { scale: 1, unscaled: vec![0xce] }])),
        ("vector<duration, 1>", "03 02 04 06", list([Value::Duration(Duration { months: 1, days: 2, nanoseconds: 3 })])),
        ("vector<list<int>, 1>", "0c 00000001 00000004 00000007", list([list([Value::Int(7)])])),
        ("vector<map<int, int>, 1>", "04 00000000", list([Value::Map(vec![])])),
        ("vector<tuple<int>, 1>", "08 00000004 00000007", list([list([Value::Int(7)])])),
        ("vector<vector<smallint, 1>, 2>", "03 02 0001 03 02 0002", list([list([Value::Smallint(1)]), list([Value::Smallint(2)])])),
        ("vector<boolean, 2>", "01 00", list([Value::Boolean(true), Value::Boolean(false)])),
        ("vector<int, 2>", "00000001 fffffffe", list([Value::Int(1), Value::Int(-2)])),
        ("vector<float, 1>", "3f800000", list([Value::Float(1.0)])),
        ("vector<bigint, 1>", "0000000000000001", list([Value::Bigint(1)])),
        ("vector<double, 1>", "3ff0000000000000", list([Value::Double(1.0)])),
        ("vector<timestamp, 1>", "0000000000000001", list([Value::Timestamp(1)])),
        ("vector<uuid, 1>", "000102030405060708090a0b0c0d0e0f", list([uuid.clone()])),
        ("vector<timeuuid, 1>", "000102030405060708090a0b0c0d0e0f", list([uuid])),
        ("vector<vector<int, 1>, 2>", "00000001 00000002", list([list([Value::Int(1)]), list([Value::Int(2)])])),
    ] {
        both_ways(&ty(name), literal, value);
    }
    for (name, fixed_form) in
        [("vector<smallint, 2>", "0001 fffe"), ("vector<date, 1>", "80000000"), ("vector<time, 1>", "0000000000000001")]
    {
        assert!(decode_value(&ty(name), Some(&hex(fixed_form))).is_err(), "{name}");
    }
}

/// VEC-2: an element of variable size has an unsigned vint before it, and there is no count (apache/cassandra-python-driver#1217,
/// apache/cassandra-nodejs-driver#427, apache/cassandra-java-driver#1952, apache/cassandra-gocql-driver#1734).
#[test]
fn vec_2_elements_of_variable_size() {
    let long = "A".repeat(300);
    both_ways(&ty("vector<text, 3>"), &format!("81 2c {} 01 32 01 31", "41".repeat(300)), list([text(&long), text("2"), text("1")]));
    let floats = |numbers: [f32; 2]| list(numbers.map(Value::Float));
    both_ways(
        &ty("vector<vector<float, 2>, 2>"),
        "3f 80 00 00 40 00 00 00 40 40 00 00 40 80 00 00",
        list([floats([1.0, 2.0]), floats([3.0, 4.0])]),
    );
    both_ways(&ty("vector<vector<text, 1>, 2>"), "02 01 61 03 02 62 63", list([list([text("a")]), list([text("bc")])]));
    // Lengths at which a vint grows.
    for (length, prefix) in [(0, "00"), (127, "7f"), (128, "80 80"), (16_383, "bf ff"), (16_384, "c0 40 00")] {
        let value = list([Value::Blob(vec![0xab; length])]);
        writes(&ty("vector<blob, 1>"), &value, &format!("{prefix} {}", "ab".repeat(length)));
        assert!(decode_value(&ty("vector<blob, 1>"), Some(&hex(&format!("{prefix} {}", "ab".repeat(length))))) == Ok(value));
    }
    // In a result, as the server names the type.
    let class = "org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.UTF8Type , 2)";
    let body = hex(&format!(
        "00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' 0000 {:04x} '{class}' 00000001 00000004 01 61 01 62",
        class.len()
    ));
    let cqlwire::message::ResultMessage::Rows(rows) = crate::result(&body, dialects("4")[0]).unwrap() else { panic!() };
    let columns = rows.metadata.columns.clone().unwrap();
    assert_eq!(Page::read(&rows, &columns).unwrap().columns[0].value(&columns[0].ty, 0), list([text("a"), text("b")]));
    assert_eq!(to_hex(rows.cells), "0000000401610162");
}
