//! Opcodes (v5 §2.4.1.4): one row each. The enum, the look-ups and the direction come from the table.

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident = $code:literal $text:literal $direction:ident,)*) => {
        /// What a frame's body holds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode { $($(#[$doc])* $name = $code,)* }

        impl Opcode {
            /// Every opcode, in the order of their codes.
            pub const ALL: &[Opcode] = &[$(Opcode::$name,)*];

            /// By its code; `None` for a code the protocol does not have.
            pub fn from_code(code: u8) -> Option<Opcode> {
                match code { $($code => Some(Opcode::$name),)* _ => None }
            }
            /// As the specification writes it.
            pub fn name(self) -> &'static str {
                match self { $(Opcode::$name => $text,)* }
            }
            /// True for what a server sends.
            pub fn is_response(self) -> bool {
                match self { $(Opcode::$name => matches!(Direction::$direction, Direction::Response),)* }
            }
        }
    };
}

enum Direction {
    Request,
    Response,
}

opcodes! {
    /// §4.2.1
    Error         = 0x00 "ERROR"          Response,
    /// §4.1.1
    Startup       = 0x01 "STARTUP"        Request,
    /// §4.2.2
    Ready         = 0x02 "READY"          Response,
    /// §4.2.3
    Authenticate  = 0x03 "AUTHENTICATE"   Response,
    /// §4.1.3
    Options       = 0x05 "OPTIONS"        Request,
    /// §4.2.4
    Supported     = 0x06 "SUPPORTED"      Response,
    /// §4.1.4
    Query         = 0x07 "QUERY"          Request,
    /// §4.2.5
    Result        = 0x08 "RESULT"         Response,
    /// §4.1.5
    Prepare       = 0x09 "PREPARE"        Request,
    /// §4.1.6
    Execute       = 0x0A "EXECUTE"        Request,
    /// §4.1.8
    Register      = 0x0B "REGISTER"       Request,
    /// §4.2.6
    Event         = 0x0C "EVENT"          Response,
    /// §4.1.7
    Batch         = 0x0D "BATCH"          Request,
    /// §4.2.7
    AuthChallenge = 0x0E "AUTH_CHALLENGE" Response,
    /// §4.1.2
    AuthResponse  = 0x0F "AUTH_RESPONSE"  Request,
    /// §4.2.8
    AuthSuccess   = 0x10 "AUTH_SUCCESS"   Response,
}
