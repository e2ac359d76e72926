//! Random requests, for property tests.

use cqlwire::message::*;
use cqlwire::spec::{Consistency, Dialect};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::string::string_regex;

/// A value by ownership: null, unset or bytes.
type Cell = Option<Option<Vec<u8>>>;

/// skip_metadata, page size, paging state, local serial consistency, timestamp, keyspace, now_in_seconds.
type Options = (bool, Option<i32>, Option<Vec<u8>>, Option<bool>, Option<i64>, Option<String>, Option<i32>);

/// Everything a request can hold.
#[derive(Debug, Clone)]
pub struct Parts {
    pub kind: usize,
    pub text: String,
    /// Keys, all different, and values.
    pub texts: Vec<(String, String)>,
    /// All different.
    pub names: Vec<String>,
    pub events: Vec<String>,
    pub id: Vec<u8>,
    pub metadata_id: Vec<u8>,
    pub cells: Vec<Cell>,
    pub statements: Vec<(bool, Vec<Cell>)>,
    pub consistency: u16,
    pub options: Options,
    pub stream: i16,
    pub tracing: bool,
    pub payload: Vec<(String, Option<Vec<u8>>)>,
}

fn any_cell() -> impl Strategy<Value = Cell> {
    let bytes = prop_oneof![8 => vec(any::<u8>(), 0..40), 1 => vec(select(vec![0u8, 1, 255]), 3000)];
    prop_oneof![1 => Just(None), 1 => Just(Some(None)), 6 => bytes.prop_map(|bytes| Some(Some(bytes)))]
}

/// Any characters; the pattern is read once, not for each text.
pub fn text_of(lengths: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = String> + Clone {
    std::sync::Arc::new(string_regex(&format!(".{{{},{}}}", lengths.start(), lengths.end())).unwrap())
}

/// What a request is made of.
pub fn any_parts() -> impl Strategy<Value = Parts> {
    let texts = vec((text_of(0..=5), text_of(0..=9)), 0..4)
        .prop_map(|texts| texts.into_iter().enumerate().map(|(index, (key, value))| (format!("{key}{index}"), value)).collect::<Vec<_>>());
    let names = (vec(text_of(0..=3), 4), any::<bool>())
        .prop_map(|(names, are_there)| names.into_iter().take(if are_there { 4 } else { 0 }).enumerate())
        .prop_map(|names| names.map(|(index, name)| format!("{index}{name}")).collect::<Vec<_>>());
    let known = vec!["TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE", "CLIENT_ROUTES_CHANGE"];
    let events = vec(prop_oneof![4 => select(known).prop_map(String::from), 1 => text_of(0..=5)], 0..4);
    // Some texts are larger than a segment.
    let text = prop_oneof![30 => text_of(0..=40), 1 => select(vec!["a", "b"]).prop_map(|text| text.repeat(200_000))];
    let bytes = || vec(any::<u8>(), 0..20);
    let options = (
        any::<bool>(),
        option::of(any::<i32>()),
        option::of(bytes()),
        option::of(any::<bool>()),
        option::of(any::<i64>()),
        option::of(text_of(0..=6)),
        option::of(any::<i32>()),
    );
    let statements = vec((any::<bool>(), vec(any_cell(), 0..3)), 0..4);
    let frame = (0..=i16::MAX, any::<bool>(), vec((text_of(0..=6), option::of(bytes())), 0..3));
    (0..8usize, text, (texts, names, events), (bytes(), bytes()), vec(any_cell(), 0..4), statements, any::<u16>(), options, frame).prop_map(
        |(kind, text, (texts, names, events), (id, metadata_id), cells, statements, consistency, options, (stream, tracing, payload))| {
            Parts { kind, text, texts, names, events, id, metadata_id, cells, statements, consistency, options, stream, tracing, payload }
        },
    )
}

fn bound(cell: &Cell, dialect: Dialect) -> Bound<'_> {
    match cell {
        None => Bound::Null,
        Some(None) if dialect.has_unset() => Bound::Unset,
        Some(None) => Bound::Null,
        Some(Some(bytes)) => Bound::Bytes(bytes),
    }
}

/// The request that the parts make on a connection of this dialect.
pub fn request<'a>(parts: &'a Parts, dialect: Dialect) -> Request<'a> {
    let (skip_metadata, page_size, paging_state, serial, timestamp, keyspace, now) = &parts.options;
    let options = RequestOptions {
        skip_metadata: *skip_metadata,
        page_size: *page_size,
        paging_state: paging_state.as_deref(),
        serial_consistency: serial.map(|local| if local { Consistency::LocalSerial } else { Consistency::Serial }),
        timestamp: *timestamp,
        keyspace: keyspace.as_deref().filter(|_| dialect.has_request_keyspace()),
        now_in_seconds: now.filter(|_| dialect.has_now_in_seconds()),
    };
    let cells: Vec<_> = parts.cells.iter().map(|cell| bound(cell, dialect)).collect();
    let names = parts.names.iter().take(cells.len()).map(String::as_str).collect();
    let values = if cells.is_empty() && parts.tracing { None } else { Some(cells) };
    let consistency = Consistency(parts.consistency);
    let params = Params { consistency, values, names, options: options.clone() };
    match parts.kind {
        0 => Request::Options,
        1 => Request::Startup(Startup { options: parts.texts.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect() }),
        2 => Request::Register(Register { event_types: parts.events.iter().map(String::as_str).collect() }),
        3 => Request::AuthResponse(AuthResponse { token: parts.options.2.as_deref() }),
        4 => Request::Query(Query { query: &parts.text, params }),
        5 => Request::Prepare(Prepare { query: &parts.text, keyspace: options.keyspace }),
        6 => {
            let result_metadata_id = if dialect.has_result_metadata_id() { &parts.metadata_id[..] } else { &[] };
            Request::Execute(Execute { id: &parts.id, result_metadata_id, params })
        }
        _ => {
            let statement = |(text, cells): &'a (bool, Vec<Cell>)| {
                let statement = if *text { Statement::Text(&parts.text) } else { Statement::Prepared(&parts.id) };
                (statement, cells.iter().map(|cell| bound(cell, dialect)).collect())
            };
            let options = RequestOptions { skip_metadata: false, page_size: None, paging_state: None, ..options };
            Request::Batch(Batch {
                batch_type: parts.consistency as u8 % 3,
                statements: parts.statements.iter().map(statement).collect(),
                consistency,
                options,
            })
        }
    }
}
