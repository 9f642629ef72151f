use crate::api_resource::model::{Resource, option_argument};
use crate::diagnostics::{Diagnostics, type_text};

/// JSON and SQL have one way to say that a value is absent.
pub(super) fn check_options_do_not_nest(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let inner = option_argument(attribute.ty).filter(|ty| option_argument(ty).is_some());
        if inner.is_some() {
            diagnostics.report(
                attribute.ty,
                format!(
                    "a value is absent in one way only; write `Option<{}>`",
                    type_text(attribute.bound_type())
                ),
            );
        }
    }
}
