//! Mistakes in who may do what; one function a rule.

mod owners;
mod readers;

use super::Registration;
use crate::schema::{Access, ResourceDefinition};
pub(crate) use owners::uniqueness_across_owners;
use owners::{half_an_owner, other_owner, ownerless};
use readers::{other_readers, unreadable_target};

/// Of what is registered, whether `guarded` by authorization or not.
pub(super) fn mistakes(registrations: &[Registration], guarded: bool) -> Vec<String> {
    let subjects = subjects(registrations);
    let mut mistakes = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let earlier = subjects.get(..index).unwrap_or_default();
        mistakes.extend(half_an_owner(subject));
        mistakes.extend(other_owner(subject, earlier));
        mistakes.extend(unguarded(subject).filter(|_| guarded));
        mistakes.extend(ownerless(subject).filter(|_| !guarded));
        for attribute in subject.definition.all_attributes() {
            mistakes.extend(other_readers(subject, attribute, earlier));
            mistakes.extend(unreadable_target(subject, attribute));
        }
    }
    mistakes
}

/// A version of a resource that requests can reach.
struct Subject {
    /// What people call it: the Rust type, where it is registered.
    name: String,
    definition: &'static ResourceDefinition,
}

/// What is registered, and the versions that only others refer to.
fn subjects(registrations: &[Registration]) -> Vec<Subject> {
    let registered = registrations.iter().map(|registration| Subject {
        name: registration.type_name.to_owned(),
        definition: registration.definition,
    });
    let mut subjects: Vec<Subject> = registered.collect();
    for registration in registrations {
        for attribute in registration.definition.all_attributes() {
            let target = attribute.reference().map(|reference| (reference.target)());
            subjects.extend(target.and_then(|target| unregistered(target, &subjects)));
        }
    }
    subjects
}

fn unregistered(target: &'static ResourceDefinition, known: &[Subject]) -> Option<Subject> {
    let same = |subject: &Subject| {
        let definition = subject.definition;
        definition.name() == target.name() && definition.version() == target.version()
    };
    (!known.iter().any(same)).then(|| Subject {
        name: format!("{} {}", target.name(), target.version()),
        definition: target,
    })
}

impl Subject {
    fn shares_table_with(&self, other: &Self) -> bool {
        self.definition.table_identifier() == other.definition.table_identifier()
    }
}

/// Nobody may do what nothing is said of.
fn unguarded(subject: &Subject) -> Option<String> {
    let operations = subject.definition.offered_operations().iter();
    let open = operations.filter(|it| subject.definition.access(**it) == Access::Nobody);
    let names: Vec<&str> = open.map(|operation| operation.name()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "`{}` does not say who may {}; add `scopes(…)` or `public`",
            subject.name,
            names.join(", "),
        )
    })
}
