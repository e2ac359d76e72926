//! Any bytes as what one side of a connection receives: however they are cut, the messages and the error are those of the whole.
//!
//! Input: who reads, in which dialect and within which limits, a seed for the cuts (two bytes), the stream.

use alloc::vec::Vec;

use super::{DIALECTS, Random, startup};
use crate::conn::{Conn, FrameOptions, Role};
use crate::frame::{Header, Prefix};
use crate::message::{Authenticate, Request, Response};
use crate::spec::{Compression, Dialect, Limits, Opcode};
use crate::wire::Result;

pub(super) fn run(data: &[u8]) -> usize {
    let [who, high, low, stream @ ..] = data else { return 0 };
    let dialect = DIALECTS[usize::from(who >> 2 & 15) % DIALECTS.len()];
    let (role, established) = (if who & 1 == 0 { Role::Client } else { Role::Server }, who & 2 == 0);
    let mut random = Random::new(u16::from_be_bytes([*high, *low]));
    let (mut whole, mut cut) = (connection(role, dialect, established), connection(role, dialect, established));
    if who >> 6 == 3 {
        let limits = Limits { frame_body: 60, ..Limits::default() };
        [&mut whole, &mut cut].into_iter().for_each(|conn| conn.set_limits(limits));
    }
    whole.feed(stream);
    for piece in random.pieces(stream) {
        cut.feed(piece);
        // Some callers take one frame after each feed, and never ask until there is none.
        let most = if random.below(4) == 0 { 1 } else { usize::MAX };
        take(&mut whole, &mut cut, most);
    }
    take(&mut whole, &mut cut, usize::MAX);
    if cut.next_frame().is_ok() {
        assert_eq!(whole.next_frame(), Ok(None), "frames that the pieces did not give");
    }
    assert_eq!(cut.next_frame(), whole.next_frame(), "the same when asked again");
    assert_eq!((cut.traffic(), cut.waiting()), (whole.traffic(), whole.waiting()));
    assert_eq!((cut.dialect(), cut.is_established()), (whole.dialect(), whole.is_established()));
    // What a block claims is allocated before it is known to be wrong, where so many bytes could say as much.
    let expansion = match whole.dialect().compression {
        Compression::None => 1,
        Compression::Snappy => 64,
        Compression::Lz4 => 255,
    };
    cut.traffic().frames_received as usize + data.len() * expansion
}

fn connection(role: Role, dialect: Dialect, established: bool) -> Conn {
    if established {
        return Conn::established(role, dialect);
    }
    let mut conn = Conn::new(role, dialect.version);
    conn.offer(dialect.features);
    if role == Role::Client {
        conn.send(&Request::Startup(startup(dialect)), 0, &FrameOptions::default()).unwrap();
        assert_eq!(conn.dialect(), dialect);
    }
    conn
}

/// The next frames of both, at most so many, which must be the same.
fn take(whole: &mut Conn, cut: &mut Conn, most: usize) {
    for _ in 0..most {
        let next = cut.next_frame();
        if next == Ok(None) {
            return;
        }
        assert_eq!(whole.next_frame(), next);
        let Ok(Some(header)) = next else { return };
        assert_eq!(
            cut.body().map(|(header, prefix, r)| (header, prefix, r.rest())),
            whole.body().map(|(header, prefix, r)| (header, prefix, r.rest()))
        );
        assert_eq!(cut.response(), whole.response());
        assert_eq!(cut.request(), whole.request());
        told_where(cut, whole);
        answer(whole, &header);
        answer(cut, &header);
    }
}

/// Where the fields stand, and where reading one failed, is the same too, and inside the frame.
fn told_where(cut: &Conn, whole: &Conn) {
    let (trace, bytes) = (cut.trace(None), cut.frame_bytes().unwrap_or_default());
    assert_eq!(trace, whole.trace(None));
    for entry in trace.iter().flat_map(|frame| &frame.entries) {
        assert!(entry.start <= entry.end && entry.end <= bytes.len(), "{entry:?} of {} bytes", bytes.len());
    }
    let error = if cut.role() == Role::Client { cut.response().err() } else { cut.request().err() };
    if let Some(error) = error {
        assert_eq!(cut.path(&error, None), whole.path(&error, None));
    }
}

/// A server answers STARTUP if it can read it, and the connection is established.
fn answer(conn: &mut Conn, header: &Header) {
    let can_read = |conn: &Conn| -> Result<bool> { Ok(matches!(conn.request()?.1, Request::Startup(_))) };
    if header.opcode != Opcode::Startup || conn.is_established() || can_read(conn) != Ok(true) {
        return;
    }
    let authenticate = Response::Authenticate(Authenticate { authenticator: "a" });
    let response = if header.stream & 1 == 0 { Response::Ready } else { authenticate };
    if conn.reply(&response, header.stream, &Prefix::default()).is_ok() {
        let _: Vec<u8> = conn.output().unwrap().into();
        conn.sent();
    }
}
