//! Where a row lives.

use cqlwire::message::{Response, ResultMessage};
use cqlwire::route::{Tablet, murmur3_token, routing_key, tablet};
use cqlwire::spec::{Compression, Version};
use cqlwire::wire::ErrorKind;

use crate::client;
use crate::support::hex;

/// SCY-1: a tablet is open on the left, also at the smallest token; one that makes no sense fails no query
/// (scylladb/scylla-rust-driver#1641, scylladb/scylladb#15410).
#[test]
fn scy_1_tablets() {
    let good =
        hex("00 00 00 08 80 00 00 00 00 00 00 00 00 00 00 08 bf ff ff ff ff ff ff ff 00 00 00 24 00 00 00 01 00 00 00 1c 00 00 00 10 \
         00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 00 00 00 04 00 00 00 03");
    let bad = hex("00 00 00 08 7f ff ff ff ff ff ff ff 00 00 00 08 00 00 00 00 00 00 16 2e 00 00 00 04 00 00 00 00");
    let read = Tablet::decode(&good).unwrap().unwrap();
    assert_eq!((read.first_token, read.last_token), (i64::MIN, -4_611_686_018_427_387_905));
    assert_eq!(read.replicas, [(hex("00112233445566778899aabbccddeeff").try_into().unwrap(), 3)]);
    assert_eq!([i64::MIN, i64::MIN + 1, read.last_token, read.last_token + 1].map(|token| read.has(token)), [false, true, true, false]);
    assert_eq!(Tablet::decode(&bad).unwrap_err().kind, ErrorKind::OutOfRange);
    let equal = [&good[..16], &good[4..12], &good[24..]].concat(); // first and last the same: a tablet of nothing
    assert_eq!(Tablet::decode(&equal).unwrap_err().kind, ErrorKind::OutOfRange);

    // The result comes all the same.
    let name = tablet::PAYLOAD;
    let mut body = hex(&format!("0001 {:04x} '{name}' {:08x}", name.len(), bad.len()));
    body.extend(&bad);
    body.extend([0, 0, 0, 1]);
    let mut conn = client(Version::V4, Compression::None);
    conn.feed(&hex(&format!("84 04 0001 08 {:08x}", body.len())));
    conn.feed(&body);
    conn.next_frame().unwrap().unwrap();
    let (prefix, response) = conn.response().unwrap();
    assert_eq!(response, Response::Result(ResultMessage::Void));
    assert_eq!(prefix.custom_payload, [(name, Some(&bad[..]))]);
}

/// ROU-1: Cassandra's Murmur3 takes the bytes of the tail as signed (apache/cassandra-gocql-driver#1033,
/// apache/cassandra-nodejs-driver#262, scylladb/scylla-rust-driver#96, pmcfadin/cqlite#3633).
#[test]
fn rou_1_tokens() {
    let composite = hex("00 10 43 27 52 9f b6 45 dd 00 b8 83 ec 39 ae 44 8b b8 00 00 04 00 06 6a 6b 00");
    let (high, low): (Vec<u8>, Vec<u8>) = ((0x80..=0x8b).collect(), (0x00..=0x0c).collect());
    for (key, token) in [
        (&composite[..], -9_223_371_632_693_506_265),
        (&[0, 0, 0, 1], -4_069_959_284_402_364_209),
        (&high, -5_351_185_824_061_215_367),
        (&low, 5_427_640_137_651_536_322),
        (&[], i64::MIN),
    ] {
        assert_eq!(murmur3_token(key), token, "{key:02x?}");
    }
    // One column is hashed bare, several are each [short length][bytes][00].
    assert_eq!(routing_key(&[&[0, 0, 0, 1]]).unwrap(), [0, 0, 0, 1]);
    assert_eq!(routing_key(&[&[0, 0, 0, 1], b"a"]).unwrap(), hex("00 04 00 00 00 01 00 00 01 61 00"));
    let uuid = &composite[2..18];
    assert_eq!(routing_key(&[uuid, &composite[21..21], &[]]).unwrap().len(), 16 + 3 + 3 + 3);
    assert_eq!(routing_key(&[uuid, &[0, 6, 0x6a, 0x6b]]).unwrap(), composite);
}
