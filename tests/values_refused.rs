//! Values that are refused: what a type cannot hold, with the kind of error and the element it is in; bytes that no value has. After a
//! refusal the output holds what it held before.

mod support;

use cqlwire::column::Page;
use cqlwire::message::{ColumnSpec, Rows, RowsMetadata};
use cqlwire::value::{Binder, Duration, NumberKind, Value, decode_value, encode_value};
use cqlwire::wire::{ErrorKind, Result, Writer};
use support::{hex, ty};

/// What the binder says to one value of a type.
fn bound(text: &str, put: impl FnOnce(&mut Binder, &mut Writer) -> Result<()>) -> std::result::Result<Vec<u8>, (ErrorKind, Option<u32>)> {
    let (mut binder, mut w) = (Binder::new(), Writer::new());
    binder.start(ty(text));
    put(&mut binder, &mut w).map_err(|error| (error.kind, error.element))?;
    Ok(w.into_bytes())
}

#[test]
fn numbers_that_do_not_fit() {
    // apache/cassandra-nodejs-driver#351, jorgebay/node-cassandra-cql#43: neither wrapped nor saturated nor guessed
    use ErrorKind::{OutOfRange, WrongKind};
    for (text, number, kind) in [
        ("tinyint", 128.0, OutOfRange),
        ("tinyint", -129.0, OutOfRange),
        ("smallint", 32_768.0, OutOfRange),
        ("int", 2_147_483_648.0, OutOfRange),
        ("int", -2_147_483_649.0, OutOfRange),
        ("int", 1.5, OutOfRange),
        ("int", f64::NAN, OutOfRange),
        ("int", f64::INFINITY, OutOfRange),
        ("bigint", 9_007_199_254_740_992.0, OutOfRange), // 2^53 no longer says which integer was meant
        ("bigint", 9_223_372_036_854_775_808.0, OutOfRange),
        ("bigint", 0.1, OutOfRange),
        ("counter", f64::NAN, OutOfRange),
        ("varint", 1e300, OutOfRange),
        ("timestamp", 1e300, OutOfRange),
        ("float", 1e300, OutOfRange),
        ("float", -3.5e38, OutOfRange),
        ("text", 1.0, WrongKind),
        ("date", 1.0, WrongKind),
        ("time", 1.0, WrongKind),
        ("decimal", 1.0, WrongKind),
        ("boolean", 1.0, WrongKind),
        ("uuid", 1.0, WrongKind),
        ("list<int>", 1.0, WrongKind),
        ("vector<float, 1>", 1.0, WrongKind),
        ("duration", 1.0, WrongKind),
    ] {
        assert_eq!(bound(text, |binder, w| binder.number(w, number)), Err((kind, None)), "{text} {number}");
    }
    for (text, number) in [("tinyint", i64::from(i8::MAX) + 1), ("smallint", -32_769), ("int", i64::MAX)] {
        assert_eq!(bound(text, |binder, w| binder.int64(w, number)), Err((OutOfRange, None)), "{text} {number}");
    }
    for (text, kind) in [("double", WrongKind), ("text", WrongKind), ("bigint", OutOfRange), ("int", OutOfRange)] {
        assert_eq!(bound(text, |binder, w| binder.hex_integer(w, false, "10000000000000000")), Err((kind, None)), "{text}");
    }
    for (text, number, bytes) in [
        ("bigint", 9_007_199_254_740_991.0, "00000008 001fffffffffffff"),
        ("int", -0.0, "00000004 00000000"),
        ("tinyint", -128.0, "00000001 80"),
        ("varint", 255.0, "00000002 00ff"),
        ("float", f64::NAN, "00000004 7fc00000"),
        ("float", f64::INFINITY, "00000004 7f800000"),
        ("double", 1e300, "00000008 7e37e43c8800759c"),
    ] {
        assert_eq!(bound(text, |binder, w| binder.number(w, number)), Ok(hex(bytes)), "{text} {number}");
    }
}

#[test]
fn values_of_another_kind_or_shape() {
    use ErrorKind::{BadText, OutOfRange, WrongCount, WrongKind, WrongSize};
    let list = |values: &[Value]| Value::List(values.to_vec());
    let int = Value::Int;
    let duration = |months, days, nanoseconds| Value::Duration(Duration { months, days, nanoseconds });
    for (text, value, kind, element) in [
        ("int", Value::Text("1".into()), WrongKind, None),
        ("text", int(1), WrongKind, None),
        ("boolean", int(1), WrongKind, None),
        ("ascii", Value::Text("é".into()), BadText, None),
        ("uuid", Value::Text("00010203-0405-0607-0809-0a0b0c0d0e0".into()), BadText, None),
        ("inet", Value::Text("127.0.0".into()), BadText, None),
        ("time", Value::Time(86_400_000_000_000), OutOfRange, None),
        ("time", Value::Time(-1), OutOfRange, None),
        ("duration", duration(1, -1, 0), OutOfRange, None),
        ("duration", duration(0, 1, -1), OutOfRange, None),
        ("varint", Value::Varint(vec![]), WrongKind, None),
        ("decimal", Value::Decimal { scale: 0, unscaled: vec![] }, WrongKind, None),
        // ready bytes of the wrong length
        ("int", Value::Blob(vec![0; 3]), WrongSize, None),
        ("bigint", Value::Blob(vec![0; 9]), WrongSize, None),
        ("uuid", Value::Blob(vec![0; 15]), WrongSize, None),
        ("vector<float, 3>", Value::Blob(vec![0; 11]), WrongSize, None),
        ("list<uuid>", list(&[Value::Uuid([0; 16]), Value::Blob(vec![0; 15])]), WrongSize, Some(1)),
        ("list<inet>", list(&[Value::Blob(vec![0; 5])]), WrongSize, Some(0)),
        ("list<int>", list(&[Value::Blob(vec![0; 4])]), WrongKind, Some(0)),
        // elements
        ("list<int>", list(&[int(1), Value::Text("x".into())]), WrongKind, Some(1)),
        ("list<int>", list(&[int(1), Value::Unset]), WrongKind, Some(1)),
        ("map<int, int>", Value::Map(vec![(int(1), int(1)), (int(2), Value::Unset)]), WrongKind, Some(1)),
        ("tuple<int, int>", list(&[int(1), Value::Unset]), WrongKind, Some(1)),
        ("tuple<int>", list(&[int(1), int(2)]), WrongCount, None),
        ("list<tinyint>", list(&[int(1), int(2), int(300)]), OutOfRange, Some(2)),
        ("list<list<tinyint>>", list(&[list(&[]), list(&[int(1), int(300)])]), OutOfRange, Some(1)),
        // vectors
        ("vector<float, 3>", list(&vec![Value::Float(1.0); 2]), WrongCount, None),
        ("vector<float, 3>", list(&vec![Value::Float(1.0); 4]), WrongCount, None),
        ("vector<int, 2>", list(&[int(1), Value::Null]), WrongKind, Some(1)),
        ("vector<text, 2>", list(&[Value::Null, Value::Text("x".into())]), WrongKind, Some(0)),
        ("vector<int, 2>", list(&[int(1), Value::Empty]), WrongSize, Some(1)),
        ("vector<date, 2>", list(&[Value::Date(1), Value::Empty]), WrongSize, Some(1)),
        ("vector<smallint, 2>", list(&[int(1), int(40_000)]), OutOfRange, Some(1)),
        ("vector<vector<int, 2>, 2>", list(&[list(&[int(1), int(2)]), list(&[int(1)])]), WrongCount, Some(1)),
        ("vector<float, 2>", list(&[Value::Float(1.0), Value::Text("x".into())]), WrongKind, Some(1)),
    ] {
        let mut w = Writer::new();
        w.put(&[0xee; 5]);
        let error = encode_value(&ty(text), &value, &mut w).unwrap_err();
        assert_eq!((error.kind, error.element), (kind, element), "{text} {value:?}");
        assert_eq!(w.as_slice(), [0xee; 5], "{text} {value:?}");
    }
}

#[test]
fn blocks_of_numbers() {
    use ErrorKind::{WrongCount, WrongKind};
    let open = |text: &str, kind, count| bound(text, |binder, w| binder.open_numbers(w, kind, count).map(|_| ()));
    for (text, kind, count, error) in [
        ("vector<float, 3>", NumberKind::Float32, 2, WrongCount),
        ("vector<float, 3>", NumberKind::Float32, 4, WrongCount),
        ("vector<float, 3>", NumberKind::Float64, 3, WrongKind),
        ("vector<double, 3>", NumberKind::Float32, 3, WrongKind),
        ("vector<bigint, 3>", NumberKind::Int32, 3, WrongKind),
        ("vector<timestamp, 3>", NumberKind::Int64, 3, WrongKind),
        // not of fixed width inside a vector, whatever they look like
        ("vector<smallint, 3>", NumberKind::Int32, 3, WrongKind),
        ("vector<date, 3>", NumberKind::Int32, 3, WrongKind),
        ("list<float>", NumberKind::Float32, 3, WrongKind),
        ("blob", NumberKind::Float32, 3, WrongKind),
    ] {
        assert_eq!(open(text, kind, count), Err((error, None)), "{text} {kind:?} {count}");
    }
    let written = bound("vector<float, 2>", |binder, w| {
        let at = binder.open_numbers(w, NumberKind::Float32, 2)?;
        w.tail_mut(at).copy_from_slice(&[1.0f32.to_ne_bytes(), (-2.5f32).to_ne_bytes()].concat());
        binder.close_numbers(w)
    });
    assert_eq!(written, Ok(hex("00000008 3f800000 c0200000")));
}

#[test]
fn calls_out_of_order() {
    use ErrorKind::{Misuse, WrongCount};
    let (mut binder, mut w) = (Binder::new(), Writer::new());
    assert_eq!(binder.null(&mut w).unwrap_err().kind, Misuse); // no type
    binder.start(ty("int"));
    binder.int64(&mut w, 1).unwrap();
    assert_eq!(binder.int64(&mut w, 1).unwrap_err().kind, Misuse); // a second value
    assert_eq!(binder.end(&mut w).unwrap_err().kind, Misuse);
    assert_eq!(bound("list<int>", |b, w| b.begin(w, 2).and_then(|()| b.int64(w, 1)).and_then(|()| b.end(w))), Err((WrongCount, None)));
    let three = |b: &mut Binder, w: &mut Writer| (0..3).try_for_each(|_| b.int64(w, 1));
    assert_eq!(bound("list<int>", |b, w| b.begin(w, 2).and_then(|()| three(b, w))), Err((WrongCount, Some(2))));
    assert_eq!(bound("text", |b, w| b.open_text(w, 4).and_then(|_| b.text(w, "x"))), Err((Misuse, None)));
    assert_eq!(bound("text", |b, w| b.open_text(w, 4).and_then(|_| b.close_text(w, 5))), Err((Misuse, None)));
    assert_eq!(bound("text", |b, w| b.close_text(w, 0)), Err((Misuse, None)));
    assert_eq!(bound("vector<int, 1>", |b, w| b.close_numbers(w)), Err((Misuse, None)));
    let bad_utf8 = |b: &mut Binder, w: &mut Writer| {
        let at = b.open_text(w, 2)?;
        w.tail_mut(at).copy_from_slice(&[0xc3, 0x28]);
        b.close_text(w, 2)
    };
    assert_eq!(bound("text", bad_utf8), Err((ErrorKind::BadText, None)));
    assert_eq!(bound("list<text>", |b, w| b.begin(w, 1).and_then(|()| bad_utf8(b, w))), Err((ErrorKind::BadText, Some(0))));
}

#[test]
fn bytes_that_no_value_has() {
    use ErrorKind::{BadLength, OutOfRange, Trailing, Truncated};
    for (text, literal, kind, element) in [
        ("int", "000000", Truncated, None),
        ("int", "0000000000", Trailing, None),
        ("bigint", "00", Truncated, None),
        ("boolean", "0000", Trailing, None),
        ("date", "800000", Truncated, None),
        ("date", "8000000000", Trailing, None),
        ("uuid", "00", Truncated, None),
        ("inet", "0000000000", BadLength, None),
        ("decimal", "00000001", Truncated, None),
        ("decimal", "000001", Truncated, None),
        ("duration", "02 04", Truncated, None),
        ("duration", "02 04 06 00", Trailing, None),
        ("duration", "f1 00 00 00 00 00 00", OutOfRange, None),
        ("list<int>", "00 00 00", Truncated, None),
        ("list<int>", "ffffffff", BadLength, None),
        ("list<int>", "7fffffff", Truncated, None),
        ("list<int>", "00000002 00000004 00000001", Truncated, Some(1)),
        ("list<int>", "00000001 00000004 00000001 00", Trailing, None),
        ("list<int>", "00000002 00000004 00000001 00000003 000000", Truncated, Some(1)),
        ("list<int>", "00000002 00000004 00000001 00000005 00000000", Truncated, Some(1)),
        ("set<int>", "00000001 00000005 0000000000", Trailing, Some(0)),
        ("map<int, int>", "00000001 00000004 00000001", Truncated, Some(0)),
        ("map<int, int>", "00000001 00000004 00000001 00000002 0000", Truncated, Some(0)),
        ("map<int, int>", "00000000 00", Trailing, None),
        ("tuple<int, int>", "00000004 00000001 0000", Truncated, Some(1)), // a cut inside a field
        ("tuple<int>", "00000004 00000001 00", Trailing, None),
        // short, long and odd vectors
        ("vector<float, 3>", "3f800000 3f800000", Truncated, None),
        ("vector<float, 3>", "3f800000 3f800000 3f800000 3f800000", Trailing, None),
        ("vector<float, 3>", "3f800000 3f800000 3f8000", Truncated, None),
        ("vector<text, 2>", "01 61", Truncated, Some(1)),
        ("vector<text, 2>", "01 61 05 62", Truncated, Some(1)),
        ("vector<text, 2>", "01 61 01 62 00", Trailing, None),
        ("vector<text, 1>", "ff ffffffffffffffff 61", Truncated, Some(0)),
        ("vector<smallint, 2>", "02 0001 03 000200", BadLength, Some(1)),
        ("vector<smallint, 2>", "02 0001 01 00", BadLength, Some(1)),
        ("vector<smallint, 2>", "00 02 0001", BadLength, Some(0)), // zero bytes are no element
        ("vector<date, 1>", "00", BadLength, Some(0)),
        ("vector<smallint, 2>", "02 0001 02 0002 00", Trailing, None),
        ("vector<vector<float, 2>, 2>", "3f800000 3f800000 3f800000", Truncated, Some(1)),
    ] {
        let (ty, bytes) = (ty(text), hex(literal));
        let error = decode_value(&ty, Some(&bytes)).unwrap_err();
        // A vector of numbers is read as one block in a column: there no element can be named.
        assert_eq!(error.kind, kind, "{text} {literal}");
        assert!(error.element == element || text.starts_with("vector<float"), "{text} {literal}: {error}");

        let mut w = Writer::new();
        w.bytes(Some(&bytes), "cell").unwrap();
        let metadata = RowsMetadata { column_count: 1, ..RowsMetadata::default() };
        let rows = Rows { metadata, row_count: 1, cells: w.as_slice(), cells_at: 0 };
        let columns = [ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty }];
        let error = Page::read(&rows, &columns).unwrap_err();
        assert_eq!(error.kind, kind, "{text} {literal} in a column: {error}");
        let element = if text.starts_with("vector<float") { None } else { element };
        assert_eq!(error.element, element, "{text} {literal} in a column: {error}");
        assert_eq!(rows.cell_of(&error), Some((0, 0)), "{text} {literal} in a column: {error}");
    }
}

#[test]
fn a_text_that_is_no_type() {
    for (what, text) in [
        ("dimension", "vector<float, 4294967296>"),
        ("size", "vector<vector<double, 60000>, 60000>"),
        ("dimension", "vector<int, 65537>"),
        ("dimension", "vector<int, -1>"),
    ] {
        assert!(cqlwire::value::parse_type(text).is_err(), "{what}: {text}");
    }
}
