use resource_model::registry::{self, Registration};

use super::settings::Settings;

/// Tells in the log what is no mistake, but hardly meant.
pub(super) fn warn(registrations: &[Registration], settings: &Settings) {
    if settings.is_guarded() {
        for warning in registry::warnings(registrations) {
            tracing::warn!("{warning}");
        }
    }
}
