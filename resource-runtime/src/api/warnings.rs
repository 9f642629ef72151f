use super::settings::Settings;
use crate::registry::{self, Registration};
use crate::schema::{Attribute, ResourceDefinition};

/// Tells in the log what is no mistake, but hardly meant.
pub(super) fn warn(registrations: &[Registration], settings: &Settings) {
    if settings.is_guarded() {
        for warning in registry::warnings(registrations) {
            tracing::warn!("{warning}");
        }
        return;
    }
    for registration in registrations {
        warn_of_what_is_not_kept(registration.definition);
    }
}

/// Whoever says who may do what is not to learn by accident that nobody asks.
fn warn_of_what_is_not_kept(definition: &ResourceDefinition) {
    let has_scopes = |attribute: &Attribute| {
        attribute.scopes_to_read().is_some() || attribute.scopes_to_write().is_some()
    };
    let is_declared = definition.declared_guard().is_some()
        || definition.ownership().is_some()
        || definition.all_attributes().iter().any(has_scopes);
    if is_declared {
        tracing::warn!(
            resource = definition.name(),
            version = %definition.version(),
            "its scopes and owners are declared, but this API has no authorization: it serves everybody"
        );
    }
}
