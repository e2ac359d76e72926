//! Descriptions of columns and bind markers (v5 §4.2.5.2):
//! `<flags><columns_count>[<paging_state>][<new_metadata_id>][<global_table_spec>?<col_spec_1>…<col_spec_n>]`.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::spec::Dialect;
use crate::spec::flag::metadata as flag;
use crate::value::{CqlType, TypeBudget};
use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// A column of a result, or a bind marker.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSpec {
    /// Keyspace of the table; shared by all columns where the server says it once.
    pub keyspace: Arc<str>,
    /// The table.
    pub table: Arc<str>,
    /// Alias, column or expression.
    pub name: String,
    /// Its type.
    pub ty: Arc<CqlType>,
}

/// What stands before the rows, also inside PREPARED.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct RowsMetadata<'a> {
    /// The flag of that name: the table is said once, for all columns. Servers set it also where they leave the columns out.
    #[cfg_attr(feature = "js", serde(skip))]
    pub global_table_spec: bool,
    /// Always sent, so that rows without metadata can be checked against the metadata they are read with.
    pub column_count: usize,
    /// Where the next page begins; `None` on the last page. Opaque, and only for this protocol version.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::optional_bytes"))]
    pub paging_state: Option<&'a [u8]>,
    /// The columns have changed: for the next EXECUTE.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::optional_bytes"))]
    pub new_metadata_id: Option<&'a [u8]>,
    /// `None` where the server left them out.
    #[cfg_attr(feature = "js", serde(skip))]
    pub columns: Option<Vec<ColumnSpec>>,
}

/// A description of columns as it came: the same bytes mean the same columns, and need not be read again.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenColumns {
    global_table_spec: bool,
    bytes: Vec<u8>,
    /// What they describe.
    pub columns: Arc<[ColumnSpec]>,
}

/// The columns that came with Rows.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnColumns {
    /// None did.
    Absent,
    /// Those that were seen last.
    Seen,
    /// Others.
    New(SeenColumns),
}

impl<'a> RowsMetadata<'a> {
    /// Reads the metadata of Rows.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<RowsMetadata<'a>> {
        let (metadata, flags) = RowsMetadata::decode_head(r, dialect)?;
        let columns = if flags & flag::NO_METADATA != 0 { None } else { Some(read_columns(r, flags, metadata.column_count)?) };
        Ok(RowsMetadata { columns, ..metadata })
    }

    /// The same, its columns apart, unless they are those of `last`.
    pub fn decode_after(r: &mut Reader<'a>, dialect: Dialect, last: Option<&SeenColumns>) -> Result<(RowsMetadata<'a>, OwnColumns)> {
        let (metadata, flags) = RowsMetadata::decode_head(r, dialect)?;
        if flags & flag::NO_METADATA != 0 {
            return Ok((metadata, OwnColumns::Absent));
        }
        let (global_table_spec, count) = (metadata.global_table_spec, metadata.column_count);
        if let Some(last) = last.filter(|last| last.global_table_spec == global_table_spec && last.columns.len() == count)
            && r.rest().starts_with(&last.bytes)
        {
            r.take(last.bytes.len(), "metadata.columns")?;
            return Ok((metadata, OwnColumns::Seen));
        }
        let (start, before) = (r.rest(), r.left());
        let columns = read_columns(r, flags, count)?.into();
        let bytes = start[..before - r.left()].into();
        Ok((metadata, OwnColumns::New(SeenColumns { global_table_spec, bytes, columns })))
    }

    /// What stands before the columns, and the flags.
    fn decode_head(r: &mut Reader<'a>, dialect: Dialect) -> Result<(RowsMetadata<'a>, u32)> {
        let here = r.clone();
        let flags = r.int_flags("metadata.flags")?;
        let column_count = read_column_count(r)?;
        // The paging state is there with No_metadata too: scylladb/scylla-rust-driver#1063.
        let paging_state = if flags & flag::HAS_MORE_PAGES != 0 { r.bytes("metadata.paging_state")? } else { None };
        let mut new_metadata_id = None;
        if flags & flag::METADATA_CHANGED != 0 {
            if flags & flag::NO_METADATA != 0 {
                return Err(here.error(ErrorKind::BadValue, "metadata.flags (Metadata_changed with No_metadata)"));
            }
            if !dialect.has_result_metadata_id() {
                return Err(here.error(ErrorKind::NotNegotiated, "metadata.flags (Metadata_changed)"));
            }
            new_metadata_id = Some(r.short_bytes("metadata.new_metadata_id")?);
        }
        let global_table_spec = flags & flag::GLOBAL_TABLE_SPEC != 0;
        Ok((RowsMetadata { global_table_spec, column_count, paging_state, new_metadata_id, columns: None }, flags))
    }

    /// Appends the metadata of Rows.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        let mut flags = if self.columns.is_none() { flag::NO_METADATA } else { 0 };
        if self.global_table_spec {
            flags |= flag::GLOBAL_TABLE_SPEC;
        }
        if self.paging_state.is_some() {
            flags |= flag::HAS_MORE_PAGES;
        }
        if self.new_metadata_id.is_some() {
            if self.columns.is_none() || !dialect.has_result_metadata_id() {
                return Err(Error::new(ErrorKind::Unsupported, "metadata.new_metadata_id", w.len()));
            }
            flags |= flag::METADATA_CHANGED;
        }
        if self.columns.as_ref().is_some_and(|columns| columns.len() != self.column_count) {
            return Err(Error::new(ErrorKind::ColumnCount, "metadata.columns_count", w.len()));
        }
        w.int_flags(flags);
        w.int_len(self.column_count, "metadata.columns_count")?;
        if let Some(state) = self.paging_state {
            w.bytes(Some(state), "metadata.paging_state")?;
        }
        if let Some(id) = self.new_metadata_id {
            w.short_bytes(id, "metadata.new_metadata_id")?;
        }
        self.columns.as_ref().map_or(Ok(()), |columns| put_columns(w, columns, self.global_table_spec, dialect))
    }
}

/// `<columns_count>`
pub(super) fn read_column_count(r: &mut Reader<'_>) -> Result<usize> {
    let here = r.clone();
    usize::try_from(r.int("metadata.columns_count")?).map_err(|_| here.error(ErrorKind::BadLength, "metadata.columns_count"))
}

/// True where all columns are of one table, and there are any: what servers then say once.
pub fn share_a_table(columns: &[ColumnSpec]) -> bool {
    let same = |pair: &[ColumnSpec]| pair[0].keyspace == pair[1].keyspace && pair[0].table == pair[1].table;
    !columns.is_empty() && columns.windows(2).all(same)
}

/// Appends what [`read_columns`] reads.
pub(super) fn put_columns(w: &mut Writer, columns: &[ColumnSpec], global: bool, dialect: Dialect) -> Result<()> {
    if global && !columns.is_empty() && !share_a_table(columns) {
        return Err(Error::new(ErrorKind::BadValue, "metadata.global_table_spec", w.len()));
    }
    for (index, column) in columns.iter().enumerate() {
        if index == 0 || !global {
            w.string(&column.keyspace, "metadata.keyspace")?;
            w.string(&column.table, "metadata.table")?;
        }
        w.string(&column.name, "metadata.name")?;
        column.ty.write(w, dialect)?;
    }
    Ok(())
}

/// `[<global_table_spec>?<col_spec_1>…<col_spec_n>]`
pub(super) fn read_columns(r: &mut Reader<'_>, flags: u32, count: usize) -> Result<Vec<ColumnSpec>> {
    let table_spec = |r: &mut Reader<'_>| -> Result<(Arc<str>, Arc<str>)> {
        Ok((r.string("metadata.keyspace")?.into(), r.string("metadata.table")?.into()))
    };
    let global = if flags & flag::GLOBAL_TABLE_SPEC != 0 && count > 0 { Some(table_spec(r)?) } else { None };
    let smallest = if global.is_some() { 4 } else { 8 }; // a name and a type; two more strings
    if count > r.left() / smallest {
        return Err(r.error(ErrorKind::Truncated, "metadata.columns"));
    }
    let mut budget = TypeBudget::default();
    let mut columns = Vec::with_capacity(count);
    for index in 0..count {
        columns.push(r.group("metadata.column", index, |r| {
            let (keyspace, table) = match &global {
                Some(spec) => spec.clone(),
                None => table_spec(r)?,
            };
            let name = r.string("metadata.name")?.into();
            Ok(ColumnSpec { keyspace, table, name, ty: Arc::new(CqlType::read(r, &mut budget)?) })
        })?);
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Version;

    /// Of one column `c` of type int, with the table said once or with the column: flags, count, table, name, type.
    fn metadata(global: u8, name: u8) -> Vec<u8> {
        [&[0, 0, 0, global, 0, 0, 0, 1, 0, 1, b'k', 0, 1, b't', 0, 1, name, 0, 9][..], b"rest"].concat()
    }

    fn read(bytes: &[u8], last: Option<&SeenColumns>) -> OwnColumns {
        let mut r = Reader::new(bytes);
        let (metadata, own) = RowsMetadata::decode_after(&mut r, Dialect::new(Version::V4), last).unwrap();
        assert_eq!((r.rest(), metadata.column_count), (&b"rest"[..], 1));
        let whole = RowsMetadata::decode(&mut Reader::new(bytes), Dialect::new(Version::V4)).unwrap();
        if let OwnColumns::New(new) = &own {
            assert_eq!(whole.columns.as_deref(), Some(&new.columns[..]));
        }
        own
    }

    #[test]
    fn the_same_bytes_are_the_same_columns_and_others_are_not() {
        let OwnColumns::New(seen) = read(&metadata(1, b'c'), None) else { panic!("nothing was seen before") };
        assert_eq!(read(&metadata(1, b'c'), Some(&seen)), OwnColumns::Seen);
        assert!(matches!(read(&metadata(1, b'd'), Some(&seen)), OwnColumns::New(_)));
        // The same bytes, the table said otherwise.
        assert!(matches!(read(&metadata(0, b'c'), Some(&seen)), OwnColumns::New(_)));
        let none = [0, 0, 0, 4, 0, 0, 0, 1, b'r', b'e', b's', b't'];
        assert_eq!(read(&none, Some(&seen)), OwnColumns::Absent);
    }
}
