//! Consistency levels (v5 §3, `[consistency]`): one row each.

macro_rules! consistencies {
    ($($(#[$doc:meta])* $name:ident = $code:literal $text:literal,)*) => {
        /// A consistency level. A number the table lacks is kept as it came: a server may be newer than this crate.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct Consistency(pub u16);

        #[allow(non_upper_case_globals)]
        impl Consistency {
            $($(#[$doc])* pub const $name: Consistency = Consistency($code);)*

            /// Every level with its name.
            pub const ALL: &[(Consistency, &str)] = &[$((Consistency($code), $text),)*];
        }
    };
}

consistencies! {
    /// ANY
    Any         = 0x0000 "ANY",
    /// ONE
    One         = 0x0001 "ONE",
    /// TWO
    Two         = 0x0002 "TWO",
    /// THREE
    Three       = 0x0003 "THREE",
    /// QUORUM
    Quorum      = 0x0004 "QUORUM",
    /// ALL
    All         = 0x0005 "ALL",
    /// LOCAL_QUORUM
    LocalQuorum = 0x0006 "LOCAL_QUORUM",
    /// EACH_QUORUM
    EachQuorum  = 0x0007 "EACH_QUORUM",
    /// SERIAL
    Serial      = 0x0008 "SERIAL",
    /// LOCAL_SERIAL
    LocalSerial = 0x0009 "LOCAL_SERIAL",
    /// LOCAL_ONE
    LocalOne    = 0x000A "LOCAL_ONE",
}

impl core::fmt::Display for Consistency {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{:#06x}", self.0),
        }
    }
}

impl Consistency {
    /// As the specification writes it; `None` for a number it does not define.
    pub fn name(self) -> Option<&'static str> {
        Consistency::ALL.iter().find(|(level, _)| *level == self).map(|(_, name)| *name)
    }

    /// The two levels a serial phase can have (v5 §4.1.4).
    pub fn is_serial(self) -> bool {
        self == Consistency::Serial || self == Consistency::LocalSerial
    }
}
