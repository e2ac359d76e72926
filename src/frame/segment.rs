//! v5 segments (v5 §2.2): header, payload, CRC-32 of the payload; all little-endian, where everything else in CQL is big-endian.
//!
//! Header without compression: 17 bits payload length, 1 bit self-contained, 6 bits of nothing, CRC-24: 6 bytes.
//! Header under LZ4: 17 bits length as sent, 17 bits uncompressed length, 1 bit self-contained, 5 bits of nothing, CRC-24: 8 bytes.
//! Under LZ4 every segment has the long header; an uncompressed length of 0 says that the payload is not compressed.

use alloc::vec::Vec;

use super::compress::{self, Compressor};
use super::{Header, crc};
use crate::spec::limit;
use crate::wire::{Error, ErrorKind, Reader, Result, Room};

const LENGTH_MASK: u64 = limit::SEGMENT_PAYLOAD as u64;

/// A segment whose bytes are all there and whose checksums hold.
#[derive(Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Holds whole frames. Otherwise it is a part of one frame.
    pub self_contained: bool,
    /// The payload as sent.
    pub payload: &'a [u8],
    /// Length of the payload once decompressed; 0: it is not compressed.
    pub uncompressed_length: usize,
    /// Bytes of the whole segment.
    pub length: usize,
}

/// Bytes of the header without its CRC.
const fn header_len(lz4: bool) -> usize {
    if lz4 { 5 } else { 3 }
}

impl<'a> Segment<'a> {
    /// Reads the segment at the start of `bytes`; `None` while it is not all there. `at` is its offset in the stream, for errors.
    pub fn read(bytes: &'a [u8], lz4: bool, at: usize) -> Result<Option<Segment<'a>>> {
        let header_len = header_len(lz4);
        let mut r = Reader::with_base(bytes, at);
        let Ok(header) = r.take(header_len + 3, "segment.header") else { return Ok(None) };
        let little_endian = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        let (fields, crc24) = header.split_at(header_len);
        let fields = little_endian(fields);
        if u64::from(crc::crc24(fields, header_len as u32)) != little_endian(crc24) {
            return Err(Error::new(ErrorKind::BadChecksum, "segment.header", at));
        }
        let (uncompressed_length, flags) = if lz4 { (fields >> 17 & LENGTH_MASK, fields >> 34) } else { (0, fields >> 17) };
        let (Ok(payload), Ok(crc32)) = (r.take((fields & LENGTH_MASK) as usize, "segment.payload"), r.array("segment.crc32")) else {
            return Ok(None);
        };
        if crc::crc32(payload) != u32::from_le_bytes(crc32) {
            return Err(Error::new(ErrorKind::BadChecksum, "segment.payload", at + header_len + 3));
        }
        Ok(Some(Segment {
            self_contained: flags & 1 != 0,
            payload,
            uncompressed_length: uncompressed_length as usize,
            length: r.position() - at,
        }))
    }

    /// Appends the payload, decompressed where it is compressed. `announced`: bytes of the frame that it is a part of.
    pub fn append_payload(&self, announced: usize, out: &mut Room) -> Result<()> {
        if self.uncompressed_length == 0 {
            out.put(self.payload, announced);
            return Ok(());
        }
        compress::decompress_block(self.payload, self.uncompressed_length, announced, out)
    }
}

/// Appends one segment, under LZ4 where there is a compressor: what does not gain by it is sent as it is.
pub(crate) fn put_segment(payload: &[u8], self_contained: bool, lz4: Option<&mut Compressor>, out: &mut Vec<u8>) {
    let flag = u64::from(self_contained);
    let (fields, header_len, sent) = match lz4 {
        None => (payload.len() as u64 | flag << 17, header_len(false), payload),
        Some(compressor) => {
            let block = compressor.block(payload);
            let (sent, uncompressed) = if block.len() < payload.len() { (block, payload.len() as u64) } else { (payload, 0) };
            (sent.len() as u64 | uncompressed << 17 | flag << 34, header_len(true), sent)
        }
    };
    out.reserve(header_len + 3 + sent.len() + 4);
    out.extend_from_slice(&fields.to_le_bytes()[..header_len]);
    out.extend_from_slice(&crc::crc24(fields, header_len as u32).to_le_bytes()[..3]);
    out.extend_from_slice(sent);
    out.extend_from_slice(&crc::crc32(sent).to_le_bytes());
}

/// Appends whole frames as segments: as many as fit share a self-contained one, a frame of more than 131,071 bytes is cut into
/// parts of its own. Never an empty segment.
pub fn put_frames(frames: &[u8], mut lz4: Option<&mut Compressor>, out: &mut Vec<u8>) -> Result<()> {
    let mut rest = frames;
    while !rest.is_empty() {
        let mut whole = 0;
        let mut first_frame = 0;
        let mut r = Reader::new(rest);
        while r.left() > 0 {
            let header = Header::read(&mut r)?;
            r.take(header.length, "frame.body")?;
            first_frame = if whole == 0 { r.position() } else { first_frame };
            if r.position() > limit::SEGMENT_PAYLOAD {
                break;
            }
            whole = r.position();
        }
        if whole > 0 {
            put_segment(&rest[..whole], true, lz4.as_deref_mut(), out);
            rest = &rest[whole..];
        } else {
            let (frame, after) = rest.split_at(first_frame);
            frame.chunks(limit::SEGMENT_PAYLOAD).for_each(|part| put_segment(part, false, lz4.as_deref_mut(), out));
            rest = after;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const OPTIONS: [u8; 9] = [5, 0, 0, 1, 5, 0, 0, 0, 0];

    #[test]
    fn published_segments() {
        // datastax/go-cassandra-native-protocol#61: the uncompressed length decides, the CRC-32 covers the bytes as sent
        let passed = [9, 0, 0, 0, 4, 0xc2, 0xb8, 0x95, 5, 0, 0, 1, 5, 0, 0, 0, 0, 0xb5, 0x55, 0x74, 0x86];
        let packed = [0x0a, 0, 0x12, 0, 4, 0x12, 0x26, 0x53, 0x90, 5, 0, 0, 1, 5, 0, 0, 0, 0, 0xeb, 0x1c, 0x9c, 0xf1];
        for bytes in [&passed[..], &packed] {
            let segment = Segment::read(bytes, true, 0).unwrap().unwrap();
            let mut out = Room::default();
            segment.append_payload(0, &mut out).unwrap();
            assert_eq!((segment.self_contained, segment.length, out.as_slice()), (true, bytes.len(), &OPTIONS[..]));
        }
        let mut out = vec![];
        put_frames(&OPTIONS, Some(&mut Compressor::default()), &mut out).unwrap();
        assert_eq!(out, passed); // nothing gained: not compressed
        out.clear();
        put_frames(&OPTIONS, None, &mut out).unwrap();
        assert_eq!(out, [9, 0, 2, 0xa4, 0xc8, 0xc1, 5, 0, 0, 1, 5, 0, 0, 0, 0, 0xb5, 0x55, 0x74, 0x86]);
    }

    #[test]
    fn every_prefix_is_partial_and_every_changed_bit_is_seen() {
        let mut whole = vec![];
        put_frames(&OPTIONS, None, &mut whole).unwrap();
        for len in 0..whole.len() {
            assert_eq!(Segment::read(&whole[..len], false, 0), Ok(None));
        }
        for bit in 0..whole.len() * 8 {
            let mut bad = whole.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Segment::read(&bad, false, 7).unwrap_err().kind, ErrorKind::BadChecksum, "bit {bit}");
        }
    }

    #[test]
    fn frames_of_131071_bytes_fit_and_one_more_is_split() {
        for (body, expected) in [(131_062, vec![(131_071, true)]), (131_063, vec![(131_071, false), (1, false)])] {
            let mut frame = OPTIONS.to_vec();
            frame[5..9].copy_from_slice(&(body as u32).to_be_bytes());
            frame.resize(9 + body, 0xab);
            let mut out = vec![];
            put_frames(&frame, None, &mut out).unwrap();
            let (mut seen, mut joined, mut rest) = (vec![], Room::default(), &out[..]);
            while !rest.is_empty() {
                let segment = Segment::read(rest, false, 0).unwrap().unwrap();
                seen.push((segment.payload.len(), segment.self_contained));
                segment.append_payload(0, &mut joined).unwrap();
                rest = &rest[segment.length..];
            }
            assert_eq!((seen, joined.as_slice() == frame), (expected, true));
        }
    }

    #[test]
    fn small_frames_share_a_segment_and_large_ones_stand_alone() {
        let mut large = OPTIONS.to_vec();
        large[5..9].copy_from_slice(&200_000u32.to_be_bytes());
        large.resize(200_009, 1);
        let mut frames = OPTIONS.to_vec();
        frames.extend(OPTIONS);
        frames.extend(&large);
        frames.extend(OPTIONS);
        for lz4 in [false, true] {
            let mut out = vec![];
            put_frames(&frames, lz4.then_some(&mut Compressor::default()), &mut out).unwrap();
            let (mut seen, mut joined, mut rest) = (vec![], Room::default(), &out[..]);
            while !rest.is_empty() {
                let segment = Segment::read(rest, lz4, 0).unwrap().unwrap();
                let before = joined.len();
                segment.append_payload(0, &mut joined).unwrap();
                seen.push((joined.len() - before, segment.self_contained));
                rest = &rest[segment.length..];
            }
            assert_eq!(seen, [(18, true), (131_071, false), (68_938, false), (9, true)]);
            assert!(joined.as_slice() == frames);
        }
    }
}
