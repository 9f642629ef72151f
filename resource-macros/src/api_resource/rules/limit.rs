use super::keys::check_keys;
use crate::api_resource::model::Resource;
use crate::diagnostics::Diagnostics;

/// The keys inside `limit(…)` are known, well-formed, and each given once.
pub(super) fn check_limit_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    if let Some(limit) = resource.keys().limit.value() {
        let unknown = limit.unknown.iter();
        check_keys(unknown, &limit.describe(), "`limit`", diagnostics);
    }
}

/// A page of the default size is one that a client may ask for.
pub(super) fn check_limit_order(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(limit) = resource.keys().limit.value() else {
        return;
    };
    let limits = limit.default.value().zip(limit.max.value());
    if let Some((default, max)) = limits.filter(|(default, max)| default.0 > max.0) {
        diagnostics.report(
            limit.default.source(),
            format!(
                "`default` {} is above `max`; write at most `default = {}`",
                default.0, max.0
            ),
        );
    }
}
