//! Bytes that came → frames, and of each what it holds.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::shapes::{JsEntry, JsError, JsPrefix};
use super::{Conn, Metadata, Result, js_error, table, to_js};
use crate::column::{NullSlots, Page};
use crate::conn::Role;
use crate::frame::Prefix;
use crate::message::{ColumnSpec, OwnColumns, Response, ResultMessage, Rows, RowsMetadata};
use crate::spec::Opcode;
use crate::spec::code::result_kind;
use crate::spec::flag::header as flag;
use crate::wire::{self, ErrorKind};

#[wasm_bindgen]
impl Conn {
    /// Room for the next bytes of the stream.
    pub fn receive(&mut self, length: usize) -> *mut u8 {
        self.page = None;
        self.slots = NullSlots::of(self.inner.limits());
        self.inner.receive(length).as_mut_ptr()
    }

    /// The next whole frame as one word: bit 31 set, bits 24–26 its kind (0 cold, 1 Rows, 2 Void), bit 27
    /// set if it has a tracing id, warnings or payload, bits 16–23 the opcode, the rest the stream. 0: none until more bytes come.
    pub fn next_frame(&mut self) -> Result<u32> {
        self.page = None;
        let Some(header) = self.inner.next_frame().map_err(js_error)? else { return Ok(0) };
        let (mut kind, mut prefixed) = (0, false);
        // A body that does not decode is cold: `message` gives its error.
        if let Ok((_, prefix, mut r)) = self.inner.body() {
            prefixed = prefix != Prefix::default();
            kind = match header.opcode {
                Opcode::Result => match r.int("RESULT.kind") {
                    Ok(result_kind::ROWS) => 1,
                    Ok(result_kind::VOID) => 2,
                    _ => 0,
                },
                _ => 0,
            };
        }
        Ok(1 << 31 | u32::from(prefixed) << 27 | kind << 24 | (header.opcode as u32) << 16 | u32::from(header.stream as u16))
    }

    /// Version of the current frame, which for an ERROR may not be the connection's.
    pub fn frame_version(&self) -> Result<u8> {
        Ok(self.inner.body().map_err(js_error)?.0.version)
    }

    /// What a request's header asks: 1 to be traced, 2 for a version in beta.
    pub fn request_flags(&self) -> Result<u8> {
        let header = self.inner.body().map_err(js_error)?.0;
        Ok(u8::from(header.has(flag::TRACING)) | u8::from(header.has(flag::USE_BETA)) << 1)
    }

    /// Tracing id, warnings and payload of the current frame.
    pub fn prefix(&self) -> Result<JsValue> {
        let (_, prefix, _) = self.inner.body().map_err(js_error)?;
        Ok(to_js(&JsPrefix::of(&prefix)))
    }

    /// The current frame, header and decompressed body: what a trace's offsets are about.
    pub fn frame_bytes(&self) -> Result<Vec<u8>> {
        self.inner.frame_bytes().ok_or_else(|| js_error(wire::Error::new(ErrorKind::BadCompression, "frame", 0)))
    }

    /// The fields of the current frame with their places.
    pub fn trace(&self) -> Result<JsValue> {
        self.trace_as(None)
    }

    /// The same; cells of rows without metadata are read as these columns.
    pub fn trace_with(&self, known: &Metadata) -> Result<JsValue> {
        self.trace_as(Some(&known.columns))
    }

    fn trace_as(&self, known: Option<&[ColumnSpec]>) -> Result<JsValue> {
        let frame = self.inner.trace(known);
        Ok(to_js(&frame.iter().flat_map(|frame| &frame.entries).map(JsEntry::of).collect::<Vec<_>>()))
    }

    /// The current frame's message as a plain object.
    pub fn message(&self) -> Result<JsValue> {
        Ok(match self.inner.role() {
            Role::Client => to_js(&self.inner.response().map_err(|error| self.read_error(error, None))?.1),
            Role::Server => to_js(&self.inner.request().map_err(|error| self.read_error(error, None))?.1),
        })
    }

    /// Metadata of the current frame: 0 the bind markers of PREPARED, 1 its result columns, 2 the columns that came with Rows.
    pub fn metadata(&self, which: u32) -> Result<Metadata> {
        let columns = match self.inner.response().map_err(|error| self.read_error(error, None))?.1 {
            Response::Result(ResultMessage::Prepared(prepared)) if which == 0 => prepared.bind.into(),
            Response::Result(ResultMessage::Prepared(prepared)) if which == 1 => prepared.result.columns.unwrap_or_default().into(),
            Response::Result(ResultMessage::Rows(_)) if which == 2 => {
                self.own_columns.as_ref().map_or_else(Default::default, |own| own.columns.clone())
            }
            _ => return Err(js_error(wire::Error::new(ErrorKind::Misuse, "metadata", 0))),
        };
        Ok(Metadata::of(columns))
    }

    /// Decodes the current frame's rows into columns, with the metadata that came with them. Returns the address of the table: rows,
    /// columns, 1 if they came with metadata, 2 if with the same as last time (and 4 if that says the table once), then address and
    /// length of the paging state and of the new metadata id (length 2³²-1: none), then `table::COLUMN_WORDS` for each column and its
    /// children.
    pub fn rows(&mut self) -> Result<*const u32> {
        self.read_rows(None)
    }

    /// The same with the metadata of the prepared statement, unless the answer has its own.
    pub fn rows_with(&mut self, known: &Metadata) -> Result<*const u32> {
        self.read_rows(Some(known))
    }

    fn read_rows(&mut self, known: Option<&Metadata>) -> Result<*const u32> {
        let columns = known.map(|known| &known.columns[..]);
        let (rows, own) = self.inner.rows(self.own_columns.as_ref()).map_err(|error| self.read_error(error, columns))?;
        let (columns, source) = match (&own, &self.own_columns, known) {
            (OwnColumns::Seen, Some(last), _) => (&last.columns, 2),
            // Said otherwise, as with the table of each column.
            (OwnColumns::New(new), Some(last), _) if new.columns == last.columns => (&last.columns, 2),
            (OwnColumns::New(new), ..) => (&new.columns, 1),
            (_, _, Some(known)) => (&known.columns, 0),
            _ => return Err(js_error(wire::Error::new(ErrorKind::NoMetadata, "ROWS", 0))),
        };
        let page = Page::read_within(&rows, columns, &mut self.slots);
        let page = page.map_err(|error| self.read_error(error, Some(columns)))?;
        self.words.clear();
        self.words.extend([page.row_count as u32, page.columns.len() as u32, source | global_table_spec(&rows)]);
        self.words.extend(span(rows.metadata.paging_state));
        self.words.extend(span(rows.metadata.new_metadata_id));
        if let OwnColumns::New(new) = own {
            // Only now: JavaScript hears nothing of a page that does not decode, and would go on with the columns it has.
            self.own_columns = Some(new);
        }
        Ok(self.lay_out(page))
    }

    /// The current frame's rows, whose columns nobody knows yet, as they came. The address of: rows, columns, 3 (and 4), then as in `rows` paging
    /// state and new metadata id, then address and length of the cells.
    pub fn raw_rows(&mut self) -> Result<*const u32> {
        let (rows, _) = self.inner.rows(self.own_columns.as_ref()).map_err(|error| self.read_error(error, None))?;
        self.words.clear();
        self.words.extend([rows.row_count as u32, rows.metadata.column_count as u32, 3 | global_table_spec(&rows)]);
        for bytes in [rows.metadata.paging_state, rows.metadata.new_metadata_id, Some(rows.cells)] {
            self.words.extend(span(bytes));
        }
        Ok(self.words.as_ptr())
    }

    /// Decodes rows that came without metadata; their cells are in the room that `cell` gave.
    pub fn decode_rows(&mut self, types: &Metadata, row_count: usize, column_count: usize) -> Result<*const u32> {
        let metadata = RowsMetadata { column_count, ..RowsMetadata::default() };
        let rows = Rows { metadata, row_count, cells: &self.cell[8..], cells_at: 0 };
        let page = Page::read(&rows, &types.columns).map_err(js_error)?;
        self.words.clear();
        Ok(self.lay_out(page))
    }

    /// Decodes one cell of the type of column `index`, as `rows` does a page of it. The cell is in the room that `cell` gave.
    pub fn decode_cell(&mut self, types: &Metadata, index: usize) -> Result<*const u32> {
        let metadata = RowsMetadata { column_count: 1, ..RowsMetadata::default() };
        let rows = Rows { metadata, row_count: 1, cells: &self.cell[4..], cells_at: 0 };
        let page = Page::read(&rows, types.columns.get(index..=index).unwrap_or(&[]))
            .map_err(|error| js_error(wire::Error { at: error.at.saturating_sub(4), ..error }))?;
        self.words.clear();
        Ok(self.lay_out(page))
    }

    /// Room for one cell of `length` bytes, at a multiple of 8.
    pub fn cell(&mut self, length: usize) -> *mut u8 {
        self.cell.clear();
        self.cell.extend_from_slice(&[0; 4]); // its length is before it, and the two are 8 bytes
        self.cell.extend_from_slice(&(length as u32).to_be_bytes());
        self.cell.resize(8 + length, 0);
        self.cell[8..].as_mut_ptr()
    }

    /// The numbers of `width` bytes in that room, in the machine's order.
    pub fn swap_cell(&mut self, width: usize) {
        wire::swap_in_place(&mut self.cell[8..], width);
    }

    /// Keeps `page` and appends its columns to the table of words: before them where they lie one behind the other, or 0, and their bytes.
    fn lay_out(&mut self, page: Page) -> *const u32 {
        let layout = table::lay_out(page, &mut self.words);
        self.page = Some(layout);
        self.words.as_ptr()
    }

    /// The current frame cannot be read: where in its message.
    #[cold]
    fn read_error(&self, error: wire::Error, known: Option<&[ColumnSpec]>) -> JsValue {
        to_js(&JsError::of(error, self.inner.path(&error, known)))
    }
}

/// In the third word: the table is said once, for all columns.
fn global_table_spec(rows: &Rows<'_>) -> u32 {
    u32::from(rows.metadata.global_table_spec) << 2
}

/// Address and length, 2³²-1 for none.
fn span(bytes: Option<&[u8]>) -> [u32; 2] {
    bytes.map_or([0, u32::MAX], |bytes| [bytes.as_ptr() as u32, bytes.len() as u32])
}
