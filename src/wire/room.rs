//! A buffer that is written from outside: by JavaScript, by a decompressor. Safe code can only lend bytes that have a value, so a `Vec`
//! would zero them anew each time; here they keep the value of what was there before.

use alloc::vec::Vec;

use crate::spec::limit;

/// Bytes that come at the end and are dropped from the front.
#[derive(Debug, Default)]
pub struct Room {
    /// The content, and behind it what once was content.
    bytes: Vec<u8>,
    len: usize,
}

impl From<Vec<u8>> for Room {
    fn from(bytes: Vec<u8>) -> Room {
        Room { len: bytes.len(), bytes }
    }
}

impl Room {
    /// Bytes of content.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there is no content.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The content.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The content, to be changed in place.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }

    /// The content alone.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len);
        self.bytes
    }

    /// Bytes that it takes in memory.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// `more` bytes of content of any value, to be written at once. `announced`: what will come in all, as the wire claims. That is
    /// believed up to three times of what is here, so that a large frame is seldom moved while it comes and takes no more than its size.
    #[inline]
    pub fn grow(&mut self, more: usize, announced: usize) -> &mut [u8] {
        let start = self.len;
        if more > self.bytes.len() - start {
            self.enlarge(more, announced);
        }
        self.len = start + more;
        &mut self.bytes[start..self.len]
    }

    /// Appends a copy.
    #[inline]
    pub fn put(&mut self, bytes: &[u8], announced: usize) {
        self.grow(bytes.len(), announced).copy_from_slice(bytes);
    }

    #[cold]
    #[inline(never)]
    fn enlarge(&mut self, more: usize, announced: usize) {
        let growth = if announced > 0 { announced.min(3 * self.len) } else { self.len };
        let size = self.len + growth.max(more);
        if size > self.bytes.capacity() {
            self.bytes.reserve_exact(size - self.bytes.len());
        }
        // All of it now, so that the next bytes find their room.
        self.bytes.resize(self.bytes.capacity(), 0);
    }

    /// Everything from `len` on is taken back.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Drops the first `count` bytes.
    pub fn drop_front(&mut self, count: usize) {
        // A frame on its way is asked this at each chunk of it: to move it onto itself made its cost a square of its size.
        if count == 0 {
            return;
        }
        self.bytes.copy_within(count..self.len, 0);
        self.len -= count;
    }

    /// Memory beyond `limit::KEPT_BUFFER` is given back, where most of it is free.
    pub fn give_back(&mut self) {
        if self.bytes.capacity() > limit::KEPT_BUFFER && self.len < self.bytes.capacity() / 4 {
            self.bytes.truncate(self.len.max(limit::KEPT_BUFFER));
            self.bytes.shrink_to_fit();
        }
    }
}
