use axum::body::Body;
use axum::response::Response;
use serde::Serialize;

use super::answer::json;
use crate::error::Failure;

/// One resource of a version.
#[derive(Debug, Serialize)]
pub(crate) struct IndexEntry {
    pub(crate) name: &'static str,
    pub(crate) collection: &'static str,
    pub(crate) url: String,
}

#[derive(Serialize)]
struct Index<'index> {
    version: &'index str,
    resources: &'index [IndexEntry],
}

/// The list of a version's resources.
pub(crate) fn index(version: &str, resources: &[IndexEntry]) -> Result<Response, Failure> {
    let index = Index { version, resources };
    serde_json::to_vec(&index)
        .map(|bytes| json(Body::from(bytes)))
        .map_err(|error| Failure::internal(error.to_string()))
}
