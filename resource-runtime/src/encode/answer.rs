use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::value::Value;

/// 200 with a JSON body.
pub(super) fn json(body: Body) -> Response {
    let content_type = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// 201 for a new item; `collection` is the path that the client used.
pub(crate) fn created(collection: &str, id: &Value) -> Response {
    let location = format!("{collection}/{id}");
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
