//! Rules for limits: no limit excludes every value.

use super::attribute_keys::check_keys;
use crate::api_resource::model::{Attribute, Resource};
use crate::attributes::FieldKeys;
use crate::diagnostics::Diagnostics;

/// The limits of a length admit some text.
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
    // With 0, only the empty text would be valid.
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

/// The limits of a range admit some number.
pub(super) fn check_ranges(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let keys = attribute.keys();
        // Any single limit admits some number, so only a pair is compared.
        let limits = keys.min.value().zip(keys.max.value());
        if let Some((min, max)) = limits.filter(|(min, max)| min.exceeds(**max)) {
            diagnostics.report(
                // One of the two is underlined, and the message names both.
                keys.min.source(),
                format!("`min` {min} is above `max` {max}; swap or correct them"),
            );
        }
    }
}

/// The keys inside `limit(…)` are known, well-formed, and each given once.
pub(super) fn check_limit_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    if let Some(limit) = resource.keys().limit.value() {
        check_keys(limit, "`limit`", diagnostics);
    }
}

/// The default size of a page is within the greatest size.
pub(super) fn check_limit_order(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(limit) = resource.keys().limit.value() else {
        return;
    };
    // A limit that is not written is chosen by the runtime, so there is nothing to compare here.
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
