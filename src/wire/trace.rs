//! Where every field that was read stands: a [`Reader`](super::Reader) that has a `Trace` writes down what it reads. One that has none
//! pays a comparison for it, and only where messages are read, not in the loop over cells.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt::{Display, Write};

/// Most fields and groups of one trace; what comes after them is not written down.
const MOST: usize = 1 << 16;
/// Most characters of a value's text.
const SHOWN: usize = 200;

/// A field that was read, or a group of them. A group's fields follow it, one deeper.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Groups that it is in.
    pub depth: usize,
    /// As errors name it.
    pub what: &'static str,
    /// Which of several.
    pub index: Option<usize>,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset behind its last byte. Of a group that could not be read to its end: of the last field that could.
    pub end: usize,
    /// What a field says; `None` for a group.
    pub value: Option<EntryValue>,
}

/// What a field says.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryValue {
    /// Of a float or double: how it is written is another's matter.
    Number(f64),
    /// Of any other. Bytes as `0x…`; cut where it is long.
    Text(String),
}

/// The fields of one message, in the order in which they were read.
#[derive(Debug, Default)]
pub struct Trace(RefCell<State>);

#[derive(Debug, Default)]
struct State {
    entries: Vec<Entry>,
    /// What, index and entry of the groups that are not yet at their end.
    open: Vec<(&'static str, Option<usize>, Option<usize>)>,
}

impl State {
    fn push(&mut self, what: &'static str, index: Option<usize>, [start, end]: [usize; 2], value: Option<EntryValue>) -> Option<usize> {
        let depth = self.open.len();
        (self.entries.len() < MOST).then(|| {
            self.entries.push(Entry { depth, what, index, start, end, value });
            self.entries.len() - 1
        })
    }
}

impl Trace {
    #[cold]
    #[inline(never)]
    pub(super) fn field(&self, what: &'static str, range: [usize; 2], value: Shown<'_>) {
        let mut state = self.0.borrow_mut();
        if state.entries.len() < MOST {
            state.push(what, None, range, Some(value.value()));
        }
    }

    /// Adds to the field that was read last.
    #[cold]
    pub(super) fn add(&self, name: &str) {
        if let Some(Entry { value: Some(EntryValue::Text(text)), .. }) = self.0.borrow_mut().entries.last_mut() {
            text.push(' ');
            text.push_str(name);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn open(&self, what: &'static str, index: Option<usize>, start: usize) {
        let mut state = self.0.borrow_mut();
        let entry = state.push(what, index, [start, start], None);
        state.open.push((what, index, entry));
    }

    pub(super) fn close(&self, end: usize) {
        let mut state = self.0.borrow_mut();
        if let Some((_, _, Some(entry))) = state.open.pop() {
            state.entries[entry].end = end;
        }
    }

    /// The groups in which reading ended too early, outermost first: `RESULT.Prepared.bind.column[3]`; empty if it did not.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for (what, index, _) in &self.0.borrow().open {
            // Inside a group its own name is enough.
            let name = what.rsplit('.').next().unwrap_or(what);
            let dot = if path.is_empty() { "" } else { "." };
            let index = index.map(|index| format!("[{index}]")).unwrap_or_default();
            let _ = write!(path, "{dot}{name}{index}");
        }
        path
    }

    /// All that was read.
    pub fn into_entries(self) -> Vec<Entry> {
        let State { mut entries, open } = self.0.into_inner();
        for (_, _, entry) in open {
            // Cut short: it ends where its last field ends.
            let Some(entry) = entry else { continue };
            let end = entries[entry + 1..].iter().map(|inner| inner.end).max();
            entries[entry].end = end.unwrap_or(entries[entry].start);
        }
        entries
    }
}

/// What a field says, made into text only where it is written down.
pub(super) enum Shown<'a> {
    Float(f64),
    Integer(&'a dyn Display),
    Text(&'a str),
    Bytes(Option<&'a [u8]>),
}

impl Shown<'_> {
    fn value(&self) -> EntryValue {
        EntryValue::Text(match self {
            Shown::Float(number) => return EntryValue::Number(*number),
            Shown::Integer(number) => number.to_string(),
            Shown::Text(text) if text.len() <= SHOWN => (*text).into(),
            Shown::Text(text) => format!("{}… ({} bytes)", text.chars().take(SHOWN).collect::<String>(), text.len()),
            Shown::Bytes(None) => "null".into(),
            Shown::Bytes(Some([])) => "0 bytes".into(),
            Shown::Bytes(Some(bytes)) => {
                let hex = bytes.iter().take(SHOWN / 2).fold(String::from("0x"), |mut hex, byte| {
                    let _ = write!(hex, "{byte:02x}");
                    hex
                });
                if bytes.len() <= SHOWN / 2 { hex } else { format!("{hex}… ({} bytes)", bytes.len()) }
            }
        })
    }
}
