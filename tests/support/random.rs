//! Random types and values of them, for property tests.

use std::net::IpAddr;
use std::sync::Arc;

use cqlwire::spec::Native;
use cqlwire::value::{CqlType, Duration, Udt, Value};
use proptest::collection::vec;
use proptest::prelude::*;

use super::driver_json::twos_complement;

/// A type of at most four levels.
pub fn any_type() -> BoxedStrategy<Arc<CqlType>> {
    let leaf = prop_oneof![
        9 => proptest::sample::select(Native::ALL).prop_map(|native| Arc::new(CqlType::Native(native))),
        1 => Just(Arc::new(CqlType::Custom("com.example.Mine".into()))),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|element| CqlType::List(element).into()),
            inner.clone().prop_map(|element| CqlType::Set(element).into()),
            (inner.clone(), inner.clone()).prop_map(|(key, value)| CqlType::Map(key, value).into()),
            vec(inner.clone(), 0..4).prop_map(|items| CqlType::Tuple(items).into()),
            vec(inner.clone(), 1..4).prop_map(|fields| {
                let fields = fields.into_iter().enumerate().map(|(index, field)| (format!("f{index}"), field)).collect();
                CqlType::Udt(Udt { keyspace: "k".into(), name: "u".into(), fields }.into()).into()
            }),
            (inner, 1..5u32).prop_map(|(element, dimension)| CqlType::Vector(element, dimension).into()),
        ]
    })
    .boxed()
}

/// A cell of a type: null, zero bytes or a value.
pub fn any_cell(ty: &CqlType) -> BoxedStrategy<Value> {
    prop_oneof![1 => Just(Value::Null), 1 => empty(ty), 6 => any_value(ty)].boxed()
}

/// Zero bytes, where the type has no such value; else a value.
fn empty(ty: &CqlType) -> BoxedStrategy<Value> {
    if ty.has_empty_value() { any_value(ty) } else { Just(Value::Empty).boxed() }
}

fn list(elements: BoxedStrategy<Vec<Value>>) -> BoxedStrategy<Value> {
    elements.prop_map(Value::List).boxed()
}

fn any_value(ty: &CqlType) -> BoxedStrategy<Value> {
    match ty {
        CqlType::Native(native) => any_native(*native),
        CqlType::Custom(_) => vec(any::<u8>(), 0..6).prop_map(Value::Blob).boxed(),
        CqlType::List(element) | CqlType::Set(element) => list(vec(any_cell(element), 0..4).boxed()),
        CqlType::Map(key, value) => vec((any_cell(key), any_cell(value)), 0..4).prop_map(Value::Map).boxed(),
        // A tuple of nothing takes no bytes.
        CqlType::Tuple(items) if items.is_empty() => Just(Value::Empty).boxed(),
        CqlType::Tuple(items) => list(items.iter().map(|item| any_cell(item)).collect::<Vec<_>>().boxed()),
        CqlType::Udt(udt) => udt.fields.iter().map(|(_, field)| any_cell(field)).collect::<Vec<_>>().prop_map(Value::Udt).boxed(),
        CqlType::Vector(element, dimension) => {
            let varies = element.width_in_vector().is_none() && element.cell_size().is_none();
            let element = if varies { prop_oneof![1 => empty(element), 6 => any_value(element)].boxed() } else { any_value(element) };
            list(vec(element, *dimension as usize).boxed())
        }
    }
}

fn any_varint() -> BoxedStrategy<Vec<u8>> {
    prop_oneof![any::<i8>().prop_map(i128::from), any::<i64>().prop_map(i128::from), any::<i128>()]
        .prop_map(|number| twos_complement(&number.to_string()))
        .boxed()
}

fn any_native(native: Native) -> BoxedStrategy<Value> {
    match native {
        Native::Ascii => "[ -~]{0,9}".prop_map(Value::Text).boxed(),
        Native::Text => ".{0,6}".prop_map(Value::Text).boxed(),
        Native::Blob => vec(any::<u8>(), 0..9).prop_map(Value::Blob).boxed(),
        Native::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        Native::Tinyint => any::<i8>().prop_map(Value::Tinyint).boxed(),
        Native::Smallint => any::<i16>().prop_map(Value::Smallint).boxed(),
        Native::Int => any::<i32>().prop_map(Value::Int).boxed(),
        Native::Bigint | Native::Counter => any::<i64>().prop_map(Value::Bigint).boxed(),
        Native::Timestamp => any::<i64>().prop_map(Value::Timestamp).boxed(),
        Native::Date => any::<i32>().prop_map(Value::Date).boxed(),
        Native::Time => (0..86_400_000_000_000i64).prop_map(Value::Time).boxed(),
        Native::Float => proptest::num::f32::ANY.prop_map(Value::Float).boxed(),
        Native::Double => proptest::num::f64::ANY.prop_map(Value::Double).boxed(),
        Native::Varint => any_varint().prop_map(Value::Varint).boxed(),
        Native::Decimal => (any::<i32>(), any_varint()).prop_map(|(scale, unscaled)| Value::Decimal { scale, unscaled }).boxed(),
        Native::Uuid | Native::Timeuuid => any::<[u8; 16]>().prop_map(Value::Uuid).boxed(),
        Native::Inet => any::<IpAddr>().prop_map(Value::Inet).boxed(),
        Native::Duration => (any::<bool>(), 0..=i32::MAX, 0..=i32::MAX, 0..=i64::MAX)
            .prop_map(|(negative, months, days, nanoseconds)| {
                let sign = if negative { -1 } else { 1 };
                Value::Duration(Duration { months: sign * months, days: sign * days, nanoseconds: i64::from(sign) * nanoseconds })
            })
            .boxed(),
    }
}
