//! `[unsigned vint]` and `[vint]` (v5 §3): the first byte's leading ones count the bytes that follow it. Not protobuf's.

use super::trace::Shown;
use super::{Reader, Result, Writer};

/// Bytes that `value` takes: 1 to 9.
pub fn unsigned_vint_len(value: u64) -> usize {
    // 7 payload bits in one byte, 7 more for each byte up to eight; nine bytes hold all 64.
    let bits = 64 - (value | 1).leading_zeros() as usize;
    if bits > 56 { 9 } else { bits.div_ceil(7) }
}

/// Appends `value`.
pub fn put_unsigned_vint(w: &mut Writer, value: u64) {
    let len = unsigned_vint_len(value);
    let bytes = value.to_be_bytes();
    if len == 9 {
        w.byte(0xff);
        w.put(&bytes);
        return;
    }
    let from = 8 - len;
    let ones = !(0xffu16 >> (len - 1)) as u8; // len - 1 leading ones
    w.byte(bytes[from] | ones);
    w.put(&bytes[from + 1..]);
}

/// Reads one; a longer form than needed is accepted, as the server accepts it.
pub fn read_unsigned_vint(r: &mut Reader<'_>, what: &'static str) -> Result<u64> {
    let mut ahead = r.ahead();
    let first = ahead.byte(what)?;
    let extra = first.leading_ones() as usize;
    let mut value = if extra >= 8 { 0 } else { u64::from(first) & (0xff >> extra) };
    for byte in ahead.take(extra, what)? {
        value = value << 8 | u64::from(*byte);
    }
    r.go_to(&ahead, what, Shown::Integer(&value));
    Ok(value)
}

/// Appends a signed value, zig-zag coded.
pub fn put_vint(w: &mut Writer, value: i64) {
    put_unsigned_vint(w, (value << 1 ^ value >> 63) as u64);
}

/// Reads a signed value.
pub fn read_vint(r: &mut Reader<'_>, what: &'static str) -> Result<i64> {
    let mut ahead = r.ahead();
    let coded = read_unsigned_vint(&mut ahead, what)?;
    let value = (coded >> 1) as i64 ^ -((coded & 1) as i64);
    r.go_to(&ahead, what, Shown::Integer(&value));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn unsigned(value: u64) -> Vec<u8> {
        let mut w = Writer::new();
        put_unsigned_vint(&mut w, value);
        assert_eq!(w.len(), unsigned_vint_len(value));
        assert_eq!(read_unsigned_vint(&mut Reader::new(w.as_slice()), "v"), Ok(value));
        for len in 0..w.len() {
            assert!(read_unsigned_vint(&mut Reader::new(&w.as_slice()[..len]), "v").is_err());
        }
        w.into_bytes()
    }

    #[test]
    fn published_values() {
        // v5 §3 (256000) and the boundaries between sizes
        for (value, bytes) in [
            (127, &[0x7f][..]),
            (128, &[0x80, 0x80]),
            (300, &[0x81, 0x2c]),
            (16_383, &[0xbf, 0xff]),
            (16_384, &[0xc0, 0x40, 0x00]),
            (256_000, &[0xc3, 0xe8, 0x00]),
            (u64::MAX, &[0xff; 9]),
        ] {
            assert_eq!(unsigned(value), bytes);
        }
        for bits in 0..64 {
            unsigned(1 << bits);
            unsigned((1 << bits) - 1);
        }
    }

    #[test]
    fn signed_values() {
        // datastax/go-cassandra-native-protocol#34, apache/cassandra-nodejs-driver#222
        for (value, bytes) in [
            (0, &[0x00][..]),
            (-1, &[0x01]),
            (1, &[0x02]),
            (1 << 32, &[0xf2, 0, 0, 0, 0]),
            ((1 << 53) + 1, &[0xfe, 0x40, 0, 0, 0, 0, 0, 2]),
            (i64::from(i32::MIN), &[0xf0, 0xff, 0xff, 0xff, 0xff]),
            (i64::MIN, &[0xff; 9]),
            (i64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe]),
        ] {
            let mut w = Writer::new();
            put_vint(&mut w, value);
            assert_eq!(w.as_slice(), bytes, "{value}");
            assert_eq!(read_vint(&mut Reader::new(bytes), "v"), Ok(value));
        }
    }
}
