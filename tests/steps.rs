//! Values as steps write what the binder writes, call by call; what a step lies about is refused.

use std::sync::Arc;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::{ColumnSpec, RequestOptions, Statement};
use cqlwire::spec::{Compression, Consistency, Dialect, Version};
use cqlwire::value::{Binder, CqlType, NumberKind, Steps, parse_type};
use cqlwire::wire::{ErrorKind, Result, Writer};

const TYPES: [&str; 14] = [
    "int",
    "int",
    "int",
    "boolean",
    "double",
    "bigint",
    "date",
    "time",
    "text",
    "text",
    "blob",
    "list<text>",
    "vector<float, 2>",
    "vector<bigint, 1>",
];
const TEXTS: [&str; 4] = ["ascii", "ünï😀", "a", "é"];

fn ty(text: &str) -> Arc<CqlType> {
    Arc::new(parse_type(text).unwrap())
}

fn columns() -> Vec<ColumnSpec> {
    TYPES.iter().map(|text| ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty: ty(text) }).collect()
}

fn conn(version: Version) -> Conn {
    Conn::established(Role::Client, Dialect { compression: Compression::None, ..Dialect::new(version) })
}

/// A step: kind, whether it begins a parameter and of which column, count, number.
fn step(kind: u8, column: Option<u16>, count: u32, number: u64) -> [u8; 16] {
    let mut step = [0; 16];
    step[0] = kind;
    step[1] = u8::from(column.is_some());
    step[2..4].copy_from_slice(&column.unwrap_or_default().to_le_bytes());
    step[4..8].copy_from_slice(&count.to_le_bytes());
    step[8..].copy_from_slice(&number.to_le_bytes());
    step
}

/// Steps for each type, their bytes after them, then the texts.
fn room() -> (Vec<u8>, usize, usize, usize) {
    let units = |text: &str| text.encode_utf16().count() as u32;
    let bytes_at = 17 * Steps::SIZE as u64;
    let steps = [
        step(0, Some(0), 0, 0),
        step(1, Some(1), 0, 0),
        step(2, Some(2), 0, 0),
        step(3, Some(3), 1, 0),
        step(4, Some(4), 0, 1.5f64.to_bits()),
        step(5, Some(5), 0, -7i64 as u64),
        step(6, Some(6), -1i32 as u32, 0),
        step(7, Some(7), 0, 5),
        step(8, Some(8), units(TEXTS[0]), 0),
        step(8, Some(9), units(TEXTS[1]), 0),
        step(9, Some(10), 3, bytes_at),
        step(10, Some(11), 2, 0),
        step(8, None, units(TEXTS[2]), 0),
        step(8, None, units(TEXTS[3]), 0),
        step(11, None, 0, 0),
        step(16, Some(12), 8, bytes_at + 8),
        step(19, Some(13), 8, bytes_at + 16),
    ];
    let mut room = steps.concat();
    room.extend([1, 2, 3, 0, 0, 0, 0, 0]);
    room.extend([0.5f32, -2.0].map(f32::to_ne_bytes).concat());
    room.extend(9i64.to_ne_bytes());
    let text_at = room.len();
    room.extend(TEXTS.concat().bytes());
    (room, steps.len(), text_at, TEXTS.iter().map(|text| units(text) as usize).sum())
}

type Put<'a> = &'a dyn Fn(&mut Binder, &mut Writer) -> Result<()>;

fn call_by_call(conn: &mut Conn) -> Result<()> {
    let puts: [Put; 14] = [
        &|b, w| b.null(w),
        &|b, w| b.unset(w),
        &|b, w| b.empty(w),
        &|b, w| b.boolean(w, true),
        &|b, w| b.number(w, 1.5),
        &|b, w| b.int64(w, -7),
        &|b, w| b.days(w, -1),
        &|b, w| b.nanoseconds(w, 5),
        &|b, w| b.text(w, TEXTS[0]),
        &|b, w| b.text(w, TEXTS[1]),
        &|b, w| b.bytes(w, &[1, 2, 3]),
        &|b, w| {
            b.begin(w, 2)?;
            b.text(w, TEXTS[2])?;
            b.text(w, TEXTS[3])?;
            b.end(w)
        },
        &|b, w| b.numbers(w, NumberKind::Float32, &[0.5f32, -2.0].map(f32::to_ne_bytes).concat()),
        &|b, w| b.numbers(w, NumberKind::Int64, &9i64.to_ne_bytes()),
    ];
    for (text, put) in TYPES.iter().zip(puts) {
        conn.value(ty(text), None)?;
        let (binder, w) = conn.binder();
        put(binder, w)?;
    }
    Ok(())
}

#[test]
fn an_execute_and_a_batch() {
    let (room, count, text_at, units) = room();
    let texts = room.len() - text_at;
    let (mut ours, mut theirs) = (conn(Version::V4), conn(Version::V4));
    for conn in [&mut ours, &mut theirs] {
        conn.begin_execute(1, &FrameOptions::default(), &[7], &[], Consistency(1)).unwrap();
    }
    ours.run(&mut Steps::new(&room, count, text_at, texts, units).unwrap(), &columns(), &[]).unwrap();
    call_by_call(&mut theirs).unwrap();
    for conn in [&mut ours, &mut theirs] {
        conn.end_request(&RequestOptions::default()).unwrap();
    }
    assert_eq!(ours.output().unwrap(), theirs.output().unwrap());

    // In a batch a statement begins with a step of its own, the one whose id is given.
    let with_statement = [&step(12, None, 0, 0)[..], &step(4, Some(0), 0, 3f64.to_bits()), &step(12, None, 0, 0)].concat();
    let (mut ours, mut theirs) = (conn(Version::V4), conn(Version::V4));
    for conn in [&mut ours, &mut theirs] {
        conn.begin_batch(1, &FrameOptions::default(), 0, Consistency(1)).unwrap();
    }
    ours.run(&mut Steps::new(&with_statement, 3, 0, 0, 0).unwrap(), &columns(), &[7, 7]).unwrap();
    theirs.statement(Statement::Prepared(&[7, 7])).unwrap();
    theirs.value(ty("int"), None).unwrap();
    let (binder, w) = theirs.binder();
    binder.number(w, 3.0).unwrap();
    theirs.statement(Statement::Prepared(&[7, 7])).unwrap();
    for conn in [&mut ours, &mut theirs] {
        conn.end_request(&RequestOptions::default()).unwrap();
    }
    assert_eq!(ours.output().unwrap(), theirs.output().unwrap());
}

#[test]
fn what_is_wrong_is_refused_with_its_step_and_the_message_is_lost() {
    let good = step(4, Some(0), 0, 1f64.to_bits());
    let half = [&step(8, Some(8), 1, 0)[..], "😀".as_bytes()].concat();
    let refused: [(&[[u8; 16]], Version, ErrorKind); 10] = [
        (&[good, step(4, Some(0), 0, 0.5f64.to_bits())], Version::V4, ErrorKind::OutOfRange),
        (&[good, step(4, Some(99), 0, 0)], Version::V4, ErrorKind::WrongCount),
        (&[good, step(1, Some(0), 0, 0)], Version::V3, ErrorKind::Unsupported),
        (&[good, step(9, Some(10), u32::MAX, 0)], Version::V4, ErrorKind::Misuse),
        (&[good, step(9, Some(0), 3, 0)], Version::V4, ErrorKind::WrongSize),
        (&[good, step(8, Some(8), 9, 0)], Version::V4, ErrorKind::BadText),
        (&[good, step(13, Some(0), 0, 0)], Version::V4, ErrorKind::Misuse),
        (&[good, step(255, Some(12), 8, 0)], Version::V4, ErrorKind::Misuse),
        (&[good, step(12, None, 0, 0)], Version::V4, ErrorKind::Misuse),
        (&[step(10, Some(11), 1, 0), good], Version::V4, ErrorKind::Misuse),
    ];
    for (steps, version, kind) in refused {
        let room = steps.concat();
        let mut conn = conn(version);
        conn.begin_execute(1, &FrameOptions::default(), &[7], &[], Consistency(1)).unwrap();
        let mut steps = Steps::new(&room, 2, room.len(), 0, 0).unwrap();
        assert_eq!((conn.run(&mut steps, &columns(), &[]).unwrap_err().kind, steps.done()), (kind, 1), "{room:?}");
        assert_eq!(conn.end_request(&RequestOptions::default()).unwrap_err().kind, ErrorKind::Misuse);
        conn.abort_message();
        assert_eq!(conn.output().unwrap(), []);
    }
    // A text that ends inside of a character.
    let mut conn = conn(Version::V4);
    conn.begin_execute(1, &FrameOptions::default(), &[7], &[], Consistency(1)).unwrap();
    let mut steps = Steps::new(&half, 1, 16, 4, 2).unwrap();
    assert_eq!(conn.run(&mut steps, &columns(), &[]).unwrap_err().kind, ErrorKind::BadText);
    // Rooms that do not hold what they should.
    for (room, count, text_at, texts) in [(&half[..], 2, 0, 0), (&half, 1, 18, 9), (&half, 0, 17, 2)] {
        assert_eq!(Steps::new(room, count, text_at, texts, texts).unwrap_err().kind, ErrorKind::Misuse);
    }
}

#[test]
fn the_place_of_the_next_value() {
    let mut binder = Binder::new();
    let mut w = Writer::new();
    binder.start(ty("map<int, list<int>>"));
    binder.begin(&mut w, 1).unwrap();
    binder.int64(&mut w, 1).unwrap();
    binder.begin(&mut w, 3).unwrap();
    binder.int64(&mut w, 1).unwrap();
    assert_eq!(binder.place().collect::<Vec<_>>(), [1, 1]);
}
