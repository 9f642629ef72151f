//! The key of an item, by the attributes of a resource.

use super::ResourceDefinition;
use crate::value::{Key, Record};

impl Key {
    /// The key of a new item; none where the database assigns it.
    pub fn chosen_in(record: &Record, definition: &ResourceDefinition) -> Option<Self> {
        let attributes = definition.all_attributes().iter().enumerate();
        let of_key = attributes.filter(|(_, attribute)| attribute.is_primary_key());
        let values = of_key.map(|(index, attribute)| {
            // Hooks see another value in the place of one that the database assigns.
            let value = record
                .get(index)
                .filter(|_| !attribute.is_assigned_by_database());
            value.cloned()
        });
        values.collect::<Option<Vec<_>>>().and_then(Self::new)
    }
}
