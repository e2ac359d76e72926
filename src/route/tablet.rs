//! A tablet as ScyllaDB tells it in a result's custom payload (Scylla, Tablets routing v1): a tuple (first token bigint, last token bigint,
//! replicas list of tuple (host uuid, shard int)). The first token is not in the tablet, the last one is. A payload that makes no sense is
//! an error for the caller to pass over: a hint must not fail a query.

use alloc::vec::Vec;

use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// The payload's name.
pub const PAYLOAD: &str = "tablets-routing-v1";

/// A range of tokens and who has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tablet {
    /// The tablet begins after this token.
    pub first_token: i64,
    /// The tablet's last token.
    pub last_token: i64,
    /// Hosts and their shards; at least one.
    pub replicas: Vec<([u8; 16], i32)>,
}

impl Tablet {
    /// The tablet that a frame's custom payload has; none in most frames, and none where the hint names nobody.
    pub fn of(custom_payload: &[(&str, Option<&[u8]>)]) -> Result<Option<Tablet>> {
        match custom_payload.iter().find(|(name, _)| *name == PAYLOAD) {
            Some((_, Some(payload))) => Tablet::decode(payload),
            _ => Ok(None),
        }
    }

    /// Reads the payload's bytes. Without replicas it is no tablet: nobody to send to.
    pub fn decode(payload: &[u8]) -> Result<Option<Tablet>> {
        let mut r = Reader::new(payload);
        let first_token = whole(&mut r, "tablet.first_token", Reader::long)?;
        let last_token = whole(&mut r, "tablet.last_token", Reader::long)?;
        if first_token >= last_token {
            return Err(r.error(ErrorKind::OutOfRange, "tablet.last_token"));
        }
        let mut list = field(&mut r, "tablet.replicas")?;
        let count = list.count(32, "tablet.replicas")?; // its length, a uuid and a shard with theirs: 4 + 20 + 8
        let mut replicas = Vec::with_capacity(count);
        for _ in 0..count {
            let mut replica = field(&mut list, "tablet.replica")?;
            let host = whole(&mut replica, "tablet.replica.host", Reader::uuid)?;
            let shard = whole(&mut replica, "tablet.replica.shard", Reader::int)?;
            if shard < 0 {
                return Err(list.error(ErrorKind::OutOfRange, "tablet.replica.shard"));
            }
            replicas.push((host, shard));
        }
        list.finish("tablet.replicas")?;
        Ok((!replicas.is_empty()).then_some(Tablet { first_token, last_token, replicas }))
    }

    /// The payload's bytes. What [`Tablet::decode`] would refuse is refused.
    pub fn encode(&self) -> Result<Vec<u8>> {
        if self.first_token >= self.last_token {
            return Err(Error::new(ErrorKind::OutOfRange, "tablet.last_token", 0));
        }
        if self.replicas.is_empty() {
            return Err(Error::new(ErrorKind::WrongCount, "tablet.replicas", 0));
        }
        if self.replicas.iter().any(|(_, shard)| *shard < 0) {
            return Err(Error::new(ErrorKind::OutOfRange, "tablet.replica.shard", 0));
        }
        let mut list = Writer::new();
        list.int_len(self.replicas.len(), "tablet.replicas")?;
        for (host, shard) in &self.replicas {
            let mut replica = Writer::new();
            replica.bytes(Some(host), "tablet.replica.host")?;
            replica.bytes(Some(&shard.to_be_bytes()), "tablet.replica.shard")?;
            list.bytes(Some(replica.as_slice()), "tablet.replica")?;
        }
        let mut w = Writer::new();
        w.bytes(Some(&self.first_token.to_be_bytes()), "tablet.first_token")?;
        w.bytes(Some(&self.last_token.to_be_bytes()), "tablet.last_token")?;
        w.bytes(Some(list.as_slice()), "tablet.replicas")?;
        Ok(w.into_bytes())
    }

    /// True if the tablet has this token.
    pub fn has(&self, token: i64) -> bool {
        self.first_token < token && token <= self.last_token
    }

    /// True if a token is in both: a tablet that comes replaces every known one of its table that it overlaps.
    pub fn overlaps(&self, other: &Tablet) -> bool {
        self.first_token < other.last_token && other.first_token < self.last_token
    }
}

/// A field of one size: nothing may be left of its `[bytes]`.
fn whole<'a, T>(r: &mut Reader<'a>, what: &'static str, read: fn(&mut Reader<'a>, &'static str) -> Result<T>) -> Result<T> {
    let mut field = field(r, what)?;
    let value = read(&mut field, what)?;
    field.finish(what)?;
    Ok(value)
}

/// The `[bytes]` of a field, which a hint always has.
fn field<'a>(r: &mut Reader<'a>, what: &'static str) -> Result<Reader<'a>> {
    let here = r.clone();
    match r.bytes(what)? {
        Some(bytes) => Ok(r.inside(bytes)),
        None => Err(here.error(ErrorKind::BadLength, what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // scylladb/scylla-rust-driver#1641, fixed in #1660
    const GOOD: [u8; 64] = [
        0, 0, 0, 8, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x24, 0, 0, 0, 1, 0, 0,
        0, 0x1c, 0, 0, 0, 0x10, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0, 0, 0, 4, 0,
        0, 0, 3,
    ];

    #[test]
    fn the_first_tablet_of_a_table() {
        let tablet = Tablet::decode(&GOOD).unwrap().unwrap();
        assert_eq!((tablet.first_token, tablet.last_token), (i64::MIN, -4_611_686_018_427_387_905));
        assert_eq!(tablet.replicas.len(), 1);
        assert_eq!((tablet.replicas[0].0[15], tablet.replicas[0].1), (0xff, 3));
        assert!(!tablet.has(i64::MIN) && tablet.has(i64::MIN + 1) && tablet.has(tablet.last_token) && !tablet.has(tablet.last_token + 1));
        assert_eq!(tablet.encode().unwrap(), GOOD);
        // What a later version puts after the replicas (Scylla, Tablets routing v2) is not in the way.
        assert_eq!(Tablet::decode(&[&GOOD[..], &[0, 0, 0, 8], &[7; 8]].concat()).unwrap().unwrap(), tablet);
        for cut in 0..GOOD.len() {
            assert!(Tablet::decode(&GOOD[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn hints_that_make_no_sense() {
        let reversed =
            [0, 0, 0, 8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0x16, 0x2e, 0, 0, 0, 4, 0, 0, 0, 0];
        assert_eq!(Tablet::decode(&reversed).unwrap_err().kind, ErrorKind::OutOfRange);
        let mut empty = GOOD;
        empty.copy_within(16..24, 4); // ends where it begins
        assert_eq!(Tablet::decode(&empty).unwrap_err().kind, ErrorKind::OutOfRange);
        let mut nobody = GOOD[..28].to_vec();
        nobody[27] = 4;
        nobody.extend([0, 0, 0, 0]);
        assert_eq!(Tablet::decode(&nobody), Ok(None));
        // Sizes that no token, host, shard or list of these has: one byte more, counted in every length around it.
        for (at, lengths) in [(12, &[3][..]), (24, &[15]), (56, &[27, 35, 39]), (64, &[27, 35, 59]), (64, &[27])] {
            let mut long = GOOD.to_vec();
            long.insert(at, 0);
            lengths.iter().for_each(|length| long[*length] += 1);
            assert_eq!(Tablet::decode(&long).unwrap_err().kind, ErrorKind::Trailing, "{at} {lengths:?}");
        }
        let mut many = GOOD.to_vec();
        many[28..32].copy_from_slice(&0x7fff_ffffu32.to_be_bytes());
        assert_eq!(Tablet::decode(&many).unwrap_err().kind, ErrorKind::Truncated);
        let mut negative = GOOD.to_vec();
        negative[60] = 0xff;
        assert_eq!(Tablet::decode(&negative).unwrap_err().kind, ErrorKind::OutOfRange);
        // What is not read is not written.
        for (last_token, shards, what) in
            [(5, &[0][..], "tablet.last_token"), (6, &[-1], "tablet.replica.shard"), (6, &[], "tablet.replicas")]
        {
            let replicas = shards.iter().map(|shard| ([0; 16], *shard)).collect();
            assert_eq!(Tablet { first_token: 5, last_token, replicas }.encode().unwrap_err().what, what);
        }
        let mut null = GOOD.to_vec();
        null[..4].copy_from_slice(&[0xff; 4]);
        assert_eq!(Tablet::decode(&null).unwrap_err().kind, ErrorKind::BadLength);
    }
}
