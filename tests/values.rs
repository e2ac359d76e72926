//! Values of every type as bytes, both ways: from native_protocol_v4 §6, v5 §5 and from reports. What is decoded is decoded as a cell
//! and as a column; `tests/values_refused.rs` has what is refused.

mod support;

use std::net::IpAddr;
use std::sync::Arc;

use cqlwire::column::Page;
use cqlwire::message::{ColumnSpec, Rows, RowsMetadata};
use cqlwire::value::{CqlType, Duration, Udt, Value, decode_value, encode_value};
use cqlwire::wire::{Error, Writer};
use support::{hex, to_hex, ty};

/// A cell as the one row of a column.
fn in_column(ty: &Arc<CqlType>, cell: Option<&[u8]>) -> Result<Value, Error> {
    let mut w = Writer::new();
    w.bytes(cell, "cell").unwrap();
    let metadata = RowsMetadata { column_count: 1, ..RowsMetadata::default() };
    let rows = Rows { metadata, row_count: 1, cells: w.as_slice(), cells_at: 0 };
    let columns = [ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty: ty.clone() }];
    Page::read(&rows, &columns).map(|page| page.columns[0].value(ty, 0))
}

fn decodes(ty: &Arc<CqlType>, bytes: &[u8], value: &Value) {
    assert_eq!(decode_value(ty, Some(bytes)).as_ref(), Ok(value), "{ty} {}", to_hex(bytes));
    assert_eq!(in_column(ty, Some(bytes)).as_ref(), Ok(value), "{ty} {} in a column", to_hex(bytes));
}

fn both_ways(ty: Arc<CqlType>, literal: &str, value: Value) {
    let bytes = hex(literal);
    decodes(&ty, &bytes, &value);
    let mut w = Writer::new();
    w.put(&[0xee; 3]);
    encode_value(&ty, &value, &mut w).unwrap_or_else(|error| panic!("{ty} {value:?}: {error}"));
    let mut expected = vec![0xee; 3];
    expected.extend((bytes.len() as u32).to_be_bytes());
    expected.extend(&bytes);
    assert_eq!(to_hex(w.as_slice()), to_hex(&expected), "{ty} {value:?}");
}

fn table(text: &str, rows: impl IntoIterator<Item = (&'static str, Value)>) {
    for (literal, value) in rows {
        both_ways(ty(text), literal, value);
    }
}

fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::List(values.into_iter().collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

#[test]
fn integers() {
    use Value::{Bigint, Int, Smallint, Tinyint};
    table("tinyint", [("00", Tinyint(0)), ("7f", Tinyint(127)), ("80", Tinyint(-128)), ("ff", Tinyint(-1))]);
    table("smallint", [("0001", Smallint(1)), ("fffe", Smallint(-2)), ("8000", Smallint(-32_768)), ("7fff", Smallint(32_767))]);
    table("int", [("0000002a", Int(42)), ("ffffffff", Int(-1)), ("80000000", Int(i32::MIN)), ("7fffffff", Int(i32::MAX))]);
    // apache/cassandra-nodejs-driver#351, #287: beyond 2^53
    for name in ["bigint", "counter"] {
        table(name, [("0020000000000001", Bigint((1 << 53) + 1)), ("8000000000000000", Bigint(i64::MIN))]);
    }
    table("timestamp", [("00000000000003e8", Value::Timestamp(1000)), ("ffffffffffffffff", Value::Timestamp(-1))]);
}

#[test]
fn floats_keep_their_bits() {
    table(
        "double",
        [
            ("3ff8000000000000", Value::Double(1.5)),
            ("8000000000000000", Value::Double(-0.0)),
            ("0000000000000001", Value::Double(f64::from_bits(1))),
            ("7ff0000000000000", Value::Double(f64::INFINITY)),
            ("ffefffffffffffff", Value::Double(f64::MIN)),
        ],
    );
    table(
        "float",
        [
            ("3fc00000", Value::Float(1.5)),
            ("80000000", Value::Float(-0.0)),
            ("00000001", Value::Float(f32::from_bits(1))),
            ("ff800000", Value::Float(f32::NEG_INFINITY)),
            ("7f7fffff", Value::Float(f32::MAX)),
        ],
    );
    for (text, bytes) in [("double", "7ff8000000000000"), ("float", "7fc00000")] {
        let (ty, bytes) = (ty(text), hex(bytes));
        let value = decode_value(&ty, Some(&bytes)).unwrap();
        assert!(matches!(value, Value::Double(nan) if nan.is_nan()) || matches!(value, Value::Float(nan) if nan.is_nan()));
        let mut w = Writer::new();
        encode_value(&ty, &value, &mut w).unwrap();
        assert_eq!(w.as_slice()[4..], bytes);
    }
}

#[test]
fn varints_and_decimals_in_as_few_bytes_as_it_takes() {
    // cqerl/cqerl#60, iconara/cql-rb#118, datastax/php-driver#55 and #68, apache/cassandra-nodejs-driver#49, whatyouhide/xandra#171
    for literal in [
        "00",                                                 // 0
        "ff",                                                 // -1
        "0080",                                               // 128
        "80",                                                 // -128
        "ff7f",                                               // -129
        "00ff",                                               // 255
        "d8f0",                                               // -10000
        "009e0c14",                                           // 10357780: without its pad -6419436
        "00f2b070487a",                                       // 1042342234234
        "80000000",                                           // -2147483648
        "00 80 00 00 00 00 00 00 00",                         // 2^63
        "00 b7 0c ef b9 c1 9c 9c 51 12 97 2f d0 1a 4e 67 6d", // 128 bits
    ] {
        both_ways(ty("varint"), literal, Value::Varint(hex(literal)));
        let decimal = Value::Decimal { scale: -3, unscaled: hex(literal) };
        both_ways(ty("decimal"), &format!("fffffffd {literal}"), decimal);
    }
    // Padding is legal input: scylladb/scylla-rust-driver#1593
    for (padded, minimal) in [("000001", "01"), ("ffffff", "ff"), ("0000", "00"), ("ff80", "80")] {
        decodes(&ty("varint"), &hex(padded), &Value::Varint(hex(minimal)));
        let decimal = Value::Decimal { scale: 1, unscaled: hex(minimal) };
        decodes(&ty("decimal"), &hex(&format!("00000001 {padded}")), &decimal);
        let mut w = Writer::new();
        encode_value(&ty("varint"), &Value::Varint(hex(padded)), &mut w).unwrap();
        assert_eq!(w.as_slice()[4..], hex(minimal));
    }
    // The scale is kept, however hostile: 1.0 and 1.00 differ.
    let decimal = |scale, unscaled: &str| Value::Decimal { scale, unscaled: hex(unscaled) };
    table(
        "decimal",
        [
            ("00000001 ce", decimal(1, "ce")),  // -5.0
            ("fffffffd 01", decimal(-3, "01")), // 1E+3
            ("00000001 00", decimal(1, "00")),  // 0.0
            ("00000002 64", decimal(2, "64")),
            ("7fffffff 01", decimal(i32::MAX, "01")),
            ("80000000 01", decimal(i32::MIN, "01")),
        ],
    );
}

#[test]
fn durations() {
    // apache/cassandra-nodejs-driver#222, datastax/go-cassandra-native-protocol#34, scylladb/gocql#312 and #378
    let duration = |months, days, nanoseconds| Value::Duration(Duration { months, days, nanoseconds });
    table(
        "duration",
        [
            ("02 04 06", duration(1, 2, 3)),
            ("01 03 05", duration(-1, -2, -3)),
            ("00 00 00", duration(0, 0, 0)),
            ("00 00 f2 00 00 00 00", duration(0, 0, 1 << 32)),
            ("00 00 fe 40 00 00 00 00 00 02", duration(0, 0, (1 << 53) + 1)),
            ("f0 ff ff ff ff f0 ff ff ff ff ff ff ff ff ff ff ff ff ff", duration(i32::MIN, i32::MIN, i64::MIN)),
            ("f0 ff ff ff fe f0 ff ff ff fe ff ff ff ff ff ff ff ff fe", duration(i32::MAX, i32::MAX, i64::MAX)),
        ],
    );
}

#[test]
fn dates_and_times() {
    // cassandra-rs/cassandra-rs#174, apache/cassandra-gocql-driver#1692: days from -5877641-06-23 to 5881580-07-11
    table(
        "date",
        [
            ("80004733", Value::Date(18_227)), // 2019-11-27
            ("80000000", Value::Date(0)),
            ("7fffffff", Value::Date(-1)),
            ("00000000", Value::Date(i32::MIN)),
            ("ffffffff", Value::Date(i32::MAX)),
        ],
    );
    table("time", [("0000000000000000", Value::Time(0)), ("00004e94914effff", Value::Time(86_399_999_999_999))]);
}

#[test]
fn texts_blobs_and_the_rest() {
    table("text", [("'h' c3a9 e29883 f09f9880", text("hé☃😀")), ("", text("")), ("00", text("\0"))]);
    table("ascii", [("'plain'", text("plain")), ("", text("")), ("7f", text("\x7f"))]);
    table("blob", [("00ff", Value::Blob(vec![0, 0xff])), ("", Value::Blob(vec![]))]);
    table("boolean", [("00", Value::Boolean(false)), ("01", Value::Boolean(true))]);
    decodes(&ty("boolean"), &[0x02], &Value::Boolean(true)); // anything but 0
    let uuid = Value::Uuid([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    for name in ["uuid", "timeuuid"] {
        table(name, [("000102030405060708090a0b0c0d0e0f", uuid.clone())]);
    }
    let inet = |text: &str| Value::Inet(text.parse::<IpAddr>().unwrap());
    table("inet", [("7f000001", inet("127.0.0.1")), ("20010db8000000000000000000000001", inet("2001:db8::1"))]);
    table("inet", [("00000000000000000000ffff0a000001", inet("::ffff:10.0.0.1"))]); // not shortened to four bytes
    // Text that is not UTF-8 is kept as its bytes.
    decodes(&ty("text"), &[b'a', 0xff], &Value::Blob(vec![b'a', 0xff]));
    let custom: Arc<CqlType> = CqlType::Custom("com.example.Mine".into()).into();
    both_ways(custom.clone(), "0102", Value::Blob(vec![1, 2]));
    both_ways(custom, "", Value::Blob(vec![]));
}

#[test]
fn null_empty_and_unset() {
    // scylladb/scylla-rust-driver#278 and #402, scylladb/cpp-driver#59, apache/cassandra-nodejs-driver#321 and #294
    let all = ["int", "boolean", "timestamp", "uuid", "inet", "varint", "decimal", "duration", "date", "time", "smallint", "tinyint"];
    let nested = ["list<int>", "map<text, int>", "tuple<int, text>", "vector<float, 3>", "vector<text, 2>", "vector<tinyint, 2>"];
    for name in all.into_iter().chain(nested) {
        both_ways(ty(name), "", Value::Empty);
    }
    for name in all.into_iter().chain(nested).chain(["text", "ascii", "blob"]) {
        assert_eq!(decode_value(&ty(name), None), Ok(Value::Null));
        assert_eq!(in_column(&ty(name), None), Ok(Value::Null));
        for (value, bytes) in [(Value::Null, "ffffffff"), (Value::Unset, "fffffffe"), (Value::Empty, "00000000")] {
            let mut w = Writer::new();
            encode_value(&ty(name), &value, &mut w).unwrap();
            assert_eq!(w.as_slice(), hex(bytes), "{name} {value:?}");
        }
    }
}

#[test]
fn collections() {
    use Value::{Int, Null};
    table(
        "list<int>",
        [
            ("00000000", list([])),
            ("00000002 00000004 00000001 00000004 fffffffe", list([Int(1), Int(-2)])),
            ("00000002 ffffffff 00000000", list([Null, Value::Empty])),
        ],
    );
    table("set<text>", [("00000002 00000001 'b' 00000000", list([text("b"), text("")]))]);
    // scylladb/python-driver#201, scylladb/scylladb#5825: null is -1, never empty
    table("list<text>", [("00000002 00000005 68656c6c6f ffffffff", list([text("hello"), Null]))]);
    // apache/cassandra-java-driver#1310: null keys and values; any negative length is null
    let map = Value::Map(vec![(Value::Tinyint(0x10), Null), (Null, Value::Smallint(2))]);
    table("map<tinyint, smallint>", [("00000002 00000001 10 ffffffff ffffffff 00000002 0002", map.clone())]);
    decodes(&ty("map<tinyint, smallint>"), &hex("00000002 00000001 10 fffffffd 80000000 00000002 0002"), &map);
    let nested = Value::Map(vec![(Int(1), list([list([Int(2)]), list([])]))]);
    let literal = "00000001 00000004 00000001 0000001c 00000002 0000000c 00000001 00000004 00000002 00000004 00000000";
    table("map<int, list<list<int>>>", [(literal, nested)]);
}

#[test]
fn tuples_and_user_defined_types_may_end_early() {
    // AlexPikalov/cdrs#190, scylladb/scylla-rust-driver#284 and #1315, datastax/ruby-driver#6
    use Value::{Int, Null};
    table("tuple<int, text>", [("00000004 00000001 00000001 'x'", list([Int(1), text("x")])), ("ffffffff ffffffff", list([Null, Null]))]);
    decodes(&ty("tuple<int, text>"), &hex("00000004 00000001"), &list([Int(1), Null]));

    let fields = vec![("a".into(), ty("text")), ("b".into(), ty("timestamp"))];
    let udt: Arc<CqlType> = CqlType::Udt(Udt { keyspace: "k".into(), name: "u".into(), fields }.into()).into();
    both_ways(udt.clone(), "00000001 78 00000008 00000000 00000001", Value::Udt(vec![text("x"), Value::Timestamp(1)]));
    decodes(&udt, &hex("00000001 78"), &Value::Udt(vec![text("x"), Null]));
    let map: Arc<CqlType> = CqlType::Map(ty("text"), udt.clone()).into();
    let bytes = "00000001 00000001 31 00000005 00000001 78";
    decodes(&map, &hex(bytes), &Value::Map(vec![(text("1"), Value::Udt(vec![text("x"), Null]))]));
    // The field that is missing is not read from what follows.
    let two: Arc<CqlType> = CqlType::List(udt.clone()).into();
    let short = || Value::Udt(vec![text("x"), Null]);
    decodes(&two, &hex("00000002 00000005 00000001 78 00000005 00000001 78"), &list([short(), short()]));
    // Fewer fields may be given too.
    let mut w = Writer::new();
    encode_value(&udt, &Value::Udt(vec![text("x")]), &mut w).unwrap();
    assert_eq!(w.as_slice(), hex("00000005 00000001 78"));
}

#[test]
fn vectors_of_types_that_look_fixed_have_lengths() {
    // scylladb/gocql#849, scylladb/python-driver#689 and #730, apache/cassandra#4431 and #4532
    use Value::{Date, Smallint, Time, Tinyint};
    table("vector<smallint, 2>", [("02 0001 02 fffe", list([Smallint(1), Smallint(-2)]))]);
    table("vector<tinyint, 3>", [("01 01 01 02 01 ff", list([Tinyint(1), Tinyint(2), Tinyint(-1)]))]);
    table("vector<date, 1>", [("04 80000000", list([Date(0)]))]);
    table("vector<time, 1>", [("08 0000000000000001", list([Time(1)]))]);
    table("vector<counter, 1>", [("08 0000000000000001", list([Value::Bigint(1)]))]);
    table("vector<int, 2>", [("00000001 fffffffe", list([Value::Int(1), Value::Int(-2)]))]);
    table("vector<boolean, 2>", [("01 00", list([Value::Boolean(true), Value::Boolean(false)]))]);
    table("vector<timestamp, 1>", [("0000000000000001", list([Value::Timestamp(1)]))]);
    table("vector<uuid, 1>", [("000102030405060708090a0b0c0d0e0f", list([Value::Uuid(std::array::from_fn(|n| n as u8))]))]);
}

#[test]
fn vectors_of_types_that_vary() {
    // apache/cassandra-python-driver#1217, apache/cassandra-nodejs-driver#427, apache/cassandra-gocql-driver#1734
    use Value::Float;
    both_ways(
        ty("vector<text, 3>"),
        &format!("81 2c {} 01 32 01 31", "41".repeat(300)),
        list([text(&"A".repeat(300)), text("2"), text("1")]),
    );
    for (length, prefix) in [(0, "00"), (127, "7f"), (128, "8080"), (16_383, "bfff"), (16_384, "c04000")] {
        both_ways(ty("vector<blob, 1>"), &format!("{prefix} {}", "ab".repeat(length)), list([Value::Blob(vec![0xab; length])]));
    }
    let floats = |numbers: [f32; 2]| list(numbers.map(Float));
    table("vector<vector<float, 2>, 2>", [("3f800000 40000000 40400000 40800000", list([floats([1.0, 2.0]), floats([3.0, 4.0])]))]);
    table("vector<vector<text, 1>, 2>", [("02 01 61 03 02 62 63", list([list([text("a")]), list([text("bc")])]))]);
    table("vector<list<int>, 1>", [("0c 00000001 00000004 00000007", list([list([Value::Int(7)])]))]);
    table("vector<duration, 1>", [("03 02 04 06", list([Value::Duration(Duration { months: 1, days: 2, nanoseconds: 3 })]))]);
    table("vector<varint, 2>", [("01 00 02 0080", list([Value::Varint(vec![0]), Value::Varint(vec![0, 0x80])]))]);
}

#[test]
fn vectors_of_every_size() {
    for size in [3usize, 4, 16, 128, 384, 768, 1536] {
        let numbers = || (0..size as i32).map(|n| n * 7 - 1000);
        for (name, value) in [
            ("float", (|n| Value::Float(n as f32 / 3.0)) as fn(i32) -> Value),
            ("double", |n| Value::Double(f64::from(n) / 3.0)),
            ("int", Value::Int),
            ("bigint", |n| Value::Bigint(i64::from(n) << 30)),
            ("smallint", |n| Value::Smallint(n as i16)),
            ("text", |n| Value::Text(n.to_string())),
            ("vector<float, 2>", |n| list([Value::Float(n as f32), Value::Float(0.5)])),
            ("vector<text, 1>", |n| list([Value::Text("x".repeat(n as usize % 200))])),
        ] {
            // One element after the other, straight from the definition.
            let mut literal = String::new();
            for n in numbers() {
                let element = match value(n) {
                    Value::Float(number) => format!("{:08x}", number.to_bits()),
                    Value::Double(number) => format!("{:016x}", number.to_bits()),
                    Value::Int(number) => format!("{:08x}", number as u32),
                    Value::Bigint(number) => format!("{:016x}", number as u64),
                    Value::Smallint(number) => format!("02 {:04x}", number as u16),
                    Value::Text(text) => format!("{:02x} '{text}'", text.len()),
                    Value::List(_) if name.contains("float") => format!("{:08x} 3f000000", (n as f32).to_bits()),
                    _ => {
                        let length = n as usize % 200;
                        let inner = if length < 128 { format!("{length:02x}") } else { format!("80 {length:02x}") };
                        let outer = length + inner.replace(' ', "").len() / 2;
                        let outer = if outer < 128 { format!("{outer:02x}") } else { format!("80 {outer:02x}") };
                        format!("{outer} {inner} {}", "78".repeat(length))
                    }
                };
                literal.push_str(&element);
            }
            both_ways(ty(&format!("vector<{name}, {size}>")), &literal, list(numbers().map(value)));
        }
    }
}
