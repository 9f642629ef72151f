//! The commands about the file alone: the publication of a version, and the comparison with an older file.

use std::collections::BTreeSet;

use resource_model::schema::Version;
use resource_model::schema::evolution::Rule;

use crate::compare::Told;
use crate::lock::{Lock, joined, missing, problems};
use crate::promise::Promise;

impl Lock {
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
            let known = listed(registered.iter().map(|it| it.version));
            return Err(vec![format!(
                "no resource has the version `{version}`; there are {known}"
            )]);
        }
        let mut problems = Vec::new();
        for promise in wanted
            .iter()
            .filter(|it| !self.versions.contains_key(&it.place()))
        {
            problems.extend(self.against(promise, &wanted));
            problems.extend(self.superfluous(promise));
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
        let title = promise.quoted_title();
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
        let reused = self.reused(promise, None);
        let is_approved = |it: &&Told| {
            promise
                .reason(&it.place, Rule::Reused.entry().word)
                .is_some()
        };
        for Told {
            place,
            sentence,
            remedy,
            ..
        } in reused.iter().filter(|it| !is_approved(it))
        {
            let is_of_field = promise.attribute.contains_key(place);
            let of_struct = if is_of_field {
                String::new()
            } else {
                format!("({place})")
            };
            problems.push(format!(
                "{title}: {sentence}; {remedy}, or write `breaks(reused{of_struct} = \"<why>\")`"
            ));
        }
        problems
    }

    /// Refuses a version that is not published.
    pub(crate) fn require(&self, version: Version) -> Result<(), String> {
        let published = || self.versions.values().map(|it| it.version);
        if published().any(|it| it == version) {
            return Ok(());
        }
        let known = listed(published());
        Err(format!(
            "no version {version} is published; there are {known}"
        ))
    }

    /// The line that tells the registered versions that nothing keeps yet; empty without any.
    pub(crate) fn drafts(&self, registered: &[Promise]) -> String {
        let drafts = registered.iter();
        let drafts = drafts.filter(|it| !self.versions.contains_key(&it.place()));
        let titles: Vec<_> = drafts.map(Promise::quoted_title).collect();
        if titles.is_empty() {
            return String::new();
        }
        let titles = titles.join(", ");
        format!("drafts, which nothing keeps until `lock --publish <version>`: {titles}\n")
    }

    /// Compares with an older file: its lines may be kept, and be changed with an amendment.
    pub(crate) fn broken_since(&self, before: &Self) -> Vec<String> {
        let (mut all, mut broken) = (Vec::new(), Vec::new());
        for old in before.versions.values() {
            let title = old.quoted_title();
            // An amendment may have renamed the resource.
            let now = self.versions.values().find(|it| {
                it.version == old.version && (it.name == old.name || it.path == old.path)
            });
            let Some(new) = now else {
                all.push(format!(
                    "{title} was published on {}, and its lines are gone; restore them",
                    old.published
                ));
                continue;
            };
            // Another amendment of the same day has added its reason.
            let has_amendment = |(at, why): ([&str; 3], &String)| {
                let is_grown = |it: &str| it == why || it.starts_with(&joined(why));
                new.amendments()
                    .any(|(place, it)| place == at && is_grown(it))
            };
            let mut breaks = old.breaks.iter();
            let has_reasons = breaks.all(|(place, rules)| {
                let mut rules = rules.keys();
                rules.all(|rule| new.reason(place, rule).is_some())
            });
            for (key, is_kept) in [
                ("published", old.published == new.published),
                (
                    "retired",
                    old.retired.is_none() || old.retired == new.retired,
                ),
                ("amended", old.amendments().all(has_amendment)),
                ("breaks", has_reasons),
                (
                    "follows",
                    old.follows.is_none() || old.follows == new.follows,
                ),
            ] {
                if !is_kept {
                    all.push(format!(
                        "the lines `{key}` of {title} are others than before; restore them"
                    ));
                }
            }
            let is_added = |it: &_| !old.amendments().any(|before| before == *it);
            let added: Vec<_> = new.amendments().filter(is_added).collect();
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
            broken.extend(told.into_iter().map(|it| (old, it)));
        }
        all.extend(problems(&broken));
        all
    }
}

/// `` `1.0`, `2.0` ``
fn listed(versions: impl Iterator<Item = Version>) -> String {
    let versions: BTreeSet<_> = versions.collect();
    let versions: Vec<_> = versions.iter().map(|it| format!("`{it}`")).collect();
    versions.join(", ")
}
