//! Messages that a connection of a dialect can carry, taken from the fuzzer's bytes. Written against the specification, field by field:
//! what a version has not is not in them, what has a fixed set of values has one of those.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::net::IpAddr;
use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};

use super::Random;
use super::types::any_type;
use crate::frame::Prefix;
use crate::message::error::{ErrorDetail, Failures};
use crate::message::event::{ClientRoutesChange, NodeChange, UnknownEvent};
use crate::message::metadata::share_a_table;
use crate::message::*;
use crate::spec::code::error as code;
use crate::spec::{Consistency, Dialect};

type U<'a> = Unstructured<'a>;

/// A request that may follow the handshake.
pub(super) fn request<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<Request<'a>> {
    Ok(match u.int_in_range(0..=6)? {
        0 => Request::Options,
        1 => Request::Query(Query { query: text(u)?, params: params(u, dialect)? }),
        2 => Request::Prepare(Prepare { query: text(u)?, keyspace: maybe(u, dialect.has_request_keyspace(), string)? }),
        3 => Request::Execute(Execute { id: bytes(u)?, result_metadata_id: metadata_id(u, dialect)?, params: params(u, dialect)? }),
        4 => {
            let statement = |u: &mut U<'a>| Ok(if u.arbitrary()? { Statement::Text(text(u)?) } else { Statement::Prepared(bytes(u)?) });
            let statements = list(u, |u| Ok((statement(u)?, list(u, |u| bound(u, dialect))?)))?;
            let options = RequestOptions { skip_metadata: false, page_size: None, paging_state: None, ..options(u, dialect)? };
            Request::Batch(Batch { batch_type: u.int_in_range(0..=2)?, statements, consistency: consistency(u)?, options })
        }
        5 => Request::Register(Register { event_types: list(u, string)? }),
        _ => Request::AuthResponse(AuthResponse { token: u.arbitrary()? }),
    })
}

/// A response that may follow the handshake.
pub(super) fn response<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<Response<'a>> {
    Ok(match u.int_in_range(0..=11)? {
        0 | 1 => error(u, dialect).map(Response::Error)?,
        2 => Response::Supported(Supported { options: list(u, |u| Ok((string(u)?, list(u, string)?)))? }),
        3 => Response::Event(match u.int_in_range(0..=4)? {
            0 => Event::TopologyChange(node_change(u)?),
            1 => Event::StatusChange(node_change(u)?),
            2 => Event::SchemaChange(schema_change(u)?),
            3 => Event::ClientRoutesChange(ClientRoutesChange {
                change_type: string(u)?,
                connection_ids: list(u, string)?,
                host_ids: list(u, string)?,
            }),
            _ => Event::Unknown(UnknownEvent { event_type: u.choose(&["", "CLIENT_ROUTES", "é"])?, body: bytes(u)? }),
        }),
        4 => Response::AuthChallenge(AuthChallenge { token: u.arbitrary()? }),
        5 => Response::AuthSuccess(AuthSuccess { token: u.arbitrary()? }),
        6 => Response::Ready,
        7 => Response::Result(ResultMessage::Void),
        8 => Response::Result(ResultMessage::SetKeyspace { keyspace: string(u)? }),
        9 => Response::Result(ResultMessage::SchemaChange(schema_change(u)?)),
        10 => Response::Result(ResultMessage::Prepared(Prepared {
            id: bytes(u)?,
            result_metadata_id: metadata_id(u, dialect)?,
            is_lwt: dialect.features.lwt_mask.is_some() && u.arbitrary()?,
            pk_indices: if dialect.has_pk_indices() { list(u, U::arbitrary)? } else { vec![] },
            bind: columns(u)?,
            result: rows_metadata(u, dialect)?,
        })),
        _ => {
            let metadata = rows_metadata(u, dialect)?;
            let cells = if u.ratio(1, 30)? { long(u)?.as_bytes() } else { bytes(u)? };
            let most = (cells.len() / 4).checked_div(metadata.column_count).unwrap_or(65_536); // of no columns as many as we read
            Response::Result(ResultMessage::Rows(Rows { metadata, row_count: u.int_in_range(0..=most)?, cells, cells_at: 0 }))
        }
    })
}

/// What stands before a response.
pub(super) fn prefix<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<Prefix<'a>> {
    let tracing_id = u.arbitrary()?;
    if !dialect.has_warnings_and_payload() {
        return Ok(Prefix { tracing_id, ..Prefix::default() });
    }
    Ok(Prefix { tracing_id, warnings: list(u, string)?, custom_payload: list(u, |u| Ok((string(u)?, u.arbitrary()?)))? })
}

// Notations.

fn list<'a, T>(u: &mut U<'a>, mut item: impl FnMut(&mut U<'a>) -> Result<T>) -> Result<Vec<T>> {
    (0..u.int_in_range(0..=3)?).map(|_| item(u)).collect()
}

fn maybe<'a, T>(u: &mut U<'a>, can_be: bool, item: impl FnOnce(&mut U<'a>) -> Result<T>) -> Result<Option<T>> {
    if can_be && u.arbitrary()? { item(u).map(Some) } else { Ok(None) }
}

fn string<'a>(u: &mut U<'a>) -> Result<&'a str> {
    u.arbitrary()
}

fn bytes<'a>(u: &mut U<'a>) -> Result<&'a [u8]> {
    u.arbitrary()
}

/// A `[long string]`: now and then longer than a segment.
fn text<'a>(u: &mut U<'a>) -> Result<&'a str> {
    if u.ratio(1, 30)? { long(u) } else { string(u) }
}

/// A long text: one that compresses well, or one that does not.
fn long<'a>(u: &mut U<'_>) -> Result<&'a str> {
    const LENGTH: usize = 300_000;
    static ALIKE: LazyLock<String> = LazyLock::new(|| "cql ".repeat(LENGTH / 4));
    static NOISE: LazyLock<String> = LazyLock::new(|| {
        let mut random = Random::new(0);
        (0..LENGTH).map(|_| (b' ' + random.below(95) as u8) as char).collect()
    });
    let text: &'static str = if u.arbitrary()? { &ALIKE } else { &NOISE };
    Ok(&text[..u.int_in_range(0..=LENGTH)?])
}

fn consistency(u: &mut U<'_>) -> Result<Consistency> {
    u.arbitrary().map(Consistency)
}

fn metadata_id<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<&'a [u8]> {
    if dialect.has_result_metadata_id() { bytes(u) } else { Ok(&[]) }
}

// Parts of requests.

fn bound<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<Bound<'a>> {
    Ok(match u.int_in_range(0..=3)? {
        0 => Bound::Null,
        1 if dialect.has_unset() => Bound::Unset,
        _ => Bound::Bytes(bytes(u)?),
    })
}

fn params<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<Params<'a>> {
    let values = maybe(u, true, |u| list(u, |u| bound(u, dialect)))?;
    let names = match &values {
        Some(values) if u.arbitrary()? => values.iter().map(|_| string(u)).collect::<Result<_>>()?,
        _ => vec![],
    };
    Ok(Params { consistency: consistency(u)?, values, names, options: options(u, dialect)? })
}

fn options<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<RequestOptions<'a>> {
    Ok(RequestOptions {
        skip_metadata: u.arbitrary()?,
        page_size: u.arbitrary()?,
        paging_state: u.arbitrary()?,
        serial_consistency: maybe(u, true, |u| u.choose(&[Consistency::Serial, Consistency::LocalSerial]).copied())?,
        timestamp: u.arbitrary()?,
        keyspace: maybe(u, dialect.has_request_keyspace(), string)?,
        now_in_seconds: maybe(u, dialect.has_now_in_seconds(), U::arbitrary)?,
    })
}

// Parts of responses.

fn columns(u: &mut U<'_>) -> Result<Vec<ColumnSpec>> {
    let table = |u: &mut U<'_>| -> Result<Arc<str>> { Ok((*u.choose(&["k", "t", ""])?).into()) };
    let column =
        |u: &mut U<'_>| Ok(ColumnSpec { keyspace: table(u)?, table: table(u)?, name: string(u)?.into(), ty: any_type(u, 3)?.into() });
    list(u, column)
}

fn rows_metadata<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<RowsMetadata<'a>> {
    let columns = maybe(u, true, columns)?;
    let column_count = match &columns {
        Some(columns) => columns.len(),
        None => u.int_in_range(0..=9)?,
    };
    // Servers say the table once where they can; with no columns the flag says nothing.
    let can_share = columns.as_ref().is_none_or(|columns| columns.is_empty() || share_a_table(columns));
    let can_change = columns.is_some() && dialect.has_result_metadata_id();
    Ok(RowsMetadata {
        global_table_spec: can_share && u.arbitrary()?,
        column_count,
        paging_state: u.arbitrary()?,
        new_metadata_id: maybe(u, can_change, bytes)?,
        columns,
    })
}

fn node_change<'a>(u: &mut U<'a>) -> Result<NodeChange<'a>> {
    Ok(NodeChange { change_type: string(u)?, address: address(u)?, port: u.arbitrary()? })
}

fn address(u: &mut U<'_>) -> Result<IpAddr> {
    Ok(if u.arbitrary()? { IpAddr::V4(u.arbitrary()?) } else { IpAddr::V6(u.arbitrary()?) })
}

fn schema_change<'a>(u: &mut U<'a>) -> Result<SchemaChange<'a>> {
    let target = *u.choose(&["KEYSPACE", "TABLE", "TYPE", "FUNCTION", "AGGREGATE", "VIEW"])?;
    Ok(SchemaChange {
        change_type: string(u)?,
        target,
        keyspace: string(u)?,
        name: if target == "KEYSPACE" { None } else { Some(string(u)?) },
        argument_types: if matches!(target, "FUNCTION" | "AGGREGATE") { Some(list(u, string)?) } else { None },
    })
}

/// An error with the fields that its code has in this version (v3 to v5, "Error codes").
fn error<'a>(u: &mut U<'a>, dialect: Dialect) -> Result<ErrorMessage<'a>> {
    let code = match (u.int_in_range(0..=9)?, dialect.features.rate_limit_error) {
        (0, _) => u.arbitrary()?,
        (1, Some(code)) => code,
        _ => u.choose(code::ERRORS)?.0,
    };
    let message = string(u)?;
    let (consistency, received, block_for) = (consistency(u)?, u.arbitrary()?, u.arbitrary()?);
    let detail = match code {
        code::UNAVAILABLE => ErrorDetail::Unavailable { consistency, required: received, alive: block_for },
        code::WRITE_TIMEOUT => {
            let write_type = *u.choose(&["SIMPLE", "CAS", "CDC", ""])?;
            let contentions = if write_type == "CAS" && dialect.has_contentions() { Some(u.arbitrary()?) } else { None };
            ErrorDetail::WriteTimeout { consistency, received, block_for, write_type, contentions }
        }
        code::READ_TIMEOUT => ErrorDetail::ReadTimeout { consistency, received, block_for, data_present: u.arbitrary()? },
        code::READ_FAILURE if dialect.has_failure_errors() => {
            let failures = failures(u, dialect)?;
            ErrorDetail::ReadFailure { consistency, received, block_for, failures, data_present: u.arbitrary()? }
        }
        code::WRITE_FAILURE if dialect.has_failure_errors() => {
            let failures = failures(u, dialect)?;
            ErrorDetail::WriteFailure { consistency, received, block_for, failures, write_type: string(u)? }
        }
        code::FUNCTION_FAILURE if dialect.has_failure_errors() => {
            ErrorDetail::FunctionFailure { keyspace: string(u)?, function: string(u)?, argument_types: list(u, string)? }
        }
        code::CAS_WRITE_UNKNOWN if dialect.has_cas_write_unknown() => ErrorDetail::CasWriteUnknown { consistency, received, block_for },
        code::ALREADY_EXISTS => ErrorDetail::AlreadyExists { keyspace: string(u)?, table: string(u)? },
        code::UNPREPARED => ErrorDetail::Unprepared { statement_id: bytes(u)? },
        code if dialect.is_rate_limit_error(code) => {
            ErrorDetail::RateLimit { op_type: u.arbitrary()?, rejected_by_coordinator: u.arbitrary()? }
        }
        _ => ErrorDetail::None {},
    };
    Ok(ErrorMessage { code, message, detail })
}

fn failures(u: &mut U<'_>, dialect: Dialect) -> Result<Failures> {
    if !dialect.has_failure_reasons() {
        return Ok(Failures { count: u.arbitrary()?, reasons: vec![] });
    }
    let reasons = list(u, |u| Ok((address(u)?, u.arbitrary()?)))?;
    Ok(Failures { count: reasons.len() as i32, reasons })
}
