//! One cell of a column as a [`Value`]: for Rust programs that want rows, and for the tests that hold columns against cells.

use alloc::vec::Vec;
use core::net::IpAddr;

use super::Column;
use crate::spec::{Layout, Native};
use crate::value::{CqlType, Duration, Value, minimal_varint};

impl Column {
    /// Cell `index`, which must be below `len`; `ty` is the type the column was made for.
    pub fn value(&self, ty: &CqlType, index: usize) -> Value {
        if self.nulls.has(index) {
            return if self.odd.has(index) { Value::Empty } else { Value::Null };
        }
        let bytes = self.bytes(index);
        let child = |child: usize, ty: &CqlType, range: core::ops::Range<usize>| -> Vec<Value> {
            range.map(|index| self.children[child].value(ty, index)).collect()
        };
        match ty {
            CqlType::Native(native) => self.native(*native, bytes, index),
            CqlType::Custom(_) => Value::Blob(bytes.into()),
            CqlType::List(element) | CqlType::Set(element) => Value::List(child(0, element, self.range(index))),
            CqlType::Map(key, value) => {
                let keys = child(0, key, self.range(index));
                Value::Map(keys.into_iter().zip(child(1, value, self.range(index))).collect())
            }
            CqlType::Tuple(items) => {
                Value::List(items.iter().zip(&self.children).map(|(item, column)| column.value(item, index)).collect())
            }
            CqlType::Udt(udt) => {
                Value::Udt(udt.fields.iter().zip(&self.children).map(|((_, field), column)| column.value(field, index)).collect())
            }
            CqlType::Vector(element, _) if self.layout == Layout::Vector => match element.as_ref() {
                CqlType::Native(native) => {
                    Value::List(bytes.chunks(self.width).map(|number| self.native(*native, number, index)).collect())
                }
                _ => Value::Null,
            },
            CqlType::Vector(element, _) => Value::List(child(0, element, self.range(index))),
        }
    }

    fn range(&self, index: usize) -> core::ops::Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    fn bytes(&self, index: usize) -> &[u8] {
        match self.layout {
            Layout::Text | Layout::Bytes => &self.data[self.range(index)],
            _ => {
                let size = self.width * self.stride;
                &self.data[index * size..(index + 1) * size]
            }
        }
    }

    fn native(&self, native: Native, bytes: &[u8], index: usize) -> Value {
        fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
            bytes.first_chunk().copied().unwrap_or([0; N])
        }
        let part = |child: usize| self.children[child].bytes(index);
        match native {
            Native::Ascii | Native::Text => match core::str::from_utf8(bytes) {
                Ok(text) => Value::Text(text.into()),
                Err(_) => Value::Blob(bytes.into()),
            },
            Native::Blob => Value::Blob(bytes.into()),
            Native::Boolean => Value::Boolean(bytes == [1]),
            Native::Tinyint => Value::Tinyint(i8::from_ne_bytes(array(bytes))),
            Native::Smallint => Value::Smallint(i16::from_ne_bytes(array(bytes))),
            Native::Int => Value::Int(i32::from_ne_bytes(array(bytes))),
            Native::Bigint | Native::Counter => Value::Bigint(i64::from_ne_bytes(array(bytes))),
            Native::Timestamp => Value::Timestamp(i64::from_ne_bytes(array(bytes))),
            Native::Time => Value::Time(i64::from_ne_bytes(array(bytes))),
            Native::Date => Value::Date(i32::from_ne_bytes(array(bytes))),
            Native::Float => Value::Float(f32::from_ne_bytes(array(bytes))),
            Native::Double => Value::Double(f64::from_ne_bytes(array(bytes))),
            Native::Uuid | Native::Timeuuid => Value::Uuid(array(bytes)),
            Native::Varint => Value::Varint(minimal_varint(bytes).into()),
            Native::Decimal => {
                Value::Decimal { scale: i32::from_be_bytes(array(bytes)), unscaled: minimal_varint(bytes.get(4..).unwrap_or(&[])).into() }
            }
            Native::Inet => match bytes {
                [a, b, c, d] => Value::Inet(IpAddr::from([*a, *b, *c, *d])),
                _ => Value::Inet(IpAddr::from(array::<16>(bytes))),
            },
            Native::Duration => Value::Duration(Duration {
                months: i32::from_ne_bytes(array(part(0))),
                days: i32::from_ne_bytes(array(part(1))),
                nanoseconds: i64::from_ne_bytes(array(part(2))),
            }),
        }
    }
}
