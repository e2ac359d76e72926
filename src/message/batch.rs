//! BATCH (v5 §4.1.7):
//! `<type><n><query_1>…<query_n><consistency><flags>[<serial_consistency>][<timestamp>][<keyspace>][<now_in_seconds>]`, each query
//! `<kind><string_or_id><n>[<name_1>]<value_1>…`.
//!
//! The flags stand after the values, so a reader cannot know of names when it needs to; servers refuse them (CASSANDRA-10246) and so
//! does this. Several partitions in one batch are refused by the server above a size it is configured with.

use alloc::vec::Vec;

use super::params::{self, Bound, FlagsMark, RequestOptions, ValuesWriter};
use crate::spec::code::BATCH_TYPES;
use crate::spec::flag::query as flag;
use crate::spec::{Consistency, Dialect};
use crate::wire::{Error, ErrorKind, Mark, Reader, Result, Writer};

/// Several statements that are applied together.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Batch<'a> {
    /// 0 logged, 1 unlogged, 2 counter.
    #[cfg_attr(feature = "js", serde(rename = "type", serialize_with = "super::to_js::batch_type"))]
    pub batch_type: u8,
    /// At most 65,535.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::statements"))]
    pub statements: Vec<(Statement<'a>, Vec<Bound<'a>>)>,
    /// Of the operation.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
    pub consistency: Consistency,
    /// Without skip_metadata, page_size and paging_state.
    #[cfg_attr(feature = "js", serde(flatten))]
    pub options: RequestOptions<'a>,
}

/// One statement of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement<'a> {
    /// Kind 0: CQL.
    Text(&'a str),
    /// Kind 1: an id from PREPARED.
    Prepared(&'a [u8]),
}

impl<'a> Batch<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Batch<'a>> {
        let here = r.clone();
        let batch_type = r.byte("BATCH.type")?;
        if usize::from(batch_type) >= BATCH_TYPES.len() {
            return Err(here.error(ErrorKind::BadValue, "BATCH.type"));
        }
        let statements = r.short_list(5, "BATCH.queries", |r| {
            let kind = r.clone();
            let statement = match r.byte("BATCH.kind")? {
                0 => Statement::Text(r.long_string("BATCH.query")?),
                1 => Statement::Prepared(r.short_bytes("BATCH.id")?),
                _ => return Err(kind.error(ErrorKind::BadValue, "BATCH.kind")),
            };
            Ok((statement, r.short_list(4, "BATCH.values", |r| params::read_bound(r, dialect))?))
        })?;
        let consistency = r.consistency("BATCH.consistency")?;
        let flags = params::read_flags(r, dialect)?;
        if flags & flag::VALUE_NAMES != 0 {
            return Err(r.error(ErrorKind::BadValue, "BATCH.flags (names for values)"));
        }
        let no_paging = !(flag::VALUES | flag::SKIP_METADATA | flag::PAGE_SIZE | flag::PAGING_STATE);
        Ok(Batch { batch_type, statements, consistency, options: RequestOptions::decode(r, flags & no_paging, dialect)? })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        let mut writer = BatchWriter::open(w, self.batch_type, dialect)?;
        for (statement, values) in &self.statements {
            writer.open_statement(w, *statement)?;
            for value in values {
                writer.next_value(w)?;
                params::put_bound(w, *value, dialect)?;
            }
        }
        writer.close(w, self.consistency, &self.options)
    }
}

/// Writes one BATCH: `open`, then for each statement `open_statement` and its values, then `close`.
#[derive(Debug)]
pub struct BatchWriter {
    dialect: Dialect,
    mark: Mark,
    count: usize,
    values: Option<ValuesWriter>,
}

impl BatchWriter {
    /// Appends the type and keeps the place of the count.
    pub fn open(w: &mut Writer, batch_type: u8, dialect: Dialect) -> Result<BatchWriter> {
        if usize::from(batch_type) >= BATCH_TYPES.len() {
            return Err(Error::new(ErrorKind::BadValue, "BATCH.type", w.len()));
        }
        w.byte(batch_type);
        Ok(BatchWriter { dialect, mark: w.open_short(), count: 0, values: None })
    }

    /// Ends the statement before and begins the next.
    pub fn open_statement(&mut self, w: &mut Writer, statement: Statement<'_>) -> Result<()> {
        self.close_statement(w)?;
        w.has_room()?;
        match statement {
            Statement::Text(query) => {
                w.byte(0);
                w.long_string(query, "BATCH.query")?;
            }
            Statement::Prepared(id) => {
                w.byte(1);
                w.short_bytes(id, "BATCH.id")?;
            }
        }
        self.count += 1;
        self.values = Some(ValuesWriter::open(w));
        Ok(())
    }

    /// One `[value]` follows.
    pub fn next_value(&mut self, w: &mut Writer) -> Result<()> {
        let Some(values) = &mut self.values else { return Err(Error::new(ErrorKind::Misuse, "BATCH.values", w.len())) };
        values.next();
        Ok(())
    }

    fn close_statement(&mut self, w: &mut Writer) -> Result<()> {
        self.values.take().map_or(Ok(()), |values| values.close(w))
    }

    /// Appends consistency and options; patches the counts.
    pub fn close(mut self, w: &mut Writer, consistency: Consistency, options: &RequestOptions<'_>) -> Result<()> {
        self.close_statement(w)?;
        w.patch_short(self.mark, self.count, "BATCH.queries")?;
        if options.skip_metadata || options.page_size.is_some() || options.paging_state.is_some() {
            return Err(Error::new(ErrorKind::Unsupported, "BATCH.options (paging)", w.len()));
        }
        w.consistency(consistency);
        let mark = FlagsMark::open(w, self.dialect);
        let flags = options.encode(w, self.dialect)?;
        mark.close(w, flags, self.dialect);
        Ok(())
    }
}
