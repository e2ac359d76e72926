//! The binder's leaves: one call for each kind of value. The *type* decides the bytes and refuses what does not fit.

use core::net::IpAddr;

use super::bind::{Binder, NumberKind, Prefix, refused, takes_bytes, takes_numbers};
use super::scalar::{self, Duration};
use super::{CqlType, minimal_varint, parse_uuid};
use crate::spec::Native;
use crate::wire::{ErrorKind, NULL, Result, UNSET, Writer, swap_in_place};

impl Binder {
    /// null. Not in a vector, whose elements cannot be null.
    pub fn null(&mut self, w: &mut Writer) -> Result<()> {
        let (ty, prefix) = self.next(w)?;
        if prefix != Prefix::Int {
            return Err(self.refuse(ErrorKind::WrongKind, &ty, w));
        }
        w.put(&NULL);
        self.advance();
        Ok(())
    }

    /// "Not set". Only for a whole parameter; whether the version has it is the caller's to check.
    pub fn unset(&mut self, w: &mut Writer) -> Result<()> {
        let (ty, _) = self.next(w)?;
        if self.is_nested() {
            return Err(self.refuse(ErrorKind::WrongKind, &ty, w));
        }
        w.put(&UNSET);
        self.advance();
        Ok(())
    }

    /// Zero bytes, of any type.
    pub fn empty(&mut self, w: &mut Writer) -> Result<()> {
        self.leaf(w, |_, _| Ok(()))
    }

    /// A truth value.
    pub fn boolean(&mut self, w: &mut Writer, value: bool) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Boolean) => {
                w.byte(u8::from(value));
                Ok(())
            }
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// A JavaScript number: floats, and the integer types where it is a whole number in their range. Beyond 2⁵³ a number no longer
    /// says which integer was meant, so it is refused.
    pub fn number(&mut self, w: &mut Writer, value: f64) -> Result<()> {
        const MAX_SAFE: i64 = (1 << 53) - 1;
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Double) => {
                w.put(&value.to_be_bytes());
                Ok(())
            }
            CqlType::Native(Native::Float) => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(refused(ErrorKind::OutOfRange, ty, w));
                }
                w.put(&narrow.to_be_bytes());
                Ok(())
            }
            _ => {
                let whole = value as i64;
                if whole as f64 != value || !(-MAX_SAFE..=MAX_SAFE).contains(&whole) {
                    let kind = if takes_integer(ty) { ErrorKind::OutOfRange } else { ErrorKind::WrongKind };
                    return Err(refused(kind, ty, w));
                }
                put_integer(w, ty, whole)
            }
        })
    }

    /// A whole number of 64 bits: the integer types, counter, varint and timestamp (milliseconds).
    pub fn int64(&mut self, w: &mut Writer, value: i64) -> Result<()> {
        self.leaf(w, |ty, w| put_integer(w, ty, value))
    }

    /// A whole number of any size, as sign and hexadecimal magnitude: varint.
    pub fn hex_integer(&mut self, w: &mut Writer, negative: bool, hex: &str) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Varint) => scalar::put_hex_varint(w, negative, hex),
            ty if takes_integer(ty) => Err(refused(ErrorKind::OutOfRange, ty, w)),
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// A whole number of any size, as two's complement: varint.
    pub fn varint(&mut self, w: &mut Writer, bytes: &[u8]) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Varint) if !bytes.is_empty() => {
                w.put(minimal_varint(bytes));
                Ok(())
            }
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// `unscaled × 10^-scale`, the unscaled value as two's complement: decimal.
    pub fn decimal(&mut self, w: &mut Writer, scale: i32, unscaled: &[u8]) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Decimal) if !unscaled.is_empty() => {
                w.int(scale);
                w.put(minimal_varint(unscaled));
                Ok(())
            }
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// The same with the unscaled value as sign and hexadecimal magnitude.
    pub fn hex_decimal(&mut self, w: &mut Writer, scale: i32, negative: bool, hex: &str) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Decimal) => {
                w.int(scale);
                scalar::put_hex_varint(w, negative, hex)
            }
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// Days since 1970-01-01: date.
    pub fn days(&mut self, w: &mut Writer, days: i32) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Date) => {
                w.int(days.wrapping_add(i32::MIN)); // the wire's zero is 2³¹ days earlier
                Ok(())
            }
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// Nanoseconds since midnight: time.
    pub fn nanoseconds(&mut self, w: &mut Writer, value: i64) -> Result<()> {
        const DAY: i64 = 86_400_000_000_000;
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Time) if (0..DAY).contains(&value) => {
                w.long(value);
                Ok(())
            }
            CqlType::Native(Native::Time) => Err(refused(ErrorKind::OutOfRange, ty, w)),
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// A duration of one sign.
    pub fn duration(&mut self, w: &mut Writer, value: Duration) -> Result<()> {
        self.leaf(w, |ty, w| match ty {
            CqlType::Native(Native::Duration) if value.has_one_sign() => {
                scalar::put_duration(w, value);
                Ok(())
            }
            CqlType::Native(Native::Duration) => Err(refused(ErrorKind::OutOfRange, ty, w)),
            _ => Err(refused(ErrorKind::WrongKind, ty, w)),
        })
    }

    /// Text: text, ascii, and the text forms of uuid, timeuuid and inet.
    pub fn text(&mut self, w: &mut Writer, text: &str) -> Result<()> {
        self.leaf(w, |ty, w| {
            let bad = |w: &Writer| refused(ErrorKind::BadText, ty, w);
            match ty {
                CqlType::Native(Native::Text) => w.put(text.as_bytes()),
                CqlType::Native(Native::Ascii) if text.is_ascii() => w.put(text.as_bytes()),
                CqlType::Native(Native::Ascii) => return Err(bad(w)),
                CqlType::Native(Native::Uuid | Native::Timeuuid) => w.put(&parse_uuid(text.as_bytes()).ok_or_else(|| bad(w))?),
                CqlType::Native(Native::Inet) => match text.parse().map_err(|_| bad(w))? {
                    IpAddr::V4(address) => w.put(&address.octets()),
                    IpAddr::V6(address) => w.put(&address.octets()),
                },
                _ => return Err(refused(ErrorKind::WrongKind, ty, w)),
            }
            Ok(())
        })
    }

    /// The elements of a vector of just that type, in the machine's byte order.
    pub fn numbers(&mut self, w: &mut Writer, kind: NumberKind, bytes: &[u8]) -> Result<()> {
        self.leaf(w, |ty, w| {
            takes_numbers(ty, kind, bytes.len() / kind.size()).map_err(|kind| refused(kind, ty, w))?;
            let start = w.len();
            w.put(bytes);
            swap_in_place(w.tail_mut(start), kind.size());
            Ok(())
        })
    }

    /// Bytes: see [`Binder::open_bytes`].
    pub fn bytes(&mut self, w: &mut Writer, bytes: &[u8]) -> Result<()> {
        let is_nested = self.is_nested();
        self.leaf(w, |ty, w| {
            takes_bytes(ty, bytes.len(), is_nested).map_err(|kind| refused(kind, ty, w))?;
            w.put(bytes);
            Ok(())
        })
    }
}

/// Appends ready bytes as a whole parameter.
pub(super) fn put_cell(ty: &CqlType, bytes: &[u8], w: &mut Writer) -> Result<()> {
    w.has_room()?;
    takes_bytes(ty, bytes.len(), false).map_err(|kind| refused(kind, ty, w))?;
    w.bytes(Some(bytes), "params.value")
}

fn takes_integer(ty: &CqlType) -> bool {
    use Native::{Bigint, Counter, Int, Smallint, Timestamp, Tinyint, Varint};
    matches!(ty, CqlType::Native(Tinyint | Smallint | Int | Bigint | Counter | Timestamp | Varint))
}

fn put_integer(w: &mut Writer, ty: &CqlType, value: i64) -> Result<()> {
    let out_of_range = |_| refused(ErrorKind::OutOfRange, ty, w);
    match ty {
        CqlType::Native(Native::Tinyint) => w.put(&i8::try_from(value).map_err(out_of_range)?.to_be_bytes()),
        CqlType::Native(Native::Smallint) => w.put(&i16::try_from(value).map_err(out_of_range)?.to_be_bytes()),
        CqlType::Native(Native::Int) => w.put(&i32::try_from(value).map_err(out_of_range)?.to_be_bytes()),
        CqlType::Native(Native::Bigint | Native::Counter | Native::Timestamp) => w.long(value),
        CqlType::Native(Native::Varint) => scalar::put_varint(w, value),
        _ => return Err(refused(ErrorKind::WrongKind, ty, w)),
    }
    Ok(())
}
