//! Rules about to whom items belong.

use super::Subject;
use crate::registry::Registration;
use crate::schema::Operation;

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
            "nobody sets `{}.{}`, which is required and read-only, without authorization; add \
             `.authorization(…)`, remove `read_only`, or make it an `Option`",
            subject.name,
            owner.name(),
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
            format!("those whose claim `{claim}` is in the column `{column}`")
        }
        _ => String::from("nobody"),
    }
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
             of them what others have; let it be unique for each by `unique({owner}, {set})`"
        )
    });
    warnings.collect()
}

#[cfg(test)]
mod tests {
    use super::uniqueness_across_owners;
    use crate::registry::Registration;
    use crate::samples::{Folder, Person};

    #[test]
    fn what_is_unique_among_all_owners_is_told_of() {
        let registrations = [Registration::of::<Folder>(), Registration::of::<Person>()];
        let [warning] = uniqueness_across_owners(&registrations).try_into().unwrap();
        assert!(warning.starts_with("`shelf, place` of `"), "{warning}");
        assert!(
            warning.ends_with("`unique(owner, shelf, place)`"),
            "{warning}"
        );
    }
}
