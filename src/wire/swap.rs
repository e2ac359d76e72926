//! Blocks of numbers between the wire's big-endian order and the machine's own. LLVM turns these loops into one shuffle per 16 bytes.

/// Turns every group of `width` bytes (1, 2, 4 or 8) round, in place, where the machine is little-endian. Its own inverse.
pub fn swap_in_place(bytes: &mut [u8], width: usize) {
    if cfg!(target_endian = "big") {
        return;
    }
    match width {
        2 => bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|n| *n = u16::from_ne_bytes(*n).swap_bytes().to_ne_bytes()),
        4 => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|n| *n = u32::from_ne_bytes(*n).swap_bytes().to_ne_bytes()),
        8 => {
            let rest = swap_pairs(bytes);
            rest.as_chunks_mut::<8>().0.iter_mut().for_each(|n| *n = u64::from_ne_bytes(*n).swap_bytes().to_ne_bytes());
        }
        _ => {}
    }
}

/// Two numbers of 8 bytes at a time, which LLVM does not find for WebAssembly; gives back what is left over.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn swap_pairs(bytes: &mut [u8]) -> &mut [u8] {
    use core::arch::wasm32::{u8x16_shuffle, u64x2, u64x2_extract_lane};
    let (pairs, rest) = bytes.as_chunks_mut::<16>();
    for pair in pairs {
        let (numbers, _) = pair.as_chunks_mut::<8>();
        let both = u64x2(u64::from_le_bytes(numbers[0]), u64::from_le_bytes(numbers[1]));
        let turned = u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(both, both);
        numbers[0] = u64x2_extract_lane::<0>(turned).to_le_bytes();
        numbers[1] = u64x2_extract_lane::<1>(turned).to_le_bytes();
    }
    rest
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn swap_pairs(bytes: &mut [u8]) -> &mut [u8] {
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn against_one_number_at_a_time() {
        let wire: Vec<u8> = (0..120).collect();
        for width in [1, 2, 4, 8] {
            let mut swapped = wire.clone();
            swap_in_place(&mut swapped, width);
            for (ours, theirs) in swapped.chunks(width).zip(wire.chunks(width)) {
                let value = theirs.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
                let mut native = [0; 8];
                native[..width].copy_from_slice(ours);
                assert_eq!(u64::from_le_bytes(native), value);
            }
            swap_in_place(&mut swapped, width);
            assert_eq!(swapped, wire);
        }
    }
}
