//! Every request, in v3, v4, v5 and v4 with metadata ids.

use std::collections::BTreeSet;

use cassandra_protocol::frame::Serialize;
use cassandra_protocol::frame::message_request::RequestBody;
use cqlwire::message::{Params, Request};
use cqlwire::spec::Dialect;
use cqlwire::wire::Reader;

use crate::known::Gap;
use crate::support::messages::{Parts, any_parts, request};
use crate::support::{dialects, to_hex};
use crate::{cp_requests as cp, for_each, request_body, sc_requests as sc};

const CASES: usize = 500;

/// Levels that the specification has, which is all that the two know.
fn known_level(parts: Parts) -> Parts {
    Parts { consistency: parts.consistency % 11, ..parts }
}

/// Both keep STARTUP's options, and one also values by name, in a hash map: what they write is in any order.
fn has_one_order(request: &Request<'_>) -> bool {
    match request {
        Request::Startup(startup) => startup.options.len() < 2,
        Request::Query(query) => query.params.names.len() < 2,
        Request::Execute(execute) => execute.params.names.len() < 2,
        _ => true,
    }
}

fn sorted(mut request: Request<'_>) -> Request<'_> {
    fn sort(params: &mut Params<'_>) {
        if !params.names.is_empty() {
            let values = params.values.take().unwrap_or_default();
            let mut pairs: Vec<_> = params.names.drain(..).zip(values).collect();
            pairs.sort_by_key(|(name, _)| *name);
            params.values = Some(pairs.iter().map(|(_, value)| *value).collect());
            params.names = pairs.into_iter().map(|(name, _)| name).collect();
        }
    }
    match &mut request {
        Request::Startup(startup) => startup.options.sort(),
        Request::Query(query) => sort(&mut query.params),
        Request::Execute(execute) => sort(&mut execute.params),
        _ => {}
    }
    request
}

/// What another wrote is the request, to the byte where its order is given.
fn assert_same(request: &Request<'_>, written: &[u8], ours: &[u8], dialect: Dialect) {
    if has_one_order(request) {
        assert!(written == ours, "{dialect:?} {request:?}\n theirs {}\n ours   {}", to_hex(written), to_hex(ours));
    }
    let mut r = Reader::new(written);
    let read = Request::decode(request.opcode(), &mut r, dialect).unwrap_or_else(|error| panic!("{error}: {written:02x?}"));
    assert_eq!(r.left(), 0, "{dialect:?} {request:?}");
    assert_eq!(sorted(read), sorted(request.clone()), "{dialect:?}");
}

#[test]
fn cassandra_protocol_writes_and_reads_our_requests() {
    let mut gaps = BTreeSet::new();
    let mut compared = [0; 8];
    for_each(CASES, any_parts(), |parts| {
        let parts = known_level(parts);
        for dialect in dialects("345x") {
            let mut request = request(&parts, dialect);
            cp::narrow(&mut request, &mut gaps);
            let ours = request_body(&request, dialect);
            let theirs = cp::request(&request, dialect);
            let version = cp::version(dialect);
            assert_same(&request, &theirs.serialize_to_vec(version), &ours, dialect);
            // It knows metadata ids by the version alone.
            if dialect.features.metadata_id && matches!(request, Request::Execute(_)) {
                gaps.insert(Gap::CpMetadataIdInV4);
                continue;
            }
            let read = RequestBody::try_from(&ours, cp::opcode(request.opcode()), version);
            assert_eq!(read.unwrap_or_else(|error| panic!("{error}: {request:?}")), theirs, "{dialect:?}");
            compared[parts.kind] += 1;
        }
    });
    assert!(compared.iter().all(|count| *count > CASES / 4), "{compared:?}");
    assert_eq!(gaps, BTreeSet::from([Gap::CpSkipMetadata, Gap::CpEventNames, Gap::CpMetadataIdInV4]));
}

#[test]
fn scylla_cql_writes_and_reads_our_requests() {
    let mut gaps = BTreeSet::new();
    let (mut written, mut read) = ([0; 8], [0; 8]);
    for_each(CASES, any_parts(), |parts| {
        let parts = known_level(parts);
        for dialect in dialects("4x") {
            let mut request = request(&parts, dialect);
            sc::narrow(&mut request, &mut gaps);
            let ours = request_body(&request, dialect);
            assert_same(&request, &sc::write(&request, dialect), &ours, dialect);
            written[parts.kind] += 1;
            match sc::read(&request, &ours, dialect) {
                Some(again) => {
                    assert_same(&request, &again, &ours, dialect);
                    read[parts.kind] += 1;
                }
                None => _ = gaps.insert(Gap::ScWritesOnly),
            }
        }
    });
    assert!(written.iter().all(|count| *count > CASES / 8), "{written:?}");
    assert_eq!(read.map(|count| count > CASES / 8), [false, true, false, false, true, false, true, true], "{read:?}");
    assert_eq!(gaps, BTreeSet::from([Gap::ScNames, Gap::ScNoValues, Gap::ScEventNames, Gap::ScWritesOnly]));
}
