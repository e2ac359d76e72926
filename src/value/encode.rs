//! [`Value`] → bytes, by way of the [`Binder`]: there is one writer of values.

use super::{Binder, CqlType, Value};
use crate::wire::{Result, Writer};
use alloc::sync::Arc;

/// Appends `value` as a `[value]`: its length and its bytes. On an error nothing is appended.
///
/// ```
/// use cqlwire::value::{Value, encode_value, parse_type};
/// use cqlwire::wire::Writer;
///
/// let mut w = Writer::new();
/// encode_value(&parse_type("int")?.into(), &Value::Int(7), &mut w)?;
/// assert_eq!(w.as_slice(), [0, 0, 0, 4, 0, 0, 0, 7]);
/// # Ok::<(), cqlwire::wire::Error>(())
/// ```
pub fn encode_value(ty: &Arc<CqlType>, value: &Value, w: &mut Writer) -> Result<()> {
    let start = w.len();
    let mut binder = Binder::new();
    binder.start(ty.clone());
    let result = put(&mut binder, w, value);
    if result.is_err() {
        w.truncate(start);
    }
    result
}

fn put(binder: &mut Binder, w: &mut Writer, value: &Value) -> Result<()> {
    match value {
        Value::Null => binder.null(w),
        Value::Unset => binder.unset(w),
        Value::Empty => binder.empty(w),
        Value::Boolean(value) => binder.boolean(w, *value),
        Value::Tinyint(value) => binder.int64(w, i64::from(*value)),
        Value::Smallint(value) => binder.int64(w, i64::from(*value)),
        Value::Int(value) => binder.int64(w, i64::from(*value)),
        Value::Bigint(value) | Value::Timestamp(value) => binder.int64(w, *value),
        Value::Date(days) => binder.days(w, *days),
        Value::Time(nanoseconds) => binder.nanoseconds(w, *nanoseconds),
        Value::Float(value) => binder.number(w, f64::from(*value)),
        Value::Double(value) => binder.number(w, *value),
        Value::Text(text) => binder.text(w, text),
        Value::Blob(bytes) => binder.bytes(w, bytes),
        Value::Varint(bytes) => binder.varint(w, bytes),
        Value::Decimal { scale, unscaled } => binder.decimal(w, *scale, unscaled),
        Value::Uuid(bytes) => binder.bytes(w, bytes),
        Value::Inet(core::net::IpAddr::V4(address)) => binder.bytes(w, &address.octets()),
        Value::Inet(core::net::IpAddr::V6(address)) => binder.bytes(w, &address.octets()),
        Value::Duration(duration) => binder.duration(w, *duration),
        Value::List(values) | Value::Udt(values) => {
            binder.begin(w, values.len())?;
            values.iter().try_for_each(|value| put(binder, w, value))?;
            binder.end(w)
        }
        Value::Map(entries) => {
            binder.begin(w, entries.len())?;
            entries.iter().try_for_each(|(key, value)| {
                put(binder, w, key)?;
                put(binder, w, value)
            })?;
            binder.end(w)
        }
    }
}
