//! The comparison of all registered versions, for what the compiler cannot know: defaults, limits of the service, the
//! targets of references, and versions that share a table without following one another.

use super::promises::Promises;
use super::{Registration, served};
use crate::schema::evolution::{
    Approval, Comparison, Finding, Flag, Flags, MemberFacts, Members, ResourceFacts, Role, Rule,
    Rules, Text,
};
use crate::schema::{Attribute, Operation, ResourceDefinition};

/// The sentences about versions: broken promises and superfluous approvals, and hints.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) broken: Vec<String>,
    /// The hints about versions that nothing compares, and about validators that only the newer of two versions has.
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
    let promises = Promises::of_all(registrations, api_cap);
    let members: Vec<_> = promises.iter().map(members).collect();
    let versions = promises.iter().zip(&members).zip(served(registrations));
    let versions = versions.map(|((of, members), registration)| VersionFacts {
        definition: of.definition,
        facts: of.facts(members),
        has_validator: registration.validator.is_some(),
    });
    let all: Vec<_> = versions.collect();
    for (new, registration) in all.iter().zip(served(registrations)) {
        of_version(new, registration.type_name, &all, &mut told);
    }
    told
}

/// The members of a version, whose limits are those that hold for bodies while it is held back.
fn members(of: &Promises) -> Vec<MemberFacts<'_>> {
    let members = of.declared_members().into_iter();
    let members = members.map(|it| MemberFacts {
        flags: it.flags.without(Flag::HeldBack),
        ..it
    });
    members.collect()
}

/// A version with the facts that it promises.
#[derive(Clone, Copy)]
struct VersionFacts<'facts> {
    definition: &'static ResourceDefinition,
    facts: ResourceFacts<'facts>,
    /// True where the struct names a validator, or one is registered with it.
    has_validator: bool,
}

impl<'facts> VersionFacts<'facts> {
    /// The findings about this version and an older one, beside rules that are not asked for.
    fn findings(&self, old: &ResourceFacts<'facts>, others: Rules) -> Vec<Placed<'facts>> {
        let found = Comparison::of(*old, self.facts).findings_beside(others);
        let attributes = self.definition.all_attributes();
        let found = found.into_iter();
        found
            .map(|(place, finding)| (place.and_then(|it| attributes.get(it)), finding))
            .collect()
    }

    fn writes(&self) -> bool {
        let mut offered = self.definition.offered_operations().iter();
        offered.any(|it| matches!(it, Operation::Create | Operation::Update))
    }

    /// The finding that clients write past the validator of an older version, into its table.
    fn unvalidated(&self, old: &Self) -> Option<Placed<'facts>> {
        let has_one_table = self.definition.table_identifier() == old.definition.table_identifier();
        let is_broken = self.writes() && has_one_table && old.has_validator && !self.has_validator;
        is_broken.then(|| (None, Finding::about(Rule::Unvalidated, "validator")))
    }
}

/// A finding, and the attribute whose `breaks(…)` may approve it; none where the struct's may.
type Placed<'facts> = (Option<&'static Attribute>, Finding<'facts>);

fn approval(
    definition: &'static ResourceDefinition,
    (attribute, finding): &Placed<'_>,
) -> Option<&'static Approval> {
    let approvals = attribute.map_or(definition.approvals(), Attribute::approvals);
    approvals.iter().find(|it| it.is_about(finding))
}

fn of_version(new: &VersionFacts<'_>, type_name: &str, all: &[VersionFacts<'_>], told: &mut Told) {
    let definition = new.definition;
    let mut found: Vec<(&ResourceDefinition, Placed<'_>)> = Vec::new();
    let is_followed = |old: &&VersionFacts<'_>| follows(definition, old.definition);
    let followed = all.iter().find(is_followed);
    let shown = followed.map(|old| shown(old.definition, definition));
    let [old_shown, new_shown] = shown.unwrap_or_default();
    let (old_shown, new_shown) = (facts_of(&old_shown), facts_of(&new_shown));
    if let Some(old) = followed {
        let findings = new.findings(&old.facts, Rules::NONE).into_iter();
        let findings = findings.chain(of_targets(old.definition, definition));
        let findings = findings.chain(of_shown(&new.facts, [&old_shown, &new_shown]));
        found.extend(findings.map(|it| (old.definition, it)));
    }
    // One that writes nothing needs no validator of its own.
    let mut older = lineage(definition).skip(1).filter_map(|it| {
        let mut all = all.iter();
        all.find(|old| is_version(old.definition, it))
    });
    let writing = older.find(|it| it.writes());
    found.extend(writing.and_then(|old| Some((old.definition, new.unvalidated(old)?))));
    let others = all.iter().filter(|old| {
        let is_older = old.definition.version() < definition.version();
        is_older && !is_followed(old) && are_connected(old.definition, definition)
    });
    for old in others {
        for finding in new.findings(&old.facts, Rules::all_but(&ABOUT_TABLES)) {
            let is_told = found.iter().any(|(_, it)| is_one_break(it, &finding));
            if !is_told && !is_told_between(&finding, old, new, all) {
                found.push((old.definition, finding));
            }
        }
    }
    let mut needed: Vec<&Approval> = Vec::new();
    for (old, placed) in found {
        let (attribute, finding) = placed;
        if let Some(approval) = approval(definition, &placed) {
            needed.push(approval);
            continue;
        }
        let sentence = sentence(type_name, old, &finding, attribute.is_none());
        // A validator may refuse nothing that clients send.
        match finding.rule {
            Rule::Validator => told.hints.push(sentence),
            _ => told.broken.push(sentence),
        }
    }
    if followed.is_some() {
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

/// The rules about what one version stores and another one reads, whether or not it follows that.
const ABOUT_TABLES: [Rule; 3] = [Rule::ReadWidening, Rule::OldItems, Rule::SharedConstraint];

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

/// Tests whether a version follows another one directly.
fn follows(new: &ResourceDefinition, old: &ResourceDefinition) -> bool {
    new.follows()
        .is_some_and(|followed| is_version(followed(), old))
}

/// Tests whether two findings are about the same rule and column, or the same set of attributes.
fn is_one_break(one: &Placed<'_>, other: &Placed<'_>) -> bool {
    let ((attribute, finding), (other_attribute, other)) = (one, other);
    let is_one_set = (finding.place, finding.new) == (other.place, other.new);
    finding.rule == other.rule
        && attribute.map(Attribute::identifier) == other_attribute.map(Attribute::identifier)
        && (attribute.is_some() || is_one_set)
}

/// Tests whether a version in between was told the finding, and the newer one stores nothing beyond what that stores.
fn is_told_between(
    finding: &Placed<'_>,
    old: &VersionFacts<'_>,
    new: &VersionFacts<'_>,
    all: &[VersionFacts<'_>],
) -> bool {
    let asked = Rules::all_but(&ABOUT_TABLES);
    let between = lineage(new.definition).skip(1);
    let mut between = between.filter(|it| it.version() > old.definition.version());
    between.any(|definition| {
        let registered = all.iter().find(|it| is_version(it.definition, definition));
        let facts = registered.map_or_else(|| definition.facts(), |it| it.facts);
        let version = VersionFacts {
            definition,
            facts,
            // The rules about stored values do not look at it.
            has_validator: false,
        };
        let found = version.findings(&old.facts, asked);
        let mut found = found.iter().filter(|it| is_one_break(it, finding));
        // One that is registered no longer was told what it approves.
        let is_told_there =
            found.any(|it| registered.is_some() || approval(definition, it).is_some());
        // Of old items, what it promises counts, where texts are cut at any length; else what it stores, whatever its own
        // clients expect.
        let stored = facts.members.all();
        let stored: Vec<_> = stored
            .map(|it| MemberFacts {
                answers: match finding.1.rule {
                    Rule::OldItems => it.told(),
                    _ => it.accepts,
                },
                flags: it.flags.without(Flag::Truncated).without(Flag::Open),
                ..it
            })
            .collect();
        let stored = ResourceFacts {
            members: Members::Told(&stored),
            ..facts
        };
        let mut beyond = new.findings(&stored, asked).into_iter();
        is_told_there && !beyond.any(|it| is_one_break(&it, finding))
    })
}

/// Tests whether a version is another one, or follows it in the end.
pub(super) fn descends(new: &'static ResourceDefinition, old: &ResourceDefinition) -> bool {
    lineage(new).any(|it| is_version(it, old))
}

/// A version, and those that it follows one after another; the compiler has seen that each follows an older one.
fn lineage(of: &'static ResourceDefinition) -> impl Iterator<Item = &'static ResourceDefinition> {
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
