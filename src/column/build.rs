//! One more cell at the end of a column: for what `bulk` does not read in blocks, and its twin. The oracle of both is `value::decode_value`, cell by cell (`tests/columns.rs`).

use super::{Column, NullSlots, bulk};
use crate::spec::{Layout, Native};
use crate::value::{CqlType, read_duration, vint_length};
use crate::wire::{Error, ErrorKind, Reader, Result, swap_in_place};

impl Column {
    /// Appends a cell; `None` is null. `at` is its offset in the body, for errors.
    pub(super) fn push(&mut self, ty: &CqlType, cell: Option<&[u8]>, at: usize, slots: &mut NullSlots) -> Result<()> {
        match cell {
            None => return self.push_null(at, slots),
            Some([]) if !ty.has_empty_value() => {
                self.odd.add(self.len);
                return self.push_null(at, slots);
            }
            Some(bytes) => self.push_bytes(ty, bytes, at, slots)?,
        }
        self.len += 1;
        Ok(())
    }

    fn push_null(&mut self, at: usize, slots: &mut NullSlots) -> Result<()> {
        self.nulls.add(self.len);
        self.push_blank(at, slots)
    }

    /// The slot of a null: zeros, or nothing.
    fn push_blank(&mut self, at: usize, slots: &mut NullSlots) -> Result<()> {
        let size = self.width * self.stride;
        let offset = if self.offsets.is_empty() { 0 } else { size_of::<u32>() };
        slots.left =
            slots.left.checked_sub(size + offset + 1).ok_or(Error::new(ErrorKind::BadLength, "ROWS (nulls of wide vectors)", at))?;
        self.data.resize(self.data.len() + size, 0);
        if let Some(end) = self.offsets.last() {
            self.offsets.push(*end);
        }
        self.len += 1;
        match self.layout {
            Layout::Struct => self.children.iter_mut().try_for_each(|child| child.push_null(at, slots)),
            Layout::Duration => self.children.iter_mut().try_for_each(|child| child.push_blank(at, slots)),
            _ => Ok(()),
        }
    }

    fn push_bytes(&mut self, ty: &CqlType, bytes: &[u8], at: usize, slots: &mut NullSlots) -> Result<()> {
        let start = self.data.len();
        match self.layout {
            Layout::Int8 | Layout::Int16 | Layout::Int32 | Layout::Int64 | Layout::Float32 | Layout::Float64 | Layout::Uuid => {
                let size = self.width;
                expect_size(ty, bytes, size, at)?;
                self.data.extend_from_slice(bytes);
                swap_in_place(&mut self.data[start..], if self.layout == Layout::Uuid { 1 } else { size });
            }
            Layout::Bool => {
                expect_size(ty, bytes, 1, at)?;
                self.data.push(u8::from(bytes[0] != 0));
            }
            Layout::Date => {
                let days = Reader::with_base(bytes, at).int("date")?.wrapping_add(i32::MIN);
                expect_size(ty, bytes, 4, at)?;
                self.data.extend_from_slice(&days.to_ne_bytes());
            }
            Layout::Text => {
                self.data.extend_from_slice(bytes);
                self.offsets.push(self.data.len() as u32);
                if !bytes.is_ascii() {
                    self.ascii = false;
                    if simdutf8::basic::from_utf8(bytes).is_err() {
                        self.odd.add(self.len);
                    }
                }
            }
            Layout::Bytes => {
                check_bytes(ty, bytes, at)?;
                self.data.extend_from_slice(bytes);
                self.offsets.push(self.data.len() as u32);
            }
            Layout::Duration => {
                let duration = read_duration(&mut Reader::with_base(bytes, at))?;
                self.children[0].push_native(&duration.months.to_ne_bytes());
                self.children[1].push_native(&duration.days.to_ne_bytes());
                self.children[2].push_native(&duration.nanoseconds.to_ne_bytes());
            }
            Layout::Vector => self.push_numbers(ty, bytes, at)?,
            Layout::List => {
                let mut r = Reader::with_base(bytes, at);
                match ty {
                    CqlType::List(element) | CqlType::Set(element) => {
                        let count = r.count(4, "collection.count")?;
                        if bulk::read_elements(&mut self.children[0], element, r.rest(), count) {
                            self.offsets.push(self.children[0].len as u32);
                            return Ok(());
                        }
                        for index in 0..count {
                            self.children[0].push_next(element, &mut r, slots).map_err(|error| error.in_element(index))?;
                        }
                    }
                    CqlType::Vector(element, dimension) => {
                        for index in 0..*dimension as usize {
                            self.children[0].push_element(element, &mut r, slots).map_err(|error| error.in_element(index))?;
                        }
                    }
                    _ => return Err(mismatch(at)),
                }
                r.finish("value")?;
                self.offsets.push(self.children[0].len as u32);
            }
            Layout::Map => {
                let CqlType::Map(key, value) = ty else { return Err(mismatch(at)) };
                let mut r = Reader::with_base(bytes, at);
                let count = r.count(8, "map.count")?;
                for index in 0..count {
                    self.children[0].push_next(key, &mut r, slots).map_err(|error| error.in_element(index))?;
                    self.children[1].push_next(value, &mut r, slots).map_err(|error| error.in_element(index))?;
                }
                r.finish("map")?;
                self.offsets.push(self.children[0].len as u32);
            }
            Layout::Struct => {
                let mut r = Reader::with_base(bytes, at);
                for (index, child) in self.children.iter_mut().enumerate() {
                    let field = match ty {
                        CqlType::Tuple(items) => &items[index],
                        CqlType::Udt(udt) => &udt.fields[index].1,
                        _ => return Err(mismatch(at)),
                    };
                    // A value may end before its type does (v5 §6): what is missing is null.
                    let result = if r.left() == 0 { child.push_null(at, slots) } else { child.push_next(field, &mut r, slots) };
                    result.map_err(|error| error.in_element(index))?;
                }
                r.finish("value")?;
            }
        }
        Ok(())
    }

    /// Appends the `[bytes]` that `r` stands at.
    fn push_next(&mut self, ty: &CqlType, r: &mut Reader<'_>, slots: &mut NullSlots) -> Result<()> {
        let cell = r.bytes("collection.element")?;
        self.push(ty, cell, r.position() - cell.map_or(0, <[u8]>::len), slots)
    }

    /// Appends the element of a vector that `r` stands at.
    fn push_element(&mut self, ty: &CqlType, r: &mut Reader<'_>, slots: &mut NullSlots) -> Result<()> {
        let length = ty.width_in_vector().map_or_else(|| vint_length(ty, r), Ok)?;
        let bytes = r.take(length, "vector.element")?;
        self.push(ty, Some(bytes), r.position() - length, slots)
    }

    fn push_native(&mut self, value: &[u8]) {
        self.data.extend_from_slice(value);
        self.len += 1;
    }

    /// A vector of numbers: one block where the server writes no lengths, one by one where it does.
    fn push_numbers(&mut self, ty: &CqlType, bytes: &[u8], at: usize) -> Result<()> {
        let CqlType::Vector(element, dimension) = ty else { return Err(mismatch(at)) };
        let start = self.data.len();
        let size = element.cell_size().ok_or_else(|| mismatch(at))?;
        if element.width_in_vector().is_some() {
            expect_size(ty, bytes, size * *dimension as usize, at)?;
            self.data.extend_from_slice(bytes);
        } else if !bulk::read_prefixed(&mut self.data, bytes, size, *dimension as usize) {
            let mut r = Reader::with_base(bytes, at);
            for index in 0..*dimension as usize {
                let mut next = || {
                    let length = vint_length(element, &mut r)?;
                    r.take(length, "vector.element")
                };
                self.data.extend_from_slice(next().map_err(|error| error.in_element(index))?);
            }
            r.finish("vector")?;
        }
        swap_in_place(&mut self.data[start..], size);
        Ok(())
    }
}

fn expect_size(ty: &CqlType, bytes: &[u8], size: usize, at: usize) -> Result<()> {
    if bytes.len() == size {
        return Ok(());
    }
    let what = match ty {
        CqlType::Native(native) => native.name(),
        _ => "vector",
    };
    Err(Error::new(if bytes.len() < size { ErrorKind::Truncated } else { ErrorKind::Trailing }, what, at))
}

/// What `decode_value` checks of a cell that stays bytes.
pub(super) fn check_bytes(ty: &CqlType, bytes: &[u8], at: usize) -> Result<()> {
    match ty {
        CqlType::Native(Native::Inet) if !matches!(bytes.len(), 4 | 16) => Err(Error::new(ErrorKind::BadLength, "inet", at)),
        CqlType::Native(Native::Decimal) if bytes.len() < 5 => Err(Error::new(ErrorKind::Truncated, "decimal", at)),
        _ => Ok(()),
    }
}

/// A column is only ever given cells of the type it was made for.
#[cold]
fn mismatch(at: usize) -> Error {
    Error::new(ErrorKind::Misuse, "column", at)
}
