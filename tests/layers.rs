//! The architecture as a test over the text of `src/`: who may name whom, where versions are compared, where wasm-bindgen is named.
//! Each rule is first shown to catch a breach of itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each layer and those it may name.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("spec", &[]),
    ("wire", &["spec"]),
    ("frame", &["spec", "wire"]),
    ("value", &["spec", "wire"]),
    ("message", &["spec", "wire", "value"]),
    ("column", &["spec", "wire", "value", "message"]),
    ("route", &["spec", "wire"]),
    ("conn", &["spec", "wire", "frame", "value", "message"]),
    ("fuzzing", &["spec", "wire", "frame", "value", "message", "column", "route", "conn"]),
    ("wasm", &["spec", "wire", "frame", "value", "message", "column", "route", "conn"]),
];

/// The one comparison outside `spec/version.rs`: is the frame of the connection's version? It orders nothing.
const ALLOWED_COMPARISONS: &[(&str, &str)] = &[("src/conn/mod.rs", "header.version != self.dialect.version.number()")];

const BOUNDARY_CRATES: &[&str] = &["wasm_bindgen", "js_sys", "serde_wasm_bindgen"];

/// The text without comments, and without its unit tests: they may build whatever they need.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The words that follow a path: `x` of `x::y`, and the first word of each item of `{x::y, z}`.
fn heads(rest: &str) -> Vec<String> {
    let word = |text: &str| text.trim_start().chars().take_while(|c| is_word(*c)).collect::<String>();
    let Some(list) = rest.trim_start().strip_prefix('{') else { return vec![word(rest)] };
    let (mut depth, mut heads) = (0, vec![word(list)]);
    for (index, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(word(&list[index + 1..])),
            _ => {}
        }
    }
    heads
}

/// The modules of the crate's root that a file names, by `crate::` or by enough `super::`.
fn named_modules(path: &str, code: &str) -> BTreeSet<String> {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let to_root = "super::".repeat(module.split('/').count());
    let mut named = BTreeSet::new();
    for prefix in ["crate::", "cqlwire::", &to_root] {
        for (at, _) in code.match_indices(prefix) {
            if !code[..at].ends_with(is_word) {
                named.extend(heads(&code[at + prefix.len()..]));
            }
        }
    }
    named
}

/// Everything in one file that breaks a rule.
fn breaches(path: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let layer = path.trim_start_matches("src/").split(['/', '.']).next().unwrap_or_default();
    let mut found = Vec::new();

    let layers = || MAY_NAME.iter().map(|(name, _)| *name);
    if let Some((_, may_name)) = MAY_NAME.iter().find(|(name, _)| *name == layer) {
        for module in named_modules(path, &code) {
            if module != layer && layers().any(|layer| layer == module) && !may_name.contains(&module.as_str()) {
                found.push(format!("{path}: {layer} names {module}"));
            }
        }
    } else if layer != "lib" {
        found.push(format!("{path}: {layer} is no layer"));
    }

    if layer != "wasm" {
        for word in code.split(|c| !is_word(c)).filter(|word| BOUNDARY_CRATES.contains(word)) {
            found.push(format!("{path}: {word} is named"));
        }
    }

    if path != "src/spec/version.rs" {
        let allowed = ALLOWED_COMPARISONS.iter().filter(|(file, _)| *file == path);
        let code = allowed.fold(code, |code, (_, comparison)| code.replace(comparison, "allowed"));
        found.extend(version_comparisons(&code).into_iter().map(|what| format!("{path}: {what}")));
    }
    found
}

/// Places where a version decides something.
fn version_comparisons(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let operand = |c: char| is_word(c) || matches!(c, '.' | ':' | '(' | ')' | '*' | '&');
    for operator in ["==", "!=", "<=", ">=", " < ", " > "] {
        for (at, _) in code.match_indices(operator) {
            let before = code[..at].trim_end();
            let left = &before[before.trim_end_matches(operand).len()..];
            let after = code[at + operator.len()..].trim_start();
            let right = &after[..after.len() - after.trim_start_matches(operand).len()];
            if [left, right].iter().any(|side| side.to_lowercase().contains("version")) {
                found.push(format!("{left} {} {right}", operator.trim()));
            }
        }
    }
    let squeezed = code.split_whitespace().collect::<Vec<_>>().join(" ");
    for start in ["match ", "matches!(", "if let "] {
        for (at, _) in squeezed.match_indices(start) {
            let subject = squeezed[at + start.len()..].split(['{', ',']).next().unwrap_or_default().trim();
            if subject.to_lowercase().ends_with("version") || subject.contains("Version::V") {
                found.push(format!("{start}{subject}"));
            }
        }
    }
    for method in [".cmp(", ".partial_cmp(", ".eq(", ".ne(", ".lt(", ".le(", ".gt(", ".ge(", ".max(", ".min("] {
        for (at, _) in squeezed.match_indices(method) {
            if squeezed[..at].to_lowercase().ends_with("version") || squeezed[..at].ends_with(".number()") {
                found.push(format!("version{method}"));
            }
        }
    }
    found
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn the_sources_keep_the_rules() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![];
    sources(&root.join("src"), &mut paths);
    assert!(paths.len() > 40, "only {} files", paths.len());
    let mut found = vec![];
    for path in &paths {
        let relative = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        found.extend(breaches(&relative, &std::fs::read_to_string(path).unwrap()));
    }
    assert!(found.is_empty(), "{found:#?}");
    for (path, comparison) in ALLOWED_COMPARISONS {
        assert!(std::fs::read_to_string(root.join(path)).unwrap().contains(comparison), "{comparison} is no longer needed");
    }
}

#[test]
fn an_upward_import_is_caught() {
    for (path, text) in [
        ("src/spec/opcode.rs", "use crate::wire::Reader;"),
        ("src/wire/reader.rs", "use crate::frame::Header;"),
        ("src/frame/header.rs", "use crate::message::Request;"),
        ("src/frame/header.rs", "use crate::value::Value;"),
        ("src/value/decode.rs", "use crate::frame::Header;"),
        ("src/message/query.rs", "fn f() { let _ = crate::frame::Header::LEN; }"),
        ("src/message/query.rs", "use crate::{spec::Dialect, column::{Page, Column}};"),
        ("src/message/query.rs", "use crate::{\n    spec::{Dialect, Version},\n    conn,\n};"),
        ("src/message/mod.rs", "use super::conn::Conn;"),
        ("src/message/query.rs", "use super::super::conn::Conn;"),
        ("src/column/build.rs", "use crate::conn::Conn;"),
        ("src/conn/input.rs", "use crate::column::Page;"),
        ("src/conn/input.rs", "pub use crate::wasm::Codec;"),
        ("src/cache/mod.rs", ""),
    ] {
        assert_eq!(breaches(path, text).len(), 1, "{path}: {text}");
    }
    for (path, text) in [
        ("src/conn/input.rs", "use crate::frame::{Header, compress};\nuse crate::{spec::limit, wire::Reader};"),
        ("src/message/query.rs", "use super::params::Params;\nuse crate::message::Bound; // not crate::conn"),
        ("src/value/decode.rs", "#[cfg(test)]\nmod tests {\n    use crate::frame::Header;\n}"),
        ("src/lib.rs", "pub mod conn;"),
    ] {
        assert_eq!(breaches(path, text), [""; 0], "{path}: {text}");
    }
}

#[test]
fn a_version_comparison_is_caught() {
    for text in [
        "if dialect.version == Version::V5 {}",
        "if Version::V5 == dialect.version {}",
        "if version >= 5 {}",
        "if 5 <= header.version {}",
        "if self.version.number() < 4 {}",
        "let has = dialect.version >= Version::V4 && other;",
        "let has = dialect.version\n    != Version::V3;",
        "match dialect.version { Version::V5 => 1, _ => 2 }",
        "if matches!(dialect.version, Version::V4 | Version::V5) {}",
        "if let Version::V5 = dialect.version {}",
        "dialect.version.cmp(&Version::V4)",
        "dialect.version.number().max(4)",
        "if header.version != self.dialect.version.number() {}",
    ] {
        assert!(!breaches("src/message/query.rs", text).is_empty(), "{text}");
    }
    for text in [
        "if dialect.has_unset() {}",
        "Version::from_number(header.version)",
        "Conn::new(role, Version::V4)",
        "fn f(version: Version) -> Vec<Version> {}",
        "if a == b && version.has_segments() {}",
        "// dialect.version == Version::V5",
    ] {
        assert_eq!(breaches("src/message/query.rs", text), [""; 0], "{text}");
    }
    assert_eq!(breaches("src/spec/version.rs", "self.version >= Version::V5"), [""; 0]);
    assert_eq!(breaches("src/conn/mod.rs", "if header.version != self.dialect.version.number() {}"), [""; 0]);
}

#[test]
fn a_boundary_crate_is_caught() {
    for name in BOUNDARY_CRATES {
        let text = format!("use {name}::prelude::*;");
        assert_eq!(breaches("src/message/to_js.rs", &text).len(), 1, "{text}");
        assert_eq!(breaches("src/wasm.rs", &text), [""; 0]);
        assert_eq!(breaches("src/wasm/shapes.rs", &text), [""; 0]);
        assert_eq!(breaches("src/conn/mod.rs", &text).len(), 1, "{text}");
    }
}
