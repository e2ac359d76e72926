//! L6: the JavaScript boundary, and the only file that names wasm-bindgen. Integers cross; hot results cross as a table of words per
//! column (`rows`), cold messages as plain objects through serde. Pointers are valid until the next call: JavaScript copies at once.
//!
//! A function that gives a JavaScript object returns a `Result` even if it cannot fail. V8 of Node.js 20 and 22 inlines a call into wasm
//! that has one result; where that result is an object, and the caller is deoptimised while the call runs, it ends the process
//! ("unreachable code" in its deoptimizer). A `Result` is several results. `js-tests/surface.test.mjs` holds both.

#![allow(unsafe_code)] // what the wasm-bindgen macros expand to; nothing here is unsafe itself

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::column::{NullSlots, Page};
use crate::conn::{self, FrameOptions, Role};
use crate::frame::Prefix;
use crate::frame::prefix::Payload;
use crate::message::metadata::share_a_table;
use crate::message::{ColumnSpec, Prepared, RequestOptions, Response, ResultMessage, Rows, RowsMetadata, Statement};
use crate::route;
use crate::spec::code::result_kind;
use crate::spec::flag::header as flag;
use crate::spec::{Compression, Consistency, Dialect, Limits, Opcode, Version, limit};
use crate::value::{Binder, CqlType, Duration, NumberKind, parse_uuid};
use crate::wire::{self, ErrorKind, Writer};
use shapes::{JsColumn, JsEntry, JsError, JsPrefix, JsScylla, JsTablet, Tables};

mod from_js;
mod shapes;
mod table;

type Result<T> = core::result::Result<T, JsValue>;

#[cold]
fn js_error(error: wire::Error) -> JsValue {
    to_js(&JsError::of(error, String::new()))
}

fn to_js<T: Serialize>(value: &T) -> JsValue {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    value.serialize(&serializer).unwrap_or(JsValue::NULL)
}

/// A field of an object; undefined where it cannot be read.
fn get(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// An array's items.
struct JsArray;

impl JsArray {
    fn of(value: &JsValue) -> Option<Vec<JsValue>> {
        js_sys::Array::is_array(value).then(|| js_sys::Array::from(value).to_vec())
    }
}

/// A `Uint8Array`'s bytes, copied.
struct JsBytes;

impl JsBytes {
    fn of(value: &JsValue) -> Option<Vec<u8>> {
        js_sys::ArrayBuffer::is_view(value).then(|| js_sys::Uint8Array::new(value).to_vec())
    }
}

/// The instance's memory, which changes when the instance is made anew after a trap.
#[wasm_bindgen]
pub fn wasm_memory() -> Result<JsValue> {
    Ok(wasm_bindgen::memory())
}

/// Names and codes that both sides use.
#[wasm_bindgen]
pub fn tables() -> Result<JsValue> {
    Ok(to_js(&Tables::all()))
}

/// The token of a serialised partition key.
#[wasm_bindgen]
pub fn murmur3_token(key: &[u8]) -> i64 {
    route::murmur3_token(key)
}

/// The serialised partition key of its columns' cells.
#[wasm_bindgen]
pub fn routing_key(columns: Vec<js_sys::Uint8Array>) -> Result<Vec<u8>> {
    let columns: Vec<Vec<u8>> = columns.iter().map(js_sys::Uint8Array::to_vec).collect();
    route::routing_key(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>()).map_err(js_error)
}

/// The shard that owns a token; nothing for parameters that no server has.
#[wasm_bindgen]
pub fn shard_of(token: i64, shards: u16, ignore_msb: u8) -> Option<u16> {
    route::shard_of(token, shards, ignore_msb)
}

/// What ScyllaDB says of a tablet in a custom payload.
#[wasm_bindgen]
pub fn decode_tablet(payload: &[u8]) -> Result<JsValue> {
    let tablet = route::Tablet::decode(payload).map_err(js_error)?;
    let serializer = Serializer::new().serialize_large_number_types_as_bigints(true);
    tablet.as_ref().map(JsTablet::of).serialize(&serializer).map_err(JsValue::from)
}

/// The payload by which ScyllaDB says it; as many hosts as shards.
#[wasm_bindgen]
pub fn encode_tablet(first_token: i64, last_token: i64, hosts: Vec<String>, shards: Vec<i32>) -> Result<Vec<u8>> {
    let bad = || js_error(wire::Error::new(ErrorKind::BadText, "tablet.replica.host", 0));
    let hosts: Vec<_> = hosts.iter().map(|host| parse_uuid(host.as_bytes()).ok_or_else(bad)).collect::<Result<_>>()?;
    let replicas = hosts.into_iter().zip(shards).collect();
    route::Tablet { first_token, last_token, replicas }.encode().map_err(js_error)
}

/// What a ScyllaDB node says of itself in SUPPORTED, whose options are pairs.
#[wasm_bindgen]
pub fn scylla_options(options: Vec<JsValue>) -> Result<JsValue> {
    from_js::with_supported(&options, |supported| to_js(&JsScylla::of(supported.scylla()))).map_err(js_error)
}

/// What STARTUP says to it in `version`, as pairs.
#[wasm_bindgen]
pub fn scylla_startup_options(options: Vec<JsValue>, version: u8) -> Result<JsValue> {
    let version = version_of(version)?;
    from_js::with_supported(&options, |supported| to_js(&supported.startup_options(Dialect::new(version)))).map_err(js_error)
}

fn version_of(number: u8) -> Result<Version> {
    Version::from_number(number).ok_or_else(|| js_error(wire::Error::new(ErrorKind::Unsupported, "version", 0)))
}

/// Columns of a result, bind markers of a statement, or one type: shared, immutable.
#[wasm_bindgen]
pub struct Metadata {
    columns: Arc<[ColumnSpec]>,
}

#[wasm_bindgen]
impl Metadata {
    /// Names and types, for JavaScript to keep.
    pub fn describe(&self) -> Result<JsValue> {
        Ok(to_js(&self.columns.iter().map(JsColumn::of).collect::<Vec<_>>()))
    }

    /// Columns as `describe` gives them, or with less: the type alone, as its object or as CQL writes it.
    pub fn of_columns(columns: &JsValue) -> Result<Metadata> {
        Ok(Metadata { columns: from_js::columns(columns).map_err(js_error)?.into() })
    }
}

/// One connection's codec, and the page it decoded last.
#[wasm_bindgen]
pub struct Conn {
    inner: conn::Conn,
    frame: Frame,
    /// A value that is encoded on its own, outside any request.
    lone: Option<(Binder, Writer)>,
    words: Vec<u32>,
    page: Option<(Page, Vec<Vec<u8>>)>,
    cell: Vec<u8>,
    own_columns: Option<Arc<[ColumnSpec]>>,
    /// For the pages of the bytes that came last.
    slots: NullSlots,
}

/// What the next frame carries beside its message.
#[derive(Default)]
struct Frame {
    tracing: bool,
    use_beta: bool,
    tracing_id: Option<[u8; 16]>,
    warnings: Vec<String>,
    payload: Vec<(String, Option<Vec<u8>>)>,
}

impl Frame {
    fn payload(&self) -> Payload<'_> {
        self.payload.iter().map(|(name, value)| (name.as_str(), value.as_deref())).collect()
    }

    /// Of a request.
    fn options(&self) -> FrameOptions<'_> {
        FrameOptions { tracing: self.tracing, use_beta: self.use_beta, custom_payload: self.payload() }
    }

    /// Of a response.
    fn prefix(&self) -> Prefix<'_> {
        let warnings = self.warnings.iter().map(String::as_str).collect();
        Prefix { tracing_id: self.tracing_id, warnings, custom_payload: self.payload() }
    }
}

#[wasm_bindgen]
impl Conn {
    /// `compression`: of a connection whose handshake is over, by its STARTUP name, "" for none; undefined before the handshake.
    /// `features`: what was agreed in it, as an object.
    #[wasm_bindgen(constructor)]
    pub fn new(server: bool, version: u8, compression: Option<String>, features: &JsValue) -> Result<Conn> {
        let unsupported = |what| js_error(wire::Error::new(ErrorKind::Unsupported, what, 0));
        let role = if server { Role::Server } else { Role::Client };
        let version = version_of(version)?;
        let features = from_js::features(features).map_err(js_error)?;
        let inner = match compression.as_deref() {
            None => conn::Conn::new(role, version),
            Some(name) => {
                let compression = if name.is_empty() { Some(Compression::None) } else { Compression::from_name(name) };
                let compression = compression.filter(|c| version.has_compression(*c)).ok_or_else(|| unsupported("compression"))?;
                conn::Conn::established(role, Dialect { version, compression, features })
            }
        };
        Ok(Conn {
            inner,
            frame: Frame::default(),
            lone: None,
            words: Vec::new(),
            page: None,
            cell: Vec::new(),
            own_columns: None,
            slots: NullSlots::default(),
        })
    }

    /// Caps on what comes, as `Limits`.
    pub fn limit(&mut self, frame_body: usize, null_slots: usize) {
        self.inner.set_limits(Limits { frame_body: frame_body.min(limit::FRAME_BODY), null_slots, ..Limits::default() });
    }

    /// Of the frames that are sent.
    pub fn version(&self) -> u8 {
        self.inner.dialect().version.number()
    }

    /// Bytes received that wait for the rest of their frame.
    pub fn waiting(&self) -> usize {
        self.inner.waiting()
    }

    /// STARTUP has been answered.
    pub fn is_established(&self) -> bool {
        self.inner.is_established()
    }

    /// By its STARTUP name; "" for none.
    pub fn compression(&self) -> String {
        self.inner.dialect().compression.name().into()
    }

    /// EXECUTE carries a result metadata id, so that metadata can safely be skipped.
    pub fn has_result_metadata_id(&self) -> bool {
        self.inner.dialect().has_result_metadata_id()
    }

    /// ScyllaDB's extensions that were agreed.
    pub fn features(&self) -> Result<JsValue> {
        Ok(to_js(&self.inner.dialect().features))
    }

    /// Those that the node has, where no SUPPORTED on this connection says it.
    pub fn offer(&mut self, features: &JsValue) -> Result<()> {
        self.inner.offer(from_js::features(features).map_err(js_error)?);
        Ok(())
    }

    /// Bytes received, as frames; sent, as frames: see `conn::Traffic`.
    pub fn traffic(&self) -> Vec<f64> {
        let t = self.inner.traffic();
        [t.received, t.frames_received, t.sent, t.frames_sent].map(|bytes| bytes as f64).into()
    }

    // In.

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
            Response::Result(ResultMessage::Rows(_)) if which == 2 => self.own_columns.clone().unwrap_or_default(),
            _ => return Err(js_error(wire::Error::new(ErrorKind::Misuse, "metadata", 0))),
        };
        Ok(Metadata { columns })
    }

    /// Decodes the current frame's rows into columns, with the metadata that came with them. Returns the address of the table: rows,
    /// columns, 1 if they came with metadata, 2 if with the same as last time, then address and length of the paging state and of the
    /// new metadata id (length 2³²-1: none), then `table::COLUMN_WORDS` for each column and its children.
    pub fn rows(&mut self) -> Result<*const u32> {
        self.read_rows(None)
    }

    /// The same with the metadata of the prepared statement, unless the answer has its own.
    pub fn rows_with(&mut self, known: &Metadata) -> Result<*const u32> {
        self.read_rows(Some(known))
    }

    fn read_rows(&mut self, known: Option<&Metadata>) -> Result<*const u32> {
        let columns = known.map(|known| &known.columns[..]);
        let Response::Result(ResultMessage::Rows(mut rows)) = self.inner.response().map_err(|error| self.read_error(error, columns))?.1
        else {
            return Err(js_error(wire::Error::new(ErrorKind::Misuse, "ROWS", 0)));
        };
        let mut source = 0;
        let columns = match (rows.metadata.columns.take(), known) {
            (Some(own), _) => match &self.own_columns {
                Some(last) if last[..] == own[..] => {
                    source = 2;
                    last.clone()
                }
                _ => {
                    source = 1;
                    own.into()
                }
            },
            (None, Some(known)) => known.columns.clone(),
            (None, None) => return Err(js_error(wire::Error::new(ErrorKind::NoMetadata, "ROWS", 0))),
        };
        let page = Page::read_within(&rows, &columns, &mut self.slots);
        let page = page.map_err(|error| self.read_error(error, Some(&columns)))?;
        if source == 1 {
            // Only now: JavaScript hears nothing of a page that does not decode, and would go on with the columns it has.
            self.own_columns = Some(columns);
        }
        self.words.clear();
        self.words.extend([page.row_count as u32, page.columns.len() as u32, source]);
        self.words.extend(span(rows.metadata.paging_state));
        self.words.extend(span(rows.metadata.new_metadata_id));
        Ok(self.lay_out(page))
    }

    /// The current frame's rows, whose columns nobody knows yet, as they came. The address of: rows, columns, 3, then as in `rows` paging
    /// state and new metadata id, then address and length of the cells.
    pub fn raw_rows(&mut self) -> Result<*const u32> {
        let Response::Result(ResultMessage::Rows(rows)) = self.inner.response().map_err(|error| self.read_error(error, None))?.1 else {
            return Err(js_error(wire::Error::new(ErrorKind::Misuse, "ROWS", 0)));
        };
        self.words.clear();
        self.words.extend([rows.row_count as u32, rows.metadata.column_count as u32, 3]);
        for bytes in [rows.metadata.paging_state, rows.metadata.new_metadata_id, Some(rows.cells)] {
            self.words.extend(span(bytes));
        }
        Ok(self.words.as_ptr())
    }

    /// True where the current frame's metadata says the table once, for all columns.
    pub fn has_global_table_spec(&self) -> Result<bool> {
        match self.inner.response().map_err(|error| self.read_error(error, None))?.1 {
            Response::Result(ResultMessage::Rows(rows)) => Ok(rows.metadata.global_table_spec),
            _ => Err(js_error(wire::Error::new(ErrorKind::Misuse, "ROWS", 0))),
        }
    }

    /// Decodes rows that came without metadata; their cells are in the room that `cell` gave.
    pub fn decode_rows(&mut self, types: &Metadata, row_count: usize, column_count: usize) -> Result<*const u32> {
        let metadata = RowsMetadata { column_count, ..RowsMetadata::default() };
        let rows = Rows { metadata, row_count, cells: &self.cell[4..], cells_at: 0 };
        let page = Page::read(&rows, &types.columns).map_err(js_error)?;
        self.words.clear();
        Ok(self.lay_out(page))
    }

    /// Decodes one cell of the type of column `index`, as `rows` does a page of it. The cell is in the room that `cell` gave.
    pub fn decode_cell(&mut self, types: &Metadata, index: usize) -> Result<*const u32> {
        let metadata = RowsMetadata { column_count: 1, ..RowsMetadata::default() };
        let rows = Rows { metadata, row_count: 1, cells: &self.cell, cells_at: 0 };
        let page = Page::read(&rows, types.columns.get(index..=index).unwrap_or(&[]))
            .map_err(|error| js_error(wire::Error { at: error.at.saturating_sub(4), ..error }))?;
        self.words.clear();
        Ok(self.lay_out(page))
    }

    /// Room for one cell of `length` bytes.
    pub fn cell(&mut self, length: usize) -> *mut u8 {
        self.cell.clear();
        self.cell.extend_from_slice(&(length as u32).to_be_bytes());
        self.cell.resize(4 + length, 0);
        self.cell[4..].as_mut_ptr()
    }

    // Out: requests that are built at once.

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

    // Out: messages with values, built step by step; `conn::build` says in which order.

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
        let ty = column_type(types, index)?;
        self.inner.value(ty, name.as_deref()).map_err(js_error)
    }

    /// A list of no values.
    pub fn no_values(&mut self) -> Result<()> {
        self.inner.no_values().map_err(js_error)
    }

    /// A value on its own, not in a request: `lone_output` gives it.
    pub fn lone_value(&mut self, types: &Metadata, index: usize) -> Result<()> {
        let mut binder = Binder::new();
        binder.start(column_type(types, index)?);
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

    /// All that is to be sent, as a copy.
    pub fn flush(&mut self) -> Result<js_sys::Uint8Array> {
        let bytes = js_sys::Uint8Array::from(self.inner.output().map_err(js_error)?);
        self.inner.sent();
        Ok(bytes)
    }

    // One call for each kind of JavaScript value: see `value::Binder`.

    /// null
    pub fn null(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.null(w))
    }
    /// unset
    pub fn unset(&mut self) -> Result<()> {
        if self.lone.is_some() {
            return self.bind(|binder, w| binder.unset(w));
        }
        self.inner.unset().map_err(js_error)
    }
    /// The `empty` constant
    pub fn empty(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.empty(w))
    }
    /// boolean
    pub fn boolean(&mut self, value: bool) -> Result<()> {
        self.bind(|binder, w| binder.boolean(w, value))
    }
    /// number
    pub fn number(&mut self, value: f64) -> Result<()> {
        self.bind(|binder, w| binder.number(w, value))
    }
    /// bigint of 64 bits
    pub fn int64(&mut self, value: i64) -> Result<()> {
        self.bind(|binder, w| binder.int64(w, value))
    }
    /// bigint of any size
    pub fn hex_integer(&mut self, negative: bool, hex: &str) -> Result<()> {
        self.bind(|binder, w| binder.hex_integer(w, negative, hex))
    }
    /// Decimal
    pub fn hex_decimal(&mut self, scale: i32, negative: bool, hex: &str) -> Result<()> {
        self.bind(|binder, w| binder.hex_decimal(w, scale, negative, hex))
    }
    /// LocalDate
    pub fn days(&mut self, days: i32) -> Result<()> {
        self.bind(|binder, w| binder.days(w, days))
    }
    /// LocalTime
    pub fn nanoseconds(&mut self, nanoseconds: i64) -> Result<()> {
        self.bind(|binder, w| binder.nanoseconds(w, nanoseconds))
    }
    /// Duration
    pub fn duration(&mut self, months: i32, days: i32, nanoseconds: i64) -> Result<()> {
        self.bind(|binder, w| binder.duration(w, Duration { months, days, nanoseconds }))
    }
    /// Room for the bytes of a Uint8Array
    pub fn open_bytes(&mut self, length: usize) -> Result<*mut u8> {
        self.bind(|binder, w| {
            let at = binder.open_bytes(w, length)?;
            Ok(w.tail_mut(at).as_mut_ptr())
        })
    }
    /// Room for the UTF-8 of a string
    pub fn open_text(&mut self, most: usize) -> Result<*mut u8> {
        self.bind(|binder, w| {
            let at = binder.open_text(w, most)?;
            Ok(w.tail_mut(at).as_mut_ptr())
        })
    }
    /// The string is in
    pub fn close_text(&mut self, written: usize) -> Result<()> {
        self.bind(|binder, w| binder.close_text(w, written))
    }
    /// Room for the elements of a typed array: 0 Float32Array, 1 Float64Array, 2 Int32Array, 3 BigInt64Array
    pub fn open_numbers(&mut self, kind: u32, count: usize) -> Result<*mut u8> {
        let kind = match kind {
            0 => NumberKind::Float32,
            1 => NumberKind::Float64,
            2 => NumberKind::Int32,
            _ => NumberKind::Int64,
        };
        self.bind(|binder, w| {
            let at = binder.open_numbers(w, kind, count)?;
            Ok(w.tail_mut(at).as_mut_ptr())
        })
    }
    /// The typed array is in
    pub fn close_numbers(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.close_numbers(w))
    }
    /// Array, iterable, Map, object
    pub fn begin(&mut self, count: usize) -> Result<()> {
        self.bind(|binder, w| binder.begin(w, count))
    }
    /// The end of what `begin` began
    pub fn end(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.end(w))
    }

    /// The current frame cannot be read: where in its message.
    #[cold]
    fn read_error(&self, error: wire::Error, known: Option<&[ColumnSpec]>) -> JsValue {
        to_js(&JsError::of(error, self.inner.path(&error, known)))
    }

    fn bind<T>(&mut self, put: impl FnOnce(&mut Binder, &mut Writer) -> wire::Result<T>) -> Result<T> {
        let result = match &mut self.lone {
            Some((binder, w)) => put(binder, w),
            None => {
                let (binder, w) = self.inner.binder();
                put(binder, w)
            }
        };
        result.map_err(js_error)
    }

    /// Keeps `page` and appends its columns to the table of words.
    fn lay_out(&mut self, page: Page) -> *const u32 {
        let mut bitmaps = Vec::new();
        for column in &page.columns {
            table::describe(column, &mut self.words, &mut bitmaps);
        }
        self.page = Some((page, bitmaps));
        self.words.as_ptr()
    }
}

/// Address and length, 2³²-1 for none.
fn span(bytes: Option<&[u8]>) -> [u32; 2] {
    bytes.map_or([0, u32::MAX], |bytes| [bytes.as_ptr() as u32, bytes.len() as u32])
}

fn column_type(types: &Metadata, index: usize) -> Result<Arc<CqlType>> {
    let missing = || js_error(wire::Error::new(ErrorKind::WrongCount, "params.values", 0));
    Ok(types.columns.get(index).ok_or_else(missing)?.ty.clone())
}
