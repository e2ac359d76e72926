//! L4: the rows of a result as typed columns: one pass over the cells, big-endian to native, one buffer a column. The layouts are
//! Arrow's in spirit: values, offsets, validity, children.

mod build;
mod bulk;
mod marks;
mod value_at;

use alloc::vec::Vec;

pub use marks::Marks;

use crate::message::rows::CELL;
use crate::message::{ColumnSpec, Rows};
use crate::spec::{Layout, Limits};
use crate::value::CqlType;
use crate::wire::{ErrorKind, Reader, Result};

/// The rows of one result.
#[derive(Debug, PartialEq)]
pub struct Page {
    /// How many.
    pub row_count: usize,
    /// In the order of the metadata.
    pub columns: Vec<Column>,
}

/// Cells of one type: a column of a result, or the elements inside one.
#[derive(Debug, PartialEq)]
pub struct Column {
    /// How `data`, `offsets` and `children` are to be read.
    pub layout: Layout,
    /// Numbers a row (`Vector`), else 1.
    pub stride: usize,
    /// Bytes of one number: of a cell, or of a vector's element. 0 where sizes vary.
    pub width: usize,
    /// Cells.
    pub len: usize,
    /// Fixed-width values in native byte order, a null's slot zero; or the bytes that `offsets` cut.
    pub data: Vec<u8>,
    /// `len + 1` ends, where the layout has them: into `data` (Text, Bytes) or the children (List, Map).
    pub offsets: Vec<u32>,
    /// Which cells are null.
    pub nulls: Marks,
    /// Which of the nulls are zero bytes in a type that has no such value; in Text, which cells are not UTF-8.
    pub odd: Marks,
    /// Text: all of it is ASCII.
    pub ascii: bool,
    /// List: elements. Map: keys and values. Struct: fields. Duration: months, days, nanoseconds.
    pub children: Vec<Column>,
}

impl Page {
    /// Reads the cells of `rows` with `columns`, which are those of the answer itself or of its prepared statement.
    pub fn read(rows: &Rows<'_>, columns: &[ColumnSpec]) -> Result<Page> {
        Page::read_within(rows, columns, &mut NullSlots::default())
    }

    /// The same, where `slots` is what the nulls of this and other pages may add together.
    pub fn read_within(rows: &Rows<'_>, columns: &[ColumnSpec], slots: &mut NullSlots) -> Result<Page> {
        let before = slots.left.min(slots.of_page);
        let mut own = NullSlots { left: before, ..*slots };
        let page = Page::read_cells(rows, columns, &mut own);
        slots.left -= before - own.left;
        page
    }

    fn read_cells(rows: &Rows<'_>, columns: &[ColumnSpec], slots: &mut NullSlots) -> Result<Page> {
        if columns.len() != rows.metadata.column_count {
            return Err(Reader::with_base(rows.cells, rows.cells_at).error(ErrorKind::ColumnCount, "ROWS.columns_count"));
        }
        // What is shared by the cells of a block costs as much as reading a few of them.
        if rows.row_count.saturating_mul(columns.len()) < FEW_CELLS {
            return Page::read_by_cell(rows, columns, slots);
        }
        let before = slots.left;
        if let Some(page) = bulk::read(rows, columns, slots) {
            return Ok(page);
        }
        slots.left = before;
        Page::read_by_cell(rows, columns, slots)
    }

    /// The same in the plainest way: what `read` is held against, and what says where an error is.
    pub fn read_by_cell(rows: &Rows<'_>, columns: &[ColumnSpec], slots: &mut NullSlots) -> Result<Page> {
        let mut r = Reader::with_base(rows.cells, rows.cells_at);
        let mut page = Page { row_count: rows.row_count, columns: columns.iter().map(|column| Column::new(&column.ty)).collect() };
        for _ in 0..rows.row_count {
            for (column, spec) in page.columns.iter_mut().zip(columns) {
                let cell = r.bytes(CELL)?;
                let at = r.position() - cell.map_or(0, <[u8]>::len);
                column.push(&spec.ty, cell, at, slots)?;
            }
        }
        Ok(page)
    }
}

/// Cells that are read one by one.
const FEW_CELLS: usize = 24;

/// Bytes that nulls may still add to the pages of one chunk, and to one of them.
#[derive(Debug)]
pub struct NullSlots {
    left: usize,
    of_page: usize,
}

impl NullSlots {
    /// For a new chunk.
    pub fn of(limits: Limits) -> NullSlots {
        NullSlots { left: limits.null_slots_of_chunk, of_page: limits.null_slots }
    }
}

impl NullSlots {
    /// `count` nulls of `size` bytes.
    fn take(&mut self, count: usize, size: usize) -> Option<()> {
        self.left = self.left.checked_sub(count.checked_mul(size)?)?;
        Some(())
    }
}

impl Default for NullSlots {
    fn default() -> NullSlots {
        NullSlots::of(Limits::default())
    }
}

impl Column {
    /// An empty column for cells of `ty`.
    pub fn new(ty: &CqlType) -> Column {
        let layout = ty.layout();
        let (stride, children) = match ty {
            CqlType::List(element) | CqlType::Set(element) => (1, alloc::vec![Column::new(element)]),
            CqlType::Map(key, value) => (1, alloc::vec![Column::new(key), Column::new(value)]),
            CqlType::Tuple(items) => (1, items.iter().map(|item| Column::new(item)).collect()),
            CqlType::Udt(udt) => (1, udt.fields.iter().map(|(_, field)| Column::new(field)).collect()),
            CqlType::Vector(element, dimension) if layout == Layout::Vector => {
                let column = Column::of(layout, *dimension as usize, Vec::new());
                return Column { width: element.cell_size().unwrap_or_default(), ..column };
            }
            CqlType::Vector(element, _) => (1, alloc::vec![Column::new(element)]),
            CqlType::Native(_) if layout == Layout::Duration => {
                (1, [Layout::Int32, Layout::Int32, Layout::Int64].map(|part| Column::of(part, 1, Vec::new())).into())
            }
            CqlType::Native(_) | CqlType::Custom(_) => (1, Vec::new()),
        };
        Column::of(layout, stride, children)
    }

    fn of(layout: Layout, stride: usize, children: Vec<Column>) -> Column {
        let offsets = if matches!(layout, Layout::Text | Layout::Bytes | Layout::List | Layout::Map) { alloc::vec![0] } else { Vec::new() };
        let width = match layout {
            Layout::Int8 | Layout::Bool => 1,
            Layout::Int16 => 2,
            Layout::Int32 | Layout::Float32 | Layout::Date => 4,
            Layout::Int64 | Layout::Float64 => 8,
            Layout::Uuid => 16,
            _ => 0,
        };
        Column {
            layout,
            stride,
            width,
            len: 0,
            data: Vec::new(),
            offsets,
            nulls: Marks::default(),
            odd: Marks::default(),
            ascii: true,
            children,
        }
    }
}
