//! Types as CQL writes them, both ways: `map<text, frozen<list<int>>>`. Frozen is transparent: values do not differ.

use alloc::sync::Arc;
use core::fmt;

use super::cql_type::{CqlType, TypeBudget};
use super::cursor::Cursor;
use super::marshal;
use crate::spec::Native;
use crate::wire::{Error, ErrorKind, Result};

/// Reads a type. A user-defined type has no text form that says its fields, so its name is an error; a quoted marshal class name
/// (`'org.apache.cassandra.db.marshal.Int32Type'`) is taken as such.
///
/// ```
/// use cqlwire::value::{CqlType, parse_type};
///
/// let ty = parse_type("map<text, frozen<list<int>>>")?;
/// assert!(matches!(ty, CqlType::Map(..)));
/// assert_eq!(ty.to_string(), "map<text, list<int>>");
/// assert!(parse_type("map<text>").is_err());
/// # Ok::<(), cqlwire::wire::Error>(())
/// ```
pub fn parse_type(text: &str) -> Result<CqlType> {
    let mut cursor = Cursor::new(text);
    let ty = cursor.cql_type(&mut TypeBudget::default())?;
    match cursor.rest().trim() {
        "" => Ok(ty),
        _ => Err(Error::new(ErrorKind::Trailing, "type", cursor.at)),
    }
}

impl Cursor<'_> {
    fn cql_type(&mut self, budget: &mut TypeBudget) -> Result<CqlType> {
        budget.spend(self.at, |budget| {
            if self.accept('\'') {
                let class = self.word(|c| c == '\'');
                self.expect('\'')?;
                return Ok(marshal::parse_class_within(class, budget));
            }
            self.skip_spaces();
            let start = self.at;
            let word = self.word(|c| !c.is_ascii_alphanumeric() && c != '_').to_ascii_lowercase();
            let mut child = |c: &mut Cursor<'_>| c.cql_type(budget).map(Arc::new);
            Ok(match word.as_str() {
                "frozen" => self.between('<', '>', |c| c.cql_type(budget))?,
                "list" => CqlType::List(self.between('<', '>', child)?),
                "set" => CqlType::Set(self.between('<', '>', child)?),
                "map" => self.between('<', '>', |c| {
                    let key = child(c)?;
                    c.expect(',')?;
                    Ok(CqlType::Map(key, child(c)?))
                })?,
                "tuple" => CqlType::Tuple(self.between('<', '>', |c| c.list('>', child))?),
                "vector" => self.between('<', '>', |c| {
                    let element = c.cql_type(budget)?;
                    c.expect(',')?;
                    c.skip_spaces();
                    let bad = Error::new(ErrorKind::BadValue, "type.vector.dimension", c.at);
                    let dimension = c.word(|c| !c.is_ascii_digit()).parse().map_err(|_| bad)?;
                    CqlType::vector(element, dimension).ok_or(bad)
                })?,
                name => match Native::from_name(name) {
                    Some(native) => CqlType::Native(native),
                    None => return Err(Error::new(ErrorKind::BadValue, "type", start)),
                },
            })
        })
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
            ("'x", 2),
            ("list<é>", 5),
        ] {
            assert_eq!(parse_type(text).unwrap_err().at, at, "{text}");
        }
        assert_eq!(parse_type(&"list<".repeat(1_000_000)).unwrap_err().kind, ErrorKind::TooDeep);
    }
}
