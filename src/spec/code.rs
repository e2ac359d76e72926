//! Codes of RESULT kinds, batch types, error codes (v5 §8): one row each. Unknown ones are data, not errors.

/// RESULT kinds (v5 §4.2.5).
pub mod result_kind {
    /// Nothing to say.
    pub const VOID: i32 = 0x0001;
    /// Rows of a SELECT.
    pub const ROWS: i32 = 0x0002;
    /// Answer to USE.
    pub const SET_KEYSPACE: i32 = 0x0003;
    /// Answer to PREPARE.
    pub const PREPARED: i32 = 0x0004;
    /// Answer to DDL.
    pub const SCHEMA_CHANGE: i32 = 0x0005;
}

/// BATCH types (v5 §4.1.7), in the order of their codes.
pub const BATCH_TYPES: [&str; 3] = ["LOGGED", "UNLOGGED", "COUNTER"];

macro_rules! error_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal $text:literal,)*) => {
        $($(#[$doc])* pub const $name: i32 = $code;)*
        /// Every code with its name.
        pub const ERRORS: &[(i32, &str)] = &[$(($code, $text),)*];
    };
}

/// Error codes and the names this project gives them.
pub mod error {
    use crate::spec::Dialect;

    error_codes! {
        /// A fault inside the server.
        SERVER_ERROR       = 0x0000 "SERVER_ERROR",
        /// The request broke the protocol.
        PROTOCOL_ERROR     = 0x000A "PROTOCOL_ERROR",
        /// Credentials refused.
        BAD_CREDENTIALS    = 0x0100 "AUTHENTICATION_ERROR",
        /// Too few replicas alive.
        UNAVAILABLE        = 0x1000 "UNAVAILABLE",
        /// The coordinator sheds load.
        OVERLOADED         = 0x1001 "OVERLOADED",
        /// The coordinator still joins.
        IS_BOOTSTRAPPING   = 0x1002 "IS_BOOTSTRAPPING",
        /// TRUNCATE failed.
        TRUNCATE_ERROR     = 0x1003 "TRUNCATE_ERROR",
        /// Too few acknowledgements in time.
        WRITE_TIMEOUT      = 0x1100 "WRITE_TIMEOUT",
        /// Too few answers in time.
        READ_TIMEOUT       = 0x1200 "READ_TIMEOUT",
        /// Replicas failed a read.
        READ_FAILURE       = 0x1300 "READ_FAILURE",
        /// A user function threw.
        FUNCTION_FAILURE   = 0x1400 "FUNCTION_FAILURE",
        /// Replicas failed a write.
        WRITE_FAILURE      = 0x1500 "WRITE_FAILURE",
        /// The CDC space is full.
        CDC_WRITE_FAILURE  = 0x1600 "CDC_WRITE_FAILURE",
        /// A contended CAS may or may not be applied.
        CAS_WRITE_UNKNOWN  = 0x1700 "CAS_WRITE_UNKNOWN",
        /// The text is not CQL.
        SYNTAX_ERROR       = 0x2000 "SYNTAX_ERROR",
        /// The role may not do this.
        UNAUTHORIZED       = 0x2100 "UNAUTHORIZED",
        /// Valid CQL that cannot be done.
        INVALID            = 0x2200 "INVALID",
        /// The configuration forbids it.
        CONFIG_ERROR       = 0x2300 "CONFIG_ERROR",
        /// Keyspace or table is there already.
        ALREADY_EXISTS     = 0x2400 "ALREADY_EXISTS",
        /// The server does not know this prepared id.
        UNPREPARED         = 0x2500 "UNPREPARED",
    }

    /// True where the version defines fields after the message (v5 §8).
    pub fn has_fields(code: i32, dialect: Dialect) -> bool {
        match code {
            UNAVAILABLE | WRITE_TIMEOUT | READ_TIMEOUT | ALREADY_EXISTS | UNPREPARED => true,
            READ_FAILURE | WRITE_FAILURE | FUNCTION_FAILURE => dialect.has_failure_errors(),
            CAS_WRITE_UNKNOWN => dialect.has_cas_write_unknown(),
            _ => dialect.is_rate_limit_error(code),
        }
    }

    /// The name of ScyllaDB's error of rate limits. It has no row: its code is what SUPPORTED says, different from node to node.
    pub const RATE_LIMIT_ERROR: &str = "RATE_LIMIT_ERROR";

    /// The name of a code; `None` for one the table lacks.
    pub fn name(code: i32) -> Option<&'static str> {
        ERRORS.iter().find(|(number, _)| *number == code).map(|(_, name)| *name)
    }
}
