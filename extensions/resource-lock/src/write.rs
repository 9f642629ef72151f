//! The writer of the file: one self-contained line a fact, facts at their defaults left out, so that branches merge by lines.

use serde::Serialize;
use toml::{Table, Value};

use crate::lock::Lock;
use crate::promise::{Member, Promise};

/// The head of each file.
const HEAD: &str = "\
# What published versions promise. Written by the command `lock`: review it, do not edit it.
lock = 1
semantics = 1
";

/// The keys behind a version whose facts are told by further parts of the key, and the number of these.
pub(crate) const PARTS: [(&str, usize); 7] = [
    ("access", 1),
    ("amended", 3),
    ("attribute", 1),
    ("breaks", 2),
    ("collection", 1),
    ("page", 1),
    ("subresource", 1),
];

impl Lock {
    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let lines = self.versions.values().flat_map(|promise| {
            let version = promise.version.to_string();
            let place = [promise.name.clone(), version];
            let mut lines = Vec::new();
            for (key, value) in beside_defaults(promise, &Promise::default()) {
                let parts = PARTS.iter().find(|(word, _)| *word == key);
                let place = [&place[..], &[key]].concat();
                add(
                    &mut lines,
                    place,
                    value,
                    parts.map_or(0, |(_, parts)| *parts),
                );
            }
            lines.sort();
            lines
        });
        let lines: Vec<String> = lines
            .map(|(place, value)| {
                let place: Vec<String> = place.iter().map(|it| bare(it)).collect();
                format!("{} = {value}\n", place.join("."))
            })
            .collect();
        format!("{HEAD}{}", lines.concat())
    }
}

/// Adds a line for each fact that stands so many parts of a key below.
fn add(lines: &mut Vec<(Vec<String>, String)>, place: Vec<String>, value: Value, parts: usize) {
    match value {
        Value::Table(table) if parts > 0 => {
            for (key, value) in table {
                add(lines, [&place[..], &[key]].concat(), value, parts - 1);
            }
        }
        value => {
            let value = match (place.get(2).map(String::as_str), value) {
                (Some("attribute"), Value::Table(member)) => {
                    Value::Table(beside_defaults(member, &Member::default()))
                }
                (_, value) => value,
            };
            lines.push((place, inline(&value)));
        }
    }
}

/// The facts of something that are not those of its default.
fn beside_defaults<T: Serialize>(facts: impl Serialize, default: &T) -> Table {
    // Nothing in the file is of a type that TOML lacks.
    let facts = Table::try_from(facts).unwrap_or_default();
    let default = Table::try_from(default).unwrap_or_default();
    let differing = facts.into_iter();
    differing
        .filter(|(key, value)| default.get(key) != Some(value))
        .collect()
}

/// A value within a line.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(facts) => {
            let facts = facts.iter();
            let facts: Vec<String> = facts
                .map(|(key, value)| format!("{} = {}", bare(key), inline(value)))
                .collect();
            format!("{{ {} }}", facts.join(", "))
        }
        Value::Float(number) => format!("{number:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(holds) => holds.to_string(),
        Value::Datetime(time) => time.to_string(),
    }
}

/// A part of a key, in quotes where TOML wants them.
fn bare(key: &str) -> String {
    let is_bare = |it: char| it.is_ascii_alphanumeric() || "_-".contains(it);
    // A day would be one of TOML's bare keys, and is easier to read as a text.
    if key.starts_with(|it: char| it.is_ascii_alphabetic()) && key.chars().all(is_bare) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

/// A text in quotes: single ones where it has double ones, as the JSON of a default does.
fn quoted(text: &str) -> String {
    let is_plain = |it: char| it != '\'' && it != '\\' && !it.is_control();
    if text.contains('"') && text.chars().all(is_plain) {
        return format!("'{text}'");
    }
    // The escapes of JSON are among those of TOML, which wants one for U+007F as well.
    let text = serde_json::Value::from(text).to_string();
    text.replace('\u{7f}', "\\u007F")
}
