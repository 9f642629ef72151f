//! Keys of resources: their foreign keys, unique sets, and the foreign keys that point at them.

use std::any::TypeId;

use super::Registration;
use crate::schema::{Attribute, ForeignKey, Identifier, Reference, Referrer, ResourceDefinition};

/// The foreign keys of a resource: one for each subresource, whose key attributes belong
/// together, and one for each further reference.
pub fn references(definition: &ResourceDefinition) -> Vec<Reference> {
    let attributes = definition.all_attributes();
    let mut groups: Vec<Group> = Vec::new();
    // Subresources come first, because only they tell which attributes are one composite key.
    for subresource in definition.all_subresources() {
        let keys = subresource.keys().iter();
        let group = keys
            .filter_map(|key| definition.find(key).map(|(index, _)| index))
            .collect();
        // Two subresources may be found by the same attributes, which are still one foreign key.
        add(&mut groups, (group, subresource.target_type()));
    }
    // Each reference that belongs to no subresource is a foreign key of one column.
    for (index, attribute) in attributes.iter().enumerate() {
        for (reference, _) in attribute.all_references() {
            let target = reference.target_type;
            let is_of = |group: &Group| group.1 == target && group.0.contains(&index);
            if !groups.iter().any(is_of) {
                groups.push((vec![index], target));
            }
        }
    }
    groups
        .into_iter()
        // A group that cannot be resolved is left out; the checks of references tell why.
        .filter_map(|group| reference(attributes, group))
        .collect()
}

/// The positions of the attributes that are one foreign key, and the resource that it points at.
type Group = (Vec<usize>, TypeId);

fn add(groups: &mut Vec<Group>, group: Group) {
    if !groups.contains(&group) {
        groups.push(group);
    }
}

fn reference(attributes: &[Attribute], (group, target_type): Group) -> Option<Reference> {
    // The columns keep the order of the group, so that each stands at the place of its target column.
    let members: Vec<&Attribute> = group
        .iter()
        .filter_map(|index| attributes.get(*index))
        .collect();
    let (to_first, _) = members.first()?.reference_to(target_type)?;
    let target = (to_first.target)();
    // A key column of the target may have another name than its attribute, as the key's own may.
    let target_columns = members
        .iter()
        .map(|it| Some(it.reference_to(target_type)?.1?.identifier()));
    let key = ForeignKey {
        columns: members.iter().map(|it| it.identifier()).collect(),
        target: target.table_identifier(),
        // An attribute that the target lacks is told by `dangling_reference`; here its key is left out.
        target_columns: target_columns.collect::<Option<Vec<Identifier>>>()?,
        // Any attribute of a key may tell it; the derive refuses that two tell different actions.
        on_delete: members
            .iter()
            .find_map(|it| it.reference_to(target_type)?.0.on_delete),
    };
    Some(Reference {
        attributes: group,
        key,
        target,
    })
}

/// The sets of attributes whose values no two items share, where clients or the service choose them:
/// a key of several parts first, then those of one attribute in the order of their declaration.
pub fn unique_sets(definition: &ResourceDefinition) -> Vec<Vec<usize>> {
    let attributes = definition.all_attributes().iter().enumerate();
    // A conflict of a key that the database assigned is a defect of the table, not a value that was taken.
    let chosen = attributes.clone().filter(|(_, attribute)| {
        attribute.is_primary_key() && !attribute.is_assigned_by_database()
    });
    let chosen: Vec<usize> = chosen.map(|(index, _)| index).collect();
    let is_key = |index: &usize| chosen == [*index];
    let alone = attributes.filter(|(index, it)| it.is_unique() || is_key(index));
    let alone: Vec<_> = alone.map(|(index, _)| vec![index]).collect();
    // The derive refuses a set with a name that is no attribute, so that none is left out here.
    let index_of = |name: &&str| definition.find(name).map(|(index, _)| index);
    let together = definition.unique_sets().iter();
    let together = together.filter_map(|names| names.iter().map(index_of).collect());
    let composite = Some(chosen).filter(|parts| parts.len() > 1).into_iter();
    composite.chain(alone).chain(together).collect()
}

/// The foreign keys of all resources that point at the table of `definition`. Each version counts, because
/// a client may be permitted to read one and not another.
pub fn referrers(definition: &ResourceDefinition, registrations: &[Registration]) -> Vec<Referrer> {
    let mut referrers: Vec<Referrer> = Vec::new();
    for registration in registrations {
        let source = registration.definition;
        for reference in references(source) {
            // The table decides, because a foreign key finds the rows of every version of its target.
            if reference.key.target == definition.table_identifier() {
                let key = reference.key;
                let is_served = registration.is_served;
                referrers.push(Referrer {
                    source,
                    key,
                    is_served,
                });
            }
        }
    }
    referrers
}
