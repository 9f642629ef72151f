use std::collections::HashSet;

use super::attribute_names::broken_rule;
use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// Subresources stand beside attributes in JSON and in the query language.
pub(super) fn check_subresource_names(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for name in resource
        .subresources
        .iter()
        .map(|subresource| &subresource.name)
    {
        if let Some(rule) = broken_rule(&name.text) {
            diagnostics.report(
                name,
                format!(
                    "`{}` cannot be the name of a subresource: {rule}; choose another",
                    name.text
                ),
            );
        }
    }
}

/// Each has a name that nothing else has.
pub(super) fn check_subresource_names_differ(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let names = resource
        .attributes
        .iter()
        .map(|attribute| &attribute.name.text);
    let attributes: HashSet<&String> = names.collect();
    let mut seen = HashSet::new();
    for name in resource
        .subresources
        .iter()
        .map(|subresource| &subresource.name)
    {
        let text = &name.text;
        if attributes.contains(text) {
            diagnostics.report(
                name,
                format!("`{text}` is the name of an attribute; give the subresource another"),
            );
        } else if !seen.insert(text) {
            diagnostics.report(
                name,
                format!("two subresources are named `{text}`; give one another name"),
            );
        }
    }
}
