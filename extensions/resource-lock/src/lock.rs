//! The file of published versions: what is compared with the code, and what changes it.

use std::collections::{BTreeMap, BTreeSet};

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
    fn published(&self, title: &str) -> Option<&Promise> {
        let mut all = self.versions.values();
        all.find(|it| it.retired.is_none() && it.title() == title)
    }

    /// All promises of `old` that `new` breaks, those about names and about what it shows included.
    fn broken(&self, old: &Promise, new: &Promise, registered: &[Promise]) -> Vec<Told> {
        let mut told = compare::broken(old, new);
        for retired in self.versions.values() {
            if retired.name == new.name && retired.retired.is_some() {
                told.extend(compare::reused(retired, new, Some(old)));
            }
        }
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

    /// Publishes all resources of a version.
    ///
    /// # Errors
    ///
    /// The reasons against it.
    pub(crate) fn publish(
        &mut self,
        version: &str,
        registered: &[Promise],
        today: &str,
    ) -> Result<(), Vec<String>> {
        let is_wanted = |it: &&Promise| it.version.to_string() == version;
        let wanted: Vec<_> = registered.iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            let known: BTreeSet<_> = registered.iter().map(|it| it.version).collect();
            let known: Vec<_> = known.iter().map(ToString::to_string).collect();
            return Err(vec![format!(
                "no resource has the version `{version}`; there are `{}`",
                known.join("`, `")
            )]);
        }
        let mut problems = Vec::new();
        for promise in wanted
            .iter()
            .filter(|it| !self.versions.contains_key(&it.place()))
        {
            problems.extend(self.against(promise, &wanted));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        for promise in wanted {
            let entry = self.versions.entry(promise.place());
            entry.or_insert_with(|| Promise {
                published: today.to_owned(),
                ..promise.clone()
            });
        }
        Ok(())
    }

    /// The reasons against the publication of a version, together with `others`.
    fn against(&self, promise: &Promise, others: &[&Promise]) -> Vec<String> {
        let title = format!("`{}` {}", promise.name, promise.version);
        let mut problems = Vec::new();
        for (name, it) in promise.shown() {
            let target = &it.shows;
            let is_published =
                self.published(target).is_some() || others.iter().any(|it| it.title() == *target);
            if !is_published {
                let version = target.rsplit(' ').next().unwrap_or_default();
                problems.push(format!(
                    "`{name}` of {title} shows {target}, which is not published; publish {version} first"
                ));
            }
        }
        let retired = self.versions.values();
        let retired = retired.filter(|it| it.retired.is_some() && it.name == promise.name);
        let reused = retired.flat_map(|it| compare::reused(it, promise, None));
        let is_approved = |it: &Told| promise.reason(&it.place, it.rule.entry().word).is_some();
        for told in reused.filter(|it| !is_approved(it)) {
            let (sentence, remedy) = (told.sentence, told.remedy);
            problems.push(format!(
                "{title}: {sentence}; {remedy}, or write `breaks(reused = \"<why>\")`"
            ));
        }
        problems
    }

    /// Compares with an older file: its lines may be kept, and be changed with an amendment.
    pub(crate) fn broken_since(&self, before: &Self) -> Vec<String> {
        let mut problems = Vec::new();
        for old in before.versions.values() {
            let title = format!("`{}` {}", old.name, old.version);
            // An amendment may have renamed the resource.
            let now = self.versions.values().find(|it| {
                it.version == old.version && (it.name == old.name || it.path == old.path)
            });
            let Some(new) = now else {
                problems.push(format!(
                    "{title} was published on {}, and its lines are gone; restore them",
                    old.published
                ));
                continue;
            };
            let is_added = |it: &_| !old.amendments().any(|before| before == *it);
            let added: Vec<_> = new.amendments().filter(is_added).collect();
            let is_kept = old.published == new.published
                && old.amendments().count() + added.len() == new.amendments().count()
                && (old.retired.is_none() || old.retired == new.retired);
            if !is_kept {
                problems.push(format!(
                    "the lines `published`, `retired` or `amended` of {title} are others than before; restore them"
                ));
            }
            let is_amended = |told: &Told| {
                let word = told.rule.entry().word;
                let mut added = added.iter();
                added.any(|([_, place, rule], _)| *place == told.place && *rule == word)
            };
            let mut told = self.broken(old, new, &[]);
            if old.retired.is_none() && new.retired.is_some() {
                told.push(missing(old));
            }
            told.retain(|it| !is_amended(it));
            problems.extend(told.iter().map(|it| problem(old, it)));
        }
        problems
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
            (Some(new), None) => lock.broken(old, new, registered),
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

fn missing(old: &Promise) -> Told {
    let sentence = format!(
        "it is published since {}, and not registered",
        old.published
    );
    Told::in_words(Rule::Withdrawn, &old.name, sentence, "register it")
}

fn problem(old: &Promise, told: &Told) -> String {
    format!(
        "`{}` {}: {} [{}]; {}, put it into a new version, or take it by `lock --amend {} \"<why>\"`",
        old.name,
        old.version,
        told.sentence,
        told.rule.entry().word,
        told.remedy,
        old.version,
    )
}
