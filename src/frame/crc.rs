//! The two checksums of v5 segments (v5 §2.2).
//!
//! CRC-32 goes over every byte that is sent and received. A message is a polynomial, and a multiple of the checksum's polynomial can be
//! added to it without changing the remainder: with one of five terms, each byte is struck out by adding it to four later ones, whole
//! vectors at a time (the idea is zlib-ng's "Chorba"). Tables take the 300 bytes or more that are
//! left. `crc/32` in `benches/frame.rs`; the twin is the definition, bit by bit, in the tests below.

use core::sync::atomic::{AtomicU32, Ordering};

/// CRC-24 of a segment header: polynomial 0x1974F0B, initial value 0x875060, over the header's bytes lowest first.
/// `header` holds `len` bytes little-endian.
pub fn crc24(header: u64, len: u32) -> u32 {
    (0..len).fold(0x87_5060, |mut crc, byte| {
        crc ^= ((header >> (8 * byte)) as u32 & 0xff) << 16;
        for _ in 0..2 {
            crc = (crc << 4 & 0xff_ffff) ^ NIBBLES[(crc >> 20) as usize];
        }
        crc
    })
}

/// What four bits that leave a CRC-24 at its high end bring back.
const NIBBLES: [u32; 16] = {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut crc = (nibble as u32) << 20;
        let mut bit = 0;
        while bit < 4 {
            crc = crc << 1 ^ if crc & 0x80_0000 != 0 { 0x197_4f0b } else { 0 };
            bit += 1;
        }
        table[nibble] = crc;
        nibble += 1;
    }
    table
};

/// CRC-32 (IEEE) of a segment payload. The server seeds it with four bytes that the specification does not mention.
pub fn crc32(payload: &[u8]) -> u32 {
    // State of the checksum after the seed bytes fa 2d 55 ca.
    const SEED: u32 = by_bits(by_bits(by_bits(by_bits(!0, 0xfa), 0x2d), 0x55), 0xca);
    if payload.len() < LEAST { !by_tables(SEED, payload) } else { !by_vectors(SEED, payload) }
}

/// A byte goes into the checksum.
const fn by_bits(crc: u32, byte: u8) -> u32 {
    let mut crc = crc ^ byte as u32;
    let mut bit = 0;
    while bit < 8 {
        crc = crc >> 1 ^ if crc & 1 != 0 { 0xedb8_8320 } else { 0 };
        bit += 1;
    }
    crc
}

/// x^2400 + x^1240 + x^936 + x^712 + 1 is a multiple of the polynomial: a byte goes to those that stand so much later.
const OFFSETS: [usize; 4] = [145, 183, 211, 300];
/// Bytes in one step: whole vectors, and no more than the least offset.
const STEP: usize = 128;
/// Bytes before a step that go into it, in whole vectors.
const REACH: usize = 304;
/// Steps until the last of them are moved to the front of their buffer.
const STEPS: usize = 16;
/// Below this the tables are quicker.
const LEAST: usize = 640;

fn by_vectors(crc: u32, bytes: &[u8]) -> u32 {
    let (head, rest) = bytes.split_at((bytes.len() - OFFSETS[3]) / STEP * STEP);
    // What is struck out: the bytes themselves and all that was added to them.
    let mut struck = [0; REACH + STEPS * STEP];
    let mut at = REACH;
    for (index, bytes) in head.as_chunks::<STEP>().0.iter().enumerate() {
        if at == struck.len() {
            struck.copy_within(STEPS * STEP.., 0);
            at = REACH;
        }
        let (before, now) = struck.split_at_mut(at);
        let [a, b, c, d] = OFFSETS.map(|offset| &before[at - offset..][..STEP]);
        let now = &mut now[..STEP];
        for i in 0..STEP {
            now[i] = bytes[i] ^ a[i] ^ b[i] ^ c[i] ^ d[i];
        }
        if index == 0 {
            (0..4).for_each(|i| now[i] ^= crc.to_le_bytes()[i]);
        }
        at += STEP;
    }
    let mut tail = [0; OFFSETS[3] + STEP];
    let tail = &mut tail[..rest.len()];
    tail.copy_from_slice(rest);
    for offset in OFFSETS {
        tail.iter_mut().zip(&struck[at - offset..at]).for_each(|(tail, struck)| *tail ^= struck);
    }
    by_tables(0, tail)
}

/// What a byte brings that has 0 to 15 bytes behind it. Made when first needed: 16 KiB that need not be in the program. The last one written
/// says that all are there.
static TABLES: [[AtomicU32; 256]; 16] = [const { [const { AtomicU32::new(0) }; 256] }; 16];

#[cold]
fn make_tables() {
    for byte in (0..=255).rev() {
        let mut crc = 0;
        for (behind, table) in TABLES.iter().enumerate() {
            crc = by_bits(crc, if behind == 0 { byte } else { 0 });
            table[usize::from(byte)].store(crc, Ordering::Release);
        }
    }
}

fn by_tables(mut crc: u32, bytes: &[u8]) -> u32 {
    // An entry is read as zero only before it is made: the first byte made last is 0, whose entries are zero, so 1 tells.
    if TABLES[15][1].load(Ordering::Acquire) == 0 {
        make_tables();
    }
    let entry = |behind: usize, byte: u8| TABLES[behind][usize::from(byte)].load(Ordering::Relaxed);
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let first = u32::from_le_bytes([block[0], block[1], block[2], block[3]]) ^ crc;
        crc = (0..4).fold(0, |sum, i| sum ^ entry(15 - i, first.to_le_bytes()[i]));
        crc = (4..16).fold(crc, |sum, i| sum ^ entry(15 - i, block[i]));
    }
    rest.iter().fold(crc, |crc, byte| crc >> 8 ^ entry(0, crc as u8 ^ byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

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

    fn content(len: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let random = |state: &mut u32| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (*state >> 24) as u8
        };
        (0..len).map(|_| random(&mut state)).collect()
    }

    #[test]
    fn crc24_is_its_definition() {
        let by_bits = |header: u64, len: u32| {
            let mut crc = 0x87_5060u32;
            for byte in 0..len {
                crc ^= ((header >> (8 * byte)) as u32 & 0xff) << 16;
                for _ in 0..8 {
                    crc <<= 1;
                    crc ^= if crc & 0x100_0000 != 0 { 0x197_4f0b } else { 0 };
                }
            }
            crc
        };
        for header in content(80_000, 1).as_chunks::<8>().0 {
            let header = u64::from_le_bytes(*header);
            for len in 0..=8 {
                assert_eq!(crc24(header, len), by_bits(header, len), "{header:x} {len}");
            }
        }
    }

    /// The definition, and another implementation.
    fn assert_crc32(payload: &[u8]) {
        let seeded = [&[0xfa, 0x2d, 0x55, 0xca], payload].concat();
        assert_eq!(crc32(payload), !seeded.iter().fold(!0, |crc, byte| by_bits(crc, *byte)), "{} bytes", payload.len());
        assert_eq!(crc32(payload), crc32fast::hash(&seeded), "{} bytes", payload.len());
    }

    #[test]
    fn crc32_is_its_definition_for_every_length_and_alignment() {
        let bytes = content(20_000, 2);
        for len in 0..2 * STEPS * STEP + 700 {
            assert_crc32(&bytes[len % 19..][..len]);
        }
        for (seed, len) in [8191, 8192, 8193, 16_384, 65_536, 102_400, 131_071].into_iter().enumerate() {
            assert_crc32(&content(len, seed as u32));
            assert_crc32(&alloc::vec![0; len]);
            assert_crc32(&alloc::vec![0xff; len]);
        }
    }

    #[test]
    fn every_bit_of_a_long_payload_matters() {
        let mut bytes = content(2_000, 3);
        let crc = crc32(&bytes);
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(crc32(&bytes), crc, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
