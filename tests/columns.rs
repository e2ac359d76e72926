//! Columns against cells: for random types and rows, and for bytes that are no rows, `column` says what `decode_value` says of each
//! cell; and encoding then decoding a value gives it back.

mod support;

use std::sync::Arc;

use cqlwire::column::{NullSlots, Page};
use cqlwire::message::{ColumnSpec, Rows, RowsMetadata};
use cqlwire::value::{CqlType, Value, decode_value, encode_value};
use cqlwire::wire::{Reader, Writer};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use support::random::{any_cell, any_type};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Types of one to three columns, and up to five rows of them.
fn any_rows() -> impl Strategy<Value = (Vec<Arc<CqlType>>, Vec<Vec<Value>>)> {
    vec(any_type(), 1..4).prop_flat_map(|types| {
        let row: Vec<_> = types.iter().map(|ty| any_cell(ty)).collect();
        (Just(types), vec(row, 0..6))
    })
}

fn columns(types: &[Arc<CqlType>]) -> Vec<ColumnSpec> {
    types.iter().map(|ty| ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty: ty.clone() }).collect()
}

fn rows(row_count: usize, column_count: usize, cells: &[u8]) -> Rows<'_> {
    let metadata = RowsMetadata { column_count, ..RowsMetadata::default() };
    Rows { metadata, row_count, cells, cells_at: 0 }
}

/// By the plain twin of `Page::read`.
fn by_cell(types: &[Arc<CqlType>], row_count: usize, cells: &[u8]) -> cqlwire::wire::Result<Page> {
    Page::read_by_cell(&rows(row_count, types.len(), cells), &columns(types), &mut NullSlots::default())
}

/// As text: a NaN is then equal to itself, and 0 is not -0.
fn shown<T: std::fmt::Debug>(value: &T) -> String {
    format!("{value:?}")
}

/// One cell by both readers.
fn both_readers(ty: &Arc<CqlType>, cell: &[u8]) -> (Option<String>, Option<String>) {
    let mut w = Writer::new();
    w.bytes(Some(cell), "cell").unwrap();
    let columns = columns(std::slice::from_ref(ty));
    let page = Page::read(&rows(1, 1, w.as_slice()), &columns).ok();
    let in_column = page.map(|page| shown(&page.columns[0].value(ty, 0)));
    (decode_value(ty, Some(cell)).ok().map(|value| shown(&value)), in_column)
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn columns_are_what_was_encoded((types, values) in any_rows()) {
        let mut w = Writer::new();
        for row in &values {
            for (ty, value) in types.iter().zip(row) {
                encode_value(ty, value, &mut w).unwrap();
            }
        }
        let columns = columns(&types);
        let page = Page::read(&rows(values.len(), types.len(), w.as_slice()), &columns).unwrap();
        // The same rows so often that they are read in blocks.
        let many = w.as_slice().repeat(24);
        prop_assert!(Page::read(&rows(24 * values.len(), types.len(), &many), &columns) == by_cell(&types, 24 * values.len(), &many));
        let mut r = Reader::new(w.as_slice());
        for (index, row) in values.iter().enumerate() {
            for ((ty, value), column) in types.iter().zip(row).zip(&page.columns) {
                let cell = r.bytes("cell").unwrap();
                prop_assert_eq!(shown(&decode_value(ty, cell).unwrap()), shown(value), "{}", ty);
                prop_assert_eq!(shown(&column.value(ty, index)), shown(value), "{} in a column", ty);
            }
        }
        prop_assert!(page.columns.iter().all(|column| column.len == values.len()));
    }

    #[test]
    fn a_damaged_cell_is_the_same_to_both_readers(
        (ty, value) in any_type().prop_flat_map(|ty| (Just(ty.clone()), any_cell(&ty))),
        damage in vec((any::<Index>(), any::<u8>()), 0..3),
        cut in proptest::option::of(any::<Index>()),
        tail in vec(any::<u8>(), 0..3),
    ) {
        let mut w = Writer::new();
        encode_value(&ty, &value, &mut w).unwrap();
        let mut cell = w.as_slice()[4..].to_vec();
        for (at, byte) in damage {
            if !cell.is_empty() {
                let at = at.index(cell.len());
                cell[at] = byte;
            }
        }
        match cut {
            Some(cut) => cell.truncate(cut.index(cell.len() + 1)),
            None => cell.extend(tail),
        }
        let (value, in_column) = both_readers(&ty, &cell);
        prop_assert_eq!(value, in_column, "{} {:?}", ty, cell);
    }

    #[test]
    fn garbage_is_the_same_to_both_readers(ty in any_type(), cell in vec(prop_oneof![Just(0u8), 0..5u8, any::<u8>()], 0..40)) {
        let (value, in_column) = both_readers(&ty, &cell);
        prop_assert_eq!(value, in_column, "{} {:?}", ty, cell);
    }

    #[test]
    fn rows_of_garbage_are_read_or_refused(types in vec(any_type(), 0..4), row_count in 0..9usize, cells in vec(0..9u8, 0..200)) {
        let page = Page::read(&rows(row_count, types.len(), &cells), &columns(&types));
        prop_assert!(page == by_cell(&types, row_count, &cells));
        if let Ok(page) = page {
            for (ty, column) in types.iter().zip(&page.columns) {
                (0..row_count).for_each(|index| drop(column.value(ty, index)));
            }
        }
    }

    #[test]
    fn types_survive_their_option_and_their_class_name(ty in any_type()) {
        use cqlwire::spec::{Dialect, Version};
        use cqlwire::value::TypeBudget;
        for version in Version::ALL {
            let mut w = Writer::new();
            ty.write(&mut w, Dialect::new(version)).unwrap();
            let mut r = Reader::new(w.as_slice());
            let read = CqlType::read(&mut r, &mut TypeBudget::default()).unwrap();
            prop_assert_eq!(&read, &*ty);
            prop_assert_eq!(r.left(), 0);
        }
    }
}

#[test]
fn nulls_of_wide_vectors_cannot_take_all_memory() {
    // Four bytes on the wire, but a whole slot in the column.
    // Half a MiB a null: 512 fit a page, 2,048 the pages of one chunk.
    let ty = support::ty("vector<double, 65536>");
    let cells = [0xff; 4].repeat(1000);
    let error = Page::read(&rows(1000, 1, &cells), &columns(std::slice::from_ref(&ty))).unwrap_err();
    assert_eq!(error.kind, cqlwire::wire::ErrorKind::BadLength);
    // Nor in many pages that come together, which may share what one may take.
    let mut slots = cqlwire::column::NullSlots::default();
    let page = |slots: &mut _| Page::read_within(&rows(500, 1, &cells[..2000]), &columns(std::slice::from_ref(&ty)), slots).is_ok();
    assert_eq!([(); 5].map(|()| page(&mut slots)), [true, true, true, true, false]);
    // What is no number has no slots: a null takes as little as on the wire.
    for text in ["vector<vector<text, 65536>, 65536>", "vector<tuple<>, 65536>", "list<vector<double, 65536>>"] {
        let start = std::time::Instant::now();
        let page = Page::read(&rows(1000, 1, &cells), &columns(&[support::ty(text)])).unwrap();
        assert_eq!((page.columns[0].len, page.columns[0].children[0].len), (1000, 0), "{text}");
        assert!(start.elapsed().as_millis() < 500, "{text}");
    }
}

/// A page of many blocks. Of each cell `rare` says how seldom it is null, empty, or (text) not UTF-8; 0: never.
fn large_page(types: &[Arc<CqlType>], row_count: usize, rare: u32) -> Vec<u8> {
    let mut state = 0x2545_f491u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let mut cells = vec![];
    for _ in 0..row_count {
        for ty in types {
            let text: &[&[u8]] = &[b"", b"plain", "naïve — 漢字 🙂".as_bytes(), &[b'x'; 40], &[b'y'; 300]];
            let bytes = match ty.cell_size() {
                Some(size) => (0..size).map(|_| random() as u8).collect::<Vec<_>>(),
                None if ty.to_string() == "list<int>" => {
                    let count = random() % 4;
                    [&count.to_be_bytes()[..], &[0, 0, 0, 4, 1, 2, 3, 4].repeat(count as usize)].concat()
                }
                None => text[random() as usize % text.len()].to_vec(),
            };
            let put = |cells: &mut Vec<u8>, bytes: &[u8]| {
                cells.extend((bytes.len() as u32).to_be_bytes());
                cells.extend(bytes);
            };
            match if rare == 0 { 3 } else { random() % (3 * rare) } {
                0 => cells.extend((-1i32 - (random() % 3) as i32).to_be_bytes()),
                1 => put(&mut cells, b""),
                // Together they are a character, each for itself they are none.
                2 if ty.to_string() == "text" => put(&mut cells, if random() % 2 == 0 { &[0xc3] } else { &[0xa9] }),
                _ => put(&mut cells, &bytes),
            }
        }
    }
    cells
}

#[test]
fn blocks_are_as_cell_by_cell() {
    let pages: [&[&str]; 7] = [
        &["int", "int"],
        &["tinyint", "smallint", "boolean", "date", "uuid", "double", "vector<float, 5>", "vector<bigint, 2>"],
        &["bigint", "text", "double", "timestamp", "uuid"],
        &["text"],
        &["blob", "date", "text", "vector<double, 100>"],
        &["list<int>", "int"],
        &["vector<float, 9000>"],
    ];
    for texts in pages {
        let types: Vec<_> = texts.iter().map(|text| support::ty(text)).collect();
        for (row_count, rare) in [(1usize, 0), (3000, 0), (3000, 1000), (3000, 40), (2000, 1)] {
            let row_count = if texts[0].contains("9000") { row_count.div_ceil(20) } else { row_count };
            let mut cells = large_page(&types, row_count, rare);
            let page = Page::read(&rows(row_count, types.len(), &cells), &columns(&types));
            assert!(page.is_ok() && page == by_cell(&types, row_count, &cells), "{texts:?} rare {rare}");
            // What a later protocol may add is no cell; and one byte less is an error, the same one.
            cells.extend([0, 0, 0, 1]);
            assert!(page == Page::read(&rows(row_count, types.len(), &cells), &columns(&types)), "{texts:?} rare {rare}, with a tail");
            let cells = &cells[..cells.len().saturating_sub(5)];
            let (ours, theirs) = (Page::read(&rows(row_count, types.len(), cells), &columns(&types)), by_cell(&types, row_count, cells));
            assert!(ours == theirs, "{texts:?} rare {rare}, cut: {:?} {:?}", ours.map(drop), theirs.map(drop));
        }
    }
}

#[test]
fn one_null_or_odd_cell_does_not_move_its_neighbours() {
    let ty = support::ty("int");
    let cells = support::hex("00000004 00000001 ffffffff 00000000 00000004 00000002");
    let columns = columns(std::slice::from_ref(&ty));
    let page = Page::read(&rows(4, 1, &cells), &columns).unwrap();
    let values: Vec<_> = (0..4).map(|index| page.columns[0].value(&ty, index)).collect();
    assert_eq!(values, [Value::Int(1), Value::Null, Value::Empty, Value::Int(2)]);
    let column = &page.columns[0];
    assert_eq!(column.data, [1i32, 0, 0, 2].map(i32::to_ne_bytes).concat());
    assert_eq!((column.nulls.complement(4), column.odd.has(1), column.odd.has(2)), (vec![0b1001], false, true));
}

#[test]
fn halves_of_a_character_in_two_cells_are_no_text() {
    // Joined they are valid UTF-8, which is how a column is checked.
    let ty = support::ty("text");
    let cells = support::hex("00000001 c3 00000001 a9 00000002 c3a9 00000000").repeat(10);
    let page = Page::read(&rows(40, 1, &cells), &columns(std::slice::from_ref(&ty))).unwrap();
    let values: Vec<_> = (0..4).map(|index| page.columns[0].value(&ty, index)).collect();
    assert_eq!(values, [Value::Blob(vec![0xc3]), Value::Blob(vec![0xa9]), Value::Text("é".into()), Value::Text(String::new())]);
    assert_eq!([0, 1, 2, 3].map(|index| page.columns[0].odd.has(index)), [true, true, false, false]);
}
