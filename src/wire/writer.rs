//! An appending buffer. Counts and lengths are opened as zeros and patched on close: no size pass, no second buffer.

use super::{Error, ErrorKind, Result, Room};
use crate::spec::{Consistency, limit};
use alloc::vec::Vec;
use core::net::IpAddr;

/// The `[value]` length of null.
pub const NULL: [u8; 4] = (-1i32).to_be_bytes();
/// The `[value]` length of "not set" (v4 §3).
pub const UNSET: [u8; 4] = (-2i32).to_be_bytes();

/// Place of a count or length that is not known yet.
#[derive(Debug, Clone, Copy)]
#[must_use = "an opened length must be closed"]
pub struct Mark(usize);

/// The buffer.
#[derive(Debug, Default)]
pub struct Writer {
    room: Room,
}

impl From<Vec<u8>> for Writer {
    /// Goes on behind these bytes.
    fn from(bytes: Vec<u8>) -> Writer {
        Writer { room: bytes.into() }
    }
}

impl Writer {
    /// An empty buffer.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// Bytes written.
    pub fn len(&self) -> usize {
        self.room.len()
    }

    /// True when nothing is written.
    pub fn is_empty(&self) -> bool {
        self.room.is_empty()
    }

    /// Asked before more is begun. No frame may be so large, so nothing is lost; memory on a 32-bit machine would be.
    #[inline]
    pub fn has_room(&self) -> Result<()> {
        if self.len() > limit::OUTPUT { Err(Error::new(ErrorKind::TooLarge, "frame.length", self.len())) } else { Ok(()) }
    }

    /// What is written.
    pub fn as_slice(&self) -> &[u8] {
        self.room.as_slice()
    }

    /// What is written from `from` on, to be changed in place.
    pub fn tail_mut(&mut self, from: usize) -> &mut [u8] {
        &mut self.room.as_mut_slice()[from..]
    }

    /// Everything from `len` on is taken back.
    pub fn truncate(&mut self, len: usize) {
        self.room.truncate(len);
    }

    /// Drops the first `count` bytes; memory beyond `limit::KEPT_BUFFER` is given back where that empties it.
    pub fn drop_front(&mut self, count: usize) {
        self.room.drop_front(count);
        if self.room.is_empty() {
            self.room.give_back();
        }
    }

    /// The bytes themselves.
    pub fn into_bytes(self) -> Vec<u8> {
        self.room.into_bytes()
    }

    /// Bytes as they are.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.room.put(bytes, 0);
    }

    /// `count` bytes of any value, to be filled in place; their offset.
    #[inline]
    pub fn reserve(&mut self, count: usize) -> usize {
        let at = self.room.len();
        self.room.grow(count, 0);
        at
    }

    /// `[byte]`
    pub fn byte(&mut self, value: u8) {
        self.room.put(&[value], 0);
    }

    /// `[short]`
    pub fn short(&mut self, value: u16) {
        self.put(&value.to_be_bytes());
    }

    /// `[int]`
    pub fn int(&mut self, value: i32) {
        self.put(&value.to_be_bytes());
    }

    /// `[int]` that holds flags.
    pub fn int_flags(&mut self, value: u32) {
        self.put(&value.to_be_bytes());
    }

    /// `[long]`
    pub fn long(&mut self, value: i64) {
        self.put(&value.to_be_bytes());
    }

    /// `[consistency]`
    pub fn consistency(&mut self, level: Consistency) {
        self.short(level.0);
    }

    /// A `[short]` length or count.
    pub fn short_len(&mut self, len: usize, what: &'static str) -> Result<()> {
        match u16::try_from(len) {
            Ok(len) => {
                self.short(len);
                Ok(())
            }
            Err(_) => Err(Error::new(ErrorKind::TooLarge, what, self.len())),
        }
    }

    /// An `[int]` length or count.
    pub fn int_len(&mut self, len: usize, what: &'static str) -> Result<()> {
        match i32::try_from(len) {
            Ok(len) => {
                self.int(len);
                Ok(())
            }
            Err(_) => Err(Error::new(ErrorKind::TooLarge, what, self.len())),
        }
    }

    /// `[string]`
    pub fn string(&mut self, text: &str, what: &'static str) -> Result<()> {
        self.short_len(text.len(), what)?;
        self.put(text.as_bytes());
        Ok(())
    }

    /// `[long string]`
    pub fn long_string(&mut self, text: &str, what: &'static str) -> Result<()> {
        self.int_len(text.len(), what)?;
        self.put(text.as_bytes());
        Ok(())
    }

    /// `[bytes]`
    pub fn bytes(&mut self, bytes: Option<&[u8]>, what: &'static str) -> Result<()> {
        match bytes {
            None => self.put(&NULL),
            Some(bytes) => {
                let length = i32::try_from(bytes.len()).map_err(|_| Error::new(ErrorKind::TooLarge, what, self.len()))?;
                let (head, place) = self.room.grow(4 + bytes.len(), 0).split_at_mut(4);
                head.copy_from_slice(&length.to_be_bytes());
                place.copy_from_slice(bytes);
            }
        }
        Ok(())
    }

    /// `[short bytes]`
    pub fn short_bytes(&mut self, bytes: &[u8], what: &'static str) -> Result<()> {
        self.short_len(bytes.len(), what)?;
        self.put(bytes);
        Ok(())
    }

    /// `[string list]`
    pub fn string_list<S: AsRef<str>>(&mut self, list: &[S], what: &'static str) -> Result<()> {
        self.short_len(list.len(), what)?;
        list.iter().try_for_each(|text| self.string(text.as_ref(), what))
    }

    /// `[string map]`
    pub fn string_map<S: AsRef<str>>(&mut self, map: &[(S, S)], what: &'static str) -> Result<()> {
        self.short_len(map.len(), what)?;
        map.iter().try_for_each(|(key, value)| {
            self.string(key.as_ref(), what)?;
            self.string(value.as_ref(), what)
        })
    }

    /// `[bytes map]`
    pub fn bytes_map(&mut self, map: &[(&str, Option<&[u8]>)], what: &'static str) -> Result<()> {
        self.short_len(map.len(), what)?;
        map.iter().try_for_each(|(key, value)| {
            self.string(key, what)?;
            self.bytes(*value, what)
        })
    }

    /// `[inetaddr]`
    pub fn inetaddr(&mut self, address: IpAddr) {
        match address {
            IpAddr::V4(v4) => {
                self.byte(4);
                self.put(&v4.octets());
            }
            IpAddr::V6(v6) => {
                self.byte(16);
                self.put(&v6.octets());
            }
        }
    }

    /// Room for a `[short]` count.
    pub fn open_short(&mut self) -> Mark {
        Mark(self.reserve(2))
    }

    /// Patches a `[short]` count.
    pub fn patch_short(&mut self, mark: Mark, value: usize, what: &'static str) -> Result<()> {
        let value = u16::try_from(value).map_err(|_| Error::new(ErrorKind::TooLarge, what, mark.0))?;
        self.tail_mut(mark.0)[..2].copy_from_slice(&value.to_be_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn shorts_end_at_65535() {
        // scylladb/gocql#1043: a longer one was cut without a word
        let mut w = Writer::new();
        let longest: String = core::iter::repeat_n('x', 65_535).collect();
        w.string(&longest, "s").unwrap();
        assert_eq!(&w.as_slice()[..2], &[0xff, 0xff]);
        let longer: String = core::iter::repeat_n('x', 65_536).collect();
        assert_eq!(w.string(&longer, "s").unwrap_err().kind, ErrorKind::TooLarge);
        assert_eq!(w.short_bytes(longer.as_bytes(), "id").unwrap_err().kind, ErrorKind::TooLarge);
        assert_eq!(w.len(), 65_537);
        let mark = w.open_short();
        assert_eq!(w.patch_short(mark, 65_536, "n").unwrap_err().kind, ErrorKind::TooLarge);
    }

    #[test]
    fn counts_are_patched_where_they_were_opened() {
        let mut w = Writer::new();
        w.byte(7);
        let mark = w.open_short();
        w.put(b"abc");
        w.patch_short(mark, 3, "n").unwrap();
        assert_eq!(w.as_slice(), [7, 0, 3, b'a', b'b', b'c']);
    }
}
