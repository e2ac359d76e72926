//! What the two crates cannot say or say wrongly: the one table. Each row says what they do; a function gives true while they still
//! do it, so that the row goes when they have mended it. Rows without one are matters of their types.

use cassandra_protocol::consistency::Consistency as CpConsistency;
use cassandra_protocol::frame::message_request::RequestBody;
use cassandra_protocol::frame::message_response::ResponseBody;
use cassandra_protocol::frame::message_result::{ColType, ColTypeOption, ColTypeOptionValue};
use cassandra_protocol::frame::message_supported::BodyResSupported;
use cassandra_protocol::frame::{Opcode, Serialize, Version};
use cassandra_protocol::types::CBytes;
use cassandra_protocol::types::cassandra_type::wrapper_fn;
use cassandra_protocol::types::data_serialization_types::decode_duration;
use scylla_cql::deserialize::FrameSlice;
use scylla_cql::deserialize::value::DeserializeValue;
use scylla_cql::frame::protocol_features::ProtocolFeatures;
use scylla_cql::frame::request::{DeserializableRequest, Query};
use scylla_cql::frame::response::{ResponseOpcode, ResponseV2};
use scylla_cql::frame::server_event_type::EventTypeV2;
use scylla_cql::serialize::value::SerializeValue;
use scylla_cql::serialize::writers::CellWriter;
use scylla_cql::value::CqlValue;

use crate::cp_responses;
use crate::sc_types::column_type;
use crate::support::{hex, ty};

macro_rules! known {
    ($($gap:ident $what:literal $still:expr;)*) => {
        /// The rows, by name: `Cp` is cassandra-protocol 4.0.1, `Sc` scylla-cql 2.0.0.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Gap { $($gap,)* }

        const KNOWN: &[(Gap, &str, Option<fn() -> bool>)] = &[$((Gap::$gap, $what, $still),)*];
    };
}

known! {
    // Requests.
    CpSkipMetadata "has no skip_metadata: it reads the flag and drops it"
        Some(|| cp_again(Opcode::Query, "00000001 'q' 0001 02") == hex("00000001 'q' 0001 00"));
    CpEventNames "REGISTER takes three event names only"
        Some(|| cp_request(Opcode::Register, "0001 0014 'CLIENT_ROUTES_CHANGE'").is_none());
    CpMetadataIdInV4 "knows metadata ids by the version, not by SCYLLA_USE_METADATA_ID"
        Some(|| cp_again(Opcode::Execute, "0002 aaaa 0002 0000 0001 00") == hex("0002 aaaa 0002 00"));
    CpLevels "a consistency that it does not know is an error" Some(|| CpConsistency::try_from(0x63).is_err());
    CpShorts "[short] is signed: an id of 40,000 bytes is null, and 40,000 statements in a batch panic"
        Some(|| cp_request(Opcode::Execute, &long_id()).is_none_or(|written| written != hex(&long_id())));
    CpVersionOptions "writes a keyspace in v4, which has none (flag 80)" Some(keyspace_in_v4);
    ScNames "values by name are refused" Some(|| sc_query("00000001 'q' 0001 41 0001 0001 'n' 00000000").is_none());
    ScNoValues "no values at all and a list of none are one"
        Some(|| sc_query("00000001 'q' 0001 01 0000") == Some(hex("00000001 'q' 0001 00")));
    ScEventNames "REGISTER takes four event names only" Some(|| "NEWER".parse::<EventTypeV2>().is_err());
    ScWritesOnly "OPTIONS, PREPARE, REGISTER and AUTH_RESPONSE are written, not read" None;

    // Frames.
    CpPayload "a custom payload is left in front of the message" None; // `frames.rs` shows it
    ScNullPayload "a null value of a custom payload, which is [bytes], is an error" Some(null_payload);

    // Responses.
    CpErrorCodes "a code that it does not know is an error, among them CDC_WRITE_FAILURE and CAS_WRITE_UNKNOWN"
        Some(|| cp_response(Version::V5, Opcode::Error, "00001600 0000").is_none());
    CpContentions "expects a contention count in v3 and v4 too: krojew/cdrs-tokio#112"
        Some(|| cp_response(Version::V4, Opcode::Error, "00001100 0000 0008 00000000 00000002 0003 'CAS'").is_none());
    CpFailureReasons "reads v5's addresses of failures as [inet], with a port; they are [inetaddr]"
        Some(|| cp_response(Version::V5, Opcode::Error, "00001300 0000 0004 00000001 00000002 00000001 04 7f000001 0001 01").is_none());
    CpMultimapOrder "SUPPORTED is written in the order of a hash map" Some(a_hash_map_has_no_order);
    CpPkCountInV3 "PREPARED is written in v3 with v4's list of partition key indices"
        Some(|| cp_response(Version::V3, Opcode::Result, PREPARED_V3).is_some_and(|written| written != hex(PREPARED_V3)));
    CpClassNames "a type given by its class name stays that text" None; // a String in its types
    ScUnknownClass "one column of a class that it does not know fails the whole result" Some(|| sc_rows_of_class("'com.example.Mine'"));
    ScEmptyTuple "a tuple of nothing is refused as a class name" Some(|| sc_rows_of_class("'org.apache.cassandra.db.marshal.TupleType()'"));

    // Values.
    CpDuration "durations are read and written as protobuf's varints, not as [vint]"
        Some(|| !decode_duration(&hex("00 00 80c8")).is_ok_and(|read| read.nanoseconds() == 100));
    CpVectors "vectors of anything but float are refused"
        Some(|| cp_cell_fails(ColType::Custom, Some("VectorType(Int32Type, 1)"), &[0, 0, 0, 1]));
    CpEmpty "zero bytes of a type that has no such value are an error" Some(|| cp_cell_fails(ColType::Int, None, &[]));
    CpEmptyKey "an empty partition key has the token 0, not the smallest"
        Some(|| cassandra_protocol::token::Murmur3Token::generate(&[]).value == 0);
    CpNullElement "a list to be written has no nulls" None;
    CpWritesNoNested "maps with an order, tuples and user-defined types are not written from values" None;
    ScEmptyRefused "zero bytes of a counter, duration, collection or user-defined type are read, not written" Some(|| {
        CqlValue::Empty.serialize(&column_type(&ty("list<int>")).unwrap(), CellWriter::new(&mut Vec::new())).is_err()
    });
    ScNullElement "a null in a list, set or map is an error" Some(|| sc_cell_fails("list<int>", "00000001 ffffffff"));
    ScEmptyInVector "an element of no bytes in a vector is read as null, and refused" Some(|| sc_cell_fails("vector<text, 1>", "00"));
}

#[test]
fn every_row_still_shows() {
    for (gap, what, still) in KNOWN {
        if let Some(still) = still {
            assert!(still(), "{gap:?} no longer shows ({what}): take the row out, and what the tests leave out for it");
        }
    }
}

const PREPARED_V3: &str = "00000004 0001 aa 00000000 00000000 00000004 00000000";

fn long_id() -> String {
    format!("9c40 {} 0001 00", "00".repeat(40_000))
}

/// A v4 request, read and written again.
fn cp_request(opcode: Opcode, literal: &str) -> Option<Vec<u8>> {
    RequestBody::try_from(&hex(literal), opcode, Version::V4).ok().map(|request| request.serialize_to_vec(Version::V4))
}

fn cp_again(opcode: Opcode, literal: &str) -> Vec<u8> {
    cp_request(opcode, literal).unwrap_or_default()
}

/// A response, read and written again.
fn cp_response(version: Version, opcode: Opcode, literal: &str) -> Option<Vec<u8>> {
    ResponseBody::try_from(&hex(literal), opcode, version).ok().map(|response| cp_responses::write(&response, version))
}

fn keyspace_in_v4() -> bool {
    let Ok(RequestBody::Query(mut query)) = RequestBody::try_from(&hex("00000001 'q' 0001 00"), Opcode::Query, Version::V4) else {
        panic!("a plain QUERY")
    };
    query.query_params.keyspace = Some("ks".into());
    query.serialize_to_vec(Version::V4) == hex("00000001 'q' 0001 80 0002 'ks'")
}

fn a_hash_map_has_no_order() -> bool {
    let supported = || BodyResSupported { data: (0..40).map(|n| (n.to_string(), Vec::new())).collect() }.serialize_to_vec(Version::V4);
    (0..8).any(|_| supported() != supported())
}

fn cp_cell_fails(id: ColType, class: Option<&str>, content: &[u8]) -> bool {
    let ty = ColTypeOption { id, value: class.map(|class| ColTypeOptionValue::CString(class.into())) };
    wrapper_fn(&ty.id)(&CBytes::new(content.into()), &ty, Version::V4).is_err()
}

fn sc_query(literal: &str) -> Option<Vec<u8>> {
    let query = Query::deserialize_with_features(&mut &hex(literal)[..], &ProtocolFeatures::default()).ok()?;
    let mut body = Vec::new();
    scylla_cql::frame::request::SerializableRequest::serialize(&query, &mut body).unwrap();
    Some(body)
}

fn null_payload() -> bool {
    let body = hex("0001 0001 'k' ffffffff 00000001");
    scylla_cql::frame::parse_response_body_extensions(4, None, body.into()).is_err()
}

/// Rows of one column of this class, or of a vector of it.
fn sc_rows_of_class(class: &str) -> bool {
    let length = class.len() - 2;
    let body = hex(&format!("00000002 00000001 00000001 0001 'k' 0001 't' 0001 'c' 0000 {length:04x} {class} 00000000"));
    let response = ResponseV2::deserialize(&ProtocolFeatures::default(), ResponseOpcode::Result, body.into(), None).unwrap();
    response.deserialize_metadata().is_err()
}

fn sc_cell_fails(name: &str, literal: &str) -> bool {
    let (ty, content) = (column_type(&ty(name)).unwrap(), hex(literal));
    Option::<CqlValue>::deserialize(&ty, Some(FrameSlice::new_borrowed(&content))).is_err()
}
