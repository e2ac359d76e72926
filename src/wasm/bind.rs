//! One call for each kind of JavaScript value: see `value::Binder`. Into the request that is being built, or into a lone value.

use wasm_bindgen::prelude::*;

use super::{Conn, Result, js_error};
use crate::value::{Binder, Duration, NumberKind};
use crate::wire::{self, Writer};

#[wasm_bindgen]
impl Conn {
    /// null
    pub fn null(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.null(w))
    }
    /// unset
    pub fn unset(&mut self) -> Result<()> {
        if self.lone.is_some() {
            return self.bind(|binder, w| binder.unset(w));
        }
        self.inner.unset().map_err(js_error)
    }
    /// The `empty` constant
    pub fn empty(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.empty(w))
    }
    /// boolean
    pub fn boolean(&mut self, value: bool) -> Result<()> {
        self.bind(|binder, w| binder.boolean(w, value))
    }
    /// number
    pub fn number(&mut self, value: f64) -> Result<()> {
        self.bind(|binder, w| binder.number(w, value))
    }
    /// bigint of 64 bits
    pub fn int64(&mut self, value: i64) -> Result<()> {
        self.bind(|binder, w| binder.int64(w, value))
    }
    /// bigint of any size
    pub fn hex_integer(&mut self, negative: bool, hex: &str) -> Result<()> {
        self.bind(|binder, w| binder.hex_integer(w, negative, hex))
    }
    /// Decimal
    pub fn hex_decimal(&mut self, scale: i32, negative: bool, hex: &str) -> Result<()> {
        self.bind(|binder, w| binder.hex_decimal(w, scale, negative, hex))
    }
    /// LocalDate
    pub fn days(&mut self, days: i32) -> Result<()> {
        self.bind(|binder, w| binder.days(w, days))
    }
    /// LocalTime
    pub fn nanoseconds(&mut self, nanoseconds: i64) -> Result<()> {
        self.bind(|binder, w| binder.nanoseconds(w, nanoseconds))
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
    /// Array, iterable, Map, object
    pub fn begin(&mut self, count: usize) -> Result<()> {
        self.bind(|binder, w| binder.begin(w, count))
    }
    /// The end of what `begin` began
    pub fn end(&mut self) -> Result<()> {
        self.bind(|binder, w| binder.end(w))
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
