//! The seam to whatever verifies access tokens.

use std::fmt;
use std::sync::Arc;

use axum::http::HeaderMap;

use super::{Claims, Refusal};
use crate::boxed::Boxed;

/// Finds out who sent a request.
pub(crate) trait Authenticator: fmt::Debug + Send + Sync {
    /// Claims of the access token that the headers of a request present, if it is valid.
    fn authenticate<'headers>(
        &'headers self,
        headers: &'headers HeaderMap,
    ) -> Boxed<'headers, Result<Arc<Claims>, Refusal>>;
}
