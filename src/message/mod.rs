//! L3: what a frame's body says, one file a message, named by the specification (v5 §4), read and written. Nothing here knows a frame. Bytes left over at the end of a body are ignored, as v5 §4.2 asks of clients and as
//! servers do.

pub mod auth_challenge;
pub mod auth_response;
pub mod auth_success;
pub mod authenticate;
pub mod batch;
pub mod error;
pub mod event;
pub mod execute;
pub mod metadata;
pub mod options;
pub mod params;
pub mod prepare;
pub mod prepared;
pub mod query;
pub mod ready;
pub mod register;
pub mod result;
pub mod rows;
pub mod schema_change;
pub mod startup;
pub mod supported;
#[cfg(feature = "js")]
mod to_js;

pub use auth_challenge::AuthChallenge;
pub use auth_response::AuthResponse;
pub use auth_success::AuthSuccess;
pub use authenticate::Authenticate;
pub use batch::{Batch, Statement};
pub use error::ErrorMessage;
pub use event::Event;
pub use execute::Execute;
pub use metadata::{ColumnSpec, OwnColumns, RowsMetadata, SeenColumns};
pub use params::{Bound, Params, RequestOptions};
pub use prepare::Prepare;
pub use prepared::Prepared;
pub use query::Query;
pub use register::Register;
pub use result::ResultMessage;
pub use rows::Rows;
pub use schema_change::SchemaChange;
pub use startup::Startup;
pub use supported::{ScyllaOptions, Supported};

use crate::spec::{Dialect, Opcode};
use crate::wire::{ErrorKind, Reader, Result, Writer};

/// What a client sends.
///
/// ```
/// use cqlwire::message::{Prepare, Request};
/// use cqlwire::spec::{Dialect, Opcode, Version};
/// use cqlwire::wire::{Reader, Writer};
///
/// let (v4, v5) = (Dialect::new(Version::V4), Dialect::new(Version::V5));
/// let request = Request::Prepare(Prepare { query: "q", keyspace: Some("ks") });
/// let mut body = Writer::new();
/// request.encode(&mut body, v5)?;
/// assert_eq!(body.as_slice(), b"\0\0\0\x01q\0\0\0\x01\0\x02ks");
/// assert_eq!(Request::decode(Opcode::Prepare, &mut Reader::new(body.as_slice()), v5)?, request);
/// assert_eq!(request.encode(&mut Writer::new(), v4).unwrap_err().what, "PREPARE.keyspace"); // v4 has none
/// # Ok::<(), cqlwire::wire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(tag = "opcode", rename_all = "SCREAMING_SNAKE_CASE"))]
#[allow(missing_docs)] // each variant is its message
pub enum Request<'a> {
    Startup(Startup<'a>),
    Options,
    Query(Query<'a>),
    Prepare(Prepare<'a>),
    Execute(Execute<'a>),
    Batch(Batch<'a>),
    Register(Register<'a>),
    AuthResponse(AuthResponse<'a>),
}

impl<'a> Request<'a> {
    /// Which message it is.
    pub fn opcode(&self) -> Opcode {
        match self {
            Request::Startup(_) => Opcode::Startup,
            Request::Options => Opcode::Options,
            Request::Query(_) => Opcode::Query,
            Request::Prepare(_) => Opcode::Prepare,
            Request::Execute(_) => Opcode::Execute,
            Request::Batch(_) => Opcode::Batch,
            Request::Register(_) => Opcode::Register,
            Request::AuthResponse(_) => Opcode::AuthResponse,
        }
    }

    /// Reads the body of a request.
    pub fn decode(opcode: Opcode, r: &mut Reader<'a>, dialect: Dialect) -> Result<Request<'a>> {
        r.group(opcode.name(), None, |r| Request::decode_body(opcode, r, dialect))
    }

    fn decode_body(opcode: Opcode, r: &mut Reader<'a>, dialect: Dialect) -> Result<Request<'a>> {
        Ok(match opcode {
            Opcode::Startup => Request::Startup(Startup::decode(r)?),
            Opcode::Options => Request::Options,
            Opcode::Query => Request::Query(Query::decode(r, dialect)?),
            Opcode::Prepare => Request::Prepare(Prepare::decode(r, dialect)?),
            Opcode::Execute => Request::Execute(Execute::decode(r, dialect)?),
            Opcode::Batch => Request::Batch(Batch::decode(r, dialect)?),
            Opcode::Register => Request::Register(Register::decode(r)?),
            Opcode::AuthResponse => Request::AuthResponse(AuthResponse::decode(r)?),
            _ => return Err(r.error(ErrorKind::WrongDirection, "frame.opcode")),
        })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        match self {
            Request::Startup(message) => message.encode(w),
            Request::Options => Ok(()),
            Request::Query(message) => message.encode(w, dialect),
            Request::Prepare(message) => message.encode(w, dialect),
            Request::Execute(message) => message.encode(w, dialect),
            Request::Batch(message) => message.encode(w, dialect),
            Request::Register(message) => message.encode(w),
            Request::AuthResponse(message) => message.encode(w),
        }
    }
}

/// What a server sends.
///
/// ```
/// use cqlwire::message::{Response, ResultMessage};
/// use cqlwire::spec::{Dialect, Opcode, Version};
/// use cqlwire::wire::Reader;
///
/// let body = [0, 0, 0, 3, 0, 2, b'k', b's']; // RESULT of kind Set_keyspace
/// let response = Response::decode(Opcode::Result, &mut Reader::new(&body), Dialect::new(Version::V4))?;
/// assert_eq!(response, Response::Result(ResultMessage::SetKeyspace { keyspace: "ks" }));
/// # Ok::<(), cqlwire::wire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(tag = "opcode", rename_all = "SCREAMING_SNAKE_CASE"))]
#[allow(missing_docs)] // each variant is its message
pub enum Response<'a> {
    Error(ErrorMessage<'a>),
    Ready,
    Authenticate(Authenticate<'a>),
    Supported(Supported<'a>),
    Result(ResultMessage<'a>),
    Event(Event<'a>),
    AuthChallenge(AuthChallenge<'a>),
    AuthSuccess(AuthSuccess<'a>),
}

impl<'a> Response<'a> {
    /// Which message it is.
    pub fn opcode(&self) -> Opcode {
        match self {
            Response::Error(_) => Opcode::Error,
            Response::Ready => Opcode::Ready,
            Response::Authenticate(_) => Opcode::Authenticate,
            Response::Supported(_) => Opcode::Supported,
            Response::Result(_) => Opcode::Result,
            Response::Event(_) => Opcode::Event,
            Response::AuthChallenge(_) => Opcode::AuthChallenge,
            Response::AuthSuccess(_) => Opcode::AuthSuccess,
        }
    }

    /// Reads the body of a response, from where the prefixes end.
    pub fn decode(opcode: Opcode, r: &mut Reader<'a>, dialect: Dialect) -> Result<Response<'a>> {
        r.group(opcode.name(), None, |r| Response::decode_body(opcode, r, dialect))
    }

    fn decode_body(opcode: Opcode, r: &mut Reader<'a>, dialect: Dialect) -> Result<Response<'a>> {
        Ok(match opcode {
            Opcode::Result => Response::Result(ResultMessage::decode(r, dialect)?),
            Opcode::Error => Response::Error(ErrorMessage::decode(r, dialect)?),
            Opcode::Ready => Response::Ready,
            Opcode::Authenticate => Response::Authenticate(Authenticate::decode(r)?),
            Opcode::Supported => Response::Supported(Supported::decode(r)?),
            Opcode::Event => Response::Event(Event::decode(r)?),
            Opcode::AuthChallenge => Response::AuthChallenge(AuthChallenge::decode(r)?),
            Opcode::AuthSuccess => Response::AuthSuccess(AuthSuccess::decode(r)?),
            _ => return Err(r.error(ErrorKind::WrongDirection, "frame.opcode")),
        })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        match self {
            Response::Error(message) => message.encode(w, dialect),
            Response::Ready => Ok(()),
            Response::Authenticate(message) => message.encode(w),
            Response::Supported(message) => message.encode(w),
            Response::Result(message) => message.encode(w, dialect),
            Response::Event(message) => message.encode(w),
            Response::AuthChallenge(message) => message.encode(w),
            Response::AuthSuccess(message) => message.encode(w),
        }
    }
}

/// Of the messages of authentication: their tokens hold passwords.
fn debug_token(name: &str, token: Option<&[u8]>, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
    write!(f, "{name} {{ token: {} }}", if token.is_some() { "***" } else { "None" })
}
