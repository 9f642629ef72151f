//! The changelog: what each version changes about the one before, from the file, and for drafts from the code.

use std::collections::BTreeMap;

use resource_model::schema::Version;
use resource_model::schema::evolution::{Finding, Part, Rule};

use crate::compare::{Told, each_difference};
use crate::lock::Lock;
use crate::promise::Promise;

/// The changes of a version, in the order of the headings.
#[derive(Default)]
struct Changes {
    breaking: Vec<String>,
    changed: Vec<String>,
    added: Vec<String>,
    deprecated: Vec<String>,
    retired: Vec<String>,
}

/// The changelog of all versions of which `is_wanted` holds, the newest first, as Markdown.
pub(crate) fn changelog(
    lock: &Lock,
    registered: &[Promise],
    is_wanted: impl Fn(Version) -> bool,
) -> String {
    // The file has the last word about what it knows; the rest are drafts.
    let mut all: BTreeMap<_, _> = registered.iter().map(|it| (it.place(), it)).collect();
    all.extend(lock.versions.iter().map(|(key, it)| (key.clone(), it)));
    let mut versions: BTreeMap<(Version, bool), Vec<&Promise>> = BTreeMap::new();
    for promise in all.values().filter(|it| is_wanted(it.version)) {
        let is_draft = promise.published.is_empty();
        let promises = versions.entry((promise.version, is_draft));
        promises.or_default().push(promise);
    }
    let mut text = String::from("# Changes\n");
    for ((version, is_draft), promises) in versions.iter().rev() {
        let mut changes = Changes::default();
        for promise in promises {
            changes.add(promise, before(promise, all.values().copied()));
        }
        let days = promises.iter().map(|it| it.published.as_str());
        let standing = match days.min() {
            Some(day) if !is_draft => format!("published {day}"),
            _ => String::from("a draft"),
        };
        text += &format!("\n## {version}, {standing}\n{}", changes.text());
    }
    text
}

/// The version that a version follows, or else the one before it.
fn before<'all>(
    promise: &Promise,
    all: impl Iterator<Item = &'all Promise> + Clone,
) -> Option<&'all Promise> {
    let followed = promise.follows.as_ref();
    let followed = followed.and_then(|title| all.clone().find(|it| it.title() == *title));
    let mut older = all.filter(|it| it.name == promise.name && it.version < promise.version);
    // They are sorted, so that the last one is the newest.
    followed.or_else(|| older.by_ref().last())
}

impl Changes {
    fn add(&mut self, new: &Promise, old: Option<&Promise>) {
        let name = &new.name;
        if let Some(old) = old {
            let (old, new) = declared(old, new);
            self.compare(&old, &new);
        } else {
            self.added.push(format!("`{name}` at `{}`", new.path));
        }
        let reused = Rule::Reused.entry().word;
        for (place, why) in new
            .breaks
            .iter()
            .filter_map(|(it, rules)| Some((it, rules.get(reused)?)))
        {
            self.breaking.push(format!(
                "`{name}`: `{place}` was something else in a version that has ended: {why}"
            ));
        }
        let of_end = |place: &str| new.retired.is_some() && place == name;
        for ([day, place, rule], why) in new.amendments().filter(|([_, it, _], _)| !of_end(it)) {
            let is_of_scopes = rule == Rule::Access.entry().word;
            let needs = new.access.get(place).filter(|_| is_of_scopes);
            let now = needs.map_or_else(String::new, |it| format!(", now {}", it.in_words()));
            self.breaking.push(format!(
                "`{name}`: `{place}` is not as published since {day} (`{rule}`{now}): {why}"
            ));
        }
        let announced = deprecated(name, new.deprecated.as_ref(), new.sunset.as_ref(), None);
        self.deprecated.extend(announced);
        for (member, it) in &new.attribute {
            let known = old.and_then(|old| old.attribute.get(member)?.deprecated.as_ref());
            let since = it.deprecated.as_ref().filter(|it| known != Some(it));
            let place = format!("{name}.{member}");
            let announced = deprecated(&place, since, it.sunset.as_ref(), it.instead.as_ref());
            self.deprecated.extend(announced);
        }
        if let Some(day) = &new.retired {
            let why = new.amendments().filter(|([_, it, _], _)| of_end(it)).last();
            let why = why.map_or_else(String::new, |(_, why)| format!(": {why}"));
            self.retired.push(format!("`{name}` on {day}{why}"));
        }
    }

    fn compare(&mut self, old: &Promise, new: &Promise) {
        let name = &new.name;
        let reason = |place: &str, rule: Rule| new.reason(place, rule.entry().word);
        let of_table = [Rule::ReadWidening, Rule::OldItems, Rule::SharedConstraint];
        let is_shared = |place: &str| of_table.iter().any(|it| reason(place, *it).is_some());
        let follows = new.follows.as_ref() == Some(&old.title());
        let mut broken = Vec::new();
        each_difference(old, new, is_shared, |finding| {
            let (place, rule) = (finding.place, finding.rule);
            broken.push((place.to_owned(), rule));
            let why = reason(place, rule).or_else(|| reason(name, rule));
            // Where the compiler wants no reason, the attribute has the column of one that clients of the older version fill.
            if rule == Rule::RequiredNew && why.is_none() && follows {
                return;
            }
            // A change that needed no approval is remedied: clients of the older version never read it.
            let is_remedied = match rule {
                Rule::ReadWidening => why.is_none(),
                Rule::Null | Rule::Wider | Rule::NameAdded => why.is_none() && follows,
                _ => false,
            };
            let mut finding = *finding;
            if is_remedied && rule == Rule::ReadWidening {
                finding.rule = Rule::Wider;
            }
            let list = if is_remedied || rule == Rule::Validator {
                &mut self.changed
            } else {
                &mut self.breaking
            };
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            let sentence = Told::of(&finding, old.version, new.version).sentence;
            list.push(format!("`{name}`: {sentence}{why}"));
        });
        // A change that breaks nothing is one that would break something the other way round.
        each_difference(
            new,
            old,
            |_| false,
            |finding| {
                let is_told = broken
                    .iter()
                    .any(|(place, rule)| place == finding.place && *rule == finding.rule);
                if matches!(finding.rule, Rule::Removed | Rule::Withdrawn) {
                    self.added.push(format!("`{name}`: `{}`", finding.place));
                } else if !is_told
                    && let Some(sentence) = reversed(finding, old.version, new.version)
                {
                    self.changed.push(format!("`{name}`: {sentence}"));
                }
            },
        );
    }

    fn text(self) -> String {
        let sections = [
            ("Breaking", self.breaking),
            ("Changed", self.changed),
            ("Added", self.added),
            ("Deprecated", self.deprecated),
            ("Retired", self.retired),
        ];
        let sections = sections.into_iter().filter(|(_, lines)| !lines.is_empty());
        let sections = sections.map(|(heading, lines)| {
            let lines: Vec<String> = lines
                .iter()
                .map(|it| format!("- {}\n", it.replace('\n', " ")))
                .collect();
            format!("\n### {heading}\n\n{}", lines.concat())
        });
        let text: Vec<String> = sections.collect();
        if text.is_empty() {
            return String::from("\nNothing that clients see.\n");
        }
        text.concat()
    }
}

/// The promises as both versions themselves make them, at one path where the number alone differs.
fn declared(old: &Promise, new: &Promise) -> (Promise, Promise) {
    let (mut old, mut new) = (old.clone(), new.clone());
    for (name, member) in &mut old.attribute {
        // Other versions add to the answers of both, or the newer one holds back from the older one.
        if let Some(new) = new.attribute.get_mut(name)
            && !member.answers.is_empty()
        {
            new.answers.clear();
        }
        member.answers.clear();
    }
    let unnumbered = |it: &Promise| it.path.replacen(&format!("/{}/", it.version), "/", 1);
    if unnumbered(&old) == unnumbered(&new) {
        old.path.clone_from(&new.path);
    }
    (old, new)
}

/// The sentence about a change that breaks nothing, of the finding about the way back.
fn reversed(finding: &Finding<'_>, old: Version, new: Version) -> Option<String> {
    let (place, words) = (finding.place, finding.words);
    let name = |part: &Part<'_>| match part {
        Part::Name(name) => format!("`{name}`"),
        _ => String::from("any text"),
    };
    Some(match finding.rule {
        Rule::Tighter | Rule::Wider | Rule::WiderKind | Rule::Page | Rule::Access => {
            Told::of(&finding.between(finding.old, finding.new), old, new).sentence
        }
        Rule::Required => format!("`{place}` may be left out"),
        Rule::NotNull => format!("`{place}` takes null"),
        Rule::NameRemoved => format!("`{place}` takes {}", name(&finding.old)),
        Rule::ReadOnly => format!("`{place}` is taken from clients"),
        Rule::Constraint => format!("`{place}` need not be {words}"),
        Rule::Hidden => format!("`{place}` is told"),
        Rule::Null => format!("`{place}` is never null"),
        Rule::NameAdded => format!("`{place}` is never {}", name(&finding.new)),
        Rule::Unqueryable => format!("`{place}` is known to filters"),
        Rule::Validator => String::from("no validator checks items"),
        _ => return None,
    })
}

fn deprecated(
    place: &str,
    since: Option<&String>,
    sunset: Option<&String>,
    instead: Option<&String>,
) -> Option<String> {
    let since = since?;
    let sunset = sunset.map_or_else(String::new, |day| format!(", until {day}"));
    let instead = instead.map_or_else(String::new, |it| format!("; use `{it}`"));
    Some(format!("`{place}` since {since}{sunset}{instead}"))
}
