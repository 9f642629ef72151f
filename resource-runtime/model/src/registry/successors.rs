//! The versions that clients of deprecated ones should use.

use super::versions::{descends, is_version};
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
            .filter(|it| !is_version(it, old) && descends(it, old))
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

/// The hints for the developer of versions whose successor no link can lead to, or leads back to them.
pub(super) fn successor_hints(all: &[Registration]) -> impl Iterator<Item = String> {
    served(all).filter_map(|it| {
        let (type_name, old) = (it.type_name, it.definition);
        if successor(old, all).is_none() {
            let named = old.deprecation()?.successor()?();
            let (name, version) = (named.name(), named.version());
            return Some(format!(
                "the successor of `{type_name}` is `{name}` {version}, which is not registered, so that no response links \
                 to it; register it, or name another one"
            ));
        }
        let chain = std::iter::successors(Some(old), |it| successor(it, all));
        // A circle of all versions is the longest.
        let mut next = chain.skip(1).take(all.len());
        next.any(|it| is_version(it, old)).then(|| {
            format!(
                "the successors of `{type_name}` lead back to it; name a version to stay with, or remove a `deprecated(…)`"
            )
        })
    })
}
