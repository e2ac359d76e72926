//! Recorded sessions (`testdata/sessions`): loading, replaying through two codecs, and cutting the streams into units.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::{Header, Prefix};
use cqlwire::message::{Request, Response};
use cqlwire::spec::{Compression, Dialect, Opcode, Version};
use cqlwire::wire::Reader;
use serde_json::Value as Json;

/// Every recording but the probes.
pub const SESSIONS: [&str; 9] =
    ["v3-plain", "v4-plain", "v4-lz4", "v4-snappy", "v5-plain", "v5-lz4", "failures-v3", "failures-v4", "failures-v5"];

/// A chunk as read from a socket.
pub struct Chunk {
    pub conn: u64,
    pub is_response: bool,
    pub bytes: Vec<u8>,
}

/// One frame, decompressed and cut at the end of its prefixes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub conn: u64,
    pub header: Header,
    pub dialect: Dialect,
    pub tracing_id: Option<[u8; 16]>,
    pub warnings: Vec<String>,
    pub payload: Vec<(String, Option<Vec<u8>>)>,
    pub message: Vec<u8>,
}

impl Frame {
    /// The frame at which a codec stands.
    pub fn of(conn: u64, codec: &Conn) -> Frame {
        let (header, prefix, r) = codec.body().unwrap_or_else(|error| panic!("connection {conn}: {error}"));
        let Prefix { tracing_id, warnings, custom_payload } = prefix;
        let payload = custom_payload.into_iter().map(|(name, bytes)| (name.into(), bytes.map(Vec::from))).collect();
        let warnings = warnings.into_iter().map(String::from).collect();
        Frame { conn, header, dialect: codec.dialect(), tracing_id, warnings, payload, message: r.rest().into() }
    }

    /// The whole frame as it would be without compression, written in the plainest way.
    pub fn uncompressed(&self) -> Vec<u8> {
        let text = |text: &str| [&(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat();
        let mut body = self.tracing_id.map(Vec::from).unwrap_or_default();
        if self.header.flags & 0x08 != 0 {
            body.extend((self.warnings.len() as u16).to_be_bytes());
            body.extend(self.warnings.iter().flat_map(|warning| text(warning)));
        }
        if self.header.flags & 0x04 != 0 {
            body.extend((self.payload.len() as u16).to_be_bytes());
            for (name, bytes) in &self.payload {
                body.extend(text(name));
                body.extend(bytes.as_ref().map_or(-1, |bytes| bytes.len() as i32).to_be_bytes());
                body.extend(bytes.iter().flatten());
            }
        }
        body.extend(&self.message);
        let Header { version, is_response, flags, stream, opcode, .. } = self.header;
        let mut frame = vec![version | if is_response { 0x80 } else { 0 }, flags & !0x01];
        frame.extend(stream.to_be_bytes());
        frame.push(opcode as u8);
        frame.extend((body.len() as u32).to_be_bytes());
        frame.extend(body);
        frame
    }

    /// The message, all of whose bytes it must take.
    pub fn request(&self) -> Request<'_> {
        let mut r = Reader::new(&self.message);
        let request = Request::decode(self.header.opcode, &mut r, self.dialect).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert_eq!(r.left(), 0, "bytes left over: {self:?}");
        request
    }

    /// The message, all of whose bytes it must take but for the cells of Rows.
    pub fn response(&self) -> Response<'_> {
        let mut r = Reader::new(&self.message);
        let response = Response::decode(self.header.opcode, &mut r, self.dialect).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        match &response {
            Response::Result(cqlwire::message::ResultMessage::Rows(rows)) => assert_eq!(rows.cells, r.rest()),
            _ if self.has_tail() => assert_eq!(r.rest(), [0, 0], "{self:?}"),
            _ => assert_eq!(r.left(), 0, "bytes left over: {self:?}"),
        }
        response
    }

    /// v3 knows no functions: the server tells of a change to one as of its keyspace, and adds an empty name, which no reader reads.
    pub fn has_tail(&self) -> bool {
        let keyspace = self.message.windows(8).position(|text| text == b"KEYSPACE");
        let after = keyspace.filter(|_| self.header.version == 3).map(|at| &self.message[at + 8..]);
        after.is_some_and(|after| after.len() == 2 + usize::from(u16::from_be_bytes([after[0], after[1]])) + 2)
    }
}

/// The lines of `testdata/sessions/NAME.jsonl` or its `.gz`.
pub fn lines(name: &str) -> Vec<Json> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/sessions").join(name);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(_) => {
            let packed = std::fs::File::open(format!("{}.gz", path.display())).unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut text = String::new();
            flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
            text
        }
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The chunks of a recording, in time order.
pub fn chunks(name: &str) -> Vec<Chunk> {
    let chunk = |line: Json| Chunk {
        conn: line["conn"].as_u64().unwrap(),
        is_response: line["dir"] == "s2c",
        bytes: super::hex(line["hex"].as_str().unwrap()),
    };
    lines(&format!("{name}.jsonl")).into_iter().map(chunk).collect()
}

/// The two codecs of each connection: one stands on the client's side and reads responses, one on the server's.
pub struct Replay {
    conns: BTreeMap<u64, (Conn, Conn)>,
    pub frames: Vec<Frame>,
}

impl Replay {
    /// The whole recording, each chunk fed in pieces of at most `piece` bytes. Every frame must decode.
    pub fn of(name: &str, piece: usize) -> Replay {
        let mut replay = Replay { conns: BTreeMap::new(), frames: Vec::new() };
        for chunk in chunks(name) {
            let version = Version::from_number(chunk.bytes[0] & 0x7f);
            replay.conns.entry(chunk.conn).or_insert_with(|| {
                let version = version.expect("the first byte of a connection is its version");
                (Conn::new(Role::Client, version), Conn::new(Role::Server, version))
            });
            for piece in chunk.bytes.chunks(piece) {
                replay.feed(chunk.conn, chunk.is_response, piece);
            }
        }
        replay
    }

    fn feed(&mut self, id: u64, is_response: bool, bytes: &[u8]) {
        let (client, server) = self.conns.get_mut(&id).unwrap();
        if is_response {
            client.feed(bytes)
        } else {
            server.feed(bytes)
        }
        loop {
            let reader = if is_response { &mut *client } else { &mut *server };
            let next = reader.next_frame().unwrap_or_else(|error| panic!("connection {id}: {error}"));
            let Some(header) = next else { return };
            let frame = Frame::of(id, reader);
            match header.opcode {
                // The driver's STARTUP, said by our client too, so that it knows what was agreed.
                Opcode::Startup => {
                    client.send(&frame.request(), header.stream, &FrameOptions::default()).unwrap();
                    assert_eq!(client.output().unwrap(), frame.uncompressed(), "STARTUP is written as the driver wrote it");
                    client.sent();
                    assert_eq!(client.dialect(), server.dialect());
                }
                Opcode::Ready | Opcode::Authenticate => {
                    assert!(client.is_established());
                    server.establish();
                }
                _ => {}
            }
            self.frames.push(frame);
        }
    }
}

/// The stream of one connection and direction, cut without our codec: frames, then (v5) segments once the handshake is over.
pub fn units(name: &str, conn: u64, is_response: bool, version: Version, lz4: bool) -> Vec<(bool, Vec<u8>)> {
    let of_stream = |chunk: &Chunk| chunk.conn == conn && chunk.is_response == is_response;
    let stream: Vec<u8> = chunks(name).into_iter().filter(of_stream).flat_map(|chunk| chunk.bytes).collect();
    let (mut rest, mut in_segments, mut units) = (&stream[..], false, Vec::new());
    while !rest.is_empty() {
        let length = match (in_segments, lz4) {
            (false, _) => 9 + u32::from_be_bytes(rest[5..9].try_into().unwrap()) as usize,
            (true, false) => 6 + (u32::from_le_bytes([rest[0], rest[1], rest[2], 0]) & 0x1_ffff) as usize + 4,
            (true, true) => 8 + (u32::from_le_bytes([rest[0], rest[1], rest[2], 0]) & 0x1_ffff) as usize + 4,
        };
        units.push((in_segments, rest[..length].to_vec()));
        // STARTUP ends the plain part of what a client says; READY and AUTHENTICATE that of what a server says.
        in_segments |= version == Version::V5 && matches!((rest[0] & 0x80 != 0, rest[4]), (false, 1) | (true, 2 | 3));
        rest = &rest[length..];
    }
    units
}

/// What the two sides of a connection agreed, by the last frame seen on it.
pub fn agreed(frames: &[Frame], conn: u64) -> Dialect {
    frames.iter().rfind(|frame| frame.conn == conn).expect("a connection with frames").dialect
}

/// True for LZ4 segments.
pub fn has_lz4_segments(dialect: Dialect) -> bool {
    dialect.has_segments() && dialect.compression == Compression::Lz4
}
