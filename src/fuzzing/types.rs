//! Types and values of them, taken from the fuzzer's bytes.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::net::IpAddr;

use arbitrary::{Result, Unstructured};

use crate::spec::Native;
use crate::value::{CqlType, Duration, Udt, Value};

/// A type of at most `depth` levels.
pub(super) fn any_type(u: &mut Unstructured<'_>, depth: usize) -> Result<CqlType> {
    let kind = u.int_in_range(0..=if depth > 1 { 11 } else { 5 })?;
    let child = |u: &mut Unstructured<'_>| any_type(u, depth - 1).map(Arc::new);
    Ok(match kind {
        0..=4 => CqlType::Native(*u.choose(Native::ALL)?),
        5 => CqlType::Custom((*u.choose(&["com.example.Mine", "com.example.Pair(a,b(c))", "é"])?).into()),
        6 => CqlType::List(child(u)?),
        7 => CqlType::Set(child(u)?),
        8 => CqlType::Map(child(u)?, child(u)?),
        9 => CqlType::Tuple((0..u.int_in_range(0..=4)?).map(|_| child(u)).collect::<Result<_>>()?),
        10 => {
            let field = |u: &mut Unstructured<'_>| Ok((any_name(u)?, child(u)?));
            let fields = (0..u.int_in_range(0..=4)?).map(|_| field(u)).collect::<Result<_>>()?;
            // Keyspaces have names of letters, digits and `_`; those of types and fields can be anything.
            let keyspace = (*u.choose(&["k", "Ks_1", ""])?).into();
            CqlType::Udt(Arc::new(Udt { keyspace, name: any_name(u)?, fields }))
        }
        _ => {
            let element = child(u)?;
            let is_leaf = matches!(element.as_ref(), CqlType::Native(_) | CqlType::Custom(_));
            // Long vectors of long vectors would only take long.
            CqlType::Vector(element, *u.choose(if is_leaf { &[1, 2, 3, 4, 63, 300] } else { &[1, 2, 3] })?)
        }
    })
}

fn any_name(u: &mut Unstructured<'_>) -> Result<String> {
    let length = u.int_in_range(0..=12)?;
    Ok(String::from_utf8_lossy(u.bytes(length)?).into_owned())
}

/// What a cell of the type can hold and a request can say: null, zero bytes or a value.
pub(super) fn any_cell(u: &mut Unstructured<'_>, ty: &CqlType) -> Result<Value> {
    match u.int_in_range(0..=7)? {
        0 => Ok(Value::Null),
        1 if !ty.has_empty_value() => Ok(Value::Empty),
        _ => any_value(u, ty),
    }
}

fn any_value(u: &mut Unstructured<'_>, ty: &CqlType) -> Result<Value> {
    let count = |u: &mut Unstructured<'_>| u.int_in_range(0..=4usize);
    Ok(match ty {
        CqlType::Native(native) => any_native(u, *native)?,
        CqlType::Custom(_) => Value::Blob(any_bytes(u)?),
        CqlType::List(element) | CqlType::Set(element) => Value::List((0..count(u)?).map(|_| any_cell(u, element)).collect::<Result<_>>()?),
        CqlType::Map(key, value) => {
            Value::Map((0..count(u)?).map(|_| Ok((any_cell(u, key)?, any_cell(u, value)?))).collect::<Result<_>>()?)
        }
        // One of nothing takes no bytes.
        CqlType::Tuple(items) if items.is_empty() => Value::Empty,
        CqlType::Udt(udt) if udt.fields.is_empty() => Value::Empty,
        CqlType::Tuple(items) => Value::List(items.iter().map(|item| any_cell(u, item)).collect::<Result<_>>()?),
        CqlType::Udt(udt) => Value::Udt(udt.fields.iter().map(|(_, field)| any_cell(u, field)).collect::<Result<_>>()?),
        CqlType::Vector(element, dimension) => Value::List((0..*dimension).map(|_| any_value(u, element)).collect::<Result<_>>()?),
    })
}

fn any_bytes(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let length = u.int_in_range(0..=20)?;
    Ok(u.bytes(length.min(u.len()))?.into())
}

fn any_varint(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut bytes = any_bytes(u)?;
    if bytes.is_empty() {
        bytes.push(u.arbitrary()?);
    }
    Ok(trimmed(&bytes).into())
}

/// Two's complement without the bytes that only repeat its sign: not by the code that is tested.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    match bytes {
        [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => trimmed(&bytes[1..]),
        _ => bytes,
    }
}

fn any_native(u: &mut Unstructured<'_>, native: Native) -> Result<Value> {
    Ok(match native {
        Native::Ascii => Value::Text(any_bytes(u)?.iter().map(|byte| char::from(byte & 0x7f)).collect()),
        Native::Text => Value::Text(String::from_utf8_lossy(&any_bytes(u)?).into_owned()),
        Native::Blob => Value::Blob(any_bytes(u)?),
        Native::Boolean => Value::Boolean(u.arbitrary()?),
        Native::Tinyint => Value::Tinyint(u.arbitrary()?),
        Native::Smallint => Value::Smallint(u.arbitrary()?),
        Native::Int => Value::Int(u.arbitrary()?),
        Native::Bigint | Native::Counter => Value::Bigint(u.arbitrary()?),
        Native::Timestamp => Value::Timestamp(u.arbitrary()?),
        Native::Date => Value::Date(u.arbitrary()?),
        Native::Time => Value::Time(u.int_in_range(0..=NANOSECONDS_OF_A_DAY - 1)?),
        Native::Float => Value::Float(u.arbitrary()?),
        Native::Double => Value::Double(u.arbitrary()?),
        Native::Varint => Value::Varint(any_varint(u)?),
        Native::Decimal => Value::Decimal { scale: u.arbitrary()?, unscaled: any_varint(u)? },
        Native::Uuid | Native::Timeuuid => Value::Uuid(u.arbitrary()?),
        Native::Inet => Value::Inet(if u.arbitrary()? { IpAddr::V4(u.arbitrary()?) } else { IpAddr::V6(u.arbitrary()?) }),
        Native::Duration => {
            let sign = if u.arbitrary()? { -1 } else { 1 };
            let (months, days) = (sign * u.int_in_range(0..=i32::MAX)?, sign * u.int_in_range(0..=i32::MAX)?);
            Value::Duration(Duration { months, days, nanoseconds: i64::from(sign) * u.int_in_range(0..=i64::MAX)? })
        }
    })
}

const NANOSECONDS_OF_A_DAY: i64 = 86_400_000_000_000;

/// Equal; of floats, the bits, any NaN being a NaN.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (Value::List(a), Value::List(b)) | (Value::Udt(a), Value::Udt(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Map(a), Value::Map(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.0, &b.0) && same(&a.1, &b.1)),
        _ => a == b,
    }
}

/// True where a value that was read is one that requests can say. The rest is legal to receive only: text that is not UTF-8 (a whole
/// parameter of it can be given as bytes) or not ASCII, a time of no day, a duration of two signs.
pub(super) fn can_be_sent(ty: &CqlType, value: &Value, is_parameter: bool) -> bool {
    let all = |ty: &CqlType, values: &[Value]| values.iter().all(|value| can_be_sent(ty, value, false));
    match (ty, value) {
        (CqlType::Native(Native::Text | Native::Ascii), Value::Blob(_)) => is_parameter,
        (CqlType::Native(Native::Ascii), Value::Text(text)) => text.is_ascii(),
        (CqlType::Native(Native::Time), Value::Time(time)) => (0..NANOSECONDS_OF_A_DAY).contains(time),
        (CqlType::Native(Native::Duration), Value::Duration(duration)) => duration.has_one_sign(),
        (CqlType::List(element) | CqlType::Set(element) | CqlType::Vector(element, _), Value::List(values)) => all(element, values),
        (CqlType::Map(key, value), Value::Map(entries)) => {
            entries.iter().all(|entry| can_be_sent(key, &entry.0, false) && can_be_sent(value, &entry.1, false))
        }
        (CqlType::Tuple(items), Value::List(values)) => items.iter().zip(values).all(|(item, value)| can_be_sent(item, value, false)),
        (CqlType::Udt(udt), Value::Udt(values)) => {
            udt.fields.iter().zip(values).all(|((_, field), value)| can_be_sent(field, value, false))
        }
        _ => true,
    }
}
