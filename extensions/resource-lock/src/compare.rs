//! The comparison of a version with what was published of it, by the functions that the compiler and `build` call.

use resource_model::schema::evolution::{
    Comparison, Finding, MemberFacts, Members, On, Part, ResourceFacts, Rule, Rules, Text,
};
use resource_model::schema::{Bound, Identifier, Version};

use crate::promise::{Promise, SIZES, Shown};

/// A finding, told.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) rule: Rule,
    pub(crate) place: String,
    pub(crate) sentence: String,
    pub(crate) remedy: String,
}

impl Told {
    /// A finding about what the version `old` promised, or about an edit of it where `new` has the same number.
    pub(crate) fn of(finding: &Finding<'_>, old: Version, new: Version) -> Self {
        let mut sentence = Text::new();
        if old == new {
            sentence.add_edit(finding, old);
        } else {
            sentence.add_sentence(finding, old);
        }
        let mut remedy = Text::new();
        remedy.add_remedy(finding, old);
        Self {
            rule: finding.rule,
            place: finding.place.to_owned(),
            sentence: sentence.as_str().to_owned(),
            remedy: remedy.as_str().to_owned(),
        }
    }

    /// A finding in words of its own.
    pub(crate) fn in_words(rule: Rule, place: &str, sentence: String, remedy: &str) -> Self {
        Self {
            rule,
            place: place.to_owned(),
            sentence,
            remedy: remedy.to_owned(),
        }
    }
}

/// All promises of `old` that `new`, the same version, breaks.
pub(crate) fn broken(old: &Promise, new: &Promise) -> Vec<Told> {
    let mut told = differences(old, new);
    // Another validator may refuse less, which nobody but its author can see.
    told.retain(|it| it.rule != Rule::Validator);
    if let (Some(before), Some(now)) = (&old.sunset, &new.sunset)
        && now < before
    {
        let sentence = format!("the sunset is {now}, announced was {before}");
        let told_now = Told::in_words(Rule::Withdrawn, "sunset", sentence, "keep the day");
        told.push(told_now);
    }
    told
}

/// All rules that `new` breaks about `old`.
fn differences(old: &Promise, new: &Promise) -> Vec<Told> {
    let mut told = Vec::new();
    each_difference(
        old,
        new,
        |_| false,
        |finding| {
            told.push(Told::of(finding, old.version, new.version));
        },
    );
    told
}

/// Tells of all rules that `new` breaks about `old`; `is_shared` knows the members that both versions store in one column.
pub(crate) fn each_difference(
    old: &Promise,
    new: &Promise,
    is_shared: impl Fn(&str) -> bool,
    mut tell: impl FnMut(&Finding<'_>),
) {
    old.with_facts(|before| {
        new.with_facts(|now| {
            // The file knows no columns: without a shared one, each side has one that no attribute is named after.
            let column = |name, other| if is_shared(name) { name } else { other };
            let stored = members(before, |it| MemberFacts {
                column: column(it.name, "-"),
                ..it
            });
            let own = members(now, |it| MemberFacts {
                column: column(it.name, ""),
                answers: it.accepts,
                ..it
            });
            let table = stored.iter().any(|it| is_shared(it.name)).then_some(TABLE);
            let own = Comparison::of(with(before, table, &stored), with(now, table, &own));
            let findings = own.findings();
            for (_, finding) in &findings {
                tell(finding);
            }
            // The rest of the answers is what other versions store in the column.
            let stored = members(before, |it| MemberFacts {
                column: it.name,
                ..it
            });
            let all = members(now, |it| MemberFacts {
                column: it.name,
                accepts: it.answers,
                ..it
            });
            let table = Some(TABLE);
            let stored = Comparison::of(with(before, table, &stored), with(now, table, &all));
            let others = Rules::all_but(&[Rule::ReadWidening]);
            for (place, MemberFacts { name, .. }) in all.iter().enumerate() {
                let mut told = findings.iter().map(|(_, it)| it);
                let is_told = told.any(|it| it.place == *name && IS_WIDER.contains(&it.rule));
                if old.attribute.contains_key(*name)
                    && !is_told
                    && let Some(finding) = stored.attribute(place, others)
                {
                    tell(&finding);
                }
            }
        });
    });
    of_targets(old, new, &mut tell);
    of_sizes(old, new, &mut tell);
}

/// The rules of which one that is broken says that answers hold more than clients expect.
const IS_WIDER: [Rule; 6] = [
    Rule::Kind,
    Rule::WiderKind,
    Rule::Null,
    Rule::Wider,
    Rule::NameAdded,
    Rule::ReadWidening,
];

fn members<'facts>(
    of: &ResourceFacts<'facts>,
    change: impl Fn(MemberFacts<'facts>) -> MemberFacts<'facts>,
) -> Vec<MemberFacts<'facts>> {
    of.members.all().map(change).collect()
}

/// The table of versions that share one.
const TABLE: Identifier = Identifier::new("");

/// The facts with this table and these members.
fn with<'facts>(
    of: &ResourceFacts<'facts>,
    table: Option<Identifier>,
    members: &'facts [MemberFacts<'facts>],
) -> ResourceFacts<'facts> {
    ResourceFacts {
        table,
        members: Members::Told(members),
        ..*of
    }
}

/// Tells of members that refer to, or are found by, something else.
fn of_targets(old: &Promise, new: &Promise, tell: &mut impl FnMut(&Finding<'_>)) {
    let mut compare = |name: &str, now: &str, before: &str| {
        if now != before {
            tell(&Finding::of_target(name, now, before));
        }
    };
    for (name, now) in &new.attribute {
        let before = old.attribute.get(name);
        // To refer to something at all, or no longer, is a constraint.
        let before = before.and_then(|it| it.references.as_ref());
        if let Some((now, before)) = now.references.as_ref().zip(before) {
            compare(name, now, before);
        }
    }
    for (name, now) in new.shown() {
        // Of what it shows, the version may be another one: its attributes are compared where they are known.
        let target = |it: &Shown| {
            let resource = it.shows.split(' ').next().unwrap_or_default();
            format!("{resource} by {}", it.keys.join(", "))
        };
        if let Some((_, before)) = old.shown().find(|(it, _)| *it == name) {
            compare(name, &target(now), &target(before));
        }
    }
}

/// Tells of sizes that the facts of a resource do not hold.
fn of_sizes(old: &Promise, new: &Promise, tell: &mut impl FnMut(&Finding<'_>)) {
    let have_collections = !old.collection.is_empty() && !new.collection.is_empty();
    for entry in SIZES.into_iter().skip(2) {
        let (word, words, _) = entry;
        let (before, now) = (old.size(entry), new.size(entry));
        let is_lower = now.unwrap_or(u32::MAX) < before.unwrap_or(u32::MAX);
        let is_other = word == "collection_default" && now != before;
        if (is_lower || is_other) && (have_collections || word == "max_offset") {
            let bound =
                |size: Option<u32>| Part::Limit("#", size.map(|it| Bound::Integer(it.into())));
            let page = Finding::about(Rule::Page, &new.name).words(words);
            tell(&page.between(bound(now), bound(before)));
        }
    }
}

/// All promises about what a member shows that are broken where it shows another version of that.
pub(crate) fn broken_within(member: &str, shown: &Promise, now: &Promise) -> Vec<Told> {
    // Of the resource itself nothing is shown but its attributes, as parts of the member.
    let within = |of: &Promise| {
        let attributes = of.attribute.iter();
        let attributes = attributes.map(|(name, it)| (format!("{member}.{name}"), it.clone()));
        Promise {
            attribute: attributes.collect(),
            ..of.clone()
        }
    };
    let shown = within(shown);
    let mut told = differences(&shown, &within(now));
    told.retain(|it| {
        it.rule.entry().on.contains(&On::Shown) && shown.attribute.contains_key(&it.place)
    });
    told
}

/// The members of `new` whose name meant something else in `retired`.
pub(crate) fn reused(retired: &Promise, new: &Promise) -> Vec<Told> {
    let differing = differences(retired, new).into_iter();
    let differing = differing.filter(|it| it.rule == Rule::Kind);
    differing
        .map(|it| {
            let finding = Finding::about(Rule::Reused, &it.place);
            Told::of(&finding, retired.version, new.version)
        })
        .collect()
}
