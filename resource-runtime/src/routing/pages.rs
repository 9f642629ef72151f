use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use axum::http::request::Parts;
use axum::response::Response;

use super::Catalogue;
use super::finish::base_url;
use crate::encode::{self, IndexEntry};
use crate::error::{ErrorCode, Failure};
use crate::extract::{path_parameter, require_json};

/// `GET <root>/<version>`: the resources of a version.
pub(super) fn index(
    catalogue: &Catalogue,
    version: &str,
    base: Option<&str>,
    request: &Parts,
) -> Result<Response, Failure> {
    require_json(&request.headers)?;
    let base = base_url(base, request);
    let root = catalogue.root();
    let resources: Vec<IndexEntry> = catalogue
        .resources(version)
        .into_iter()
        .map(|entry| IndexEntry {
            name: entry.name,
            collection: entry.collection,
            url: format!("{base}{root}/{version}/{}", entry.collection),
        })
        .collect();
    encode::index(version, &resources)
}

/// `GET /errors/<code>`: what an error code means.
pub(super) async fn error_page(
    path: Result<RawPathParams, RawPathParamsRejection>,
) -> Result<Response, Failure> {
    let code = path_parameter(path, "code").and_then(|code| ErrorCode::from_number(&code));
    code.map(encode::error_page)
        .ok_or_else(|| Failure::refused(ErrorCode::UnknownPath, "there is no such error code"))
}
