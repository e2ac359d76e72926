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
    // A token and a length for the literals; matches only save. The copies of whole words need room behind them.
    len + len / 255 + 16 + 16
}

impl Encoder {
    /// Writes `input`, of at most `limit::FRAME_BODY` bytes, as one block to the front of `out`, which has room for [`most`] bytes; how many
    /// it took.
    pub fn encode(&mut self, input: &[u8], out: &mut [u8]) -> usize {
        let mut put = Put { out, at: 0 };
        let literals = if input.len() > MATCH_MARGIN { self.encode_matches(input, &mut put) } else { 0 };
        put.literals(input, literals, input.len(), 0);
        put.at
    }

    /// All up to the last match; where that ends.
    fn encode_matches(&mut self, input: &[u8], put: &mut Put<'_>) -> usize {
        if self.base as usize + input.len() > u32::MAX as usize {
            *self = Encoder::default();
        }
        // The allocator's zeroed memory may cost nothing; an array would go through the stack.
        let seen = self.seen.get_or_insert_with(|| vec![0; SLOTS].into_boxed_slice().try_into().expect("as many as slots"));
        let base = self.base.max(1);
        self.base = base + input.len() as u32;
        let last = input.len() - MATCH_MARGIN;
        let (mut literals, mut at) = (0, 0);
        loop {
            let mut tries = 1 << PATIENCE;
            let mut from;
            loop {
                if at > last {
                    return literals;
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
            while from > 0 && at > literals && input[from - 1] == input[at - 1] {
                (from, at) = (from - 1, at - 1);
            }
            let length = MIN_MATCH + same(input, from + MIN_MATCH, at + MIN_MATCH);
            put.literals(input, literals, at, length - MIN_MATCH);
            put.matched(at - from, length - MIN_MATCH);
            at += length;
            literals = at;
            if at <= last {
                seen[hash(u64_at(input, at - 2))] = base + (at - 2) as u32;
            }
        }
    }
}

/// How many bytes are the same at `from` and `at`, up to the last literals.
fn same(input: &[u8], from: usize, at: usize) -> usize {
    let end = input.len() - LAST_LITERALS;
    let mut len = 0;
    while at + len + 8 <= end {
        let differ = u64_at(input, at + len) ^ u64_at(input, from + len);
        if differ != 0 {
            return len + differ.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    while at + len < end && input[at + len] == input[from + len] {
        len += 1;
    }
    len
}

struct Put<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Put<'_> {
    /// A token and the literals `input[from..to]`; `more` is what the match after them has beyond its least length.
    fn literals(&mut self, input: &[u8], from: usize, to: usize, more: usize) {
        let len = to - from;
        self.out[self.at] = (len.min(15) << 4 | more.min(15)) as u8;
        self.at += 1;
        if len >= 15 {
            self.length(len - 15);
        }
        // Mostly few: one copy of a fixed length is quicker than one of the right length.
        match (input.get(from..from + 16), self.out.get_mut(self.at..self.at + 16)) {
            (Some(input), Some(out)) if len <= 16 => out.copy_from_slice(input),
            _ => self.out[self.at..self.at + len].copy_from_slice(&input[from..to]),
        }
        self.at += len;
    }

    fn matched(&mut self, distance: usize, more: usize) {
        self.out[self.at..self.at + 2].copy_from_slice(&(distance as u16).to_le_bytes());
        self.at += 2;
        if more >= 15 {
            self.length(more - 15);
        }
    }

    /// What a length has beyond its four bits in the token.
    fn length(&mut self, mut rest: usize) {
        while rest >= 255 {
            self.out[self.at] = 255;
            self.at += 1;
            rest -= 255;
        }
        self.out[self.at] = rest as u8;
        self.at += 1;
    }
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
