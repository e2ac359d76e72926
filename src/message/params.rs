//! What QUERY, EXECUTE and BATCH share (v5 §4.1.4):
//! `<consistency><flags>[<n>[name_1]<value_1>…][<page_size>][<paging_state>][<serial_consistency>][<timestamp>][<keyspace>][<now_in_seconds>]`.
//!
//! [`ParamsWriter`] is the one writer: flags and counts are patched when it closes, so values can be appended one by one.

use alloc::vec::Vec;

use crate::spec::flag::query as flag;
use crate::spec::{Consistency, Dialect};
use crate::wire::{Error, ErrorKind, Mark, NULL, Reader, Result, UNSET, Writer};

/// A `[value]` as it stands in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound<'a> {
    /// Length -1; in v3 any negative length.
    Null,
    /// Length -2 (v4).
    Unset,
    /// A serialised cell.
    Bytes(&'a [u8]),
}

/// The options of a request. What is `None` is not sent.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct RequestOptions<'a> {
    /// Rows without their columns' description: the caller has it from PREPARED. Not in BATCH.
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "super::to_js::is_false"))]
    pub skip_metadata: bool,
    /// Rows a page. Not in BATCH.
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
    pub page_size: Option<i32>,
    /// Where to go on. Not in BATCH.
    #[cfg_attr(
        feature = "js",
        serde(rename = "pageState", serialize_with = "super::to_js::optional_bytes", skip_serializing_if = "Option::is_none")
    )]
    pub paging_state: Option<&'a [u8]>,
    /// SERIAL or LOCAL_SERIAL.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::optional_consistency", skip_serializing_if = "Option::is_none"))]
    pub serial_consistency: Option<Consistency>,
    /// Microseconds since 1970.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bigint", skip_serializing_if = "Option::is_none"))]
    pub timestamp: Option<i64>,
    /// Instead of the connection's keyspace (v5).
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
    pub keyspace: Option<&'a str>,
    /// The server's idea of now, for tests of time to live (v5).
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
    pub now_in_seconds: Option<i32>,
}

/// Consistency, values and options of a QUERY or EXECUTE.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Params<'a> {
    /// Of the operation.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
    pub consistency: Consistency,
    /// In the order of the markers. `None` and an empty list differ on the wire, not in meaning.
    #[cfg_attr(feature = "js", serde(rename = "params", skip_serializing_if = "Option::is_none"))]
    pub values: Option<Vec<Bound<'a>>>,
    /// As many as values, or empty: values go by place.
    #[cfg_attr(feature = "js", serde(skip_serializing_if = "Vec::is_empty"))]
    pub names: Vec<&'a str>,
    /// The rest.
    #[cfg_attr(feature = "js", serde(flatten))]
    pub options: RequestOptions<'a>,
}

impl<'a> Params<'a> {
    /// Reads consistency to end.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Params<'a>> {
        let consistency = r.consistency("params.consistency")?;
        let flags = read_flags(r, dialect)?;
        let mut params = Params { consistency, values: None, names: Vec::new(), options: RequestOptions::default() };
        if flags & flag::VALUES != 0 {
            let mut names = Vec::new();
            let with_names = flags & flag::VALUE_NAMES != 0;
            params.values = Some(r.short_list(if with_names { 6 } else { 4 }, "params.values", |r| {
                if with_names {
                    names.push(r.string("params.name")?);
                }
                read_bound(r, dialect)
            })?);
            params.names = names;
        }
        params.options = RequestOptions::decode(r, flags, dialect)?;
        Ok(params)
    }

    /// Appends values and options to what [`ParamsWriter::open`] began.
    pub fn encode(&self, mut writer: ParamsWriter, w: &mut Writer) -> Result<()> {
        if let Some(values) = &self.values {
            if !self.names.is_empty() && self.names.len() != values.len() {
                return Err(Error::new(ErrorKind::WrongCount, "params.names", w.len()));
            }
            writer.open_values(w, !self.names.is_empty())?;
            for (index, value) in values.iter().enumerate() {
                writer.next_value(w, self.names.get(index).copied())?;
                put_bound(w, *value, writer.dialect)?;
            }
        }
        writer.close(w, &self.options)
    }
}

impl<'a> RequestOptions<'a> {
    /// Reads what `flags` announce. Flags that are not defined are ignored, as servers do.
    pub fn decode(r: &mut Reader<'a>, flags: u32, dialect: Dialect) -> Result<RequestOptions<'a>> {
        let mut options = RequestOptions { skip_metadata: flags & flag::SKIP_METADATA != 0, ..RequestOptions::default() };
        if flags & flag::PAGE_SIZE != 0 {
            options.page_size = Some(r.int("params.page_size")?);
        }
        if flags & flag::PAGING_STATE != 0 {
            options.paging_state = r.bytes("params.paging_state")?;
        }
        if flags & flag::SERIAL_CONSISTENCY != 0 {
            options.serial_consistency = Some(r.consistency("params.serial_consistency")?);
        }
        if flags & flag::TIMESTAMP != 0 {
            options.timestamp = Some(r.long("params.timestamp")?);
        }
        if flags & flag::KEYSPACE != 0 && dialect.has_request_keyspace() {
            options.keyspace = Some(r.string("params.keyspace")?);
        }
        if flags & flag::NOW_IN_SECONDS != 0 && dialect.has_now_in_seconds() {
            options.now_in_seconds = Some(r.int("params.now_in_seconds")?);
        }
        Ok(options)
    }

    /// Appends what is set, and returns its flags. What the dialect lacks is refused by name.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<u32> {
        let mut flags = 0;
        if self.skip_metadata {
            flags |= flag::SKIP_METADATA;
        }
        if let Some(size) = self.page_size {
            flags |= flag::PAGE_SIZE;
            w.int(size);
        }
        if let Some(state) = self.paging_state {
            flags |= flag::PAGING_STATE;
            w.bytes(Some(state), "params.paging_state")?;
        }
        if let Some(level) = self.serial_consistency {
            if !level.is_serial() {
                return Err(Error::new(ErrorKind::BadValue, "params.serial_consistency", w.len()));
            }
            flags |= flag::SERIAL_CONSISTENCY;
            w.consistency(level);
        }
        if let Some(timestamp) = self.timestamp {
            flags |= flag::TIMESTAMP;
            w.long(timestamp);
        }
        if let Some(keyspace) = self.keyspace {
            supported(dialect.has_request_keyspace(), "params.keyspace", w)?;
            flags |= flag::KEYSPACE;
            w.string(keyspace, "params.keyspace")?;
        }
        if let Some(now) = self.now_in_seconds {
            supported(dialect.has_now_in_seconds(), "params.now_in_seconds", w)?;
            flags |= flag::NOW_IN_SECONDS;
            w.int(now);
        }
        Ok(flags)
    }
}

pub(super) fn supported(has: bool, what: &'static str, w: &Writer) -> Result<()> {
    if has { Ok(()) } else { Err(Error::new(ErrorKind::Unsupported, what, w.len())) }
}

/// Reads a `[value]` (v4 §3), whose negative lengths other than -1 and -2 are errors; v3 has `[bytes]` there, null at any of them.
pub(super) fn read_bound<'a>(r: &mut Reader<'a>, dialect: Dialect) -> Result<Bound<'a>> {
    let here = r.clone();
    Ok(match r.bytes("params.value")? {
        Some(bytes) => Bound::Bytes(bytes),
        None if !dialect.has_unset() || here.rest().starts_with(&NULL) => Bound::Null,
        None if here.rest().starts_with(&UNSET) => Bound::Unset,
        None => return Err(here.error(ErrorKind::BadLength, "params.value")),
    })
}

/// Appends a `[value]`.
pub(super) fn put_bound(w: &mut Writer, value: Bound<'_>, dialect: Dialect) -> Result<()> {
    match value {
        Bound::Null => w.put(&NULL),
        Bound::Unset => {
            supported(dialect.has_unset(), "params.value (unset)", w)?;
            w.put(&UNSET);
        }
        Bound::Bytes(bytes) => w.bytes(Some(bytes), "params.value")?,
    }
    Ok(())
}

/// Reads flags of the dialect's width.
pub(super) fn read_flags(r: &mut Reader<'_>, dialect: Dialect) -> Result<u32> {
    if dialect.has_int_query_flags() { r.int_flags("params.flags") } else { r.byte("params.flags").map(u32::from) }
}

/// Flags whose place is kept until they are known.
#[derive(Debug)]
pub(super) struct FlagsMark(usize);

impl FlagsMark {
    pub(super) fn open(w: &mut Writer, dialect: Dialect) -> FlagsMark {
        FlagsMark(w.reserve(if dialect.has_int_query_flags() { 4 } else { 1 }))
    }

    pub(super) fn close(self, w: &mut Writer, flags: u32, dialect: Dialect) {
        let place = w.tail_mut(self.0);
        if dialect.has_int_query_flags() {
            place[..4].copy_from_slice(&flags.to_be_bytes());
        } else {
            place[0] = flags as u8; // the flags beyond a byte are v5's own, refused before
        }
    }
}

/// A `[short]` count of values whose place is kept, and the values so far.
#[derive(Debug)]
pub struct ValuesWriter {
    mark: Mark,
    count: usize,
}

impl ValuesWriter {
    /// Keeps the place of the count.
    pub fn open(w: &mut Writer) -> ValuesWriter {
        ValuesWriter { mark: w.open_short(), count: 0 }
    }

    /// Counts one more value.
    pub fn next(&mut self) {
        self.count += 1;
    }

    /// Values so far.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Patches the count.
    pub fn close(self, w: &mut Writer) -> Result<()> {
        w.patch_short(self.mark, self.count, "params.values")
    }
}

/// Writes the parameters of one QUERY or EXECUTE: `open`, values, `close`.
#[derive(Debug)]
pub struct ParamsWriter {
    dialect: Dialect,
    flags_mark: FlagsMark,
    flags: u32,
    values: Option<ValuesWriter>,
}

impl ParamsWriter {
    /// Appends the consistency and keeps the place of the flags.
    pub fn open(w: &mut Writer, consistency: Consistency, dialect: Dialect) -> ParamsWriter {
        w.consistency(consistency);
        ParamsWriter { dialect, flags_mark: FlagsMark::open(w, dialect), flags: 0, values: None }
    }

    /// Values follow, each with its name or none.
    pub fn open_values(&mut self, w: &mut Writer, with_names: bool) -> Result<()> {
        if self.values.is_some() {
            return Err(Error::new(ErrorKind::Misuse, "params.values", w.len()));
        }
        self.flags |= flag::VALUES | if with_names { flag::VALUE_NAMES } else { 0 };
        self.values = Some(ValuesWriter::open(w));
        Ok(())
    }

    /// One `[value]` follows. Named if the values were opened so.
    pub fn next_value(&mut self, w: &mut Writer, name: Option<&str>) -> Result<()> {
        let Some(values) = &mut self.values else { return Err(Error::new(ErrorKind::Misuse, "params.values", w.len())) };
        if name.is_some() != (self.flags & flag::VALUE_NAMES != 0) {
            return Err(Error::new(ErrorKind::Misuse, "params.name", w.len()));
        }
        values.next();
        name.map_or(Ok(()), |name| w.string(name, "params.name"))
    }

    /// Values so far.
    pub fn count(&self) -> usize {
        self.values.as_ref().map_or(0, ValuesWriter::count)
    }

    /// Appends the options; patches count and flags.
    pub fn close(self, w: &mut Writer, options: &RequestOptions<'_>) -> Result<()> {
        if let Some(values) = self.values {
            values.close(w)?;
        }
        let flags = self.flags | options.encode(w, self.dialect)?;
        self.flags_mark.close(w, flags, self.dialect);
        Ok(())
    }
}
