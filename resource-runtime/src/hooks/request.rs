//! The request that a validator works for.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request};

use crate::authorization::{Caller, Principal};
use crate::clock::Clock;

/// The request that a validator works for, without its body; clones share it.
#[derive(Clone)]
pub struct RequestContext {
    parts: Arc<Parts>,
    clock: Arc<dyn Clock>,
}

/// Leaves the headers out, which may hold credentials.
impl fmt::Debug for RequestContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RequestContext")
            // Headers may hold credentials, so only the method is shown.
            .field("method", self.method())
            .finish_non_exhaustive()
    }
}

impl RequestContext {
    pub(crate) fn new(mut parts: Parts, caller: &Caller, clock: &Arc<dyn Clock>) -> Self {
        let extensions = &mut parts.extensions;
        // The caller replaces a principal that a layer of the host attached. Without authorization, the
        // principal of such a layer stays.
        if !matches!(caller, Caller::Trusted) {
            extensions.remove::<Principal>();
        }
        if let Caller::Bearer(claims) = caller {
            // A token that stands for a client, without a user, has claims but no principal.
            extensions.insert(claims.clone());
            if let Some(principal) = claims.principal() {
                extensions.insert(principal);
            }
        }
        Self {
            // Shared, because every attempt of a write and every formatted item gets the context.
            parts: Arc::new(parts),
            clock: Arc::clone(clock),
        }
    }

    /// The context of a write by the developer's own code: a request without headers.
    pub(crate) fn of_code(method: Method, clock: &Arc<dyn Clock>) -> Self {
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.method = method;
        Self::new(parts, &Caller::Trusted, clock)
    }

    /// The present moment by the [clock](crate::ApiBuilder::clock) of the API.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.clock.now()
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

    /// The user who sent the request; `None` where nothing authenticates callers.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.extension()
    }

    /// The extension that a layer of the host attached to the request.
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.extensions.get()
    }
}
