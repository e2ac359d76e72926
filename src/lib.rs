//! The CQL native protocol (Apache Cassandra, ScyllaDB), versions 3, 4 and 5, as a sans-IO codec: bytes in, messages out, and back.
//! No clock, no randomness, no sockets: whoever holds the socket feeds [`conn::Conn`] and sends what it gives.
//!
//! ```
//! use cqlwire::conn::{Conn, FrameOptions, Role};
//! use cqlwire::message::{Request, Response, Startup};
//! use cqlwire::spec::Version;
//!
//! let mut conn = Conn::new(Role::Client, Version::V4);
//! conn.send(&Request::Startup(Startup { options: vec![("CQL_VERSION", "3.0.0")] }), 1, &FrameOptions::default())?;
//! let bytes = conn.output()?.to_vec(); // for the socket
//! conn.sent();
//! # assert_eq!(bytes.len(), 31);
//!
//! for chunk in [&[0x84, 0, 0, 1][..], &[2, 0, 0, 0, 0]] { // from the socket, cut anywhere
//!     conn.feed(chunk);
//!     while let Some(header) = conn.next_frame()? {
//!         assert_eq!((header.stream, conn.response()?.1), (1, Response::Ready));
//!     }
//! }
//! assert!(conn.is_established());
//! # Ok::<(), cqlwire::wire::Error>(())
//! ```
//!
//! The layers, each using only those above it (`tests/layers.rs` keeps it so):
//!
//! | layer | module | holds |
//! |---|---|---|
//! | L0 facts | [`spec`] | tables: opcodes, types, flags, codes, limits, what each version has |
//! | L1 notation | [`wire`] | `Reader`, `Writer`, vints, `Error` |
//! | L2 transport units | [`frame`] | header, flag prefixes, v5 segments, checksums, compression |
//! | L2 values | [`value`] | one CQL value ↔ bytes, type descriptions, marshal class names |
//! | L3 messages | [`message`] | one file per message, named by the spec |
//! | L4 columns | [`mod@column`] | the rows of a result as typed columns |
//! | L5 connection | [`conn`] | bytes in → messages, requests → bytes out |
//! | side | [`route`] | tokens, shards, tablets: where a row lives |
//! | side | `fuzzing` | what the fuzzer calls; only with the feature of that name |
//! | L6 boundary | `wasm` | the JavaScript surface; the only file that names wasm-bindgen |
//!
//! Names of sections cited in comments ("v5 §4.1.7") are those of Cassandra's `native_protocol_vN.spec`.

// Always no_std, with std named where it is used: so that an accidental use is seen by those who never build without it.
#![no_std]
#![cfg_attr(not(all(target_arch = "wasm32", feature = "js")), forbid(unsafe_code))]
#![cfg_attr(all(target_arch = "wasm32", feature = "js"), deny(unsafe_code))] // `wasm.rs` relaxes it, for what wasm-bindgen's macros expand to
#![warn(missing_docs)]

extern crate alloc;
// Nothing here uses it but snappy and tests; the cdylib needs its allocator and panic handler wherever there is a system to give them.
#[cfg(not(target_os = "none"))]
extern crate std;

pub mod column;
pub mod conn;
pub mod frame;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
pub mod message;
pub mod route;
pub mod spec;
pub mod value;
pub mod wire;

#[cfg(all(target_arch = "wasm32", feature = "js"))]
mod wasm;
