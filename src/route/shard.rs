//! Which shard of a ScyllaDB node owns a token: algorithm `biased-token-round-robin` (Scylla, Intranode sharding), with the parameters
//! that SUPPORTED gives as SCYLLA_NR_SHARDS and SCYLLA_SHARDING_IGNORE_MSB (`message::ScyllaOptions::sharding`).

/// The shard, below `shards`; `None` for parameters that no server has.
pub fn shard_of(token: i64, shards: u16, ignore_msb: u8) -> Option<u16> {
    if shards == 0 || ignore_msb > 63 {
        return None;
    }
    // The token as an unsigned number in its order, without the bits that are ignored, scaled to the number of shards.
    let biased = (token as u64).wrapping_add(1 << 63) << ignore_msb;
    Some(((u128::from(biased) * u128::from(shards)) >> 64) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by the document's formula in exact arithmetic of its own: `((biased << msb) mod 2⁶⁴) × shards / 2⁶⁴`.
    fn by_the_book(token: i64, shards: u16, ignore_msb: u8) -> u16 {
        let biased = (i128::from(token) + (1 << 63)) as u128;
        let shifted = biased.checked_shl(ignore_msb.into()).unwrap_or(0) % (1 << 64);
        (shifted * u128::from(shards) / (1 << 64)) as u16
    }

    #[test]
    fn shards_that_drivers_expect() {
        // scylladb/gocql and scylladb/scylla-rust-driver, their tests of the shard of a token
        assert_eq!(shard_of(-9_219_783_007_514_621_794, 4, 12), Some(3));
        assert_eq!(shard_of(9_222_582_454_147_032_830, 4, 12), Some(3));
        // scylladb/python-driver, tests/unit/test_shard_aware.py
        for (key, shard) in [("a", 4), ("b", 6), ("c", 6), ("e", 4), ("100000", 2)] {
            assert_eq!(shard_of(crate::route::murmur3_token(key.as_bytes()), 12, 12), Some(shard), "{key}");
        }
    }

    #[test]
    fn tokens_in_order_fill_the_shards_in_order() {
        for (token, shards, ignore_msb, shard) in
            [(i64::MIN, 4, 0, 0), (-1, 4, 0, 1), (0, 4, 0, 2), (i64::MAX, 4, 0, 3), (i64::MIN, 1, 12, 0), (0, 2, 1, 0), (1 << 62, 2, 1, 1)]
        {
            assert_eq!(shard_of(token, shards, ignore_msb), Some(shard), "{token} {shards} {ignore_msb}");
        }
        for token in [i64::MIN, -4_069_959_284_402_364_209, -1, 0, 1, 5_427_640_137_651_536_322, i64::MAX] {
            for (shards, ignore_msb) in [(1, 0), (2, 12), (7, 12), (255, 12), (65_535, 63)] {
                assert_eq!(shard_of(token, shards, ignore_msb), Some(by_the_book(token, shards, ignore_msb)));
            }
        }
        assert_eq!((shard_of(5, 0, 12), shard_of(5, 4, 64)), (None, None));
    }
}
