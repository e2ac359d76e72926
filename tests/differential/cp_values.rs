//! Values as `cassandra-protocol` has them. It reads any type, and writes natives and lists of what it writes.

use cassandra_protocol::frame::message_result::{CTuple, CUdt, ColType, ColTypeOption, ColTypeOptionValue};
use cassandra_protocol::frame::{Serialize, Version};
use cassandra_protocol::types::CBytes;
use cassandra_protocol::types::blob::Blob;
use cassandra_protocol::types::cassandra_type::{CassandraType, wrapper_fn};
use cassandra_protocol::types::data_serialization_types::{decode_decimal, decode_timeuuid, decode_varint};
use cassandra_protocol::types::value::Bytes;
use cqlwire::spec::Native;
use cqlwire::value::{CqlType, Value};

use crate::known::Gap;

/// The same type.
fn column_type(ty: &CqlType) -> Result<ColTypeOption, Gap> {
    let boxed = |ty: &CqlType| column_type(ty).map(Box::new);
    let (id, value) = match ty {
        CqlType::Native(Native::Duration) => return Err(Gap::CpDuration),
        CqlType::Native(native) => (ColType::try_from(*native as u16 as i16).unwrap(), None),
        CqlType::List(element) => (ColType::List, Some(ColTypeOptionValue::CList(boxed(element)?))),
        CqlType::Set(element) => (ColType::Set, Some(ColTypeOptionValue::CSet(boxed(element)?))),
        CqlType::Map(key, value) => (ColType::Map, Some(ColTypeOptionValue::CMap(boxed(key)?, boxed(value)?))),
        CqlType::Tuple(items) => {
            let types = items.iter().map(|item| column_type(item)).collect::<Result<_, _>>()?;
            (ColType::Tuple, Some(ColTypeOptionValue::TupleType(CTuple { types })))
        }
        CqlType::Udt(udt) => {
            let descriptions = udt.fields.iter().map(|(name, ty)| Ok((name.clone(), column_type(ty)?))).collect::<Result<_, _>>()?;
            let udt = CUdt { ks: udt.keyspace.clone(), udt_name: udt.name.clone(), descriptions };
            (ColType::Udt, Some(ColTypeOptionValue::UdtType(udt)))
        }
        CqlType::Vector(element, dimension) if **element == CqlType::Native(Native::Float) => {
            let class = format!("org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , {dimension})");
            (ColType::Custom, Some(ColTypeOptionValue::CString(class)))
        }
        CqlType::Vector(..) => return Err(Gap::CpVectors),
        CqlType::Custom(_) => return Err(Gap::CpClassNames),
    };
    Ok(ColTypeOption { id, value })
}

/// What it reads from a cell's content.
pub fn read(ty: &CqlType, value: &Value, content: Option<&[u8]>) -> Result<CassandraType, Gap> {
    let ty = column_type(ty)?;
    if has_empty(value) {
        return Err(Gap::CpEmpty);
    }
    let content = content.map_or_else(CBytes::new_null, |content| CBytes::new(content.into()));
    let read = wrapper_fn(&ty.id)(&content, &ty, Version::V4);
    Ok(read.unwrap_or_else(|error| panic!("{error}: {ty:?} {value:?}")))
}

fn has_empty(value: &Value) -> bool {
    match value {
        Value::Empty => true,
        Value::List(values) | Value::Udt(values) => values.iter().any(has_empty),
        Value::Map(entries) => entries.iter().any(|(key, value)| has_empty(key) || has_empty(value)),
        _ => false,
    }
}

/// True where what it read is the value. A NaN is another's NaN.
pub fn is_same(ty: &CqlType, ours: &Value, theirs: &CassandraType) -> bool {
    let all = |ty: &CqlType, ours: &[Value], theirs: &[CassandraType]| {
        ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_same(ty, ours, theirs))
    };
    match (ty, ours, theirs) {
        (_, Value::Null, CassandraType::Null) => true,
        (_, Value::Text(ours), CassandraType::Ascii(theirs) | CassandraType::Varchar(theirs)) => ours == theirs,
        (_, Value::Blob(ours), CassandraType::Blob(theirs)) => *ours == theirs.clone().into_vec(),
        (_, Value::Boolean(ours), CassandraType::Boolean(theirs)) => ours == theirs,
        (_, Value::Tinyint(ours), CassandraType::Tinyint(theirs)) => ours == theirs,
        (_, Value::Smallint(ours), CassandraType::Smallint(theirs)) => ours == theirs,
        (_, Value::Int(ours), CassandraType::Int(theirs)) => ours == theirs,
        (_, Value::Bigint(ours), CassandraType::Bigint(theirs) | CassandraType::Counter(theirs)) => ours == theirs,
        (_, Value::Timestamp(ours), CassandraType::Timestamp(theirs)) => ours == theirs,
        (_, Value::Time(ours), CassandraType::Time(theirs)) => ours == theirs,
        // It gives the number as it is on the wire, where 1970 is 2³¹.
        (_, Value::Date(ours), CassandraType::Date(theirs)) => *ours == theirs.wrapping_add(i32::MIN),
        (_, Value::Float(ours), CassandraType::Float(theirs)) => ours == theirs || ours.is_nan() && theirs.is_nan(),
        (_, Value::Double(ours), CassandraType::Double(theirs)) => ours == theirs || ours.is_nan() && theirs.is_nan(),
        (_, Value::Varint(ours), CassandraType::Varint(theirs)) => *ours == theirs.to_signed_bytes_be(),
        (_, Value::Decimal { scale, unscaled }, CassandraType::Decimal(theirs)) => {
            (*scale, unscaled) == (theirs.scale, &theirs.unscaled.to_signed_bytes_be())
        }
        (_, Value::Uuid(ours), CassandraType::Uuid(theirs) | CassandraType::Timeuuid(theirs)) => ours == theirs.as_bytes(),
        (_, Value::Inet(ours), CassandraType::Inet(theirs)) => ours == theirs,
        (CqlType::List(element) | CqlType::Set(element), Value::List(ours), CassandraType::List(theirs)) => all(element, ours, theirs),
        (CqlType::Vector(element, _), Value::List(ours), CassandraType::Vector(theirs)) => all(element, ours, theirs),
        (CqlType::Map(key_type, value_type), Value::Map(ours), CassandraType::Map(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|((key, value), (their_key, their_value))| {
                    is_same(key_type, key, their_key) && is_same(value_type, value, their_value)
                })
        }
        (CqlType::Tuple(types), Value::List(ours), CassandraType::Tuple(theirs)) => {
            types.len() == theirs.len() && types.iter().zip(ours).zip(theirs).all(|((ty, ours), theirs)| is_same(ty, ours, theirs))
        }
        (CqlType::Udt(udt), Value::Udt(ours), CassandraType::Udt(theirs)) => {
            let mut fields = udt.fields.iter().zip(ours);
            udt.fields.len() == theirs.len() && fields.all(|((name, ty), ours)| is_same(ty, ours, &theirs[name]))
        }
        _ => false,
    }
}

/// A cell's content as it writes it.
pub fn write(ty: &CqlType, value: &Value) -> Result<Vec<u8>, Gap> {
    column_type(ty)?;
    content(ty, value).map(Bytes::into_inner)
}

fn content(ty: &CqlType, value: &Value) -> Result<Bytes, Gap> {
    Ok(match (ty, value) {
        (CqlType::List(element) | CqlType::Set(element), Value::List(values)) => {
            values.iter().map(|value| content(element, value)).collect::<Result<Vec<Bytes>, _>>()?.into()
        }
        (CqlType::Native(_), value) => match value {
            Value::Null => return Err(Gap::CpNullElement),
            Value::Empty => return Err(Gap::CpEmpty),
            Value::Text(text) => text.as_str().into(),
            Value::Blob(bytes) => Blob::new(bytes.clone()).into(),
            Value::Boolean(value) => (*value).into(),
            Value::Tinyint(value) => (*value).into(),
            Value::Smallint(value) => (*value).into(),
            Value::Int(value) => (*value).into(),
            Value::Bigint(value) | Value::Timestamp(value) | Value::Time(value) => (*value).into(),
            Value::Date(days) => days.wrapping_sub(i32::MIN).into(),
            Value::Float(value) => (*value).into(),
            Value::Double(value) => (*value).into(),
            Value::Varint(bytes) => decode_varint(bytes).unwrap().into(),
            Value::Decimal { scale, unscaled } => {
                let decimal = decode_decimal(&[&scale.to_be_bytes(), &unscaled[..]].concat()).unwrap();
                assert_eq!((decimal.scale, decimal.unscaled.serialize_to_vec(Version::V4)), (*scale, unscaled.clone()));
                decimal.into()
            }
            Value::Uuid(bytes) => decode_timeuuid(bytes).unwrap().into(),
            Value::Inet(address) => (*address).into(),
            other => panic!("{other:?}"),
        },
        (CqlType::List(_) | CqlType::Set(_), Value::Null) => return Err(Gap::CpNullElement),
        _ => return Err(Gap::CpWritesNoNested),
    })
}
