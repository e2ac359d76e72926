//! The frame header (v5 §2.4.1): `<version><flags><stream><opcode><length>`, 9 bytes.

use crate::spec::{Opcode, Version, limit};
use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// The header of one frame. The version is kept as a number: a server may answer in one that this crate does not speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Low seven bits of the first byte.
    pub version: u8,
    /// High bit of the first byte: sent by a server.
    pub is_response: bool,
    /// `spec::flag::header` masks; unknown bits are kept.
    pub flags: u8,
    /// Chosen by the client, echoed by the server; negative for events.
    pub stream: i16,
    /// What the body holds.
    pub opcode: Opcode,
    /// Bytes of the body as sent.
    pub length: usize,
}

impl Header {
    /// Bytes of every header.
    pub const LEN: usize = 9;

    /// The version in a header's first byte.
    pub fn version_of(first: u8) -> u8 {
        first & 0x7f
    }

    /// Reads a header. The length is bounded by `limit::FRAME_BODY`.
    pub fn read(r: &mut Reader<'_>) -> Result<Header> {
        let first = r.byte("frame.version")?;
        r.stands_for(Some(if first & 0x80 != 0 { "response" } else { "request" }));
        let flags = r.byte("frame.flags")?;
        let stream = r.short("frame.stream")? as i16;
        let code = r.clone();
        let opcode = Opcode::from_code(r.byte("frame.opcode")?).ok_or_else(|| code.error(ErrorKind::BadValue, "frame.opcode"))?;
        r.stands_for(Some(opcode.name()));
        let at = r.clone();
        let length = r.int("frame.length")?;
        match usize::try_from(length) {
            Ok(length) if length <= limit::FRAME_BODY => {
                Ok(Header { version: Header::version_of(first), is_response: first & 0x80 != 0, flags, stream, opcode, length })
            }
            _ => Err(at.error(ErrorKind::BadLength, "frame.length")),
        }
    }

    /// Bytes that the frame at the start of `bytes` still lacks, as it claims; 0 where its header is not here.
    pub fn missing(bytes: &[u8]) -> usize {
        let length = bytes.get(..Header::LEN).and_then(<[u8]>::last_chunk).map_or(0, |length| u32::from_be_bytes(*length));
        (Header::LEN + length as usize).saturating_sub(bytes.len())
    }

    /// As it stood on the wire.
    pub fn to_bytes(&self) -> [u8; Header::LEN] {
        let first = self.version | if self.is_response { 0x80 } else { 0 };
        let ([s0, s1], [l0, l1, l2, l3]) = (self.stream.to_be_bytes(), (self.length as u32).to_be_bytes());
        [first, self.flags, s0, s1, self.opcode as u8, l0, l1, l2, l3]
    }

    /// Appends a header of length zero; [`Header::close`] patches it. Returns its offset.
    pub fn open(w: &mut Writer, version: Version, opcode: Opcode, flags: u8, stream: i16) -> usize {
        let start = w.len();
        w.byte(version.number() | if opcode.is_response() { 0x80 } else { 0 });
        w.byte(flags);
        w.short(stream as u16);
        w.byte(opcode as u8);
        w.int(0);
        start
    }

    /// Patches the length of the frame that began at `start`.
    pub fn close(w: &mut Writer, start: usize) -> Result<()> {
        let length = w.len() - start - Header::LEN;
        if length > limit::FRAME_BODY {
            return Err(Error::new(ErrorKind::TooLarge, "frame.length", start));
        }
        w.tail_mut(start)[5..Header::LEN].copy_from_slice(&(length as u32).to_be_bytes());
        Ok(())
    }

    /// Sets flag bits of the frame that began at `start`.
    pub fn add_flags(w: &mut Writer, start: usize, flags: u8) {
        w.tail_mut(start)[1] |= flags;
    }

    /// True if the mask is set.
    pub fn has(&self, mask: u8) -> bool {
        self.flags & mask != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        let bytes = [0x84, 0x0e, 0xff, 0xff, 0x0c, 0, 0, 0, 3];
        let header = Header::read(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(header.to_bytes(), bytes);
        assert_eq!(header, Header { version: 4, is_response: true, flags: 0x0e, stream: -1, opcode: Opcode::Event, length: 3 });
        let mut w = Writer::new();
        w.byte(0xaa); // into a writer that holds bytes
        let start = Header::open(&mut w, Version::V4, Opcode::Event, 0x0e, -1);
        w.put(&[1, 2, 3]);
        Header::close(&mut w, start).unwrap();
        assert_eq!(&w.as_slice()[1..10], bytes);
    }

    #[test]
    fn bad_headers() {
        for len in 0..Header::LEN {
            assert_eq!(Header::read(&mut Reader::new(&[4, 0, 0, 1, 5, 0, 0, 0, 0][..len])).unwrap_err().kind, ErrorKind::Truncated);
        }
        for (bytes, kind, at) in [
            ([4, 0, 0, 1, 4, 0, 0, 0, 0], ErrorKind::BadValue, 4), // opcode 4 was CREDENTIALS of v1
            ([4, 0, 0, 1, 5, 0xff, 0xff, 0xff, 0xff], ErrorKind::BadLength, 5),
            ([4, 0, 0, 1, 5, 0x10, 0, 0, 1], ErrorKind::BadLength, 5),
        ] {
            let error = Header::read(&mut Reader::new(&bytes)).unwrap_err();
            assert_eq!((error.kind, error.at), (kind, at));
        }
    }
}
