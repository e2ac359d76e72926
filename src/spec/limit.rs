//! Caps on what the wire may claim. No length is used for allocation before it meets one of these or the bytes at hand.

/// The caps that a connection may set for itself. The other constants of this file are not settable: they bound recursion, or are the
/// protocol's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of one received frame's body, as sent and decompressed: [`FRAME_BODY`] unless set lower.
    pub frame_body: usize,
    /// [`NULL_SLOTS`] unless set.
    pub null_slots: usize,
    /// [`NULL_SLOTS_OF_CHUNK`] unless set.
    pub null_slots_of_chunk: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { frame_body: FRAME_BODY, null_slots: NULL_SLOTS, null_slots_of_chunk: NULL_SLOTS_OF_CHUNK }
    }
}

/// Largest frame body (v5 §2.4.1.5: "a frame is limited to 256MB").
pub const FRAME_BODY: usize = 256 << 20;
/// Largest segment payload: 17 bits of length (v5 §2.2).
pub const SEGMENT_PAYLOAD: usize = (1 << 17) - 1;
/// Types within types. Cassandra itself refuses deep nesting long before; recursion here stays within any stack.
pub const TYPE_NESTING: usize = 64;
/// Type nodes in one metadata, so that a small name cannot describe millions of columns' worth of builders.
pub const TYPE_NODES: usize = 1 << 17;
/// Rows of a result whose rows take no bytes (zero columns): the only count that the bytes left cannot bound.
pub const ROWS_OF_NO_COLUMNS: usize = 1 << 16;
/// Dimensions of a vector. Embeddings have some thousands; a wider one stays bytes, as a custom type.
pub const VECTOR_DIMENSION: usize = 1 << 16;
/// Fields that tuples and user-defined types inside one value may leave out: each is a null that takes no byte on the wire.
pub const MISSING_FIELDS: usize = 1 << 20;
/// What a buffer keeps once its content is taken, so that one large frame does not keep its memory.
pub const KEPT_BUFFER: usize = 1 << 20;
/// Bytes that the slots of nulls may add to a page: a null is four bytes on the wire, but a whole zeroed slot in a column of wide
/// vectors. A page of 5,000 null vectors of 3,072 floats is 59 MiB.
pub const NULL_SLOTS: usize = 256 << 20;
/// The same for all the pages of one chunk, of which there can be many.
pub const NULL_SLOTS_OF_CHUNK: usize = 1 << 30;
/// Bytes of frames that wait to be sent, above which no further value, statement or frame is begun.
pub const OUTPUT: usize = 768 << 20;
