//! The warnings of a build: declarations that are no mistake, but hardly meant.

use resource_model::registry::{self, Registration};

use super::settings::Settings;

/// Logs declarations that are no mistake, but hardly meant.
pub(super) fn warn(registrations: &[Registration], settings: &Settings) {
    // All of these warnings are about access rules.
    if settings.is_guarded() {
        for warning in registry::warnings(registrations) {
            tracing::warn!("{warning}");
        }
    }
}
