//! Subresources: related resources that responses may hold expanded.

use super::Name;
use crate::attributes::ContainerKeys;

/// A related resource that responses may hold expanded.
#[derive(Debug)]
pub(crate) struct Subresource {
    pub(crate) name: Name,
    /// The names of the fields that hold its key.
    pub(crate) keys: Vec<Name>,
}

pub(super) fn resolve(keys: &ContainerKeys) -> Vec<Subresource> {
    // The key may be written several times, and each of its lists may have several entries.
    let entries = keys.subresource.values().flat_map(|entries| &entries.0);
    entries
        .map(|entry| Subresource {
            name: Name::from(&entry.name),
            keys: entry.keys.iter().map(Name::from).collect(),
        })
        .collect()
}
