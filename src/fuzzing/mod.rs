//! What the fuzzer calls (`fuzz/`, `make fuzz`), behind the feature `fuzzing`: each body takes any bytes, does with them what a program
//! would, and panics where the codec breaks a promise. `tests/fuzz_corpus.rs` calls the same with what the fuzzer found before.
//!
//! The bodies that need structure take it from the bytes with `arbitrary`: see [`types`] and [`messages`].

mod columns;
mod conn;
mod decompress;
mod frames;
mod messages;
mod roundtrip;
mod segments;
mod type_names;
mod types;
mod values;

use alloc::vec::Vec;

use crate::message::{Response, ResultMessage, Startup, Supported};
use crate::spec::{Compression, Dialect, Features, Version};

/// One target of the fuzzer.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// As in `fuzz/fuzz_targets/`.
    pub name: &'static str,
    /// The body. Gives the number of bytes the codec had before it: the input, and what it decompresses to.
    pub run: fn(&[u8]) -> usize,
    /// Bytes that the whole body may allocate at a time for each of those, above [`MEMORY_AT_LEAST`].
    pub memory: usize,
}

/// Bytes that any body may allocate, however small its input: the long texts that some of them send.
pub const MEMORY_AT_LEAST: usize = 8 << 20;

/// Every target.
pub const TARGETS: &[Target] = &[
    // A column of an empty name is 8 bytes on the wire, and `(0, 9)`, an int inside a tuple, two; each is a node on the heap.
    Target { name: "frames", run: frames::run, memory: 200 },
    Target { name: "conn", run: conn::run, memory: 200 },
    Target { name: "segments", run: segments::run, memory: 16 },
    Target { name: "type_names", run: type_names::run, memory: 400 },
    // A boolean in a vector is one byte, a `Value` 32, and a growing `Vec` holds three times what is in it for a moment.
    Target { name: "values", run: values::run, memory: 400 },
    Target { name: "decompress", run: decompress::run, memory: 8 },
    Target { name: "columns", run: columns::run, memory: 1000 },
    Target { name: "roundtrip", run: roundtrip::run, memory: 400 },
];

/// Runs the target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

const fn dialect(version: Version, compression: Compression) -> Dialect {
    Dialect { compression, ..Dialect::new(version) }
}

/// v4 with all of ScyllaDB's extensions.
const SCYLLA: Dialect = Dialect {
    features: Features { metadata_id: true, tablets_v1: true, lwt_mask: Some(1 << 31), rate_limit_error: Some(0x4321) },
    ..Dialect::new(Version::V4)
};

/// What a node of that dialect says in SUPPORTED.
fn supported() -> Supported<'static> {
    Supported {
        options: alloc::vec![
            ("SCYLLA_USE_METADATA_ID", alloc::vec![""]),
            ("TABLETS_ROUTING_V1", alloc::vec![""]),
            ("SCYLLA_LWT_ADD_METADATA_MARK", alloc::vec!["LWT_OPTIMIZATION_META_BIT_MASK=2147483648"]),
            ("SCYLLA_RATE_LIMIT_ERROR", alloc::vec!["ERROR_CODE=17185"]),
        ],
    }
}

/// What a client asks for to have this dialect.
fn startup(dialect: Dialect) -> Startup<'static> {
    let mut options = alloc::vec![("CQL_VERSION", "3.0.0")];
    if dialect.compression != Compression::None {
        options.push(("COMPRESSION", dialect.compression.name()));
    }
    if dialect.features != Features::NONE {
        options.extend(supported().startup_options(dialect));
    }
    Startup { options }
}

/// Every dialect in which a message has another form.
const PLAIN: [Dialect; 4] = [Dialect::new(Version::V3), Dialect::new(Version::V4), Dialect::new(Version::V5), SCYLLA];

/// Every dialect in which the stream has another form.
const DIALECTS: [Dialect; 9] = [
    dialect(Version::V3, Compression::None),
    dialect(Version::V3, Compression::Lz4),
    dialect(Version::V3, Compression::Snappy),
    dialect(Version::V4, Compression::None),
    dialect(Version::V4, Compression::Lz4),
    dialect(Version::V4, Compression::Snappy),
    dialect(Version::V5, Compression::None),
    dialect(Version::V5, Compression::Lz4),
    SCYLLA,
];

/// Random numbers that are the same for the same seed (xorshift64).
struct Random(u64);

impl Random {
    fn new(seed: u16) -> Random {
        Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % limit.max(1)
    }

    /// `bytes` in pieces of any size: single bytes, about the size of a header, or long runs.
    fn pieces<'a>(&mut self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let (mut pieces, mut rest) = (Vec::new(), bytes);
        while !rest.is_empty() {
            let most = [1, 16, 300, 100_000][self.below(4)];
            let (piece, after) = rest.split_at((1 + self.below(most)).min(rest.len()));
            pieces.push(piece);
            rest = after;
            // A long stream byte by byte would only take long.
            if pieces.len() == 500 && !rest.is_empty() {
                pieces.push(core::mem::take(&mut rest));
            }
        }
        pieces
    }
}

/// Where the cells stand in a body is no part of what a message says.
fn forget_places(response: &mut Response<'_>) {
    if let Response::Result(ResultMessage::Rows(rows)) = response {
        rows.cells_at = 0;
    }
}
