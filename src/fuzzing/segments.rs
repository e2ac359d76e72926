//! Frames of ours in segments, as we put them and as others may: read back as they were, however the stream is cut. With one byte
//! changed, which the checksums must see, or the end missing, what comes before is read as it was, and nothing else.
//!
//! Input: by `arbitrary`, see [`Plan`].

use alloc::vec;
use alloc::vec::Vec;

use arbitrary::Unstructured;

use super::Random;
use crate::conn::{Conn, Role};
use crate::frame::compress::Compressor;
use crate::frame::{Header, segment};
use crate::spec::{Compression, Dialect, Opcode, Version, limit};
use crate::wire::{ErrorKind, Writer};

/// What is sent, and what happens to it.
struct Plan {
    role: Role,
    lz4: bool,
    /// Stream, and body.
    frames: Vec<(i16, Vec<u8>)>,
    /// How they are put in segments: runs of frames, or parts of this many bytes.
    groups: Vec<Group>,
    seed: u16,
    damage: Damage,
}

enum Group {
    /// As many frames, the way we send them.
    Ours(usize),
    /// One frame in parts of as many bytes.
    Parts(usize),
    /// A segment without a byte.
    Empty,
}

enum Damage {
    None,
    Cut(usize),
    Byte(usize, u8),
}

pub(super) fn run(data: &[u8]) -> usize {
    let Ok(plan) = plan(&mut Unstructured::new(data)) else { return 0 };
    let (mut wire, sent) = wire(&plan);
    let whole = wire.len();
    match plan.damage {
        Damage::Cut(at) => wire.truncate(at % (whole + 1)),
        Damage::Byte(at, change) if whole > 0 => wire[at % whole] ^= change,
        Damage::Byte(..) | Damage::None => {}
    }
    let mut random = Random::new(plan.seed);
    let compression = if plan.lz4 { Compression::Lz4 } else { Compression::None };
    let mut conn = Conn::established(plan.role, Dialect { compression, ..Dialect::new(Version::V5) });
    let mut expected = sent.iter();
    let mut error = None;
    'pieces: for piece in random.pieces(&wire) {
        conn.feed(piece);
        loop {
            match conn.next_frame() {
                Ok(None) => break,
                Ok(Some(header)) => {
                    let (stream, body) = expected.next().expect("no more frames than were sent");
                    assert_eq!((header.stream, header.flags), (*stream, 0));
                    assert!(conn.body().unwrap().2.rest() == *body, "another body");
                }
                Err(framing) => {
                    error = Some(framing.kind);
                    break 'pieces;
                }
            }
        }
    }
    match plan.damage {
        Damage::None => assert_eq!((error, expected.len()), (None, 0)),
        // A cut between two segments shows only in what is missing.
        Damage::Cut(_) => assert_eq!(error, None),
        Damage::Byte(_, change) if change != 0 && whole > 0 => assert_eq!(error, Some(ErrorKind::BadChecksum)),
        Damage::Byte(..) => assert_eq!((error, expected.len()), (None, 0)),
    }
    data.len() + whole + sent.iter().map(|(_, body)| body.len()).sum::<usize>()
}

fn plan(u: &mut Unstructured<'_>) -> arbitrary::Result<Plan> {
    let role = if u.arbitrary()? { Role::Client } else { Role::Server };
    let lz4 = u.arbitrary()?;
    let seed = u.arbitrary()?;
    let mut random = Random::new(seed);
    let damage = match u.int_in_range(0..=3)? {
        0 => Damage::Cut(u.arbitrary::<u32>()? as usize),
        1 => Damage::Byte(u.arbitrary::<u32>()? as usize, u.arbitrary()?),
        _ => Damage::None,
    };
    let mut groups = vec![];
    for _ in 0..u.int_in_range(0..=5)? {
        groups.push(match u.int_in_range(0..=4)? {
            0 | 1 => Group::Ours(u.int_in_range(1..=4)?),
            2 => Group::Parts(u.int_in_range(1..=12)?),
            3 => Group::Parts(u.int_in_range(100..=limit::SEGMENT_PAYLOAD)?),
            _ => Group::Empty,
        });
    }
    let mut frames = vec![];
    for _ in 0..u.int_in_range(0..=6)? {
        let stream = u.arbitrary()?;
        let body = match u.int_in_range(0..=5)? {
            0..=3 => {
                let length = u.arbitrary_len::<u8>()?;
                u.bytes(length)?.into()
            }
            // About the size of a segment and beyond: alike, or of noise.
            4 => vec![u.arbitrary()?; u.int_in_range(0..=300_000)?],
            _ => (0..u.int_in_range(131_000..=131_200)?).map(|_| random.below(256) as u8).collect(),
        };
        frames.push((stream, body));
    }
    Ok(Plan { role, lz4, frames, groups, seed, damage })
}

/// The bytes on the wire, and the frames in them. Frames that no group takes go out together.
fn wire(plan: &Plan) -> (Vec<u8>, &[(i16, Vec<u8>)]) {
    let (mut out, mut rest) = (vec![], &plan.frames[..]);
    let mut compressor = Compressor::default();
    let mut lz4 = plan.lz4.then_some(&mut compressor);
    for group in &plan.groups {
        match group {
            Group::Empty => segment::put_segment(&[], true, lz4.as_deref_mut(), &mut out),
            Group::Ours(count) => {
                let (taken, after) = rest.split_at((*count).min(rest.len()));
                segment::put_frames(&frames(plan.role, taken), lz4.as_deref_mut(), &mut out).unwrap();
                rest = after;
            }
            Group::Parts(size) => {
                let Some((first, after)) = rest.split_first() else { continue };
                let frame = frames(plan.role, core::slice::from_ref(first));
                // Small parts of a large frame would only take long.
                let size = (*size).max(frame.len() / 100);
                frame.chunks(size).for_each(|part| segment::put_segment(part, false, lz4.as_deref_mut(), &mut out));
                rest = after;
            }
        }
    }
    segment::put_frames(&frames(plan.role, rest), lz4, &mut out).unwrap();
    (out, &plan.frames)
}

fn frames(role: Role, frames: &[(i16, Vec<u8>)]) -> Vec<u8> {
    let opcode = if role == Role::Client { Opcode::AuthSuccess } else { Opcode::AuthResponse };
    let mut w = Writer::new();
    for (stream, body) in frames {
        let start = Header::open(&mut w, Version::V5, opcode, 0, *stream);
        w.put(body);
        Header::close(&mut w, start).unwrap();
    }
    w.into_bytes()
}
