//! The reader of the file, which refuses what it does not know with its line.

use std::collections::BTreeMap;
use std::iter;

use chrono::NaiveDate;
use resource_model::error::did_you_mean;
use resource_model::schema::evolution::{Flag, LIMITS, Rule};
use resource_model::schema::{Kind, Operation, Version};
use toml::{Table, Value};

use crate::lock::Lock;
use crate::promise::{ANY, Member, Promise, ROLES, SIZES, written_flags};
use crate::write::{PARTS, inline};

/// The remedy for what this version of the package does not know.
const NEWER: &str = "a newer `resource-lock` has written it, so update the package";

/// The remedy for what no version of the package has written.
const RESTORE: &str = "restore the line from the history of the file";

impl Lock {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The mistake of the first line that has one, with its number.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut places = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let place = place(line).map_err(|mistake| format!("line {number}: {mistake}"))?;
            if let Some(first) = places.insert(place.clone(), number) {
                let place = place.join(".");
                return Err(format!(
                    "line {number}: `{place}` stands in line {first}, too; two branches have changed it, so keep one of \
                     both lines, and run `lock`"
                ));
            }
        }
        // Each line has been read by itself, so that all together have no mistakes but those that are told here.
        let table: Table = parsed(text)?;
        let mut lock = Self::default();
        for (name, versions) in table {
            let Value::Table(versions) = versions else {
                continue;
            };
            for (number, facts) in versions {
                let version = self::version(&number).unwrap_or(Version::new(0, 0));
                let promise = Promise {
                    name: name.clone(),
                    version,
                    ..promise(facts)?
                };
                let needed = [("path", &promise.path), ("published", &promise.published)];
                if let Some((key, _)) = needed.iter().find(|(_, value)| value.is_empty()) {
                    return Err(format!(
                        "`{name}` {number} has no line `{key}`; restore the lines of the version from the history of the \
                         file"
                    ));
                }
                lock.versions.insert(promise.place(), promise);
            }
        }
        Ok(lock)
    }
}

/// The key of a line, whose fact is one that is known.
fn place(line: &str) -> Result<Vec<String>, String> {
    let (resource, value) = only(parsed(line)?)?;
    if let ("lock" | "semantics", Value::Integer(number)) = (&*resource, &value) {
        let problem = format!("`{resource}` is {number}, and this package knows 1; {NEWER}");
        return if *number == 1 {
            Ok(vec![resource])
        } else {
            Err(problem)
        };
    }
    let (version, facts) = within(value)?;
    self::version(&version)
        .ok_or_else(|| format!("`{version}` is no version; write one like `\"1.0\"`"))?;
    let promise = promise(facts.clone())?;
    promise.require_known_words()?;
    let (key, mut value) = within(facts)?;
    let parts = PARTS.iter().find(|(word, _)| *word == key);
    let mut place = vec![resource, version, key];
    for _ in 0..parts.map_or(0, |(_, parts)| *parts) {
        let (part, inner) = within(value)?;
        place.push(part);
        value = inner;
    }
    Ok(place)
}

fn parsed(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error: toml::de::Error| {
        let message = error.message().replace('\n', ", ");
        format!("{message}; take the lines of both sides, or those of the history")
    })
}

fn promise(facts: Value) -> Result<Promise, String> {
    let promise = facts.try_into();
    promise.map_err(|error: toml::de::Error| {
        let message = error.to_string().trim_end().replace('\n', " ");
        let is_unknown = message.starts_with("unknown field");
        format!("{message}; {}", if is_unknown { NEWER } else { RESTORE })
    })
}

fn only(table: Table) -> Result<(String, Value), String> {
    let mut entries = table.into_iter();
    match (entries.next(), entries.next()) {
        (Some(entry), None) => Ok(entry),
        _ => Err(String::from(
            "it is no line with one fact; write it as the command `lock` does",
        )),
    }
}

fn within(value: Value) -> Result<(String, Value), String> {
    match value {
        Value::Table(table) => only(table),
        _ => Err(format!("its key is too short; {NEWER}")),
    }
}

/// The version that a text spells.
pub(crate) fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    let version = Version::new(major.parse().ok()?, minor.parse().ok()?);
    Some(version).filter(|it| it.to_string() == text)
}

impl Promise {
    /// Refuses words that no list has, and values that their words do not take.
    fn require_known_words(&self) -> Result<(), String> {
        let rules = || Rule::ALL.map(|it| it.entry().word);
        let operations = Operation::ALL.map(Operation::name);
        require_all(
            self.operations.iter().chain(self.access.keys()),
            &operations,
        )?;
        require_all(self.page.keys(), &SIZES.map(|(word, _, _)| word))?;
        require_all(self.breaks.values().flat_map(BTreeMap::keys), &rules())?;
        let places = self.amended.values().flat_map(BTreeMap::values);
        require_all(places.flat_map(BTreeMap::keys), &rules())?;
        require_facts(&self.flags, &[flags()], Self::KEYS)?;
        let published = Some(&self.published).filter(|it| !it.is_empty());
        let days = [&self.retired, &self.deprecated, &self.sunset];
        let days = days.into_iter().flatten().chain(published);
        require_days(days.chain(self.amended.keys()))?;
        self.attribute
            .values()
            .try_for_each(Member::require_known_words)
    }
}

impl Member {
    fn require_known_words(&self) -> Result<(), String> {
        require_facts(&self.limits, &[flags(), limits()], Self::KEYS)?;
        if self.kind.is_empty() {
            return Err(format!("the attribute has no `kind`; {RESTORE}"));
        }
        if Kind::named(&self.kind).is_none() {
            return Err(unknown(&self.kind, iter::empty()));
        }
        require_all(&self.key, &ROLES.map(|(_, word)| word))?;
        let null: Facts = (vec!["null"], Value::is_bool, "`true` or `false`");
        let is_list = |it: &Value| it.is_array() || it.as_str() == Some(ANY);
        let names: Facts = (vec!["names"], is_list, "a list");
        require_facts(&self.answers, &[limits(), null, names], "")?;
        require_days([&self.deprecated, &self.sunset].into_iter().flatten())
    }
}

/// Words, the values that they take, and what to call these.
type Facts = (Vec<&'static str>, fn(&Value) -> bool, &'static str);

fn flags() -> Facts {
    let words = written_flags().map(Flag::word);
    (words.collect(), Value::is_bool, "`true` or `false`")
}

fn limits() -> Facts {
    let is_bound = |it: &Value| it.is_integer() || it.is_float() || it.as_str() == Some(ANY);
    (
        LIMITS.map(|(word, _, _)| word).to_vec(),
        is_bound,
        "a number",
    )
}

/// Refuses facts that are not among those that are known, and values that they do not take; other keys may stand beside
/// them.
fn require_facts(written: &Table, known: &[Facts], others: &str) -> Result<(), String> {
    for (key, value) in written {
        let facts = known.iter().find(|(words, _, _)| words.contains(&&**key));
        let Some((_, takes, expected)) = facts else {
            let known = known.iter().flat_map(|(words, _, _)| words).copied();
            return Err(unknown(key, known.chain(others.split(' '))));
        };
        if !takes(value) {
            let value = inline(value);
            return Err(format!(
                "`{key}` is {value}, and takes {expected}; {RESTORE}"
            ));
        }
    }
    Ok(())
}

/// Refuses words that are not among those that are known.
fn require_all<'word>(
    words: impl IntoIterator<Item = &'word String>,
    known: &[&str],
) -> Result<(), String> {
    let mut words = words.into_iter();
    let first = words.find(|it| !known.contains(&it.as_str()));
    first.map_or(Ok(()), |it| Err(unknown(it, known.iter().copied())))
}

fn unknown<'word>(word: &str, known: impl Iterator<Item = &'word str>) -> String {
    let nearest = did_you_mean(word, known);
    let otherwise = if nearest.is_empty() { ";" } else { " If not," };
    format!("`{word}` is not known{nearest}{otherwise} {NEWER}")
}

/// Refuses texts that are no days.
fn require_days<'day>(days: impl IntoIterator<Item = &'day String>) -> Result<(), String> {
    let is_day = |it: &str| it.parse().is_ok_and(|day: NaiveDate| day.to_string() == it);
    let mut days = days.into_iter();
    days.find(|it| !is_day(it)).map_or(Ok(()), |it| {
        Err(format!(
            "`{it}` is no day; write one like `2026-12-03`, or {RESTORE}"
        ))
    })
}
