//! Warnings about access rules that may be intended, and that a developer should know of.

use super::{Registration, served};
use crate::schema::{Access, Attribute, Operation, ResourceDefinition};

/// The warnings for a developer who guards these resources.
pub fn warnings(registrations: &[Registration]) -> Vec<String> {
    let served: Vec<Registration> = served(registrations).cloned().collect();
    // These are warnings, because both cases are sound where the developer intends them.
    let of_each = served.iter().flat_map(uniqueness_across_owners);
    of_each.chain(other_readers(&served)).collect()
}

/// Warns of attributes that are unique among the items of all owners: a conflict reveals to each owner what
/// others have.
fn uniqueness_across_owners(registration: &Registration) -> Vec<String> {
    let (type_name, definition) = (registration.type_name, registration.definition);
    // Where items have no owner, a conflict reveals nothing about other users.
    let Some((_, owner)) = definition.owner_attribute() else {
        return Vec::new();
    };
    let owner = owner.name();
    let unique = |names: &str, remedy: String| {
        format!(
            "`{names}` of `{type_name}` is unique among the items of all owners, which tells each \
             of them what others have; {remedy}"
        )
    };
    // Two ways lead to a conflict: the key that a client chooses, and the unique sets.
    // Only a client that chooses keys can find out by trying which of them exist; of several parts, the owner may be one.
    let keys = definition.only_key();
    let keys = keys.filter(|key| key.is_assigned_by_client()).map(|key| {
        let remedy = "let the service choose it, as by `default = Uuid::now_v7()`";
        unique(key.name(), String::from(remedy))
    });
    let parts: Vec<&str> = definition.key_attributes().map(Attribute::name).collect();
    let composite = (parts.len() > 1 && !parts.contains(&owner)).then(|| {
        let remedy = format!("make `{owner}` a part of the key, too");
        unique(&parts.join(", "), remedy)
    });
    let keys = keys.into_iter().chain(composite);
    let sets = sets(definition).into_iter();
    // A set with the owner in it is unique among the items of each owner already.
    let sets = sets.filter(|set| !set.contains(&owner)).map(|set| {
        let names = set.join(", ");
        let remedy = format!("let it be unique for each by `unique({owner}, {names})`");
        unique(&names, remedy)
    });
    keys.chain(sets).collect()
}

/// The sets of unique attributes, single ones included.
fn sets(definition: &ResourceDefinition) -> Vec<Vec<&'static str>> {
    // Attributes that are unique alone and sets of several reveal the same, so both are sets here.
    let attributes = definition.all_attributes().iter();
    let alone = attributes.filter(|it| it.is_unique());
    let alone = alone.map(|it| vec![Attribute::name(it)]);
    let several = definition.unique_sets().iter().map(|set| set.to_vec());
    alone.chain(several).collect()
}

/// Warns of versions of one table with different readers: a reader of one version reads the items that are
/// stored through the other.
fn other_readers(registrations: &[Registration]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (index, registration) in registrations.iter().enumerate() {
        // Each pair is compared at its later member, so that no warning comes twice.
        let earlier = registrations.get(..index).unwrap_or_default();
        let here = registration.definition;
        let table = here.table_identifier();
        // The first version with other readers stands for all, so that many versions make few warnings.
        let other = earlier.iter().find(|other| {
            let there = other.definition;
            there.table_identifier() == table && is_for_others(there, here)
        });
        warnings.extend(other.map(|other| {
            format!(
                "`{}` and `{}` share the table `{}`, but not who reads it: whoever may read one \
                 of them reads the items of both",
                other.type_name,
                registration.type_name,
                table.as_str(),
            )
        }));
    }
    warnings
}

fn is_for_others(one: &ResourceDefinition, other: &ResourceDefinition) -> bool {
    let (one, other) = (readers(one), readers(other));
    // The rules are compared as sets, because one version may offer both operations and another only one.
    let differ = |some: &[Access], all: &[Access]| some.iter().any(|it| !all.contains(it));
    // A version that nobody reads reveals no items of the others.
    let are_read = !one.is_empty() && !other.is_empty();
    are_read && (differ(&one, &other) || differ(&other, &one))
}

fn readers(definition: &ResourceDefinition) -> Vec<Access> {
    // An operation that is not offered has no callers, whatever its access says.
    let reading = [Operation::List, Operation::Retrieve].into_iter();
    let offered = reading.filter(|it| definition.offered_operations().contains(it));
    offered.map(|it| definition.access(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::warnings;
    use crate::registry::Registration;
    use crate::samples::{Folder, Person};

    #[test]
    fn attribute_that_is_unique_across_owners_is_warned_of() {
        let registrations = [Registration::of::<Folder>(), Registration::of::<Person>()];
        let [warning] = warnings(&registrations).try_into().unwrap();
        assert!(warning.starts_with("`shelf, place` of `"), "{warning}");
        assert!(
            warning.ends_with("`unique(owner, shelf, place)`"),
            "{warning}"
        );
    }
}
