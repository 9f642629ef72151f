//! The index of a version, the pages of error codes, and the links to the documents of a version.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse as _, Redirect, Response};
use resource_model::error::ErrorCode;

use super::ServedVersions;
use super::extract::{PathParameters, path_parameter, require_accepts_json};
use super::middleware::{LOCALHOST, RequestAddress};
use super::respond::{self, IndexEntry};
use crate::failure::Failure;

/// `<root>/<version>`: the resources of a version.
#[derive(Debug, Clone)]
pub(super) struct Index {
    pub(super) version: String,
    pub(super) versions: Arc<ServedVersions>,
    pub(super) base: Option<Arc<str>>,
    pub(super) offered: OfferedDocuments,
}

impl Index {
    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.versions.root(), self.version)
    }

    /// The response to `GET`.
    pub(super) fn show(&self, request: &Parts) -> Result<Response, Failure> {
        require_accepts_json(&request.headers)?;
        // URLs are absolute, so that clients need not know where the index was.
        let base = RequestAddress::of(request).base_url(self.base.as_deref(), LOCALHOST);
        let version = &self.version;
        let resources = self.versions.resources(version).into_iter();
        let resources = resources.map(|it| IndexEntry {
            name: it.name(),
            collection: it.collection(),
            url: format!("{base}{}/{}", self.path(), it.collection()),
        });
        let root = self.versions.root();
        let links = self.offered.links(path_of(&base), root, version);
        // A base URL that no header can hold leaves the links out; the index itself is still useful.
        let links = links.and_then(|links| HeaderValue::try_from(links).ok());
        respond::index(version, resources.collect(), links)
    }
}

/// Tests whether a request reads the top of the service.
pub(super) fn is_top(request: &Parts) -> bool {
    matches!(request.method, Method::GET | Method::HEAD) && request.uri.path() == "/"
}

/// The way from the top of the service to its documentation.
pub(super) fn to_documentation(request: &Parts, base: Option<&str>) -> Response {
    let base = RequestAddress::of(request).base_url(base, LOCALHOST);
    Redirect::temporary(&format!("{}/docs", path_of(&base))).into_response()
}

/// The path of a base URL: the prefix of all paths of the service.
fn path_of(base: &str) -> &str {
    let rest = base.split_once("://").map_or("", |(_, rest)| rest);
    // Relative links resolve against the host, so only the path of the base matters.
    let path = rest.find('/').and_then(|start| rest.get(start..));
    path.unwrap_or_default()
}

/// `GET /errors/<code>`: the meaning of one of the `codes`. The page links to the API's documentation pages if there
/// are any (`documented`).
pub(super) fn error_page(
    path: PathParameters,
    codes: &[ErrorCode],
    documented: bool,
) -> Result<Response, Failure> {
    let number = path_parameter(path, "code");
    // The texts are compared, so that `010001` is no address of a page.
    let is_named = |code: &ErrorCode| number.as_deref() == Some(&*code.number().to_string());
    let place = codes.iter().position(is_named);
    place
        .and_then(|place| respond::error_page(codes, place, documented))
        .ok_or_else(|| Failure::refused(ErrorCode::UnknownPath, "there is no such error code"))
}

/// The documents that each version has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OfferedDocuments {
    /// True where there is an OpenAPI document.
    pub(crate) description: bool,
    /// True where there are documentation pages.
    pub(crate) pages: bool,
}

impl OfferedDocuments {
    /// The header `Link` of a version's index, which leads to its documentation for people and its
    /// description for machines (RFC 8631); `prefix` stands before the paths of the service.
    pub(crate) fn links(self, prefix: &str, root: &str, version: &str) -> Option<String> {
        let page = format!("<{prefix}/docs/{version}>; rel=\"service-doc\"");
        let document = format!("<{prefix}{root}/{version}/openapi.json>; rel=\"service-desc\"");
        let links = [(self.pages, page), (self.description, document)];
        let offered = links.into_iter().filter(|(is_offered, _)| *is_offered);
        let links: Vec<String> = offered.map(|(_, link)| link).collect();
        (!links.is_empty()).then(|| links.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn the_path_of_a_base_stands_behind_its_host() {
        for (base, path) in [
            ("http://localhost:8080", ""),
            ("https://example.org/team", "/team"),
            ("https://example.org/a/b", "/a/b"),
        ] {
            assert_eq!(path_of(base), path);
        }
    }
}
