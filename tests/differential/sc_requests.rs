//! Requests as `scylla-cql` has them. It writes all of them and reads five.

use std::collections::BTreeSet;

use cqlwire::message::{Bound, Params, Request, Statement};
use cqlwire::spec::{Consistency, Dialect};
use scylla_cql::Consistency as Level;
use scylla_cql::frame::protocol_features::ProtocolFeatures;
use scylla_cql::frame::request::batch::{BatchStatement, BatchType};
use scylla_cql::frame::request::execute::ExecuteV2;
use scylla_cql::frame::request::query::{PagingState, QueryParameters};
use scylla_cql::frame::request::register::RegisterV2;
use scylla_cql::frame::request::{AuthResponse, Batch, DeserializableRequest, Options, Prepare, Query, SerializableRequest, Startup};
use scylla_cql::frame::server_event_type::EventTypeV2;
use scylla_cql::frame::types::SerialConsistency;
use scylla_cql::serialize::row::SerializedValues;

use crate::known::Gap;

/// v4 with or without metadata ids.
pub fn features(dialect: Dialect) -> ProtocolFeatures {
    let mut features = ProtocolFeatures::default();
    features.scylla_metadata_id_supported = dialect.features.metadata_id;
    features
}

pub fn level(consistency: Consistency) -> Level {
    Level::try_from(consistency.0).expect("a level of the specification")
}

/// Takes out of a request what it cannot hold.
pub fn narrow(request: &mut Request<'_>, gaps: &mut BTreeSet<Gap>) {
    let params = match request {
        Request::Query(query) => &mut query.params,
        Request::Execute(execute) => &mut execute.params,
        Request::Register(register) => {
            let before = register.event_types.len();
            register.event_types.retain(|name| name.parse::<EventTypeV2>().is_ok());
            if register.event_types.len() < before {
                gaps.insert(Gap::ScEventNames);
            }
            return;
        }
        _ => return,
    };
    if !params.names.is_empty() {
        params.names.clear();
        gaps.insert(Gap::ScNames);
    }
    if params.values.as_ref().is_some_and(Vec::is_empty) {
        params.values = None;
        gaps.insert(Gap::ScNoValues);
    }
}

/// The body as it writes it.
pub fn write(request: &Request<'_>, dialect: Dialect) -> Vec<u8> {
    let mut body = Vec::new();
    match request {
        Request::Options => Options.serialize(&mut body),
        Request::Startup(startup) => {
            Startup { options: startup.options.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect() }.serialize(&mut body)
        }
        Request::Register(register) => {
            let event_types_to_register_for = register.event_types.iter().map(|name| name.parse().unwrap()).collect();
            RegisterV2 { event_types_to_register_for }.serialize(&mut body)
        }
        Request::AuthResponse(response) => AuthResponse { response: response.token.map(Vec::from) }.serialize(&mut body),
        Request::Prepare(prepare) => Prepare { query: prepare.query }.serialize(&mut body),
        Request::Query(query) => Query { contents: query.query.into(), parameters: parameters(&query.params) }.serialize(&mut body),
        Request::Execute(execute) => ExecuteV2 {
            id: execute.id.into(),
            result_metadata_id: dialect.has_result_metadata_id().then(|| execute.result_metadata_id.into()),
            parameters: parameters(&execute.params),
            tablet_version_block: None,
        }
        .serialize(&mut body),
        Request::Batch(batch) => {
            let statements: Vec<_> = batch.statements.iter().map(|(statement, _)| batch_statement(statement)).collect();
            Batch {
                statements: statements.into(),
                batch_type: BatchType::try_from(batch.batch_type).unwrap(),
                consistency: level(batch.consistency),
                serial_consistency: batch.options.serial_consistency.map(serial),
                timestamp: batch.options.timestamp,
                values: batch.statements.iter().map(|(_, values)| serialized(values)).collect::<Vec<_>>(),
            }
            .serialize(&mut body)
        }
    }
    .unwrap_or_else(|error| panic!("{error}: {request:?}"));
    body
}

/// Reads a body and writes what it read; `None` for a request that it only writes.
pub fn read(request: &Request<'_>, body: &[u8], dialect: Dialect) -> Option<Vec<u8>> {
    fn again<R: DeserializableRequest>(mut body: &[u8], features: &ProtocolFeatures) -> Vec<u8> {
        let request = R::deserialize_with_features(&mut body, features).unwrap_or_else(|error| panic!("{error}: {body:02x?}"));
        assert!(body.is_empty(), "bytes left over");
        request.to_bytes().unwrap().to_vec()
    }
    let features = features(dialect);
    match request {
        Request::Startup(_) => Some(again::<Startup<'_>>(body, &features)),
        Request::Query(_) => Some(again::<Query<'_>>(body, &features)),
        Request::Execute(_) => Some(again::<ExecuteV2<'_>>(body, &features)),
        Request::Batch(_) => Some(again::<Batch<'_, BatchStatement<'_>, Vec<SerializedValues>>>(body, &features)),
        Request::Options | Request::Register(_) | Request::AuthResponse(_) | Request::Prepare(_) => None,
    }
}

fn serial(consistency: Consistency) -> SerialConsistency {
    SerialConsistency::try_from(level(consistency)).unwrap()
}

fn batch_statement<'a>(statement: &Statement<'a>) -> BatchStatement<'a> {
    match statement {
        Statement::Text(text) => BatchStatement::Query { text: (*text).into() },
        Statement::Prepared(id) => BatchStatement::Prepared { id: (*id).into() },
    }
}

fn parameters(params: &Params<'_>) -> QueryParameters<'static> {
    QueryParameters {
        consistency: level(params.consistency),
        serial_consistency: params.options.serial_consistency.map(serial),
        timestamp: params.options.timestamp,
        page_size: params.options.page_size,
        paging_state: params.options.paging_state.map_or_else(PagingState::start, PagingState::new_from_raw_bytes),
        skip_metadata: params.options.skip_metadata,
        values: std::borrow::Cow::Owned(serialized(params.values.as_deref().unwrap_or_default())),
    }
}

fn serialized(values: &[Bound<'_>]) -> SerializedValues {
    let (values, ()) = SerializedValues::from_closure(|writer| {
        for value in values {
            let cell = writer.make_cell_writer();
            match value {
                Bound::Null => cell.set_null(),
                Bound::Unset => cell.set_unset(),
                Bound::Bytes(bytes) => cell.set_value(bytes).unwrap(),
            };
        }
        Ok(())
    })
    .unwrap();
    values
}
