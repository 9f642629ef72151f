use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// A resource is one table and one set of routes, which a parameter would multiply.
pub(super) fn check_has_none(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let parameters = &resource.input.generics.params;
    if !parameters.is_empty() {
        diagnostics.report(
            parameters,
            "a resource cannot be generic; write one struct for each type that is stored",
        );
    }
}
