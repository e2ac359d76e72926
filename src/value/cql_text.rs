//! Types as CQL writes them, both ways: `map<text, frozen<list<int>>>`. Frozen is transparent: values do not differ.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::cql_type::{CqlType, TypeBudget};
use super::marshal;
use crate::spec::{Native, limit};
use crate::wire::{Error, ErrorKind, Result};

/// Reads a type. A user-defined type has no text form that says its fields, so its name is an error; a quoted marshal class name
/// (`'org.apache.cassandra.db.marshal.Int32Type'`) is taken as such.
pub fn parse_type(text: &str) -> Result<CqlType> {
    let mut cursor = Cursor { text, at: 0 };
    let ty = cursor.read(&mut TypeBudget::default())?;
    match cursor.rest().trim() {
        "" => Ok(ty),
        _ => Err(Error::new(ErrorKind::Trailing, "type", cursor.at)),
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn accept(&mut self, token: char) -> bool {
        self.skip_spaces();
        let next = self.rest().starts_with(token);
        self.at += if next { token.len_utf8() } else { 0 };
        next
    }

    fn expect(&mut self, token: char) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(Error::new(ErrorKind::BadValue, "type", self.at)) }
    }

    fn word(&mut self) -> &'a str {
        self.skip_spaces();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn read(&mut self, budget: &mut TypeBudget) -> Result<CqlType> {
        budget.spend(self.at, |budget| {
            if self.accept('\'') {
                let rest = self.rest();
                let end = rest.find('\'').ok_or(Error::new(ErrorKind::Truncated, "type", self.at))?;
                self.at += end + 1;
                return Ok(marshal::parse_class_within(&rest[..end], budget));
            }
            let start = self.at;
            let word = self.word().to_ascii_lowercase();
            let mut child = |c: &mut Cursor<'a>| c.read(budget).map(Arc::new);
            Ok(match word.as_str() {
                "frozen" => self.parameters(|c| c.read(budget))?,
                "list" => CqlType::List(self.parameters(child)?),
                "set" => CqlType::Set(self.parameters(child)?),
                "map" => self.parameters(|c| {
                    let key = child(c)?;
                    c.expect(',')?;
                    Ok(CqlType::Map(key, child(c)?))
                })?,
                "tuple" => self.parameters(|c| {
                    let mut items = Vec::new();
                    if !c.rest().trim_start().starts_with('>') {
                        items.push(child(c)?);
                    }
                    while c.accept(',') {
                        items.push(child(c)?);
                    }
                    Ok(CqlType::Tuple(items))
                })?,
                "vector" => self.parameters(|c| {
                    let element = child(c)?;
                    c.expect(',')?;
                    c.skip_spaces();
                    let at = c.at;
                    let bad = Error::new(ErrorKind::BadValue, "type.vector.dimension", at);
                    let dimension = c.word().parse::<u32>().map_err(|_| bad)?;
                    if dimension == 0 || dimension as usize > limit::VECTOR_DIMENSION {
                        return Err(bad);
                    }
                    let has_width = element.width_in_vector().is_some();
                    let vector = CqlType::Vector(element, dimension);
                    if has_width && vector.width_in_vector().is_none_or(|size| size > limit::FRAME_BODY) {
                        return Err(bad);
                    }
                    Ok(vector)
                })?,
                name => match Native::from_name(name) {
                    Some(native) => CqlType::Native(native),
                    None => return Err(Error::new(ErrorKind::BadValue, "type", start)),
                },
            })
        })
    }

    fn parameters<T>(&mut self, read: impl FnOnce(&mut Cursor<'a>) -> Result<T>) -> Result<T> {
        self.expect('<')?;
        let parameters = read(self)?;
        self.expect('>')?;
        Ok(parameters)
    }
}

impl fmt::Display for CqlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CqlType::Native(native) => f.write_str(native.name()),
            CqlType::Custom(class) => write!(f, "'{class}'"),
            CqlType::List(element) => write!(f, "list<{element}>"),
            CqlType::Set(element) => write!(f, "set<{element}>"),
            CqlType::Map(key, value) => write!(f, "map<{key}, {value}>"),
            CqlType::Vector(element, dimension) => write!(f, "vector<{element}, {dimension}>"),
            CqlType::Udt(udt) => write!(f, "{}.{}", udt.keyspace, udt.name),
            CqlType::Tuple(items) => {
                f.write_str("tuple<")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str(">")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn text_both_ways() {
        for text in
            ["int", "map<text, list<int>>", "tuple<int, vector<float, 3>>", "tuple<>", "'com.example.Mine'", "set<frozen<tuple<int>>>"]
        {
            assert_eq!(parse_type(text).unwrap().to_string(), text.replace("frozen<tuple<int>>", "tuple<int>"));
        }
        assert_eq!(parse_type(" MAP < varchar , frozen<list<INT>> > ").unwrap().to_string(), "map<text, list<int>>");
        for native in Native::ALL {
            assert_eq!(parse_type(native.name()), Ok(CqlType::Native(*native)));
        }
    }

    #[test]
    fn what_is_not_a_type() {
        for (text, at) in [
            ("", 0),
            ("integer", 0),
            ("list<int", 8),
            ("list int", 5),
            ("list<int>>", 9),
            ("vector<float>", 12),
            ("vector<float, 0>", 14),
            ("vector<float, x>", 14),
            ("map<int>", 7),
            ("'x", 1),
            ("list<é>", 5),
        ] {
            assert_eq!(parse_type(text).unwrap_err().at, at, "{text}");
        }
        assert_eq!(parse_type(&"list<".repeat(1_000_000)).unwrap_err().kind, ErrorKind::TooDeep);
    }
}
