//! A cursor over bytes that are all there. It alone checks bounds: the code above it has no index arithmetic. Each read names the
//! field it reads, so that an error says it too, and a trace; a failed read leaves the cursor where it was.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::trace::{Shown, Trace};
use super::{Error, ErrorKind, Result};
use crate::spec::Consistency;

/// The cursor. `Copy`-cheap to clone: a look-ahead is a clone.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of `bytes[0]` in what the caller calls the whole, for errors.
    base: usize,
    trace: Option<&'a Trace>,
}

impl<'a> Reader<'a> {
    /// At the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader::with_base(bytes, 0)
    }

    /// At the start of `bytes`, which stand at offset `base` of a larger whole.
    pub fn with_base(bytes: &'a [u8], base: usize) -> Reader<'a> {
        Reader { bytes, at: 0, base, trace: None }
    }

    /// The same, each field it reads being written down in `trace`.
    pub fn traced(self, trace: &'a Trace) -> Reader<'a> {
        Reader { trace: Some(trace), ..self }
    }

    /// At the start of `bytes`, which this reader read last.
    pub fn inside(&self, bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, base: self.position() - bytes.len(), trace: self.trace }
    }

    /// What `read` reads is one group of a trace; `index`: which of several.
    pub fn group<T>(
        &mut self,
        what: &'static str,
        index: impl Into<Option<usize>>,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<T> {
        let Some(trace) = self.trace else { return read(self) };
        trace.open(what, index.into(), self.position());
        let result = read(self)?;
        trace.close(self.position());
        Ok(result)
    }

    /// What the number that was read last stands for, for a trace.
    pub fn stands_for(&self, name: Option<&str>) {
        if let (Some(trace), Some(name)) = (self.trace, name) {
            trace.add(name);
        }
    }

    /// Reads on without a trace: parts of what will be one field.
    #[inline]
    pub(super) fn ahead(&self) -> Reader<'a> {
        Reader { trace: None, ..*self }
    }

    /// Goes to where `ahead` is: what lies between is one field.
    #[inline]
    pub(super) fn go_to(&mut self, ahead: &Reader<'a>, what: &'static str, shown: Shown<'_>) {
        if let Some(trace) = self.trace {
            trace.field(what, [self.position(), ahead.position()], shown);
        }
        self.at = ahead.at;
    }

    /// Offset of the next byte.
    pub fn position(&self) -> usize {
        self.base + self.at
    }

    /// Bytes not yet read.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The bytes not yet read, without reading them.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// An error about `what`, here.
    #[cold]
    pub fn error(&self, kind: ErrorKind, what: &'static str) -> Error {
        Error::new(kind, what, self.position())
    }

    /// The next `count` bytes.
    #[inline]
    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8]> {
        match self.bytes[self.at..].split_at_checked(count) {
            Some((taken, _)) => {
                let ahead = Reader { at: self.at + count, ..*self };
                self.go_to(&ahead, what, Shown::Bytes(Some(taken)));
                Ok(taken)
            }
            None => Err(self.error(ErrorKind::Truncated, what)),
        }
    }

    /// The next `N` bytes, as what `make` makes of them.
    #[inline]
    fn number<const N: usize, T: core::fmt::Display>(&mut self, what: &'static str, make: impl FnOnce([u8; N]) -> T) -> Result<T> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(array) => {
                let number = make(*array);
                let ahead = Reader { at: self.at + N, ..*self };
                self.go_to(&ahead, what, Shown::Integer(&number));
                Ok(number)
            }
            None => Err(self.error(ErrorKind::Truncated, what)),
        }
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(array) => {
                let ahead = Reader { at: self.at + N, ..*self };
                self.go_to(&ahead, what, Shown::Bytes(Some(array)));
                Ok(*array)
            }
            None => Err(self.error(ErrorKind::Truncated, what)),
        }
    }

    /// `[byte]`
    pub fn byte(&mut self, what: &'static str) -> Result<u8> {
        self.number::<1, _>(what, |[byte]| byte)
    }

    /// `[short]`
    pub fn short(&mut self, what: &'static str) -> Result<u16> {
        self.number(what, u16::from_be_bytes)
    }

    /// `[int]`
    #[inline]
    pub fn int(&mut self, what: &'static str) -> Result<i32> {
        self.number(what, i32::from_be_bytes)
    }

    /// `[int]` that holds a set of flags.
    pub fn int_flags(&mut self, what: &'static str) -> Result<u32> {
        self.number(what, u32::from_be_bytes)
    }

    /// `[long]`
    pub fn long(&mut self, what: &'static str) -> Result<i64> {
        self.number(what, i64::from_be_bytes)
    }

    /// The value of a float.
    pub fn float(&mut self, what: &'static str) -> Result<f32> {
        let mut ahead = self.ahead();
        let number = ahead.array(what).map(f32::from_be_bytes)?;
        self.go_to(&ahead, what, Shown::Float(number.into()));
        Ok(number)
    }

    /// The value of a double.
    pub fn double(&mut self, what: &'static str) -> Result<f64> {
        let mut ahead = self.ahead();
        let number = ahead.array(what).map(f64::from_be_bytes)?;
        self.go_to(&ahead, what, Shown::Float(number));
        Ok(number)
    }

    /// `[uuid]`
    pub fn uuid(&mut self, what: &'static str) -> Result<[u8; 16]> {
        self.array(what)
    }

    /// An `[int]` count of things of at least `smallest` bytes each: refused when negative or when that many cannot be left.
    pub fn count(&mut self, smallest: usize, what: &'static str) -> Result<usize> {
        let mut ahead = self.ahead();
        let count = ahead.int(what)?;
        match usize::try_from(count) {
            Ok(count) if count <= ahead.left() / smallest.max(1) => {
                self.go_to(&ahead, what, Shown::Integer(&count));
                Ok(count)
            }
            Ok(_) => Err(self.error(ErrorKind::Truncated, what)),
            Err(_) => Err(self.error(ErrorKind::BadLength, what)),
        }
    }

    /// `[string]`
    pub fn string(&mut self, what: &'static str) -> Result<&'a str> {
        let mut ahead = self.ahead();
        let length = ahead.short(what)? as usize;
        let bytes = ahead.take(length, what)?;
        self.finish_text(ahead, bytes, what)
    }

    /// `[long string]`
    pub fn long_string(&mut self, what: &'static str) -> Result<&'a str> {
        let mut ahead = self.ahead();
        let length = ahead.count(1, what)?;
        let bytes = ahead.take(length, what)?;
        self.finish_text(ahead, bytes, what)
    }

    fn finish_text(&mut self, ahead: Reader<'a>, bytes: &'a [u8], what: &'static str) -> Result<&'a str> {
        match simdutf8::basic::from_utf8(bytes) {
            Ok(text) => {
                self.go_to(&ahead, what, Shown::Text(text));
                Ok(text)
            }
            Err(_) => Err(self.error(ErrorKind::BadText, what)),
        }
    }

    /// `[bytes]`: any negative length is null.
    #[inline]
    pub fn bytes(&mut self, what: &'static str) -> Result<Option<&'a [u8]>> {
        let mut ahead = self.ahead();
        let length = ahead.int(what)?;
        let bytes = if length < 0 { None } else { Some(ahead.take(length as usize, what)?) };
        self.go_to(&ahead, what, Shown::Bytes(bytes));
        Ok(bytes)
    }

    /// `[short bytes]`
    pub fn short_bytes(&mut self, what: &'static str) -> Result<&'a [u8]> {
        let mut ahead = self.ahead();
        let length = ahead.short(what)? as usize;
        let bytes = ahead.take(length, what)?;
        self.go_to(&ahead, what, Shown::Bytes(Some(bytes)));
        Ok(bytes)
    }

    /// `n` times `read`, `n` a `[short]`. Capacity is bounded by the bytes left.
    pub fn short_list<T>(
        &mut self,
        smallest: usize,
        what: &'static str,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut ahead = self.clone();
        let count = ahead.short(what)? as usize;
        if count > ahead.left() / smallest.max(1) {
            return Err(self.error(ErrorKind::Truncated, what));
        }
        let mut list = Vec::with_capacity(count);
        for index in 0..count {
            list.push(ahead.group(what, index, &mut read)?);
        }
        self.at = ahead.at;
        Ok(list)
    }

    /// `[string list]`
    pub fn string_list(&mut self, what: &'static str) -> Result<Vec<&'a str>> {
        self.short_list(2, what, |r| r.string(what))
    }

    /// `[string map]`, in the order it came.
    pub fn string_map(&mut self, what: &'static str) -> Result<Vec<(&'a str, &'a str)>> {
        self.short_list(4, what, |r| Ok((r.string(what)?, r.string(what)?)))
    }

    /// `[string multimap]`, in the order it came.
    pub fn string_multimap(&mut self, what: &'static str) -> Result<Vec<(&'a str, Vec<&'a str>)>> {
        self.short_list(4, what, |r| Ok((r.string(what)?, r.string_list(what)?)))
    }

    /// `[bytes map]`, in the order it came.
    #[allow(clippy::type_complexity)] // a list of pairs, as in its sisters
    pub fn bytes_map(&mut self, what: &'static str) -> Result<Vec<(&'a str, Option<&'a [u8]>)>> {
        self.short_list(6, what, |r| Ok((r.string(what)?, r.bytes(what)?)))
    }

    /// `[consistency]`
    pub fn consistency(&mut self, what: &'static str) -> Result<Consistency> {
        self.number(what, |bytes| Consistency(u16::from_be_bytes(bytes)))
    }

    /// `[inetaddr]`: one byte of length, then the address.
    pub fn inetaddr(&mut self, what: &'static str) -> Result<IpAddr> {
        let mut ahead = self.ahead();
        let address = match ahead.byte(what)? {
            4 => IpAddr::V4(Ipv4Addr::from(ahead.array::<4>(what)?)),
            16 => IpAddr::V6(Ipv6Addr::from(ahead.array::<16>(what)?)),
            _ => return Err(self.error(ErrorKind::BadLength, what)),
        };
        self.go_to(&ahead, what, Shown::Integer(&address));
        Ok(address)
    }

    /// `[inet]`: an `[inetaddr]` and a port.
    pub fn inet(&mut self, what: &'static str) -> Result<(IpAddr, i32)> {
        let mut ahead = self.ahead();
        let inet = (ahead.inetaddr(what)?, ahead.int(what)?);
        self.go_to(&ahead, what, Shown::Integer(&format_args!("{} port {}", inet.0, inet.1)));
        Ok(inet)
    }

    /// An error unless everything is read.
    pub fn finish(&self, what: &'static str) -> Result<()> {
        if self.left() == 0 { Ok(()) } else { Err(self.error(ErrorKind::Trailing, what)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_read_leaves_the_cursor() {
        let mut r = Reader::with_base(&[0, 3, b'a', b'b'], 9);
        assert_eq!(r.string("s"), Err(Error::new(ErrorKind::Truncated, "s", 11)));
        assert_eq!(r.position(), 9);
        assert_eq!(r.int("i"), Ok(0x0003_6162));
        assert_eq!(r.byte("b"), Err(Error::new(ErrorKind::Truncated, "b", 13)));
        assert_eq!(r.take(0, "none"), Ok(&[][..]));
    }

    #[test]
    fn null_is_any_negative_length_and_empty_is_not_null() {
        let mut r = Reader::new(&[0xff, 0xff, 0xff, 0xfd, 0, 0, 0, 0]);
        assert_eq!(r.bytes("v"), Ok(None));
        assert_eq!(r.bytes("v"), Ok(Some(&[][..])));
    }

    #[test]
    fn counts_are_bounded_by_the_bytes_left() {
        assert_eq!(Reader::new(&[0x7f, 0xff, 0xff, 0xff, 0]).count(4, "n").unwrap_err().kind, ErrorKind::Truncated);
        assert_eq!(Reader::new(&[0xff, 0xff, 0xff, 0xff]).count(4, "n").unwrap_err().kind, ErrorKind::BadLength);
        assert_eq!(Reader::new(&[0, 0, 0, 1, 1, 2, 3, 4]).count(4, "n"), Ok(1));
        assert_eq!(Reader::new(&[0xff, 0xff, 1]).string_list("l").unwrap_err().kind, ErrorKind::Truncated);
    }

    #[test]
    fn addresses() {
        let mut r = Reader::new(&[4, 127, 0, 0, 1, 0, 0, 0x23, 0x52]);
        assert_eq!(r.inet("a"), Ok((IpAddr::from([127, 0, 0, 1]), 9042)));
        assert_eq!(Reader::new(&[5, 1, 2, 3, 4, 5]).inetaddr("a").unwrap_err().kind, ErrorKind::BadLength);
    }
}
