//! Values into bytes, step by step: the caller names the *kind* of each value it has, the column's *type* decides the bytes. Nothing
//! is allocated per value: everything goes to the end of one [`Writer`], lengths are patched when they are known.
//!
//! A nested value is `begin`, its elements, `end`; the binder holds the place in the type.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::CqlType;
use crate::spec::{Native, limit};
use crate::wire::{Error, ErrorKind, Result, Writer, put_unsigned_vint, swap_in_place, unsigned_vint_len};

/// What stands before a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    /// An `[int]` length: parameters, elements of collections, fields.
    Int,
    /// An `[unsigned vint]` length: elements of a vector whose sizes vary.
    Vint,
    /// Nothing: elements of a vector whose size is fixed.
    None,
}

/// An open list, set, map, tuple, UDT or vector.
#[derive(Debug)]
struct Level {
    ty: Arc<CqlType>,
    prefix: Prefix,
    /// Where its own prefix stands.
    start: usize,
    /// The next element, and how many there must be; a map's entry counts two.
    index: usize,
    slots: usize,
}

/// The element kinds of a typed array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum NumberKind {
    /// Float32Array
    Float32 = 0,
    /// Float64Array
    Float64 = 1,
    /// Int32Array
    Int32 = 2,
    /// BigInt64Array
    Int64 = 3,
}

impl NumberKind {
    /// Bytes of an element.
    pub fn size(self) -> usize {
        match self {
            NumberKind::Float32 | NumberKind::Int32 => 4,
            NumberKind::Float64 | NumberKind::Int64 => 8,
        }
    }
}

/// A text or a block of numbers that the caller copies in itself: see [`Binder::open_text`] and [`Binder::open_numbers`].
#[derive(Debug)]
struct Open {
    ty: Arc<CqlType>,
    prefix: Prefix,
    start: usize,
    content: usize,
}

/// The place in a type tree, and the writing of one value after another.
#[derive(Debug, Default)]
pub struct Binder {
    root: Option<Arc<CqlType>>,
    levels: Vec<Level>,
    open: Option<Open>,
}

impl Binder {
    /// Without a type: `start` comes first.
    pub fn new() -> Binder {
        Binder::default()
    }

    /// The next value is a whole parameter of this type.
    pub fn start(&mut self, ty: Arc<CqlType>) {
        self.levels.clear();
        self.open = None;
        self.root = Some(ty);
    }

    /// True when no value is begun.
    pub fn is_idle(&self) -> bool {
        self.root.is_none() && self.levels.is_empty() && self.open.is_none()
    }

    /// Where in its parameter the next value stands: its number in each value that it is inside of, a map's entry counting two.
    pub fn place(&self) -> impl Iterator<Item = usize> {
        self.levels.iter().map(|level| level.index)
    }

    /// The next value is part of another.
    pub(super) fn is_nested(&self) -> bool {
        !self.levels.is_empty()
    }

    // Values that the caller copies in itself, so that they are copied once.

    /// Room for `length` bytes; returns where. The value is then complete: the caller only has to fill it.
    ///
    /// For a whole parameter of any type these are the serialised cell, taken as it is; where the type has one size, the length
    /// must be that or 0. Deeper down they are a value: of blob, custom, uuid (16) and inet (4 or 16).
    pub fn open_bytes(&mut self, w: &mut Writer, length: usize) -> Result<usize> {
        let (ty, prefix) = self.next(w)?;
        takes_bytes(&ty, length, self.is_nested()).map_err(|kind| self.refuse(kind, &ty, w))?;
        match prefix {
            Prefix::Int => w.int_len(length, what(&ty))?,
            Prefix::Vint => put_unsigned_vint(w, length as u64),
            Prefix::None => {}
        }
        self.advance();
        Ok(w.reserve(length))
    }

    /// Room for at most `most` bytes of UTF-8, of text and ascii; returns where. [`Binder::close_text`] says how many it became.
    pub fn open_text(&mut self, w: &mut Writer, most: usize) -> Result<usize> {
        let (ty, prefix) = self.next(w)?;
        let CqlType::Native(Native::Text | Native::Ascii) = ty.as_ref() else {
            return Err(self.refuse(ErrorKind::WrongKind, &ty, w));
        };
        // Three bytes a UTF-16 unit is the most that it can become.
        if most / 3 > limit::FRAME_BODY {
            return Err(self.refuse(ErrorKind::TooLarge, &ty, w));
        }
        Ok(self.open(w, ty, prefix, most))
    }

    /// The text is in, `written` bytes of it.
    pub fn close_text(&mut self, w: &mut Writer, written: usize) -> Result<()> {
        let Some(open) = self.open.take() else { return Err(Error::new(ErrorKind::Misuse, "value.text", w.len())) };
        if open.content + written > w.len() {
            return Err(self.refuse(ErrorKind::Misuse, &open.ty, w));
        }
        w.truncate(open.content + written);
        let text = &w.as_slice()[open.content..];
        let good = match open.ty.as_ref() {
            CqlType::Native(Native::Ascii) => text.is_ascii(),
            _ => simdutf8::basic::from_utf8(text).is_ok(),
        };
        if !good {
            return Err(self.refuse(ErrorKind::BadText, &open.ty, w));
        }
        self.close(w, &open.ty, open.prefix, open.start)
    }

    /// Room for `count` numbers in the machine's byte order, the elements of a vector of just that type; returns where.
    /// [`Binder::close_numbers`] puts them in wire order.
    pub fn open_numbers(&mut self, w: &mut Writer, kind: NumberKind, count: usize) -> Result<usize> {
        let (ty, prefix) = self.next(w)?;
        takes_numbers(&ty, kind, count).map_err(|kind| self.refuse(kind, &ty, w))?;
        // The dimension is bounded where types are read, so this cannot overflow.
        let size = ty.width_in_vector().unwrap_or_default();
        Ok(self.open(w, ty, prefix, size))
    }

    /// The numbers are in.
    pub fn close_numbers(&mut self, w: &mut Writer) -> Result<()> {
        let Some(open) = self.open.take() else { return Err(Error::new(ErrorKind::Misuse, "value.vector", w.len())) };
        let CqlType::Vector(element, _) = open.ty.as_ref() else {
            return Err(self.refuse(ErrorKind::Misuse, &open.ty, w));
        };
        swap_in_place(w.tail_mut(open.content), element.width_in_vector().unwrap_or(1));
        self.close(w, &open.ty, open.prefix, open.start)
    }

    // Nesting.

    /// Begins a collection, tuple, UDT or vector of `count` elements, or a map of `count` entries.
    pub fn begin(&mut self, w: &mut Writer, count: usize) -> Result<()> {
        let (ty, prefix) = self.next(w)?;
        let (counted, slots) = match ty.as_ref() {
            CqlType::List(_) | CqlType::Set(_) => (true, count),
            CqlType::Map(..) => (true, count.saturating_mul(2)),
            // Fewer than the type has are legal; the rest is null.
            CqlType::Tuple(items) if count <= items.len() => (false, count),
            CqlType::Udt(udt) if count <= udt.fields.len() => (false, count),
            CqlType::Vector(_, dimension) if count == *dimension as usize => (false, count),
            CqlType::Tuple(_) | CqlType::Udt(_) | CqlType::Vector(..) => return Err(self.refuse(ErrorKind::WrongCount, &ty, w)),
            _ => return Err(self.refuse(ErrorKind::WrongKind, &ty, w)),
        };
        let start = w.len();
        if prefix == Prefix::Int {
            w.reserve(4);
        }
        if counted {
            w.int_len(count, what(&ty))?;
        }
        self.levels.push(Level { ty, prefix, start, index: 0, slots });
        Ok(())
    }

    /// Ends what `begin` began.
    pub fn end(&mut self, w: &mut Writer) -> Result<()> {
        match self.levels.pop() {
            Some(level) if level.index == level.slots => self.close(w, &level.ty, level.prefix, level.start),
            Some(level) => Err(self.refuse(ErrorKind::WrongCount, &level.ty, w)),
            None => Err(Error::new(ErrorKind::Misuse, "value.end", w.len())),
        }
    }

    fn open(&mut self, w: &mut Writer, ty: Arc<CqlType>, prefix: Prefix, size: usize) -> usize {
        let start = w.len();
        let content = if prefix == Prefix::Int { start + 4 } else { start };
        w.reserve(content - start + size);
        self.open = Some(Open { ty, prefix, start, content });
        content
    }

    /// Type of the next value, and what stands before it.
    pub(super) fn next(&self, w: &Writer) -> Result<(Arc<CqlType>, Prefix)> {
        if self.open.is_some() {
            return Err(Error::new(ErrorKind::Misuse, "value", w.len()));
        }
        w.has_room()?;
        let Some(level) = self.levels.last() else {
            let root = self.root.clone().ok_or(Error::new(ErrorKind::Misuse, "value", w.len()))?;
            return Ok((root, Prefix::Int));
        };
        if level.index >= level.slots {
            return Err(self.refuse(ErrorKind::WrongCount, &level.ty, w));
        }
        let (child, prefix) = match level.ty.as_ref() {
            CqlType::List(element) | CqlType::Set(element) => (element, Prefix::Int),
            CqlType::Map(key, value) => (if level.index.is_multiple_of(2) { key } else { value }, Prefix::Int),
            CqlType::Tuple(items) => (&items[level.index], Prefix::Int),
            CqlType::Udt(udt) => (&udt.fields[level.index].1, Prefix::Int),
            CqlType::Vector(element, _) if element.width_in_vector().is_some() => (element, Prefix::None),
            CqlType::Vector(element, _) => (element, Prefix::Vint),
            CqlType::Native(_) | CqlType::Custom(_) => return Err(self.refuse(ErrorKind::Misuse, &level.ty, w)),
        };
        Ok((child.clone(), prefix))
    }

    pub(super) fn leaf(&mut self, w: &mut Writer, put: impl FnOnce(&CqlType, &mut Writer) -> Result<()>) -> Result<()> {
        if self.levels.is_empty() && self.open.is_none() && w.has_room().is_ok() {
            // A parameter that is one value, the commonest: its type is not shared for the moment.
            let Some(ty) = self.root.take() else { return Err(Error::new(ErrorKind::Misuse, "value", w.len())) };
            let start = w.reserve(4);
            let result = put(&ty, w).and_then(|()| {
                let length = i32::try_from(w.len() - start - 4).map_err(|_| refused(ErrorKind::TooLarge, &ty, w))?;
                w.tail_mut(start)[..4].copy_from_slice(&length.to_be_bytes());
                Ok(())
            });
            if result.is_err() {
                self.root = Some(ty); // it is not over
            }
            return result;
        }
        let (ty, prefix) = self.next(w)?;
        let start = w.len();
        if prefix == Prefix::Int {
            w.reserve(4);
        }
        put(&ty, w).map_err(|error| self.located(error))?;
        self.close(w, &ty, prefix, start)
    }

    /// Writes what stands before the value that began at `start`, and goes on to the next.
    fn close(&mut self, w: &mut Writer, ty: &CqlType, prefix: Prefix, start: usize) -> Result<()> {
        let length = w.len() - start;
        match prefix {
            Prefix::Int => {
                let length = i32::try_from(length - 4).map_err(|_| self.refuse(ErrorKind::TooLarge, ty, w))?;
                w.tail_mut(start)[..4].copy_from_slice(&length.to_be_bytes());
            }
            Prefix::Vint if ty.cell_size().is_none_or(|size| size == length) => {
                put_unsigned_vint(w, length as u64);
                w.tail_mut(start).rotate_right(unsigned_vint_len(length as u64));
            }
            Prefix::None if Some(length) == ty.width_in_vector() => {}
            Prefix::Vint | Prefix::None => return Err(self.refuse(ErrorKind::WrongSize, ty, w)),
        }
        self.advance();
        Ok(())
    }

    pub(super) fn advance(&mut self) {
        match self.levels.last_mut() {
            Some(level) => level.index += 1,
            None => self.root = None,
        }
    }

    #[cold]
    pub(super) fn refuse(&self, kind: ErrorKind, ty: &CqlType, w: &Writer) -> Error {
        self.located(refused(kind, ty, w))
    }

    /// Names the element that was being written: of a map, the entry.
    #[cold]
    fn located(&self, error: Error) -> Error {
        match self.levels.last() {
            None => error,
            Some(level) if matches!(level.ty.as_ref(), CqlType::Map(..)) => error.in_element(level.index / 2),
            Some(level) => error.in_element(level.index),
        }
    }
}

/// Whether so many bytes can be taken for a value of `ty` as they are.
pub(super) fn takes_bytes(ty: &CqlType, length: usize, is_nested: bool) -> core::result::Result<(), ErrorKind> {
    let fits = if !is_nested {
        length == 0 || ty.cell_size().is_none_or(|size| size == length)
    } else {
        match ty {
            CqlType::Native(Native::Blob) | CqlType::Custom(_) => true,
            CqlType::Native(Native::Uuid | Native::Timeuuid) => length == 16,
            CqlType::Native(Native::Inet) => matches!(length, 4 | 16),
            _ => return Err(ErrorKind::WrongKind),
        }
    };
    match fits {
        false => Err(ErrorKind::WrongSize),
        true if length > limit::FRAME_BODY => Err(ErrorKind::TooLarge),
        true => Ok(()),
    }
}

/// Whether `count` numbers of `kind` are the elements of a `ty`.
pub(super) fn takes_numbers(ty: &CqlType, kind: NumberKind, count: usize) -> core::result::Result<(), ErrorKind> {
    let CqlType::Vector(element, dimension) = ty else { return Err(ErrorKind::WrongKind) };
    let same = match element.as_ref() {
        CqlType::Native(Native::Float) => kind == NumberKind::Float32,
        CqlType::Native(Native::Double) => kind == NumberKind::Float64,
        CqlType::Native(Native::Int) => kind == NumberKind::Int32,
        CqlType::Native(Native::Bigint) => kind == NumberKind::Int64,
        _ => false,
    };
    match same {
        false => Err(ErrorKind::WrongKind),
        true if count != *dimension as usize => Err(ErrorKind::WrongCount),
        true => Ok(()),
    }
}

#[cold]
pub(super) fn refused(kind: ErrorKind, ty: &CqlType, w: &Writer) -> Error {
    Error::new(kind, what(ty), w.len())
}

fn what(ty: &CqlType) -> &'static str {
    match ty {
        CqlType::Native(native) => native.name(),
        CqlType::List(_) => "list",
        CqlType::Set(_) => "set",
        CqlType::Map(..) => "map",
        CqlType::Tuple(_) => "tuple",
        CqlType::Udt(_) => "udt",
        CqlType::Vector(..) => "vector",
        CqlType::Custom(_) => "custom",
    }
}
