//! Messages → bytes: those without values at once, the others step by step; `conn::build` says in which order.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::{Conn, Frame, Metadata, Result, column_type, from_js, js_error};
use crate::conn::Role;
use crate::message::metadata::share_a_table;
use crate::message::{Prepared, RequestOptions, Response, ResultMessage, Rows, RowsMetadata, Statement};
use crate::spec::Consistency;
use crate::value::{Binder, parse_uuid};
use crate::wire::{self, ErrorKind, Writer};

#[wasm_bindgen]
impl Conn {
    /// The next request asks to be traced.
    pub fn trace_next(&mut self) {
        self.frame.tracing = true;
    }

    /// The next request agrees to a version that the server still calls beta.
    pub fn use_beta(&mut self) {
        self.frame.use_beta = true;
    }

    /// The next response has this tracing id.
    pub fn tracing_id(&mut self, text: &str) -> Result<()> {
        let bad = || js_error(wire::Error::new(ErrorKind::BadText, "tracingId", 0));
        self.frame.tracing_id = Some(parse_uuid(text.as_bytes()).ok_or_else(bad)?);
        Ok(())
    }

    /// The next response carries this among its warnings.
    pub fn warning(&mut self, text: String) {
        self.frame.warnings.push(text);
    }

    /// The next message carries this in its custom payload.
    pub fn payload(&mut self, name: String, value: Option<Vec<u8>>) {
        self.frame.payload.push((name, value));
    }

    /// A message without values, as a plain object; options as pairs.
    pub fn write(&mut self, stream: i16, message: &JsValue) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        match self.inner.role() {
            Role::Client => from_js::send(&mut self.inner, message, stream, &frame.options()),
            Role::Server => from_js::reply(&mut self.inner, message, stream, &frame.prefix()),
        }
        .map_err(js_error)
    }

    /// Prepared. `result`: without columns where it has no rows.
    #[allow(clippy::too_many_arguments)] // the fields of the message, one call for all
    pub fn prepared(
        &mut self,
        stream: i16,
        id: &[u8],
        metadata_id: &[u8],
        pk: Vec<u16>,
        is_lwt: bool,
        bind: &Metadata,
        result: &Metadata,
    ) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        // As servers write it: no rows, no metadata.
        let columns = if result.columns.is_empty() { None } else { Some(result.columns.to_vec()) };
        let global_table_spec = share_a_table(&result.columns);
        let result = RowsMetadata { global_table_spec, column_count: result.columns.len(), columns, ..RowsMetadata::default() };
        let prepared = Prepared { id, result_metadata_id: metadata_id, pk_indices: pk, is_lwt, bind: bind.columns.to_vec(), result };
        let response = Response::Result(ResultMessage::Prepared(prepared));
        self.inner.reply(&response, stream, &frame.prefix()).map_err(js_error)
    }

    /// Rows whose cells are bytes already, without metadata: an answer to skip_metadata.
    pub fn write_raw_rows(
        &mut self,
        stream: i16,
        rows: usize,
        columns: usize,
        global: bool,
        state: Option<Vec<u8>>,
        cells: &[u8],
    ) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        let metadata =
            RowsMetadata { global_table_spec: global, column_count: columns, paging_state: state.as_deref(), ..RowsMetadata::default() };
        let response = Response::Result(ResultMessage::Rows(Rows { metadata, row_count: rows, cells, cells_at: 0 }));
        self.inner.reply(&response, stream, &frame.prefix()).map_err(js_error)
    }

    /// Rows, each cell a value of its column. `with_metadata`: the columns are described, else only counted.
    pub fn begin_rows(
        &mut self,
        stream: i16,
        types: &Metadata,
        with_metadata: bool,
        global_table_spec: bool,
        paging_state: Option<Vec<u8>>,
        new_metadata_id: Option<Vec<u8>>,
    ) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        let metadata = RowsMetadata {
            global_table_spec,
            column_count: types.columns.len(),
            paging_state: paging_state.as_deref(),
            new_metadata_id: new_metadata_id.as_deref(),
            columns: with_metadata.then(|| types.columns.to_vec()),
        };
        self.inner.begin_rows(stream, &frame.prefix(), &metadata).map_err(js_error)
    }

    /// Ends Rows.
    pub fn end_rows(&mut self, row_count: usize) -> Result<()> {
        self.inner.end_rows(row_count).map_err(js_error)
    }
    /// QUERY
    pub fn begin_query(&mut self, stream: i16, text: &str, consistency: u16) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        self.inner.begin_query(stream, &frame.options(), text, Consistency(consistency)).map_err(js_error)
    }

    /// EXECUTE
    pub fn begin_execute(&mut self, stream: i16, id: &[u8], result_metadata_id: &[u8], consistency: u16) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        self.inner.begin_execute(stream, &frame.options(), id, result_metadata_id, Consistency(consistency)).map_err(js_error)
    }

    /// EXECUTE of the statement whose markers these are.
    pub fn begin_prepared(&mut self, stream: i16, statement: &Metadata, consistency: u16) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        let Metadata { id, result_metadata_id, .. } = statement;
        self.inner.begin_execute(stream, &frame.options(), id, result_metadata_id, Consistency(consistency)).map_err(js_error)
    }

    /// BATCH
    pub fn begin_batch(&mut self, stream: i16, batch_type: u8, consistency: u16) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        self.inner.begin_batch(stream, &frame.options(), batch_type, Consistency(consistency)).map_err(js_error)
    }

    /// The next statement of a BATCH, as text.
    pub fn statement_text(&mut self, query: &str) -> Result<()> {
        self.inner.statement(Statement::Text(query)).map_err(js_error)
    }

    /// The next statement of a BATCH, prepared.
    pub fn statement_prepared(&mut self, id: &[u8]) -> Result<()> {
        self.inner.statement(Statement::Prepared(id)).map_err(js_error)
    }

    /// The next value has the type of column `index`.
    pub fn value(&mut self, types: &Metadata, index: usize, name: Option<String>) -> Result<()> {
        let ty = column_type(types, index).map_err(js_error)?.clone();
        self.inner.value(ty, name.as_deref()).map_err(js_error)
    }

    /// A list of no values.
    pub fn no_values(&mut self) -> Result<()> {
        self.inner.no_values().map_err(js_error)
    }

    /// A value on its own, not in a request: `lone_output` gives it.
    pub fn lone_value(&mut self, types: &Metadata, index: usize) -> Result<()> {
        let mut binder = Binder::new();
        binder.start(column_type(types, index).map_err(js_error)?.clone());
        self.lone = Some((binder, Writer::new()));
        Ok(())
    }

    /// The lone value as a `[value]`, length first; empty if it is not complete.
    pub fn lone_output(&mut self) -> Vec<u8> {
        match self.lone.take() {
            Some((binder, w)) if binder.is_idle() => w.into_bytes(),
            _ => Vec::new(),
        }
    }

    /// Ends the request, which has no options.
    pub fn end_plain(&mut self) -> Result<()> {
        self.inner.end_request(&RequestOptions::default()).map_err(js_error)
    }

    /// Ends the request. What is not given is not sent.
    #[allow(clippy::too_many_arguments)] // the options of a request, one call for all
    pub fn end_request(
        &mut self,
        skip_metadata: bool,
        page_size: Option<i32>,
        paging_state: Option<Vec<u8>>,
        serial_consistency: Option<u16>,
        timestamp: Option<i64>,
        keyspace: Option<String>,
        now_in_seconds: Option<i32>,
    ) -> Result<()> {
        let options = RequestOptions {
            skip_metadata,
            page_size,
            paging_state: paging_state.as_deref(),
            serial_consistency: serial_consistency.map(Consistency),
            timestamp,
            keyspace: keyspace.as_deref(),
            now_in_seconds,
        };
        self.inner.end_request(&options).map_err(js_error)
    }

    /// Takes back what was begun and not ended, and lets go of a decoded cell.
    pub fn abort(&mut self) {
        self.page = None;
        self.cell = Vec::new();
        self.lone = None;
        self.frame = Frame::default();
        self.inner.abort_message();
    }

    /// All that is to be sent: where it is. `flushed` says how much; `sent` lets go of it, once it is copied.
    pub fn flush(&mut self) -> Result<*const u8> {
        let bytes = self.inner.output().map_err(js_error)?;
        self.flushed = bytes.len();
        Ok(bytes.as_ptr())
    }

    /// Bytes that `flush` gave.
    pub fn flushed(&self) -> usize {
        self.flushed
    }

    /// What `flush` gave is copied.
    pub fn sent(&mut self) {
        self.inner.sent();
    }
}
