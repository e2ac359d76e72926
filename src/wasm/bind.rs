//! JavaScript values → the request that is being built, or a lone value. Most cross as steps, many in one call (`value::Steps`); what is
//! large is copied straight into the request, and what is rare has a call of its own: see `value::Binder`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::{Conn, Metadata, Result, js_error};
use crate::value::{self, Binder, CqlType, Duration, NumberKind, Target};
use crate::wire::{self, Writer};

/// Room in which JavaScript notes steps, their bytes and their texts. Its address never changes, and is a multiple of 8.
#[wasm_bindgen]
pub struct Steps {
    room: Vec<u8>,
    start: usize,
}

#[wasm_bindgen]
impl Steps {
    /// Of so many bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(size: usize) -> Steps {
        let room = alloc::vec![0; size + 8];
        Steps { start: room.as_ptr().align_offset(8), room }
    }

    /// Where it is.
    pub fn room(&mut self) -> *mut u8 {
        self.room[self.start..].as_mut_ptr()
    }
}

#[wasm_bindgen]
impl Conn {
    /// Does the first `count` steps, whose parameters are of these columns; their texts are `text_length` bytes at `text_at` in the room, `units`
    /// in UTF-16.
    pub fn run(&mut self, steps: &Steps, types: &Metadata, count: usize, text_at: usize, text_length: usize, units: usize) -> Result<()> {
        let mut steps = value::Steps::new(&steps.room[steps.start..], count, text_at, text_length, units).map_err(js_error)?;
        let result = match &mut self.lone {
            Some((binder, w)) => steps.run(&mut Lone(types), binder, w),
            None => self.inner.run(&mut steps, &types.columns, &types.id),
        };
        self.failed_step = steps.done();
        result.map_err(js_error)
    }

    /// The number of the step at which `run` failed.
    pub fn failed_step(&self) -> usize {
        self.failed_step
    }

    /// Where in its parameter the next value stands: its number in each value that it is inside of, a map's entry counting two.
    pub fn place(&mut self) -> Vec<usize> {
        let binder = match &self.lone {
            Some((binder, _)) => binder,
            None => self.inner.binder().0,
        };
        binder.place().collect()
    }

    /// bigint of any size
    pub fn hex_integer(&mut self, negative: bool, hex: &str) -> Result<()> {
        self.bind(|binder, w| binder.hex_integer(w, negative, hex))
    }
    /// Decimal
    pub fn hex_decimal(&mut self, scale: i32, negative: bool, hex: &str) -> Result<()> {
        self.bind(|binder, w| binder.hex_decimal(w, scale, negative, hex))
    }
    /// Duration
    pub fn duration(&mut self, months: i32, days: i32, nanoseconds: i64) -> Result<()> {
        self.bind(|binder, w| binder.duration(w, Duration { months, days, nanoseconds }))
    }
    /// Room for the bytes of a Uint8Array
    pub fn open_bytes(&mut self, length: usize) -> Result<*mut u8> {
        self.bind(|binder, w| {
            let at = binder.open_bytes(w, length)?;
            Ok(w.tail_mut(at).as_mut_ptr())
        })
    }
    /// Room for the UTF-8 of a string
    pub fn open_text(&mut self, most: usize) -> Result<*mut u8> {
        self.bind(|binder, w| {
            let at = binder.open_text(w, most)?;
            Ok(w.tail_mut(at).as_mut_ptr())
        })
    }
    /// The string is in
    pub fn close_text(&mut self, written: usize) -> Result<()> {
        self.bind(|binder, w| binder.close_text(w, written))
    }
    /// Room for the elements of a typed array: 0 Float32Array, 1 Float64Array, 2 Int32Array, 3 BigInt64Array
    pub fn open_numbers(&mut self, kind: u32, count: usize) -> Result<*mut u8> {
        let kind = match kind {
            0 => NumberKind::Float32,
            1 => NumberKind::Float64,
            2 => NumberKind::Int32,
            _ => NumberKind::Int64,
        };
        self.bind(|binder, w| {
            let at = binder.open_numbers(w, kind, count)?;
            Ok(w.tail_mut(at).as_mut_ptr())
        })
    }
    /// The typed array is in
    pub fn close_numbers(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.close_numbers(w))
    }

    fn bind<T>(&mut self, put: impl FnOnce(&mut Binder, &mut Writer) -> wire::Result<T>) -> Result<T> {
        let result = match &mut self.lone {
            Some((binder, w)) => put(binder, w),
            None => {
                let (binder, w) = self.inner.binder();
                put(binder, w)
            }
        };
        result.map_err(js_error)
    }
}

/// A value on its own, outside any request.
struct Lone<'a>(&'a Metadata);

impl Target for Lone<'_> {
    fn statement(&mut self, w: &mut Writer) -> wire::Result<()> {
        Err(wire::Error::new(wire::ErrorKind::Misuse, "BATCH.statement", w.len()))
    }

    fn parameter(&mut self, _: &mut Writer, column: usize) -> wire::Result<&Arc<CqlType>> {
        super::column_type(self.0, column)
    }

    fn has_unset(&self) -> bool {
        true
    }
}
