//! The token of a partition key under `Murmur3Partitioner`: the first half of MurmurHash3 x64 128 with seed 0, in Cassandra's variant,
//! which takes the bytes of the last, incomplete block as signed (`org.apache.cassandra.utils.MurmurHash`). Library implementations
//! agree with it on ASCII keys only.

use alloc::vec::Vec;

use crate::wire::{Error, ErrorKind, Result, Writer};

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// The token of a serialised partition key, see [`routing_key`]. The smallest number is no token: its hash becomes the largest, and
/// an empty key has it.
pub fn murmur3_token(key: &[u8]) -> i64 {
    if key.is_empty() {
        return i64::MIN;
    }
    match hash(key) {
        i64::MIN => i64::MAX,
        token => token,
    }
}

/// The serialised partition key of its columns' values, in the order of PREPARED's pk indices: one column stands alone; several are each
/// `<length as [short]><bytes><0x00>`.
pub fn routing_key(columns: &[&[u8]]) -> Result<Vec<u8>> {
    if let [only] = columns {
        return Ok(only.to_vec());
    }
    let mut w = Writer::new();
    for column in columns {
        if column.len() > usize::from(u16::MAX) {
            return Err(Error::new(ErrorKind::TooLarge, "routing_key.column", w.len()));
        }
        w.short_bytes(column, "routing_key.column")?;
        w.byte(0);
    }
    Ok(w.into_bytes())
}

fn hash(key: &[u8]) -> i64 {
    let (mut h1, mut h2) = (0u64, 0u64);
    let (blocks, tail) = key.as_chunks::<16>();
    for block in blocks {
        let half = |at: usize| block[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        h1 ^= mix_first(half(0));
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= mix_second(half(8));
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (mut k1, mut k2) = (0u64, 0u64);
    for (index, byte) in tail.iter().enumerate() {
        // As `(long) byte`: sign-extended, so that a byte above 0x7f also flips all bits above its own.
        let extended = i64::from(*byte as i8) as u64;
        if index < 8 {
            k1 ^= extended << (8 * index);
        } else {
            k2 ^= extended << (8 * (index - 8));
        }
    }
    h2 ^= mix_second(k2);
    h1 ^= mix_first(k1);
    let length = key.len() as u64;
    h1 ^= length;
    h2 ^= length;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    finish(h1).wrapping_add(finish(h2)) as i64
}

fn mix_first(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn mix_second(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn finish(mut h: u64) -> u64 {
    h = (h ^ h >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ h >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ h >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_tokens() {
        // apache/cassandra-gocql-driver#1033; a standard Murmur3 gives 8117980653506862255 for the first
        let composite = [
            0x00, 0x10, 0x43, 0x27, 0x52, 0x9f, 0xb6, 0x45, 0xdd, 0x00, 0xb8, 0x83, 0xec, 0x39, 0xae, 0x44, 0x8b, 0xb8, 0x00, 0x00, 0x04,
            0x00, 0x06, 0x6a, 0x6b, 0x00,
        ];
        assert_eq!(murmur3_token(&composite), -9_223_371_632_693_506_265);
        assert_eq!(murmur3_token(&[0, 0, 0, 1]), -4_069_959_284_402_364_209);
        // apache/cassandra-nodejs-driver#262: tails of 12 to 15 bytes
        let high: Vec<u8> = (0x80..0x8c).collect();
        assert_eq!(murmur3_token(&high), -5_351_185_824_061_215_367);
        let low: Vec<u8> = (0x00..0x0d).collect();
        assert_eq!(murmur3_token(&low), 5_427_640_137_651_536_322);
        assert_eq!(murmur3_token(&[]), i64::MIN);
    }

    #[test]
    fn keys_of_one_and_of_several_columns() {
        assert_eq!(routing_key(&[&[0, 0, 0, 1]]).unwrap(), [0, 0, 0, 1]);
        assert_eq!(routing_key(&[&[0, 0, 0, 1], b"a"]).unwrap(), [0, 4, 0, 0, 0, 1, 0, 0, 1, b'a', 0]);
        assert_eq!(routing_key(&[&[0; 65_536], b"a"]).unwrap_err().kind, ErrorKind::TooLarge);
        assert_eq!(routing_key(&[&[0; 65_536]]).unwrap().len(), 65_536);
    }
}
