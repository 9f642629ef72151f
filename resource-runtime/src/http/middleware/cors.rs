//! CORS headers, by which pages of other sites may read answers (the Fetch standard, section 3.3).

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

use super::caching::ANY_ORIGIN;
use super::request_id::REQUEST_ID;

const METHODS: [Method; 6] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::DELETE,
    Method::OPTIONS,
];

const SENT: [HeaderName; 4] = [
    header::ACCEPT,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    REQUEST_ID,
];

const READ: [HeaderName; 6] = [
    header::LOCATION,
    header::ETAG,
    header::LINK,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
    REQUEST_ID,
];

/// The time for which a browser may cache the answer to a preflight request.
const KEPT: Duration = Duration::from_mins(10);

/// Adds CORS headers for these origins to every answer. `OPTIONS` still reaches the routes, because a client
/// that is no browser asks for the methods there.
pub(crate) fn readable_by(origins: &[String], routes: Router) -> Router {
    // Around the routes themselves, the layer would answer every `OPTIONS`; here it only makes the headers.
    let headers = Router::new().fallback(|| async {}).layer(layer(origins));
    let headers = TowerToHyperService::new(headers);
    routes.layer(from_fn(move |request: Request, next: Next| {
        let headers = headers.clone();
        async move {
            let question = question(&request);
            let mut response = next.run(request).await;
            let Ok(told) = headers.call(question).await;
            add(&mut response, &told);
            response
        }
    }))
}

fn layer(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods(METHODS)
        .allow_headers(SENT)
        .expose_headers(READ)
        // `Vary` is left to `Caching`, which names everything that answers differ by at once.
        .vary([])
        .max_age(KEPT);
    if origins.iter().any(|origin| origin == ANY_ORIGIN) {
        return layer.allow_origin(Any);
    }
    let origins = origins.iter().map(String::as_str);
    let origins = origins.filter_map(|it| HeaderValue::from_str(it).ok());
    layer.allow_origin(AllowOrigin::list(origins))
}

/// A copy of a request with its CORS headers alone.
fn question(request: &Request) -> Request {
    let mut question = Request::new(Body::empty());
    *question.method_mut() = request.method().clone();
    for name in [
        header::ORIGIN,
        header::ACCESS_CONTROL_REQUEST_METHOD,
        header::ACCESS_CONTROL_REQUEST_HEADERS,
    ] {
        if let Some(value) = request.headers().get(&name) {
            question.headers_mut().insert(name, value.clone());
        }
    }
    question
}

fn add(response: &mut Response, told: &Response) {
    // These headers describe the empty answer of the layer, not that of the route.
    let about_body = [header::CONTENT_LENGTH, header::CONTENT_TYPE];
    for (name, value) in told.headers() {
        if !about_body.contains(name) && name != header::ALLOW {
            response.headers_mut().append(name, value.clone());
        }
    }
}
