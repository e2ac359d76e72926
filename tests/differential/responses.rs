//! Every response, in v3, v4, v5 and v4 with metadata ids.

use std::collections::BTreeSet;

use cassandra_protocol::frame::message_response::ResponseBody;
use cqlwire::message::Response;
use cqlwire::wire::Reader;

use crate::known::Gap;
use crate::support::responses::any_response;
use crate::support::{dialects, to_hex};
use crate::{cp_requests, cp_responses as cp, for_each, response_body, sc_responses as sc};

const CASES: usize = 600;

#[test]
fn cassandra_protocol_reads_our_responses_and_writes_them_again() {
    let mut gaps = BTreeSet::new();
    let mut compared = [0; 3];
    for dialect in dialects("345x") {
        let version = cp_requests::version(dialect);
        for_each(CASES, any_response(dialect), |response| {
            let ours = response_body(&response, dialect);
            if let Some(gap) = cp::gap(&response, dialect) {
                gaps.insert(gap);
                return;
            }
            let theirs = ResponseBody::try_from(&ours, cp_requests::opcode(response.opcode()), version);
            let theirs = theirs.unwrap_or_else(|error| panic!("{error}: {response:?}"));
            cp::assert_same(&response, &theirs, &mut gaps);
            if let Some(gap) = cp::write_gap(&response, dialect) {
                gaps.insert(gap);
                return;
            }
            let written = cp::write(&theirs, version);
            assert!(written == ours, "{dialect:?} {response:?}\n theirs {}\n ours   {}", to_hex(&written), to_hex(&ours));
            assert_eq!(Response::decode(response.opcode(), &mut Reader::new(&written), dialect).unwrap().opcode(), response.opcode());
            compared[dialect.version as usize - 3] += 1;
        });
    }
    assert!(compared.iter().all(|count| *count > CASES * 3 / 4), "{compared:?}");
    let expected = [
        Gap::CpErrorCodes,
        Gap::CpContentions,
        Gap::CpFailureReasons,
        Gap::CpMetadataIdInV4,
        Gap::CpMultimapOrder,
        Gap::CpPkCountInV3,
        Gap::CpClassNames,
    ];
    assert_eq!(gaps, BTreeSet::from(expected));
}

#[test]
fn scylla_cql_reads_our_responses() {
    let mut gaps = BTreeSet::new();
    let mut compared = 0;
    for dialect in dialects("4x") {
        for_each(CASES, any_response(dialect), |response| {
            if let Some(gap) = sc::gap(&response) {
                gaps.insert(gap);
                return;
            }
            sc::assert_same(&response, response_body(&response, dialect), dialect);
            compared += 1;
        });
    }
    assert!(compared > CASES * 3 / 2, "{compared}");
    assert_eq!(gaps, BTreeSet::from([Gap::ScUnknownClass, Gap::ScEmptyTuple]));
}
