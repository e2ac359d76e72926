//! An LZ4 block encoder (lz4_Block_format.md): `<token><literals><distance><more of the lengths>` over and over, literals last.
//!
//! It is here because the libraries' safe encoders hash and compare four bytes at a time in WebAssembly, and zero a table for each
//! block. What it writes is held against other implementations' decoders (`tests/compression.rs`), its speed is
//! `compress/lz4` in `benches/frame.rs`.

use alloc::boxed::Box;
use alloc::vec;

/// Slots of the table: 16 KiB, so that it stays in the first cache.
const SLOTS: usize = 1 << 12;
/// A match is at least so long.
const MIN_MATCH: usize = 4;
/// The last match begins at least so far before the end,
const MATCH_MARGIN: usize = 12;
/// and leaves so many bytes as literals.
const LAST_LITERALS: usize = 5;
/// The farthest that a match may lie back: 16 bits.
const FARTHEST: usize = 0xffff;
/// After so many bytes without a match, as a power of two, the search goes on in larger steps.
const PATIENCE: u32 = 5;

/// Where bytes were seen last. The table is never zeroed: what an earlier block left there lies below `base`.
#[derive(Debug, Default)]
pub struct Encoder {
    /// By the hash of the five bytes there: `base` + position.
    seen: Option<Box<[u32; SLOTS]>>,
    base: u32,
}

/// The most bytes that a block of `len` bytes takes.
pub const fn most(len: usize) -> usize {
    // A token and a length for the literals; matches only save. What is left is for the copies of 16 bytes.
    len + len / 255 + 32
}

impl Encoder {
    /// Writes `input`, of at most `limit::FRAME_BODY` bytes, as one block to the front of `out`, which has room for [`most`] bytes; how many
    /// it took.
    pub fn encode(&mut self, input: &[u8], out: &mut [u8]) -> usize {
        if input.len() <= MATCH_MARGIN {
            return put_literals(input, 0, input.len(), 0, out, 0);
        }
        if self.base as usize + input.len() > u32::MAX as usize {
            *self = Encoder::default();
        }
        // By way of a `Vec`: an array would go through the stack.
        let seen = self.seen.get_or_insert_with(|| vec![0; SLOTS].into_boxed_slice().try_into().expect("as many as slots"));
        let base = self.base.max(1);
        self.base = base + input.len() as u32;
        let last = input.len() - MATCH_MARGIN;
        // Positions: of the first byte that is not yet written, of the search, of the output.
        let (mut literals, mut at, mut to) = (0, 0, 0);
        loop {
            let mut tries = 1 << PATIENCE;
            let mut from;
            loop {
                if at > last {
                    return put_literals(input, literals, input.len(), 0, out, to);
                }
                let word = u64_at(input, at);
                let slot = &mut seen[hash(word)];
                from = slot.wrapping_sub(base) as usize;
                *slot = base + at as u32;
                if from < at && at - from <= FARTHEST && u32_at(input, from) == word as u32 {
                    break;
                }
                at += tries >> PATIENCE;
                tries += 1;
            }
            if from > 0 && at > literals && input[from - 1] == input[at - 1] {
                // Up to eight bytes before it too, found at once: a loop over them is often predicted wrongly.
                let same = if from >= 8 { (u64_at(input, from - 8) ^ u64_at(input, at - 8)).leading_zeros() as usize / 8 } else { 1 };
                let back = same.min(at - literals);
                (from, at) = (from - back, at - back);
            }
            let end = at + MIN_MATCH + same(input, from + MIN_MATCH, at + MIN_MATCH);
            let more = end - at - MIN_MATCH;
            to = put_literals(input, literals, at, more, out, to);
            out[to..to + 2].copy_from_slice(&((at - from) as u16).to_le_bytes());
            to = if more >= 15 { put_length(more - 15, out, to + 2) } else { to + 2 };
            (literals, at) = (end, end);
            if at <= last {
                seen[hash(u64_at(input, at - 2))] = base + (at - 2) as u32;
            }
        }
    }
}

/// How many bytes are the same at `from` and `at`, up to the last literals.
fn same(input: &[u8], from: usize, at: usize) -> usize {
    let end = input.len() - LAST_LITERALS;
    let (ahead, behind) = (&input[at..end], &input[from..end]);
    let mut len = 0;
    for (ahead, behind) in ahead.as_chunks::<8>().0.iter().zip(behind.as_chunks::<8>().0) {
        let differ = u64::from_le_bytes(*ahead) ^ u64::from_le_bytes(*behind);
        if differ != 0 {
            return len + differ.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    len + ahead[len..].iter().zip(&behind[len..]).take_while(|(ahead, behind)| ahead == behind).count()
}

/// Writes a token and the literals `input[from..end]` to `out[to..]`; where they end. `more` is what the match after them has beyond its least length.
#[inline(always)]
fn put_literals(input: &[u8], from: usize, end: usize, more: usize, out: &mut [u8], to: usize) -> usize {
    let len = end - from;
    out[to] = (len.min(15) << 4 | more.min(15)) as u8;
    let to = if len >= 15 { put_length(len - 15, out, to + 1) } else { to + 1 };
    // Mostly few: one copy of a fixed length is quicker than one of the right length.
    match (input.get(from..from + 16), out.get_mut(to..to + 16)) {
        (Some(input), Some(out)) if len <= 16 => out.copy_from_slice(input),
        _ => out[to..to + len].copy_from_slice(&input[from..end]),
    }
    to + len
}

/// Writes what a length has beyond its four bits in the token.
#[inline(always)]
fn put_length(mut rest: usize, out: &mut [u8], mut to: usize) -> usize {
    while rest >= 255 {
        out[to] = 255;
        to += 1;
        rest -= 255;
    }
    out[to] = rest as u8;
    to + 1
}

fn u32_at(input: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(input[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(input: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(input[at..at + 8].try_into().expect("eight bytes"))
}

/// Of the first five bytes of a word.
fn hash(word: u64) -> usize {
    ((word << 24).wrapping_mul(0xcf_1bbc_dcbb) >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn assert_back(encoder: &mut Encoder, input: &[u8]) -> usize {
        let mut out = vec![0xaa; most(input.len())];
        let len = encoder.encode(input, &mut out);
        assert!(lz4_flex::block::decompress(&out[..len], input.len()).unwrap() == input, "{} bytes", input.len());
        len
    }

    #[test]
    fn lengths_around_every_limit_of_the_format() {
        // Noise of `noise` bytes, a run of `run`, and the noise again: lengths of literals and matches around 15, 255 and their sums.
        let mut encoder = Encoder::default();
        let mut state = 7u32;
        for noise in (0..40).chain(265..290).chain(520..545) {
            for run in (0..40).chain(250..300).chain([525, 526, 70_000]) {
                let noise: Vec<u8> = (0..noise)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (state >> 24) as u8
                    })
                    .collect();
                assert_back(&mut encoder, &[&noise[..], &vec![b'a'; run], &noise].concat());
            }
        }
    }

    #[test]
    fn a_block_is_the_same_whatever_was_before_it() {
        let mut encoder = Encoder::default();
        let text = b"a text, long enough to have a match in a later block, if only the table were believed".repeat(3);
        let first = assert_back(&mut encoder, &text);
        assert_eq!(assert_back(&mut encoder, &text), first);
        // Positions that no longer fit in the table begin anew.
        encoder.base = u32::MAX - text.len() as u32 - 1;
        (0..3).for_each(|_| assert_eq!(assert_back(&mut encoder, &text), first));
        assert!(encoder.base < 3 * text.len() as u32);
    }
}
