//! Responses to requests that match no route: unknown paths, other methods and `OPTIONS *`.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse as _, Response};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use resource_model::error::ErrorCode;
use resource_model::schema::Operation;

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

/// Answers a method that the path's routes do not offer. axum adds `Allow` once this has answered, so the same routes without
/// this fallback are asked for the methods.
pub(super) async fn method_not_allowed(
    without_fallback: &TowerToHyperService<Router>,
    request: Request,
) -> Result<Response, Failure> {
    let (parts, _) = request.into_parts();
    if parts.method == Method::OPTIONS {
        return Ok(respond::no_content());
    }
    // Layers of the application wrap these routes: they get no body for an answer that nobody sees.
    let asked = Request::from_parts(parts, Body::empty());
    let Ok(response) = without_fallback.call(asked).await;
    let allowed = response.headers().get(header::ALLOW);
    let allowed = allowed.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let allowed = allowed.split(',').filter(|it| !it.is_empty());
    Err(refused(&offer(allowed)))
}

/// The same for the path of these operations, whose methods the text names.
pub(super) fn other_method(method: &Method, operations: &[Operation]) -> Result<Response, Failure> {
    if method == Method::OPTIONS {
        let response = respond::no_content();
        // It tells that a path takes patches, too.
        let takes_patches = operations.contains(&Operation::Update);
        return Ok(if takes_patches {
            respond::accepts_patch(response)
        } else {
            response
        });
    }
    let methods = operations.iter().flat_map(|it| it.methods());
    // axum answers `HEAD` by the handler of `GET`.
    let methods = methods.flat_map(|it| [*it].into_iter().chain((*it == "GET").then_some("HEAD")));
    let is_of_item = [Method::PUT, Method::PATCH, Method::DELETE].contains(method);
    let is_collection = operations
        .iter()
        .any(|it| matches!(it, Operation::List | Operation::Create));
    // Other APIs write all items that a condition finds.
    let of_item = if is_of_item && is_collection {
        "; one request writes one item, whose path ends in its key"
    } else {
        ""
    };
    Err(refused(&format!("{}{of_item}", offer(methods))))
}

fn offer<'a>(methods: impl Iterator<Item = &'a str>) -> String {
    let methods: Vec<_> = methods.map(|it| format!("`{it}`")).collect();
    match &methods[..] {
        [] => "it offers no method".to_owned(),
        methods => format!("it offers {}", methods.join(", ")),
    }
}

fn refused(remedy: &str) -> Failure {
    let message = format!("this path does not offer the method; {remedy}");
    Failure::refused(ErrorCode::MethodNotAllowed, message)
}
