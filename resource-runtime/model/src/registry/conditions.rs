//! Checks of what resources declare of conditions and caches.

use super::Registration;
use crate::schema::{Access, Attribute, Operation, ResourceDefinition};

/// The problems of conditions that no client could meet, and of caches that would give away items; `all` resources, or
/// those that say so, require `If-Match`.
pub fn condition_problems<'all>(
    served: impl Iterator<Item = &'all Registration>,
    all: bool,
) -> Vec<String> {
    let problems = served.flat_map(|it| [untagged(it, all), shared_cache(it), unassigned(it)]);
    problems.flatten().collect()
}

/// Refuses a resource whose changes have to name a tag that no item has.
fn untagged(registration: &Registration, all: bool) -> Option<String> {
    let definition = registration.definition;
    let is_offered = |it: &Operation| definition.offered_operations().contains(it);
    let changes = [Operation::Update, Operation::Delete]
        .iter()
        .any(is_offered);
    let is_required = changes && (all || definition.requires_if_match());
    (is_required && !definition.has_tags()).then(|| {
        format!(
            "`{}` requires `If-Match`, but its items have no tags; let clients retrieve them and, where \
             values are hidden, add a field `#[resource(revision)] revision: i64`",
            registration.type_name
        )
    })
}

/// Refuses `upsert` where no client chooses the key, or may not both create and update.
fn unassigned(registration: &Registration) -> Option<String> {
    let definition = registration.definition;
    let is_assigned = definition
        .key_attributes()
        .all(Attribute::is_assigned_by_client);
    let mut needed = [Operation::Create, Operation::Update].iter();
    let is_offered = needed.all(|it| definition.offered_operations().contains(it));
    (definition.upserts() && !(is_assigned && is_offered)).then(|| {
        format!(
            "`{}` offers `upsert`, which creates an item under the key in the path: let clients choose the key by \
             `assigned`, and offer `create` and `update`, or remove `upsert`",
            registration.type_name
        )
    })
}

/// Refuses a cache that is no header, or that hands items of one caller to another.
fn shared_cache(registration: &Registration) -> Option<String> {
    let (definition, name) = (registration.definition, registration.type_name);
    let control = definition.cache_control()?;
    let is_header = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    if control.is_empty() || !control.bytes().all(is_header) {
        return Some(format!(
            "the `cache` of `{name}` is no header; write one as `private, max-age=60`"
        ));
    }
    let mut directives = control.split(',').map(str::trim);
    let is_shared = directives.any(|it| {
        it.eq_ignore_ascii_case("public") || it.to_ascii_lowercase().starts_with("s-maxage")
    });
    (is_shared && !is_for_all(definition)).then(|| {
        format!(
            "the `cache` of `{name}` is shared by all callers, not all of whom may read its items; write \
             `private` instead"
        )
    })
}

/// Tests whether everybody reads the same of a resource.
fn is_for_all(definition: &ResourceDefinition) -> bool {
    let reading = [Operation::List, Operation::Retrieve];
    let mut restricted = reading.map(|it| definition.access(it)).into_iter();
    let mut attributes = definition.all_attributes().iter();
    !restricted.any(|it| matches!(it, Access::Scopes(_)))
        && definition.ownership().is_none()
        && attributes.all(|it| it.scopes_to_read().is_none())
}
