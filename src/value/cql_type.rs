//! The description of a type, and its form in metadata: `[option]` (v5 §4.2.5.2).

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::marshal;
use crate::spec::cql_type::option;
use crate::spec::{Dialect, Layout, Native, limit};
use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// A CQL type. Children are shared, so that a cursor over a type tree can hold its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CqlType {
    /// Without parameters.
    Native(Native),
    /// `list<T>`
    List(Arc<CqlType>),
    /// `set<T>`
    Set(Arc<CqlType>),
    /// `map<K, V>`
    Map(Arc<CqlType>, Arc<CqlType>),
    /// `tuple<…>`
    Tuple(Vec<Arc<CqlType>>),
    /// A user-defined type.
    Udt(Arc<Udt>),
    /// `vector<T, n>`
    Vector(Arc<CqlType>, u32),
    /// A marshal class that this crate does not know: its cells are bytes.
    Custom(Box<str>),
}

/// A user-defined type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Udt {
    /// Where it is defined.
    pub keyspace: String,
    /// Its name.
    pub name: String,
    /// Names and types, in order.
    pub fields: Vec<(String, Arc<CqlType>)>,
}

/// How many more types one metadata may describe, and how deep.
#[derive(Debug)]
pub struct TypeBudget {
    nodes: usize,
    depth: usize,
}

impl Default for TypeBudget {
    fn default() -> TypeBudget {
        TypeBudget { nodes: limit::TYPE_NODES, depth: limit::TYPE_NESTING }
    }
}

impl TypeBudget {
    /// Counts one type and, for the time of `read`, one level.
    pub fn spend<T>(&mut self, at: usize, read: impl FnOnce(&mut TypeBudget) -> Result<T>) -> Result<T> {
        if self.nodes == 0 || self.depth == 0 {
            return Err(Error::new(ErrorKind::TooDeep, "type", at));
        }
        self.nodes -= 1;
        self.depth -= 1;
        let result = read(self);
        self.depth += 1;
        result
    }
}

impl CqlType {
    /// Reads an `[option]`. A custom class that is one of Cassandra's own becomes the type it stands for; any other, also a
    /// malformed one, stays `Custom`, so that one column cannot make a result unreadable.
    pub fn read(r: &mut Reader<'_>, budget: &mut TypeBudget) -> Result<CqlType> {
        let at = r.position();
        budget.spend(at, |budget| {
            let mut child = |r: &mut Reader<'_>| r.group("type.of", None, |r| CqlType::read(r, budget)).map(Arc::new);
            Ok(match r.short("type.id")? {
                option::CUSTOM => return Ok(marshal::parse_class_within(r.string("type.class")?, budget)),
                option::LIST => CqlType::List(child(r)?),
                option::SET => CqlType::Set(child(r)?),
                option::MAP => CqlType::Map(child(r)?, child(r)?),
                option::TUPLE => CqlType::Tuple(r.short_list(2, "type.tuple", child)?),
                option::UDT => CqlType::Udt(Arc::new(Udt {
                    keyspace: r.string("type.udt.keyspace")?.into(),
                    name: r.string("type.udt.name")?.into(),
                    fields: r.short_list(4, "type.udt.fields", |r| Ok((r.string("type.udt.field")?.into(), child(r)?)))?,
                })),
                code => match Native::from_code(code) {
                    Some(native) => {
                        r.stands_for(Some(native.name()));
                        CqlType::Native(native)
                    }
                    None => return Err(Error::new(ErrorKind::BadValue, "type.id", at)),
                },
            })
        })
    }

    /// Appends the `[option]`. Types that the version has no code for are written as servers write them: as custom classes.
    pub fn write(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        match self {
            CqlType::Native(native) if has_code(*native, dialect) => w.short(*native as u16),
            CqlType::Native(_) | CqlType::Vector(..) => {
                w.short(option::CUSTOM);
                w.string(&marshal::class_name(self), "type.class")?;
            }
            CqlType::Custom(class) => {
                w.short(option::CUSTOM);
                w.string(class, "type.class")?;
            }
            CqlType::List(element) => {
                w.short(option::LIST);
                element.write(w, dialect)?;
            }
            CqlType::Set(element) => {
                w.short(option::SET);
                element.write(w, dialect)?;
            }
            CqlType::Map(key, value) => {
                w.short(option::MAP);
                key.write(w, dialect)?;
                value.write(w, dialect)?;
            }
            CqlType::Tuple(items) => {
                w.short(option::TUPLE);
                w.short_len(items.len(), "type.tuple")?;
                items.iter().try_for_each(|item| item.write(w, dialect))?;
            }
            CqlType::Udt(udt) => {
                w.short(option::UDT);
                w.string(&udt.keyspace, "type.udt.keyspace")?;
                w.string(&udt.name, "type.udt.name")?;
                w.short_len(udt.fields.len(), "type.udt.fields")?;
                for (name, field) in &udt.fields {
                    w.string(name, "type.udt.field")?;
                    field.write(w, dialect)?;
                }
            }
        }
        Ok(())
    }

    /// Bytes of an element of this type inside a vector; `None`: each element has an `[unsigned vint]` length before it.
    pub fn width_in_vector(&self) -> Option<usize> {
        match self {
            CqlType::Native(native) => native.width_in_vector(),
            CqlType::Vector(element, dimension) => element.width_in_vector()?.checked_mul(*dimension as usize),
            _ => None,
        }
    }

    /// Bytes of a cell that is neither null nor empty; `None` when they vary.
    pub fn cell_size(&self) -> Option<usize> {
        match self {
            CqlType::Native(native) => native.size(),
            _ => self.width_in_vector(),
        }
    }

    /// True where zero bytes are a value of the type itself.
    pub fn has_empty_value(&self) -> bool {
        match self {
            CqlType::Native(native) => native.has_empty_value(),
            CqlType::Custom(_) => true,
            _ => false,
        }
    }

    /// How a column of it lies in memory.
    pub fn layout(&self) -> Layout {
        match self {
            CqlType::Native(native) => native.layout(),
            CqlType::List(_) | CqlType::Set(_) => Layout::List,
            CqlType::Map(..) => Layout::Map,
            CqlType::Tuple(_) | CqlType::Udt(_) => Layout::Struct,
            CqlType::Custom(_) => Layout::Bytes,
            CqlType::Vector(element, _) => match element.as_ref() {
                // The types whose vectors are one typed array in JavaScript.
                CqlType::Native(Native::Float | Native::Double | Native::Int | Native::Bigint | Native::Smallint | Native::Tinyint) => {
                    Layout::Vector
                }
                _ => Layout::List,
            },
        }
    }
}

fn has_code(native: Native, dialect: Dialect) -> bool {
    match native {
        Native::Duration => dialect.has_duration_code(),
        Native::Date | Native::Time | Native::Smallint | Native::Tinyint => dialect.has_small_type_codes(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Version;
    use crate::value::parse_type;
    use alloc::vec;

    fn read(bytes: &[u8]) -> Result<CqlType> {
        let mut r = Reader::new(bytes);
        let ty = CqlType::read(&mut r, &mut TypeBudget::default())?;
        r.finish("type")?;
        Ok(ty)
    }

    #[test]
    fn every_option_both_ways() {
        for (text, bytes) in [
            ("int", vec![0, 9]),
            ("list<text>", vec![0, 0x20, 0, 0x0d]),
            ("map<uuid, set<int>>", vec![0, 0x21, 0, 0x0c, 0, 0x22, 0, 9]),
            ("tuple<int, duration>", vec![0, 0x31, 0, 2, 0, 9, 0, 0x15]),
            ("tuple<>", vec![0, 0x31, 0, 0]),
        ] {
            let ty = parse_type(text).unwrap();
            assert_eq!(read(&bytes).as_ref(), Ok(&ty));
            let mut w = Writer::new();
            ty.write(&mut w, Dialect::new(Version::V5)).unwrap();
            assert_eq!(w.as_slice(), bytes);
            for len in 0..bytes.len() {
                assert!(read(&bytes[..len]).is_err(), "{text} cut at {len}");
            }
        }
        let bytes = [0, 0x30, 0, 1, b'k', 0, 1, b't', 0, 1, 0, 1, b'f', 0, 4];
        let udt = Udt { keyspace: "k".into(), name: "t".into(), fields: vec![("f".into(), Arc::new(CqlType::Native(Native::Boolean)))] };
        assert_eq!(read(&bytes), Ok(CqlType::Udt(Arc::new(udt))));
    }

    #[test]
    fn types_without_a_code_travel_as_classes() {
        for (text, version, class) in
            [("duration", Version::V4, "DurationType"), ("tinyint", Version::V3, "ByteType"), ("date", Version::V3, "SimpleDateType")]
        {
            let mut w = Writer::new();
            parse_type(text).unwrap().write(&mut w, Dialect::new(version)).unwrap();
            let name = alloc::format!("org.apache.cassandra.db.marshal.{class}");
            assert_eq!(&w.as_slice()[4..], name.as_bytes());
            assert_eq!(read(w.as_slice()), parse_type(text));
        }
    }

    #[test]
    fn deep_and_many_types_are_refused() {
        // scylladb/gocql#1104: two million nested lists
        let mut deep = [0, 0x20].repeat(2_000_000);
        deep.extend([0, 9]);
        assert_eq!(read(&deep).unwrap_err().kind, ErrorKind::TooDeep);
        let mut many = vec![0, 0x31, 0, 20];
        for _ in 0..20 {
            many.extend([0, 0x31, 0xff, 0xff]);
            many.extend([0, 9].repeat(65_535));
        }
        assert_eq!(read(&many).unwrap_err().kind, ErrorKind::TooDeep);
        assert_eq!(read(&[0, 0x31, 0xff, 0xff]).unwrap_err().kind, ErrorKind::Truncated);
        // As many levels as there may be, the innermost a type that v4 names by its class: written and read again. One more is too many.
        for (text, levels) in [("duration", 63), ("vector<duration, 2>", 62)] {
            let nested = |levels| alloc::format!("{}{text}{}", "list<".repeat(levels), ">".repeat(levels));
            let ty = parse_type(&nested(levels)).unwrap();
            let mut w = Writer::new();
            ty.write(&mut w, Dialect::new(Version::V4)).unwrap();
            assert_eq!(read(w.as_slice()), Ok(ty), "{text}");
            assert_eq!(parse_type(&nested(levels + 1)).unwrap_err().kind, ErrorKind::TooDeep);
        }
        assert_eq!(read(&[0, 0x0a]).unwrap_err().kind, ErrorKind::BadValue); // 0x000A was text in v2
    }

    #[test]
    fn widths_inside_a_vector() {
        // scylladb/gocql#849 and others: the server prefixes types that look fixed
        let fixed = ["boolean", "int", "float", "bigint", "double", "timestamp", "uuid", "timeuuid", "vector<float, 2>"];
        let widths = [1, 4, 4, 8, 8, 8, 16, 16, 8];
        for (text, width) in fixed.iter().zip(widths) {
            assert_eq!(parse_type(text).unwrap().width_in_vector(), Some(width), "{text}");
        }
        for text in [
            "tinyint",
            "smallint",
            "date",
            "time",
            "counter",
            "inet",
            "text",
            "ascii",
            "blob",
            "varint",
            "decimal",
            "duration",
            "list<int>",
            "set<int>",
            "map<int, int>",
            "tuple<int>",
            "vector<smallint, 2>",
        ] {
            assert_eq!(parse_type(text).unwrap().width_in_vector(), None, "{text}");
        }
    }
}
