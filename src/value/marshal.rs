//! Marshal class names: how servers describe types that a protocol version has no code for (`[option]` 0x0000), as
//! `org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , 3)`.
//!
//! `FrozenType` and `ReversedType` are transparent; names inside `UserType` are hexadecimal; spaces may stand around commas.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cql_type::{CqlType, TypeBudget, Udt};
use super::cursor::Cursor;
use crate::spec::Native;
use crate::spec::cql_type::MARSHAL_PACKAGE;
use crate::wire::Result;

/// The type that a class name stands for; `Custom` with the whole name for one that is unknown or malformed.
pub fn parse_class(name: &str) -> CqlType {
    let parse = |budget: &mut TypeBudget| Ok(parse_class_within(name, budget));
    TypeBudget::default().spend(0, parse).unwrap_or_else(|_| CqlType::Custom(name.into()))
}

/// The same for a type that `budget` has counted: it is one level, whether it comes as a code or as a name.
pub(super) fn parse_class_within(name: &str, budget: &mut TypeBudget) -> CqlType {
    let mut cursor = Cursor::new(name);
    match cursor.counted_class(budget) {
        Ok(ty) if cursor.rest().trim().is_empty() => ty,
        _ => CqlType::Custom(name.into()),
    }
}

/// The name that servers give a type, as they space it.
pub(super) fn class_name(ty: &CqlType) -> String {
    let list = |types: &[Arc<CqlType>]| types.iter().map(|ty| class_name(ty)).collect::<Vec<_>>().join(",");
    let (class, arguments) = match ty {
        CqlType::Custom(name) => return name.as_ref().into(),
        CqlType::Native(native) => return format!("{MARSHAL_PACKAGE}{}", native.class()),
        CqlType::List(element) => ("ListType", class_name(element)),
        CqlType::Set(element) => ("SetType", class_name(element)),
        CqlType::Map(key, value) => ("MapType", format!("{},{}", class_name(key), class_name(value))),
        CqlType::Tuple(items) => ("TupleType", list(items)),
        CqlType::Vector(element, dimension) => ("VectorType", format!("{} , {dimension}", class_name(element))),
        CqlType::Udt(udt) => {
            let fields = udt.fields.iter().map(|(name, ty)| format!(",{}:{}", hex(name), class_name(ty))).collect::<String>();
            ("UserType", format!("{},{}{fields}", udt.keyspace, hex(&udt.name)))
        }
    };
    format!("{MARSHAL_PACKAGE}{class}({arguments})")
}

fn is_punctuation(character: char) -> bool {
    matches!(character, '(' | ')' | ',' | ':')
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<String> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16);
    let bytes = digits.chunks_exact(2).map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect::<Option<Vec<u8>>>()?;
    String::from_utf8(bytes).ok()
}

impl Cursor<'_> {
    fn class(&mut self, budget: &mut TypeBudget) -> Result<CqlType> {
        budget.spend(self.at, |budget| self.counted_class(budget))
    }

    fn counted_class(&mut self, budget: &mut TypeBudget) -> Result<CqlType> {
        let start = self.at;
        let name = self.word(is_punctuation).trim();
        if name.is_empty() {
            return Err(self.malformed());
        }
        // A class of another package is never one of ours, whatever its last part says.
        let class = name.strip_prefix(MARSHAL_PACKAGE).unwrap_or(name);
        if let Some(native) = Native::from_class(class) {
            return Ok(CqlType::Native(native));
        }
        match class {
            "FrozenType" | "ReversedType" => self.between('(', ')', |c| c.class(budget)),
            "ListType" => self.between('(', ')', |c| Ok(CqlType::List(c.class(budget)?.into()))),
            "SetType" => self.between('(', ')', |c| Ok(CqlType::Set(c.class(budget)?.into()))),
            "MapType" => self.between('(', ')', |c| {
                let key = c.class(budget)?;
                c.expect(',')?;
                Ok(CqlType::Map(key.into(), c.class(budget)?.into()))
            }),
            "TupleType" => self.between('(', ')', |c| Ok(CqlType::Tuple(c.list(')', |c| Ok(c.class(budget)?.into()))?))),
            "VectorType" => self.between('(', ')', |c| {
                let element = c.class(budget)?;
                c.expect(',')?;
                let dimension = c.word(is_punctuation).trim().parse().map_err(|_| c.malformed())?;
                CqlType::vector(element, dimension).ok_or_else(|| c.malformed())
            }),
            "UserType" => self.between('(', ')', |c| {
                let keyspace = c.word(is_punctuation).trim().into();
                c.expect(',')?;
                let name = unhex(c.word(is_punctuation).trim()).ok_or_else(|| c.malformed())?;
                let mut fields = Vec::new();
                while c.accept(',') {
                    let field = unhex(c.word(is_punctuation).trim()).ok_or_else(|| c.malformed())?;
                    c.expect(':')?;
                    fields.push((field, c.class(budget)?.into()));
                }
                Ok(CqlType::Udt(Arc::new(Udt { keyspace, name, fields })))
            }),
            _ => {
                self.skip_arguments()?;
                Ok(CqlType::Custom(self.since(start).trim().into()))
            }
        }
    }

    /// Over the balanced parentheses of a class that is not known.
    fn skip_arguments(&mut self) -> Result<()> {
        if !self.rest().starts_with('(') {
            return Ok(());
        }
        let mut depth = 0usize;
        for (index, character) in self.rest().char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += index + 1;
                return Ok(());
            }
        }
        Err(self.malformed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::parse_type;
    use alloc::string::ToString;

    fn class(short: &str) -> CqlType {
        parse_class(&short.replace('…', MARSHAL_PACKAGE))
    }

    #[test]
    fn spellings_seen_in_the_field() {
        // whatyouhide/xandra#76, apache/cassandra-java-driver#776, krojew/cdrs-tokio#222, scylladb/scylla-rust-driver#1566
        for (name, cql) in [
            ("…DurationType", "duration"),
            ("…ByteType", "tinyint"),
            ("…ShortType", "smallint"),
            ("…VectorType(…FloatType , 3)", "vector<float, 3>"),
            ("…VectorType(…FloatType,3)", "vector<float, 3>"),
            ("…VectorType(…FrozenType(…SetType(…Int32Type)),3)", "vector<set<int>, 3>"),
            ("…ReversedType(…TimeUUIDType)", "timeuuid"),
            ("…MapType(…UTF8Type,…ListType(…LongType))", "map<text, list<bigint>>"),
            ("…TupleType(…Int32Type,…BooleanType)", "tuple<int, boolean>"),
            ("Int32Type", "int"),
        ] {
            assert_eq!(Ok(class(name)), parse_type(cql), "{name}");
        }
        let CqlType::Udt(udt) = class("…UserType(ks,61646472,6e616d65:…UTF8Type)") else { panic!("not a UDT") };
        assert_eq!((&*udt.keyspace, &*udt.name, &*udt.fields[0].0), ("ks", "addr", "name"));
        // a name whose hex is all digits: scylladb/scylladb#631
        let CqlType::Udt(udt) = class("…UserType(ks,31,32:…Int32Type)") else { panic!("not a UDT") };
        assert_eq!((&*udt.name, &*udt.fields[0].0), ("1", "2"));
    }

    #[test]
    fn what_is_not_known_is_kept_whole() {
        // scylladb/gocql#1093: malformed names crash
        for name in [
            "com.example.Mine",
            "com.example.Int32Type",
            "…CompositeType(…Int32Type,…UTF8Type)",
            "VectorType",
            "VectorType(",
            "VectorType(,)",
            "…VectorType(…FloatType , 0)",
            "…VectorType(…FloatType , -1)",
            "…VectorType(…FloatType , 99999999999)",
            "…ListType()",
            "…ListType",
            "…UserType(ks,6,61:…Int32Type)",
            "…UserType(ks,zz)",
            "…MapType(…Int32Type)",
            "…Int32Type)",
            "(",
            "",
            "…FrozenType(((((",
            "…VectorType(…VectorType(…VectorType(…DoubleType , 1000000) , 1000000) , 1000000)",
            "…UserType(ks,é)",
        ] {
            let name = name.replace('…', MARSHAL_PACKAGE);
            assert_eq!(parse_class(&name), CqlType::Custom(name.as_str().into()), "{name}");
        }
        let deep = "ListType(".repeat(100_000);
        assert_eq!(parse_class(&deep), CqlType::Custom(deep.as_str().into()));
        assert_eq!(
            class("…ListType(com.example.Mine(a,b(c)))"),
            CqlType::List(Arc::new(CqlType::Custom("com.example.Mine(a,b(c))".into())))
        );
    }

    #[test]
    fn names_are_written_as_servers_write_them() {
        let name = "…VectorType(…FloatType , 3)".replace('…', MARSHAL_PACKAGE);
        assert_eq!(class_name(&parse_class(&name)), name);
        let name = "…UserType(ks,61646472,6e616d65:…UTF8Type)".replace('…', MARSHAL_PACKAGE).to_string();
        assert_eq!(class_name(&parse_class(&name)), name);
    }
}
