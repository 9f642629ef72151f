use crate::diagnostics::Diagnostics;
use crate::model::Resource;

/// Some number can keep both limits.
pub(super) fn check_ranges(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let keys = attribute.keys();
        let limits = keys.min.value().zip(keys.max.value());
        if limits.is_some_and(|(min, max)| min.exceeds(*max)) {
            diagnostics.report(
                keys.min.source(),
                "`min` is above `max`; swap or correct them",
            );
        }
    }
}
