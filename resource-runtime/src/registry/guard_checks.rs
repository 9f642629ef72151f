//! Mistakes in who may do what; one function a rule.

use super::Registration;
use crate::schema::{Access, Attribute, Operation, ResourceDefinition};

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

    /// To whom its items belong, in words.
    fn belonging(&self) -> String {
        let owner = self.definition.owner_attribute();
        match (self.definition.ownership(), owner) {
            (Some(ownership), Some((_, owner))) => {
                let (claim, column) = (ownership.claim(), owner.identifier().as_str());
                format!("those whose claim `{claim}` is in the column `{column}`")
            }
            _ => String::from("nobody"),
        }
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

/// The rule and the attribute that it is about come together.
fn half_an_owner(subject: &Subject) -> Option<String> {
    let attributes = subject.definition.all_attributes().iter();
    let owners = attributes.filter(|attribute| attribute.is_owner()).count();
    let wanted = usize::from(subject.definition.ownership().is_some());
    (owners != wanted).then(|| {
        format!(
            "`{}` has {owners} attributes that hold an owner, and {wanted} rules about one; write \
             `owner(field = …)` once",
            subject.name
        )
    })
}

/// Without authorization nobody sets an owner that clients may not set.
fn ownerless(subject: &Subject) -> Option<String> {
    let creates = subject.definition.offered_operations();
    let (_, owner) = subject.definition.owner_attribute()?;
    let never_set = owner.is_required() && owner.is_read_only();
    (never_set && creates.contains(&Operation::Create)).then(|| {
        format!(
            "nobody sets `{}.{}`, which is required and read-only, without authorization; add \
             `.authorization(…)`, remove `read_only`, or make it an `Option`",
            subject.name,
            owner.name(),
        )
    })
}

/// What belongs to its owner in one version is everybody's in another that knows no owner.
fn other_owner(subject: &Subject, earlier: &[Subject]) -> Option<String> {
    let mut sharing = earlier.iter().filter(|it| it.shares_table_with(subject));
    let (here, other) = (subject.belonging(), sharing.next()?);
    let there = other.belonging();
    (here != there).then(|| {
        format!(
            "the items of `{}` belong to {here}, and to {there} in `{}`, which shares the table \
             `{}`; give both the same `owner(…)`, or one of them another `table`",
            subject.name,
            other.name,
            subject.definition.table_identifier().as_str(),
        )
    })
}

/// What one version keeps from callers, another would tell them.
fn other_readers(subject: &Subject, attribute: &Attribute, earlier: &[Subject]) -> Option<String> {
    let sharing = earlier.iter().filter(|it| it.shares_table_with(subject));
    let mut others = sharing.filter_map(|other| {
        let mut attributes = other.definition.all_attributes().iter();
        let same = attributes.find(|it| it.identifier() == attribute.identifier())?;
        (same.scopes_to_read() != attribute.scopes_to_read()).then_some((other, same))
    });
    let (other, same) = others.next()?;
    Some(format!(
        "`{}.{}` and `{}.{}` share a column, but not its `read_scope`; give both the same, or one \
         of them another `column` or `table`",
        other.name,
        same.name(),
        subject.name,
        attribute.name(),
    ))
}

/// Whoever sets a reference learns whether there is an item with this value.
fn unreadable_target(subject: &Subject, attribute: &Attribute) -> Option<String> {
    let target = attribute.target()?;
    target.scopes_to_read()?;
    let resource = (attribute.reference()?.target)().name();
    Some(format!(
        "`{}.{}` references `{resource}.{}`, which its `read_scope` keeps from some; reference \
         another attribute, or remove the `read_scope`",
        subject.name,
        attribute.name(),
        target.name(),
    ))
}

/// What is unique among the items of all owners, and so tells each of them what the others have.
pub(crate) fn uniqueness_across_owners(registrations: &[Registration]) -> Vec<String> {
    let definitions = registrations.iter().map(|it| (it.type_name, it.definition));
    let owned = definitions.filter_map(|(name, definition)| {
        let (_, owner) = definition.owner_attribute()?;
        Some((name, definition, owner.name()))
    });
    let sets = owned.flat_map(|(type_name, definition, owner)| {
        let attributes = definition.all_attributes().iter();
        let single = attributes
            .filter(|it| it.is_unique())
            .map(|it| vec![it.name()]);
        let several = definition.unique_sets().iter().map(|set| set.to_vec());
        let across = single
            .chain(several)
            .filter(move |set| !set.contains(&owner));
        across.map(move |set| (type_name, set.join(", "), owner))
    });
    let warnings = sets.map(|(type_name, set, owner)| {
        format!(
            "`{set}` of `{type_name}` is unique among the items of all owners, which tells each \
             of them what others have; make it unique for each: `unique({owner}, {set})`"
        )
    });
    warnings.collect()
}
