//! Responses as `scylla-cql` reads them; it writes none.

use std::collections::HashMap;
use std::net::SocketAddr;

use cqlwire::message::error::ErrorDetail;
use cqlwire::message::event::NodeChange;
use cqlwire::message::{self as ours, ColumnSpec, Event, Response, ResultMessage};
use cqlwire::spec::Dialect;
use cqlwire::value::CqlType;
use scylla_cql::frame::request::query::PagingStateResponse;
use scylla_cql::frame::response::error::{DbError, WriteType};
use scylla_cql::frame::response::event::{EventV2, SchemaChangeEvent, SchemaChangeType, StatusChangeEvent, TopologyChangeEvent};
use scylla_cql::frame::response::result::ResultWithDeserializedMetadata as Result;
use scylla_cql::frame::response::result::{ColumnSpec as TheirColumn, ResultMetadata};
use scylla_cql::frame::response::{ResponseOpcode, ResponseV2, ResponseWithDeserializedMetadataV2 as Theirs};

use crate::known::Gap;
use crate::sc_requests::{features, level};
use crate::sc_types::{column_type, thawed};

/// Why it cannot take this response, if it cannot.
pub fn gap(response: &Response<'_>) -> Option<Gap> {
    let columns = match response {
        Response::Result(ResultMessage::Rows(rows)) => vec![rows.metadata.columns.as_deref()],
        Response::Result(ResultMessage::Prepared(prepared)) => vec![Some(&prepared.bind[..]), prepared.result.columns.as_deref()],
        _ => vec![],
    };
    let mut types = columns.into_iter().flatten().flatten().map(|column| &column.ty);
    let not_taken = |ty: &std::sync::Arc<CqlType>| match column_type(ty) {
        None => Some(Gap::ScUnknownClass),
        Some(_) if has_empty_tuple(ty, false) => Some(Gap::ScEmptyTuple),
        Some(_) => None,
    };
    types.find_map(not_taken)
}

/// A tuple of nothing within a vector, whose class name has its elements.
fn has_empty_tuple(ty: &CqlType, in_class: bool) -> bool {
    match ty {
        CqlType::Tuple(items) => items.is_empty() && in_class || items.iter().any(|item| has_empty_tuple(item, in_class)),
        CqlType::Vector(element, _) => has_empty_tuple(element, true),
        CqlType::List(element) | CqlType::Set(element) => has_empty_tuple(element, in_class),
        CqlType::Map(key, value) => has_empty_tuple(key, in_class) || has_empty_tuple(value, in_class),
        CqlType::Udt(udt) => udt.fields.iter().any(|(_, field)| has_empty_tuple(field, in_class)),
        CqlType::Native(_) | CqlType::Custom(_) => false,
    }
}

/// What it reads is the response.
pub fn assert_same(ours: &Response<'_>, body: Vec<u8>, dialect: Dialect) {
    let opcode = ResponseOpcode::try_from(ours.opcode() as u8).unwrap();
    let theirs = ResponseV2::deserialize(&features(dialect), opcode, body.into(), None);
    let theirs = theirs.unwrap_or_else(|error| panic!("{error}: {ours:?}"));
    let theirs = theirs.deserialize_metadata().unwrap_or_else(|error| panic!("{error}: {ours:?}"));
    match (ours, theirs) {
        (Response::Ready, Theirs::Ready) => {}
        (Response::Authenticate(ours), Theirs::Authenticate(theirs)) => assert_eq!(ours.authenticator, theirs.authenticator_name),
        (Response::AuthChallenge(ours), Theirs::AuthChallenge(theirs)) => {
            assert_eq!(ours.token, theirs.authenticate_message.as_deref());
        }
        (Response::AuthSuccess(ours), Theirs::AuthSuccess(theirs)) => assert_eq!(ours.token, theirs.success_message.as_deref()),
        (Response::Supported(ours), Theirs::Supported(theirs)) => {
            let ours: HashMap<_, _> = ours.options.iter().map(|(key, values)| (String::from(*key), strings(values))).collect();
            assert_eq!(theirs.options, ours);
        }
        (Response::Event(ours), Theirs::Event(theirs)) => assert_eq!(format!("{theirs:?}"), format!("{:?}", event(ours))),
        (Response::Error(ours), Theirs::Error(theirs)) => {
            assert_eq!(theirs.reason, ours.message);
            assert_eq!(theirs.error, error(ours));
        }
        (Response::Result(ours), Theirs::Result(theirs)) => assert_same_result(ours, &theirs),
        (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| String::from(*text)).collect()
}

fn event(event: &Event<'_>) -> EventV2 {
    let address = |change: &NodeChange<'_>| SocketAddr::new(change.address, change.port as u16);
    match event {
        Event::TopologyChange(change) if change.change_type == "NEW_NODE" => {
            EventV2::TopologyChange(TopologyChangeEvent::NewNode(address(change)))
        }
        Event::TopologyChange(change) => EventV2::TopologyChange(TopologyChangeEvent::RemovedNode(address(change))),
        Event::StatusChange(change) if change.change_type == "UP" => EventV2::StatusChange(StatusChangeEvent::Up(address(change))),
        Event::StatusChange(change) => EventV2::StatusChange(StatusChangeEvent::Down(address(change))),
        Event::SchemaChange(change) => EventV2::SchemaChange(schema_change(change)),
        Event::ClientRoutesChange(_) | Event::Unknown(_) => panic!("not generated"), // `scylla.rs` has the first
    }
}

fn schema_change(change: &ours::SchemaChange<'_>) -> SchemaChangeEvent {
    let change_type = match change.change_type {
        "CREATED" => SchemaChangeType::Created,
        "UPDATED" => SchemaChangeType::Updated,
        _ => SchemaChangeType::Dropped,
    };
    let keyspace_name = change.keyspace.into();
    let name = change.name.unwrap_or_default().into();
    let arguments = strings(change.argument_types.as_deref().unwrap_or_default());
    match change.target {
        "KEYSPACE" => SchemaChangeEvent::KeyspaceChange { change_type, keyspace_name },
        "TABLE" => SchemaChangeEvent::TableChange { change_type, keyspace_name, object_name: name },
        "TYPE" => SchemaChangeEvent::TypeChange { change_type, keyspace_name, type_name: name },
        "FUNCTION" => SchemaChangeEvent::FunctionChange { change_type, keyspace_name, function_name: name, arguments },
        _ => SchemaChangeEvent::AggregateChange { change_type, keyspace_name, aggregate_name: name, arguments },
    }
}

fn error(error: &ours::ErrorMessage<'_>) -> DbError {
    match &error.detail {
        ErrorDetail::None {} => match error.code {
            0x0000 => DbError::ServerError,
            0x000a => DbError::ProtocolError,
            0x0100 => DbError::AuthenticationError,
            0x1001 => DbError::Overloaded,
            0x1002 => DbError::IsBootstrapping,
            0x1003 => DbError::TruncateError,
            0x2000 => DbError::SyntaxError,
            0x2100 => DbError::Unauthorized,
            0x2200 => DbError::Invalid,
            0x2300 => DbError::ConfigError,
            code => DbError::Other(code),
        },
        ErrorDetail::Unavailable { consistency, required, alive } => {
            DbError::Unavailable { consistency: level(*consistency), required: *required, alive: *alive }
        }
        ErrorDetail::WriteTimeout { consistency, received, block_for, write_type, contentions: None } => DbError::WriteTimeout {
            consistency: level(*consistency),
            received: *received,
            required: *block_for,
            write_type: WriteType::from(*write_type),
        },
        ErrorDetail::ReadTimeout { consistency, received, block_for, data_present } => DbError::ReadTimeout {
            consistency: level(*consistency),
            received: *received,
            required: *block_for,
            data_present: *data_present,
        },
        ErrorDetail::ReadFailure { consistency, received, block_for, failures, data_present } => DbError::ReadFailure {
            consistency: level(*consistency),
            received: *received,
            required: *block_for,
            numfailures: failures.count,
            data_present: *data_present,
        },
        ErrorDetail::WriteFailure { consistency, received, block_for, failures, write_type } => DbError::WriteFailure {
            consistency: level(*consistency),
            received: *received,
            required: *block_for,
            numfailures: failures.count,
            write_type: WriteType::from(*write_type),
        },
        ErrorDetail::FunctionFailure { keyspace, function, argument_types } => {
            DbError::FunctionFailure { keyspace: (*keyspace).into(), function: (*function).into(), arg_types: strings(argument_types) }
        }
        ErrorDetail::AlreadyExists { keyspace, table } => DbError::AlreadyExists { keyspace: (*keyspace).into(), table: (*table).into() },
        ErrorDetail::Unprepared { statement_id } => DbError::Unprepared { statement_id: statement_id.to_vec().into() },
        other => panic!("not of v4: {other:?}"),
    }
}

fn assert_same_result(ours: &ResultMessage<'_>, theirs: &Result) {
    match (ours, theirs) {
        (ResultMessage::Void, Result::Void) => {}
        (ResultMessage::SetKeyspace { keyspace }, Result::SetKeyspace(theirs)) => assert_eq!(*keyspace, theirs.keyspace_name),
        (ResultMessage::SchemaChange(ours), Result::SchemaChange(theirs)) => {
            assert_eq!(format!("{:?}", theirs.event), format!("{:?}", schema_change(ours)));
        }
        (ResultMessage::Rows(ours), Result::Rows((theirs, paging_state))) => {
            let state = match paging_state {
                PagingStateResponse::HasMorePages { state } => state.as_bytes_slice().map(|state| &state[..]),
                PagingStateResponse::NoMorePages => None,
            };
            assert_eq!(ours.metadata.paging_state, state);
            // It does not keep the count of columns that are not described.
            if ours.metadata.columns.is_some() {
                assert_same_metadata(&ours.metadata, theirs.metadata(), ours.metadata.new_metadata_id);
            }
            assert_eq!((ours.row_count, ours.cells), (theirs.rows_count(), &theirs.raw_rows()[..]));
        }
        (ResultMessage::Prepared(ours), Result::Prepared(theirs)) => {
            assert_eq!(ours.id, &theirs.id[..]);
            // It sorts them by index, and keeps the place of each.
            let mut indices = theirs.prepared_metadata.pk_indexes.clone();
            indices.sort_by_key(|index| index.sequence);
            assert_eq!(indices.iter().map(|index| index.index).collect::<Vec<_>>(), ours.pk_indices);
            assert_eq!(theirs.prepared_metadata.col_count, ours.bind.len());
            assert_same_columns(&ours.bind, &theirs.prepared_metadata.col_specs);
            let id = theirs.result_metadata.id().map(|_| ours.result_metadata_id);
            assert_same_metadata(&ours.result, &theirs.result_metadata, id);
        }
        (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
    }
}

fn assert_same_metadata(ours: &ours::RowsMetadata<'_>, theirs: &ResultMetadata<'_>, id: Option<&[u8]>) {
    assert_eq!(theirs.id(), id);
    assert_eq!(theirs.col_count(), ours.column_count);
    assert_same_columns(ours.columns.as_deref().unwrap_or_default(), theirs.col_specs());
}

fn assert_same_columns(ours: &[ColumnSpec], theirs: &[TheirColumn<'_>]) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        let table = theirs.table_spec();
        assert_eq!((&*ours.keyspace, &*ours.table, &*ours.name), (table.ks_name(), table.table_name(), theirs.name()));
        assert_same_type(&ours.ty, theirs);
    }
}

fn assert_same_type(ours: &CqlType, theirs: &TheirColumn<'_>) {
    assert_eq!(column_type(ours), Some(thawed(theirs.typ())));
}
