use axum::body::Body;
#[cfg(feature = "openapi")]
use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resource_model::value::Key;

/// What a segment of a path does not hold as it is (RFC 3986, section 2.3).
const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// 200 with a JSON body.
pub(super) fn json(body: Body) -> Response {
    let content_type = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// 200 with a text of JSON that never changes.
#[cfg(feature = "openapi")]
pub(crate) fn document(text: Bytes) -> Response {
    json(Body::from(text))
}

/// 201 for a new item; `collection` is the path that the client used.
pub(crate) fn created(collection: &str, key: &Key) -> Response {
    let key = key.to_string();
    let key = utf8_percent_encode(&key, NOT_UNRESERVED);
    let location = format!("{collection}/{key}");
    (StatusCode::CREATED, [(header::LOCATION, location)]).into_response()
}

/// 204 for an item that was changed or removed.
pub(crate) fn changed() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// 204 for `OPTIONS`; the routes add the header `Allow`.
pub(crate) fn options() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
