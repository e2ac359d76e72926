//! Requests as `cassandra-protocol` has them.

use std::collections::BTreeSet;

use cassandra_protocol::consistency::Consistency as Level;
use cassandra_protocol::frame::events::SimpleServerEvent;
use cassandra_protocol::frame::message_auth_response::BodyReqAuthResponse;
use cassandra_protocol::frame::message_batch::{BatchQuery, BatchQuerySubj, BatchType, BodyReqBatch};
use cassandra_protocol::frame::message_execute::BodyReqExecuteOwned;
use cassandra_protocol::frame::message_options::BodyReqOptions;
use cassandra_protocol::frame::message_prepare::BodyReqPrepare;
use cassandra_protocol::frame::message_query::BodyReqQuery;
use cassandra_protocol::frame::message_register::BodyReqRegister;
use cassandra_protocol::frame::message_request::RequestBody;
use cassandra_protocol::frame::message_startup::BodyReqStartup;
use cassandra_protocol::frame::{Opcode, Version};
use cassandra_protocol::query::{QueryParams, QueryValues};
use cassandra_protocol::types::value::Value;
use cassandra_protocol::types::{CBytes, CBytesShort};
use cqlwire::message::{Bound, Params, Request, RequestOptions, Statement};
use cqlwire::spec::{Consistency, Dialect, Version as Ours};

use crate::known::Gap;

pub fn version(dialect: Dialect) -> Version {
    match dialect.version {
        Ours::V3 => Version::V3,
        Ours::V4 => Version::V4,
        Ours::V5 => Version::V5,
    }
}

pub fn opcode(opcode: cqlwire::spec::Opcode) -> Opcode {
    Opcode::try_from(opcode as u8).expect("it knows all opcodes")
}

pub fn level(consistency: Consistency) -> Level {
    Level::try_from(consistency.0 as i16).expect("a level of the specification")
}

/// Takes out of a request what it cannot hold.
pub fn narrow(request: &mut Request<'_>, gaps: &mut BTreeSet<Gap>) {
    match request {
        Request::Query(query) => narrow_options(&mut query.params.options, gaps),
        Request::Execute(execute) => narrow_options(&mut execute.params.options, gaps),
        Request::Register(register) => {
            let before = register.event_types.len();
            register.event_types.retain(|name| SimpleServerEvent::try_from(*name).is_ok());
            if register.event_types.len() < before {
                gaps.insert(Gap::CpEventNames);
            }
        }
        _ => {}
    }
}

fn narrow_options(options: &mut RequestOptions<'_>, gaps: &mut BTreeSet<Gap>) {
    if std::mem::take(&mut options.skip_metadata) {
        gaps.insert(Gap::CpSkipMetadata);
    }
}

/// The same request.
pub fn request(request: &Request<'_>, dialect: Dialect) -> RequestBody {
    match request {
        Request::Options => RequestBody::Options(BodyReqOptions),
        Request::Startup(startup) => {
            let map = startup.options.iter().map(|(key, value)| (String::from(*key), String::from(*value))).collect();
            RequestBody::Startup(BodyReqStartup { map })
        }
        Request::Register(register) => {
            let event = |name: &&str| SimpleServerEvent::try_from(*name).unwrap();
            RequestBody::Register(BodyReqRegister { events: register.event_types.iter().map(event).collect() })
        }
        Request::AuthResponse(response) => RequestBody::AuthResponse(BodyReqAuthResponse { data: bytes(response.token) }),
        Request::Query(query) => RequestBody::Query(BodyReqQuery { query: query.query.into(), query_params: params(&query.params) }),
        Request::Prepare(prepare) => {
            RequestBody::Prepare(BodyReqPrepare { query: prepare.query.into(), keyspace: prepare.keyspace.map(String::from) })
        }
        Request::Execute(execute) => {
            let metadata_id = dialect.has_result_metadata_id().then(|| CBytesShort::new(execute.result_metadata_id.into()));
            RequestBody::Execute(BodyReqExecuteOwned {
                id: CBytesShort::new(execute.id.into()),
                result_metadata_id: metadata_id,
                query_parameters: params(&execute.params),
            })
        }
        Request::Batch(batch) => RequestBody::Batch(BodyReqBatch {
            batch_type: BatchType::try_from(batch.batch_type).unwrap(),
            queries: batch.statements.iter().map(|(statement, values)| batch_query(statement, values)).collect(),
            consistency: level(batch.consistency),
            serial_consistency: batch.options.serial_consistency.map(level),
            timestamp: batch.options.timestamp,
            keyspace: batch.options.keyspace.map(String::from),
            now_in_seconds: batch.options.now_in_seconds,
        }),
    }
}

fn batch_query(statement: &Statement<'_>, values: &[Bound<'_>]) -> BatchQuery {
    let subject = match statement {
        Statement::Text(text) => BatchQuerySubj::QueryString(String::from(*text)),
        Statement::Prepared(id) => BatchQuerySubj::PreparedId(CBytesShort::new(id.to_vec())),
    };
    BatchQuery { subject, values: QueryValues::SimpleValues(values.iter().map(value).collect()) }
}

fn params(params: &Params<'_>) -> QueryParams {
    let named = || params.names.iter().map(|name| String::from(*name));
    let values = params.values.as_ref().map(|values| match params.names.is_empty() {
        true => QueryValues::SimpleValues(values.iter().map(value).collect()),
        false => QueryValues::NamedValues(named().zip(values.iter().map(value)).collect()),
    });
    QueryParams {
        consistency: level(params.consistency),
        with_names: !params.names.is_empty(),
        values,
        page_size: params.options.page_size,
        paging_state: params.options.paging_state.map(|state| CBytes::new(state.into())),
        serial_consistency: params.options.serial_consistency.map(level),
        timestamp: params.options.timestamp,
        keyspace: params.options.keyspace.map(String::from),
        now_in_seconds: params.options.now_in_seconds,
    }
}

fn value(bound: &Bound<'_>) -> Value {
    match bound {
        Bound::Null => Value::Null,
        Bound::Unset => Value::NotSet,
        Bound::Bytes(bytes) => Value::Some(bytes.to_vec()),
    }
}

pub fn bytes(bytes: Option<&[u8]>) -> CBytes {
    bytes.map_or_else(CBytes::new_null, |bytes| CBytes::new(bytes.into()))
}
