//! Prepared (v5 §4.2.5.4): `<id>[<result_metadata_id>]<metadata><result_metadata>`. The first metadata describes the bind markers and has,
//! since v4, `<pk_count>[<pk_index_1>…]` after its column count; the metadata id is v5's, or of Scylla, Negotiate sending metadata id; the
//! mark in the first metadata's flags is of Scylla, LWT prepared statements metadata mark.

use alloc::vec::Vec;

use super::metadata::{self, ColumnSpec, RowsMetadata};
use crate::spec::Dialect;
use crate::spec::flag::metadata as flag;
use crate::wire::{Reader, Result, Writer};

/// The answer to PREPARE.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Prepared<'a> {
    /// For EXECUTE and BATCH.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bytes"))]
    pub id: &'a [u8],
    /// For EXECUTE; empty where the dialect has none.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bytes"))]
    pub result_metadata_id: &'a [u8],
    /// Bind markers that make the partition key, in its order; empty where it cannot be told.
    pub pk_indices: Vec<u16>,
    /// The statement is conditional (a lightweight transaction). False where the dialect has no mark for it, whatever the statement is.
    pub is_lwt: bool,
    /// The bind markers. Written with their table said once where they share it, as servers do.
    #[cfg_attr(feature = "js", serde(skip))]
    pub bind: Vec<ColumnSpec>,
    /// The columns of the rows it will give; none for what is not a SELECT.
    #[cfg_attr(feature = "js", serde(skip))]
    pub result: RowsMetadata<'a>,
}

impl<'a> Prepared<'a> {
    /// Reads what follows the kind.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<Prepared<'a>> {
        let id = r.short_bytes("PREPARED.id")?;
        let result_metadata_id = if dialect.has_result_metadata_id() { r.short_bytes("PREPARED.result_metadata_id")? } else { &[] };
        let (flags, pk_indices, bind) = r.group("bind", None, |r| read_bind(r, dialect))?;
        let is_lwt = dialect.features.lwt_mask.is_some_and(|mask| flags & mask == mask);
        let result = r.group("result", None, |r| RowsMetadata::decode(r, dialect))?;
        Ok(Prepared { id, result_metadata_id, pk_indices, is_lwt, bind, result })
    }

    /// Appends what follows the kind. Indices and metadata id only where the version has them, and the mark only where it was agreed:
    /// as a server that knows of any says it.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        w.short_bytes(self.id, "PREPARED.id")?;
        if dialect.has_result_metadata_id() {
            w.short_bytes(self.result_metadata_id, "PREPARED.result_metadata_id")?;
        }
        let global = metadata::share_a_table(&self.bind);
        let mark = if self.is_lwt { dialect.features.lwt_mask.unwrap_or(0) } else { 0 };
        w.int_flags(if global { flag::GLOBAL_TABLE_SPEC | mark } else { mark });
        w.int_len(self.bind.len(), "PREPARED.columns_count")?;
        if dialect.has_pk_indices() {
            w.int_len(self.pk_indices.len(), "PREPARED.pk_count")?;
            self.pk_indices.iter().for_each(|index| w.short(*index));
        }
        metadata::put_columns(w, &self.bind, global, dialect)?;
        self.result.encode(w, dialect)
    }
}

/// The metadata of the bind markers: flags, places of the partition key, markers.
fn read_bind(r: &mut Reader<'_>, dialect: Dialect) -> Result<(u32, Vec<u16>, Vec<ColumnSpec>)> {
    let flags = r.int_flags("PREPARED.flags")?;
    let count = metadata::read_column_count(r)?;
    let mut pk_indices = Vec::new();
    if dialect.has_pk_indices() {
        let pk_count = r.count(2, "PREPARED.pk_count")?;
        pk_indices = (0..pk_count).map(|_| r.short("PREPARED.pk_index")).collect::<Result<_>>()?;
    }
    let bind = if flags & flag::NO_METADATA != 0 { Vec::new() } else { metadata::read_columns(r, flags, count)? };
    Ok((flags, pk_indices, bind))
}
