//! The send side: one growing buffer of whole frames. Bodies are compressed where they stand (v3, v4); v5's segments are made when
//! the bytes are taken, so that the requests of one moment share them.

use alloc::vec::Vec;

use crate::frame::compress::Compressor;
use crate::frame::prefix::Payload;
use crate::frame::{Header, Prefix, segment};
use crate::spec::flag::header as flag;
use crate::spec::{Compression, Dialect, Opcode, limit};
use crate::wire::{Error, ErrorKind, Result, Writer};

/// What a request's frame carries beside its message.
#[derive(Debug, Clone, Default)]
pub struct FrameOptions<'a> {
    /// Ask the server to trace it.
    pub tracing: bool,
    /// Agree to a version that the server still calls beta (v5 §2.4.1.2).
    pub use_beta: bool,
    /// Names and opaque bytes for a server extension (v4).
    pub custom_payload: Payload<'a>,
}

/// Frames to be sent, and the bytes that carry them.
#[derive(Debug, Default)]
pub struct Output {
    frames: Writer,
    /// Where the frame that is being built begins.
    open: Option<usize>,
    segments: Vec<u8>,
    compressor: Compressor,
    /// Bytes of frames that go out before segments begin.
    unframed: usize,
    /// What `take` gave last.
    taken: Taken,
    /// Bytes of frames that are sent and not yet dropped.
    done: usize,
}

impl Output {
    /// Begins the frame of a request.
    pub fn begin_request(&mut self, opcode: Opcode, stream: i16, options: &FrameOptions<'_>, dialect: Dialect) -> Result<()> {
        if stream < 0 {
            return Err(Error::new(ErrorKind::OutOfRange, "frame.stream", self.frames.len()));
        }
        let tracing = if options.tracing { flag::TRACING } else { 0 };
        let flags = tracing | if options.use_beta { flag::USE_BETA } else { 0 };
        let prefix = Prefix { custom_payload: options.custom_payload.clone(), ..Prefix::default() };
        self.begin(opcode, stream, flags, &prefix, dialect)
    }

    /// Begins a frame, with what stands before its message.
    pub fn begin(&mut self, opcode: Opcode, stream: i16, flags: u8, prefix: &Prefix<'_>, dialect: Dialect) -> Result<()> {
        if self.open.is_some() {
            return Err(Error::new(ErrorKind::Misuse, "frame", self.frames.len()));
        }
        self.frames.has_room()?;
        if !dialect.has_warnings_and_payload() {
            for (is_there, what) in
                [(!prefix.warnings.is_empty(), "frame.warnings"), (!prefix.custom_payload.is_empty(), "frame.custom_payload")]
            {
                if is_there {
                    return Err(Error::new(ErrorKind::Unsupported, what, self.frames.len()));
                }
            }
        }
        let start = Header::open(&mut self.frames, dialect.version, opcode, flags, stream);
        self.open = Some(start);
        match prefix.write(&mut self.frames) {
            Ok(flags) => {
                Header::add_flags(&mut self.frames, start, flags);
                Ok(())
            }
            Err(error) => {
                self.abort();
                Err(error)
            }
        }
    }

    /// The buffer, for the message.
    pub fn writer(&mut self) -> &mut Writer {
        &mut self.frames
    }

    /// Ends the frame; its length before compression.
    pub fn end(&mut self, compression: Compression) -> Result<usize> {
        let start = self.open.ok_or(Error::new(ErrorKind::Misuse, "frame", self.frames.len()))?;
        let length = self.frames.len() - start;
        if self.compressor.body(compression, &mut self.frames, start + Header::LEN)? {
            Header::add_flags(&mut self.frames, start, flag::COMPRESSION);
        }
        Header::close(&mut self.frames, start)?;
        self.open = None;
        self.drop_done();
        Ok(length)
    }

    /// Takes back the frame that is being built.
    pub fn abort(&mut self) {
        if let Some(start) = self.open.take() {
            self.frames.truncate(start);
            self.drop_done();
        }
    }

    /// All whole frames, in segments where `segments` says so (`Some(true)` with LZ4). A frame that is being built stays.
    pub fn take(&mut self, segments: Option<bool>) -> Result<&[u8]> {
        if self.open.is_some() {
            return Err(Error::new(ErrorKind::Misuse, "frame", self.frames.len()));
        }
        let bytes = match segments {
            None => self.frames.as_slice(),
            Some(lz4) => {
                self.segments.clear();
                let (unframed, frames) = self.frames.as_slice().split_at(self.unframed);
                self.segments.extend_from_slice(unframed);
                segment::put_frames(frames, lz4.then_some(&mut self.compressor), &mut self.segments)?;
                &self.segments
            }
        };
        self.taken = Taken { frames: self.frames.len(), wire: bytes.len() };
        Ok(bytes)
    }

    /// Frames so far stay out of segments, those after them do not.
    pub fn begin_segments(&mut self) {
        self.unframed = self.frames.len();
    }

    /// What `take` gave last is on its way: its bytes are dropped, and no others. How many they were.
    pub fn sent(&mut self) -> usize {
        let Taken { frames, wire } = core::mem::take(&mut self.taken);
        self.done += frames;
        self.drop_done();
        self.segments.clear();
        self.segments.shrink_to(limit::KEPT_BUFFER);
        self.compressor.give_back();
        wire
    }

    /// Not while a frame is being built: whoever builds it holds offsets.
    fn drop_done(&mut self) {
        if self.open.is_none() {
            let done = core::mem::take(&mut self.done);
            self.unframed = self.unframed.saturating_sub(done);
            self.frames.drop_front(done);
        }
    }
}

/// What `take` gave: bytes of frames, and bytes for the wire.
#[derive(Debug, Default)]
struct Taken {
    frames: usize,
    wire: usize,
}
