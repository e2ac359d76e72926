//! The receive side: bytes → segments → frames → bodies. Where the cursor stands and how much is buffered are two numbers, and
//! bytes move only when the buffer is compacted: once no whole frame is left in it, or before new ones come.

use core::ops::Range;

use crate::frame::segment::Segment;
use crate::frame::{Header, compress};
use crate::spec::flag::header as flag;
use crate::spec::{Compression, Dialect, Version};
use crate::wire::{Error, ErrorKind, Reader, Result, Room};

/// Where a frame's body lies.
#[derive(Debug, Clone)]
enum Place {
    /// In `raw`.
    Raw(Range<usize>),
    /// In `joined`.
    Joined(Range<usize>),
    /// In `inflated`, decompressed.
    Inflated,
    /// Nowhere: it does not decompress.
    Bad(Error),
}

/// Buffers and cursors of one direction.
#[derive(Debug, Default)]
pub struct Input {
    /// As received.
    raw: Room,
    /// Bytes of `raw` that are done with.
    raw_at: usize,
    /// Bytes of the stream before `raw[0]`, for errors.
    stream_at: usize,
    /// What is left, inside `raw`, of a self-contained segment that was not compressed.
    whole: Range<usize>,
    /// Payloads that were decompressed, or that are parts of one frame.
    joined: Room,
    joined_at: usize,
    /// `joined` may end inside a frame: its last segment was not self-contained.
    joined_is_open: bool,
    /// A decompressed body.
    inflated: Room,
    frame: Option<(Header, Place)>,
    frame_at: usize,
}

impl Input {
    /// Room for `length` more bytes.
    pub fn receive(&mut self, length: usize) -> &mut [u8] {
        self.compact();
        // Where frames come in segments the number means nothing, and does no harm.
        let missing = Header::missing(&self.raw.as_slice()[self.raw_at..]);
        self.raw.grow(length, missing)
    }

    /// Drops what is done with: when no whole frame is left, so that a connection that falls idle keeps at most `limit::KEPT_BUFFER`
    /// beside the frame that is on its way; and before new bytes come, for who does not ask until there is none.
    pub fn compact(&mut self) {
        self.frame = None;
        self.inflated.truncate(0);
        let done = if self.whole.is_empty() { self.raw_at } else { self.whole.start };
        self.stream_at += done;
        self.raw.drop_front(done);
        self.raw_at -= done;
        self.whole = self.whole.start.saturating_sub(done)..self.whole.end.saturating_sub(done);
        self.joined.drop_front(self.joined_at);
        self.joined_at = 0;
        [&mut self.raw, &mut self.joined, &mut self.inflated].into_iter().for_each(Room::give_back);
    }

    /// The next whole frame, its body of at most `most` bytes. `segments`: frames come in segments, `Some(true)` with LZ4.
    pub fn next(&mut self, segments: Option<bool>, most: usize) -> Result<Option<Header>> {
        self.frame = None;
        let Some(lz4) = segments else {
            let frame = frame_in(&self.raw.as_slice()[self.raw_at..], self.stream_at + self.raw_at, most)?;
            return Ok(frame.map(|(header, length)| {
                self.frame_at = self.stream_at + self.raw_at;
                let body = self.raw_at + Header::LEN..self.raw_at + length;
                self.raw_at = body.end;
                self.set(header, Place::Raw(body))
            }));
        };
        loop {
            if let Some(header) = self.next_in_payloads(most)? {
                return Ok(Some(header));
            }
            if !self.next_segment(lz4)? {
                return Ok(None);
            }
        }
    }

    fn next_in_payloads(&mut self, most: usize) -> Result<Option<Header>> {
        let at = self.stream_at + self.whole.start;
        if !self.whole.is_empty() {
            let (header, length) = frame_in(&self.raw.as_slice()[self.whole.clone()], at, most)?.ok_or(Error::new(
                ErrorKind::Truncated,
                "segment.payload",
                at,
            ))?;
            let body = self.whole.start + Header::LEN..self.whole.start + length;
            self.frame_at = at;
            self.whole.start = body.end;
            return Ok(Some(self.set(header, Place::Raw(body))));
        }
        let at = self.stream_at + self.raw_at;
        match frame_in(&self.joined.as_slice()[self.joined_at..], at, most)? {
            Some((header, length)) => {
                let body = self.joined_at + Header::LEN..self.joined_at + length;
                self.frame_at = at;
                self.joined_at = body.end;
                Ok(Some(self.set(header, Place::Joined(body))))
            }
            None if self.joined_at == self.joined.len() || self.joined_is_open => Ok(None),
            None => Err(Error::new(ErrorKind::Truncated, "segment.payload", at)),
        }
    }

    /// Takes one segment; false until it is all there.
    fn next_segment(&mut self, lz4: bool) -> Result<bool> {
        let at = self.stream_at + self.raw_at;
        let Some(segment) = Segment::read(&self.raw.as_slice()[self.raw_at..], lz4, at)? else { return Ok(false) };
        let in_frame = self.joined_at < self.joined.len();
        if segment.self_contained && in_frame {
            return Err(Error::new(ErrorKind::BadValue, "segment.header (self-contained inside a split frame)", at));
        }
        if !in_frame {
            self.joined.truncate(0);
            self.joined_at = 0;
        }
        self.joined_is_open = !segment.self_contained;
        if segment.self_contained && segment.uncompressed_length == 0 {
            let end = self.raw_at + segment.length - 4; // its checksum
            self.whole = end - segment.payload.len()..end;
        } else {
            let missing = Header::missing(&self.joined.as_slice()[self.joined_at..]);
            segment.append_payload(missing, &mut self.joined).map_err(|error| error.offset_by(at))?;
        }
        self.raw_at += segment.length;
        Ok(true)
    }

    fn set(&mut self, header: Header, place: Place) -> Header {
        self.frame = Some((header, place));
        header
    }

    /// Decompresses the current frame's body where its flag says so. v5 ignores the flag: its segments are compressed instead.
    pub fn inflate(&mut self, header: &Header, dialect: Dialect, most: usize) {
        if !header.has(flag::COMPRESSION) || !dialect.has_compressed_bodies() || self.body().is_err() {
            return;
        }
        let mut inflated = core::mem::take(&mut self.inflated);
        let result = match dialect.compression {
            Compression::None => Err(Error::new(ErrorKind::NotNegotiated, "frame.flags (compression)", 0)),
            compression => self.body().and_then(|body| compress::decompress_body(compression, body, most, &mut inflated)),
        };
        self.inflated = inflated;
        if let Some((_, place)) = &mut self.frame {
            *place = result.map_or_else(Place::Bad, |()| Place::Inflated);
        }
    }

    /// The current frame cannot be read, for this reason.
    pub fn spoil(&mut self, error: Error) {
        if let Some((_, place)) = &mut self.frame {
            *place = Place::Bad(error);
        }
    }

    /// Bytes that wait for the rest of their frame.
    pub fn waiting(&self) -> usize {
        self.raw.len() - self.raw_at + self.joined.len() - self.joined_at
    }

    /// Header of the current frame.
    pub fn header(&self) -> Option<Header> {
        self.frame.as_ref().map(|(header, _)| *header)
    }

    /// Its offset in the stream; of one that compressed or several segments carried, where the last of them ends.
    pub fn frame_at(&self) -> usize {
        self.frame_at
    }

    /// Its body, decompressed.
    pub fn body(&self) -> Result<&[u8]> {
        match &self.frame {
            Some((_, Place::Raw(range))) => Ok(&self.raw.as_slice()[range.clone()]),
            Some((_, Place::Joined(range))) => Ok(&self.joined.as_slice()[range.clone()]),
            Some((_, Place::Inflated)) => Ok(self.inflated.as_slice()),
            Some((_, Place::Bad(error))) => Err(*error),
            None => Err(Error::new(ErrorKind::Misuse, "frame", self.stream_at)),
        }
    }
}

/// The frame at the start of `bytes` and its length with the header; `None` while it is not all there. One of more than `most` bytes is
/// refused once its header is here, before its body is waited for.
fn frame_in(bytes: &[u8], at: usize, most: usize) -> Result<Option<(Header, usize)>> {
    if bytes.first().is_some_and(|first| Version::has_short_header(Header::version_of(*first))) {
        return Err(Error::new(ErrorKind::WrongVersion, "frame.version", at));
    }
    if bytes.len() < Header::LEN {
        return Ok(None);
    }
    let header = Header::read(&mut Reader::with_base(bytes, at))?;
    if header.length > most {
        return Err(Error::new(ErrorKind::BadLength, "frame.length", at + 5));
    }
    let length = Header::LEN + header.length;
    Ok((bytes.len() >= length).then_some((header, length)))
}
