//! Where the fields of a message stand, and where reading one failed: the message is read once more, this time writing down each field.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Conn, Role};
use crate::frame::{Header, Prefix};
use crate::message::rows::CELL;
use crate::message::{ColumnSpec, Request, Response, ResultMessage, Rows};
use crate::value::read_value;
use crate::wire::{Entry, Error, Reader, Result, Trace};

/// A frame with the places of its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedFrame {
    /// Header as it came, body decompressed.
    pub bytes: Vec<u8>,
    /// Offsets are those in `bytes`. Up to where it could be read.
    pub entries: Vec<Entry>,
}

impl Conn {
    /// The current frame: its header as it came, its body decompressed. `None` where there is none, or its body does not decompress.
    pub fn frame_bytes(&self) -> Option<Vec<u8>> {
        let (header, body) = (self.input.header()?, self.input.body().ok()?);
        Some([&header.to_bytes()[..], body].concat())
    }

    /// The current frame with the places of its fields. Cells of rows are read by the columns that came with them, else by `known`, else
    /// they are bytes. `None` where there is no frame, or its body does not decompress.
    pub fn trace(&self, known: Option<&[ColumnSpec]>) -> Option<TracedFrame> {
        let (header, bytes) = (self.input.header()?, self.frame_bytes()?);
        let trace = Trace::default();
        // What cannot be read ends the trace; the error itself is told by who reads the message.
        let _ = self.read_traced(&header, &bytes, known, &trace);
        Some(TracedFrame { entries: trace.into_entries(), bytes })
    }

    fn read_traced(&self, header: &Header, frame: &[u8], known: Option<&[ColumnSpec]>, trace: &Trace) -> Result<()> {
        let dialect = self.dialect_of(header);
        let mut r = Reader::new(frame).traced(trace);
        r.group("header", None, Header::read)?;
        Prefix::read(&mut r, header, dialect)?;
        match self.role {
            Role::Server => Request::decode(header.opcode, &mut r, dialect).map(drop),
            Role::Client => match Response::decode(header.opcode, &mut r, dialect)? {
                Response::Result(ResultMessage::Rows(rows)) => r.group("rows", None, |r| trace_cells(r, &rows, known)),
                _ => Ok(()),
            },
        }
    }

    /// Where in the current frame's message reading failed with `error`: `RESULT.Rows.row[17].column[3] "embedding"`.
    pub fn path(&self, error: &Error, known: Option<&[ColumnSpec]>) -> String {
        let Ok((header, _, r)) = self.body() else { return String::new() };
        let trace = Trace::default();
        let (dialect, mut r) = (self.dialect_of(&header), r.traced(&trace));
        let response = match self.role {
            Role::Client => Response::decode(header.opcode, &mut r, dialect),
            Role::Server => Request::decode(header.opcode, &mut r, dialect).map(|_| Response::Ready),
        };
        // Where the message can be read, its cells cannot.
        let Ok(Response::Result(ResultMessage::Rows(rows))) = response else { return trace.path() };
        let Some((row, column)) = rows.cell_of(error) else { return "RESULT.Rows".into() };
        let name = rows.metadata.columns.as_deref().or(known).and_then(|columns| columns.get(column));
        let name = name.map(|spec| format!(" \"{}\"", spec.name)).unwrap_or_default();
        format!("RESULT.Rows.row[{row}].column[{column}]{name}")
    }
}

fn trace_cells<'a>(r: &mut Reader<'a>, rows: &Rows<'a>, known: Option<&[ColumnSpec]>) -> Result<()> {
    let columns = rows.metadata.columns.as_deref().or(known).filter(|columns| columns.len() == rows.metadata.column_count);
    // Rows of no columns take no bytes, and so have no place.
    let rows_with_cells = if rows.metadata.column_count == 0 { 0 } else { rows.row_count };
    for row in 0..rows_with_cells {
        r.group("row", row, |r| {
            for column in 0..rows.metadata.column_count {
                r.group("column", column, |r| match columns {
                    Some(columns) => read_value(&columns[column].ty, r).map(drop),
                    None => r.bytes(CELL).map(drop),
                })?;
            }
            Ok(())
        })?;
    }
    Ok(())
}
