//! The comparison of all registered versions, for what the compiler cannot know: defaults, limits of the service, the
//! targets of references, and versions that share a table without following one another.

use super::promises::Promises;
use super::{Registration, served};
use crate::schema::evolution::{
    Approval, Finding, MemberFacts, Members, Rule, Rules, Text, compare, compare_rest, is_shared,
};
use crate::schema::{Attribute, ResourceDefinition};

/// Every broken promise of a version that another one follows, and every approval that nothing needs.
pub(super) fn broken_promises(registrations: &[Registration], api_cap: u32) -> Vec<String> {
    let all = Promises::of_all(registrations, api_cap);
    let versions = all.iter().zip(served(registrations));
    versions
        .flat_map(|(new, registration)| of_version(new, registration.type_name, &all))
        .collect()
}

fn of_version(new: &Promises, type_name: &str, all: &[Promises]) -> Vec<String> {
    let definition = new.definition;
    let older = all.iter().filter(|old| {
        old.definition.version() < definition.version() && are_connected(old.definition, definition)
    });
    let (mut problems, mut needed): (Vec<String>, Vec<&Approval>) = (Vec::new(), Vec::new());
    let mut is_judged = false;
    for old in older {
        let is_followed = is_followed(definition, old.definition);
        is_judged |= is_followed;
        let (old_members, new_members) = (old.declared_members(), new.declared_members());
        let mut told = of_members(old, new, &old_members, &new_members);
        if is_followed {
            told.extend(of_targets(old.definition, definition));
            told.extend(of_rest(old, new, &old_members, &new_members));
        } else {
            told.retain(|(_, finding)| is_about_tables(finding.rule));
        }
        for (attribute, finding) in told {
            let approvals = attribute.map_or(definition.approvals(), Attribute::approvals);
            let mut approving = approvals.iter().filter(|it| it.is_about(&finding));
            match approving.next() {
                Some(approval) => needed.push(approval),
                // A warning needs no approval.
                None if finding.rule == Rule::Validator => {}
                None => {
                    let is_of_struct = attribute.is_none();
                    problems.push(problem(type_name, old.definition, &finding, is_of_struct));
                }
            }
        }
    }
    if is_judged {
        problems.extend(superfluous(definition, type_name, &needed));
    }
    problems
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
    let judged_here = approvals.filter(|it| it.rule.entry().is_of_build);
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
pub fn unconnected_versions(registrations: &[Registration]) -> Option<String> {
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
type Told<'facts> = (Option<&'static Attribute>, Finding<'facts>);

/// The findings about members of both versions, approved or not.
fn of_members<'facts>(
    old: &Promises,
    new: &Promises,
    old_members: &'facts [MemberFacts<'facts>],
    new_members: &'facts [MemberFacts<'facts>],
) -> Vec<Told<'facts>> {
    let is_shared = is_shared(&old.definition.facts(), &new.definition.facts());
    let mut told = Vec::new();
    for (place, member) in new_members.iter().enumerate() {
        let Some(before) = Members::Told(old_members).named(member.name, place) else {
            continue;
        };
        let attribute = new.definition.all_attributes().get(place);
        let is_one_column = is_shared && before.column == member.column;
        let mut known = Rules::NONE;
        while let Some(finding) = compare(&before, member, is_one_column, known) {
            known = known.with_implied(finding.rule);
            told.push((attribute, finding));
        }
    }
    told
}

/// The findings beside members of both versions, approved or not.
fn of_rest<'facts>(
    old: &Promises,
    new: &Promises,
    old_members: &'facts [MemberFacts<'facts>],
    new_members: &'facts [MemberFacts<'facts>],
) -> Vec<Told<'facts>> {
    let (old, new) = (old.facts(old_members), new.facts(new_members));
    let findings = (0..).map_while(|number| compare_rest(&old, &new, number));
    findings.map(|finding| (None, finding)).collect()
}

/// The findings about what references and subresources point at.
fn of_targets(old: &ResourceDefinition, new: &ResourceDefinition) -> Vec<Told<'static>> {
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
    let shown = new.all_subresources().iter().filter_map(|subresource| {
        let (_, before) = old.find_subresource(subresource.name())?;
        let (now, before) = (subresource.target().name(), before.target().name());
        let finding = Finding::of_target(subresource.name(), now, before);
        (now != before).then_some((None, finding))
    });
    attributes.chain(shown).collect()
}

fn is_about_tables(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::ReadWidening | Rule::OldItems | Rule::SharedConstraint
    )
}

fn problem(
    type_name: &str,
    old: &ResourceDefinition,
    finding: &Finding<'_>,
    is_of_struct: bool,
) -> String {
    let mut text = Text::new();
    text.add_sentence(finding, old.version());
    text.add("; ");
    text.add_remedy(finding, old.version());
    text.add(", or write `breaks(");
    text.add_rule(finding, is_of_struct);
    text.add(" = \"<why>\")`");
    format!("`{type_name}`: {}", text.as_str())
}

/// Tests whether a version follows another one, or one that does.
fn is_followed(new: &ResourceDefinition, old: &ResourceDefinition) -> bool {
    new.follows()
        .is_some_and(|followed| is_version(followed(), old))
}

/// Tests whether two versions follow one that is the same in the end.
fn are_connected(one: &'static ResourceDefinition, other: &'static ResourceDefinition) -> bool {
    is_version(first(one), first(other))
}

/// The version at the beginning; the compiler has seen that each follows an older one.
fn first(mut definition: &'static ResourceDefinition) -> &'static ResourceDefinition {
    while let Some(followed) = definition.follows() {
        definition = followed();
    }
    definition
}

/// Tests whether two definitions are one version, since constants have no identity.
pub(super) fn is_version(one: &ResourceDefinition, other: &ResourceDefinition) -> bool {
    (one.collection(), one.version()) == (other.collection(), other.version())
}
