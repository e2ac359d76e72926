//! Flag masks, by the field they stand in.

/// Frame header flags (v5 §2.4.1.2).
pub mod header {
    /// The body is compressed (v3 and v4 only).
    pub const COMPRESSION: u8 = 0x01;
    /// Request: trace me. Response: a tracing id stands first.
    pub const TRACING: u8 = 0x02;
    /// A custom payload stands before the message (v4).
    pub const CUSTOM_PAYLOAD: u8 = 0x04;
    /// Warnings stand before the message (v4).
    pub const WARNING: u8 = 0x08;
    /// The sender agrees to a beta version (v5).
    pub const USE_BETA: u8 = 0x10;
}

/// Flags of QUERY, EXECUTE and BATCH (v5 §4.1.4, §4.1.7).
pub mod query {
    /// Values follow.
    pub const VALUES: u32 = 0x01;
    /// Leave the columns out of the answer.
    pub const SKIP_METADATA: u32 = 0x02;
    /// A page size follows.
    pub const PAGE_SIZE: u32 = 0x04;
    /// A paging state follows.
    pub const PAGING_STATE: u32 = 0x08;
    /// A serial consistency follows.
    pub const SERIAL_CONSISTENCY: u32 = 0x10;
    /// A default timestamp follows.
    pub const TIMESTAMP: u32 = 0x20;
    /// Each value has its name before it.
    pub const VALUE_NAMES: u32 = 0x40;
    /// A keyspace follows (v5).
    pub const KEYSPACE: u32 = 0x80;
    /// now_in_seconds follows (v5).
    pub const NOW_IN_SECONDS: u32 = 0x100;
}

/// Flags of PREPARE (v5 §4.1.5).
pub mod prepare {
    /// A keyspace follows.
    pub const KEYSPACE: u32 = 0x01;
}

/// Flags of result metadata (v5 §4.2.5.2). These are masks, also the last: drivers have taken it for the
/// number 3.
pub mod metadata {
    /// One table spec for all columns.
    pub const GLOBAL_TABLE_SPEC: u32 = 0x0001;
    /// A paging state follows.
    pub const HAS_MORE_PAGES: u32 = 0x0002;
    /// No column is described.
    pub const NO_METADATA: u32 = 0x0004;
    /// A new metadata id follows the paging state (v5).
    pub const METADATA_CHANGED: u32 = 0x0008;

    /// True for bits that can mark a conditional statement in PREPARED's flags: some, and none that says how to read what follows them.
    pub fn can_mark_lwt(mask: u32) -> bool {
        mask != 0 && mask & (GLOBAL_TABLE_SPEC | NO_METADATA) == 0
    }
}
