//! The reader of the file, which refuses what it does not know with its line.

use std::collections::BTreeMap;

use resource_model::schema::evolution::{LIMITS, Rule};
use resource_model::schema::{Kind, Operation, Version};
use toml::{Table, Value};

use crate::lock::Lock;
use crate::promise::{ANY, Member, Promise, ROLES, SIZES, written_flags};
use crate::write::PARTS;

/// The remedy for what this version of the package does not know.
const NEWER: &str = "a newer `resource-lock` has written it, so update the package";

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
                    "line {number}: `{place}` stands in line {first}, too; two branches have published the version, so \
                     keep the lines of one of them"
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
        let message = error.message().replace('\n', ", ");
        format!("{message}; {NEWER}")
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
    /// Refuses words that no list has.
    fn require_known_words(&self) -> Result<(), String> {
        if self.attribute.values().any(|it| it.kind.is_empty()) {
            return Err(String::from(
                "the attribute has no `kind`; restore the line",
            ));
        }
        let is_operation = |it: &&str| Operation::ALL.iter().any(|known| known.name() == *it);
        let operations = self.operations.iter().chain(self.access.keys());
        let is_size = |it: &&str| SIZES.iter().any(|(word, _, _)| word == it);
        let approved = self.breaks.values().flat_map(BTreeMap::keys);
        let rules = approved.chain(self.amendments_rules());
        let words = operations.map(|it| (it, is_operation(&&**it)));
        let words = words
            .chain(self.page.keys().map(|it| (it, is_size(&&**it))))
            .chain(rules.map(|it| (it, Rule::named(it).is_some())))
            .chain(
                self.flags
                    .iter()
                    .map(|(key, value)| (key, is_flag(key, value))),
            );
        let members = self.attribute.values().flat_map(Member::words);
        let mut unknown = words.chain(members).filter(|(_, is_known)| !is_known);
        unknown.next().map_or(Ok(()), |(word, _)| {
            Err(format!("`{word}` is not known; {NEWER}"))
        })
    }

    fn amendments_rules(&self) -> impl Iterator<Item = &String> {
        let places = self.amended.values().flat_map(BTreeMap::values);
        places.flat_map(BTreeMap::keys)
    }
}

impl Member {
    /// The words of lists, and whether they are known.
    fn words(&self) -> impl Iterator<Item = (&String, bool)> {
        let is_role = |it: &String| ROLES.iter().any(|(_, word)| word == it);
        let limits = self.limits.iter();
        let limits = limits.map(|(key, it)| (key, is_flag(key, it) || is_limit(key, it)));
        let answers = self.answers.iter().map(|(key, value)| {
            let is_any = value.as_str() == Some(ANY);
            let is_known = match &**key {
                "null" => value.is_bool(),
                "names" => value.is_array() || is_any,
                _ => is_limit(key, value),
            };
            (key, is_known)
        });
        let kind = [(&self.kind, Kind::named(&self.kind).is_some())];
        let key = self.key.iter().map(move |it| (it, is_role(it)));
        kind.into_iter().chain(key).chain(limits).chain(answers)
    }
}

fn is_flag(key: &str, value: &Value) -> bool {
    value.is_bool() && written_flags().any(|it| it.word() == key)
}

fn is_limit(key: &str, value: &Value) -> bool {
    let is_bound = value.is_integer() || value.is_float() || value.as_str() == Some(ANY);
    is_bound && LIMITS.iter().any(|(word, _, _)| *word == key)
}
