//! Mistakes in who may do what; one function a rule.

mod callers;
mod columns;
mod owners;
mod targets;
mod warnings;

use std::any::TypeId;

use super::Registration;
use crate::schema::{Access, Attribute, Operation, ResourceDefinition};
pub use callers::Callers;
use columns::{other_scopes, shown_elsewhere};
use owners::{half_an_owner, other_owner, ownerless, unnamed_owner};
use targets::{other_target, unreadable_target};
pub use warnings::warnings;

/// Of what is registered, for a service that knows this of its callers.
pub(super) fn mistakes(registrations: &[Registration], callers: Callers) -> Vec<String> {
    let subjects = subjects(registrations);
    let mut mistakes = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let earlier = subjects.get(..index).unwrap_or_default();
        mistakes.extend(half_an_owner(subject));
        mistakes.extend(other_owner(subject, earlier));
        mistakes.extend(unguarded(subject).filter(|_| callers.are_asked()));
        mistakes.extend(unkept(subject).filter(|_| callers == Callers::Unasked));
        mistakes.extend(ownerless(subject).filter(|_| callers == Callers::Unprotected));
        mistakes.extend(unnamed_owner(subject).filter(|_| callers.have_namespaces()));
        for attribute in subject.definition.all_attributes() {
            for (other, same) in subject.sharing_column(attribute, earlier) {
                let (here, there) = ((subject, attribute), (other, same));
                mistakes.extend(shown_elsewhere(there, here));
                mistakes.extend(other_scopes(there, here));
                mistakes.extend(other_target(there, here));
            }
            mistakes.extend(unreadable_target(subject, attribute));
        }
    }
    mistakes
}

/// A version of a resource that requests can reach.
struct Subject {
    /// What people call it: the Rust type, where it is registered.
    name: String,
    type_id: TypeId,
    definition: &'static ResourceDefinition,
}

/// An attribute, and the version that has it.
type Place<'subject> = (&'subject Subject, &'subject Attribute);

/// What is registered, and the versions that only others refer to.
fn subjects(registrations: &[Registration]) -> Vec<Subject> {
    let registered = registrations.iter().map(|registration| Subject {
        name: registration.type_name.to_owned(),
        type_id: registration.type_id,
        definition: registration.definition,
    });
    let mut subjects: Vec<Subject> = registered.collect();
    for registration in registrations {
        for (type_id, definition) in related(registration.definition) {
            subjects.extend(unregistered(type_id, definition, &subjects));
        }
    }
    subjects
}

/// What a resource references, and what it shows as subresources.
fn related(definition: &ResourceDefinition) -> Vec<(TypeId, &'static ResourceDefinition)> {
    let attributes = definition.all_attributes().iter();
    let references = attributes.filter_map(Attribute::reference);
    let references = references.map(|it| (it.target_type, (it.target)()));
    let subresources = definition.all_subresources().iter();
    let subresources = subresources.map(|it| (it.target_type(), it.target()));
    references.chain(subresources).collect()
}

/// One that is called like a known one is still another, with rules of its own.
fn unregistered(
    type_id: TypeId,
    definition: &'static ResourceDefinition,
    known: &[Subject],
) -> Option<Subject> {
    let is_known = known.iter().any(|subject| subject.type_id == type_id);
    (!is_known).then(|| Subject {
        name: format!("{} {}", definition.name(), definition.version()),
        type_id,
        definition,
    })
}

impl Subject {
    fn shares_table_with(&self, other: &Self) -> bool {
        self.definition.table_identifier() == other.definition.table_identifier()
    }

    /// Those of `others` that keep `attribute` in the same column, each with its own attribute.
    fn sharing_column<'subject>(
        &self,
        attribute: &Attribute,
        others: &'subject [Self],
    ) -> Vec<Place<'subject>> {
        let sharing = others.iter().filter(|it| it.shares_table_with(self));
        let places = sharing.filter_map(|other| {
            let mut attributes = other.definition.all_attributes().iter();
            let same = attributes.find(|it| it.identifier() == attribute.identifier())?;
            Some((other, same))
        });
        places.collect()
    }
}

/// An attribute for people: `my_crate::User.password`.
fn named((subject, attribute): Place<'_>) -> String {
    format!("{}.{}", subject.name, attribute.name())
}

/// Declared scopes and owners that nothing enforces would be a hole by accident.
fn unkept(subject: &Subject) -> Option<String> {
    let definition = subject.definition;
    let for_some = |it: &Operation| matches!(definition.access(*it), Access::Scopes(_));
    let has_scopes =
        |it: &Attribute| it.scopes_to_read().is_some() || it.scopes_to_write().is_some();
    let is_declared = definition.ownership().is_some()
        || definition.offered_operations().iter().any(for_some)
        || definition.all_attributes().iter().any(has_scopes);
    is_declared.then(|| {
        format!(
            "`{}` declares scopes or an owner, which nothing keeps to; add `.authorization(…)`, or \
             `.unprotected()` where everybody may do everything",
            subject.name
        )
    })
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
