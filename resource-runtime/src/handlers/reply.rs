//! The response of a handler.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::failure::Failure;
use crate::http::respond;

/// A response in JSON, with a status and headers.
///
/// ```
/// use axum::http::{HeaderValue, header};
/// use resource_runtime::handlers::Reply;
///
/// async fn reserve() -> Reply<Vec<u16>> {
///     let location = HeaderValue::from_static("/reservations/7");
///     Reply::created(vec![12, 13]).header(header::LOCATION, location)
/// }
/// # let routes = axum::Router::new().route("/reservations", axum::routing::post(reserve));
/// # drop(resource_runtime::Api::builder().routes(routes));
/// ```
#[derive(Debug, Clone)]
pub struct Reply<T> {
    status: StatusCode,
    headers: HeaderMap,
    body: T,
}

impl<T> Reply<T> {
    /// A response with this status and body.
    #[must_use]
    pub fn new(status: StatusCode, body: T) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body,
        }
    }

    /// 200 with a body.
    #[must_use]
    pub fn ok(body: T) -> Self {
        Self::new(StatusCode::OK, body)
    }

    /// 201 with a body, for something new.
    #[must_use]
    pub fn created(body: T) -> Self {
        Self::new(StatusCode::CREATED, body)
    }

    /// Adds a header, in place of one of the same name.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }
}

impl Reply<()> {
    /// 204 without a body.
    #[must_use]
    pub fn no_content() -> Self {
        Self::new(StatusCode::NO_CONTENT, ())
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        if self.status == StatusCode::NO_CONTENT {
            return (self.status, self.headers).into_response();
        }
        match serde_json::to_vec(&self.body) {
            Ok(body) => (self.status, self.headers, respond::json(body)).into_response(),
            Err(error) => Failure::internal(format!("a reply is no JSON: {error}")).into_response(),
        }
    }
}
