use std::fmt;
use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method};

use crate::authorization::{Caller, Principal};

/// The request that a validator works for, less its body; clones share it.
#[derive(Clone)]
pub struct RequestContext {
    parts: Arc<Parts>,
}

/// Without the headers, which may hold what opens doors.
impl fmt::Debug for RequestContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RequestContext")
            .field("method", self.method())
            .finish_non_exhaustive()
    }
}

impl RequestContext {
    pub(crate) fn new(mut parts: Parts, caller: &Caller) -> Self {
        introduce(caller, &mut parts.extensions);
        Self {
            parts: Arc::new(parts),
        }
    }

    /// The method of the request.
    #[must_use]
    pub fn method(&self) -> &Method {
        &self.parts.method
    }

    /// The headers of the request.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Who sent the request; `None` where nobody guards the routes.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.extension()
    }

    /// What a layer of the host attached to the request.
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.extensions.get()
    }
}

/// Tells validators and hooks who the caller is, whatever a layer of the host said before.
fn introduce(caller: &Caller, extensions: &mut Extensions) {
    if matches!(caller, Caller::Unchecked) {
        return;
    }
    extensions.remove::<Principal>();
    if let Caller::Bearer(claims) = caller {
        extensions.insert(claims.clone());
        if let Some(principal) = claims.principal() {
            extensions.insert(principal);
        }
    }
}
