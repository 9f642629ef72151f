//! CORS headers, by which pages of other sites may read responses (the Fetch standard, section 3.3).

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use super::ANY_ORIGIN;
use super::request_id::REQUEST_ID;
use crate::http::extract::headers::{
    ACCEPT_PATCH, DEPRECATION, IDEMPOTENCY_KEY, PREFER, PREFERENCE_APPLIED, REPLAYED, SUNSET,
};

const METHODS: [Method; 7] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// The request headers that pages of other sites may send.
const REQUEST_HEADERS: [HeaderName; 8] = [
    header::ACCEPT,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    header::IF_MATCH,
    header::IF_NONE_MATCH,
    IDEMPOTENCY_KEY,
    PREFER,
    REQUEST_ID,
];

/// The response headers that pages of other sites may read.
const RESPONSE_HEADERS: [HeaderName; 12] = [
    header::LOCATION,
    header::CONTENT_LOCATION,
    ACCEPT_PATCH,
    PREFERENCE_APPLIED,
    REPLAYED,
    header::ETAG,
    header::LINK,
    DEPRECATION,
    SUNSET,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
    REQUEST_ID,
];

/// The time for which a browser may cache the response to a preflight request.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_mins(10);

/// Adds CORS headers for these origins to every response. `OPTIONS` still reaches the routes, because clients
/// other than browsers ask for the methods of a path with it.
pub(crate) fn readable_by(origins: &[String], routes: Router) -> Router {
    // Wrapped around the routes themselves, the layer would answer every `OPTIONS` itself. So it wraps an empty
    // route, and only its headers are copied to the response.
    let headers = Router::new().fallback(|| async {}).layer(layer(origins));
    let headers = TowerToHyperService::new(headers);
    routes.layer(from_fn(move |request: Request, next: Next| {
        let headers = headers.clone();
        async move {
            // Copied before the route consumes the request.
            let cors_request = cors_request(&request);
            let mut response = next.run(request).await;
            // The empty route cannot fail, and answers without waiting for anything.
            let Ok(cors_response) = headers.call(cors_request).await;
            add(&mut response, &cors_response);
            response
        }
    }))
}

fn layer(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods(METHODS)
        .allow_headers(REQUEST_HEADERS)
        .expose_headers(RESPONSE_HEADERS)
        // `Vary` is left to `Caching`, which names everything that responses differ by at once.
        .vary([])
        .max_age(PREFLIGHT_MAX_AGE);
    if origins.iter().any(|origin| origin == ANY_ORIGIN) {
        // A list with `*` would make `AllowOrigin::list` panic.
        return layer.allow_origin(Any);
    }
    let origins = origins.iter().map(String::as_str);
    // Origins that are no header were refused when the API was built.
    let origins = origins.filter_map(|it| HeaderValue::from_str(it).ok());
    layer.allow_origin(AllowOrigin::list(origins))
}

/// A copy of a request with its CORS headers alone.
fn cors_request(request: &Request) -> Request {
    let mut cors_request = Request::new(Body::empty());
    *cors_request.method_mut() = request.method().clone();
    // The layer decides by the method and these headers alone.
    for name in [
        header::ORIGIN,
        header::ACCESS_CONTROL_REQUEST_METHOD,
        header::ACCESS_CONTROL_REQUEST_HEADERS,
    ] {
        if let Some(value) = request.headers().get(&name) {
            cors_request.headers_mut().insert(name, value.clone());
        }
    }
    cors_request
}

fn add(response: &mut Response, cors_response: &Response) {
    // These headers describe the empty response of the layer, not that of the route.
    let about_body = [header::CONTENT_LENGTH, header::CONTENT_TYPE];
    for (name, value) in cors_response.headers() {
        if !about_body.contains(name) && name != header::ALLOW {
            // Appended, so that no header of the response is lost.
            response.headers_mut().append(name, value.clone());
        }
    }
}
