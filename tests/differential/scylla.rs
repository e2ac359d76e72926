//! ScyllaDB's extensions against `scylla-cql`: what is offered and asked for, and what is then said.

use std::borrow::Cow;
use std::collections::HashMap;

use cqlwire::message::error::ErrorDetail;
use cqlwire::message::event::ClientRoutesChange;
use cqlwire::message::*;
use cqlwire::spec::{Dialect, Features, Version};
use scylla_cql::frame::protocol_features::ProtocolFeatures;
use scylla_cql::frame::response::error::{DbError, OperationType};
use scylla_cql::frame::response::event::{ClientRoutesChangeEvent, EventV2};
use scylla_cql::frame::response::result::Result as TheirResult;
use scylla_cql::frame::response::{ResponseOpcode, ResponseV2};

use crate::response_body;
use crate::support::scylla::{OFFERED, Options, newest_node, node};

const V4: Dialect = Dialect { features: OFFERED, ..Dialect::new(Version::V4) };

fn their_features(options: &Options<'_>) -> ProtocolFeatures {
    let strings = |values: &[&str]| values.iter().map(|value| value.to_string()).collect();
    ProtocolFeatures::parse_from_supported(&options.iter().map(|(key, values)| (key.to_string(), strings(values))).collect())
}

fn their_reading(response: &Response<'_>) -> ResponseV2 {
    let opcode = ResponseOpcode::try_from(response.opcode() as u8).unwrap();
    ResponseV2::deserialize(&their_features(&newest_node()), opcode, response_body(response, V4).into(), None).unwrap()
}

#[test]
fn scylla_cql_takes_the_same_from_supported_and_asks_for_the_same() {
    for options in [node(), newest_node(), vec![]] {
        let mut theirs = their_features(&options);
        // It would rather have the second version of tablets, which this crate does not ask for.
        theirs.tablets_v2_supported = false;
        let mut asked: HashMap<Cow<'_, str>, Cow<'_, str>> = HashMap::new();
        theirs.add_startup_options(&mut asked);
        let ours = Supported { options: options.clone() }.startup_options(Dialect::new(Version::V4));
        assert_eq!(ours.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect::<HashMap<_, _>>(), asked);
    }
    let theirs = their_features(&newest_node());
    let Features { metadata_id, tablets_v1, lwt_mask, rate_limit_error } = OFFERED;
    assert_eq!((theirs.scylla_metadata_id_supported, theirs.tablets_v1_supported), (metadata_id, tablets_v1));
    assert_eq!((theirs.lwt_optimization_meta_bit_mask, theirs.rate_limit_error), (lwt_mask, rate_limit_error));
}

#[test]
fn scylla_cql_reads_our_rate_limits_lwt_marks_and_client_routes() {
    for (op_type, rejected_by_coordinator) in [(0, false), (0, true), (1, true), (7, false)] {
        let detail = ErrorDetail::RateLimit { op_type, rejected_by_coordinator };
        let ours = Response::Error(ErrorMessage { code: OFFERED.rate_limit_error.unwrap(), message: "slow down", detail });
        let ResponseV2::Error(theirs) = their_reading(&ours) else { panic!() };
        assert_eq!(theirs.error, DbError::RateLimitReached { op_type: OperationType::from(op_type), rejected_by_coordinator });
    }
    for is_lwt in [false, true] {
        let result = RowsMetadata::default();
        let prepared = Prepared { id: &[0xaa], result_metadata_id: &[0xbb], pk_indices: vec![], is_lwt, bind: vec![], result };
        let ours = Response::Result(ResultMessage::Prepared(prepared));
        let ResponseV2::Result(TheirResult::Prepared(theirs)) = their_reading(&ours) else { panic!() };
        let flags = theirs.prepared_metadata.flags as u32;
        assert_eq!(their_features(&newest_node()).prepared_flags_contain_lwt_mark(flags), is_lwt);
    }
    let (connection_ids, host) = (vec!["a", "☃"], "00112233-4455-6677-8899-aabbccddeeff");
    let change = ClientRoutesChange { change_type: "UPDATE_NODES", connection_ids: connection_ids.clone(), host_ids: vec![host; 2] };
    let theirs = their_reading(&Response::Event(Event::ClientRoutesChange(change)));
    let ResponseV2::Event(EventV2::ClientRoutesChange(ClientRoutesChangeEvent::UpdateNodes { connection_ids: read, host_ids })) = theirs
    else {
        panic!()
    };
    assert_eq!(
        (read, host_ids.iter().map(|id| id.to_string()).collect::<Vec<_>>()),
        (connection_ids.iter().map(|id| id.to_string()).collect(), vec![host.to_string(); 2])
    );
}
