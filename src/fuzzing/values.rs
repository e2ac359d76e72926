//! Any bytes as a cell of any type: what can be read is written, if a request can say it, and reads again as the same; and every value
//! of the type that a request can say is written and read.
//!
//! Input: by `arbitrary`: what to do, a type, then a cell or a value.

use alloc::sync::Arc;

use arbitrary::Unstructured;

use super::types::{any_cell, any_type, can_be_sent, same, trimmed};
use crate::value::{CqlType, Value, decode_value, encode_value};
use crate::wire::{Reader, Writer};

pub(super) fn run(data: &[u8]) -> usize {
    let mut u = Unstructured::new(data);
    let Ok(is_value) = u.arbitrary() else { return 0 };
    let Ok(ty) = any_type(&mut u, 5).map(Arc::new) else { return 0 };
    if is_value {
        if let Ok(value) = any_cell(&mut u, &ty) {
            written_and_read(&ty, &value);
        }
        return data.len();
    }
    let cell = u.take_rest();
    if let Ok(value) = decode_value(&ty, Some(cell)) {
        if let Value::Varint(bytes) = &value {
            assert_eq!(bytes, trimmed(cell));
        }
        if can_be_sent(&ty, &value, true) {
            written_and_read(&ty, &value);
        } else {
            assert!(encode_value(&ty, &value, &mut Writer::new()).is_err(), "{ty} {value:?}");
        }
    }
    data.len()
}

fn written_and_read(ty: &Arc<CqlType>, value: &Value) {
    let mut w = Writer::new();
    w.byte(0xee);
    encode_value(ty, value, &mut w).unwrap_or_else(|error| panic!("{error}: {ty} {value:?}"));
    let mut r = Reader::new(&w.as_slice()[1..]);
    let cell = r.bytes("cell").unwrap();
    assert_eq!(r.left(), 0);
    let again = decode_value(ty, cell).unwrap_or_else(|error| panic!("{error}, of what was written: {ty} {value:?}"));
    assert!(same(&again, value), "{ty} {value:?} {again:?}");
    let mut second = Writer::new();
    second.byte(0xee);
    encode_value(ty, &again, &mut second).unwrap();
    assert_eq!(second.as_slice(), w.as_slice(), "{ty} {value:?}");
}
