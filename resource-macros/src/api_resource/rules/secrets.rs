use crate::api_resource::model::{Attribute, Name, Resource};
use crate::diagnostics::Diagnostics;

const REMEDY: &str = "the error for a value that is taken would tell which values there are; \
                      remove `unique`, or let clients read the field";

/// Uniqueness answers the question whether somebody has a value, so it is nothing for a secret.
pub(super) fn check_secrets_are_not_unique(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in resource.attributes.iter().filter(|it| is_secret(it)) {
        let unique = &attribute.keys().unique;
        if unique.is_written() {
            let name = &attribute.field_name.text;
            diagnostics.report(unique.token(), format!("`{name}` is hidden, but {REMEDY}"));
        }
    }
    let sets = resource.keys().unique.values();
    for field in sets.flat_map(|set| &set.0) {
        let Name { text, .. } = Name::from(field);
        if resource.attribute(&text).is_some_and(is_secret) {
            diagnostics.report(field, format!("`{text}` is hidden, but {REMEDY}"));
        }
    }
}

/// A primary key that is hidden is a mistake of its own, and so is an owner that only some may read.
fn is_secret(attribute: &Attribute<'_>) -> bool {
    let is_hidden = attribute.is_redacted || attribute.keys().write_only.is_written();
    let is_hidden_from_some = attribute.read_scope.is_some() && !attribute.is_owner;
    (is_hidden || is_hidden_from_some) && !attribute.is_primary_key
}
