//! Responses without rows, for created and changed items, version indexes and documents, and the JSON response
//! that rows share.

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_model::value::Key;
use serde::Serialize;

use crate::failure::Failure;
use crate::http::extract::headers::{ACCEPT_PATCH, REPLAYED};
use crate::http::extract::{Format, MERGE_PATCH};
use crate::json::push_hex;
use crate::operation::{RowTag, Stored};

/// The media types of responses: constants, since any other text is examined byte by byte.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const NDJSON: HeaderValue = HeaderValue::from_static("application/x-ndjson");
const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8; header=present");

/// 200 with a JSON body.
pub(crate) fn json(body: impl Into<Body>) -> Response {
    list(Format::Json, body)
}

/// 200 with a list in this format.
pub(crate) fn list(format: Format, body: impl Into<Body>) -> Response {
    let content_type = match format {
        Format::Json => JSON,
        Format::Ndjson => NDJSON,
        Format::Csv => CSV,
    };
    let response = Response::new(body.into());
    with_header(response, header::CONTENT_TYPE, Some(content_type))
}

/// An entity tag: the tag of the row, and the digest of a body that shows it. Each item has one, so it is written without
/// `format!`, which takes several times as long.
pub(crate) fn entity_tag(row: RowTag, view: Option<u64>) -> HeaderValue {
    let mut text = Vec::with_capacity(52);
    text.push(b'"');
    match row {
        RowTag::Revision(_) => text.extend_from_slice(row.to_string().as_bytes()),
        RowTag::Digest(digest) => {
            text.push(b'd');
            push_hex(&digest.to_be_bytes(), &mut text);
        }
    }
    if let Some(view) = view {
        text.push(b'.');
        push_hex(&view.to_be_bytes(), &mut text);
    }
    text.push(b'"');
    // Letters and digits are always a header.
    let header = HeaderValue::from_maybe_shared(Bytes::from(text));
    header.unwrap_or(HeaderValue::from_static("\"\""))
}

/// The response with a header more, where that has a value.
pub(crate) fn with_header(
    mut response: Response,
    name: HeaderName,
    value: Option<HeaderValue>,
) -> Response {
    if let Some(value) = value {
        response.headers_mut().insert(name, value);
    }
    response
}

/// The path of an item; `collection` is that of the request, without needless percent-encoding.
pub(crate) fn item_path(collection: &str, key: &Key) -> String {
    // With `latest` or a number as the client chose, and with the prefix of a nested router.
    let mut path = String::with_capacity(collection.len() + 24);
    path.push_str(collection);
    path.push('/');
    key.write_segment(&mut path);
    path
}

/// 201 for a new item at this path, or 204 for a changed one, with the tag of its row. The answer to a repeated request tells
/// that it is one.
pub(crate) fn written(stored: &Stored, location: Option<&str>) -> Response {
    let tag = stored.tag.map(|row| entity_tag(row, None));
    let status = location.map_or(StatusCode::NO_CONTENT, |_| StatusCode::CREATED);
    let response = with_room(status.into_response(), tag.as_ref());
    let location = location.and_then(|it| HeaderValue::from_str(it).ok());
    let response = with_header(response, header::LOCATION, location);
    let repeated = HeaderValue::from_static("true");
    let response = with_header(response, REPLAYED, stored.is_repeated.then_some(repeated));
    with_header(response, header::ETAG, tag)
}

/// The number of headers of an item with a tag.
const HEADERS: usize = 7;

/// A response without headers, with room for all of them where a tag is one: the usual room is for one less, so that all
/// would move.
pub(super) fn with_room(mut response: Response, tag: Option<&HeaderValue>) -> Response {
    if tag.is_some() {
        response.headers_mut().reserve(HEADERS);
    }
    response
}

/// 204 for an item that was changed or removed, and for `OPTIONS`, where the routes add the header `Allow`.
pub(crate) fn no_content() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// A response with the form of patches that the path takes (RFC 5789, section 3.1).
pub(crate) fn accepts_patch(response: Response) -> Response {
    let form = HeaderValue::from_static(MERGE_PATCH);
    with_header(response, ACCEPT_PATCH, Some(form))
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
    Ok(with_header(json(bytes), header::LINK, link))
}
