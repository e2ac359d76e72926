//! Any bytes as something compressed: an LZ4 or snappy body, or an LZ4 segment whose checksums hold and whose sizes lie. It becomes what
//! a plain reader of the format makes of it, and never more memory than so many bytes can say. And any bytes, compressed, come back.
//!
//! Input: what to do, then what is compressed. A segment has two sizes before its payload, in four bytes.

use alloc::vec;
use alloc::vec::Vec;

use crate::conn::{Conn, Role};
use crate::frame::compress::{self, Compressor};
use crate::frame::{Header, crc};
use crate::spec::{Compression, Dialect, Opcode, Version, limit};
use crate::wire::{Reader, Room, Writer};

pub(super) fn run(data: &[u8]) -> usize {
    let [what, rest @ ..] = data else { return 0 };
    let most = if *what < 0x80 { limit::FRAME_BODY } else { 100 };
    match what % 4 {
        0 => body(Compression::Lz4, rest, 255, most),
        1 => body(Compression::Snappy, rest, 64, most),
        2 => segment(rest),
        _ => back(rest),
    }
}

fn body(compression: Compression, body: &[u8], expansion: usize, most: usize) -> usize {
    let mut out = Room::default();
    out.put(&[0xee; 3], 0);
    let result = compress::decompress_body(compression, body, most, &mut out);
    let bound = most.min(body.len() * expansion);
    assert!(out.capacity() <= bound.max(8), "{} bytes for {}", out.capacity(), body.len());
    let plain = match compression {
        Compression::Lz4 => body.split_first_chunk().and_then(|(size, block)| plain_lz4(block, u32::from_be_bytes(*size) as usize)),
        _ => plain_snappy(body),
    };
    let plain = plain.filter(|content| content.len() <= most);
    match (result, plain) {
        (Ok(()), Some(plain)) => assert!(out.as_slice() == plain, "another content"),
        (Err(_), None) => {}
        (result, plain) => panic!("{result:?}, but the plain reader gives {plain:?}"),
    }
    body.len() * (1 + expansion) // the plain reader knows no bound but its input
}

/// A segment with two lying sizes but right checksums, between two good ones.
fn segment(data: &[u8]) -> usize {
    let Some((sizes, payload)) = data.split_first_chunk() else { return 0 };
    let sizes = u32::from_be_bytes(*sizes);
    let payload = &payload[..payload.len().min(limit::SEGMENT_PAYLOAD)];
    let (claim, self_contained) = (u64::from(sizes & 0x1_ffff), u64::from(sizes >> 31));
    let fields = payload.len() as u64 | claim << 17 | self_contained << 34;
    let mut wire = fields.to_le_bytes()[..5].to_vec();
    wire.extend(&crc::crc24(fields, 5).to_le_bytes()[..3]);
    wire.extend(payload);
    wire.extend(crc::crc32(payload).to_le_bytes());
    let mut good = Writer::new();
    let start = Header::open(&mut good, Version::V5, Opcode::Ready, 0, 1);
    Header::close(&mut good, start).unwrap();
    let mut around = vec![];
    crate::frame::segment::put_frames(good.as_slice(), Some(&mut Compressor::default()), &mut around).unwrap();

    let mut conn = Conn::established(Role::Client, Dialect { compression: Compression::Lz4, ..Dialect::new(Version::V5) });
    [&around, &wire, &around].into_iter().for_each(|bytes| conn.feed(bytes));
    assert_eq!(conn.next_frame().map(|header| header.map(|header| header.opcode)), Ok(Some(Opcode::Ready)));
    let content = if claim == 0 { Some(payload.to_vec()) } else { plain_lz4(payload, claim as usize) };
    let mut bytes = 0;
    let end = loop {
        match conn.next_frame() {
            Ok(Some(header)) => bytes += Header::LEN + header.length,
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    match content {
        None => assert!(end.is_some(), "a block that cannot be read"),
        // All of it is frames, and the good one after it is there too.
        Some(content) if end.is_none() && bytes > 0 => assert!(bytes <= content.len() + Header::LEN),
        Some(_) => {}
    }
    data.len() + (payload.len() * 255).min(limit::SEGMENT_PAYLOAD)
}

fn back(content: &[u8]) -> usize {
    let repeated = content.repeat(5); // so that there is something to gain
    let mut compressor = Compressor::default();
    for compression in [Compression::Lz4, Compression::Snappy] {
        for content in [content, &repeated] {
            let (mut packed, mut out) = (Writer::from([&[7; 9], content].concat()), Room::default());
            if compressor.body(compression, &mut packed, 9).unwrap() {
                compress::decompress_body(compression, &packed.as_slice()[9..], limit::FRAME_BODY, &mut out).unwrap();
                assert!(out.as_slice() == content);
            } else {
                assert!(content.is_empty() && packed.len() == 9);
            }
            assert_eq!(packed.as_slice()[..9], [7; 9]);
        }
    }
    let (block, mut out) = (compressor.block(content), Room::default());
    compress::decompress_block(block, content.len(), 0, &mut out).unwrap();
    assert!(out.as_slice() == content && plain_lz4(block, content.len()).as_deref() == Some(content));
    data_of_back(content.len())
}

/// Content five times over, and what the compressors hold beside it.
fn data_of_back(length: usize) -> usize {
    length * 5 * 6
}

/// The content of an LZ4 block, straight from its description (lz4_Block_format.md): at most `size` bytes, and just so many.
fn plain_lz4(block: &[u8], size: usize) -> Option<Vec<u8>> {
    if size == 0 {
        return matches!(block, [] | [0]).then(Vec::new);
    }
    let (mut r, mut out) = (Reader::new(block), Vec::new());
    let long = |r: &mut Reader<'_>, nibble: u8| -> Option<usize> {
        let mut length = usize::from(nibble);
        let mut more = if nibble == 15 { 255 } else { 0 };
        while more == 255 {
            more = r.byte("length").ok()?;
            length += usize::from(more);
        }
        Some(length)
    };
    loop {
        let token = r.byte("token").ok()?;
        let literals = long(&mut r, token >> 4)?;
        out.extend(r.take(literals, "literals").ok()?);
        // The last sequence is literals alone.
        if r.left() == 0 {
            return (out.len() == size).then_some(out);
        }
        let offset = usize::from(u16::from_le_bytes(r.array("offset").ok()?));
        let length = long(&mut r, token & 15)? + 4;
        if offset == 0 || offset > out.len() || out.len() + length > size {
            return None;
        }
        (0..length).for_each(|_| out.push(out[out.len() - offset]));
    }
}

/// The content of a raw snappy block, straight from its description (google/snappy, format_description.txt).
fn plain_snappy(block: &[u8]) -> Option<Vec<u8>> {
    let little_endian = |bytes: &[u8]| bytes.iter().rev().fold(0usize, |number, byte| number << 8 | usize::from(*byte));
    let prefix = 1 + block.iter().take(5).position(|byte| *byte < 0x80)?;
    let (prefix, mut rest) = block.split_at(prefix);
    let size = prefix.iter().rev().fold(0usize, |size, byte| size << 7 | usize::from(byte & 0x7f));
    let mut out: Vec<u8> = Vec::new();
    while let Some((tag, after)) = rest.split_first() {
        let tag = usize::from(*tag);
        let (extra, length) = match tag & 3 {
            0 => ((tag >> 2).saturating_sub(59), (tag >> 2) + 1),
            1 => (1, (tag >> 2 & 7) + 4),
            2 => (2, (tag >> 2) + 1),
            _ => (4, (tag >> 2) + 1),
        };
        let (extra, after) = after.split_at_checked(extra)?;
        rest = after;
        if tag & 3 == 0 {
            let length = if extra.is_empty() { length } else { little_endian(extra) + 1 };
            let (literals, after) = rest.split_at_checked(length)?;
            rest = after;
            out.extend(literals);
        } else {
            let offset = little_endian(extra) | if tag & 3 == 1 { (tag & 0xe0) << 3 } else { 0 };
            if offset == 0 || offset > out.len() {
                return None;
            }
            (0..length).for_each(|_| out.push(out[out.len() - offset]));
        }
        if out.len() > size {
            return None;
        }
    }
    (out.len() == size).then_some(out)
}
