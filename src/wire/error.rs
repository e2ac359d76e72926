//! What can be wrong with bytes or with a request. Small and `Copy`: nothing is allocated on the way down, and the caller that knows
//! the statement, the parameter or the connection adds it.

use core::fmt;

/// The one result type of this crate.
pub type Result<T> = core::result::Result<T, Error>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $text:literal,)*) => {
        /// The kinds of [`Error`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum ErrorKind { $($(#[$doc])* $name,)* }

        impl ErrorKind {
            /// Its stable name.
            pub fn name(self) -> &'static str {
                match self { $(ErrorKind::$name => stringify!($name),)* }
            }
            /// What it means, as the end of a sentence that began with the field.
            pub fn meaning(self) -> &'static str {
                match self { $(ErrorKind::$name => $text,)* }
            }
        }
    };
}

kinds! {
    // Bytes that came.
    /// The input ends inside the field.
    Truncated "ends before the field does",
    /// Bytes are left after the last field.
    Trailing "has bytes left over",
    /// A length or count that no input of this kind can have.
    BadLength "has an impossible length or count",
    /// Not UTF-8, or not ASCII where the type is ascii.
    BadText "is not valid text",
    /// A number outside the closed set that stands here.
    BadValue "has a value that is not defined",
    /// Types nested more deeply than `limit::TYPE_NESTING`, or too many of them.
    TooDeep "is nested too deeply",
    /// A checksum does not match.
    BadChecksum "does not match its checksum",
    /// A compressed block that does not decompress to what it says.
    BadCompression "does not decompress",
    /// A frame flagged as compressed where nothing was agreed.
    NotNegotiated "was not negotiated on this connection",
    /// A frame in a version other than the connection's.
    WrongVersion "is of another protocol version",
    /// Requests where responses are read, or the other way round.
    WrongDirection "goes the other way",
    /// Rows without metadata, and none known for the stream.
    NoMetadata "needs the metadata of its prepared statement",
    /// Rows whose column count is not that of the metadata they are read with.
    ColumnCount "has another number of columns than its metadata",

    // Values and requests that were given.
    /// More than the field's length or count can say.
    TooLarge "is larger than the protocol can say",
    /// The dialect of the connection has no such thing.
    Unsupported "does not exist in this protocol version",
    /// A kind of value that the type does not take.
    WrongKind "does not take a value of this kind",
    /// A number outside the type's range.
    OutOfRange "is out of the type's range",
    /// Not the number of elements, fields or parameters that the type has.
    WrongCount "has the wrong number of elements",
    /// Ready bytes, as many as no value of the type has.
    WrongSize "has another size in bytes",
    /// Calls out of order: a value outside a request, an end without a begin.
    Misuse "was called out of order",
}

/// Kind, field and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Which field, as `BATCH.type`.
    pub what: &'static str,
    /// Offset in the body, value or stream that was read; in encoding, the offset in the frame that was being built.
    pub at: usize,
    /// The element of a list, set, map or vector, where one was being read or written.
    pub element: Option<u32>,
}

impl Error {
    /// An error about `what` at offset `at`.
    #[cold]
    pub fn new(kind: ErrorKind, what: &'static str, at: usize) -> Error {
        Error { kind, what, at, element: None }
    }

    /// The same error, said to be about one element. The innermost element is kept.
    #[cold]
    pub fn in_element(mut self, index: usize) -> Error {
        self.element = self.element.or(u32::try_from(index).ok());
        self
    }

    /// The same error with its offset moved by `base`.
    #[cold]
    pub fn offset_by(mut self, base: usize) -> Error {
        self.at += base;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (offset {}", self.what, self.kind.meaning(), self.at)?;
        match self.element {
            Some(index) => write!(f, ", element {index})"),
            None => write!(f, ")"),
        }
    }
}

impl core::error::Error for Error {}
