//! L1: the notations of v5 §3 (`[int]`, `[string]`, `[bytes]`, …) over a bounds-checked cursor and an appending buffer.

mod error;
mod reader;
mod room;
mod swap;
mod trace;
mod vint;
mod writer;

pub use error::{Error, ErrorKind, Result};
pub use reader::Reader;
pub use room::Room;
pub use swap::swap_in_place;
pub use trace::{Entry, EntryValue, Trace};
pub use vint::{put_unsigned_vint, put_vint, read_unsigned_vint, read_vint, unsigned_vint_len};
pub use writer::{Mark, NULL, UNSET, Writer};
