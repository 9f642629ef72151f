//! Responses to requests that match no route: unknown paths, other methods and `OPTIONS *`.

use axum::Router;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse as _, Response};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use resource_model::error::ErrorCode;

use super::{ServedVersions, equivalent, respond};
use crate::failure::Failure;

/// The methods of an API, as the response to `OPTIONS *` lists them.
const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS");

/// Answers a request that matches no route as it was sent by the one that it matches once its path is decoded.
pub(super) async fn decoded(
    routes: &TowerToHyperService<Router>,
    mut request: Request,
) -> Response {
    equivalent::normalise_path(&mut request);
    // hyper's `Service` is called by reference, as the closure that owns it runs for many requests at once.
    let Ok(response) = routes.call(request).await;
    response
}

/// Answers a request that matches no route at all: `OPTIONS *` is one for the server as a whole (RFC 9110,
/// section 9.3.7).
pub(super) fn unrouted(served_versions: &ServedVersions, request: &Parts) -> Response {
    let path = request.uri.path();
    // axum has no route for `*`, which is no path.
    if path == "*" && request.method == Method::OPTIONS {
        return ([(header::ALLOW, METHODS)], respond::no_content()).into_response();
    }
    Failure::refused(ErrorCode::UnknownPath, served_versions.explain(path)).into_response()
}

/// Answers a method that the path's routes do not offer; axum adds `Allow` with those that they do.
pub(super) async fn method_not_allowed(method: Method) -> Result<Response, Failure> {
    if method == Method::OPTIONS {
        return Ok(respond::no_content());
    }
    Err(Failure::refused(
        ErrorCode::MethodNotAllowed,
        "this path does not offer the method; the header `Allow` lists those that it does",
    ))
}

/// The same for a path that takes patches, which the response to `OPTIONS` tells.
pub(super) async fn method_not_allowed_but_patch(method: Method) -> Result<Response, Failure> {
    let response = method_not_allowed(method).await?;
    Ok(respond::accepts_patch(response))
}
