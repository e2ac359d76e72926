//! What differs between v3, v4 and v5 and between servers: every "since", "width of" and "has" is a predicate of [`Dialect`].
//! Versions are compared in this file and nowhere else.

/// A protocol version this crate reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Version {
    /// Cassandra 2.1 and later.
    V3 = 3,
    /// Cassandra 2.2 and later, and every ScyllaDB.
    V4 = 4,
    /// Cassandra 4.0 and later: segments, result metadata ids.
    V5 = 5,
}

impl Version {
    /// Newest first: the order in which a client offers them.
    pub const ALL: [Version; 3] = [Version::V5, Version::V4, Version::V3];

    /// The version with this number, if it is one of ours.
    pub fn from_number(number: u8) -> Option<Version> {
        Version::ALL.into_iter().find(|version| *version as u8 == number)
    }

    /// Versions 1 and 2 had a header of 8 bytes, so nothing after the version byte is where later ones have it.
    pub fn has_short_header(number: u8) -> bool {
        number < Version::V3.number()
    }

    /// The number as it stands in the low seven bits of a header's first byte.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The compressions a connection of this version can use. v5 §2.3 knows LZ4 only.
    pub fn has_compression(self, compression: Compression) -> bool {
        !(self >= Version::V5 && compression == Compression::Snappy)
    }

    /// ScyllaDB's document extends v4 and v5. On v3 a client asks for nothing of it: payloads, for one, are not there.
    pub fn has_extensions(self) -> bool {
        self >= Version::V4
    }

    /// v5 wraps frames in segments once the handshake is over (v5 §2.3.1).
    pub fn has_segments(self) -> bool {
        self >= Version::V5
    }
}

/// The compression of a connection, by its name in STARTUP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Bodies and segments travel as they are.
    #[default]
    None,
    /// `lz4`: v3 and v4 bodies with a big-endian length before the block; v5 segments.
    Lz4,
    /// `snappy`: v3 and v4 bodies, the raw block format.
    Snappy,
}

impl Compression {
    /// By its STARTUP name, any case.
    pub fn from_name(name: &str) -> Option<Compression> {
        [Compression::Lz4, Compression::Snappy].into_iter().find(|c| name.eq_ignore_ascii_case(c.name()))
    }

    /// The value of STARTUP's COMPRESSION option; empty for none.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Lz4 => "lz4",
            Compression::Snappy => "snappy",
        }
    }
}

/// ScyllaDB's extensions, as `spec::scylla` names them: what a node offers in SUPPORTED, or what a connection has agreed on in STARTUP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Features {
    /// SCYLLA_USE_METADATA_ID: result metadata ids on a v4 connection, at the places where v5 has them.
    pub metadata_id: bool,
    /// TABLETS_ROUTING_V1: results can have a tablet in their custom payload (`route::tablet`).
    pub tablets_v1: bool,
    /// SCYLLA_LWT_ADD_METADATA_MARK: the bits of PREPARED's flags that are all set for a conditional statement.
    pub lwt_mask: Option<u32>,
    /// SCYLLA_RATE_LIMIT_ERROR: the code of an ERROR that tells of a rate limit. STARTUP asks for it without naming the code, so who
    /// has seen no SUPPORTED of the node cannot know it.
    pub rate_limit_error: Option<i32>,
}

impl Features {
    /// Plain Cassandra.
    pub const NONE: Features = Features { metadata_id: false, tablets_v1: false, lwt_mask: None, rate_limit_error: None };
}

/// Version, compression and features of one connection: the one argument that every encode and decode takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Version of every frame sent.
    pub version: Version,
    /// Compression agreed in STARTUP.
    pub compression: Compression,
    /// Extensions agreed in STARTUP.
    pub features: Features,
}

impl Dialect {
    /// A dialect of plain `version`.
    pub const fn new(version: Version) -> Dialect {
        Dialect { version, compression: Compression::None, features: Features::NONE }
    }

    /// Scylla, Rate limit error: this ERROR code is the one of rate limits here.
    pub fn is_rate_limit_error(self, code: i32) -> bool {
        self.features.rate_limit_error == Some(code)
    }
    /// v5 §2.2: frames travel in segments.
    pub fn has_segments(self) -> bool {
        self.version.has_segments()
    }
    /// v3 and v4 compress each body; v5 compresses segments and ignores the frame's flag.
    pub fn has_compressed_bodies(self) -> bool {
        !self.has_segments()
    }
    /// QUERY, EXECUTE and BATCH flags are an `[int]` (v5) or a `[byte]`.
    pub fn has_int_query_flags(self) -> bool {
        self.version >= Version::V5
    }
    /// PREPARE ends in flags (v5 §4.1.5).
    pub fn has_prepare_flags(self) -> bool {
        self.version >= Version::V5
    }
    /// The keyspace of one request (v5 §4.1.4).
    pub fn has_request_keyspace(self) -> bool {
        self.version >= Version::V5
    }
    /// now_in_seconds of one request (v5 §4.1.4).
    pub fn has_now_in_seconds(self) -> bool {
        self.version >= Version::V5
    }
    /// EXECUTE and PREPARED carry a result metadata id; Metadata_changed can come.
    pub fn has_result_metadata_id(self) -> bool {
        self.version >= Version::V5 || self.features.metadata_id
    }
    /// A value of length -2, "not set" (v4 §3).
    pub fn has_unset(self) -> bool {
        self.version >= Version::V4
    }
    /// Warnings and custom payload in a frame (v4 §2.2).
    pub fn has_warnings_and_payload(self) -> bool {
        self.version >= Version::V4
    }
    /// PREPARED lists the partition key's bind markers (v4 §4.2.5.4).
    pub fn has_pk_indices(self) -> bool {
        self.version >= Version::V4
    }
    /// READ_FAILURE, WRITE_FAILURE and FUNCTION_FAILURE have defined fields (v4 §9).
    pub fn has_failure_errors(self) -> bool {
        self.version >= Version::V4
    }
    /// Failures list the nodes and their reasons (v5 §8) where v4 gives a count.
    pub fn has_failure_reasons(self) -> bool {
        self.version >= Version::V5
    }
    /// WRITE_TIMEOUT of a CAS ends in a contention count (v5 §8).
    pub fn has_contentions(self) -> bool {
        self.version >= Version::V5
    }
    /// CAS_WRITE_UNKNOWN has defined fields (v5 §8).
    pub fn has_cas_write_unknown(self) -> bool {
        self.version >= Version::V5
    }
    /// duration has a type code of its own (v5 §4.2.5.2); before, it comes as a custom class.
    pub fn has_duration_code(self) -> bool {
        self.version >= Version::V5
    }
    /// date, time, smallint and tinyint have type codes of their own (v4 §4.2.5.2).
    pub fn has_small_type_codes(self) -> bool {
        self.version >= Version::V4
    }
}
