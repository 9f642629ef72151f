//! The mistakes of versions that share a table.

use super::Registration;
use super::tables::has;
use crate::schema::Attribute;

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

/// A validator is given items as its struct, which must hold whatever other versions store.
pub(super) fn unreadable(
    version: &Registration,
    attribute: &Attribute,
    versions: &[&Registration],
) -> Option<String> {
    version.validator.as_ref()?;
    let mut others = versions.iter().filter_map(|other| {
        let known = in_column(other, attribute)?;
        Some((other, known, stores_beyond(known, attribute)?))
    });
    let (other, known, what) = others.next()?;
    Some(format!(
        "`{}` has a validator, but cannot hold the items in which `{}` is {what}; let both have \
         the same type, or give one of them another `table`",
        version.type_name,
        place(other, known),
    ))
}

/// What the column of both may hold that `attribute` cannot.
fn stores_beyond(other: &Attribute, attribute: &Attribute) -> Option<String> {
    if other.is_nullable() && !attribute.is_nullable() {
        return Some(String::from("null"));
    }
    let names = attribute.names();
    let mut beyond = other.names().iter().filter(|name| !names.contains(name));
    match beyond.next() {
        _ if names.is_empty() => None,
        Some(name) => Some(format!("`{name}`")),
        None if other.names().is_empty() => Some(String::from("any text")),
        None => None,
    }
}

fn in_column(version: &Registration, attribute: &Attribute) -> Option<&'static Attribute> {
    let mut attributes = version.definition.all_attributes().iter();
    attributes.find(|other| other.identifier() == attribute.identifier())
}

/// An attribute for people: `my_crate::User.password`.
fn place(version: &Registration, attribute: &Attribute) -> String {
    format!("{}.{}", version.type_name, attribute.name())
}
