//! Types as `scylla-cql` has them.

use std::sync::Arc;

use cqlwire::spec::Native;
use cqlwire::value::CqlType;
use scylla_cql::frame::response::result::{CollectionType, ColumnType, NativeType, UserDefinedType};

/// The same type; `None` for a class that neither knows.
pub fn column_type(ty: &CqlType) -> Option<ColumnType<'static>> {
    let boxed = |ty: &CqlType| column_type(ty).map(Box::new);
    let collection = |typ| ColumnType::Collection { frozen: false, typ };
    Some(match ty {
        CqlType::Native(native) => ColumnType::Native(native_type(*native)),
        CqlType::List(element) => collection(CollectionType::List(boxed(element)?)),
        CqlType::Set(element) => collection(CollectionType::Set(boxed(element)?)),
        CqlType::Map(key, value) => collection(CollectionType::Map(boxed(key)?, boxed(value)?)),
        CqlType::Tuple(items) => ColumnType::Tuple(items.iter().map(|item| column_type(item)).collect::<Option<_>>()?),
        CqlType::Vector(element, dimension) => ColumnType::Vector { typ: boxed(element)?, dimensions: u16::try_from(*dimension).ok()? },
        CqlType::Udt(udt) => {
            let field = |(name, ty): &(String, Arc<CqlType>)| Some((name.clone().into(), column_type(ty)?));
            let field_types = udt.fields.iter().map(field).collect::<Option<_>>()?;
            let definition = UserDefinedType { name: udt.name.clone().into(), keyspace: udt.keyspace.clone().into(), field_types };
            ColumnType::UserDefinedType { frozen: false, definition: definition.into() }
        }
        CqlType::Custom(_) => return None,
    })
}

/// A type without what is frozen, which codes do not say and class names do.
pub fn thawed(ty: &ColumnType<'_>) -> ColumnType<'static> {
    let boxed = |ty: &ColumnType<'_>| Box::new(thawed(ty));
    let collection = |typ| ColumnType::Collection { frozen: false, typ };
    match ty {
        ColumnType::Native(native) => ColumnType::Native(native.clone()),
        ColumnType::Collection { typ: CollectionType::List(element), .. } => collection(CollectionType::List(boxed(element))),
        ColumnType::Collection { typ: CollectionType::Set(element), .. } => collection(CollectionType::Set(boxed(element))),
        ColumnType::Collection { typ: CollectionType::Map(key, value), .. } => collection(CollectionType::Map(boxed(key), boxed(value))),
        ColumnType::Tuple(items) => ColumnType::Tuple(items.iter().map(thawed).collect()),
        ColumnType::Vector { typ, dimensions } => ColumnType::Vector { typ: boxed(typ), dimensions: *dimensions },
        ColumnType::UserDefinedType { definition, .. } => {
            let field = |(name, ty): &(std::borrow::Cow<'_, str>, ColumnType<'_>)| (name.clone().into_owned().into(), thawed(ty));
            let definition = UserDefinedType {
                name: definition.name.clone().into_owned().into(),
                keyspace: definition.keyspace.clone().into_owned().into(),
                field_types: definition.field_types.iter().map(field).collect(),
            };
            ColumnType::UserDefinedType { frozen: false, definition: definition.into() }
        }
        other => panic!("a type it has learnt: {other:?}"),
    }
}

fn native_type(native: Native) -> NativeType {
    match native {
        Native::Ascii => NativeType::Ascii,
        Native::Bigint => NativeType::BigInt,
        Native::Blob => NativeType::Blob,
        Native::Boolean => NativeType::Boolean,
        Native::Counter => NativeType::Counter,
        Native::Decimal => NativeType::Decimal,
        Native::Double => NativeType::Double,
        Native::Float => NativeType::Float,
        Native::Int => NativeType::Int,
        Native::Timestamp => NativeType::Timestamp,
        Native::Uuid => NativeType::Uuid,
        Native::Text => NativeType::Text,
        Native::Varint => NativeType::Varint,
        Native::Timeuuid => NativeType::Timeuuid,
        Native::Inet => NativeType::Inet,
        Native::Date => NativeType::Date,
        Native::Time => NativeType::Time,
        Native::Smallint => NativeType::SmallInt,
        Native::Tinyint => NativeType::TinyInt,
        Native::Duration => NativeType::Duration,
    }
}
