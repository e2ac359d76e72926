//! `docs/messages.md` against the code: its tables name every field that is read, in the order of the wire, with the notation and the
//! versions it has, and nothing else. What was read is a trace; notations are measured here, by their own few lines.

#[path = "../support/mod.rs"]
mod support;

mod codes;
mod not_canonical;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::frame::Prefix;
use cqlwire::message::*;
use cqlwire::spec::{Dialect, Features, code};
use cqlwire::wire::Entry;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use support::recording::{Replay, SESSIONS};
use support::{dialects, messages, responses, to_hex};

const DOCUMENT: &str = include_str!("../../docs/messages.md");
/// The columns of versions: letters as in `support::dialects`, `i` for its `x`.
const VERSIONS: &str = "345i";
/// A code that ScyllaDB's SUPPORTED can name.
const RATE_LIMIT: i32 = 0xf000;

/// The dialect of a column, with ScyllaDB's error where there is such a thing.
fn dialect(letter: char) -> Dialect {
    let plain = dialects(&letter.to_string().replace('i', "x"))[0];
    let rate_limit_error = plain.version.has_extensions().then_some(RATE_LIMIT);
    Dialect { features: Features { rate_limit_error, ..plain.features }, ..plain }
}

// The document.

/// Rows of a table by their cells, under the heading before it.
fn tables() -> BTreeMap<&'static str, Vec<Vec<&'static str>>> {
    let mut tables = BTreeMap::new();
    let mut heading = "";
    for line in DOCUMENT.lines() {
        if let Some(title) = line.strip_prefix("## ").or(line.strip_prefix("### ")) {
            heading = title;
            assert!(tables.insert(heading, Vec::new()).is_none(), "two chapters are called {heading}");
        }
        if let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) {
            tables.get_mut(heading).unwrap().push(cells.split('|').map(str::trim).collect::<Vec<_>>());
        }
    }
    tables
}

/// What stands in the first backquotes.
fn quoted(cell: &'static str) -> Option<&'static str> {
    cell.split('`').nth(1)
}

#[derive(Debug, Clone, PartialEq)]
struct Field {
    /// As `Found::name`.
    name: String,
    notation: &'static str,
    versions: String,
}

/// The fields of a message in the order of its table, those of other tables at their place.
fn fields(tables: &BTreeMap<&'static str, Vec<Vec<&'static str>>>, heading: &str, under: &str, versions: &str) -> Vec<Field> {
    let rows = tables.get(heading).unwrap_or_else(|| panic!("no chapter is called {heading}"));
    let mut all = Vec::new();
    for row in rows.iter().filter(|row| row[0] != "field") {
        let [field, notation, v3, v4, v5, id, _, trace, _, section] = row[..] else { panic!("{heading}: {row:?}") };
        assert!(!section.is_empty(), "{heading}: {field} has no section");
        let has = |cell, letter: char| cell == "✓" && versions.contains(letter);
        let own: String =
            VERSIONS.chars().zip([v3, v4, v5, id]).filter(|(letter, cell)| has(*cell, *letter)).map(|(letter, _)| letter).collect();
        if let Some(anchor) = field.strip_prefix("→ ").and_then(|link| link.split(['#', ')']).nth(1)) {
            let slug = |title: &str| title.to_lowercase().replace(' ', "-");
            let title = tables.keys().find(|title| slug(title) == anchor).unwrap_or_else(|| panic!("{heading}: {field} leads nowhere"));
            let prefix = quoted(trace).map(|group| format!("{group} ")).unwrap_or_default();
            all.extend(fields(tables, title, &format!("{under}{prefix}"), &own));
        } else if let Some(name) = quoted(trace) {
            all.push(Field { name: format!("{under}{name}"), notation, versions: own });
        }
    }
    all
}

// What is read.

/// Groups whose fields have it in their names, since others have fields of these names too.
const GROUPS: [(&str, &str); 3] = [("bind", "bind › "), ("result", "result › "), ("metadata.column", "metadata.column[] › ")];

/// A field of a trace.
struct Found {
    /// `what`, after the names of `GROUPS` that it is in, with a `[]` for each indexed group of that name around it.
    name: String,
    /// The group it is in, as a number.
    group: usize,
    bytes: Vec<u8>,
}

fn found(entries: &[Entry], bytes: &[u8]) -> Vec<(&'static str, Found)> {
    let mut open: Vec<(&Entry, usize)> = Vec::new();
    let mut all = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        open.truncate(entry.depth);
        if entry.value.is_none() {
            open.push((entry, number));
            continue;
        }
        let under: String =
            open.iter().filter_map(|(group, _)| GROUPS.iter().find(|(what, _)| *what == group.what)).map(|(_, name)| *name).collect();
        let several = open.iter().rev().take_while(|(group, _)| group.what == entry.what && group.index.is_some()).count();
        let name = format!("{under}{}{}", entry.what, "[]".repeat(several));
        let root = open.first().map_or("", |(group, _)| group.what);
        let group = open.last().map_or(usize::MAX, |(_, number)| *number);
        all.push((root, Found { name, group, bytes: bytes[entry.start..entry.end].to_vec() }));
    }
    all
}

/// True where bytes are all of one such notation.
fn is_notation(notation: &str, bytes: &[u8]) -> bool {
    let number = |width: usize| bytes.iter().take(width).fold(0u64, |number, byte| number << 8 | u64::from(*byte)) as usize;
    let length = |width: usize| bytes.len() >= width && bytes.len() - width == number(width);
    match notation {
        "`[byte]`" => bytes.len() == 1,
        "`[short]`" | "`[consistency]`" => bytes.len() == 2,
        "`[int]`" => bytes.len() == 4,
        "`[long]`" => bytes.len() == 8,
        "`[uuid]`" => bytes.len() == 16,
        "`[string]`" | "`[short bytes]`" => length(2),
        "`[long string]`" => length(4),
        "`[bytes]`" => length(4) || (bytes.len() == 4 && bytes[0] >= 0x80),
        "`[value]`" => length(4) || matches!(bytes, [0xff, 0xff, 0xff, 0xfe | 0xff]),
        "`[inetaddr]`" => matches!(bytes[0], 4 | 16) && length(1),
        "`[inet]`" => matches!(bytes[0], 4 | 16) && bytes.len() == 1 + usize::from(bytes[0]) + 4,
        "to the end" => true,
        other => panic!("what is {other}?"),
    }
}

/// Which rows were read, of each message and version.
struct Coverage {
    fields: BTreeMap<String, Vec<Field>>,
    seen: BTreeSet<(String, usize, char)>,
}

impl Coverage {
    fn new() -> Coverage {
        let tables = tables();
        let headings = ["## The frame", "## Requests", "## Responses"].iter().flat_map(|chapter| {
            let text = DOCUMENT.split_once(chapter).unwrap_or_else(|| panic!("no {chapter}")).1;
            let text = text.split_once("\n## ").unwrap().0;
            text.lines().filter_map(|line| line.strip_prefix("### ")).filter(|title| !matches!(*title, "Segments" | "Error codes"))
        });
        let fields = headings.map(|heading| (heading.to_string(), fields(&tables, heading, "", VERSIONS))).collect();
        Coverage { fields, seen: BTreeSet::new() }
    }

    fn frame(&mut self, conn: &mut Conn, letter: char) {
        conn.next_frame().unwrap().unwrap();
        let traced = conn.trace(None).unwrap();
        let (message, before) = match conn.role() {
            Role::Client => (response_heading(&conn.response().unwrap().1, letter), "Before a response"),
            Role::Server => (conn.request().unwrap().1.opcode().name().to_string(), "Before a request"),
        };
        let all = found(&traced.entries, &traced.bytes);
        let mut parts: BTreeMap<&str, Vec<Found>> = BTreeMap::new();
        for (root, field) in all {
            let part = match root {
                "header" => "Frame header",
                // Cells of known columns: what they mean is the matter of values.
                "rows" if field.name != "ROWS.cell" => continue,
                _ if field.name.starts_with("frame.") => before,
                _ => &message,
            };
            parts.entry(part).or_default().push(field);
        }
        parts.entry(&message).or_default();
        for (part, found) in parts {
            self.part(part, &found, letter, &traced.bytes);
        }
    }

    /// Fields in the order of their table, which in each group goes on from the field before.
    fn part(&mut self, heading: &str, found: &[Found], letter: char, frame: &[u8]) {
        let fields = self.fields.get(heading).unwrap_or_else(|| panic!("no chapter is called {heading}: {}", to_hex(frame)));
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for field in found {
            let fits = |row: &Field| row.name == field.name && row.versions.contains(letter) && is_notation(row.notation, &field.bytes);
            let last = places.get(&field.group).copied();
            let after = last.map_or(0, |last| last + 1);
            // The next row of that name, or the same one again.
            let next = (after..fields.len()).find(|row| fits(&fields[*row])).or(last.filter(|last| fits(&fields[*last])));
            let Some(row) = next else {
                panic!("{heading} in {letter}: no row for {} = {} at its place: {:.200}", field.name, to_hex(&field.bytes), to_hex(frame));
            };
            places.insert(field.group, row);
            self.seen.insert((heading.into(), row, letter));
        }
        self.seen.insert((heading.into(), usize::MAX, letter));
    }

    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (heading, fields) in &self.fields {
            let is_message = !heading.starts_with("Before") && *heading != "ERROR of SCYLLA_RATE_LIMIT_ERROR";
            let whole = VERSIONS.chars().filter(|_| is_message).map(|letter| (usize::MAX, letter));
            let rows = fields.iter().enumerate().flat_map(|(row, field)| field.versions.chars().map(move |letter| (row, letter)));
            for (row, letter) in rows.chain(whole) {
                // On v3 ScyllaDB's error is one of unknown code.
                let is_other = heading == "ERROR of SCYLLA_RATE_LIMIT_ERROR" && letter == '3';
                if !is_other && !self.seen.contains(&(heading.clone(), row, letter)) {
                    missing.push(format!("{heading} in {letter}: {}", fields.get(row).map_or("the message", |field| &field.name)));
                }
            }
        }
        missing
    }
}

/// The chapter of a response.
fn response_heading(response: &Response<'_>, letter: char) -> String {
    match response {
        Response::Result(ResultMessage::Void) => "RESULT Void".into(),
        Response::Result(ResultMessage::Rows(_)) => "RESULT Rows".into(),
        Response::Result(ResultMessage::SetKeyspace { .. }) => "RESULT Set_keyspace".into(),
        Response::Result(ResultMessage::Prepared(_)) => "RESULT Prepared".into(),
        Response::Result(ResultMessage::SchemaChange(_)) => "RESULT Schema_change".into(),
        Response::Event(Event::TopologyChange(_)) => "EVENT TOPOLOGY_CHANGE".into(),
        Response::Event(Event::StatusChange(_)) => "EVENT STATUS_CHANGE".into(),
        Response::Event(Event::SchemaChange(_)) => "EVENT SCHEMA_CHANGE".into(),
        Response::Event(Event::ClientRoutesChange(_)) => "EVENT CLIENT_ROUTES_CHANGE".into(),
        Response::Event(Event::Unknown(_)) => "EVENT of another type".into(),
        Response::Error(ErrorMessage { code: RATE_LIMIT, .. }) if letter != '3' => "ERROR of SCYLLA_RATE_LIMIT_ERROR".into(),
        Response::Error(ErrorMessage { code, .. }) => {
            let heading = code::error::name(*code).map(|name| format!("ERROR 0x{code:04X} {name}"));
            heading.filter(|heading| DOCUMENT.contains(&format!("### {heading}\n"))).unwrap_or("ERROR".into())
        }
        other => other.opcode().name().into(),
    }
}

fn pair(dialect: Dialect) -> (Conn, Conn) {
    (Conn::established(Role::Client, dialect), Conn::established(Role::Server, dialect))
}

fn request(coverage: &mut Coverage, letter: char, request: &Request<'_>, options: &FrameOptions<'_>) {
    let (mut client, mut server) = pair(dialect(letter));
    // STARTUP is of the time before.
    if let Request::Startup(_) = request {
        (client, server) = (Conn::new(Role::Client, dialect(letter).version), Conn::new(Role::Server, dialect(letter).version));
    }
    client.send(request, 7, options).unwrap();
    server.feed(client.output().unwrap());
    coverage.frame(&mut server, letter);
}

fn response(coverage: &mut Coverage, letter: char, response: &Response<'_>, prefix: &Prefix<'_>) {
    let (mut client, mut server) = pair(dialect(letter));
    server.reply(response, 7, prefix).unwrap();
    client.feed(server.output().unwrap());
    coverage.frame(&mut client, letter);
}

#[test]
fn the_tables_are_what_is_read() {
    let mut coverage = Coverage::new();
    for letter in VERSIONS.chars() {
        let dialect = dialect(letter);
        let has = dialect.has_warnings_and_payload();
        let payload = if has { vec![("k", Some(&[1][..])), ("n", None)] } else { Vec::new() };
        let options = FrameOptions { tracing: true, custom_payload: payload.clone(), ..FrameOptions::default() };
        let warnings = if has { vec!["w", "v"] } else { Vec::new() };
        let prefix = Prefix { tracing_id: Some([7; 16]), warnings, custom_payload: payload };
        samples::requests(dialect).iter().for_each(|message| request(&mut coverage, letter, message, &options));
        samples::responses(dialect).iter().for_each(|message| response(&mut coverage, letter, message, &prefix));

        let mut runner = TestRunner::deterministic();
        let (parts, any_response) = (messages::any_parts(), responses::any_response(dialect));
        for _ in 0..30 {
            let parts = parts.new_tree(&mut runner).unwrap().current();
            request(&mut coverage, letter, &messages::request(&parts, dialect), &FrameOptions::default());
            let random = any_response.new_tree(&mut runner).unwrap().current();
            response(&mut coverage, letter, &random, &Prefix::default());
        }
    }
    for name in SESSIONS {
        for frame in Replay::of(name, usize::MAX).frames {
            let role = if frame.header.is_response { Role::Client } else { Role::Server };
            let mut conn = Conn::new(role, frame.dialect.version);
            conn.feed(&frame.uncompressed());
            coverage.frame(&mut conn, char::from(b'0' + frame.dialect.version.number()));
        }
    }
    assert_eq!(coverage.missing(), Vec::<String>::new(), "in the document, and never read");
}
