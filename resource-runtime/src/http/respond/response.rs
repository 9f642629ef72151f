//! Responses without rows, for created and changed items, version indexes and documents, and the JSON response
//! that rows share.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resource_model::value::Key;
use serde::Serialize;

use crate::failure::Failure;
use crate::http::extract::Format;

/// All but the unreserved characters (RFC 3986, section 2.3). They are encoded in a key, although a path segment might
/// hold some of them.
const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// 200 with a JSON body.
pub(crate) fn json(body: impl Into<Body>) -> Response {
    list(Format::Json, body)
}

/// 200 with a list in this format.
pub(crate) fn list(format: Format, body: impl Into<Body>) -> Response {
    let content_type = HeaderValue::from_static(match format {
        Format::Json => "application/json",
        Format::Ndjson => "application/x-ndjson",
        Format::Csv => "text/csv; charset=utf-8; header=present",
    });
    ([(header::CONTENT_TYPE, content_type)], body.into()).into_response()
}

/// 201 for a new item; `collection` is the path of the request, without needless percent-encoding.
pub(crate) fn created(collection: &str, key: &Key) -> Response {
    let key = key.to_string();
    // A text key may hold slashes and spaces, which would make another path of it.
    let key = utf8_percent_encode(&key, NOT_UNRESERVED);
    // With `latest` or a number as the client chose, and with the prefix of a nested router.
    let location = format!("{collection}/{key}");
    (StatusCode::CREATED, [(header::LOCATION, location)]).into_response()
}

/// 204 for an item that was changed or removed, and for `OPTIONS`, where the routes add the header `Allow`.
pub(crate) fn no_content() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// A resource in the index of a version.
#[derive(Debug, Serialize)]
pub(crate) struct IndexEntry {
    pub(crate) name: &'static str,
    pub(crate) collection: &'static str,
    pub(crate) url: String,
}

#[derive(Serialize)]
struct Index<'index> {
    version: &'index str,
    resources: Vec<IndexEntry>,
}

/// The index of a version's resources; `link` leads to their documentation (RFC 8288).
pub(crate) fn index(
    version: &str,
    resources: Vec<IndexEntry>,
    link: Option<HeaderValue>,
) -> Result<Response, Failure> {
    let index = Index { version, resources };
    let bytes = serde_json::to_vec(&index);
    let bytes = bytes.map_err(|error| Failure::internal(error.to_string()))?;
    let mut response = json(bytes);
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}
