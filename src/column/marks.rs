//! A set of cell numbers, as a bitmap that takes no memory while nothing is in it.

use alloc::vec::Vec;

/// Bit `i % 8` of byte `i / 8` is set for each cell `i` in the set. Bytes at the end that would be zero may be missing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Marks {
    bits: Vec<u8>,
}

impl Marks {
    /// Adds cell `index`.
    pub fn add(&mut self, index: usize) {
        if self.bits.len() <= index / 8 {
            self.bits.resize(index / 8 + 1, 0);
        }
        self.bits[index / 8] |= 1 << (index % 8);
    }

    /// True if cell `index` is in the set.
    pub fn has(&self, index: usize) -> bool {
        self.bits.get(index / 8).is_some_and(|byte| byte & 1 << (index % 8) != 0)
    }

    /// True if nothing is.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// The bitmap at its full length for `len` cells.
    pub fn bitmap(&self, len: usize) -> Vec<u8> {
        let mut bits = self.bits.clone();
        bits.resize(len.div_ceil(8), 0);
        bits
    }

    /// The other cells of the first `len`, at full length: what Arrow calls validity. Bits beyond `len` are zero.
    pub fn complement(&self, len: usize) -> Vec<u8> {
        let mut bits: Vec<u8> = self.bits.iter().map(|byte| !byte).collect();
        bits.resize(len.div_ceil(8), 0xff);
        if let (Some(last), spare @ 1..) = (bits.last_mut(), len.div_ceil(8) * 8 - len) {
            *last &= 0xff >> spare;
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validity_as_arrow_has_it() {
        let mut nulls = Marks::default();
        assert!(nulls.is_empty() && !nulls.has(0));
        nulls.add(1);
        nulls.add(9);
        assert_eq!(nulls.complement(11), [0b1111_1101, 0b0000_0101]);
        assert_eq!(nulls.complement(17), [0b1111_1101, 0b1111_1101, 0b0000_0001]);
        assert_eq!(nulls.bitmap(17), [0b10, 0b10, 0]);
    }
}
