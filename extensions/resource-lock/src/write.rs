//! The writer of the file: one self-contained line a fact, facts at their defaults left out, so that branches merge by lines.

use std::collections::BTreeMap;

use resource_model::schema::Operation;
use resource_model::schema::evolution::{Flag, Flags, LIMITS};

use crate::lock::Lock;
use crate::promise::{ASSIGNED, Deprecation, Member, Needs, Promise, ROLES, SHOWN, SIZES, Values};

/// The head of each file.
pub(crate) const HEAD: &str = "\
# What published versions promise. Written by the command `lock`: review it, do not edit it.
lock = 1
semantics = 1
";

/// A limit or a list of names that holds everything.
pub(crate) const ANY: &str = "any";

/// The lines of a version: the parts of the key behind the version, and the value.
type Lines = BTreeMap<Vec<String>, String>;

impl Lock {
    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        // The maps are sorted by resource, number of the version, and key.
        let lines = self.versions.values().flat_map(|promise| {
            let version = promise.version.to_string();
            let lines = promise.lines().into_iter();
            lines.map(move |(key, value)| {
                let place = [promise.name.clone(), version.clone()];
                let place: Vec<String> = place.iter().chain(&key).map(|it| bare(it)).collect();
                format!("{} = {value}\n", place.join("."))
            })
        });
        let lines: Vec<String> = lines.collect();
        format!("{HEAD}{}", lines.concat())
    }
}

impl Promise {
    fn lines(&self) -> Lines {
        let mut lines = Lines::new();
        let mut add = |key: &[&str], value: Option<String>| {
            let key = key.iter().map(|it| (*it).to_owned()).collect();
            value.map(|value| lines.insert(key, value));
        };
        add(&["path"], Some(quoted(&self.path)));
        add(&["published"], Some(quoted(&self.published)));
        add(&["retired"], self.retired.as_deref().map(quoted));
        add(&["follows"], self.follows.as_deref().map(quoted));
        let is_limited = self.operations != Operation::ALL;
        let operations = self.operations.iter().map(|it| quoted(it.name()));
        add(&["operations"], is_limited.then(|| list(operations)));
        for (operation, needs) in Operation::ALL.iter().zip(&self.access) {
            add(&["access", operation.name()], needs.as_ref().map(needed));
        }
        let owner = self.owner.as_ref().map(|(claim, bypass)| {
            let claim = ("claim", Some(quoted(claim)));
            table([claim, ("bypass", bypass.as_ref().map(needed))])
        });
        add(&["owner"], owner);
        add(&["key"], (!self.key.is_empty()).then(|| texts(&self.key)));
        let sets = self.unique.iter().map(|set| texts(set));
        add(&["unique"], (!self.unique.is_empty()).then(|| list(sets)));
        for ((word, _, default), size) in SIZES.iter().zip(self.sizes) {
            let size = size.filter(|_| size != *default);
            add(&["page", word], size.map(|it| it.to_string()));
        }
        for (word, value) in flags(self.flags) {
            add(&[word], value);
        }
        for (word, value) in days(&self.deprecation) {
            add(&[word], value);
        }
        for (name, member) in &self.members {
            let (_, role) = ROLES.get(member.role).copied().unwrap_or_default();
            let kind = if member.role < SHOWN {
                "attribute"
            } else {
                role
            };
            add(&[kind, name], Some(member.text()));
        }
        for ([place, rule], reason) in &self.breaks {
            add(&["breaks", place, rule], Some(quoted(reason)));
        }
        for ([day, place, rule], reason) in &self.amended {
            add(&["amended", day, place, rule], Some(quoted(reason)));
        }
        lines
    }
}

impl Member {
    fn text(&self) -> String {
        let keys = (!self.keys.is_empty()).then(|| texts(&self.keys));
        let target = (!self.target.is_empty()).then(|| quoted(&self.target));
        if self.role >= SHOWN {
            return table([("keys", keys), ("shows", target)]);
        }
        let role = ROLES.get(self.role).filter(|_| self.role > 0);
        // Nobody can send a key that the database assigns.
        let (is_assigned, read_only) = (self.role == ASSIGNED, Flag::ReadOnly.word());
        let plain = Values::default();
        let answers = table(differences(&self.answers, &self.accepts));
        let facts = [("kind", Some(quoted(self.kind.name())))].into_iter();
        let facts = facts
            .chain([("key", role.map(|(_, word)| quoted(word)))])
            .chain(differences(&self.accepts, &plain))
            .chain(flags(self.flags).filter(|(word, _)| !is_assigned || *word != read_only))
            .chain([
                ("default", self.default.as_deref().map(quoted)),
                ("read_scope", self.read_scopes.as_ref().map(needed)),
                ("write_scope", self.write_scopes.as_ref().map(needed)),
                ("references", target),
            ])
            .chain(days(&self.deprecation))
            .chain([("answers", Some(answers).filter(|it| it != "{}"))]);
        table(facts)
    }
}

/// The facts of `values` that are others than those of `plain`.
fn differences(
    values: &Values,
    plain: &Values,
) -> impl Iterator<Item = (&'static str, Option<String>)> {
    let is_null = (values.is_nullable != plain.is_nullable).then(|| values.is_nullable.to_string());
    let names = (values.names != plain.names).then(|| match values.names.as_slice() {
        [] => quoted(ANY),
        names => texts(names),
    });
    let limits = values.limits.into_iter().zip(plain.limits);
    let limits: Vec<_> = limits
        .map(|(limit, plain)| {
            let text = limit.map_or_else(|| quoted(ANY), |it| it.to_string());
            (limit != plain).then_some(text)
        })
        .collect();
    let words = LIMITS.iter().map(|(word, _, _)| *word);
    [("null", is_null), ("names", names)]
        .into_iter()
        .chain(words.zip(limits))
}

/// The flags with words of their own; a reference names its target, a deprecation its day.
pub(crate) fn written_flags() -> impl Iterator<Item = Flag> {
    let is_implied = |it: &Flag| matches!(it, Flag::Reference | Flag::Deprecated);
    Flag::ALL.into_iter().filter(move |it| !is_implied(it))
}

fn flags(flags: Flags) -> impl Iterator<Item = (&'static str, Option<String>)> {
    let held = written_flags().filter(move |it| flags.have(*it));
    held.map(|flag| (flag.word(), Some(String::from("true"))))
}

fn days(of: &Deprecation) -> [(&'static str, Option<String>); 3] {
    let quoted = |text: &Option<String>| text.as_deref().map(quoted);
    [
        ("deprecated", quoted(&of.since)),
        ("sunset", quoted(&of.sunset)),
        ("instead", quoted(&of.instead)),
    ]
}

fn needed(needs: &Needs) -> String {
    let word = if needs.are_all_needed { "all" } else { "any" };
    quoted(&format!("{word} {}", needs.scopes.join(" ")))
}

fn table<'key>(facts: impl IntoIterator<Item = (&'key str, Option<String>)>) -> String {
    let facts = facts.into_iter();
    let facts = facts.filter_map(|(key, value)| Some(format!("{key} = {}", value?)));
    let facts: Vec<String> = facts.collect();
    if facts.is_empty() {
        return String::from("{}");
    }
    format!("{{ {} }}", facts.join(", "))
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("[{}]", items.join(", "))
}

fn texts(texts: &[String]) -> String {
    list(texts.iter().map(|it| quoted(it)))
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
