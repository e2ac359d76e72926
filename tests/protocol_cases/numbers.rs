//! Numbers, durations, dates.

use cqlwire::value::{Binder, Duration, Value, decode_value, encode_value};
use cqlwire::wire::{ErrorKind, Reader, Writer, put_unsigned_vint, read_unsigned_vint};

use crate::support::{hex, to_hex, ty};
use crate::{both_ways, reads, writes};

/// NUM-1: varints are minimal two's complement out, padded ones are read, and a decimal keeps its scale (cqerl/cqerl#60,
/// iconara/cql-rb#118, datastax/php-driver#55, scylladb/scylla-rust-driver#1593).
#[test]
fn num_1_signs() {
    for (number, literal) in [
        (0i128, "00"),
        (-1, "ff"),
        (127, "7f"),
        (128, "00 80"),
        (-128, "80"),
        (-129, "ff 7f"),
        (255, "00 ff"),
        (256, "01 00"),
        (-256, "ff 00"),
        (-10_000, "d8 f0"),
        (10_357_780, "00 9e 0c 14"), // without the pad it reads -6419436
        (-6_419_436, "9e 0c 14"),
        (1_042_342_234_234, "00 f2 b0 70 48 7a"),
        (-2_147_483_648, "80 00 00 00"),
        (1 << 63, "00 80 00 00 00 00 00 00 00"),
        (-(1 << 63), "80 00 00 00 00 00 00 00"),
    ] {
        // In as many bytes as there are, and then as few.
        writes(&ty("varint"), &Value::Varint(number.to_be_bytes().into()), literal);
        both_ways(&ty("varint"), literal, Value::Varint(hex(literal)));
        reads(&ty("varint"), &format!("{} {literal}", if number < 0 { "ff ff" } else { "00 00" }), &Value::Varint(hex(literal)));
        both_ways(&ty("decimal"), &format!("00000002 {literal}"), Value::Decimal { scale: 2, unscaled: hex(literal) });
    }
    both_ways(
        &ty("varint"),
        "00 b7 0c ef b9 c1 9c 9c 51 12 97 2f d0 1a 4e 67 6d",
        Value::Varint(hex("00 b7 0c ef b9 c1 9c 9c 51 12 97 2f d0 1a 4e 67 6d")),
    );
    reads(&ty("varint"), "00 00 01", &Value::Varint(vec![1]));
    reads(&ty("varint"), "ff ff ff", &Value::Varint(vec![0xff]));
    let decimal = |scale, unscaled: &str| Value::Decimal { scale, unscaled: hex(unscaled) };
    for (literal, value) in [
        ("00 00 00 01 ce", decimal(1, "ce")),        // -5.0
        ("ff ff ff fd 01", decimal(-3, "01")),       // 1E+3
        ("00 00 00 01 00", decimal(1, "00")),        // 0.0
        ("00 00 00 01 0a", decimal(1, "0a")),        // 1.0
        ("00 00 00 02 64", decimal(2, "64")),        // 1.00
        ("7f ff ff ff 01", decimal(i32::MAX, "01")), // never expanded
        ("80 00 00 00 01", decimal(i32::MIN, "01")),
    ] {
        both_ways(&ty("decimal"), literal, value);
    }
}

/// NUM-2: a vint is not protobuf's, and nanoseconds have 64 bits (apache/cassandra-nodejs-driver#222,
/// datastax/go-cassandra-native-protocol#34, scylladb/gocql#312 and #378).
#[test]
fn num_2_vints_and_durations() {
    let duration = |months, days, nanoseconds| Value::Duration(Duration { months, days, nanoseconds });
    for (literal, value) in [
        ("02 04 06", duration(1, 2, 3)),
        ("01 03 05", duration(-1, -2, -3)),
        ("00 00 00", duration(0, 0, 0)),
        ("00 00 f2 00 00 00 00", duration(0, 0, 1 << 32)),
        ("00 00 f1 ff ff ff ff", duration(0, 0, -(1 << 32))),
        ("00 00 fe 40 00 00 00 00 00 02", duration(0, 0, (1 << 53) + 1)),
        ("f0 ff ff ff ff f0 ff ff ff ff ff ff ff ff ff ff ff ff ff", duration(i32::MIN, i32::MIN, i64::MIN)),
        ("f0 ff ff ff fe f0 ff ff ff fe ff ff ff ff ff ff ff ff fe", duration(i32::MAX, i32::MAX, i64::MAX)),
    ] {
        both_ways(&ty("duration"), literal, value);
    }
    for (number, literal) in [
        (127u64, "7f"),
        (128, "80 80"),
        (300, "81 2c"),
        (16_383, "bf ff"),
        (16_384, "c0 40 00"),
        (256_000, "c3 e8 00"), // the specification's own example
        (u64::MAX, "ff ff ff ff ff ff ff ff ff"),
    ] {
        let mut w = Writer::new();
        put_unsigned_vint(&mut w, number);
        assert_eq!(to_hex(w.as_slice()), literal.replace(' ', ""));
        assert_eq!(read_unsigned_vint(&mut Reader::new(&hex(literal)), "vint"), Ok(number));
    }
    // Mixed signs are refused; months and days of more than 32 bits, short input and bytes left over are none.
    let mixed = encode_value(&ty("duration"), &duration(1, -1, 0), &mut Writer::new());
    assert_eq!(mixed.unwrap_err().kind, ErrorKind::OutOfRange);
    for (literal, kind) in [
        ("f1 00 00 00 00 00 00", ErrorKind::OutOfRange),
        ("00 f1 00 00 00 00 00", ErrorKind::OutOfRange),
        ("02 04", ErrorKind::Truncated),
        ("02 04 81", ErrorKind::Truncated),
        ("02 04 06 00", ErrorKind::Trailing),
    ] {
        assert_eq!(decode_value(&ty("duration"), Some(&hex(literal))).unwrap_err().kind, kind, "{literal}");
    }
}

/// NUM-3: dates are days with 1970-01-01 at 2³¹; all 2³² of them are valid (cassandra-rs/cassandra-rs#174,
/// apache/cassandra-gocql-driver#1692). The JavaScript test has their calendar.
#[test]
fn num_3_dates() {
    for (literal, days) in
        [("80 00 47 33", 18_227), ("80 00 00 00", 0), ("7f ff ff ff", -1), ("00 00 00 00", i32::MIN), ("ff ff ff ff", i32::MAX)]
    {
        both_ways(&ty("date"), literal, Value::Date(days));
        both_ways(&ty("list<date>"), &format!("00000001 00000004 {literal}"), Value::List(vec![Value::Date(days)]));
    }
}

/// NUM-5: 64-bit numbers stay whole, and what does not fit a type is refused, never wrapped or saturated
/// (apache/cassandra-nodejs-driver#351, #287). The JavaScript test has its numbers.
#[test]
fn num_5_integers() {
    for name in ["bigint", "counter"] {
        both_ways(&ty(name), "00 20 00 00 00 00 00 01", Value::Bigint((1 << 53) + 1));
        both_ways(&ty(name), "80 00 00 00 00 00 00 00", Value::Bigint(i64::MIN));
    }
    for (name, number) in
        [("tinyint", 128i64), ("tinyint", -129), ("smallint", 32_768), ("smallint", -32_769), ("int", 1 << 31), ("int", -(1 << 31) - 1)]
    {
        let (mut binder, mut w) = (Binder::new(), Writer::new());
        binder.start(ty(name));
        assert_eq!(binder.int64(&mut w, number).unwrap_err().kind, ErrorKind::OutOfRange, "{name} {number}");
    }
}
