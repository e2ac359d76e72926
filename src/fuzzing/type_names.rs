//! Any text as a type, in CQL's notation and as a marshal class name. What can be read is written so that it reads again as the same.
//!
//! Input: the text.

use alloc::string::ToString;
use alloc::sync::Arc;

use super::PLAIN;
use crate::spec::limit;
use crate::value::{CqlType, TypeBudget, parse_class, parse_type};
use crate::wire::{Reader, Writer};

pub(super) fn run(data: &[u8]) -> usize {
    let Ok(text) = core::str::from_utf8(data) else { return 0 };
    if let Ok(ty) = parse_type(text) {
        in_cql_again(&ty);
    }
    let ty = parse_class(text);
    in_cql_again(&ty);
    if text.len() <= usize::from(u16::MAX) {
        in_metadata_again(&ty);
    }
    data.len()
}

fn in_cql_again(ty: &CqlType) {
    if has_cql_text(ty) {
        let written = ty.to_string();
        assert_eq!(parse_type(&written).as_ref(), Ok(ty), "{written}");
    }
}

/// A user-defined type is written by its name alone; a quote inside a class name has no form in CQL.
fn has_cql_text(ty: &CqlType) -> bool {
    match ty {
        CqlType::Native(_) => true,
        CqlType::Custom(class) => !class.contains('\''),
        CqlType::Udt(_) => false,
        CqlType::List(element) | CqlType::Set(element) | CqlType::Vector(element, _) => has_cql_text(element),
        CqlType::Map(key, value) => has_cql_text(key) && has_cql_text(value),
        CqlType::Tuple(items) => items.iter().all(|item| has_cql_text(item)),
    }
}

/// As the `[option]` of a column, and inside a vector, whose class name has the names of all that it holds.
fn in_metadata_again(ty: &CqlType) {
    written_again(ty);
    let is_whole_name = matches!(ty, CqlType::Custom(_)); // also a malformed one, which stands for itself alone
    if !is_whole_name && depth(ty) < limit::TYPE_NESTING {
        written_again(&CqlType::Vector(Arc::new(ty.clone()), 1));
    }
}

fn written_again(ty: &CqlType) {
    for dialect in PLAIN {
        let mut w = Writer::new();
        if ty.write(&mut w, dialect).is_err() {
            continue; // longer than the text was: servers write short names too
        }
        let mut r = Reader::new(w.as_slice());
        let again = CqlType::read(&mut r, &mut TypeBudget::default());
        assert_eq!((again.as_ref(), r.left()), (Ok(ty), 0), "{dialect:?} {:?}", alloc::string::String::from_utf8_lossy(w.as_slice()));
    }
}

fn depth(ty: &CqlType) -> usize {
    1 + match ty {
        CqlType::Native(_) | CqlType::Custom(_) => 0,
        CqlType::List(element) | CqlType::Set(element) | CqlType::Vector(element, _) => depth(element),
        CqlType::Map(key, value) => depth(key).max(depth(value)),
        CqlType::Tuple(items) => items.iter().map(|item| depth(item)).max().unwrap_or(0),
        CqlType::Udt(udt) => udt.fields.iter().map(|(_, field)| depth(field)).max().unwrap_or(0),
    }
}
