//! Bytes → [`Value`], one cell at a time: the plain way, which the columns are tested against.

use alloc::vec::Vec;
use core::net::IpAddr;

use super::scalar::{minimal_varint, read_duration};
use super::{CqlType, Value};
use crate::spec::{Native, limit};
use crate::wire::{ErrorKind, Reader, Result, read_unsigned_vint};

/// Decodes the content of a `[bytes]`; `None` is null. All of `bytes` must belong to the value.
///
/// ```
/// use cqlwire::value::{Value, decode_value, parse_type};
///
/// let list = decode_value(&parse_type("list<int>")?, Some(&[0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 7]))?;
/// assert_eq!(list, Value::List(vec![Value::Int(7)]));
/// assert_eq!(decode_value(&parse_type("int")?, None)?, Value::Null);
/// assert_eq!(decode_value(&parse_type("int")?, Some(&[]))?, Value::Empty);
/// # Ok::<(), cqlwire::wire::Error>(())
/// ```
pub fn decode_value(ty: &CqlType, bytes: Option<&[u8]>) -> Result<Value> {
    match bytes {
        None => Ok(Value::Null),
        Some(bytes) => decode(ty, &mut Reader::new(bytes), &mut Missing::default()),
    }
}

/// The same of the cell, a `[bytes]`, that comes next, for who traces what is read.
pub fn read_value(ty: &CqlType, r: &mut Reader<'_>) -> Result<Value> {
    decode_element(ty, r, &mut Missing::default())
}

/// How many more fields the tuples and user-defined types of one value may leave out.
struct Missing(usize);

impl Default for Missing {
    fn default() -> Missing {
        Missing(limit::MISSING_FIELDS)
    }
}

/// Decodes all that is left of `r`. Recursion is as deep as the type, which `limit::TYPE_NESTING` bounds.
fn decode(ty: &CqlType, r: &mut Reader<'_>, missing: &mut Missing) -> Result<Value> {
    if r.left() == 0 && !ty.has_empty_value() {
        return Ok(Value::Empty);
    }
    let value = match ty {
        CqlType::Native(native) => decode_native(*native, r)?,
        CqlType::Custom(_) => Value::Blob(r.take(r.left(), "custom")?.into()),
        CqlType::List(element) | CqlType::Set(element) => {
            let count = r.count(4, "collection.count")?;
            let mut read = |r: &mut Reader<'_>| decode_element(element, r, missing);
            let element = |index| r.group("collection.element", index, &mut read).map_err(|e| e.in_element(index));
            Value::List((0..count).map(element).collect::<Result<_>>()?)
        }
        CqlType::Map(key, value) => {
            let count = r.count(8, "map.count")?;
            let mut read = |r: &mut Reader<'_>| Ok((decode_element(key, r, missing)?, decode_element(value, r, missing)?));
            let entry = |index| r.group("map.entry", index, &mut read).map_err(|e| e.in_element(index));
            Value::Map((0..count).map(entry).collect::<Result<_>>()?)
        }
        CqlType::Tuple(items) => Value::List(decode_fields(items.iter().map(|item| &**item), r, missing)?),
        CqlType::Udt(udt) => Value::Udt(decode_fields(udt.fields.iter().map(|(_, field)| &**field), r, missing)?),
        CqlType::Vector(element, dimension) => {
            let mut values = Vec::new(); // not with_capacity: the dimension comes from the wire
            let mut read = |r: &mut Reader<'_>| {
                let length = match element.width_in_vector() {
                    Some(width) => width,
                    None => vint_length(element, r)?,
                };
                let bytes = r.take(length, "vector.element")?;
                decode(element, &mut r.inside(bytes), missing)
            };
            for index in 0..*dimension as usize {
                values.push(r.group("vector.element", index, &mut read).map_err(|e| e.in_element(index))?);
            }
            Value::List(values)
        }
    };
    r.finish("value")?;
    Ok(value)
}

/// The length before an element of a vector. An element whose type has one size has that size: servers take no zero bytes for it.
pub(crate) fn vint_length(element: &CqlType, r: &mut Reader<'_>) -> Result<usize> {
    let here = r.clone();
    match usize::try_from(read_unsigned_vint(r, "vector.element")?) {
        Ok(length) if element.cell_size().is_none_or(|size| size == length) => Ok(length),
        _ => Err(here.error(ErrorKind::BadLength, "vector.element")),
    }
}

fn decode_element(ty: &CqlType, r: &mut Reader<'_>, missing: &mut Missing) -> Result<Value> {
    match r.bytes("collection.element")? {
        None => Ok(Value::Null),
        Some(bytes) => decode(ty, &mut r.inside(bytes), missing),
    }
}

/// A tuple or UDT may end early (v5 §6): the fields that are missing are null. A cut inside a field is an error.
fn decode_fields<'t>(types: impl Iterator<Item = &'t CqlType>, r: &mut Reader<'_>, missing: &mut Missing) -> Result<Vec<Value>> {
    let field = |(index, ty)| {
        if r.left() > 0 {
            return r.group("field", index, |r| decode_element(ty, r, missing)).map_err(|e| e.in_element(index));
        }
        missing.0 = missing.0.checked_sub(1).ok_or_else(|| r.error(ErrorKind::BadLength, "value (fields left out)"))?;
        Ok(Value::Null)
    };
    types.enumerate().map(field).collect()
}

fn decode_native(native: Native, r: &mut Reader<'_>) -> Result<Value> {
    let what = native.name();
    Ok(match native {
        Native::Ascii | Native::Text => {
            let bytes = r.take(r.left(), what)?;
            match core::str::from_utf8(bytes) {
                Ok(text) => Value::Text(text.into()),
                Err(_) => Value::Blob(bytes.into()),
            }
        }
        Native::Blob => Value::Blob(r.take(r.left(), what)?.into()),
        Native::Boolean => Value::Boolean(r.byte(what)? != 0),
        Native::Tinyint => Value::Tinyint(r.byte(what)? as i8),
        Native::Smallint => Value::Smallint(r.short(what)? as i16),
        Native::Int => Value::Int(r.int(what)?),
        Native::Bigint | Native::Counter => Value::Bigint(r.long(what)?),
        Native::Timestamp => Value::Timestamp(r.long(what)?),
        Native::Time => Value::Time(r.long(what)?),
        Native::Date => Value::Date(r.int(what)?.wrapping_add(i32::MIN)),
        Native::Float => Value::Float(r.float(what)?),
        Native::Double => Value::Double(r.double(what)?),
        Native::Uuid | Native::Timeuuid => Value::Uuid(r.uuid(what)?),
        Native::Varint => Value::Varint(minimal_varint(r.take(r.left(), what)?).into()),
        Native::Decimal => Value::Decimal {
            scale: r.int(what)?,
            unscaled: match minimal_varint(r.take(r.left(), what)?) {
                [] => return Err(r.error(ErrorKind::Truncated, what)),
                unscaled => unscaled.into(),
            },
        },
        Native::Inet => match r.left() {
            4 => Value::Inet(IpAddr::from(r.array::<4>(what)?)),
            16 => Value::Inet(IpAddr::from(r.array::<16>(what)?)),
            _ => return Err(r.error(ErrorKind::BadLength, what)),
        },
        Native::Duration => Value::Duration(read_duration(r)?),
    })
}
