//! Checks of all registered resources together, one function for each rule.

use super::held_back::unread;
use super::reference_checks::{dangling_reference, unfit_collection};
use super::{Registration, validator_of};
use crate::schema::{Attribute, Bound, ResourceDefinition};

/// Every mistake that shows only when all resources are seen together.
pub(super) fn problems(registrations: &[Registration], api_cap: u32) -> Vec<String> {
    let mut problems = Vec::new();
    // Without this check, such a service would start and have no collection to serve.
    if registrations.is_empty() {
        problems.push(String::from(
            "no resource is registered; add `.resource::<T>()` for each of them",
        ));
    }
    for (index, registration) in registrations.iter().enumerate() {
        let earlier = registrations.get(..index).unwrap_or_default();
        // Each pair is compared at its later member, so that a conflict is told once.
        problems.extend(same_path(registration, earlier));
        problems.extend(same_name(registration, earlier));
        problems.extend(same_table_but_for_case(registration, earlier));
        problems.extend(limits(registration, api_cap));
        problems.extend(no_primary_key(registration));
        problems.extend(unredacted(
            registration.definition,
            registration.validator.is_some(),
        ));
        // An expanded subresource is redacted by its own validator, whether its type is registered or not.
        for subresource in registration.definition.all_subresources() {
            let target = subresource.target();
            let validator = validator_of(subresource.target_type(), target, registrations);
            problems.extend(unredacted(target, validator.is_some()));
        }
        for collection in registration.definition.all_collections() {
            problems.extend(unfit_collection(registration, collection, registrations));
        }
        // The rest are rules about single attributes, among them those that need the other registrations.
        for attribute in registration.definition.all_attributes() {
            problems.extend(bounds(registration, attribute));
            problems.extend(unordered_key(registration, attribute));
            problems.extend(unfit_default(registration, attribute));
            problems.extend(unfit_example(registration, attribute));
            problems.extend(unread(registration, attribute));
            for reference in attribute.all_references() {
                let dangling =
                    dangling_reference(registration, attribute, reference, registrations);
                problems.extend(dangling);
            }
        }
    }
    problems
}

fn same_path(registration: &Registration, earlier: &[Registration]) -> Option<String> {
    let mine = registration.definition;
    // The router would panic at the second of two equal routes, and would not name the types.
    let other = earlier.iter().find(|other| {
        let other = other.definition;
        other.collection() == mine.collection() && other.version() == mine.version()
    })?;
    Some(format!(
        "`{}` and `{}` are both served at `{}/{}`; give one another `version` or `url`",
        other.type_name,
        registration.type_name,
        mine.version(),
        mine.collection(),
    ))
}

fn same_name(registration: &Registration, earlier: &[Registration]) -> Option<String> {
    let mine = registration.definition;
    // A version has one OpenAPI document, in which schemas are named by their resources. Two types at one
    // path are told by `same_path`.
    let other = earlier.iter().find(|other| {
        let other = other.definition;
        other.name() == mine.name()
            && other.version() == mine.version()
            && other.collection() != mine.collection()
    })?;
    Some(format!(
        "`{}` and `{}` are both named `{}` in version {}; give one another `name` or `version`",
        other.type_name,
        registration.type_name,
        mine.name(),
        mine.version(),
    ))
}

/// Refuses table names that differ only in case, because SQLite is not case-sensitive.
fn same_table_but_for_case(
    registration: &Registration,
    earlier: &[Registration],
) -> Option<String> {
    // Versions share a table by the same name; only another spelling of it is a mistake.
    let mine = registration.definition.table_identifier();
    let other = earlier.iter().find(|other| {
        let other = other.definition.table_identifier();
        other != mine
            && other.schema() == mine.schema()
            && other.as_str().eq_ignore_ascii_case(mine.as_str())
    })?;
    Some(format!(
        "the tables of `{}` and `{}` differ in case alone; give one another `table`",
        other.type_name, registration.type_name,
    ))
}

fn limits(registration: &Registration, api_cap: u32) -> Option<String> {
    let (default, max) = registration.definition.limits();
    // The cap of a resource takes the place of the API's, also where it is the greater one.
    let cap = max.unwrap_or(api_cap);
    // Without a default of its own, the resource has pages that the cap already limits.
    let default = default.filter(|default| *default > cap)?;
    Some(format!(
        "the default limit {default} of `{}` is above its cap {cap}; \
         lower it, or raise the cap with `limit(max = …)` or `max_limit`",
        registration.type_name
    ))
}

fn no_primary_key(registration: &Registration) -> Option<String> {
    // The derive always finds one; a definition that is written by hand may lack it.
    let mut keys = registration.definition.key_attributes();
    let is_missing = keys.next().is_none();
    is_missing.then(|| format!("`{}` has no primary key", registration.type_name))
}

/// Refuses redacted attributes without a validator, whose format hook would redact them.
fn unredacted(definition: &ResourceDefinition, has_hooks: bool) -> Option<String> {
    // One redacted attribute is enough to show what is missing, so further ones are not told.
    let mut attributes = definition.all_attributes().iter();
    let redacted = attributes.find(|attribute| attribute.is_redacted())?;
    if has_hooks {
        return None;
    }
    let (resource, name) = (definition.name(), redacted.name());
    Some(format!(
        "`{resource}` {} redacts `{name}`, but has no validator that does; add \
         `validator = …`, or register it by `.resource_with(…)`",
        definition.version(),
    ))
}

fn bounds(registration: &Registration, attribute: &Attribute) -> Option<String> {
    // Such a limit would let every value pass, or none; either is a mistake of the developer.
    let (min, max) = attribute.value_limits();
    // Only integers have a range that a bound may be outside of; other numbers take any bound.
    let (least, greatest) = attribute.kind().integer_range()?;
    let bound = [min, max].into_iter().flatten().find(|bound| match bound {
        Bound::Integer(integer) => !(least..=greatest).contains(integer),
        // A fraction cannot be a limit of integers.
        Bound::Real(_) => true,
    })?;
    Some(format!(
        "the limit {bound} of `{}.{}` is no integer from {least} to {greatest}",
        registration.type_name,
        attribute.name()
    ))
}

/// Refuses a unique set or an index with values that cannot be compared.
fn unordered_key(registration: &Registration, attribute: &Attribute) -> Option<String> {
    let definition = registration.definition;
    // Equality and order are needed by every index, whether it is of one attribute or of several.
    let mut sets = definition
        .unique_sets()
        .iter()
        .chain(definition.index_sets());
    let in_a_set = sets.any(|set| set.contains(&attribute.name()));
    let is_key = attribute.is_unique() || attribute.is_indexed() || in_a_set;
    (is_key && !attribute.kind().is_ordered()).then(|| {
        format!(
            "`{}.{}` is {}, which is not compared; remove `unique` and `index`",
            registration.type_name,
            attribute.name(),
            attribute.kind(),
        )
    })
}

/// Refuses a default that breaks the limits of its own attribute.
fn unfit_default(registration: &Registration, attribute: &Attribute) -> Option<String> {
    // A default may be computed anew for each item; a single call finds at least a constant that never
    // fits.
    let defaults = [
        ("default", attribute.default_value()),
        ("default on update", attribute.value_on_update()),
    ];
    let type_name = registration.type_name;
    defaults.into_iter().find_map(|(what, value)| {
        // An attribute without this default has no value to check.
        let problem = attribute.violation(&value?)?;
        Some(format!(
            "the {what} of `{type_name}` does not fit: {problem}"
        ))
    })
}

/// Refuses an example that no client could send.
fn unfit_example(registration: &Registration, attribute: &Attribute) -> Option<String> {
    let example = attribute.given_example()?.value(attribute.kind());
    let problem = attribute.violation(&example)?;
    let type_name = registration.type_name;
    Some(format!(
        "the example of `{type_name}` does not fit: {problem}"
    ))
}
