//! Random responses, for property tests. Their texts and bytes are leaked: they live as long as the test.

use std::net::IpAddr;
use std::sync::Arc;

use cqlwire::message::error::{ErrorDetail, Failures};
use cqlwire::message::event::NodeChange;
use cqlwire::message::*;
use cqlwire::spec::{Consistency, Dialect};
use cqlwire::value::{CqlType, encode_value};
use cqlwire::wire::Writer;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::messages::text_of;
use super::random::{any_cell, any_type};

fn any_text() -> BoxedStrategy<&'static str> {
    text_of(0..=8).prop_map(|text| &*text.leak()).boxed()
}

fn any_bytes() -> BoxedStrategy<&'static [u8]> {
    vec(any::<u8>(), 0..20).prop_map(|bytes| &*bytes.leak()).boxed()
}

fn one_of(texts: &[&'static str]) -> BoxedStrategy<&'static str> {
    select(texts.to_vec()).boxed()
}

/// Any response that the dialect can say, with the names and codes of the specification.
pub fn any_response(dialect: Dialect) -> BoxedStrategy<Response<'static>> {
    let supported = vec((any_text(), vec(any_text(), 0..3)), 0..4).prop_map(|options| {
        // Keys differ: two that are alike are one in others' maps.
        let options = options.into_iter().enumerate().map(|(index, (key, values))| (&*format!("{key}{index}").leak(), values));
        Response::Supported(Supported { options: options.collect() })
    });
    prop_oneof![
        1 => Just(Response::Ready),
        1 => any_text().prop_map(|authenticator| Response::Authenticate(Authenticate { authenticator })),
        1 => option::of(any_bytes()).prop_map(|token| Response::AuthChallenge(AuthChallenge { token })),
        1 => option::of(any_bytes()).prop_map(|token| Response::AuthSuccess(AuthSuccess { token })),
        2 => supported,
        2 => any_event().prop_map(Response::Event),
        1 => Just(Response::Result(ResultMessage::Void)),
        1 => any_text().prop_map(|keyspace| Response::Result(ResultMessage::SetKeyspace { keyspace })),
        1 => any_schema_change().prop_map(|change| Response::Result(ResultMessage::SchemaChange(change))),
        4 => any_rows(dialect).prop_map(|rows| Response::Result(ResultMessage::Rows(rows))),
        3 => any_prepared(dialect).prop_map(|prepared| Response::Result(ResultMessage::Prepared(prepared))),
        6 => any_error(dialect).prop_map(Response::Error),
    ]
    .boxed()
}

fn any_event() -> BoxedStrategy<Event<'static>> {
    let node = |types: &[&'static str]| {
        (one_of(types), any::<IpAddr>(), 0..65_536i32).prop_map(|(change_type, address, port)| NodeChange { change_type, address, port })
    };
    prop_oneof![
        node(&["NEW_NODE", "REMOVED_NODE"]).prop_map(Event::TopologyChange),
        node(&["UP", "DOWN"]).prop_map(Event::StatusChange),
        any_schema_change().prop_map(Event::SchemaChange),
    ]
    .boxed()
}

fn any_schema_change() -> BoxedStrategy<SchemaChange<'static>> {
    let targets = one_of(&["KEYSPACE", "TABLE", "TYPE", "FUNCTION", "AGGREGATE"]);
    (one_of(&["CREATED", "UPDATED", "DROPPED"]), targets, any_text(), any_text(), vec(any_text(), 0..3))
        .prop_map(|(change_type, target, keyspace, name, types)| SchemaChange {
            change_type,
            target,
            keyspace,
            name: (target != "KEYSPACE").then_some(name),
            argument_types: matches!(target, "FUNCTION" | "AGGREGATE").then_some(types),
        })
        .boxed()
}

fn any_columns(least: usize) -> BoxedStrategy<(bool, Vec<ColumnSpec>)> {
    let column = (any_text(), any_text(), any_text(), any_type());
    (any::<bool>(), vec(column, least..4))
        .prop_map(|(global, columns)| {
            let mut columns: Vec<_> = columns
                .into_iter()
                .map(|(keyspace, table, name, ty)| ColumnSpec { keyspace: keyspace.into(), table: table.into(), name: name.into(), ty })
                .collect();
            let first = columns.first().map(|first| (first.keyspace.clone(), first.table.clone()));
            if let Some((keyspace, table)) = first.filter(|_| global) {
                columns.iter_mut().for_each(|column| (column.keyspace, column.table) = (keyspace.clone(), table.clone()));
            }
            // Servers say a table once where there is one column at least.
            (global && !columns.is_empty(), columns)
        })
        .boxed()
}

fn any_rows(dialect: Dialect) -> BoxedStrategy<Rows<'static>> {
    let head = (option::of(any_bytes()), option::of(any_bytes()), any::<bool>());
    any_columns(1)
        .prop_flat_map(|(global, columns)| {
            let row: Vec<_> = columns.iter().map(|column| any_cell(&column.ty)).collect();
            (Just((global, columns)), vec(row, 0..4))
        })
        .prop_flat_map(move |(columns, rows)| (Just(columns), Just(rows), head.clone()))
        .prop_map(move |((global_table_spec, columns), rows, (paging_state, metadata_id, is_described))| {
            let types: Vec<Arc<CqlType>> = columns.iter().map(|column| column.ty.clone()).collect();
            let mut cells = Writer::new();
            for row in &rows {
                types.iter().zip(row).for_each(|(ty, value)| encode_value(ty, value, &mut cells).unwrap());
            }
            let new_metadata_id = metadata_id.filter(|_| is_described && dialect.has_result_metadata_id());
            let column_count = columns.len();
            let columns = is_described.then_some(columns);
            let metadata = RowsMetadata { global_table_spec, column_count, paging_state, new_metadata_id, columns };
            Rows { metadata, row_count: rows.len(), cells: cells.into_bytes().leak(), cells_at: 0 }
        })
        .boxed()
}

fn any_prepared(dialect: Dialect) -> BoxedStrategy<Prepared<'static>> {
    (any_bytes(), any_bytes(), vec(any::<u16>(), 0..3), any_columns(0), any_columns(1), any::<bool>())
        .prop_map(move |(id, result_metadata_id, pk_indices, (_, bind), (global_table_spec, columns), is_select)| {
            let result = match is_select {
                true => RowsMetadata { global_table_spec, column_count: columns.len(), columns: Some(columns), ..RowsMetadata::default() },
                false => RowsMetadata::default(),
            };
            Prepared {
                id,
                result_metadata_id: if dialect.has_result_metadata_id() { result_metadata_id } else { &[] },
                is_lwt: false,
                pk_indices: if dialect.has_pk_indices() { pk_indices } else { Vec::new() },
                bind,
                result,
            }
        })
        .boxed()
}

fn any_error(dialect: Dialect) -> BoxedStrategy<ErrorMessage<'static>> {
    let counts = || (0..11u16, any::<i32>(), any::<i32>());
    let write_types = || one_of(&["SIMPLE", "BATCH", "UNLOGGED_BATCH", "COUNTER", "BATCH_LOG", "CAS", "VIEW", "CDC", "NEWER"]);
    let failures = move || {
        (any::<i32>(), vec((any::<IpAddr>(), any::<u16>()), 0..3)).prop_map(move |(count, reasons)| match dialect.has_failure_reasons() {
            true => Failures { count: reasons.len() as i32, reasons },
            false => Failures { count, reasons: Vec::new() },
        })
    };
    let plain = select(vec![0, 0x0a, 0x100, 0x1001, 0x1002, 0x1003, 0x1600, 0x2000, 0x2100, 0x2200, 0x2300, 0x3333]);
    let mut kinds = vec![
        plain.prop_map(|code| (code, ErrorDetail::None {})).boxed(),
        counts()
            .prop_map(|(level, required, alive)| (0x1000, ErrorDetail::Unavailable { consistency: Consistency(level), required, alive }))
            .boxed(),
        (counts(), write_types(), any::<u16>())
            .prop_map(move |((level, received, block_for), write_type, contentions)| {
                let contentions = (write_type == "CAS" && dialect.has_contentions()).then_some(contentions);
                (0x1100, ErrorDetail::WriteTimeout { consistency: Consistency(level), received, block_for, write_type, contentions })
            })
            .boxed(),
        (counts(), any::<bool>())
            .prop_map(|((level, received, block_for), data_present)| {
                (0x1200, ErrorDetail::ReadTimeout { consistency: Consistency(level), received, block_for, data_present })
            })
            .boxed(),
        (any_text(), any_text()).prop_map(|(keyspace, table)| (0x2400, ErrorDetail::AlreadyExists { keyspace, table })).boxed(),
        any_bytes().prop_map(|statement_id| (0x2500, ErrorDetail::Unprepared { statement_id })).boxed(),
    ];
    if dialect.has_failure_errors() {
        kinds.extend([
            (counts(), failures(), any::<bool>())
                .prop_map(|((level, received, block_for), failures, data_present)| {
                    (0x1300, ErrorDetail::ReadFailure { consistency: Consistency(level), received, block_for, failures, data_present })
                })
                .boxed(),
            (counts(), failures(), write_types())
                .prop_map(|((level, received, block_for), failures, write_type)| {
                    (0x1500, ErrorDetail::WriteFailure { consistency: Consistency(level), received, block_for, failures, write_type })
                })
                .boxed(),
            (any_text(), any_text(), vec(any_text(), 0..3))
                .prop_map(|(keyspace, function, argument_types)| {
                    (0x1400, ErrorDetail::FunctionFailure { keyspace, function, argument_types })
                })
                .boxed(),
        ]);
    }
    if dialect.has_cas_write_unknown() {
        let unknown = counts().prop_map(|(level, received, block_for)| {
            (0x1700, ErrorDetail::CasWriteUnknown { consistency: Consistency(level), received, block_for })
        });
        kinds.push(unknown.boxed());
    }
    (any_text(), proptest::strategy::Union::new(kinds)).prop_map(|(message, (code, detail))| ErrorMessage { code, message, detail }).boxed()
}
