//! Values of every type, nested, both ways.

use std::collections::BTreeSet;
use std::sync::Arc;

use cassandra_protocol::token::Murmur3Token;
use cqlwire::route::murmur3_token;
use cqlwire::value::{CqlType, Value, decode_value, encode_value};
use cqlwire::wire::Writer;
use proptest::prelude::*;

use crate::known::Gap;
use crate::support::random::{any_cell, any_type};
use crate::support::to_hex;
use crate::{cp_values as cp, for_each, sc_types, sc_values as sc};

const CASES: usize = 2000;

fn any_typed_cell() -> impl Strategy<Value = (Arc<CqlType>, Value)> {
    any_type().prop_flat_map(|ty| (Just(ty.clone()), any_cell(&ty)))
}

/// A cell as this crate writes it, with its length.
fn written(ty: &Arc<CqlType>, value: &Value) -> Vec<u8> {
    let mut w = Writer::new();
    encode_value(ty, value, &mut w).unwrap_or_else(|error| panic!("{error}: {ty:?} {value:?}"));
    w.into_bytes()
}

fn content(cell: &[u8]) -> Option<&[u8]> {
    (cell[..4] != [0xff; 4]).then(|| &cell[4..])
}

/// As text, in which a NaN is equal to itself.
fn shown<T: std::fmt::Debug>(value: &T) -> String {
    format!("{value:?}")
}

#[test]
fn scylla_cql_writes_and_reads_our_values() {
    let mut gaps = BTreeSet::new();
    let (mut compared, mut natives) = (0, BTreeSet::new());
    for_each(CASES, any_typed_cell(), |(ty, value)| {
        let theirs = match sc::cell(&ty, &value) {
            Ok(theirs) => theirs,
            Err(gap) => {
                gaps.insert(gap);
                return;
            }
        };
        let Some(their_type) = sc_types::column_type(&ty) else { return };
        let ours = written(&ty, &value);
        let wrote = sc::write(&their_type, &theirs);
        assert_eq!(to_hex(&wrote), to_hex(&ours), "{ty:?} {value:?}");
        match sc::read_gap(&ty, &value) {
            None => assert_eq!(shown(&sc::read(&their_type, content(&ours))), shown(&theirs), "{ty:?} {value:?}"),
            Some(gap) => _ = gaps.insert(gap),
        }
        assert_eq!(shown(&decode_value(&ty, content(&wrote)).unwrap()), shown(&value), "{ty:?}");
        compared += 1;
        if let CqlType::Native(native) = &*ty {
            natives.insert(*native);
        }
    });
    assert!(compared > CASES / 2 && natives.len() == 20, "{compared} {natives:?}");
    assert_eq!(gaps, BTreeSet::from([Gap::ScUnknownClass, Gap::ScEmptyRefused, Gap::ScNullElement, Gap::ScEmptyInVector]));
}

#[test]
fn cassandra_protocol_has_our_tokens() {
    let mut gaps = BTreeSet::new();
    for_each(CASES, proptest::collection::vec(any::<u8>(), 0..80), |key| {
        let (ours, theirs) = (murmur3_token(&key), Murmur3Token::generate(&key).value);
        if key.is_empty() {
            gaps.insert(Gap::CpEmptyKey);
            assert_eq!(ours, i64::MIN);
        } else {
            assert_eq!(ours, theirs, "{key:02x?}");
        }
    });
    assert_eq!(gaps, BTreeSet::from([Gap::CpEmptyKey]));
}

#[test]
fn cassandra_protocol_reads_our_values_and_writes_some() {
    let mut gaps = BTreeSet::new();
    let (mut reads, mut writes) = (0, 0);
    for_each(CASES, any_typed_cell(), |(ty, value)| {
        let ours = written(&ty, &value);
        match cp::read(&ty, &value, content(&ours)) {
            Ok(theirs) => {
                assert!(cp::is_same(&ty, &value, &theirs), "{ty:?} {value:?} {theirs:?}");
                reads += 1;
            }
            Err(gap) => _ = gaps.insert(gap),
        }
        match cp::write(&ty, &value) {
            Ok(theirs) => {
                assert_eq!(to_hex(&theirs), to_hex(&ours[4..]), "{ty:?} {value:?}");
                assert_eq!(shown(&decode_value(&ty, Some(&theirs)).unwrap()), shown(&value), "{ty:?}");
                writes += 1;
            }
            Err(gap) => _ = gaps.insert(gap),
        }
    });
    assert!(reads > CASES / 3 && writes > CASES / 8, "{reads} {writes}");
    let expected = [Gap::CpDuration, Gap::CpVectors, Gap::CpClassNames, Gap::CpEmpty, Gap::CpNullElement, Gap::CpWritesNoNested];
    assert_eq!(gaps, BTreeSet::from(expected));
}
