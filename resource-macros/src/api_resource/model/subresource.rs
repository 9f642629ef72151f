//! Subresources and collections: related resources that responses may hold expanded.

use syn::{Ident, Path};

use super::{Name, attribute};
use crate::attributes::ContainerKeys;

/// A related resource that responses may hold expanded.
#[derive(Debug)]
pub(crate) struct Subresource {
    pub(crate) name: Name,
    /// The constant of the struct that names the subresource in Rust.
    pub(crate) constant: Ident,
    /// The names of the fields that hold its key.
    pub(crate) keys: Vec<Name>,
}

pub(super) fn resolve(keys: &ContainerKeys) -> Vec<Subresource> {
    // The key may be written several times, and each of its lists may have several entries.
    let entries = keys.subresource.values().flat_map(|entries| &entries.0);
    entries
        .map(|entry| Subresource {
            name: Name::from(&entry.name),
            constant: attribute::constant(&entry.name),
            keys: entry.keys.iter().map(Name::from).collect(),
        })
        .collect()
}

pub(super) fn collections(keys: &ContainerKeys) -> Vec<(Name, Vec<Path>)> {
    let entries = keys.collection.values().flat_map(|entries| &entries.0);
    let named = entries.map(|(name, columns)| (Name::from(name), columns.clone()));
    named.collect()
}
