//! Values as `scylla-cql` has them.

use cqlwire::spec::Native;
use cqlwire::value::{CqlType, Value};
use scylla_cql::deserialize::FrameSlice;
use scylla_cql::deserialize::value::DeserializeValue;
use scylla_cql::frame::response::result::ColumnType;
use scylla_cql::serialize::value::SerializeValue;
use scylla_cql::serialize::writers::CellWriter;
use scylla_cql::value::{Counter, CqlDate, CqlDecimal, CqlDuration, CqlTime, CqlTimestamp, CqlTimeuuid, CqlValue, CqlVarint};

use crate::known::Gap;

/// A cell as it writes it.
pub fn write(ty: &ColumnType<'_>, value: &Option<CqlValue>) -> Vec<u8> {
    let mut cell = Vec::new();
    value.serialize(ty, CellWriter::new(&mut cell)).unwrap_or_else(|error| panic!("{error}: {value:?}"));
    cell
}

/// A cell's content as it reads it.
pub fn read(ty: &ColumnType<'_>, content: Option<&[u8]>) -> Option<CqlValue> {
    let slice = content.map(FrameSlice::new_borrowed);
    Option::<CqlValue>::deserialize(ty, slice).unwrap_or_else(|error| panic!("{error}: {ty:?} {content:02x?}"))
}

/// Why it cannot read this cell, if it cannot.
pub fn read_gap(ty: &CqlType, value: &Value) -> Option<Gap> {
    let any = |ty: &CqlType, values: &[Value]| values.iter().find_map(|value| read_gap(ty, value));
    match (ty, value) {
        (CqlType::Vector(element, _), Value::List(values)) => {
            let is_empty = |value: &Value| match value {
                Value::Text(text) => text.is_empty(),
                Value::Blob(bytes) => bytes.is_empty(),
                value => *value == Value::Empty,
            };
            let has_lengths = element.width_in_vector().is_none();
            if has_lengths && values.iter().any(is_empty) { Some(Gap::ScEmptyInVector) } else { any(element, values) }
        }
        (CqlType::List(element) | CqlType::Set(element), Value::List(values)) => any(element, values),
        (CqlType::Map(key_type, value_type), Value::Map(entries)) => {
            entries.iter().find_map(|(key, value)| read_gap(key_type, key).or_else(|| read_gap(value_type, value)))
        }
        (CqlType::Tuple(types), Value::List(values)) => types.iter().zip(values).find_map(|(ty, value)| read_gap(ty, value)),
        (CqlType::Udt(udt), Value::Udt(values)) => udt.fields.iter().zip(values).find_map(|((_, ty), value)| read_gap(ty, value)),
        _ => None,
    }
}

/// The same cell; `None` is null.
pub fn cell(ty: &CqlType, value: &Value) -> Result<Option<CqlValue>, Gap> {
    let elements = |ty: &CqlType, values: &[Value]| values.iter().map(|value| element(ty, value)).collect::<Result<Vec<_>, _>>();
    Ok(Some(match (ty, value) {
        (_, Value::Null) => return Ok(None),
        (CqlType::Custom(_), _) => return Err(Gap::ScUnknownClass),
        (CqlType::Tuple(items), Value::Empty) if items.is_empty() => CqlValue::Empty,
        (CqlType::Native(Native::Counter | Native::Duration), Value::Empty) => return Err(Gap::ScEmptyRefused),
        (CqlType::List(_) | CqlType::Set(_) | CqlType::Map(..) | CqlType::Udt(_), Value::Empty) => return Err(Gap::ScEmptyRefused),
        (_, Value::Empty) => CqlValue::Empty,
        (CqlType::Native(native), value) => native_value(*native, value),
        (CqlType::List(element), Value::List(values)) => CqlValue::List(elements(element, values)?),
        (CqlType::Set(element), Value::List(values)) => CqlValue::Set(elements(element, values)?),
        (CqlType::Vector(element, _), Value::List(values)) => CqlValue::Vector(elements(element, values)?),
        (CqlType::Map(key_type, value_type), Value::Map(entries)) => {
            let entry = |(key, value): &(Value, Value)| Ok((element(key_type, key)?, element(value_type, value)?));
            CqlValue::Map(entries.iter().map(entry).collect::<Result<_, _>>()?)
        }
        (CqlType::Tuple(types), Value::List(values)) => {
            CqlValue::Tuple(types.iter().zip(values).map(|(ty, value)| cell(ty, value)).collect::<Result<_, _>>()?)
        }
        (CqlType::Udt(udt), Value::Udt(values)) => {
            let field = |((name, ty), value): (&(String, std::sync::Arc<CqlType>), &Value)| Ok((name.clone(), cell(ty, value)?));
            let fields = udt.fields.iter().zip(values).map(field).collect::<Result<_, _>>()?;
            CqlValue::UserDefinedType { keyspace: udt.keyspace.clone(), name: udt.name.clone(), fields }
        }
        (ty, value) => panic!("{ty:?} {value:?}"),
    }))
}

fn element(ty: &CqlType, value: &Value) -> Result<CqlValue, Gap> {
    cell(ty, value)?.ok_or(Gap::ScNullElement)
}

fn native_value(native: Native, value: &Value) -> CqlValue {
    match (native, value) {
        (Native::Ascii, Value::Text(text)) => CqlValue::Ascii(text.clone()),
        (Native::Text, Value::Text(text)) => CqlValue::Text(text.clone()),
        (Native::Blob, Value::Blob(bytes)) => CqlValue::Blob(bytes.clone()),
        (Native::Boolean, Value::Boolean(value)) => CqlValue::Boolean(*value),
        (Native::Tinyint, Value::Tinyint(value)) => CqlValue::TinyInt(*value),
        (Native::Smallint, Value::Smallint(value)) => CqlValue::SmallInt(*value),
        (Native::Int, Value::Int(value)) => CqlValue::Int(*value),
        (Native::Bigint, Value::Bigint(value)) => CqlValue::BigInt(*value),
        (Native::Counter, Value::Bigint(value)) => CqlValue::Counter(Counter(*value)),
        (Native::Timestamp, Value::Timestamp(value)) => CqlValue::Timestamp(CqlTimestamp(*value)),
        // Days since 1970 here, days since 2³¹ days before it there.
        (Native::Date, Value::Date(days)) => CqlValue::Date(CqlDate((i64::from(*days) + (1 << 31)) as u32)),
        (Native::Time, Value::Time(value)) => CqlValue::Time(CqlTime(*value)),
        (Native::Float, Value::Float(value)) => CqlValue::Float(*value),
        (Native::Double, Value::Double(value)) => CqlValue::Double(*value),
        (Native::Varint, Value::Varint(bytes)) => CqlValue::Varint(CqlVarint::from_signed_bytes_be(bytes.clone())),
        (Native::Decimal, Value::Decimal { scale, unscaled }) => {
            CqlValue::Decimal(CqlDecimal::from_signed_be_bytes_and_exponent(unscaled.clone(), *scale))
        }
        (Native::Uuid, Value::Uuid(bytes)) => CqlValue::Uuid(CqlTimeuuid::from_bytes(*bytes).into()),
        (Native::Timeuuid, Value::Uuid(bytes)) => CqlValue::Timeuuid(CqlTimeuuid::from_bytes(*bytes)),
        (Native::Inet, Value::Inet(address)) => CqlValue::Inet(*address),
        (Native::Duration, Value::Duration(value)) => {
            CqlValue::Duration(CqlDuration { months: value.months, days: value.days, nanoseconds: value.nanoseconds })
        }
        (native, value) => panic!("{native:?} {value:?}"),
    }
}
