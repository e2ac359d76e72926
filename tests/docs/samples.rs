//! One message of each kind with all that its version has.

use cqlwire::message::error::{ErrorDetail, Failures};
use cqlwire::message::event::{ClientRoutesChange, NodeChange, UnknownEvent};
use cqlwire::message::*;
use cqlwire::spec::{Consistency, Dialect, code};
use cqlwire::value::{CqlType, Udt};

use crate::RATE_LIMIT;
use crate::support::ty;

pub fn requests(dialect: Dialect) -> Vec<Request<'static>> {
    let options = RequestOptions {
        skip_metadata: true,
        page_size: Some(5000),
        paging_state: Some(&[0xaa]),
        serial_consistency: Some(Consistency::LocalSerial),
        timestamp: Some(-1),
        keyspace: dialect.has_request_keyspace().then_some("ks"),
        now_in_seconds: dialect.has_now_in_seconds().then_some(9),
    };
    let values = || vec![Bound::Null, Bound::Bytes(&[1, 2]), if dialect.has_unset() { Bound::Unset } else { Bound::Null }];
    let params = || Params { consistency: Consistency::One, values: Some(values()), names: vec!["a", "b", "c"], options: options.clone() };
    let metadata_id: &[u8] = if dialect.has_result_metadata_id() { &[0xbb] } else { &[] };
    let of_batch = RequestOptions { skip_metadata: false, page_size: None, paging_state: None, ..options.clone() };
    let statements = vec![(Statement::Text("q"), values()), (Statement::Prepared(&[0xcc]), vec![])];
    vec![
        Request::Startup(Startup { options: vec![("CQL_VERSION", "3.0.0"), ("DRIVER_NAME", "x")] }),
        Request::AuthResponse(AuthResponse { token: Some(&[7]) }),
        Request::Options,
        Request::Query(Query { query: "q", params: params() }),
        Request::Prepare(Prepare { query: "q", keyspace: dialect.has_request_keyspace().then_some("ks") }),
        Request::Execute(Execute { id: &[0xdd], result_metadata_id: metadata_id, params: params() }),
        Request::Batch(Batch { batch_type: 1, statements, consistency: Consistency::Quorum, options: of_batch }),
        Request::Register(Register { event_types: vec!["STATUS_CHANGE", "SCHEMA_CHANGE"] }),
    ]
}

/// A column of every form of type, in two tables or one.
fn columns(is_one_table: bool) -> Vec<ColumnSpec> {
    let udt = Udt { keyspace: "k".into(), name: "u".into(), fields: vec![("f".into(), ty("int")), ("g".into(), ty("text"))] };
    let types = [ty("map<text, list<int>>"), ty("set<tuple<int, text>>"), ty("vector<float, 2>"), CqlType::Udt(udt.into()).into()];
    let table = |index: usize| if is_one_table { "t".into() } else { format!("t{index}") };
    let column = |(index, ty)| ColumnSpec { keyspace: "k".into(), table: table(index).into(), name: format!("c{index}"), ty };
    types.into_iter().enumerate().map(column).collect()
}

pub fn responses(dialect: Dialect) -> Vec<Response<'static>> {
    let id = |id: &'static [u8]| dialect.has_result_metadata_id().then_some(id);
    let rows = |global_table_spec, columns: Option<Vec<ColumnSpec>>| {
        let new_metadata_id = id(&[0xee]).filter(|_| columns.is_some());
        let metadata = RowsMetadata { global_table_spec, column_count: 4, paging_state: Some(&[1]), new_metadata_id, columns };
        let cells =
            if metadata.columns.is_some() { &[0xff; 16][..] } else { &[0, 0, 0, 0, 0, 0, 0, 1, 9, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0] };
        Response::Result(ResultMessage::Rows(Rows { metadata, row_count: 1, cells, cells_at: 0 }))
    };
    let prepared = |is_one_table| {
        Response::Result(ResultMessage::Prepared(Prepared {
            id: &[0xaa],
            result_metadata_id: id(&[0xbb]).unwrap_or_default(),
            is_lwt: false,
            pk_indices: if dialect.has_pk_indices() { vec![1, 0] } else { vec![] },
            bind: columns(is_one_table),
            result: RowsMetadata {
                global_table_spec: is_one_table,
                column_count: 4,
                paging_state: Some(&[1]),
                new_metadata_id: id(&[0xee]),
                columns: Some(columns(is_one_table)),
            },
        }))
    };
    let function = |target| SchemaChange {
        change_type: "CREATED",
        target,
        keyspace: "k",
        name: Some("f"),
        argument_types: (target == "FUNCTION").then(|| vec!["int", "text"]),
    };
    let node = |change_type| NodeChange { change_type, address: [127, 0, 0, 1].into(), port: 9042 };
    let mut all = vec![
        Response::Ready,
        Response::Authenticate(Authenticate { authenticator: "A" }),
        Response::Supported(Supported { options: vec![("COMPRESSION", vec!["lz4", "snappy"]), ("CQL_VERSION", vec!["3.4.7"])] }),
        Response::Result(ResultMessage::Void),
        Response::Result(ResultMessage::SetKeyspace { keyspace: "k" }),
        rows(true, Some(columns(true))),
        rows(false, Some(columns(false))),
        rows(false, None),
        prepared(true),
        prepared(false),
        Response::Result(ResultMessage::SchemaChange(function("FUNCTION"))),
        Response::Event(Event::SchemaChange(function("FUNCTION"))),
        Response::Event(Event::SchemaChange(function("TABLE"))),
        Response::Event(Event::TopologyChange(node("NEW_NODE"))),
        Response::Event(Event::StatusChange(node("UP"))),
        Response::Event(Event::ClientRoutesChange(ClientRoutesChange {
            change_type: "UPDATE_NODES",
            connection_ids: vec!["a", "b"],
            host_ids: vec!["c"],
        })),
        Response::Event(Event::Unknown(UnknownEvent { event_type: "NEWER", body: &[1, 2] })),
        Response::AuthChallenge(AuthChallenge { token: Some(&[1]) }),
        Response::AuthSuccess(AuthSuccess { token: None }),
    ];
    all.extend(errors(dialect).into_iter().map(|(code, detail)| Response::Error(ErrorMessage { code, message: "m", detail })));
    all
}

/// Every code of the specification, one that nobody knows, and ScyllaDB's.
fn errors(dialect: Dialect) -> Vec<(i32, ErrorDetail<'static>)> {
    let (consistency, received, block_for) = (Consistency::Quorum, 1, 2);
    let reasons = [([10, 0, 0, 1].into(), 1), (std::net::Ipv6Addr::LOCALHOST.into(), 0)];
    let reasons = if dialect.has_failure_reasons() { reasons.to_vec() } else { Vec::new() };
    let failures = Failures { count: 2, reasons };
    let contentions = dialect.has_contentions().then_some(3);
    let detail = |code| match code {
        0x1000 => ErrorDetail::Unavailable { consistency, required: 2, alive: 1 },
        0x1100 => ErrorDetail::WriteTimeout { consistency, received, block_for, write_type: "CAS", contentions },
        0x1200 => ErrorDetail::ReadTimeout { consistency, received, block_for, data_present: true },
        0x1300 => ErrorDetail::ReadFailure { consistency, received, block_for, failures: failures.clone(), data_present: false },
        0x1400 => ErrorDetail::FunctionFailure { keyspace: "k", function: "f", argument_types: vec!["int"] },
        0x1500 => ErrorDetail::WriteFailure { consistency, received, block_for, failures: failures.clone(), write_type: "SIMPLE" },
        0x1700 => ErrorDetail::CasWriteUnknown { consistency, received, block_for },
        0x2400 => ErrorDetail::AlreadyExists { keyspace: "k", table: "t" },
        0x2500 => ErrorDetail::Unprepared { statement_id: &[1, 2] },
        RATE_LIMIT => ErrorDetail::RateLimit { op_type: 1, rejected_by_coordinator: true },
        _ => ErrorDetail::None {},
    };
    let codes = code::error::ERRORS.iter().map(|(code, _)| *code).chain([0x9999, RATE_LIMIT]);
    codes.map(|code| (code, if code::error::has_fields(code, dialect) { detail(code) } else { ErrorDetail::None {} })).collect()
}
