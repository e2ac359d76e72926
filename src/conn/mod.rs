//! L5: one connection, sans-IO. Bytes in → frames whose bodies are ready to decode; requests → bytes out. It knows the dialect and the
//! phase: nothing is compressed before STARTUP is answered, and in v5 both directions turn to segments right after READY or
//! AUTHENTICATE, between two frames of one chunk if need be.

mod build;
mod input;
mod output;
mod trace;

pub use output::FrameOptions;
pub use trace::TracedFrame;

use crate::frame::{Header, Prefix};
use crate::message::{OwnColumns, Request, Response, Rows, SeenColumns, Startup};
use crate::spec::code::result_kind;
use crate::spec::{Compression, Dialect, Features, Limits, Opcode, Version};
use crate::wire::{Error, ErrorKind, Reader, Result};
use build::Building;
use input::Input;
use output::Output;

/// Which side of the connection this codec stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Writes requests, reads responses.
    Client,
    /// Reads requests, writes responses.
    Server,
}

/// Bytes so far, on the wire and as frames before compression and segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Given to the codec.
    pub received: u64,
    /// Headers and decompressed bodies of whole frames read.
    pub frames_received: u64,
    /// Taken from the codec.
    pub sent: u64,
    /// Headers and bodies of frames written, before they were compressed.
    pub frames_sent: u64,
}

/// The codec of one connection.
///
/// ```
/// use cqlwire::conn::{Conn, FrameOptions, Role};
/// use cqlwire::frame::Prefix;
/// use cqlwire::message::{Request, Response, Supported};
/// use cqlwire::spec::Version;
///
/// let (mut client, mut server) = (Conn::new(Role::Client, Version::V5), Conn::new(Role::Server, Version::V5));
/// client.send(&Request::Options, 1, &FrameOptions::default())?;
/// assert_eq!(client.output()?, [5, 0, 0, 1, 5, 0, 0, 0, 0]); // to be sent, as it is or cut anywhere
/// server.feed(client.output()?);
/// client.sent();
///
/// let header = server.next_frame()?.expect("the frame is whole");
/// assert_eq!(server.request()?.1, Request::Options);
/// let answer = Response::Supported(Supported { options: vec![("COMPRESSION", vec!["lz4"])] });
/// server.reply(&answer, header.stream, &Prefix::default())?;
/// client.feed(server.output()?);
/// server.sent();
///
/// assert_eq!(client.next_frame()?.map(|header| header.stream), Some(1));
/// assert_eq!(client.response()?.1, answer);
/// assert!(client.next_frame()?.is_none());
/// # Ok::<(), cqlwire::wire::Error>(())
/// ```
#[derive(Debug)]
pub struct Conn {
    role: Role,
    /// A server has the version of the frame that came last, until STARTUP.
    takes_version: bool,
    limits: Limits,
    /// Compression in it is what STARTUP asked for.
    dialect: Dialect,
    /// Extensions that the node has, once its SUPPORTED went by: STARTUP is held against them.
    offered: Option<Features>,
    /// STARTUP has been answered: what is sent may be compressed, and v5 is in segments.
    established: bool,
    input: Input,
    output: Output,
    building: Building,
    /// The framing error that ended the connection.
    broken: Option<Error>,
    traffic: Traffic,
}

impl Conn {
    /// A connection on which nothing was said yet. A server takes the version of each frame until STARTUP, as Cassandra
    /// does, and answers in it, unless [`Conn::fix_version`] is called. A frame of a version that it does not have cannot be read.
    pub fn new(role: Role, version: Version) -> Conn {
        Conn {
            role,
            takes_version: role == Role::Server,
            limits: Limits::default(),
            dialect: Dialect::new(version),
            offered: None,
            established: false,
            input: Input::default(),
            output: Output::default(),
            building: Building::default(),
            broken: None,
            traffic: Traffic::default(),
        }
    }

    /// A connection whose handshake is over.
    pub fn established(role: Role, dialect: Dialect) -> Conn {
        Conn { dialect, established: true, takes_version: false, ..Conn::new(role, dialect.version) }
    }

    /// A server that has no other version than the one it was made with.
    pub fn fix_version(&mut self) {
        self.takes_version = false;
    }

    /// Sets other caps on what comes.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Caps on what comes.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The side of the connection.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Version, compression and features.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Bytes so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// STARTUP has been answered.
    pub fn is_established(&self) -> bool {
        self.established
    }

    /// The handshake is over: for who watches a connection, and has seen READY or AUTHENTICATE go by on its other side.
    pub fn establish(&mut self) {
        self.established = true;
    }

    /// The extensions that the node has, for who knows them from elsewhere than a SUPPORTED on this connection.
    pub fn offer(&mut self, features: Features) {
        self.offered = Some(features);
    }

    // In.

    /// Room for the next `length` bytes of the stream, to be filled at once. They are copied nowhere else unless they are
    /// compressed or part of a frame that spans segments.
    pub fn receive(&mut self, length: usize) -> &mut [u8] {
        self.traffic.received += length as u64;
        self.input.receive(length)
    }

    /// The next bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.receive(bytes.len()).copy_from_slice(bytes);
    }

    /// Goes to the next whole frame; `None` until more bytes come. An error is a framing error: it ends the connection, and every
    /// later call gives it again. The frame stands until the next call.
    pub fn next_frame(&mut self) -> Result<Option<Header>> {
        if let Some(error) = self.broken {
            return Err(error);
        }
        let result = self.advance();
        self.broken = result.err();
        result
    }

    fn advance(&mut self) -> Result<Option<Header>> {
        let segments = self.established && self.dialect.has_segments();
        let lz4 = self.dialect.compression == Compression::Lz4;
        let Some(header) = self.input.next(segments.then_some(lz4), self.limits.frame_body)? else {
            self.input.compact();
            return Ok(None);
        };
        let at = self.input.frame_at();
        if header.is_response != (self.role == Role::Client) {
            return Err(Error::new(ErrorKind::WrongDirection, "frame.version", at));
        }
        if let (true, Some(version)) = (self.takes_version, Version::from_number(header.version)) {
            self.dialect.version = version;
            self.takes_version = header.opcode != Opcode::Startup;
        }
        // A server that does not speak our version says so in an ERROR of a version of its own choice.
        if header.version != self.dialect.version.number() && header.opcode != Opcode::Error {
            // Before the handshake a server can still say which versions it has, and be asked again.
            if self.role == Role::Client || self.established {
                return Err(Error::new(ErrorKind::WrongVersion, "frame.version", at));
            }
            self.input.spoil(Error::new(ErrorKind::WrongVersion, "frame.version", 0));
        }
        if self.role == Role::Client && matches!(header.opcode, Opcode::Ready | Opcode::Authenticate) {
            self.established = true;
        }
        self.input.inflate(&header, self.dialect, self.limits.frame_body);
        self.traffic.frames_received += (Header::LEN + self.input.body().map_or(header.length, <[u8]>::len)) as u64;
        if self.role == Role::Server && header.opcode == Opcode::Startup {
            // What cannot be agreed is the server's to refuse, once it has read the message.
            let agreed = self.input.body().and_then(|body| Startup::decode(&mut Reader::new(body))?.negotiate(self.dialect, self.offered));
            self.dialect = agreed.unwrap_or(self.dialect);
        }
        if self.role == Role::Client && header.opcode == Opcode::Supported && !self.established {
            let offered = if let Ok((_, Response::Supported(message))) = self.response() { Some(message.scylla().features) } else { None };
            self.offered = offered.or(self.offered);
        }
        Ok(Some(header))
    }

    /// Bytes received that wait for the rest of their frame or segment.
    pub fn waiting(&self) -> usize {
        self.input.waiting()
    }

    /// The current frame's flag prefixes and a reader at its message. An error concerns this frame alone.
    pub fn body(&self) -> Result<(Header, Prefix<'_>, Reader<'_>)> {
        let header = self.input.header().ok_or(Error::new(ErrorKind::Misuse, "frame", 0))?;
        let mut r = Reader::new(self.input.body()?);
        let prefix = Prefix::read(&mut r, &header, self.dialect_of(&header))?;
        Ok((header, prefix, r))
    }

    /// Decodes the current frame as a response.
    pub fn response(&self) -> Result<(Prefix<'_>, Response<'_>)> {
        let (header, prefix, mut r) = self.body()?;
        Ok((prefix, Response::decode(header.opcode, &mut r, self.dialect_of(&header))?))
    }

    /// Decodes the current frame as Rows, the columns that came with them apart: those of `last` are known again without being read.
    pub fn rows(&self, last: Option<&SeenColumns>) -> Result<(Rows<'_>, OwnColumns)> {
        let (header, _, mut r) = self.body()?;
        if header.opcode != Opcode::Result || r.int("RESULT.kind")? != result_kind::ROWS {
            return Err(Error::new(ErrorKind::Misuse, "ROWS", 0));
        }
        Rows::decode_after(&mut r, self.dialect_of(&header), last)
    }

    /// Decodes the current frame as a request.
    pub fn request(&self) -> Result<(Prefix<'_>, Request<'_>)> {
        let (header, prefix, mut r) = self.body()?;
        Ok((prefix, Request::decode(header.opcode, &mut r, self.dialect)?))
    }

    /// An ERROR may come in another version than the connection's.
    fn dialect_of(&self, header: &Header) -> Dialect {
        match Version::from_number(header.version) {
            Some(version) => Dialect { version, ..self.dialect },
            None => self.dialect,
        }
    }

    // Out.

    /// Appends one request to the output. On an error nothing of it is left there.
    pub fn send(&mut self, request: &Request<'_>, stream: i16, options: &FrameOptions<'_>) -> Result<()> {
        self.expect(Role::Client)?;
        let agreed = match request {
            // A second one would go out compressed or in a segment, which STARTUP never is; servers refuse it in any form.
            Request::Startup(_) if self.established => return Err(Error::new(ErrorKind::Misuse, "STARTUP", 0)),
            Request::Startup(startup) => startup.negotiate(self.dialect, self.offered)?,
            _ => self.dialect,
        };
        self.output.begin_request(request.opcode(), stream, options, self.dialect)?;
        let result = request.encode(self.output.writer(), self.dialect);
        self.finish(result)?;
        self.dialect = agreed;
        Ok(())
    }

    /// Appends one response to the output, with what stands before its message. On an error nothing of it is left there. After READY or
    /// AUTHENTICATE the connection is established: what follows may be compressed, and in v5 goes out in segments.
    pub fn reply(&mut self, response: &Response<'_>, stream: i16, prefix: &Prefix<'_>) -> Result<()> {
        self.expect(Role::Server)?;
        self.output.begin(response.opcode(), stream, 0, prefix, self.dialect)?;
        let result = response.encode(self.output.writer(), self.dialect);
        self.finish(result)?;
        if let Response::Supported(message) = response {
            self.offered = Some(message.scylla().features);
        }
        if !self.established && matches!(response, Response::Ready | Response::Authenticate(_)) {
            self.established = true;
            self.output.begin_segments();
        }
        Ok(())
    }

    fn expect(&self, role: Role) -> Result<()> {
        if self.role == role { Ok(()) } else { Err(Error::new(ErrorKind::WrongDirection, "frame", 0)) }
    }

    /// Ends the frame that was begun, or takes it back.
    fn finish(&mut self, result: Result<()>) -> Result<()> {
        let compression =
            if self.established && self.dialect.has_compressed_bodies() { self.dialect.compression } else { Compression::None };
        self.building = Building::default();
        match result.and_then(|()| self.output.end(compression)) {
            Ok(length) => {
                self.traffic.frames_sent += length as u64;
                Ok(())
            }
            Err(error) => {
                self.output.abort();
                Err(error)
            }
        }
    }

    /// All that is to be sent, as one run of bytes: frames as they are, or in segments. Sent once [`Conn::sent`] is called.
    pub fn output(&mut self) -> Result<&[u8]> {
        let segments = self.established && self.dialect.has_segments();
        self.output.take(segments.then_some(self.dialect.compression == Compression::Lz4))
    }

    /// What [`Conn::output`] gave is on its way: the buffer is free.
    pub fn sent(&mut self) {
        self.traffic.sent += self.output.sent() as u64;
    }
}
