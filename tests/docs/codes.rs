//! The document's tables of flags, type codes and error codes.

use cqlwire::message::{Query, Request};
use cqlwire::spec::cql_type::option;
use cqlwire::spec::{Native, code, flag};
use cqlwire::value::CqlType;
use cqlwire::wire::Writer;

use crate::{VERSIONS, dialect, tables};

fn number(text: &str) -> u32 {
    u32::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
}

/// Letters of the versions that the cells mark.
fn marked(cells: &[&str]) -> String {
    VERSIONS.chars().zip(cells).filter(|(_, cell)| **cell == "✓").map(|(letter, _)| letter).collect()
}

#[test]
fn flags() {
    use flag::{header, metadata, prepare, query};
    let expected = [
        ("frame", u32::from(header::COMPRESSION)),
        ("frame", header::TRACING.into()),
        ("frame", header::CUSTOM_PAYLOAD.into()),
        ("frame", header::WARNING.into()),
        ("frame", header::USE_BETA.into()),
        ("query", query::VALUES),
        ("query", query::SKIP_METADATA),
        ("query", query::PAGE_SIZE),
        ("query", query::PAGING_STATE),
        ("query, batch", query::SERIAL_CONSISTENCY),
        ("query, batch", query::TIMESTAMP),
        ("query", query::VALUE_NAMES),
        ("query, batch", query::KEYSPACE),
        ("query, batch", query::NOW_IN_SECONDS),
        ("prepare", prepare::KEYSPACE),
        ("metadata", metadata::GLOBAL_TABLE_SPEC),
        ("metadata", metadata::HAS_MORE_PAGES),
        ("metadata", metadata::NO_METADATA),
        ("metadata", metadata::METADATA_CHANGED),
    ];
    let tables = tables();
    let rows = tables["Flags"][1..].iter().map(|row| (row[0].split(':').next().unwrap(), number(row[1])));
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

/// What is written where the type stands: its code, or that of custom.
#[test]
fn type_codes() {
    let parameters = [
        ("custom", option::CUSTOM),
        ("list", option::LIST),
        ("map", option::MAP),
        ("set", option::SET),
        ("UDT", option::UDT),
        ("tuple", option::TUPLE),
    ];
    let mut expected: Vec<(u32, &str, String)> =
        parameters.into_iter().map(|(name, code)| (u32::from(code), name, VERSIONS.into())).collect();
    for native in Native::ALL {
        let has_code = |letter: &char| {
            let mut w = Writer::new();
            CqlType::Native(*native).write(&mut w, dialect(*letter)).unwrap();
            w.as_slice()[..2] != [0, 0]
        };
        expected.push((*native as u32, native.name(), VERSIONS.chars().filter(has_code).collect()));
    }
    expected.sort();
    let tables = tables();
    let rows = tables["Type codes"][1..].iter().map(|row| (number(row[1]), row[0], marked(&row[2..])));
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn error_codes() {
    let versions = |code: i32| {
        let has = ['3', '4', '5'].into_iter().filter(|letter| code::error::has_fields(code, dialect(*letter)));
        has.map(|letter| format!("v{letter}")).collect::<Vec<_>>().join(", ")
    };
    let expected: Vec<_> = code::error::ERRORS.iter().map(|(code, name)| (*code as u32, *name, versions(*code))).collect();
    let tables = tables();
    let rows = tables["Error codes"][1..].iter().map(|row| (number(row[0]), row[1], row[2].to_string()));
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

/// The query flags of v5 alone are refused before it, by name.
#[test]
fn flags_of_v5() {
    let tables = tables();
    let of_v5 = tables["Flags"][1..].iter().filter(|row| row[0].starts_with("query") && marked(&row[2..]) == "5").count();
    let mut request = Query {
        query: "q",
        params: cqlwire::message::Params {
            consistency: cqlwire::spec::Consistency::One,
            values: None,
            names: vec![],
            options: Default::default(),
        },
    };
    let refused = |request: &Query<'_>, letter| Request::Query(request.clone()).encode(&mut Writer::new(), dialect(letter)).is_err();
    request.params.options.keyspace = Some("k");
    let mut count = usize::from("34i".chars().all(|letter| refused(&request, letter)) && !refused(&request, '5'));
    request.params.options.keyspace = None;
    request.params.options.now_in_seconds = Some(1);
    count += usize::from("34i".chars().all(|letter| refused(&request, letter)) && !refused(&request, '5'));
    assert_eq!(count, of_v5);
}
