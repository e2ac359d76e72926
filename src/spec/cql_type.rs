//! Native CQL types: one row each. Type codes are v5 §4.2.5.2; which types are fixed-width inside a vector is what the server does
//! (Cassandra's `AbstractType.valueLengthIfFixed` per class), not what their size suggests.

/// How a column of one type lies in memory; see `column`. The numbers cross the JavaScript boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Layout {
    /// `i8`
    Int8 = 0,
    /// `i16`
    Int16 = 1,
    /// `i32`
    Int32 = 2,
    /// `i64`
    Int64 = 3,
    /// `f32`
    Float32 = 4,
    /// `f64`
    Float64 = 5,
    /// One byte, 0 or 1.
    Bool = 6,
    /// 16 bytes.
    Uuid = 7,
    /// `i32` days since 1970-01-01; the wire's centre of 2³¹ is taken off.
    Date = 8,
    /// UTF-8 bytes and offsets.
    Text = 9,
    /// Bytes and offsets.
    Bytes = 10,
    /// Three children: months, days, nanoseconds.
    Duration = 11,
    /// Offsets and one child: list, set, a vector of anything but numbers.
    List = 12,
    /// Offsets and two children: keys, values.
    Map = 13,
    /// One child a field: tuple, UDT.
    Struct = 14,
    /// A vector of fixed-width numbers: values, `stride` a row.
    Vector = 15,
}

macro_rules! native_types {
    ($($(#[$doc:meta])* $name:ident = $code:literal $cql:literal $class:literal $size:tt $in_vector:tt $layout:ident $empty:tt,)*) => {
        /// A type that needs no parameter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Native { $($(#[$doc])* $name = $code,)* }

        impl Native {
            /// Every native type, in the order of their codes.
            pub const ALL: &[Native] = &[$(Native::$name,)*];

            /// By its `[option]` id.
            pub fn from_code(code: u16) -> Option<Native> {
                match code { $($code => Some(Native::$name),)* _ => None }
            }
            /// By its CQL name, lower case. `varchar` is text.
            pub fn from_name(name: &str) -> Option<Native> {
                match name { $($cql => Some(Native::$name),)* "varchar" => Some(Native::Text), _ => None }
            }
            /// By its marshal class without the package.
            pub fn from_class(class: &str) -> Option<Native> {
                match class {
                    $($class => Some(Native::$name),)*
                    "DateType" => Some(Native::Timestamp), // the name before Cassandra 1.2, still in old schemas
                    _ => None,
                }
            }
            /// The CQL name.
            pub fn name(self) -> &'static str {
                match self { $(Native::$name => $cql,)* }
            }
            /// The marshal class without the package.
            pub fn class(self) -> &'static str {
                match self { $(Native::$name => $class,)* }
            }
            /// Bytes of a cell that is neither null nor empty; `None` when they vary.
            pub fn size(self) -> Option<usize> {
                match self { $(Native::$name => native_types!(@size $size),)* }
            }
            /// Bytes of an element inside a vector, which then has no length before it.
            pub fn width_in_vector(self) -> Option<usize> {
                match self { $(Native::$name => native_types!(@size $in_vector),)* }
            }
            /// How a column of it lies in memory.
            pub fn layout(self) -> Layout {
                match self { $(Native::$name => Layout::$layout,)* }
            }
            /// True where zero bytes are a value of the type itself ("" or an empty blob), not the legacy empty.
            pub fn has_empty_value(self) -> bool {
                match self { $(Native::$name => native_types!(@flag $empty),)* }
            }
        }
    };
    (@size -) => { None };
    (@size $n:literal) => { Some($n) };
    (@flag -) => { false };
    (@flag empty) => { true };
}

native_types! {
    //          code   CQL name    marshal class       cell  in a vector  layout    zero bytes are a value
    /// ascii
    Ascii     = 0x0001 "ascii"     "AsciiType"         -     -            Text      empty,
    /// bigint
    Bigint    = 0x0002 "bigint"    "LongType"          8     8            Int64     -,
    /// blob
    Blob      = 0x0003 "blob"      "BytesType"         -     -            Bytes     empty,
    /// boolean
    Boolean   = 0x0004 "boolean"   "BooleanType"       1     1            Bool      -,
    /// counter
    Counter   = 0x0005 "counter"   "CounterColumnType" 8     -            Int64     -,
    /// decimal
    Decimal   = 0x0006 "decimal"   "DecimalType"       -     -            Bytes     -,
    /// double
    Double    = 0x0007 "double"    "DoubleType"        8     8            Float64   -,
    /// float
    Float     = 0x0008 "float"     "FloatType"         4     4            Float32   -,
    /// int
    Int       = 0x0009 "int"       "Int32Type"         4     4            Int32     -,
    /// timestamp
    Timestamp = 0x000B "timestamp" "TimestampType"     8     8            Int64     -,
    /// uuid
    Uuid      = 0x000C "uuid"      "UUIDType"          16    16           Uuid      -,
    /// text, varchar
    Text      = 0x000D "text"      "UTF8Type"          -     -            Text      empty,
    /// varint
    Varint    = 0x000E "varint"    "IntegerType"       -     -            Bytes     -,
    /// timeuuid
    Timeuuid  = 0x000F "timeuuid"  "TimeUUIDType"      16    16           Uuid      -,
    /// inet
    Inet      = 0x0010 "inet"      "InetAddressType"   -     -            Bytes     -,
    /// date
    Date      = 0x0011 "date"      "SimpleDateType"    4     -            Date      -,
    /// time
    Time      = 0x0012 "time"      "TimeType"          8     -            Int64     -,
    /// smallint
    Smallint  = 0x0013 "smallint"  "ShortType"         2     -            Int16     -,
    /// tinyint
    Tinyint   = 0x0014 "tinyint"   "ByteType"          1     -            Int8      -,
    /// duration
    Duration  = 0x0015 "duration"  "DurationType"      -     -            Duration  -,
}

/// `[option]` ids that take parameters (v5 §4.2.5.2).
pub mod option {
    /// A marshal class name follows.
    pub const CUSTOM: u16 = 0x0000;
    /// One type follows.
    pub const LIST: u16 = 0x0020;
    /// Two types follow.
    pub const MAP: u16 = 0x0021;
    /// One type follows.
    pub const SET: u16 = 0x0022;
    /// Keyspace, name, count, names with types.
    pub const UDT: u16 = 0x0030;
    /// Count and types.
    pub const TUPLE: u16 = 0x0031;
}

/// The package of Cassandra's marshal classes.
pub const MARSHAL_PACKAGE: &str = "org.apache.cassandra.db.marshal.";
