//! Body compression of v3 and v4, and the LZ4 blocks inside v5 segments.
//!
//! LZ4 body: uncompressed length as a big-endian `[int]`, then one LZ4 block. Snappy body: the raw block format. v5: one LZ4 block,
//! its lengths stand in the segment header.

use alloc::vec::Vec;

use crate::spec::{Compression, limit};
use crate::wire::{Error, ErrorKind, Reader, Result};

/// The most that one LZ4 block of `len` bytes can expand to: 255 bytes for each byte after a token.
const fn lz4_expansion(len: usize) -> usize {
    len.saturating_mul(255)
}

/// Decompresses a frame body into `out`, replacing what it held. The claimed size is bounded by what so many bytes can expand to
/// and by `most` before anything is allocated.
pub fn decompress_body(compression: Compression, body: &[u8], most: usize, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    match compression {
        Compression::None => Err(Error::new(ErrorKind::NotNegotiated, "frame.compression", 0)),
        Compression::Lz4 => {
            let mut r = Reader::new(body);
            let size = r.int_flags("frame.body.lz4_length")? as usize;
            if size > most {
                return Err(Error::new(ErrorKind::BadCompression, "frame.body.lz4_length", 0));
            }
            decompress_block(r.rest(), size, out)
        }
        Compression::Snappy => decompress_snappy(body, most, out),
    }
}

/// Decompresses one LZ4 block of known size, appending to `out`.
pub fn decompress_block(block: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    let bad = Error::new(ErrorKind::BadCompression, "frame.body.lz4", 0);
    if size == 0 {
        // Nothing, or the one token of an empty block; several decoders refuse both.
        return if matches!(block, [] | [0]) { Ok(()) } else { Err(bad) };
    }
    if size > limit::FRAME_BODY || size > lz4_expansion(block.len()) {
        return Err(bad);
    }
    let start = out.len();
    out.resize(start + size, 0);
    match lz4_flex::block::decompress_into(block, &mut out[start..]) {
        Ok(written) if written == size => Ok(()),
        _ => {
            out.truncate(start);
            Err(bad)
        }
    }
}

/// Compresses `out[from..]` in place, in the form of a v3 or v4 body. False, and nothing changed, where that gains nothing: an
/// uncompressed body is legal on a compressed connection.
pub fn compress_body(compression: Compression, out: &mut Vec<u8>, from: usize, scratch: &mut Vec<u8>) -> Result<bool> {
    let body = &out[from..];
    scratch.clear();
    match compression {
        Compression::None => return Ok(false),
        Compression::Lz4 => {
            scratch.extend_from_slice(&(body.len() as u32).to_be_bytes());
            compress_block(body, scratch);
        }
        Compression::Snappy => compress_snappy(body, scratch)?,
    }
    if scratch.len() >= body.len() {
        return Ok(false);
    }
    out.truncate(from);
    out.extend_from_slice(scratch);
    Ok(true)
}

/// Appends `payload` as one LZ4 block.
pub fn compress_block(payload: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + lz4_flex::block::get_maximum_output_size(payload.len()), 0);
    // The output has the size that the library asks for, so this cannot fail; an empty block would be refused by the reader.
    let written = lz4_flex::block::compress_into(payload, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

#[cfg(feature = "snappy")]
fn decompress_snappy(body: &[u8], most: usize, out: &mut Vec<u8>) -> Result<()> {
    let bad = Error::new(ErrorKind::BadCompression, "frame.body.snappy", 0);
    let size = snap::raw::decompress_len(body).map_err(|_| bad)?;
    // A snappy element of three bytes copies at most 64.
    if size > most || size > body.len().saturating_mul(64) {
        return Err(bad);
    }
    out.resize(size, 0);
    match snap::raw::Decoder::new().decompress(body, out) {
        Ok(written) if written == size => Ok(()),
        _ => Err(bad),
    }
}

#[cfg(feature = "snappy")]
fn compress_snappy(body: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    out.resize(start + snap::raw::max_compress_len(body.len()), 0);
    match snap::raw::Encoder::new().compress(body, &mut out[start..]) {
        Ok(written) => {
            out.truncate(start + written);
            Ok(())
        }
        Err(_) => Err(Error::new(ErrorKind::BadCompression, "frame.body.snappy", 0)),
    }
}

#[cfg(not(feature = "snappy"))]
fn decompress_snappy(_: &[u8], _: usize, _: &mut Vec<u8>) -> Result<()> {
    Err(Error::new(ErrorKind::Unsupported, "frame.body.snappy (built without the snappy feature)", 0))
}

#[cfg(not(feature = "snappy"))]
fn compress_snappy(_: &[u8], _: &mut Vec<u8>) -> Result<()> {
    Err(Error::new(ErrorKind::Unsupported, "frame.body.snappy (built without the snappy feature)", 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn decompressed(compression: Compression, body: &[u8]) -> Result<Vec<u8>> {
        let mut out = vec![9; 3];
        decompress_body(compression, body, limit::FRAME_BODY, &mut out).map(|()| out)
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
            let mut out = Vec::new();
            assert_eq!(decompress_body(Compression::Lz4, &body, limit::FRAME_BODY, &mut out).unwrap_err().kind, ErrorKind::BadCompression);
            assert_eq!(out.capacity(), 0);
            let mut out = Vec::new();
            assert!(
                decompress_body(Compression::Snappy, &[0xff, 0xff, 0xff, 0x7f, 0x0c, 0, 0, 0, 1], limit::FRAME_BODY, &mut out).is_err()
            );
            assert_eq!(out.capacity(), 0);
        }
    }

    #[test]
    fn only_what_gains_is_compressed() {
        let mut scratch = Vec::new();
        for compression in [Compression::Lz4, Compression::Snappy] {
            let mut out = vec![1, 2, 3];
            assert_eq!(compress_body(compression, &mut out, 1, &mut scratch), Ok(false));
            assert_eq!(out, [1, 2, 3]);
            let mut out = vec![7; 1000];
            assert_eq!(compress_body(compression, &mut out, 9, &mut scratch), Ok(true));
            assert_eq!((out[..9].to_vec(), decompressed(compression, &out[9..])), (vec![7; 9], Ok(vec![7; 991])));
        }
        assert_eq!(compress_body(Compression::None, &mut vec![7; 1000], 9, &mut scratch), Ok(false));
    }
}
