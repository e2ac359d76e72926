//! Rows (v5 §4.2.5.2): `<metadata><rows_count><rows_content>`. The cells stay bytes here; `column` reads them.

use super::RowsMetadata;
use super::metadata::{OwnColumns, SeenColumns};
use crate::spec::{Dialect, limit};
use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// What an error calls a cell that is not all there; of others it names the type, and may be about its end.
pub const CELL: &str = "ROWS.cell";

/// The answer to a SELECT, and to a conditional write.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Rows<'a> {
    /// What stands before them.
    #[cfg_attr(feature = "js", serde(flatten))]
    pub metadata: RowsMetadata<'a>,
    /// How many.
    pub row_count: usize,
    /// `row_count × column_count` times `[bytes]`, then possibly something a later protocol adds.
    #[cfg_attr(feature = "js", serde(skip))]
    pub cells: &'a [u8],
    /// Where the cells begin in the body, for errors.
    #[cfg_attr(feature = "js", serde(skip))]
    pub cells_at: usize,
}

impl<'a> Rows<'a> {
    /// Reads what follows the kind. The number of rows is bounded by the bytes there are.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Rows<'a>> {
        let metadata = r.group("metadata", None, |r| RowsMetadata::decode(r, dialect))?;
        Rows::decode_content(r, metadata)
    }

    /// The same, the columns that came with them apart: see [`RowsMetadata::decode_after`].
    pub fn decode_after(r: &mut Reader<'a>, dialect: Dialect, last: Option<&SeenColumns>) -> Result<(Rows<'a>, OwnColumns)> {
        let (metadata, columns) = RowsMetadata::decode_after(r, dialect, last)?;
        Ok((Rows::decode_content(r, metadata)?, columns))
    }

    fn decode_content(r: &mut Reader<'a>, metadata: RowsMetadata<'a>) -> Result<Rows<'a>> {
        let here = r.clone();
        let row_count = usize::try_from(r.int("ROWS.rows_count")?).map_err(|_| here.error(ErrorKind::BadLength, "ROWS.rows_count"))?;
        let least = row_count.checked_mul(metadata.column_count).and_then(|cells| cells.checked_mul(4));
        if least.is_none_or(|least| least > r.left()) {
            return Err(here.error(ErrorKind::Truncated, "ROWS.rows_count"));
        }
        if metadata.column_count == 0 && row_count > limit::ROWS_OF_NO_COLUMNS {
            return Err(here.error(ErrorKind::BadLength, "ROWS.rows_count"));
        }
        Ok(Rows { metadata, row_count, cells: r.rest(), cells_at: r.position() })
    }

    /// Row and column of the cell that an error in reading these rows is about.
    pub fn cell_of(&self, error: &Error) -> Option<(usize, usize)> {
        let mut r = Reader::with_base(self.cells, self.cells_at);
        for cell in 0..self.row_count * self.metadata.column_count {
            if r.bytes(CELL).is_err() || r.position() > error.at || (r.position() == error.at && error.what != CELL) {
                return Some((cell / self.metadata.column_count, cell % self.metadata.column_count));
            }
        }
        None
    }

    /// Appends what follows the kind.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        let writer = RowsWriter::open(w, &self.metadata, dialect)?;
        w.put(self.cells);
        writer.patch(w, self.row_count)
    }
}

/// Writes what follows the kind: `open`, cells row by row, `close`.
#[derive(Debug)]
pub struct RowsWriter {
    count_at: usize,
    columns: usize,
    cells: usize,
}

impl RowsWriter {
    /// Appends the metadata and keeps the place of the count.
    pub fn open(w: &mut Writer, metadata: &RowsMetadata<'_>, dialect: Dialect) -> Result<RowsWriter> {
        metadata.encode(w, dialect)?;
        Ok(RowsWriter { count_at: w.reserve(4), columns: metadata.column_count, cells: 0 })
    }

    /// One cell follows, a `[bytes]`.
    pub fn next_cell(&mut self) {
        self.cells += 1;
    }

    /// Patches the count of rows, which must be whole.
    pub fn close(self, w: &mut Writer, row_count: usize) -> Result<()> {
        if self.columns.checked_mul(row_count) != Some(self.cells) {
            return Err(Error::new(ErrorKind::WrongCount, "ROWS.cells", w.len()));
        }
        self.patch(w, row_count)
    }

    fn patch(self, w: &mut Writer, row_count: usize) -> Result<()> {
        let count = i32::try_from(row_count).map_err(|_| Error::new(ErrorKind::TooLarge, "ROWS.rows_count", w.len()))?;
        w.tail_mut(self.count_at)[..4].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }
}
