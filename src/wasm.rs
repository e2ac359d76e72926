//! L6: the JavaScript boundary; nothing outside it names wasm-bindgen. Integers cross; hot results cross as a table of words per
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

use crate::column::NullSlots;
use crate::conn::{self, FrameOptions, Role};
use crate::frame::Prefix;
use crate::frame::prefix::Payload;
use crate::message::{ColumnSpec, SeenColumns};
use crate::route;
use crate::spec::{Compression, Dialect, Limits, Version, limit};
use crate::value::{Binder, CqlType, parse_uuid};
use crate::wire::{self, ErrorKind, Writer};
use shapes::{JsColumn, JsError, JsScylla, JsTablet, Tables};

mod bind;
mod from_js;
mod read;
mod shapes;
mod table;
mod write;

type Result<T> = core::result::Result<T, JsValue>;

#[cold]
fn js_error(error: wire::Error) -> JsValue {
    to_js(&JsError::of(error, String::new()))
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

/// Columns of a result, bind markers of a statement with its ids, or one type: shared, immutable.
#[wasm_bindgen]
pub struct Metadata {
    columns: Arc<[ColumnSpec]>,
    id: Vec<u8>,
    result_metadata_id: Vec<u8>,
}

impl Metadata {
    fn of(columns: Arc<[ColumnSpec]>) -> Metadata {
        Metadata { columns, id: Vec::new(), result_metadata_id: Vec::new() }
    }
}

#[wasm_bindgen]
impl Metadata {
    /// Names and types, for JavaScript to keep.
    pub fn describe(&self) -> Result<JsValue> {
        Ok(to_js(&self.columns.iter().map(JsColumn::of).collect::<Vec<_>>()))
    }

    /// Columns as `describe` gives them, or with less: the type alone, as its object or as CQL writes it.
    pub fn of_columns(columns: &JsValue) -> Result<Metadata> {
        Ok(Metadata::of(from_js::columns(columns).map_err(js_error)?.into()))
    }

    /// Those of the statement that has these ids.
    pub fn of_statement(&self, id: Vec<u8>, result_metadata_id: Vec<u8>) -> Metadata {
        Metadata { columns: self.columns.clone(), id, result_metadata_id }
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
    page: Option<table::LaidOut>,
    cell: Vec<u8>,
    /// That came with rows last time.
    own_columns: Option<SeenColumns>,
    /// For the pages of the bytes that came last.
    slots: NullSlots,
    failed_step: usize,
    flushed: usize,
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
            failed_step: 0,
            flushed: 0,
        })
    }

    /// A server that has the version it was made with and no other.
    pub fn fix_version(&mut self) {
        self.inner.fix_version();
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
}

fn column_type(types: &Metadata, index: usize) -> wire::Result<&Arc<CqlType>> {
    Ok(&types.columns.get(index).ok_or(wire::Error::new(ErrorKind::WrongCount, "params.values", 0))?.ty)
}
