use std::fmt;
use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};

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
        caller.introduce(&mut parts.extensions);
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
