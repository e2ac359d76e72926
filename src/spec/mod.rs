//! L0: the protocol's facts as tables and predicates. No bytes are read or written here.

pub mod code;
pub mod consistency;
pub mod cql_type;
pub mod flag;
pub mod limit;
pub mod opcode;
pub mod scylla;
pub mod version;

pub use consistency::Consistency;
pub use cql_type::{Layout, Native};
pub use limit::Limits;
pub use opcode::Opcode;
pub use version::{Compression, Dialect, Features, Version};
