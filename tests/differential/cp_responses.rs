//! Responses as `cassandra-protocol` has them.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use cassandra_protocol::frame::events::{
    SchemaChange, SchemaChangeOptions, SchemaChangeTarget, SchemaChangeType, ServerEvent, StatusChange, StatusChangeType, TopologyChange,
    TopologyChangeType,
};
use cassandra_protocol::frame::message_error::*;
use cassandra_protocol::frame::message_response::ResponseBody;
use cassandra_protocol::frame::message_result::{
    ColSpec, ColType, ColTypeOption, ColTypeOptionValue, ResResultBody, RowsMetadata, TableSpec,
};
use cassandra_protocol::frame::{Serialize, Version};
use cassandra_protocol::types::CBytesShort;
use cqlwire::message::error::{ErrorDetail, Failures};
use cqlwire::message::event::NodeChange;
use cqlwire::message::{self as ours, ColumnSpec, Event, Response, ResultMessage};
use cqlwire::spec::Dialect;
use cqlwire::value::{CqlType, parse_class};
use cqlwire::wire::Reader;

use crate::cp_requests::{bytes, level};
use crate::known::Gap;

/// Why it cannot take this response, if it cannot.
pub fn gap(response: &Response<'_>, dialect: Dialect) -> Option<Gap> {
    let is_v5 = dialect.has_contentions();
    match response {
        Response::Error(error) => match &error.detail {
            ErrorDetail::None {} if matches!(error.code, 0x1600 | 0x3333) => Some(Gap::CpErrorCodes),
            ErrorDetail::CasWriteUnknown { .. } => Some(Gap::CpErrorCodes),
            ErrorDetail::WriteTimeout { write_type: "CAS", .. } if !is_v5 => Some(Gap::CpContentions),
            ErrorDetail::ReadFailure { failures, .. } | ErrorDetail::WriteFailure { failures, .. } if !failures.reasons.is_empty() => {
                Some(Gap::CpFailureReasons)
            }
            _ => None,
        },
        Response::Result(ResultMessage::Prepared(_) | ResultMessage::Rows(_)) if dialect.features.metadata_id => {
            Some(Gap::CpMetadataIdInV4)
        }
        _ => None,
    }
}

/// Why it cannot write what it read, if it cannot.
pub fn write_gap(response: &Response<'_>, dialect: Dialect) -> Option<Gap> {
    match response {
        // It keeps them in a hash map.
        Response::Supported(supported) if supported.options.len() > 1 => Some(Gap::CpMultimapOrder),
        Response::Result(ResultMessage::Prepared(_)) if !dialect.has_pk_indices() => Some(Gap::CpPkCountInV3),
        _ => None,
    }
}

pub fn write(response: &ResponseBody, version: Version) -> Vec<u8> {
    match response {
        ResponseBody::Error(body) => body.serialize_to_vec(version),
        ResponseBody::Ready => Vec::new(),
        ResponseBody::Authenticate(body) => body.serialize_to_vec(version),
        ResponseBody::Supported(body) => body.serialize_to_vec(version),
        ResponseBody::Result(body) => body.serialize_to_vec(version),
        ResponseBody::Event(body) => body.serialize_to_vec(version),
        ResponseBody::AuthChallenge(body) => body.serialize_to_vec(version),
        ResponseBody::AuthSuccess(body) => body.serialize_to_vec(version),
        other => panic!("a response it has learnt: {other:?}"),
    }
}

/// What it read is the response.
pub fn assert_same(ours: &Response<'_>, theirs: &ResponseBody, gaps: &mut BTreeSet<Gap>) {
    match (ours, theirs) {
        (Response::Ready, ResponseBody::Ready) => {}
        (Response::Authenticate(ours), ResponseBody::Authenticate(theirs)) => assert_eq!(ours.authenticator, theirs.data),
        (Response::AuthChallenge(ours), ResponseBody::AuthChallenge(theirs)) => assert_eq!(bytes(ours.token), theirs.data),
        (Response::AuthSuccess(ours), ResponseBody::AuthSuccess(theirs)) => assert_eq!(bytes(ours.token), theirs.data),
        (Response::Supported(ours), ResponseBody::Supported(theirs)) => {
            let ours = ours.options.iter().map(|(key, values)| (String::from(*key), strings(values))).collect();
            assert_eq!(theirs.data, ours);
        }
        (Response::Event(ours), ResponseBody::Event(theirs)) => assert_eq!(event(ours), theirs.event),
        (Response::Error(ours), ResponseBody::Error(theirs)) => {
            assert_eq!(ours.message, theirs.message);
            assert_eq!(ours.code, theirs.ty.to_error_code());
            assert_same_error(&ours.detail, &theirs.ty);
        }
        (Response::Result(ours), ResponseBody::Result(theirs)) => assert_same_result(ours, theirs, gaps),
        (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| String::from(*text)).collect()
}

fn event(event: &Event<'_>) -> ServerEvent {
    let address = |change: &NodeChange<'_>| SocketAddr::new(change.address, change.port as u16);
    match event {
        Event::TopologyChange(change) => ServerEvent::TopologyChange(TopologyChange {
            change_type: if change.change_type == "NEW_NODE" { TopologyChangeType::NewNode } else { TopologyChangeType::RemovedNode },
            addr: address(change),
        }),
        Event::StatusChange(change) => ServerEvent::StatusChange(StatusChange {
            change_type: if change.change_type == "UP" { StatusChangeType::Up } else { StatusChangeType::Down },
            addr: address(change),
        }),
        Event::SchemaChange(change) => ServerEvent::SchemaChange(schema_change(change)),
        Event::ClientRoutesChange(_) | Event::Unknown(_) => panic!("not generated"),
    }
}

fn schema_change(change: &ours::SchemaChange<'_>) -> SchemaChange {
    let change_type = match change.change_type {
        "CREATED" => SchemaChangeType::Created,
        "UPDATED" => SchemaChangeType::Updated,
        _ => SchemaChangeType::Dropped,
    };
    let target = match change.target {
        "KEYSPACE" => SchemaChangeTarget::Keyspace,
        "TABLE" => SchemaChangeTarget::Table,
        "TYPE" => SchemaChangeTarget::Type,
        "FUNCTION" => SchemaChangeTarget::Function,
        _ => SchemaChangeTarget::Aggregate,
    };
    let keyspace = change.keyspace.into();
    let options = match (change.name, &change.argument_types) {
        (None, _) => SchemaChangeOptions::Keyspace(keyspace),
        (Some(name), None) => SchemaChangeOptions::TableType(keyspace, name.into()),
        (Some(name), Some(types)) => SchemaChangeOptions::FunctionAggregate(keyspace, name.into(), strings(types)),
    };
    SchemaChange { change_type, target, options }
}

fn write_type(name: &str) -> WriteType {
    match name {
        "SIMPLE" => WriteType::Simple,
        "BATCH" => WriteType::Batch,
        "UNLOGGED_BATCH" => WriteType::UnloggedBatch,
        "COUNTER" => WriteType::Counter,
        "BATCH_LOG" => WriteType::BatchLog,
        "CAS" => WriteType::Cas,
        "VIEW" => WriteType::View,
        "CDC" => WriteType::Cdc,
        other => WriteType::Unknown(other.into()),
    }
}

fn failure_info(failures: &Failures, theirs: &FailureInfo) -> FailureInfo {
    match theirs {
        FailureInfo::NumFailures(_) => FailureInfo::NumFailures(failures.count),
        _ => FailureInfo::ReasonMap(Default::default()), // with reasons in it: `Gap::CpFailureReasons`
    }
}

fn assert_same_error(ours: &ErrorDetail<'_>, theirs: &ErrorType) {
    match (ours, theirs) {
        (ErrorDetail::None {}, _) => {} // the code says all
        (ErrorDetail::Unavailable { consistency, required, alive }, ErrorType::Unavailable(theirs)) => {
            assert_eq!(*theirs, UnavailableError { cl: level(*consistency), required: *required, alive: *alive });
        }
        (
            ErrorDetail::WriteTimeout { consistency, received, block_for, write_type: name, contentions },
            ErrorType::WriteTimeout(theirs),
        ) => {
            let contentions = contentions.map(|contentions| contentions as i16);
            let (cl, write_type) = (level(*consistency), write_type(name));
            assert_eq!(*theirs, WriteTimeoutError { cl, received: *received, block_for: *block_for, write_type, contentions });
        }
        (ErrorDetail::ReadTimeout { consistency, received, block_for, data_present }, ErrorType::ReadTimeout(theirs)) => {
            assert_eq!((theirs.cl, theirs.received, theirs.block_for), (level(*consistency), *received, *block_for));
            assert_eq!(theirs.replica_has_responded(), *data_present);
        }
        (ErrorDetail::ReadFailure { consistency, received, block_for, failures, data_present }, ErrorType::ReadFailure(theirs)) => {
            assert_eq!((theirs.cl, theirs.received, theirs.block_for), (level(*consistency), *received, *block_for));
            assert_eq!(theirs.failure_info, failure_info(failures, &theirs.failure_info));
            assert_eq!(theirs.replica_has_responded(), *data_present);
        }
        (ErrorDetail::WriteFailure { consistency, received, block_for, failures, write_type: name }, ErrorType::WriteFailure(theirs)) => {
            let (cl, write_type) = (level(*consistency), write_type(name));
            let failure_info = failure_info(failures, &theirs.failure_info);
            assert_eq!(*theirs, WriteFailureError { cl, received: *received, block_for: *block_for, failure_info, write_type });
        }
        (ErrorDetail::FunctionFailure { keyspace, function, argument_types }, ErrorType::FunctionFailure(theirs)) => {
            assert_eq!((&*theirs.keyspace, &*theirs.function), (*keyspace, *function));
            assert_eq!(theirs.arg_types, *argument_types);
        }
        (ErrorDetail::AlreadyExists { keyspace, table }, ErrorType::AlreadyExists(theirs)) => {
            assert_eq!((&*theirs.ks, &*theirs.table), (*keyspace, *table));
        }
        (ErrorDetail::Unprepared { statement_id }, ErrorType::Unprepared(theirs)) => {
            assert_eq!(theirs.id, CBytesShort::new(statement_id.to_vec()));
        }
        (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
    }
}

fn assert_same_result(ours: &ResultMessage<'_>, theirs: &ResResultBody, gaps: &mut BTreeSet<Gap>) {
    match (ours, theirs) {
        (ResultMessage::Void, ResResultBody::Void) => {}
        (ResultMessage::SetKeyspace { keyspace }, ResResultBody::SetKeyspace(theirs)) => assert_eq!(*keyspace, theirs.body),
        (ResultMessage::SchemaChange(ours), ResResultBody::SchemaChange(theirs)) => assert_eq!(schema_change(ours), *theirs),
        (ResultMessage::Rows(ours), ResResultBody::Rows(theirs)) => {
            assert_same_metadata(&ours.metadata, &theirs.metadata, gaps);
            assert_eq!(ours.row_count, theirs.rows_content.len());
            let mut cells = Reader::new(ours.cells);
            for cell in theirs.rows_content.iter().flatten() {
                assert_eq!(cell.as_slice(), cells.bytes("cell").unwrap());
            }
            assert_eq!(cells.left(), 0);
        }
        (ResultMessage::Prepared(ours), ResResultBody::Prepared(theirs)) => {
            assert_eq!(theirs.id, CBytesShort::new(ours.id.into()));
            let metadata_id = theirs.result_metadata_id.clone().map(|id| id.into_bytes().unwrap());
            assert_eq!(metadata_id.unwrap_or_default(), ours.result_metadata_id);
            assert_eq!(theirs.metadata.pk_indexes, ours.pk_indices.iter().map(|index| *index as i16).collect::<Vec<_>>());
            assert_same_columns(&ours.bind, theirs.metadata.global_table_spec.as_ref(), &theirs.metadata.col_specs, gaps);
            assert_same_metadata(&ours.result, &theirs.result_metadata, gaps);
        }
        (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
    }
}

fn assert_same_metadata(ours: &ours::RowsMetadata<'_>, theirs: &RowsMetadata, gaps: &mut BTreeSet<Gap>) {
    assert_eq!(ours.column_count, theirs.columns_count as usize);
    assert_eq!(ours.paging_state.map(|state| bytes(Some(state))), theirs.paging_state);
    assert_eq!(ours.new_metadata_id.map(|id| CBytesShort::new(id.into())), theirs.new_metadata_id);
    assert_same_columns(ours.columns.as_deref().unwrap_or_default(), theirs.global_table_spec.as_ref(), &theirs.col_specs, gaps);
}

fn assert_same_columns(ours: &[ColumnSpec], global: Option<&TableSpec>, theirs: &[ColSpec], gaps: &mut BTreeSet<Gap>) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        let table = theirs.table_spec.as_ref().or(global).unwrap();
        assert_eq!((&*ours.keyspace, &*ours.table, &ours.name), (&*table.ks_name, &*table.table_name, &theirs.name));
        assert_same_type(&ours.ty, &theirs.col_type, gaps);
    }
}

fn assert_same_type(ours: &CqlType, theirs: &ColTypeOption, gaps: &mut BTreeSet<Gap>) {
    let code = |name: ColType| assert_eq!(theirs.id, name, "{ours:?}");
    match (ours, theirs.value.as_ref()) {
        // It keeps the class as text: also of a type that has no code in this version.
        (ours, Some(ColTypeOptionValue::CString(class))) => {
            code(ColType::Custom);
            assert_eq!(*ours, parse_class(class));
            if matches!(ours, CqlType::Vector(..)) {
                gaps.insert(Gap::CpClassNames);
            }
        }
        (CqlType::Native(native), None) => assert_eq!(ColType::try_from(*native as u16 as i16).unwrap(), theirs.id),
        (CqlType::List(element), Some(ColTypeOptionValue::CList(theirs))) => assert_same_type(element, theirs, gaps),
        (CqlType::Set(element), Some(ColTypeOptionValue::CSet(theirs))) => assert_same_type(element, theirs, gaps),
        (CqlType::Map(key, value), Some(ColTypeOptionValue::CMap(their_key, their_value))) => {
            assert_same_type(key, their_key, gaps);
            assert_same_type(value, their_value, gaps);
        }
        (CqlType::Tuple(items), Some(ColTypeOptionValue::TupleType(theirs))) => {
            assert_eq!(items.len(), theirs.types.len());
            items.iter().zip(&theirs.types).for_each(|(ours, theirs)| assert_same_type(ours, theirs, gaps));
        }
        (CqlType::Udt(udt), Some(ColTypeOptionValue::UdtType(theirs))) => {
            assert_eq!((&udt.keyspace, &udt.name, udt.fields.len()), (&theirs.ks, &theirs.udt_name, theirs.descriptions.len()));
            for ((name, field), (their_name, their_field)) in udt.fields.iter().zip(&theirs.descriptions) {
                assert_eq!(name, their_name);
                assert_same_type(field, their_field, gaps);
            }
        }
        (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
    }
}
