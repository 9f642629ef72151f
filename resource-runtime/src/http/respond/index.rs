use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Serialize;

use super::answer::json;
use crate::failure::Failure;

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

/// The list of a version's resources; `link` leads to what is told of them elsewhere (RFC 8288).
pub(crate) fn index(
    version: &str,
    resources: &[IndexEntry],
    link: Option<HeaderValue>,
) -> Result<Response, Failure> {
    let index = Index { version, resources };
    let bytes = serde_json::to_vec(&index);
    let bytes = bytes.map_err(|error| Failure::internal(error.to_string()))?;
    let mut response = json(Body::from(bytes));
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}
