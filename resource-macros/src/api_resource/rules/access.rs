use crate::api_resource::model::{Resource, option_argument};
use crate::diagnostics::Diagnostics;

/// An attribute that clients neither read nor write is none.
pub(super) fn check_read_only_or_write_only(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let attributes = resource
        .attributes
        .iter()
        .filter(|attribute| !attribute.is_primary_key);
    for attribute in attributes {
        let keys = attribute.keys();
        if keys.read_only.value().is_some() && keys.write_only.value().is_some() {
            diagnostics.report(
                keys.write_only.token(),
                "`read_only` and `write_only` exclude each other; remove one",
            );
        }
    }
}

/// Clients leave `read_only` attributes out when they create an item, so something must fill them;
/// the owner is filled from the caller's token.
pub(super) fn check_read_only_can_be_created(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let attributes = resource
        .attributes
        .iter()
        .filter(|attribute| !attribute.is_primary_key);
    for attribute in attributes.filter(|attribute| !attribute.is_owner) {
        let keys = attribute.keys();
        let is_filled = option_argument(attribute.ty).is_some() || keys.default.is_written();
        if keys.read_only.value().is_some() && !is_filled {
            diagnostics.report(
                keys.read_only.token(),
                "a required `read_only` field leaves no way to create an item; make it an `Option` or add `default = …`",
            );
        }
    }
}
