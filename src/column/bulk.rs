//! Many cells at once: rows → columns in blocks that stay in the cache, column by column. Where every cell of a row has one size, and none is
//! null, the places of all cells are known; else one pass finds them. The hot path (`benches/columns.rs`).
//!
//! Refuses what is no rows of these types without saying why: `Page::read_by_cell`, its naive twin, then reads them again and says it.

use alloc::vec::Vec;

use super::build::check_bytes;
use super::{Column, NullSlots, Page};
use crate::message::{ColumnSpec, Rows};
use crate::spec::Layout;
use crate::value::CqlType;
use crate::wire::swap_in_place;

/// Bytes of a block, about.
const BLOCK: usize = 32 << 10;
/// Bytes of one column in a block, at least: with less, to begin with a column costs more than its cells.
const RUN: usize = 512;
/// Rows and cells of a block at most.
const BLOCK_ROWS: usize = 1024;
const BLOCK_CELLS: usize = 4096;
/// Of the values of a column whose sizes vary: more than a frame holds, so that no cell has it.
const VARIES: usize = 1 << 30;

/// Reads the cells as `Page::read_by_cell` does, or not at all.
pub(super) fn read(rows: &Rows<'_>, specs: &[ColumnSpec], slots: &mut NullSlots) -> Option<Page> {
    let (bytes, row_count) = (rows.cells, rows.row_count);
    let mut page = Page { row_count, columns: specs.iter().map(|spec| Column::new(&spec.ty)).collect() };
    let sizes: Vec<usize> = page.columns.iter().zip(specs).map(|(column, spec)| size_of_cells(column, &spec.ty)).collect();
    let stride = sizes.iter().try_fold(0usize, |sum, size| if *size == VARIES { None } else { sum.checked_add(4 + size) });
    // All columns together may ask for as much as came; what nulls add grows as it comes.
    let mut room = bytes.len();
    for (column, size) in page.columns.iter_mut().zip(&sizes) {
        match *size {
            VARIES if column.offsets.is_empty() => {}
            VARIES => column.offsets.reserve_exact(row_count),
            size => reserve(&mut column.data, size.saturating_mul(row_count), &mut room),
        }
    }
    let indexed_rows = (BLOCK_CELLS / specs.len().max(1)).min(2 * BLOCK / (bytes.len() / row_count.max(1)).max(1)).clamp(16, BLOCK_ROWS);
    let (mut starts, mut irregular) = (Vec::new(), alloc::vec![0; specs.len()]);
    let (mut row, mut at) = (0, 0);
    // Blocks that are not tried as regular ones: after each that is not, more.
    let (mut wait, mut penalty) = (0usize, 0usize);
    while row < row_count && !specs.is_empty() {
        let left = row_count - row;
        if let (Some(stride), 0) = (stride, wait) {
            let count = (BLOCK.max(RUN * specs.len()) / stride).clamp(1, BLOCK_ROWS).min(left);
            if let Some(block) = count.checked_mul(stride).and_then(|length| bytes.get(at..)?.get(..length)) {
                if read_regular(&mut page.columns, &sizes, block, stride) {
                    (row, at, penalty) = (row + count, at + block.len(), 0);
                    continue;
                }
                penalty = (2 * penalty + 1).min(63);
                wait = penalty;
            }
        }
        wait = wait.saturating_sub(1);
        let count = indexed_rows.min(left);
        at = find_cells(bytes, at, count, &sizes, &mut starts, &mut irregular)?;
        for (index, column) in page.columns.iter_mut().enumerate() {
            let (ty, starts) = (&*specs[index].ty, &starts[index * count..][..count]);
            match sizes[index] {
                VARIES if matches!(column.layout, Layout::Text | Layout::Bytes) => join(column, ty, bytes, starts, left, slots, &mut room)?,
                VARIES => {
                    for start in starts {
                        let start = *start as usize;
                        let (length, value) = cell(bytes, start)?;
                        let value = usize::try_from(length).ok().map(|length| value.get(..length));
                        column
                            .push(ty, if let Some(value) = value { Some(value?) } else { None }, rows.cells_at + start + 4, slots)
                            .ok()?;
                    }
                }
                size => {
                    slots.take(irregular[index], size + 1)?;
                    let first = column.len;
                    let (nulls, odd) = (&mut column.nulls, &mut column.odd);
                    let null = |row: usize, length: i32| {
                        nulls.add(first + row);
                        if length == 0 {
                            odd.add(first + row);
                        }
                        length <= 0
                    };
                    if !gather(&mut column.data, size, bytes, starts.iter().map(|start| *start as usize), null) {
                        return None;
                    }
                    column.finish_block(first * size);
                    if column.layout == Layout::Date && irregular[index] > 0 {
                        let zero = |row: &usize| column.nulls.has(first + row);
                        (0..count).filter(zero).for_each(|row| column.data[(first + row) * size..][..size].fill(0));
                    }
                    column.len += count;
                }
            }
        }
        row += count;
    }
    Some(page)
}

/// Appends `count` elements that fill `bytes`, each of one size and none null; false, and nothing is appended, if they are others.
pub(super) fn read_elements(column: &mut Column, ty: &CqlType, bytes: &[u8], count: usize) -> bool {
    let size = size_of_cells(column, ty);
    size != VARIES
        && count.checked_mul(4 + size) == Some(bytes.len())
        && count > 0
        && read_regular(core::slice::from_mut(column), &[size], bytes, 4 + size)
}

/// Appends the elements of a vector of smallint or tinyint, in the wire's order, each of which has its length before it; false, and nothing is
/// appended, if one has another.
pub(super) fn read_prefixed(data: &mut Vec<u8>, bytes: &[u8], size: usize, count: usize) -> bool {
    let is_regular = bytes.len() == count * (1 + size) && bytes.iter().step_by(1 + size).all(|length| usize::from(*length) == size);
    match size {
        1 if is_regular => data.extend(bytes.as_chunks::<2>().0.iter().map(|[_, number]| number)),
        2 if is_regular => data.extend(bytes.as_chunks::<3>().0.iter().flat_map(|[_, high, low]| [*high, *low])),
        _ => return false,
    }
    true
}

/// Bytes of every cell that has a value; `VARIES` also where cells are more than one block of bytes.
fn size_of_cells(column: &Column, ty: &CqlType) -> usize {
    let size = column.width * column.stride;
    if ty.cell_size() == Some(size) && size > 0 { size } else { VARIES }
}

/// All rows of `block`, each of `stride` bytes; false, and nothing is appended, if a cell has another size.
fn read_regular(columns: &mut [Column], sizes: &[usize], block: &[u8], stride: usize) -> bool {
    let count = block.len() / stride;
    let mut offset = 0;
    for (column, size) in columns.iter_mut().zip(sizes) {
        let starts = (0..count).map(|row| row * stride + offset);
        if !gather(&mut column.data, *size, block, starts, |_, _| false) {
            for (column, size) in columns.iter_mut().zip(sizes) {
                column.data.truncate(column.len * size);
            }
            return false;
        }
        offset += 4 + size;
    }
    for (column, size) in columns.iter_mut().zip(sizes) {
        column.finish_block(column.len * size);
        column.len += count;
    }
    true
}

/// Where the cells of `count` rows are, column by column, and how many of each column's have another size than its; where the rows end.
fn find_cells(bytes: &[u8], mut at: usize, count: usize, sizes: &[usize], starts: &mut Vec<u32>, irregular: &mut [usize]) -> Option<usize> {
    starts.clear();
    starts.resize(count * sizes.len(), 0);
    irregular.fill(0);
    for row in 0..count {
        let mut place = row;
        for (size, irregular) in sizes.iter().zip(&mut *irregular) {
            let (length, _) = cell(bytes, at)?;
            *starts.get_mut(place)? = at as u32;
            place += count;
            // The branch is foreseen, so that the next cell's place waits for no load.
            if length as usize == *size {
                at += 4 + size;
            } else {
                *irregular += 1;
                at += 4 + length.max(0) as usize;
            }
        }
    }
    (at <= bytes.len()).then_some(at)
}

/// Length of the cell at `at`, and what follows it.
#[inline]
fn cell(bytes: &[u8], at: usize) -> Option<(i32, &[u8])> {
    let (length, rest) = bytes.get(at..)?.split_first_chunk()?;
    Some((i32::from_be_bytes(*length), rest))
}

/// Appends the values of the cells at `starts`, which have `size` bytes, in the wire's order; zeros where `other` takes the row of one of another length.
fn gather(
    data: &mut Vec<u8>,
    size: usize,
    bytes: &[u8],
    starts: impl ExactSizeIterator<Item = usize>,
    other: impl FnMut(usize, i32) -> bool,
) -> bool {
    match size {
        1 => gather_numbers::<1>(data, bytes, starts, other),
        2 => gather_numbers::<2>(data, bytes, starts, other),
        4 => gather_numbers::<4>(data, bytes, starts, other),
        8 => gather_numbers::<8>(data, bytes, starts, other),
        16 => gather_numbers::<16>(data, bytes, starts, other),
        _ if size <= OVER => gather_short(data, size, bytes, starts, other),
        _ => gather_wide(data, size, bytes, starts, other),
    }
}

#[inline]
fn gather_numbers<const N: usize>(
    data: &mut Vec<u8>,
    bytes: &[u8],
    starts: impl ExactSizeIterator<Item = usize>,
    mut other: impl FnMut(usize, i32) -> bool,
) -> bool {
    let first = data.len();
    data.resize(first + starts.len() * N, 0);
    for (row, (slot, start)) in data[first..].as_chunks_mut::<N>().0.iter_mut().zip(starts).enumerate() {
        let Some((length, value)) = bytes.get(start..).and_then(<[u8]>::split_first_chunk::<4>) else { return false };
        match value.first_chunk::<N>() {
            Some(value) if u32::from_ne_bytes(*length) == (N as u32).to_be() => *slot = *value,
            _ if other(row, i32::from_be_bytes(*length)) => {}
            _ => return false,
        }
    }
    true
}

/// Vectors of few numbers.
fn gather_short(
    data: &mut Vec<u8>,
    size: usize,
    bytes: &[u8],
    starts: impl ExactSizeIterator<Item = usize>,
    mut other: impl FnMut(usize, i32) -> bool,
) -> bool {
    let mut end = data.len();
    data.resize(end + starts.len() * size + OVER, 0);
    for (row, start) in starts.enumerate() {
        let Some((length, value)) = cell(bytes, start) else { return false };
        let Some(slot) = data.get_mut(end..) else { return false };
        if length as usize == size && value.len() >= size {
            copy_over(slot, value, size);
        } else if other(row, length) {
            slot[..size].fill(0); // a copy before it went over its end
        } else {
            return false;
        }
        end += size;
    }
    data.truncate(end);
    true
}

fn gather_wide(
    data: &mut Vec<u8>,
    size: usize,
    bytes: &[u8],
    starts: impl Iterator<Item = usize>,
    mut other: impl FnMut(usize, i32) -> bool,
) -> bool {
    for (row, start) in starts.enumerate() {
        let Some((length, value)) = cell(bytes, start) else { return false };
        match value.get(..size) {
            Some(value) if length as usize == size => data.extend_from_slice(value),
            _ if other(row, length) => data.resize(data.len() + size, 0),
            _ => return false,
        }
    }
    true
}

/// Appends cells of varying size, one behind the other.
fn join(
    column: &mut Column,
    ty: &CqlType,
    bytes: &[u8],
    starts: &[u32],
    rows_left: usize,
    slots: &mut NullSlots,
    room: &mut usize,
) -> Option<()> {
    let has_empty_value = ty.has_empty_value();
    let is_null = |length: i32| length < 0 || (length == 0 && !has_empty_value);
    let (mut total, mut nulls) = (0, 0);
    for start in starts {
        let (length, _) = cell(bytes, *start as usize)?;
        total += length.max(0) as usize;
        nulls += usize::from(is_null(length));
    }
    slots.take(nulls, size_of::<u32>() + 1)?;
    let (first, first_cell) = (column.data.len(), column.len);
    if column.data.capacity() - first < total + OVER {
        // As if the rest of the rows were like these, and a little more.
        let wanted = (total as u64 * rows_left as u64 / starts.len() as u64 * 17 / 16) as usize + OVER;
        reserve(&mut column.data, wanted, room);
    }
    // Room is made ready where cells are short; long ones are appended.
    let is_short = total <= 4 * OVER * starts.len();
    if is_short {
        column.data.resize(first + total + OVER, 0);
    }
    let mut end = first;
    for start in starts {
        let (length, value) = cell(bytes, *start as usize)?;
        if is_null(length) {
            column.nulls.add(column.len);
            if length == 0 {
                column.odd.add(column.len);
            }
        } else {
            let length = length as usize;
            let exact = value.get(..length)?;
            check_bytes(ty, exact, 0).ok()?;
            if is_short {
                copy_over(column.data.get_mut(end..)?, value, length);
            } else {
                column.data.extend_from_slice(exact);
            }
            end += length;
        }
        column.offsets.push(end as u32);
        column.len += 1;
    }
    column.data.truncate(end);
    if column.layout == Layout::Text {
        column.check_text(first_cell, first);
    }
    Some(())
}

/// What a copy may write beyond its end.
const OVER: usize = 64;

/// Copies `length` bytes: short ones as blocks of 16, which are two instructions each, with what happens to follow them.
#[inline]
fn copy_over(to: &mut [u8], from: &[u8], length: usize) {
    // As numbers: of copies of bytes LLVM makes one of any length, which is a call.
    let copy = |to: &mut [u8; 16], from: &[u8; 16]| *to = u128::from_ne_bytes(*from).to_ne_bytes();
    match (to.first_chunk_mut::<OVER>(), from.first_chunk::<OVER>()) {
        (Some(to), Some(from)) if length <= OVER => {
            let (to, from) = (to.as_chunks_mut().0, from.as_chunks().0);
            copy(&mut to[0], &from[0]);
            copy(&mut to[1], &from[1]);
            if length > OVER / 2 {
                copy(&mut to[2], &from[2]);
                copy(&mut to[3], &from[3]);
            }
        }
        _ => to[..length].copy_from_slice(&from[..length]),
    }
}

/// Room for `wanted` more bytes, or what is left of `room`.
fn reserve(data: &mut Vec<u8>, wanted: usize, room: &mut usize) {
    let granted = wanted.min(*room);
    *room -= granted;
    data.reserve_exact(granted);
}

impl Column {
    /// The numbers from byte `first` on came in the wire's order.
    fn finish_block(&mut self, first: usize) {
        let block = &mut self.data[first..];
        match self.layout {
            Layout::Uuid => {}
            Layout::Bool => block.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0)),
            _ => swap_in_place(block, self.width),
        }
        if self.layout == Layout::Date {
            block.as_chunks_mut::<4>().0.iter_mut().for_each(|days| *days = i32::from_ne_bytes(*days).wrapping_add(i32::MIN).to_ne_bytes());
        }
    }

    /// Which of the cells from `first_cell` on, whose bytes begin at `first`, are not UTF-8.
    fn check_text(&mut self, first_cell: usize, first: usize) {
        let text = &self.data[first..];
        if text.iter().fold(0, |all, byte| all | byte) < 0x80 {
            return;
        }
        let ends = &self.offsets[first_cell..];
        // All of them together, and each cell begins where a character does.
        let is_start = |end: &u32| self.data.get(*end as usize).is_none_or(|byte| byte & 0xc0 != 0x80);
        if simdutf8::basic::from_utf8(text).is_err() || !ends.iter().all(is_start) {
            for (cell, range) in ends.windows(2).enumerate() {
                if simdutf8::basic::from_utf8(&self.data[range[0] as usize..range[1] as usize]).is_err() {
                    self.odd.add(first_cell + cell);
                }
            }
        }
        self.ascii = false;
    }
}
