//! A conversation: the handshake in any dialect, then messages both ways, several at a time, each received as it was sent however the
//! stream is cut; and each message by itself, written and read.
//!
//! Input: by `arbitrary`: a dialect, then messages (see [`super::messages`]).

use alloc::vec;
use alloc::vec::Vec;

use arbitrary::{Result, Unstructured};

use super::{DIALECTS, Random, forget_places, messages, startup, supported};
use crate::conn::{Conn, FrameOptions, Role};
use crate::frame::Prefix;
use crate::message::{Authenticate, Request, Response};
use crate::spec::flag::header as flag;
use crate::spec::{Dialect, Features};
use crate::wire::{Error, ErrorKind, Reader, Writer};

pub(super) fn run(data: &[u8]) -> usize {
    let mut u = Unstructured::new(data);
    let Ok(mut conversation) = Conversation::begin(&mut u) else { return 0 };
    let _ = conversation.go_on(&mut u); // until the bytes end
    data.len() + (conversation.client.traffic().frames_sent + conversation.server.traffic().frames_sent) as usize
}

struct Conversation {
    dialect: Dialect,
    client: Conn,
    server: Conn,
    random: Random,
}

impl Conversation {
    fn begin(u: &mut Unstructured<'_>) -> Result<Conversation> {
        let dialect = *u.choose(&DIALECTS)?;
        let random = Random::new(u.arbitrary()?);
        let (client, server) = handshake(dialect, u.arbitrary()?);
        Ok(Conversation { dialect, client, server, random })
    }

    fn go_on(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        for _ in 0..8 {
            if u.arbitrary()? { self.requests(u)? } else { self.responses(u)? }
        }
        Ok(())
    }

    fn requests(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let mut sent = vec![];
        for _ in 0..u.int_in_range(1..=3)? {
            let (request, stream) = (messages::request(u, self.dialect)?, u.int_in_range(0..=i16::MAX)?);
            let custom_payload = messages::prefix(u, self.dialect)?.custom_payload;
            let options = FrameOptions { tracing: u.arbitrary()?, use_beta: u.arbitrary()?, custom_payload };
            by_itself(&request, self.dialect);
            self.client.send(&request, stream, &options).unwrap_or_else(|error| panic!("{error}: {request:?}"));
            sent.push((request, stream, options));
        }
        let mut expected = sent.iter();
        for piece in self.random.pieces(&taken(&mut self.client)) {
            self.server.feed(piece);
            while let Some(header) = self.server.next_frame().unwrap() {
                let (request, stream, options) = expected.next().expect("no more requests than were sent");
                let flags = (header.has(flag::TRACING), header.has(flag::USE_BETA));
                assert_eq!((header.stream, flags), (*stream, (options.tracing, options.use_beta)));
                let prefix = Prefix { custom_payload: options.custom_payload.clone(), ..Prefix::default() };
                assert_eq!(self.server.request().as_ref(), Ok(&(prefix, request.clone())));
            }
        }
        assert_eq!(expected.len(), 0, "fewer requests than were sent");
        Ok(())
    }

    fn responses(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let mut sent = vec![];
        for _ in 0..u.int_in_range(1..=3)? {
            let (response, stream) = (messages::response(u, self.dialect)?, u.arbitrary()?);
            let prefix = messages::prefix(u, self.dialect)?;
            if response_by_itself(&response, self.dialect).is_ok() {
                self.server.reply(&response, stream, &prefix).unwrap_or_else(|error| panic!("{error}: {response:?}"));
                sent.push((response, stream, prefix));
            }
        }
        let mut expected = sent.iter();
        for piece in self.random.pieces(&taken(&mut self.server)) {
            self.client.feed(piece);
            while let Some(header) = self.client.next_frame().unwrap() {
                let (response, stream, prefix) = expected.next().expect("no more responses than were sent");
                assert_eq!(header.stream, *stream);
                let mut received = self.client.response();
                if let Ok((_, response)) = &mut received {
                    forget_places(response);
                }
                assert_eq!(received.as_ref(), Ok(&(prefix.clone(), response.clone())));
            }
        }
        assert_eq!(expected.len(), 0, "fewer responses than were sent");
        Ok(())
    }
}

fn taken(conn: &mut Conn) -> Vec<u8> {
    let wire = conn.output().unwrap().to_vec();
    conn.sent();
    wire
}

/// Two connections that have agreed on the dialect, by READY or by AUTHENTICATE.
fn handshake(dialect: Dialect, authenticate: bool) -> (Conn, Conn) {
    let (mut client, mut server) = (Conn::new(Role::Client, dialect.version), Conn::new(Role::Server, dialect.version));
    if dialect.features != Features::NONE {
        server.reply(&Response::Supported(supported()), 0, &Prefix::default()).unwrap();
        client.feed(server.output().unwrap());
        server.sent();
        client.next_frame().unwrap().unwrap();
    }
    let startup = Request::Startup(startup(dialect));
    let response = if authenticate { Response::Authenticate(Authenticate { authenticator: "a" }) } else { Response::Ready };
    client.send(&startup, 0, &FrameOptions::default()).unwrap();
    server.feed(client.output().unwrap());
    client.sent();
    server.next_frame().unwrap().unwrap();
    assert_eq!(server.request().unwrap().1, startup);
    server.reply(&response, 0, &Prefix::default()).unwrap();
    client.feed(server.output().unwrap());
    server.sent();
    client.next_frame().unwrap().unwrap();
    assert_eq!(client.response().unwrap().1, response);
    assert_eq!((client.dialect(), client.is_established()), (dialect, true));
    assert_eq!((server.dialect(), server.is_established()), (dialect, true));
    (client, server)
}

fn by_itself(request: &Request<'_>, dialect: Dialect) {
    let mut w = Writer::new();
    w.byte(0xee);
    request.encode(&mut w, dialect).unwrap_or_else(|error| panic!("{error}: {request:?}"));
    let mut r = Reader::new(&w.as_slice()[1..]);
    assert_eq!(Request::decode(request.opcode(), &mut r, dialect).as_ref(), Ok(request));
    assert_eq!(r.left(), 0);
}

/// A type whose class name is too long for a `[string]` has no form in this version.
fn response_by_itself(response: &Response<'_>, dialect: Dialect) -> core::result::Result<(), Error> {
    let mut w = Writer::new();
    w.byte(0xee);
    if let Err(error) = response.encode(&mut w, dialect) {
        assert_eq!((error.kind, error.what), (ErrorKind::TooLarge, "type.class"), "{response:?}");
        return Err(error);
    }
    let mut again = Response::decode(response.opcode(), &mut Reader::new(&w.as_slice()[1..]), dialect).unwrap();
    forget_places(&mut again);
    assert_eq!(again, *response);
    Ok(())
}
