//! A place in the text of a type: what the two notations (CQL, marshal classes) share.

use super::CqlType;
use crate::spec::limit;
use crate::wire::{Error, ErrorKind, Result};

pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The text from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips spaces, then `token` if it is next.
    pub(super) fn accept(&mut self, token: char) -> bool {
        self.skip_spaces();
        let next = self.rest().starts_with(token);
        self.at += if next { token.len_utf8() } else { 0 };
        next
    }

    pub(super) fn expect(&mut self, token: char) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(self.malformed()) }
    }

    /// The characters up to the first that ends a word.
    pub(super) fn word(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(ends).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// What `read` reads, between these two.
    pub(super) fn between<T>(&mut self, open: char, close: char, read: impl FnOnce(&mut Cursor<'a>) -> Result<T>) -> Result<T> {
        self.expect(open)?;
        let inside = read(self)?;
        self.expect(close)?;
        Ok(inside)
    }

    /// At least none, separated by commas, up to `close`.
    pub(super) fn list<T>(&mut self, close: char, mut read: impl FnMut(&mut Cursor<'a>) -> Result<T>) -> Result<alloc::vec::Vec<T>> {
        let mut list = alloc::vec::Vec::new();
        self.skip_spaces();
        if !self.rest().starts_with(close) {
            list.push(read(self)?);
        }
        while self.accept(',') {
            list.push(read(self)?);
        }
        Ok(list)
    }

    #[cold]
    pub(super) fn malformed(&self) -> Error {
        Error::new(ErrorKind::BadValue, "type", self.at)
    }
}

impl CqlType {
    /// A vector, if its dimension is one that servers have and it fits a frame.
    pub fn vector(element: CqlType, dimension: u32) -> Option<CqlType> {
        let within = (1..=limit::VECTOR_DIMENSION).contains(&(dimension as usize));
        let has_width = element.width_in_vector().is_some();
        let vector = CqlType::Vector(element.into(), dimension);
        let fits = !has_width || vector.width_in_vector().is_some_and(|size| size <= limit::FRAME_BODY);
        (within && fits).then_some(vector)
    }
}
