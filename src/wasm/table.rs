//! The table in which a page of columns crosses to JavaScript: a few words a column, its children after it.
//! `pkg-template/src/codec/table.ts` reads it.

use alloc::vec::Vec;

use crate::column::{Column, Page};

/// Words that describe one column in the table of `rows`.
const COLUMN_WORDS: usize = 12;
/// A page whose parts have at most this many bytes, on average, is put together, so that JavaScript copies it at once: what a copy costs
/// beside its bytes is more than to copy so many again.
const SMALL: usize = 2 << 10;

/// What the addresses in a table are of.
#[derive(Default)]
pub struct LaidOut {
    /// A small page, each part at a multiple of 8.
    together: Option<Vec<u8>>,
    /// A large one, and its bitmaps.
    page: Option<Page>,
    bitmaps: Vec<Vec<u8>>,
}

/// Appends: address of the whole page, or 0 where its parts are apart; its bytes; then each column: layout, stride, cells, children,
/// address and length of data and of offsets, address and length of the validity and odd bitmaps (0: nothing is null, nothing is odd);
/// bit 31 of the layout: text that is all ASCII.
pub fn lay_out(page: Page, words: &mut Vec<u32>) -> LaidOut {
    let (mut size, mut parts) = (0, 0);
    page.columns.iter().for_each(|column| measure(column, &mut size, &mut parts));
    let mut out = LaidOut { together: (size <= SMALL * parts).then(|| Vec::with_capacity(size)), ..LaidOut::default() };
    words.extend([out.together.as_ref().map_or(0, |bytes| bytes.as_ptr() as u32), size as u32]);
    page.columns.iter().for_each(|column| out.describe(column, words));
    if out.together.is_none() {
        out.page = Some(page);
    }
    out
}

fn measure(column: &Column, size: &mut usize, parts: &mut usize) {
    let bitmap = |is_empty: bool| if is_empty { 0 } else { column.len.div_ceil(8) };
    for part in [column.data.len(), size_of_val(&column.offsets[..]), bitmap(column.nulls.is_empty()), bitmap(column.odd.is_empty())] {
        *size += part.next_multiple_of(8);
        *parts += usize::from(part > 0);
    }
    column.children.iter().for_each(|child| measure(child, size, parts));
}

impl LaidOut {
    fn describe(&mut self, column: &Column, words: &mut Vec<u32>) {
        let validity = if column.nulls.is_empty() { [0, 0] } else { self.bitmap(column.nulls.complement(column.len)) };
        let odd = if column.odd.is_empty() { [0, 0] } else { self.bitmap(column.odd.bitmap(column.len)) };
        let offsets = match &mut self.together {
            None => column.offsets.as_ptr() as u32,
            Some(all) => {
                let at = all.as_ptr() as u32 + all.len() as u32;
                all.extend(column.offsets.iter().flat_map(|offset| offset.to_ne_bytes()));
                all.resize(all.len().next_multiple_of(8), 0);
                at
            }
        };
        let data = self.place(&column.data);
        let words_of_column: [u32; COLUMN_WORDS] = [
            column.layout as u32 | u32::from(column.ascii) << 31,
            column.stride as u32,
            column.len as u32,
            column.children.len() as u32,
            data[0],
            data[1],
            offsets,
            column.offsets.len() as u32,
            validity[0],
            validity[1],
            odd[0],
            odd[1],
        ];
        words.extend(words_of_column);
        column.children.iter().for_each(|child| self.describe(child, words));
    }

    fn bitmap(&mut self, bits: Vec<u8>) -> [u32; 2] {
        let span = self.place(&bits);
        if self.together.is_none() {
            self.bitmaps.push(bits);
        }
        span
    }

    /// Address and length of these bytes, put with the others where all are together.
    fn place(&mut self, bytes: &[u8]) -> [u32; 2] {
        let length = bytes.len() as u32;
        let Some(all) = &mut self.together else { return [bytes.as_ptr() as u32, length] };
        let at = all.as_ptr() as u32 + all.len() as u32;
        all.extend_from_slice(bytes);
        all.resize(all.len().next_multiple_of(8), 0);
        [at, length]
    }
}
