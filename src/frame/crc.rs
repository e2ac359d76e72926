//! The two checksums of v5 segments (v5 §2.2).

/// CRC-24 of a segment header: polynomial 0x1974F0B, initial value 0x875060, over the header's bytes lowest first.
/// `header` holds `len` bytes little-endian.
pub fn crc24(header: u64, len: u32) -> u32 {
    let mut crc = 0x87_5060;
    for byte in 0..len {
        crc ^= ((header >> (8 * byte)) as u32 & 0xff) << 16;
        for _ in 0..8 {
            crc <<= 1;
            if crc & 0x100_0000 != 0 {
                crc ^= 0x197_4f0b;
            }
        }
    }
    crc
}

/// CRC-32 (IEEE) of a segment payload. The server seeds it with four bytes that the specification does not mention.
pub fn crc32(payload: &[u8]) -> u32 {
    // State of the checksum after the seed bytes fa 2d 55 ca.
    const SEED: [u8; 4] = [0xfa, 0x2d, 0x55, 0xca];
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&SEED);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_framed_options_request() {
        // A v5 OPTIONS on stream 1 as servers accept it; a plain CRC-32 of the payload would end 34 0d 22 af.
        let segment = [0x09, 0x00, 0x02, 0xa4, 0xc8, 0xc1, 0x05, 0x00, 0x00, 0x01, 0x05, 0, 0, 0, 0, 0xb5, 0x55, 0x74, 0x86];
        assert_eq!(crc24(0x02_0009, 3).to_le_bytes()[..3], segment[3..6]);
        assert_eq!(crc32(&segment[6..15]).to_le_bytes(), segment[15..]);
    }

    #[test]
    fn an_empty_segment() {
        // krojew/cdrs-tokio#99
        let segment = [0x00, 0x00, 0x02, 0x6a, 0x36, 0xc4, 0xd3, 0x7e, 0x77, 0x44];
        assert_eq!(crc24(0x02_0000, 3).to_le_bytes()[..3], segment[3..6]);
        assert_eq!(crc32(&[]).to_le_bytes(), segment[6..]);
    }
}
