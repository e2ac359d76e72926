//! What the messages of the recorded sessions say, against what the driver sent and decoded (`NAME.expected.jsonl`): every field of
//! every request, every cell of every row (as a value and as a column), every error, warning, trace id, paging state and event.

mod support;

use std::collections::BTreeMap;

use cqlwire::column::Page;
use cqlwire::message::{Bound, ColumnSpec, Event, Params, Prepared, Request, RequestOptions, Response, ResultMessage, Rows, Statement};
use cqlwire::spec::{Consistency, Opcode, code};
use cqlwire::value::{CqlType, Value, decode_value, encode_value, parse_type};
use cqlwire::wire::{Reader, Writer};
use serde_json::{Map, Value as Json, json};
use support::driver_json::{self, tagged, type_name};
use support::recording::{self, Frame, Replay, SESSIONS};
use support::{hex, to_hex};

/// The session's connection; the first is the driver's own.
const SESSION: u64 = 2;

/// PREPARED answers by statement id: the latest counts.
type Statements = BTreeMap<Vec<u8>, Frame>;

fn prepared<'a>(statements: &'a Statements, id: &[u8]) -> Option<Prepared<'a>> {
    match statements.get(id)?.response() {
        Response::Result(ResultMessage::Prepared(prepared)) => Some(prepared),
        other => panic!("not PREPARED: {other:?}"),
    }
}

/// Requests of the session with their answers, in the order of the requests.
fn exchanges(frames: &[Frame]) -> Vec<(&Frame, &Frame)> {
    let mut open: BTreeMap<i16, usize> = BTreeMap::new();
    let mut exchanges: Vec<(&Frame, Option<&Frame>)> = Vec::new();
    for frame in frames.iter().filter(|frame| frame.conn == SESSION && frame.header.opcode != Opcode::Event) {
        let stream = frame.header.stream;
        if frame.header.is_response {
            let index = open.remove(&stream).expect("an answer to an open request");
            exchanges[index].1 = Some(frame);
        } else {
            assert!(open.insert(stream, exchanges.len()).is_none(), "a stream has one open request");
            exchanges.push((frame, None));
        }
    }
    exchanges.into_iter().map(|(request, answer)| (request, answer.expect("every request is answered"))).collect()
}

fn check_value(ty: &CqlType, bound: Bound<'_>, expected: &Json) {
    match (bound, tagged(ty, expected)) {
        (Bound::Null, Value::Null) | (Bound::Unset, Value::Unset) => {}
        (Bound::Bytes(bytes), value) => {
            let decoded = decode_value(ty, Some(bytes)).unwrap();
            assert!(driver_json::same(ty, &decoded, &value), "{ty}: {decoded:?} is not {expected}");
            if !ty.to_string().contains("set<") {
                // The driver writes a set in an order of its own.
                let mut w = Writer::new();
                encode_value(&ty.clone().into(), &value, &mut w).unwrap();
                assert_eq!(w.as_slice()[4..], *bytes, "{ty}: {expected}");
            }
        }
        (bound, value) => panic!("{ty}: {bound:?} is not {value:?}"),
    }
}

/// `values` of a line: of a prepared statement by its markers, of text by the types that the driver took.
fn check_values(values: &[Bound<'_>], names: &[&str], markers: Option<&[ColumnSpec]>, expected: &Json) {
    let expected = expected.as_array().map(Vec::as_slice).unwrap_or_default();
    let (values, missing) = values.split_at(expected.len());
    // Fewer values than markers were given: the driver says that the rest is not set.
    assert!(missing.is_empty() || markers.is_some() && missing.iter().all(|bound| *bound == Bound::Unset), "{missing:?}");
    for (index, (bound, json)) in values.iter().zip(expected).enumerate() {
        if let Some(raw) = json.get("hex") {
            assert_eq!(*bound, Bound::Bytes(&hex(raw.as_str().unwrap())));
            continue;
        }
        let name = names.get(index).copied().or(markers.map(|markers| markers[index].name.as_str()));
        assert_eq!(json.get("name").and_then(Json::as_str), name);
        let json = &json["value"];
        match (markers, json.as_object().and_then(|tagged| tagged.keys().next())) {
            (Some(markers), _) => check_value(&markers[index].ty, *bound, json),
            (None, Some(tag)) if tag != "unset" => check_value(&parse_type(tag).unwrap(), *bound, json),
            (None, _) => check_value(&parse_type("blob").unwrap(), *bound, json),
        }
    }
}

/// Everything but the statement and its values. What the line does not name, the request does not have.
fn check_options(consistency: Consistency, options: &RequestOptions<'_>, line: &Json) {
    let name = |level: Consistency| level.name().unwrap();
    let expected = json!({
        "consistency": line["consistency"],
        "page_size": line["page_size"],
        "paging_state": line["paging_state"],
        "serial_consistency": line["serial_consistency"],
        "timestamp": line["timestamp"],
        "keyspace": line["keyspace"],
        "now_in_seconds": line["now_in_seconds"],
        "skip_metadata": line["skip_metadata"] == true,
    });
    let ours = json!({
        "consistency": name(consistency),
        "page_size": options.page_size,
        "paging_state": options.paging_state.map(to_hex),
        "serial_consistency": options.serial_consistency.map(name),
        "timestamp": options.timestamp.map(|timestamp| timestamp.to_string()),
        "keyspace": options.keyspace,
        "now_in_seconds": options.now_in_seconds,
        "skip_metadata": options.skip_metadata,
    });
    assert_eq!(ours, expected, "{line}");
}

fn check_request(frame: &Frame, line: &Json, statements: &Statements) {
    let payload = frame.payload.iter().map(|(name, bytes)| (name.clone(), json!({ "hex": bytes.as_deref().map(to_hex) })));
    assert_eq!(Json::from(payload.collect::<Map<_, _>>()), line.get("custom_payload").cloned().unwrap_or(json!({})));
    assert_eq!(frame.header.flags & 0x02 != 0, line["tracing"] == true);
    let with_params = |params: &Params<'_>, markers: Option<&[ColumnSpec]>| {
        check_values(params.values.as_deref().unwrap_or_default(), &params.names, markers, &line["values"]);
        check_options(params.consistency, &params.options, line);
    };
    match frame.request() {
        Request::Query(query) => {
            assert_eq!(query.query, line["cql"]);
            with_params(&query.params, None);
        }
        Request::Prepare(prepare) => {
            assert_eq!((json!(prepare.query), json!(prepare.keyspace)), (line["cql"].clone(), line["keyspace"].clone()));
        }
        Request::Execute(execute) => {
            assert_eq!(to_hex(execute.id), line["id"]);
            let prepared = prepared(statements, execute.id);
            if let Some(id) = line["result_metadata_id"].as_str() {
                assert_eq!(to_hex(execute.result_metadata_id), id);
            } else if let Some(prepared) = &prepared {
                assert_eq!(execute.result_metadata_id, prepared.result_metadata_id);
            }
            with_params(&execute.params, prepared.as_ref().map(|prepared| &prepared.bind[..]));
        }
        Request::Batch(batch) => {
            assert_eq!(code::BATCH_TYPES[usize::from(batch.batch_type)], line["type"]);
            let queries = line["queries"].as_array().unwrap();
            assert_eq!(batch.statements.len(), queries.len());
            for ((statement, values), query) in batch.statements.iter().zip(queries) {
                match statement {
                    Statement::Text(text) => {
                        assert_eq!(*text, query["cql"]);
                        check_values(values, &[], None, &query["values"]);
                    }
                    Statement::Prepared(id) => {
                        assert_eq!(to_hex(id), query["id"]);
                        check_values(values, &[], Some(&prepared(statements, id).unwrap().bind), &query["values"]);
                    }
                }
            }
            check_options(batch.consistency, &batch.options, line);
        }
        Request::Register(register) => assert_eq!(json!(register.event_types), line["events"]),
        Request::Options => assert_eq!(line["opcode"], "OPTIONS"),
        other => panic!("no line for {other:?}"),
    }
}

fn column_json(column: &ColumnSpec, with_table: bool) -> Json {
    let mut json = json!({ "name": column.name, "type": type_name(&column.ty) });
    if with_table {
        json["keyspace"] = (*column.keyspace).into();
        json["table"] = (*column.table).into();
        return json;
    }
    let mut udts = Map::new();
    driver_json::udts(&column.ty, &mut udts);
    if !udts.is_empty() {
        json["udts"] = udts.into();
    }
    json
}

fn check_rows(rows: &Rows<'_>, columns: &[ColumnSpec], line: &Json) {
    assert_eq!(Json::from(columns.iter().map(|column| column_json(column, false)).collect::<Vec<_>>()), line["columns"]);
    let page = Page::read(rows, columns).unwrap();
    let expected = line["rows"].as_array().unwrap();
    assert_eq!((rows.row_count, page.row_count), (expected.len(), expected.len()));
    let mut r = Reader::new(rows.cells);
    for (row, expected) in expected.iter().enumerate() {
        for (index, column) in columns.iter().enumerate() {
            let expected = tagged(&column.ty, &expected[index]);
            let value = decode_value(&column.ty, r.bytes("cell").unwrap()).unwrap();
            assert!(driver_json::same(&column.ty, &value, &expected), "{}: {value:?} is not {expected:?}", column.name);
            let value = page.columns[index].value(&column.ty, row);
            assert!(driver_json::same(&column.ty, &value, &expected), "{} as a column: {value:?} is not {expected:?}", column.name);
        }
    }
    assert_eq!(r.left(), 0);
}

fn check_response(request: &Frame, frame: &Frame, line: &Json, statements: &Statements) {
    let trace_id = frame.tracing_id.map(|id| to_hex(&id));
    assert_eq!(trace_id, line["trace_id"].as_str().map(|id| id.replace('-', "")));
    assert_eq!(json!(frame.warnings), line.get("warnings").cloned().unwrap_or(json!([])));
    assert!(frame.payload.is_empty() && line.get("custom_payload").is_none());
    let kind = line["kind"].as_str();
    match frame.response() {
        Response::Error(error) => {
            let expected = json!({ "error": line["error"], "code": line["code"], "message": line["message"], "info": line["info"] });
            assert_eq!(driver_json::error(&error), expected);
        }
        Response::Ready => assert_eq!(kind, Some("ready")),
        Response::Supported(supported) => {
            assert_eq!(kind, Some("supported"));
            let mut options: Map<_, _> = supported.options.iter().map(|(name, values)| (name.to_string(), json!(values))).collect();
            assert_eq!(options.remove("CQL_VERSION").as_ref(), Some(&line["cql_versions"]));
            assert_eq!(Json::from(options), line["options"]);
        }
        Response::Result(ResultMessage::Void) => assert_eq!(kind, Some("void")),
        Response::Result(ResultMessage::SetKeyspace { keyspace }) => {
            assert_eq!((kind, keyspace), (Some("set_keyspace"), line["keyspace"].as_str().unwrap()));
        }
        Response::Result(ResultMessage::SchemaChange(change)) => {
            assert_eq!((kind, driver_json::schema_change(&change)), (Some("schema_change"), line["change"].clone()));
        }
        Response::Result(ResultMessage::Prepared(prepared)) => {
            assert_eq!((kind, to_hex(prepared.id)), (Some("prepared"), line["id"].as_str().unwrap().to_string()));
            assert_eq!(to_hex(prepared.result_metadata_id), line["result_metadata_id"].as_str().unwrap_or_default());
            assert_eq!(json!(prepared.pk_indices), line.get("pk_indexes").filter(|list| list.is_array()).cloned().unwrap_or(json!([])));
            let described = |columns: &[ColumnSpec]| columns.iter().map(|column| column_json(column, true)).collect::<Vec<_>>();
            assert_eq!(Json::from(described(&prepared.bind)), line["bind"]);
            let result_columns = line.get("result_columns").filter(|list| list.is_array()).cloned().unwrap_or(json!([]));
            assert_eq!(Json::from(described(prepared.result.columns.as_deref().unwrap_or_default())), result_columns);
        }
        Response::Result(ResultMessage::Rows(rows)) => {
            assert_eq!(kind, Some("rows"));
            assert_eq!(json!(rows.metadata.paging_state.map(to_hex)), line["paging_state"]);
            assert_eq!(json!(rows.metadata.new_metadata_id.map(to_hex)), line["new_result_metadata_id"]);
            match (&rows.metadata.columns, request.request()) {
                (Some(columns), _) => check_rows(&rows, columns, line),
                (None, Request::Execute(execute)) => {
                    check_rows(&rows, &prepared(statements, execute.id).unwrap().result.columns.unwrap(), line);
                }
                (None, other) => panic!("rows without metadata for {other:?}"),
            }
        }
        other => panic!("no line for {other:?}"),
    }
}

/// Does the line speak of this request?
fn is_of(line: &Json, frame: &Frame) -> bool {
    line["opcode"] == frame.header.opcode.name()
        && match frame.request() {
            Request::Query(query) => query.query == line["cql"],
            Request::Prepare(prepare) => prepare.query == line["cql"],
            Request::Execute(execute) => to_hex(execute.id) == line["id"],
            _ => true,
        }
}

#[test]
fn requests_and_answers_say_what_the_driver_said() {
    for name in SESSIONS {
        let frames = Replay::of(name, usize::MAX).frames;
        let mut statements = Statements::new();
        let mut exchanges = exchanges(&frames).into_iter();
        let mut without_line = BTreeMap::<&str, usize>::new();
        let lines = recording::lines(&format!("{name}.expected.jsonl"));
        for line in lines.iter().filter(|line| line.get("request").is_some()) {
            let (request, response) = loop {
                let (request, response) = exchanges.next().unwrap_or_else(|| panic!("{name}: nothing is like {line}"));
                if is_of(&line["request"], request) {
                    break (request, response);
                }
                // What the driver says of its own accord.
                let own = match request.request() {
                    Request::Startup(_) | Request::Options | Request::Register(_) => true,
                    Request::Query(query) => query.query.contains(" system"),
                    _ => false,
                };
                assert!(own, "{name}: {:?} has no line before {line}", request.request());
                *without_line.entry(request.header.opcode.name()).or_default() += 1;
            };
            check_request(request, &line["request"], &statements);
            check_response(request, response, &line["responses"][0], &statements);
            if let Response::Result(ResultMessage::Prepared(prepared)) = response.response() {
                statements.insert(prepared.id.into(), response.clone());
            }
        }
        assert_eq!(exchanges.next(), None, "{name}");
        assert_eq!(without_line.get("STARTUP"), Some(&1), "{name}: {without_line:?}");
    }
}

#[test]
fn every_handshake_tells_the_same() {
    for name in SESSIONS {
        let frames = Replay::of(name, usize::MAX).frames;
        let lines = recording::lines(&format!("{name}.expected.jsonl"));
        let mut told = lines.iter().filter(|line| line["handshake"] == true);
        for conn in [1, SESSION] {
            let options = frames.iter().find(|frame| frame.conn == conn && frame.header.opcode == Opcode::Options).unwrap();
            let supported = frames.iter().find(|frame| frame.conn == conn && frame.header.opcode == Opcode::Supported).unwrap();
            check_response(options, supported, &told.next().unwrap()["responses"][0], &Statements::new());
        }
        assert_eq!(told.next(), None, "{name}");
    }
}

#[test]
fn events_are_those_the_driver_handled() {
    for name in SESSIONS {
        let frames = Replay::of(name, usize::MAX).frames;
        let mut seen = Vec::new();
        for frame in frames.iter().filter(|frame| frame.header.opcode == Opcode::Event) {
            assert_eq!(frame.header.stream, -1);
            match frame.response() {
                Response::Event(Event::SchemaChange(change)) => {
                    seen.push(json!({ "event": "SCHEMA_CHANGE", "args": driver_json::schema_change(&change) }).to_string());
                }
                other => panic!("no line for {other:?}"),
            }
        }
        let lines = recording::lines(&format!("{name}.expected.jsonl"));
        let mut told: Vec<_> = lines.iter().filter(|line| line.get("event").is_some()).map(Json::to_string).collect();
        seen.sort();
        told.sort();
        if name == "v4-plain" {
            // The driver watches the schema itself here, and handles each event of its own connection twice.
            seen.dedup();
            told.dedup();
        }
        assert_eq!(seen, told, "{name}");
    }
}
