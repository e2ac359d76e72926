//! The scalar forms that are more than a fixed number of bytes: varint, duration, uuid and inet text.

use crate::wire::{ErrorKind, Reader, Result, Writer, put_vint, read_vint};

/// A CQL duration (v5 §5.8): three numbers that do not convert into one another; none positive beside a negative one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    /// Months.
    pub months: i32,
    /// Days.
    pub days: i32,
    /// Nanoseconds.
    pub nanoseconds: i64,
}

impl Duration {
    /// True where no part is negative beside a positive one.
    pub fn has_one_sign(self) -> bool {
        let parts = [i64::from(self.months), i64::from(self.days), self.nanoseconds];
        parts.iter().all(|part| *part >= 0) || parts.iter().all(|part| *part <= 0)
    }
}

/// Reads the three vints of a duration, all of the reader's bytes.
pub fn read_duration(r: &mut Reader<'_>) -> Result<Duration> {
    let mut narrow = |what| {
        let here = r.clone();
        i32::try_from(read_vint(r, what)?).map_err(|_| here.error(ErrorKind::OutOfRange, what))
    };
    let months = narrow("duration.months")?;
    let days = narrow("duration.days")?;
    let nanoseconds = read_vint(r, "duration.nanoseconds")?;
    r.finish("duration")?;
    Ok(Duration { months, days, nanoseconds })
}

pub(super) fn put_duration(w: &mut Writer, duration: Duration) {
    put_vint(w, duration.months.into());
    put_vint(w, duration.days.into());
    put_vint(w, duration.nanoseconds);
}

/// A big-endian two's complement number without the bytes that only repeat its sign.
pub fn minimal_varint(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let [first @ (0x00 | 0xff), second, ..] = rest {
        if (*first == 0xff) != (*second >= 0x80) {
            break;
        }
        rest = &rest[1..];
    }
    rest
}

/// Appends the two's complement of a number given as sign and hexadecimal magnitude, in as few bytes as it takes.
pub(super) fn put_hex_varint(w: &mut Writer, negative: bool, hex: &str) -> Result<()> {
    let start = w.len();
    let bad = crate::wire::Error::new(ErrorKind::BadValue, "varint", start);
    let digits = hex.as_bytes();
    if digits.is_empty() {
        return Err(bad);
    }
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8).ok_or(bad);
    w.byte(0); // room for the sign
    let (odd, pairs) = digits.split_at(digits.len() % 2);
    let written = (|| {
        if let [only] = odd {
            w.byte(digit(*only)?);
        }
        for pair in pairs.chunks_exact(2) {
            w.byte(digit(pair[0])? << 4 | digit(pair[1])?);
        }
        Ok(())
    })();
    if let Err(error) = written {
        w.truncate(start);
        return Err(error);
    }
    if negative {
        let mut carry = true;
        for byte in w.tail_mut(start).iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let redundant = w.len() - start - minimal_varint(&w.as_slice()[start..]).len();
    w.tail_mut(start).rotate_left(redundant);
    w.truncate(w.len() - redundant);
    Ok(())
}

/// Appends the varint of a 64-bit number.
pub(super) fn put_varint(w: &mut Writer, value: i64) {
    w.put(minimal_varint(&value.to_be_bytes()));
}

/// The 16 bytes of `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, any case.
pub fn parse_uuid(text: &[u8]) -> Option<[u8; 16]> {
    if text.len() != 36 {
        return None;
    }
    let mut bytes = [0; 16];
    let mut at = 0;
    for (index, byte) in bytes.iter_mut().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            if text[at] != b'-' {
                return None;
            }
            at += 1;
        }
        let digit = |at: usize| (text[at] as char).to_digit(16);
        *byte = (digit(at)? << 4 | digit(at + 1)?) as u8;
        at += 2;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn hex_varint(negative: bool, hex: &str) -> Vec<u8> {
        let mut w = Writer::new();
        w.byte(0xee);
        put_hex_varint(&mut w, negative, hex).unwrap();
        w.into_bytes().split_off(1)
    }

    #[test]
    fn varints() {
        // v5 §5.24 and a dozen reports (cqerl/cqerl#60, iconara/cql-rb#118, datastax/php-driver#55, …)
        for (negative, hex, bytes) in [
            (false, "0", &[0x00][..]),
            (true, "0", &[0x00]),
            (true, "1", &[0xff]),
            (false, "7f", &[0x7f]),
            (false, "80", &[0x00, 0x80]),
            (true, "80", &[0x80]),
            (true, "81", &[0xff, 0x7f]),
            (false, "ff", &[0x00, 0xff]),
            (true, "2710", &[0xd8, 0xf0]),
            (false, "9e0c14", &[0x00, 0x9e, 0x0c, 0x14]),
            (false, "f2b070487a", &[0x00, 0xf2, 0xb0, 0x70, 0x48, 0x7a]),
            (true, "80000000", &[0x80, 0, 0, 0]),
            (false, "8000000000000000", &[0x00, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            (
                false,
                "b70cefb9c19c9c5112972fd01a4e676d",
                &[0x00, 0xb7, 0x0c, 0xef, 0xb9, 0xc1, 0x9c, 0x9c, 0x51, 0x12, 0x97, 0x2f, 0xd0, 0x1a, 0x4e, 0x67, 0x6d],
            ),
        ] {
            assert_eq!(hex_varint(negative, hex), bytes, "{negative} {hex}");
        }
        for value in [0, 1, -1, 127, 128, -128, -129, 255, 256, i64::MAX, i64::MIN, 10_357_780] {
            let mut w = Writer::new();
            put_varint(&mut w, value);
            assert_eq!(w.as_slice(), hex_varint(value < 0, &alloc::format!("{:x}", value.unsigned_abs())), "{value}");
        }
        assert_eq!(minimal_varint(&[0, 0, 1]), [1]); // redundant padding is legal input
        assert_eq!(minimal_varint(&[0xff, 0xff, 0xff]), [0xff]);
        assert!(put_hex_varint(&mut Writer::new(), false, "xyz").is_err());
    }

    #[test]
    fn durations() {
        let both = |months, days, nanoseconds, bytes: &[u8]| {
            let duration = Duration { months, days, nanoseconds };
            let mut w = Writer::new();
            put_duration(&mut w, duration);
            assert_eq!(w.as_slice(), bytes);
            assert_eq!(read_duration(&mut Reader::new(bytes)), Ok(duration));
            for len in 0..bytes.len() {
                assert!(read_duration(&mut Reader::new(&bytes[..len])).is_err());
            }
        };
        both(1, 2, 3, &[2, 4, 6]);
        both(-1, -2, -3, &[1, 3, 5]);
        both(0, 0, 1 << 32, &[0, 0, 0xf2, 0, 0, 0, 0]);
        both(0, 0, (1 << 53) + 1, &[0, 0, 0xfe, 0x40, 0, 0, 0, 0, 0, 2]);
        both(
            i32::MIN,
            i32::MIN,
            i64::MIN,
            &[0xf0, 0xff, 0xff, 0xff, 0xff, 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        );
        // months beyond 32 bits, and bytes left over
        assert_eq!(read_duration(&mut Reader::new(&[0xf1, 0, 0, 0, 0, 0, 0])).unwrap_err().kind, ErrorKind::OutOfRange);
        assert_eq!(read_duration(&mut Reader::new(&[2, 4, 6, 0])).unwrap_err().kind, ErrorKind::Trailing);
    }

    #[test]
    fn uuid_text() {
        let bytes = parse_uuid(b"00010203-0405-0607-0809-0A0b0c0d0e0f").unwrap();
        assert_eq!(bytes, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        for bad in
            ["", "00010203-0405-0607-0809-0a0b0c0d0e0", "00010203x0405-0607-0809-0a0b0c0d0e0f", "00010203-0405-0607-0809-0a0b0c0d0e0g"]
        {
            assert_eq!(parse_uuid(bad.as_bytes()), None);
        }
    }
}
