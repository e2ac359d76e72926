//! The table in which a page of columns crosses to JavaScript: a few words a column, its children after it.
//! `pkg-template/src/codec/column.ts` reads it.

use alloc::vec::Vec;

use crate::column::Column;

/// Words that describe one column in the table of `rows`.
const COLUMN_WORDS: usize = 12;

/// Layout, stride, cells, children, address and length of data and of offsets, address and length of the validity and odd bitmaps
/// (0: nothing is null, nothing is odd); bit 31 of the layout: text that is all ASCII.
pub fn describe(column: &Column, words: &mut Vec<u32>, bitmaps: &mut Vec<Vec<u8>>) {
    let mut bitmap = |bits: Vec<u8>| {
        let span = [bits.as_ptr() as u32, bits.len() as u32];
        bitmaps.push(bits);
        span
    };
    let validity = if column.nulls.is_empty() { [0, 0] } else { bitmap(column.nulls.complement(column.len)) };
    let odd = if column.odd.is_empty() { [0, 0] } else { bitmap(column.odd.bitmap(column.len)) };
    let ascii = u32::from(column.ascii) << 31;
    let words_of_column: [u32; COLUMN_WORDS] = [
        column.layout as u32 | ascii,
        column.stride as u32,
        column.len as u32,
        column.children.len() as u32,
        column.data.as_ptr() as u32,
        column.data.len() as u32,
        column.offsets.as_ptr() as u32,
        column.offsets.len() as u32,
        validity[0],
        validity[1],
        odd[0],
        odd[1],
    ];
    words.extend(words_of_column);
    for child in &column.children {
        describe(child, words, bitmaps);
    }
}
