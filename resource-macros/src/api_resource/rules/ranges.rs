use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// Some number can keep both limits.
pub(super) fn check_ranges(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let keys = attribute.keys();
        let limits = keys.min.value().zip(keys.max.value());
        if let Some((min, max)) = limits.filter(|(min, max)| min.exceeds(**max)) {
            diagnostics.report(
                keys.min.source(),
                format!("`min` {min} is above `max` {max}; swap or correct them"),
            );
        }
    }
}
