use crate::api_resource::model::{Attribute, Resource};
use crate::attributes::FieldKeys;
use crate::diagnostics::Diagnostics;

/// Some text can keep both limits of its length.
pub(super) fn check_lengths(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for keys in resource.attributes.iter().map(Attribute::keys) {
        check_length(keys, diagnostics);
    }
}

fn check_length(keys: &FieldKeys, diagnostics: &mut Diagnostics) {
    let Some(max_length) = keys.max_length.value() else {
        return;
    };
    let greatest = max_length.0;
    if greatest == 0 {
        diagnostics.report(
            keys.max_length.source(),
            "`max_length` is at least 1; raise or remove it",
        );
    } else if keys
        .min_length
        .value()
        .is_some_and(|min_length| min_length.0 > greatest)
    {
        diagnostics.report(
            keys.min_length.source(),
            format!("`min_length` is above `max_length`; write at most `min_length = {greatest}`"),
        );
    }
}
