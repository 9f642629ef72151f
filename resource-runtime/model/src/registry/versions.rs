//! The comparison of all registered versions, for what the compiler cannot know: defaults, limits of the service, the
//! targets of references, and versions that share a table without following one another.

use super::promises::Promises;
use super::{Registration, served};
use crate::schema::evolution::{
    Approval, Comparison, Finding, Flag, Flags, MemberFacts, Members, ResourceFacts, Role, Rule,
    Text,
};
use crate::schema::{Attribute, ResourceDefinition};

/// The sentences about versions: broken promises and superfluous approvals, and hints.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) broken: Vec<String>,
    /// The hints about versions that nothing compares, and about validators that the older version lacks.
    pub(super) hints: Vec<String>,
}

/// Compares each version with the older ones that it follows, or shares a table with.
pub(super) fn told(registrations: &[Registration], api_cap: u32) -> Told {
    let mut told = Told::default();
    told.hints.extend(unconnected_versions(registrations));
    // Where no version follows another one, nothing is compared.
    if served(registrations).all(|it| it.definition.follows().is_none()) {
        return told;
    }
    let all = Promises::of_all(registrations, api_cap);
    for (new, registration) in all.iter().zip(served(registrations)) {
        of_version(new, registration.type_name, &all, &mut told);
    }
    told
}

fn of_version(new: &Promises, type_name: &str, all: &[Promises], told: &mut Told) {
    let definition = new.definition;
    let older = all.iter().filter(|old| {
        old.definition.version() < definition.version() && are_connected(old.definition, definition)
    });
    let mut needed: Vec<&Approval> = Vec::new();
    let mut is_judged = false;
    for old in older {
        let is_followed = is_followed(definition, old.definition);
        is_judged |= is_followed;
        let (old_members, new_members) = (old.declared_members(), new.declared_members());
        let (before, now) = (old.facts(&old_members), new.facts(&new_members));
        let shown = shown(old.definition, definition);
        let [old_shown, new_shown] = shown.each_ref().map(|it| facts_of(it));
        let found = Comparison::of(before, now).findings().into_iter();
        let attribute = |place| definition.all_attributes().get(place);
        let mut findings: Vec<Placed<'_>> = found
            .map(|(place, finding)| (place.and_then(attribute), finding))
            .collect();
        if is_followed {
            findings.extend(of_targets(old.definition, definition));
            findings.extend(of_shown(&now, [&old_shown, &new_shown]));
        } else {
            findings.retain(|(attribute, finding)| {
                is_about_tables(finding.rule)
                    && !is_told_between(definition, old.definition, *attribute)
            });
        }
        for (attribute, finding) in findings {
            let approvals = attribute.map_or(definition.approvals(), Attribute::approvals);
            let mut approving = approvals.iter().filter(|it| it.is_about(&finding));
            if let Some(approval) = approving.next() {
                needed.push(approval);
            } else {
                let is_of_struct = attribute.is_none();
                let sentence = sentence(type_name, old.definition, &finding, is_of_struct);
                // A validator may refuse nothing that clients send.
                match finding.rule {
                    Rule::Validator => told.hints.push(sentence),
                    _ => told.broken.push(sentence),
                }
            }
        }
    }
    if is_judged {
        told.broken
            .extend(superfluous(definition, type_name, &needed));
    }
}

/// The approvals that are not `needed`, of rules about which the compiler takes any.
fn superfluous(
    definition: &'static ResourceDefinition,
    type_name: &str,
    needed: &[&Approval],
) -> impl Iterator<Item = String> {
    let of_attributes = definition.all_attributes().iter();
    let approvals = of_attributes.flat_map(Attribute::approvals);
    let approvals = approvals.chain(definition.approvals());
    // `api.lock` alone knows the names of versions that have ended.
    let judged_here = approvals.filter(|it| {
        let is_of_build = it.rule.entry().is_of_build && it.rule != Rule::Reused;
        is_of_build || it.places.iter().any(|place| place.contains('.'))
    });
    let superfluous =
        judged_here.filter(|it| !needed.iter().any(|needed| std::ptr::eq(*needed, *it)));
    superfluous.map(move |approval| {
        format!(
            "nothing in `{type_name}` breaks `{}`, which it approves because of {:?}; remove that `breaks(…)`",
            approval.rule.entry().word,
            approval.reason,
        )
    })
}

/// The hint for the developer of versions that share a table, where none of them follows another.
fn unconnected_versions(registrations: &[Registration]) -> Option<String> {
    let all: Vec<&Registration> = served(registrations).collect();
    let mut pairs = all
        .iter()
        .flat_map(|new| all.iter().map(move |old| (old, new)));
    let (old, new) = pairs.find(|(old, new)| {
        let (old, new) = (old.definition, new.definition);
        old.version() < new.version()
            && old.table_identifier() == new.table_identifier()
            && !are_connected(old, new)
    })?;
    Some(format!(
        "nothing compares `{}` with `{}`, whose table it shares; write `follows = …` on it, and a change that breaks \
         clients of {} does not compile",
        new.type_name,
        old.type_name,
        old.definition.version(),
    ))
}

/// A finding, and the attribute whose `breaks(…)` may approve it; none where the struct's may.
type Placed<'facts> = (Option<&'static Attribute>, Finding<'facts>);

/// The findings about what references, subresources and collections point at.
fn of_targets(old: &ResourceDefinition, new: &ResourceDefinition) -> Vec<Placed<'static>> {
    let attributes = new.all_attributes().iter().filter_map(|attribute| {
        let (_, before) = old.find(attribute.name())?;
        let target = |of: &Attribute| {
            of.all_references()
                .next()
                .map(|(it, _)| (it.target)().name())
        };
        let (now, before) = (target(attribute)?, target(before)?);
        let finding = Finding::of_target(attribute.name(), now, before);
        (now != before).then_some((Some(attribute), finding))
    });
    let shown = targets(new).filter_map(|(name, now)| {
        let (_, before) = targets(old).find(|(it, _)| *it == name)?;
        let finding = Finding::of_target(name, now.name(), before.name());
        (now.name() != before.name()).then_some((None, finding))
    });
    attributes.chain(shown).collect()
}

/// The subresources and collections, each with what it shows.
fn targets(
    of: &ResourceDefinition,
) -> impl Iterator<Item = (&'static str, &'static ResourceDefinition)> + use<> {
    let subresources = of.all_subresources().iter();
    let collections = of.all_collections().iter();
    subresources
        .map(|it| (it.name(), it.target()))
        .chain(collections.map(|it| (it.name(), it.target())))
}

/// The attributes of other items that both versions show, by their places, as the older and the newer one tells them.
fn shown(
    old: &ResourceDefinition,
    new: &ResourceDefinition,
) -> [Vec<(String, MemberFacts<'static>)>; 2] {
    let pairs: Vec<_> = targets(new)
        .filter_map(|(name, now)| {
            let (_, before) = targets(old).find(|(it, _)| *it == name)?;
            // The compiler has held a version to the one that it follows.
            let is_open = now.name() == before.name() && !descends(now, before);
            is_open.then_some((name, [before, now]))
        })
        .collect();
    [0, 1].map(|which| {
        let targets = pairs
            .iter()
            .filter_map(|(name, pair)| Some((*name, *pair.get(which)?)));
        let attributes = targets.flat_map(|(name, target)| {
            let attributes = target.all_attributes().iter();
            attributes.map(move |it| (format!("{name}.{}", it.name()), it.facts()))
        });
        attributes.collect()
    })
}

/// The facts that count where an item is shown within another one.
fn facts_of<'shown>(shown: &'shown [(String, MemberFacts<'static>)]) -> Vec<MemberFacts<'shown>> {
    const TOLD: [Flag; 4] = [
        Flag::WriteOnly,
        Flag::Redacted,
        Flag::Open,
        Flag::Deprecated,
    ];
    let read_only = Flags::default().and(Flag::ReadOnly, true);
    let facts = shown.iter().map(|(place, facts)| MemberFacts {
        name: place,
        column: "",
        role: Role::Attribute,
        flags: TOLD
            .into_iter()
            .fold(read_only, |all, it| all.and(it, facts.flags.have(it))),
        ..*facts
    });
    facts.collect()
}

/// The findings about what subresources and collections show of other items.
fn of_shown<'facts>(
    version: &ResourceFacts<'facts>,
    [old, new]: [&'facts [MemberFacts<'facts>]; 2],
) -> Vec<Placed<'facts>> {
    let within = |members| {
        let mut facts = *version;
        facts.members = Members::Told(members);
        (facts.operations, facts.table) = (&[], None);
        facts
    };
    let found = Comparison::of(within(old), within(new)).findings();
    found.into_iter().map(|(_, it)| (None, it)).collect()
}

fn is_about_tables(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::ReadWidening | Rule::OldItems | Rule::SharedConstraint
    )
}

fn sentence(
    type_name: &str,
    old: &ResourceDefinition,
    finding: &Finding<'_>,
    is_of_struct: bool,
) -> String {
    let mut text = Text::new();
    text.add_problem(finding, old.version(), is_of_struct);
    format!("`{type_name}`: {}", text.as_str())
}

/// Tests whether a version follows another one, or one that does.
fn is_followed(new: &ResourceDefinition, old: &ResourceDefinition) -> bool {
    new.follows()
        .is_some_and(|followed| is_version(followed(), old))
}

/// Tests whether the comparison with a version in between has told what holds of an attribute, or of the table.
fn is_told_between(
    new: &ResourceDefinition,
    old: &ResourceDefinition,
    attribute: Option<&Attribute>,
) -> bool {
    let between = new.follows().map(|followed| followed());
    between.is_some_and(|between| {
        descends(between, old)
            && between.table_identifier() == old.table_identifier()
            && attribute.is_none_or(|it| between.stored_in(it.identifier()).is_some())
    })
}

/// Tests whether a version is another one, or follows it in the end.
fn descends(new: &'static ResourceDefinition, old: &ResourceDefinition) -> bool {
    lineage(new).any(|it| is_version(it, old))
}

/// A version, and those that it follows one after another; the compiler has seen that each follows an older one.
pub(super) fn lineage(
    of: &'static ResourceDefinition,
) -> impl Iterator<Item = &'static ResourceDefinition> {
    std::iter::successors(Some(of), |it| it.follows().map(|followed| followed()))
}

/// Tests whether two versions follow one that is the same in the end.
fn are_connected(one: &'static ResourceDefinition, other: &'static ResourceDefinition) -> bool {
    let (one, other) = (lineage(one).last(), lineage(other).last());
    one.zip(other)
        .is_some_and(|(one, other)| is_version(one, other))
}

/// Tests whether two definitions are one version, since constants have no identity.
pub(super) fn is_version(one: &ResourceDefinition, other: &ResourceDefinition) -> bool {
    (one.collection(), one.version()) == (other.collection(), other.version())
}
