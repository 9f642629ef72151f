use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::Extensions;

/// What a request carries that comes in after the service was asked to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draining;

/// Whether the service was asked to stop.
#[derive(Debug, Default)]
pub(super) struct Notice(AtomicBool);

impl Notice {
    pub(super) fn give(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_given(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes it down for whoever answers a request; as a rule there is nothing to note.
    pub(super) fn note(&self, extensions: &mut Extensions) {
        if self.is_given() {
            extensions.insert(Draining);
        }
    }
}
