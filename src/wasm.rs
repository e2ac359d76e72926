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
use crate::message::{AuthResponse, ColumnSpec, Prepare, Register, Request, RequestOptions, Response, ResultMessage, Rows, RowsMetadata};
use crate::message::{Startup, Statement};
use crate::route;
use crate::spec::code::result_kind;
use crate::spec::{Compression, Consistency, Dialect, Opcode, Version};
use crate::value::{Binder, CqlType, Duration, NumberKind, parse_type};
use crate::wire::{self, ErrorKind, Writer};
use shapes::{JsColumn, JsError, JsPrefix, Tables};

mod shapes;
mod table;

type Result<T> = core::result::Result<T, JsValue>;

#[cold]
fn js_error(error: wire::Error) -> JsValue {
    to_js(&JsError::of(error))
}

fn to_js<T: Serialize>(value: &T) -> JsValue {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    value.serialize(&serializer).unwrap_or(JsValue::NULL)
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

    /// One nameless column of a type as CQL writes it.
    pub fn of_type(text: &str) -> Result<Metadata> {
        let ty = Arc::new(parse_type(text).map_err(js_error)?);
        Ok(Metadata { columns: [ColumnSpec { keyspace: "".into(), table: "".into(), name: String::new(), ty }].into() })
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

/// What the next request's frame carries.
#[derive(Default)]
struct Frame {
    tracing: bool,
    payload: Vec<(String, Option<Vec<u8>>)>,
}

impl Frame {
    fn options(&self) -> FrameOptions<'_> {
        let custom_payload = self.payload.iter().map(|(name, value)| (name.as_str(), value.as_deref())).collect();
        FrameOptions { tracing: self.tracing, custom_payload, ..FrameOptions::default() }
    }
}

#[wasm_bindgen]
impl Conn {
    /// `established`: the handshake is over, and agreed on this compression, by its STARTUP name; "" for none.
    #[wasm_bindgen(constructor)]
    pub fn new(version: u8, established: bool, compression: &str) -> Result<Conn> {
        let unsupported = |what| js_error(wire::Error::new(ErrorKind::Unsupported, what, 0));
        let version = Version::from_number(version).ok_or_else(|| unsupported("version"))?;
        let compression = if compression.is_empty() { Some(Compression::None) } else { Compression::from_name(compression) };
        let compression = compression.filter(|c| version.has_compression(*c)).ok_or_else(|| unsupported("compression"))?;
        let inner = if established {
            conn::Conn::established(Role::Client, Dialect { compression, ..Dialect::new(version) })
        } else {
            conn::Conn::new(Role::Client, version)
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

    /// Bytes received, as frames; sent, as frames: see `conn::Traffic`.
    pub fn traffic(&self) -> Vec<f64> {
        let t = self.inner.traffic();
        [t.received, t.frames_received, t.sent, t.frames_sent].map(|bytes| bytes as f64).into()
    }

    // In.

    /// Room for the next bytes of the stream.
    pub fn receive(&mut self, length: usize) -> *mut u8 {
        self.page = None;
        self.slots = NullSlots::default();
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

    /// Tracing id, warnings and payload of the current frame.
    pub fn prefix(&self) -> Result<JsValue> {
        let (_, prefix, _) = self.inner.body().map_err(js_error)?;
        Ok(to_js(&JsPrefix::of(&prefix)))
    }

    /// The current frame's message as a plain object.
    pub fn message(&self) -> Result<JsValue> {
        Ok(to_js(&self.inner.response().map_err(js_error)?.1))
    }

    /// Metadata of the current frame: 0 the bind markers of PREPARED, 1 its result columns, 2 the columns that came with Rows.
    pub fn metadata(&self, which: u32) -> Result<Metadata> {
        let columns = match self.inner.response().map_err(js_error)?.1 {
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
        let Response::Result(ResultMessage::Rows(mut rows)) = self.inner.response().map_err(js_error)?.1 else {
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
        let page = Page::read_within(&rows, &columns, &mut self.slots).map_err(js_error)?;
        if source == 1 {
            // Only now: JavaScript hears nothing of a page that does not decode, and would go on with the columns it has.
            self.own_columns = Some(columns);
        }
        let span = |bytes: Option<&[u8]>| bytes.map_or([0, u32::MAX], |bytes| [bytes.as_ptr() as u32, bytes.len() as u32]);
        self.words.clear();
        self.words.extend([page.row_count as u32, page.columns.len() as u32, source]);
        self.words.extend(span(rows.metadata.paging_state));
        self.words.extend(span(rows.metadata.new_metadata_id));
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

    /// The next request carries this in its custom payload.
    pub fn payload(&mut self, name: String, value: Option<Vec<u8>>) {
        self.frame.payload.push((name, value));
    }

    /// STARTUP; options as key, value, key, value, …
    pub fn startup(&mut self, stream: i16, options: Vec<String>) -> Result<()> {
        let options = options.as_chunks::<2>().0.iter().map(|[key, value]| (key.as_str(), value.as_str())).collect();
        self.send(stream, &Request::Startup(Startup { options }))
    }

    /// OPTIONS
    pub fn options(&mut self, stream: i16) -> Result<()> {
        self.send(stream, &Request::Options)
    }

    /// PREPARE
    pub fn prepare(&mut self, stream: i16, query: &str, keyspace: Option<String>) -> Result<()> {
        self.send(stream, &Request::Prepare(Prepare { query, keyspace: keyspace.as_deref() }))
    }

    /// REGISTER
    pub fn register(&mut self, stream: i16, event_types: Vec<String>) -> Result<()> {
        let event_types = event_types.iter().map(String::as_str).collect();
        self.send(stream, &Request::Register(Register { event_types }))
    }

    /// AUTH_RESPONSE
    pub fn auth_response(&mut self, stream: i16, token: Option<Vec<u8>>) -> Result<()> {
        self.send(stream, &Request::AuthResponse(AuthResponse { token: token.as_deref() }))
    }

    fn send(&mut self, stream: i16, request: &Request<'_>) -> Result<()> {
        let frame = core::mem::take(&mut self.frame);
        self.inner.send(request, stream, &frame.options()).map_err(js_error)
    }

    // Out: requests that are built step by step; `conn::request` says in which order.

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
        self.inner.abort_request();
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

fn column_type(types: &Metadata, index: usize) -> Result<Arc<CqlType>> {
    let missing = || js_error(wire::Error::new(ErrorKind::WrongCount, "params.values", 0));
    Ok(types.columns.get(index).ok_or_else(missing)?.ty.clone())
}
