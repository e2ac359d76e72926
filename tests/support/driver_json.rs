//! The JSON beside the recordings, which says what the driver sent and decoded, as this crate's types. Written from the format's
//! description (`testdata/sessions/README.md`), not with the codec.

use cqlwire::message::error::{ErrorDetail, Failures};
use cqlwire::message::{ErrorMessage, SchemaChange};
use cqlwire::spec::Native;
use cqlwire::value::{CqlType, Duration, Value};
use serde_json::{Map, Value as Json, json};

use super::{hex, to_hex};

/// A type as the JSON names it: a user-defined one with `udt ` before it.
pub fn type_name(ty: &CqlType) -> String {
    match ty {
        CqlType::Udt(udt) => format!("udt {}.{}", udt.keyspace, udt.name),
        CqlType::List(element) => format!("list<{}>", type_name(element)),
        CqlType::Set(element) => format!("set<{}>", type_name(element)),
        CqlType::Map(key, value) => format!("map<{}, {}>", type_name(key), type_name(value)),
        CqlType::Tuple(items) => format!("tuple<{}>", items.iter().map(|item| type_name(item)).collect::<Vec<_>>().join(", ")),
        CqlType::Vector(element, dimension) => format!("vector<{}, {dimension}>", type_name(element)),
        CqlType::Native(native) => native.name().into(),
        CqlType::Custom(name) => name.to_string(),
    }
}

/// The user-defined types inside a type, with their fields.
pub fn udts(ty: &CqlType, into: &mut Map<String, Json>) {
    match ty {
        CqlType::Udt(udt) => {
            let fields: Map<_, _> = udt.fields.iter().map(|(name, field)| (name.clone(), type_name(field).into())).collect();
            into.insert(type_name(ty), fields.into());
            udt.fields.iter().for_each(|(_, field)| udts(field, into));
        }
        CqlType::List(element) | CqlType::Set(element) | CqlType::Vector(element, _) => udts(element, into),
        CqlType::Map(key, value) => {
            udts(key, into);
            udts(value, into);
        }
        CqlType::Tuple(items) => items.iter().for_each(|item| udts(item, into)),
        CqlType::Native(_) | CqlType::Custom(_) => {}
    }
}

/// A tagged value: `{"int":5}`, `null`, `{"unset":true}`.
pub fn tagged(ty: &CqlType, json: &Json) -> Value {
    let Json::Object(object) = json else {
        assert!(json.is_null(), "not a tagged value: {json}");
        return Value::Null;
    };
    let (tag, content) = object.iter().next().unwrap();
    if tag == "unset" {
        return Value::Unset;
    }
    assert_eq!(*tag, type_name(ty), "the tag is the type");
    plain(ty, content)
}

/// A value whose type is said elsewhere.
fn plain(ty: &CqlType, json: &Json) -> Value {
    if json.is_null() {
        return Value::Null;
    }
    if json.get("empty") == Some(&json!(true)) {
        return Value::Empty;
    }
    let text = || json.as_str().unwrap_or_else(|| panic!("not text: {json}"));
    let whole = || json.as_i64().unwrap_or_else(|| text().parse().unwrap());
    let list = || json.as_array().unwrap().iter();
    match ty {
        CqlType::Custom(_) => Value::Blob(hex(text())),
        CqlType::List(element) | CqlType::Set(element) | CqlType::Vector(element, _) => {
            Value::List(list().map(|item| plain(element, item)).collect())
        }
        CqlType::Map(key, value) => Value::Map(list().map(|entry| (plain(key, &entry[0]), plain(value, &entry[1]))).collect()),
        CqlType::Tuple(items) => Value::List(items.iter().zip(list()).map(|(item, json)| tagged(item, json)).collect()),
        CqlType::Udt(udt) => Value::Udt(udt.fields.iter().map(|(name, field)| tagged(field, &json[name])).collect()),
        CqlType::Native(native) => match native {
            Native::Ascii | Native::Text => Value::Text(text().into()),
            Native::Blob => Value::Blob(hex(text())),
            Native::Boolean => Value::Boolean(json.as_bool().unwrap()),
            Native::Tinyint => Value::Tinyint(whole().try_into().unwrap()),
            Native::Smallint => Value::Smallint(whole().try_into().unwrap()),
            Native::Int => Value::Int(whole().try_into().unwrap()),
            Native::Bigint | Native::Counter => Value::Bigint(whole()),
            Native::Timestamp => Value::Timestamp(whole()),
            Native::Date => Value::Date(whole().try_into().unwrap()),
            Native::Time => Value::Time(whole()),
            Native::Float => Value::Float(text().parse::<f64>().unwrap() as f32),
            Native::Double => Value::Double(text().parse().unwrap()),
            Native::Varint => Value::Varint(twos_complement(text())),
            Native::Decimal => {
                let (unscaled, exponent) = text().split_once('E').unwrap();
                Value::Decimal { scale: -exponent.parse::<i32>().unwrap(), unscaled: twos_complement(unscaled) }
            }
            Native::Uuid | Native::Timeuuid => Value::Uuid(hex(&text().replace('-', "")).try_into().unwrap()),
            Native::Inet => Value::Inet(text().parse().unwrap()),
            Native::Duration => {
                let part = |name: &str| json[name].as_i64().unwrap_or_else(|| json[name].as_str().unwrap().parse().unwrap());
                Value::Duration(Duration { months: part("months") as i32, days: part("days") as i32, nanoseconds: part("nanoseconds") })
            }
        },
    }
}

/// A decimal number of any size as two's complement in as few bytes as it takes.
pub fn twos_complement(decimal: &str) -> Vec<u8> {
    let (negative, digits) = decimal.strip_prefix('-').map_or((false, decimal), |digits| (true, digits));
    let mut bytes = vec![0u8]; // little-endian, with room for the sign
    for digit in digits.bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in &mut bytes {
            let sum = u32::from(*byte) * 10 + carry;
            (*byte, carry) = (sum as u8, sum >> 8);
        }
        if *bytes.last().unwrap() != 0 {
            bytes.push(0);
        }
    }
    if negative {
        let mut carry = true;
        bytes.iter_mut().for_each(|byte| (*byte, carry) = (!*byte).overflowing_add(u8::from(carry)));
    }
    while let [.., second, last] = bytes[..]
        && last == if second < 0x80 { 0 } else { 0xff }
    {
        bytes.pop();
    }
    bytes.reverse();
    bytes
}

/// Equal: floats by their bits, any NaN being a NaN; the order of a set has no meaning.
pub fn same(ty: &CqlType, a: &Value, b: &Value) -> bool {
    match (ty, a, b) {
        (_, Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (_, Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (CqlType::Set(element), Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same(element, a, b)))
        }
        (CqlType::List(element) | CqlType::Vector(element, _), Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(element, a, b))
        }
        (CqlType::Tuple(items), Value::List(a), Value::List(b)) => {
            a.len() == b.len() && items.iter().zip(a.iter().zip(b)).all(|(item, (a, b))| same(item, a, b))
        }
        (CqlType::Udt(udt), Value::Udt(a), Value::Udt(b)) => {
            a.len() == b.len() && udt.fields.iter().zip(a.iter().zip(b)).all(|((_, field), (a, b))| same(field, a, b))
        }
        (CqlType::Map(key, value), Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(key, &a.0, &b.0) && same(value, &a.1, &b.1))
        }
        _ => a == b,
    }
}

/// An error as the driver told it.
pub fn error(error: &ErrorMessage<'_>) -> Json {
    let mut json = json!({ "error": error.name(), "code": error.code, "message": error.message });
    let with_failures = |mut info: Json, failures: &Failures| {
        let map: Map<_, _> = failures.reasons.iter().map(|(address, code)| (address.to_string(), (*code).into())).collect();
        info["failures"] = failures.count.into();
        info["error_code_map"] = if map.is_empty() { Json::Null } else { map.into() };
        info
    };
    let write_types = ["SIMPLE", "BATCH", "UNLOGGED_BATCH", "COUNTER", "BATCH_LOG", "CAS", "VIEW", "CDC"];
    let write_type = |name: &str| json!(write_types.iter().position(|known| *known == name));
    let counts = |consistency: cqlwire::spec::Consistency, received: i32, block_for: i32| json!({ "consistency": consistency.0, "received_responses": received, "required_responses": block_for });
    json["info"] = match &error.detail {
        ErrorDetail::Unavailable { consistency, required, alive } => {
            json!({ "consistency": consistency.0, "required_replicas": required, "alive_replicas": alive })
        }
        ErrorDetail::WriteTimeout { consistency, received, block_for, write_type: name, .. } => {
            let mut info = counts(*consistency, *received, *block_for);
            info["write_type"] = write_type(name);
            info
        }
        ErrorDetail::ReadTimeout { consistency, received, block_for, data_present } => {
            let mut info = counts(*consistency, *received, *block_for);
            info["data_retrieved"] = (*data_present).into();
            info
        }
        ErrorDetail::ReadFailure { consistency, received, block_for, failures, data_present } => {
            let mut info = with_failures(counts(*consistency, *received, *block_for), failures);
            info["data_retrieved"] = (*data_present).into();
            info
        }
        ErrorDetail::WriteFailure { consistency, received, block_for, failures, write_type: name } => {
            let mut info = with_failures(counts(*consistency, *received, *block_for), failures);
            info["write_type"] = write_type(name);
            info
        }
        ErrorDetail::FunctionFailure { keyspace, function, argument_types } => {
            json!({ "keyspace": keyspace, "function": function, "arg_types": argument_types })
        }
        ErrorDetail::CasWriteUnknown { consistency, received, block_for } => counts(*consistency, *received, *block_for),
        ErrorDetail::AlreadyExists { keyspace, table } => json!({ "keyspace": keyspace, "table": table }),
        ErrorDetail::Unprepared { statement_id } => json!({ "id": to_hex(statement_id) }),
        ErrorDetail::RateLimit { .. } => unreachable!("the sessions are of Cassandra"),
        ErrorDetail::None {} => Json::Null,
    };
    json
}

/// A schema change as the driver told it.
pub fn schema_change(change: &SchemaChange<'_>) -> Json {
    let mut json = json!({ "target_type": change.target, "change_type": change.change_type, "keyspace": change.keyspace });
    if let Some(name) = change.name {
        json[change.target.to_lowercase()] = match &change.argument_types {
            None => name.into(),
            Some(types) => json!({ "name": name, "argument_types": types }),
        };
    }
    json
}
