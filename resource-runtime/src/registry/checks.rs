use super::Registration;
use super::keys::references;
use crate::schema::{Attribute, Bound, Kind, Reference, Table};

/// Every mistake that shows only when all resources are seen together; one function a rule.
pub(super) fn mistakes(registrations: &[Registration], api_cap: u32) -> Vec<String> {
    let mut mistakes = Vec::new();
    if registrations.is_empty() {
        mistakes.push(String::from(
            "no resource is registered; add `.resource::<T>()` for each of them",
        ));
    }
    for (index, registration) in registrations.iter().enumerate() {
        let earlier = registrations.get(..index).unwrap_or_default();
        mistakes.extend(same_path(registration, earlier));
        mistakes.extend(same_name(registration, earlier));
        mistakes.extend(limits(registration, api_cap));
        mistakes.extend(no_primary_key(registration));
        for attribute in registration.definition.all_attributes() {
            mistakes.extend(bounds(registration, attribute));
            mistakes.extend(dangling_reference(registration, attribute, registrations));
        }
    }
    mistakes
}

fn same_path(registration: &Registration, earlier: &[Registration]) -> Option<String> {
    let mine = registration.definition;
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

fn limits(registration: &Registration, api_cap: u32) -> Option<String> {
    let (default, max) = registration.definition.limits();
    let cap = max.unwrap_or(api_cap);
    let default = default.filter(|default| *default > cap)?;
    Some(format!(
        "the default limit {default} of `{}` is above its cap {cap}; \
         lower it, or raise the cap with `limit(max = …)` or `max_limit`",
        registration.type_name
    ))
}

fn no_primary_key(registration: &Registration) -> Option<String> {
    let keys = registration.definition.primary_key();
    keys.is_none()
        .then(|| format!("`{}` has no primary key", registration.type_name))
}

fn bounds(registration: &Registration, attribute: &Attribute) -> Option<String> {
    let (min, max) = attribute.value_limits();
    let (least, greatest) = attribute.kind().integer_range()?;
    let bound = [min, max].into_iter().flatten().find(|bound| match bound {
        Bound::Integer(integer) => !(least..=greatest).contains(integer),
        Bound::Real(_) => true,
    })?;
    Some(format!(
        "the limit {bound:?} of `{}.{}` is no integer from {least} to {greatest}",
        registration.type_name,
        attribute.name()
    ))
}

fn dangling_reference(
    registration: &Registration,
    attribute: &Attribute,
    registrations: &[Registration],
) -> Option<String> {
    let target = (attribute.reference()?.target)();
    let (type_name, name) = (registration.type_name, attribute.name());
    let target_name = target.name();
    let registered = registrations
        .iter()
        .find(|other| other.definition.table_identifier() == target.table_identifier());
    let Some(registered) = registered else {
        return Some(format!(
            "`{type_name}.{name}` references `{target_name}`, which is not registered; \
             add `.resource::<{target_name}>()`"
        ));
    };
    let target_type = registered.type_name;
    let Some(points_at) = attribute.target() else {
        return Some(format!(
            "`{type_name}.{name}` references an attribute that `{target_type}` does not have"
        ));
    };
    let mismatch = !same_storage(attribute.kind(), points_at.kind());
    mismatch.then(|| {
        format!(
            "`{type_name}.{name}` is {} but `{target_type}.{}`, which it references, is {}",
            attribute.kind(),
            points_at.name(),
            points_at.kind()
        )
    })
}

/// A key of several columns points at one row only where they are unique together.
pub(super) fn ambiguous_references(
    registrations: &[Registration],
    tables: &[Table],
) -> Vec<String> {
    let mut mistakes = Vec::new();
    for registration in registrations {
        for reference in references(registration.definition) {
            let target = tables
                .iter()
                .find(|table| table.name == reference.key.target);
            let columns = &reference.key.target_columns;
            if target.is_some_and(|table| !table.is_unique(columns)) {
                mistakes.push(ambiguous_reference(registration, &reference));
            }
        }
    }
    mistakes
}

fn ambiguous_reference(registration: &Registration, reference: &Reference) -> String {
    let attributes = registration.definition.all_attributes();
    let points_at: Vec<&str> = reference
        .attributes
        .iter()
        .filter_map(|index| attributes.get(*index)?.target())
        .map(Attribute::name)
        .collect();
    let (names, target) = (points_at.join(", "), reference.target);
    format!(
        "`{}` references `{names}` of `{target}`, where several items may share the same values; \
         add `unique({names})` to `{target}`",
        registration.type_name
    )
}

/// A reference may be narrower than the key it points at, never of another nature.
fn same_storage(one: Kind, other: Kind) -> bool {
    one == other || (one.integer_range().is_some() && other.integer_range().is_some())
}
