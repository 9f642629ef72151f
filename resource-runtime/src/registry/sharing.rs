//! What versions of a resource owe each other where they share a table.

use super::Registration;
use super::tables::has;
use crate::schema::{Attribute, ResourceDefinition};

pub(super) fn contradicts(
    version: &Registration,
    attribute: &Attribute,
    earlier: &[&Registration],
    what: &str,
) -> String {
    let column = attribute.identifier();
    let other = earlier.iter().find(|other| has(other.definition, column));
    let other = other.map_or("another version", |other| other.type_name);
    format!(
        "`{}.{}` contradicts `{other}` in the table `{}`, which they share: {what}; \
         give one of them another `column` or `table`",
        version.type_name,
        attribute.name(),
        version.definition.table_identifier().as_str(),
    )
}

/// A version that lacks a required attribute of another could create no item.
pub(super) fn unset_elsewhere(
    version: &Registration,
    attribute: &Attribute,
    versions: &[&Registration],
) -> Option<String> {
    let mut versions = versions.iter();
    let lacking = versions.find(|other| !has(other.definition, attribute.identifier()));
    let lacking = lacking.filter(|_| attribute.is_required())?;
    Some(format!(
        "`{}.{}` is required, but `{}` shares its table and has no such attribute; \
         make it an `Option`, add `default = …`, or give one of them another `table`",
        version.type_name,
        attribute.name(),
        lacking.type_name,
    ))
}

/// The attributes that other versions in the same table have and `definition` has not: those that
/// are `wanted`, as a write through this version sets them.
pub(crate) fn attributes_elsewhere(
    definition: &ResourceDefinition,
    registrations: &[Registration],
    wanted: fn(&Attribute) -> bool,
) -> Vec<&'static Attribute> {
    let mut elsewhere: Vec<&'static Attribute> = Vec::new();
    let sharing = registrations
        .iter()
        .map(|registration| registration.definition)
        .filter(|other| other.table_identifier() == definition.table_identifier());
    for attribute in sharing.flat_map(ResourceDefinition::all_attributes) {
        let column = attribute.identifier();
        let known = elsewhere.iter().any(|it| it.identifier() == column);
        if wanted(attribute) && !known && !has(definition, column) {
            elsewhere.push(attribute);
        }
    }
    elsewhere
}
