use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use super::super::client::origin;
use super::super::store::ClientRow;

/// Lets a page read the answer that stands where the client's users are sent back to.
pub(super) fn allow(answer: &mut Response, client: &ClientRow, request: &HeaderMap) {
    let headers = answer.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    let Some(asking) = request.get(header::ORIGIN) else {
        return;
    };
    let mut own = client.redirect_uris.iter().filter_map(origin);
    if own.any(|own| own.as_bytes() == asking.as_bytes()) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, asking.clone());
    }
}
