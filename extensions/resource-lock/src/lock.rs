//! The published versions beside those that are registered, and as they are to be written.

use std::collections::BTreeMap;

use resource_model::schema::Version;
use resource_model::schema::evolution::Rule;

use crate::compare::{self, Told};
use crate::promise::Promise;

/// The published versions, by resource and version.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lock {
    pub(crate) versions: BTreeMap<(String, Version), Promise>,
}

/// An amendment: a version whose breaks are taken, and the reason.
pub(crate) type Amendment<'why> = (Version, &'why str);

/// The registered versions beside the file.
pub(crate) struct Comparison {
    /// The broken promises, in sentences with remedies.
    pub(crate) broken: Vec<String>,
    /// The number of breaks that the amendment took.
    pub(crate) amended: usize,
    /// The file as it is to be.
    pub(crate) lock: Lock,
}

impl Lock {
    /// Compares all that was published with what is registered, and takes the breaks of an `amendment`.
    pub(crate) fn compare(
        &self,
        registered: &[Promise],
        amendment: Option<Amendment<'_>>,
        today: &str,
    ) -> Comparison {
        let mut comparison = Comparison {
            broken: Vec::new(),
            amended: 0,
            lock: Self::default(),
        };
        for old in self.versions.values() {
            let updated = comparison.updated(self, old, registered, amendment, today);
            comparison.lock.versions.insert(updated.place(), updated);
        }
        comparison
    }

    /// The published version of a resource that is not over.
    pub(crate) fn published(&self, title: &str) -> Option<&Promise> {
        let mut all = self.versions.values();
        all.find(|it| it.retired.is_none() && it.title() == title)
    }

    /// All promises of `old` that `new` breaks, those about names and about what it shows included.
    pub(crate) fn broken(&self, old: &Promise, new: &Promise, registered: &[Promise]) -> Vec<Told> {
        let mut told = compare::broken(old, new);
        told.extend(self.reused(new, Some(old)));
        for (name, it) in new.shown() {
            let before = old.shown().find(|(before, _)| *before == name);
            let before = before.filter(|(_, before)| before.shows != it.shows);
            let shown = before.and_then(|(_, before)| self.published(&before.shows));
            let now = registered.iter().find(|now| now.title() == it.shows);
            if let Some((shown, now)) = shown.zip(now) {
                told.extend(compare::broken_within(name, shown, now));
            }
        }
        told
    }

    /// The names of a version that meant something else in one that has ended, unless a version since then had them,
    /// or the one that is `known`.
    pub(crate) fn reused(&self, new: &Promise, known: Option<&Promise>) -> Vec<Told> {
        let own = self.versions.values().filter(|it| it.name == new.name);
        let retired = own.clone().filter(|it| it.retired.is_some());
        let told = retired.flat_map(|retired| {
            let between = |it: &&Promise| retired.version < it.version && it.version < new.version;
            let since = own.clone().filter(between).chain(known);
            let mut told = compare::reused(retired, new);
            told.retain(|told| !since.clone().any(|it| it.has(&told.place)));
            told
        });
        told.collect()
    }

    /// The approvals of a version for names that nothing which has ended had.
    pub(crate) fn superfluous(&self, promise: &Promise) -> Vec<String> {
        let reused = self.reused(promise, None);
        let word = Rule::Reused.entry().word;
        let approved = promise.breaks.iter();
        let approved = approved.filter(|(place, rules)| {
            rules.contains_key(word) && !reused.iter().any(|it| it.place == **place)
        });
        let title = format!("`{}` {}", promise.name, promise.version);
        approved
            .map(|(place, _)| {
                format!(
                    "{title}: `{place}` was nothing else in a version that has ended; remove `breaks({word} = …)`"
                )
            })
            .collect()
    }
}

impl Comparison {
    /// The promises of a published version as they are to be in the file.
    fn updated(
        &mut self,
        lock: &Lock,
        old: &Promise,
        registered: &[Promise],
        amendment: Option<Amendment<'_>>,
        today: &str,
    ) -> Promise {
        // A resource of another name is the same one at the same path.
        let same = |it: &&Promise| it.version == old.version && it.name == old.name;
        let at_path = |it: &&Promise| it.path == old.path;
        let mut all = registered.iter();
        let new = all.clone().find(same).or_else(|| all.find(at_path));
        let mut updated = Promise {
            published: old.published.clone(),
            retired: old.retired.clone(),
            amended: old.amended.clone(),
            ..new.unwrap_or(old).clone()
        };
        let told = match (new, &old.retired) {
            (None, Some(_)) => return updated,
            (Some(_), Some(day)) => {
                let title = format!("`{}` {}", old.name, old.version);
                self.broken.push(format!(
                    "{title} is registered, and has ended on {day}; give it a number of its own"
                ));
                return old.clone();
            }
            (None, None) => vec![missing(old)],
            (Some(new), None) => {
                self.broken.extend(lock.superfluous(new));
                lock.broken(old, new, registered)
            }
        };
        for it in told {
            let amended = amendment.filter(|(version, _)| *version == old.version);
            let member = updated.attribute.get(&it.place);
            let approved = member.and_then(|member| member.widened_because);
            let approved = approved.filter(|_| it.rule == Rule::ReadWidening);
            let why = match (approved, amended) {
                (Some(why), _) => why,
                (None, Some((_, why))) => {
                    self.amended += 1;
                    why
                }
                (None, None) => {
                    self.broken.push(problem(old, &it));
                    continue;
                }
            };
            if new.is_none() {
                updated.retired = Some(today.to_owned());
            }
            let places = updated.amended.entry(today.to_owned()).or_default();
            let reasons = places.entry(it.place).or_default();
            reasons.insert(it.rule.entry().word.to_owned(), why.to_owned());
        }
        updated
    }
}

pub(crate) fn missing(old: &Promise) -> Told {
    let sentence = format!(
        "it is published since {}, and not registered",
        old.published
    );
    Told::in_words(Rule::Withdrawn, &old.name, sentence, "register it")
}

pub(crate) fn problem(old: &Promise, told: &Told) -> String {
    let elsewhere = match told.rule {
        // It is in a new version, or about no edit of the struct.
        Rule::ReadWidening => ", write `breaks(read_widening = \"<why>\")` in the other version",
        Rule::Withdrawn if [&*old.name, "sunset"].contains(&&*told.place) => "",
        _ => ", put it into a new version",
    };
    format!(
        "`{}` {}: {} [{}]; {}{elsewhere}, or take it by `lock --amend {} \"<why>\"`",
        old.name,
        old.version,
        told.sentence,
        told.rule.entry().word,
        told.remedy,
        old.version,
    )
}
