//! Body compression of v3 and v4, and the LZ4 blocks inside v5 segments.
//!
//! LZ4 body: uncompressed length as a big-endian `[int]`, then one LZ4 block. Snappy body: the raw block format. v5: one LZ4 block,
//! its lengths stand in the segment header.

use super::lz4;
use crate::spec::{Compression, limit};
use crate::wire::{Error, ErrorKind, Reader, Result, Room, Writer};

/// The most that one LZ4 block of `len` bytes can expand to: 255 bytes for each byte after a token.
const fn lz4_expansion(len: usize) -> usize {
    len.saturating_mul(255)
}

/// Decompresses a frame body into `out`, replacing what it held. The claimed size is bounded by what so many bytes can expand to
/// and by `most` before anything is allocated.
pub fn decompress_body(compression: Compression, body: &[u8], most: usize, out: &mut Room) -> Result<()> {
    out.truncate(0);
    match compression {
        Compression::None => Err(Error::new(ErrorKind::NotNegotiated, "frame.compression", 0)),
        Compression::Lz4 => {
            let mut r = Reader::new(body);
            let size = r.int_flags("frame.body.lz4_length")? as usize;
            if size > most {
                return Err(Error::new(ErrorKind::BadCompression, "frame.body.lz4_length", 0));
            }
            decompress_block(r.rest(), size, 0, out)
        }
        Compression::Snappy => decompress_snappy(body, most, out),
    }
}

/// Decompresses one LZ4 block of known size, appending to `out`, which will be `announced` bytes longer if the wire is right.
pub fn decompress_block(block: &[u8], size: usize, announced: usize, out: &mut Room) -> Result<()> {
    let bad = Error::new(ErrorKind::BadCompression, "frame.body.lz4", 0);
    if size == 0 {
        // Nothing, or the one token of an empty block; several decoders refuse both.
        return if matches!(block, [] | [0]) { Ok(()) } else { Err(bad) };
    }
    if size > limit::FRAME_BODY || size > lz4_expansion(block.len()) {
        return Err(bad);
    }
    let start = out.len();
    match lz4_flex::block::decompress_into(block, out.grow(size, announced)) {
        Ok(written) if written == size => Ok(()),
        _ => {
            out.truncate(start);
            Err(bad)
        }
    }
}

/// What compression keeps from one body to the next: tables that need not be made or zeroed again, and the room of the largest output.
#[derive(Debug, Default)]
pub struct Compressor {
    lz4: lz4::Encoder,
    #[cfg(feature = "snappy")]
    snappy: Option<alloc::boxed::Box<snap::raw::Encoder>>,
    room: Room,
}

impl Compressor {
    /// Compresses `out[from..]` in place, in the form of a v3 or v4 body. False, and nothing changed, for a body of no bytes, which
    /// servers refuse with the flag, and for one that would grow beyond what a frame may have. Any other is compressed whether it gains
    /// or not, as Cassandra and the other drivers do.
    pub fn body(&mut self, compression: Compression, out: &mut Writer, from: usize) -> Result<bool> {
        let body = &out.as_slice()[from..];
        if body.is_empty() || compression == Compression::None {
            return Ok(false);
        }
        if body.len() > limit::FRAME_BODY {
            return Err(Error::new(ErrorKind::TooLarge, "frame.length", 0));
        }
        let length = (body.len() as u32).to_be_bytes();
        let (head, packed) = match compression {
            Compression::Snappy => (&[][..], self.snappy(body)?),
            _ => (&length[..], self.block(body)),
        };
        if head.len() + packed.len() > limit::FRAME_BODY {
            return Ok(false);
        }
        out.truncate(from);
        out.put(head);
        out.put(packed);
        Ok(true)
    }

    /// `payload`, of at most `limit::FRAME_BODY` bytes, as one LZ4 block.
    pub fn block(&mut self, payload: &[u8]) -> &[u8] {
        self.room.truncate(0);
        let len = self.lz4.encode(payload, self.room.grow(lz4::most(payload.len()), 0));
        &self.room.as_slice()[..len]
    }

    #[cfg(feature = "snappy")]
    fn snappy(&mut self, body: &[u8]) -> Result<&[u8]> {
        self.room.truncate(0);
        let room = self.room.grow(snap::raw::max_compress_len(body.len()), 0);
        match self.snappy.get_or_insert_with(|| snap::raw::Encoder::new().into()).compress(body, room) {
            Ok(len) => Ok(&self.room.as_slice()[..len]),
            Err(_) => Err(Error::new(ErrorKind::BadCompression, "frame.body.snappy", 0)),
        }
    }

    #[cfg(not(feature = "snappy"))]
    fn snappy(&mut self, _: &[u8]) -> Result<&[u8]> {
        Err(Error::new(ErrorKind::Unsupported, "frame.body.snappy (built without the snappy feature)", 0))
    }

    /// Memory beyond `limit::KEPT_BUFFER` is given back.
    pub fn give_back(&mut self) {
        self.room.truncate(0);
        self.room.give_back();
    }
}

#[cfg(feature = "snappy")]
fn decompress_snappy(body: &[u8], most: usize, out: &mut Room) -> Result<()> {
    let bad = Error::new(ErrorKind::BadCompression, "frame.body.snappy", 0);
    let size = snap::raw::decompress_len(body).map_err(|_| bad)?;
    // A snappy element of three bytes copies at most 64.
    if size > most || size > body.len().saturating_mul(64) {
        return Err(bad);
    }
    match snap::raw::Decoder::new().decompress(body, out.grow(size, 0)) {
        Ok(written) if written == size => Ok(()),
        _ => {
            out.truncate(0);
            Err(bad)
        }
    }
}

#[cfg(not(feature = "snappy"))]
fn decompress_snappy(_: &[u8], _: usize, _: &mut Room) -> Result<()> {
    Err(Error::new(ErrorKind::Unsupported, "frame.body.snappy (built without the snappy feature)", 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    fn decompressed(compression: Compression, body: &[u8]) -> Result<Vec<u8>> {
        let mut out = Room::default();
        out.put(&[9; 30], 0);
        decompress_body(compression, body, limit::FRAME_BODY, &mut out).map(|()| out.as_slice().to_vec())
    }

    #[test]
    fn a_void_result_as_servers_send_it() {
        // scylladb/scylla-rust-driver#65: the length before an LZ4 block is big-endian
        assert_eq!(decompressed(Compression::Lz4, &[0, 0, 0, 4, 0x40, 0, 0, 0, 1]), Ok(vec![0, 0, 0, 1]));
        assert_eq!(decompressed(Compression::Snappy, &[4, 0x0c, 0, 0, 0, 1]), Ok(vec![0, 0, 0, 1]));
    }

    #[test]
    fn an_empty_body_in_every_form() {
        // scylladb/scylla-rust-driver#1639, whatyouhide/xandra#117
        assert_eq!(decompressed(Compression::Lz4, &[0, 0, 0, 0, 0]), Ok(vec![]));
        assert_eq!(decompressed(Compression::Lz4, &[0, 0, 0, 0]), Ok(vec![]));
        assert_eq!(decompressed(Compression::Snappy, &[0]), Ok(vec![]));
        for short in [&[][..], &[0], &[0, 0], &[0, 0, 0]] {
            assert_eq!(decompressed(Compression::Lz4, short).unwrap_err().kind, ErrorKind::Truncated);
        }
        assert_eq!(decompressed(Compression::Snappy, &[]).unwrap_err().kind, ErrorKind::BadCompression);
    }

    #[test]
    fn a_claimed_size_allocates_nothing() {
        for size in [0xffff_ffffu32, 0x0fff_ffff, 0x0400_0000] {
            let mut body = size.to_be_bytes().to_vec();
            body.extend([0x40, 0, 0, 0, 1]);
            let snappy = [0xff, 0xff, 0xff, 0x7f, 0x0c, 0, 0, 0, 1];
            for (compression, body) in [(Compression::Lz4, &body[..]), (Compression::Snappy, &snappy)] {
                let mut out = Room::default();
                let error = decompress_body(compression, body, limit::FRAME_BODY, &mut out).unwrap_err();
                assert_eq!((error.kind, out.capacity()), (ErrorKind::BadCompression, 0));
            }
        }
    }

    #[test]
    fn all_but_an_empty_body_is_compressed() {
        let mut compressor = Compressor::default();
        for compression in [Compression::Lz4, Compression::Snappy] {
            for length in [1, 2, 991] {
                let mut out = Writer::from(vec![7; 9 + length]);
                assert_eq!(compressor.body(compression, &mut out, 9), Ok(true));
                assert_eq!(
                    (out.as_slice()[..9].to_vec(), decompressed(compression, &out.as_slice()[9..])),
                    (vec![7; 9], Ok(vec![7; length]))
                );
            }
            let mut out = Writer::from(vec![1, 2, 3]);
            assert_eq!((compressor.body(compression, &mut out, 3), out.as_slice()), (Ok(false), &[1, 2, 3][..]));
        }
        assert_eq!(compressor.body(Compression::None, &mut vec![7; 1000].into(), 9), Ok(false));
    }

    #[test]
    fn bodies_about_as_large_as_a_frame_may_have() {
        // Of bytes without a match in reach: the compressed form is larger than a frame may be, the body is not.
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let random = (0..128 << 10).map(|_| random()).collect::<Vec<u8>>().repeat(limit::FRAME_BODY >> 17);
        let mut compressor = Compressor::default();
        for compression in [Compression::Lz4, Compression::Snappy] {
            let mut out = Writer::from(random.clone());
            assert_eq!(compressor.body(compression, &mut out, 0), Ok(false));
            assert!(out.as_slice() == random);
            let mut out = Writer::from(vec![0; limit::FRAME_BODY + 1]);
            assert_eq!(compressor.body(compression, &mut out, 0).unwrap_err().kind, ErrorKind::TooLarge);
            compressor.give_back();
            assert!(compressor.room.capacity() <= limit::KEPT_BUFFER);
        }
    }
}
