//! L2: transport units. A *frame* is the 9-byte header and its body (the v5 text says envelope); a *segment* is v5's outer unit.
//! Nothing here knows a message.

pub mod compress;
pub mod crc;
pub mod header;
mod lz4;
pub mod prefix;
pub mod segment;

pub use header::Header;
pub use prefix::Prefix;
