//! Rules about to whom items belong.

use super::Subject;
use crate::schema::{Kind, Operation, Requirement};

/// The rule and the attribute that it is about come together.
pub(super) fn half_an_owner(subject: &Subject) -> Option<String> {
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
pub(super) fn ownerless(subject: &Subject) -> Option<String> {
    let creates = subject.definition.offered_operations();
    let (_, owner) = subject.definition.owner_attribute()?;
    let never_set = owner.is_required() && owner.is_read_only();
    (never_set && creates.contains(&Operation::Create)).then(|| {
        format!(
            "nobody sets `{}.{}`, which is required and read-only, where the API is \
             `.unprotected()`; write `.authorization(…)` instead, remove `read_only`, or make it an \
             `Option`",
            subject.name,
            owner.name(),
        )
    })
}

/// What users are called where their issuers have namespaces is nothing but a text.
pub(super) fn unnamed_owner(subject: &Subject) -> Option<String> {
    let (_, owner) = subject.definition.owner_attribute()?;
    (owner.kind() != Kind::Text).then(|| {
        format!(
            "`{}.{}` is {}, but where issuers have a `subject_namespace` users are called \
             `namespace:7`; make it a `String`, or trust one issuer without a namespace",
            subject.name,
            owner.name(),
            owner.kind(),
        )
    })
}

/// What belongs to its owner in one version is everybody's in another that knows no owner.
pub(super) fn other_owner(subject: &Subject, earlier: &[Subject]) -> Option<String> {
    let mut sharing = earlier.iter().filter(|it| it.shares_table_with(subject));
    let (here, other) = (belonging(subject), sharing.next()?);
    let there = belonging(other);
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

/// To whom the items belong, in words.
fn belonging(subject: &Subject) -> String {
    let definition = subject.definition;
    match (definition.ownership(), definition.owner_attribute()) {
        (Some(ownership), Some((_, owner))) => {
            let (claim, column) = (ownership.claim(), owner.identifier().as_str());
            let bypass = ownership.bypass().map(bypassing).unwrap_or_default();
            format!("those whose claim `{claim}` is in the column `{column}`{bypass}")
        }
        _ => String::from("nobody"),
    }
}

fn bypassing(requirement: Requirement) -> String {
    let (word, scopes) = match requirement {
        Requirement::Any(scopes) => ("any", scopes),
        Requirement::All(scopes) => ("all", scopes),
    };
    format!(" or who have {word} of `{}`", scopes.join("`, `"))
}
