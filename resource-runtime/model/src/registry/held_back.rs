//! The limits of attributes that are `readable_by` an older version: no wider than those of that one, while it is registered.

use super::versions::is_version;
use super::{Registration, served};
use crate::schema::{Attribute, ResourceDefinition};

/// The registrations with the limits that hold for bodies.
pub(super) fn held_back(registrations: &[Registration]) -> Vec<Registration> {
    let held = registrations.iter().map(|registration| {
        let definition = registration.definition;
        let attributes = definition.all_attributes();
        let mut registration = registration.clone();
        if attributes.iter().any(Attribute::is_to_be_held) {
            let attributes = attributes.iter();
            let attributes = attributes.map(|it| held(it, definition, registrations));
            // Definitions are constants, so that these live as long: a few for each API that is built.
            registration.definition = Box::leak(Box::new(
                definition.attributes(Vec::leak(attributes.collect())),
            ));
        }
        registration
    });
    held.collect()
}

/// The attribute with the limits that hold for bodies: those of a version that is held back itself may be narrower than its
/// own.
fn held(
    attribute: &'static Attribute,
    of: &ResourceDefinition,
    registrations: &[Registration],
) -> Attribute {
    if !attribute.is_to_be_held() {
        return *attribute;
    }
    let older = reader(attribute, of).filter(|(older, _)| {
        let mut served = served(registrations);
        served.any(|it| is_version(it.definition, older))
    });
    let older = older.map(|(older, attribute)| held(attribute, older, registrations));
    attribute.held_to(&older.unwrap_or(*attribute))
}

/// The older version that reads what the attribute stores, with its own attribute.
fn reader(
    attribute: &Attribute,
    of: &ResourceDefinition,
) -> Option<(&'static ResourceDefinition, &'static Attribute)> {
    let older = attribute.readable_by()?();
    let is_older =
        older.version() < of.version() && older.table_identifier() == of.table_identifier();
    let read = older.stored_in(attribute.identifier());
    read.filter(|_| is_older).map(|it| (older, it))
}

/// Refuses an attribute that is held back for a version which does not read it.
pub(super) fn unread(registration: &Registration, attribute: &Attribute) -> Option<String> {
    let named = attribute.readable_by()?();
    if reader(attribute, registration.definition).is_some() {
        return None;
    }
    Some(format!(
        "`{}.{}` is `readable_by` `{}` {}, which is no older version with its column; name one, or remove that",
        registration.type_name,
        attribute.name(),
        named.name(),
        named.version(),
    ))
}
