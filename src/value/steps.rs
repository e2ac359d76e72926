//! Values as a list of steps: what a caller beyond a boundary notes down first and hands over at once, because a call for each
//! value costs more than the value does. One step is one call of the [`Binder`].
//!
//! A step is [`Steps::SIZE`] bytes, little-endian: its kind, 1 where it begins a parameter, the parameter's column (`u16`), a count (`u32`),
//! and eight bytes that hold a number, or the place of bytes in the room that all of this stands in.

use alloc::sync::Arc;

use super::{Binder, CqlType, NumberKind, bind_leaf::put_cell};
use crate::spec::Native;
use crate::wire::{Error, ErrorKind, NULL, Result, UNSET, Writer};

/// Steps, and how far they are done.
#[derive(Debug)]
pub struct Steps<'a> {
    steps: &'a [Step],
    room: &'a [u8],
    /// All texts, one after another.
    text: &'a str,
    /// UTF-16 units are bytes.
    is_ascii: bool,
    text_at: usize,
    done: usize,
}

/// As words.
type Step = [[u8; 4]; 4];

/// Kinds of steps that need no [`Binder`] where they are a whole parameter.
const NULL_VALUE: u8 = 0;
const UNSET_VALUE: u8 = 1;
const TEXT: u8 = 8;
const BYTES: u8 = 9;

/// What the steps are for, as far as it is not the [`Binder`]'s.
pub trait Target {
    /// A statement of a BATCH begins, the same as last time.
    fn statement(&mut self, w: &mut Writer) -> Result<()>;
    /// A parameter begins; its type.
    fn parameter(&mut self, w: &mut Writer, column: usize) -> Result<&Arc<CqlType>>;
    /// Whether "not set" can be said.
    fn has_unset(&self) -> bool;
}

impl<'a> Steps<'a> {
    /// Bytes of a step.
    pub const SIZE: usize = 16;

    /// The first `count` steps of `room`; their texts are `text_length` bytes at `text_at`, `units` in UTF-16.
    pub fn new(room: &'a [u8], count: usize, text_at: usize, text_length: usize, units: usize) -> Result<Steps<'a>> {
        let bad = Error::new(ErrorKind::Misuse, "steps", 0);
        let steps = room.as_chunks().0.as_chunks().0.get(..count).ok_or(bad)?;
        let text = room.get(text_at..text_at.saturating_add(text_length)).ok_or(bad)?;
        let text = simdutf8::basic::from_utf8(text).map_err(|_| bad)?;
        Ok(Steps { steps, room, text, is_ascii: units == text_length, text_at: 0, done: 0 })
    }

    /// How many are done: after an error, the number of the one that failed.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Does them all, until one fails. What they are for is then to be given up: it may lack the value that failed.
    pub fn run(&mut self, target: &mut dyn Target, binder: &mut Binder, w: &mut Writer) -> Result<()> {
        let has_unset = target.has_unset();
        let put = |marker: [u8; 4], w: &mut Writer| {
            w.has_room()?;
            w.put(&marker);
            Ok(())
        };
        for step in self.steps {
            let [kind, begins, column @ ..] = step[0];
            if begins != 0 {
                if !binder.is_idle() {
                    return Err(Error::new(ErrorKind::Misuse, "params.value", w.len()));
                }
                let ty = target.parameter(w, u16::from_le_bytes(column).into())?;
                match kind {
                    NULL_VALUE => put(NULL, w)?,
                    UNSET_VALUE if has_unset => put(UNSET, w)?,
                    BYTES => put_cell(ty, self.bytes(step, w)?, w)?,
                    TEXT if matches!(**ty, CqlType::Native(Native::Text)) => put_cell(ty, self.text(step, w)?.as_bytes(), w)?,
                    _ => {
                        binder.start(ty.clone());
                        self.step(kind, step, target, binder, w)?;
                    }
                }
            } else {
                self.step(kind, step, target, binder, w)?;
            }
            self.done += 1;
        }
        Ok(())
    }

    /// Apart from the loop, which is compiled at run time as soon as it is hot: this is ten times as much.
    #[inline(never)]
    fn step(&mut self, kind: u8, step: &Step, target: &mut dyn Target, binder: &mut Binder, w: &mut Writer) -> Result<()> {
        let count = u32::from_le_bytes(step[1]);
        let number = u64::from(u32::from_le_bytes(step[3])) << 32 | u64::from(u32::from_le_bytes(step[2]));
        match kind {
            NULL_VALUE => binder.null(w),
            UNSET_VALUE if !target.has_unset() => Err(Error::new(ErrorKind::Unsupported, "params.value (unset)", w.len())),
            UNSET_VALUE => binder.unset(w),
            2 => binder.empty(w),
            3 => binder.boolean(w, count != 0),
            4 => binder.number(w, f64::from_bits(number)),
            5 => binder.int64(w, number as i64),
            6 => binder.days(w, count as i32),
            7 => binder.nanoseconds(w, number as i64),
            TEXT => binder.text(w, self.text(step, w)?),
            BYTES => binder.bytes(w, self.bytes(step, w)?),
            10 => binder.begin(w, count as usize),
            11 => binder.end(w),
            12 if binder.is_idle() => target.statement(w),
            kind => {
                let kinds = [NumberKind::Float32, NumberKind::Float64, NumberKind::Int32, NumberKind::Int64];
                let kind = kinds.get(usize::from(kind.wrapping_sub(16))).ok_or(Error::new(ErrorKind::Misuse, "steps", w.len()))?;
                binder.numbers(w, *kind, self.bytes(step, w)?)
            }
        }
    }

    fn bytes(&self, step: &Step, w: &Writer) -> Result<&'a [u8]> {
        let [length, at] = [step[1], step[2]].map(|word| u32::from_le_bytes(word) as usize);
        self.room.get(at..at.saturating_add(length)).ok_or(Error::new(ErrorKind::Misuse, "steps", w.len()))
    }

    /// The next text, of so many units in UTF-16.
    fn text(&mut self, step: &Step, w: &Writer) -> Result<&'a str> {
        let units = u32::from_le_bytes(step[1]) as usize;
        let rest = self.text.get(self.text_at..).unwrap_or_default();
        let length = if self.is_ascii { Some(units) } else { length_of(rest, units) };
        let text = length.and_then(|length| rest.get(..length)).ok_or(Error::new(ErrorKind::BadText, "text", w.len()))?;
        self.text_at += text.len();
        Ok(text)
    }
}

/// Bytes of the first `units` UTF-16 units of `text`; none where they end inside of a character.
fn length_of(text: &str, units: usize) -> Option<usize> {
    let mut left = units;
    let mut length = 0;
    let mut chars = text.chars();
    while left > 0 {
        let next = chars.next()?;
        left = left.checked_sub(next.len_utf16())?;
        length += next.len_utf8();
    }
    Some(length)
}
