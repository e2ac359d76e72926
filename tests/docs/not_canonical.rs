//! The rows of "What is not canonical" that have bytes: read, and written again.

use cqlwire::message::{Request, Response};
use cqlwire::spec::{Dialect, Opcode};
use cqlwire::value::{decode_value, encode_value};
use cqlwire::wire::{Reader, Result, Writer};

use crate::support::{hex, to_hex, ty};
use crate::{dialect, quoted, tables};

const OPCODES: [Opcode; 10] = [
    Opcode::Ready,
    Opcode::Authenticate,
    Opcode::Supported,
    Opcode::Error,
    Opcode::Result,
    Opcode::Event,
    Opcode::AuthSuccess,
    Opcode::Query,
    Opcode::Prepare,
    Opcode::Batch,
];

fn message(opcode: Opcode, body: &[u8], dialect: Dialect) -> Result<Vec<u8>> {
    let (mut r, mut w) = (Reader::new(body), Writer::new());
    match opcode.is_response() {
        true => Response::decode(opcode, &mut r, dialect)?.encode(&mut w, dialect)?,
        false => Request::decode(opcode, &mut r, dialect)?.encode(&mut w, dialect)?,
    }
    Ok(w.into_bytes())
}

fn cell(name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut w = Writer::new();
    encode_value(&ty(name), &decode_value(&ty(name), Some(bytes))?, &mut w)?;
    Ok(w.as_slice()[4..].to_vec())
}

#[test]
fn what_is_not_canonical() {
    let tables = tables();
    // The second table, of frames and segments, has four columns.
    let rows: Vec<_> = tables["What is not canonical"].iter().filter(|row| row.len() == 5 && row[1] != "read").collect();
    assert!(rows.len() > 40);
    for row in rows {
        let [what, on, bytes, again, _] = row[..] else { panic!("{row:?}") };
        let results: Vec<Result<Vec<u8>>> = match quoted(on) {
            Some(name) => vec![cell(name, &hex(bytes))],
            None => {
                let (letters, name) = on.split_once(' ').unwrap();
                let opcode = *OPCODES.iter().find(|opcode| opcode.name() == name).unwrap_or_else(|| panic!("{on}"));
                letters.chars().map(|letter| message(opcode, &hex(bytes), dialect(letter))).collect()
            }
        };
        for result in results {
            match result {
                Ok(written) => assert_eq!(to_hex(&written), to_hex(&hex(again)), "{what} {on} {bytes}"),
                Err(error) => assert_eq!(format!("{:?}", error.kind), again, "{what} {on} {bytes}"),
            }
        }
    }
}

#[test]
fn its_cases_exist() {
    let cases = include_str!("../protocol_cases/main.rs");
    let tables = tables();
    let named =
        tables["What is not canonical"].iter().filter(|row| !row[0].starts_with("what")).flat_map(|row| row.last().unwrap().split(", "));
    for case in named.filter(|case| !case.is_empty()) {
        assert!(cases.contains(&format!("(\"{case}\", \"r")), "{case}");
    }
}
