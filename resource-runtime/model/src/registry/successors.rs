//! The versions that clients of deprecated ones should use.

use super::versions::{is_version, lineage};
use super::{Registration, served};
use crate::schema::{Attribute, Operation, ResourceDefinition};

type Definition = &'static ResourceDefinition;

/// The registered version that clients of a deprecated one should use: the one that it names, or else the newest that
/// follows it, directly or by others.
pub fn successor(old: Definition, all: &[Registration]) -> Option<Definition> {
    let named = old.deprecation()?.successor();
    let mut others = served(all).map(|it| it.definition);
    match named {
        Some(named) => others.find(|it| is_version(it, named())),
        None => others
            .filter(|it| {
                lineage(it)
                    .skip(1)
                    .any(|followed| is_version(followed, old))
            })
            .max_by_key(|it| it.version()),
    }
}

/// Tests whether the path of an item leads to the same item in a successor: table and key are the same.
pub fn shares_items(old: Definition, new: Definition) -> bool {
    let part = |it: &Attribute| (it.identifier(), it.kind());
    let is_one_key = old
        .key_attributes()
        .map(part)
        .eq(new.key_attributes().map(part));
    let offers_items = new.offered_operations().contains(&Operation::Retrieve);
    old.table_identifier() == new.table_identifier() && is_one_key && offers_items
}

/// The hints for the developer of versions that name a successor to which no link can lead.
pub(super) fn unregistered_successors(all: &[Registration]) -> impl Iterator<Item = String> {
    let unlinked = served(all).filter(|it| successor(it.definition, all).is_none());
    unlinked.filter_map(|it| {
        let named = it.definition.deprecation()?.successor()?();
        let (type_name, name, version) = (it.type_name, named.name(), named.version());
        Some(format!(
            "the successor of `{type_name}` is `{name}` {version}, which is not registered, so that no response links to \
             it; register it, or name another one"
        ))
    })
}
