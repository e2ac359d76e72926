//! The rows of a result as columns, against the plain reader of one cell after another: the same values, or an error at the same cell.
//!
//! Input: by `arbitrary`: the types of up to four columns, then cells, either any bytes or values of those types with some damage.

use alloc::sync::Arc;
use alloc::vec::Vec;

use arbitrary::{Result, Unstructured};

use super::types::{any_cell, any_type, same};
use crate::column::{NullSlots, Page};
use crate::message::{ColumnSpec, Rows, RowsMetadata};
use crate::value::{CqlType, Value, decode_value, encode_value};
use crate::wire::{Error, ErrorKind, Reader, Writer};

/// Rows, and where they stand in a body.
struct Input {
    types: Vec<Arc<CqlType>>,
    row_count: usize,
    cells: Vec<u8>,
    cells_at: usize,
}

pub(super) fn run(data: &[u8]) -> usize {
    let Ok(input) = input(&mut Unstructured::new(data)) else { return 0 };
    let Input { types, row_count, cells, cells_at } = &input;
    let column = |ty: &Arc<CqlType>| ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty: ty.clone() };
    let columns: Vec<_> = types.iter().map(column).collect();
    let metadata = RowsMetadata { column_count: types.len(), ..RowsMetadata::default() };
    let rows = Rows { metadata, row_count: *row_count, cells, cells_at: *cells_at };
    let page = Page::read_by_cell(&rows, &columns, &mut NullSlots::default());
    assert!(page == Page::read(&rows, &columns), "in blocks, and cell by cell: {types:?}");
    // The same rows, if they are good, often enough to be read in blocks.
    if let (Ok(_), 1..) = (&page, cells.len()) {
        let end = end_of(&input);
        let rows =
            Rows { metadata: rows.metadata.clone(), row_count: row_count * 24, cells: &cells[..end].repeat(24), cells_at: *cells_at };
        assert!(Page::read(&rows, &columns) == Page::read_by_cell(&rows, &columns, &mut NullSlots::default()), "24 times: {types:?}");
    }
    match (page, plain(&input)) {
        (Ok(page), Ok(values)) => {
            assert_eq!(page.row_count, *row_count);
            assert!(page.columns.iter().all(|column| column.len == *row_count));
            for (index, value) in values.iter().enumerate() {
                let (row, column) = (index / types.len(), index % types.len());
                let in_column = page.columns[column].value(&types[column], row);
                assert!(same(&in_column, value), "{}: {in_column:?} in the column, {value:?} in the cell", types[column]);
            }
        }
        (Err(error), Err((kind, cell))) => {
            assert_eq!(error.kind, kind, "{error}, in cell {cell}");
            assert_eq!(rows.cell_of(&error), Some((cell / types.len(), cell % types.len())), "{error}");
        }
        (page, values) => panic!("columns: {:?}, cells: {:?}, of {types:?}", page.map(|_| ()), values.map(|_| ())),
    }
    // A null is four bytes on the wire, and a slot in the column: at most that of 300 numbers. The rows are read once and 24 times.
    25 * cells.len() * 10 + data.len()
}

/// Where the last cell ends.
fn end_of(input: &Input) -> usize {
    let mut r = Reader::new(&input.cells);
    (0..input.row_count * input.types.len()).for_each(|_| _ = r.bytes("cell"));
    r.position()
}

/// Every value in order, or the kind of the first error and which cell it is in.
fn plain(input: &Input) -> core::result::Result<Vec<Value>, (ErrorKind, usize)> {
    let mut r = Reader::with_base(&input.cells, input.cells_at);
    let mut values = Vec::new();
    for _ in 0..input.row_count {
        for ty in &input.types {
            let place = |error: Error| (error.kind, values.len());
            let value = r.bytes("cell").and_then(|cell| decode_value(ty, cell)).map_err(place)?;
            values.push(value);
        }
    }
    Ok(values)
}

fn input(u: &mut Unstructured<'_>) -> Result<Input> {
    let damage: [u16; 2] = [u.arbitrary()?, u.arbitrary()?];
    let cells_at = usize::from(u.arbitrary::<u8>()?);
    let types = (0..u.int_in_range(1..=4)?).map(|_| any_type(u, 4).map(Arc::new)).collect::<Result<Vec<_>>>()?;
    let row_count = u.int_in_range(0..=12)?;
    if u.arbitrary()? {
        return Ok(Input { types, row_count, cells: u.bytes(u.len())?.into(), cells_at });
    }
    let mut w = Writer::new();
    for _ in 0..row_count {
        for ty in &types {
            encode_value(ty, &any_cell(u, ty)?, &mut w).unwrap();
        }
    }
    let mut cells = w.into_bytes();
    // One byte is changed, or the end is missing; where the bytes have no more to say, neither.
    let [at, change] = damage;
    if change & 1 == 1 {
        cells.truncate(usize::from(at) % (cells.len() + 1));
    } else if change != 0 && !cells.is_empty() {
        let at = usize::from(at) % cells.len();
        cells[at] ^= (change >> 8) as u8;
    }
    Ok(Input { types, row_count, cells, cells_at })
}
