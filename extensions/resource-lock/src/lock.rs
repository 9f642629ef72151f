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
    /// The breaks that the amendment took, in sentences.
    pub(crate) taken: Vec<String>,
    /// The file as it is to be.
    pub(crate) lock: Lock,
    /// The registered versions.
    pub(crate) registered: Vec<Promise>,
}

impl Lock {
    /// Compares all that was published with what is registered, and takes the breaks of an `amendment`.
    pub(crate) fn compare(
        &self,
        registered: Vec<Promise>,
        amendment: Option<Amendment<'_>>,
        today: &str,
    ) -> Comparison {
        let mut comparison = Comparison {
            broken: Vec::new(),
            taken: Vec::new(),
            lock: Self::default(),
            registered,
        };
        let mut broken = Vec::new();
        for old in self.versions.values() {
            let told = comparison.add(self, old, amendment, today);
            broken.extend(told.into_iter().map(|it| (old, it)));
        }
        comparison.broken.extend(problems(&broken));
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
        let title = promise.quoted_title();
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
    /// Adds a published version as it is to be in the file; the result are its promises that are broken.
    fn add(
        &mut self,
        lock: &Lock,
        old: &Promise,
        amendment: Option<Amendment<'_>>,
        today: &str,
    ) -> Vec<Told> {
        // A resource of another name is the same one at the same path.
        let same = |it: &&Promise| it.version == old.version && it.name == old.name;
        let at_path = |it: &&Promise| it.path == old.path;
        let mut all = self.registered.iter();
        let new = all.clone().find(same).or_else(|| all.find(at_path));
        let mut told = Vec::new();
        let mut updated = old.clone();
        match (new, &old.retired) {
            (None, Some(_)) => {}
            (Some(_), Some(day)) => self.broken.push(format!(
                "{} is registered, and has ended on {day}; give it a number of its own",
                old.quoted_title()
            )),
            (None, None) => told.push(missing(old)),
            (Some(new), None) => {
                self.broken.extend(lock.superfluous(new));
                told = lock.broken(old, new, &self.registered);
                updated = new.published_as(old);
            }
        }
        let is_gone = new.is_none();
        let mut broken = Vec::new();
        for it in told {
            let amended = amendment.filter(|(version, _)| *version == old.version);
            let member = updated.attribute.get(&it.place);
            let approved = member.and_then(|member| member.widened_because);
            let approved = approved.filter(|_| it.rule == Rule::ReadWidening);
            let why = match (approved, amended) {
                (Some(why), _) => why,
                (None, Some((_, why))) => {
                    self.taken.push(format!("taken: {}", sentence(old, &it)));
                    why
                }
                (None, None) => {
                    broken.push(it);
                    continue;
                }
            };
            if is_gone {
                updated.retired = Some(today.to_owned());
            }
            let word = it.rule.entry().word;
            // An earlier amendment of the day has its reason in the same line.
            let mut before = old.amendments();
            let before = before.find(|(at, _)| *at == [today, &it.place, word]);
            let why = before.map_or_else(|| why.to_owned(), |(_, first)| joined(first) + why);
            let places = updated.amended.entry(today.to_owned()).or_default();
            let reasons = places.entry(it.place).or_default();
            reasons.insert(word.to_owned(), why);
        }
        self.lock.versions.insert(updated.place(), updated);
        broken
    }
}

/// A reason, and what stands between it and the next one.
pub(crate) fn joined(why: &str) -> String {
    format!("{why}; ")
}

pub(crate) fn missing(old: &Promise) -> Told {
    let sentence = format!(
        "it is published since {}, and not registered",
        old.published
    );
    Told::in_words(Rule::Withdrawn, &old.name, sentence, "register it again")
}

/// The sentence about a break of a published version.
fn sentence(old: &Promise, told: &Told) -> String {
    let word = told.rule.entry().word;
    format!("{}: {} [{word}]", old.quoted_title(), told.sentence)
}

/// The problems of published versions; those with the same remedies share them.
pub(crate) fn problems(broken: &[(&Promise, Told)]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (old, told) in broken {
        let (remedies, sentence) = (remedies(old, told), sentence(old, told));
        match groups.iter_mut().find(|(it, _)| *it == remedies) {
            Some((_, sentences)) => sentences.push(sentence),
            None => groups.push((remedies, vec![sentence])),
        }
    }
    let problems = groups.into_iter().map(|(remedies, sentences)| {
        let sentences = match &*sentences {
            [sentence] => format!("{sentence}; "),
            all => format!("{}\nfor each of these {}: ", all.join("\n"), all.len()),
        };
        sentences + &remedies
    });
    problems.collect()
}

/// The ways out of a break of a published version.
fn remedies(old: &Promise, told: &Told) -> String {
    // A break may be in a new version, or about no edit of the struct.
    let is_end = told.rule == Rule::Withdrawn && told.place == old.name;
    let elsewhere = match told.rule {
        Rule::ReadWidening => ", write `breaks(read_widening = \"<why>\")` in the other version",
        Rule::Withdrawn if is_end || told.place == "sunset" => "",
        _ => ", put it into a new version",
    };
    let end = if is_end {
        ", which ends the version"
    } else {
        ""
    };
    let (remedy, version) = (&told.remedy, old.version);
    format!("{remedy}{elsewhere}, or take it by `lock --amend {version} \"<why>\"`{end}")
}
