//! Odd requests, one connection each, and what a real server answered (`testdata/sessions/probes`): the answers are read as they are
//! described, and the requests are accepted or refused for a reason that can be named.

mod support;

use std::collections::BTreeMap;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::{Request, Response};
use cqlwire::spec::{Opcode, Version};
use cqlwire::wire::ErrorKind;
use serde_json::Value as Json;
use support::recording;

/// What our two codecs make of one connection.
#[derive(Default)]
struct Seen {
    answers: Vec<Json>,
    /// What ended the reading of the answers.
    refused_answer: Option<ErrorKind>,
    /// For each request: its opcode, or why it was refused.
    requests: Vec<Result<Opcode, ErrorKind>>,
}

fn replay() -> BTreeMap<u64, Seen> {
    let mut conns: BTreeMap<u64, (Conn, Conn)> = BTreeMap::new();
    let mut seen: BTreeMap<u64, Seen> = BTreeMap::new();
    for chunk in recording::chunks("probes") {
        let (client, server) = conns.entry(chunk.conn).or_insert_with(|| {
            let version = Version::from_number(chunk.bytes[0] & 0x7f).unwrap_or(Version::V5);
            (Conn::new(Role::Client, version), Conn::new(Role::Server, version))
        });
        let seen = seen.entry(chunk.conn).or_default();
        if chunk.is_response {
            client.feed(&chunk.bytes);
            read_answers(client, server, seen);
        } else {
            server.feed(&chunk.bytes);
            read_requests(client, server, seen);
        }
    }
    seen
}

fn read_answers(client: &mut Conn, server: &mut Conn, seen: &mut Seen) {
    loop {
        let header = match client.next_frame() {
            Ok(Some(header)) => header,
            Ok(None) => return,
            Err(error) => {
                seen.refused_answer = Some(error.kind);
                return;
            }
        };
        let mut answer = serde_json::json!({
            "version": header.version, "response": 1, "flags": header.flags, "stream": header.stream,
            "op": header.opcode.name(), "length": header.length,
        });
        match client.response().unwrap().1 {
            Response::Error(error) => {
                answer["code"] = error.code.into();
                answer["message"] = error.message.into();
            }
            Response::Ready => server.establish(),
            _ => {}
        }
        seen.answers.push(answer);
    }
}

fn read_requests(client: &mut Conn, server: &mut Conn, seen: &mut Seen) {
    loop {
        match server.next_frame() {
            Ok(Some(_)) => {}
            Ok(None) => return,
            Err(error) => {
                if seen.requests.last() != Some(&Err(error.kind)) {
                    seen.requests.push(Err(error.kind));
                }
                return;
            }
        }
        let request = server.request().map(|(_, request)| request);
        if let Ok(startup @ Request::Startup(_)) = &request {
            // What our client would refuse to ask for stays as it was.
            let _ = client.send(startup, 1, &FrameOptions::default());
            client.sent();
        }
        seen.requests.push(request.map(|request| request.opcode()).map_err(|error| error.kind));
    }
}

#[test]
fn the_answers_are_those_that_were_written_down() {
    let seen = replay();
    let mut unread = vec![];
    for line in recording::lines("probes.expected.jsonl") {
        let conn = line["conn"].as_u64().unwrap();
        let mut expected: Vec<Json> = line["answers"].as_array().unwrap().clone();
        expected.retain(|answer| answer.get("segment").is_none());
        for answer in &mut expected {
            for name in ["body", "compressed_body"] {
                answer.as_object_mut().unwrap().remove(name);
            }
        }
        let seen = &seen[&conn];
        assert_eq!(seen.answers[..], expected[..seen.answers.len()], "{}", line["probe"]);
        if let Some(kind) = seen.refused_answer {
            unread.push((conn, expected.len() - seen.answers.len(), kind));
        } else {
            assert_eq!(seen.answers.len(), expected.len(), "{}", line["probe"]);
        }
    }
    // 1: three versions on one connection. 2: the 8-byte header of v2. 4: SUPPORTED in v6, which was asked for with the beta flag.
    assert_eq!(unread, [(1, 2, ErrorKind::WrongVersion), (2, 1, ErrorKind::WrongVersion), (4, 1, ErrorKind::WrongVersion)]);
}

#[test]
fn the_requests_are_read_or_refused() {
    use ErrorKind::{BadChecksum, BadCompression, BadValue, NotNegotiated, Truncated, WrongDirection, WrongVersion};
    use Opcode::{Options, Query, Register, Startup};
    let seen = replay();
    for (conn, expected) in [
        (1, &[Ok(Options); 3][..]), // in three versions
        (2, &[Err(WrongVersion)]),
        (3, &[Err(WrongVersion)]),
        (6, &[Err(WrongVersion)]),
        (7, &[Ok(Query)]), // the order of messages is the server's to judge
        (8, &[Ok(Startup)]),
        (9, &[Ok(Startup)]),
        (10, &[Ok(Startup), Ok(Options)]),
        (11, &[Ok(Startup)]),
        (13, &[Ok(Startup), Err(BadValue)]),
        (14, &[Ok(Startup), Err(WrongDirection)]),
        (15, &[Ok(Startup), Err(WrongDirection)]),
        (16, &[Ok(Startup), Ok(Options)]),
        (17, &[Ok(Startup), Err(WrongVersion)]),
        (18, &[Ok(Startup), Ok(Options)]),
        (19, &[Ok(Startup), Err(NotNegotiated)]),
        (20, &[Ok(Startup), Ok(Query)]),
        (21, &[Ok(Startup), Err(Truncated)]),
        (22, &[Ok(Startup), Ok(Query)]),
        (23, &[Ok(Startup), Ok(Query)]),
        (24, &[Ok(Startup), Ok(Options)]),
        (25, &[Ok(Startup), Err(Truncated)]),
        (26, &[Ok(Startup), Ok(Options)]), // the server refuses a length of 0 without a block
        (27, &[Ok(Startup), Ok(Options)]),
        (28, &[Ok(Startup), Ok(Query)]),
        (29, &[Ok(Startup), Ok(Query)]),
        (30, &[Ok(Startup), Ok(Register)]),
        (31, &[Ok(Startup), Err(BadCompression)]),
        (33, &[Ok(Startup), Ok(Options)]),
        (34, &[Ok(Startup), Ok(Query), Ok(Options)]),
        (35, &[Ok(Startup), Ok(Options), Ok(Query), Ok(Options), Ok(Options)]),
        (36, &[Ok(Startup), Ok(Query)]),
        (37, &[Ok(Startup), Ok(Options)]),
        (38, &[Ok(Startup), Ok(Options)]),
        (39, &[Ok(Startup), Ok(Options)]),
        (40, &[Ok(Startup), Err(BadChecksum)]),
        (41, &[Ok(Startup), Err(BadChecksum)]),
        (42, &[Ok(Startup), Err(WrongVersion)]),
        (43, &[Ok(Startup), Err(BadChecksum)]),
        (44, &[Ok(Startup), Ok(Query)]),
        (45, &[Ok(Startup), Ok(Options)]),
        (46, &[Ok(Startup), Ok(Query), Ok(Options)]),
    ] {
        assert_eq!(seen[&conn].requests, expected, "connection {conn}");
    }
}
