//! The style sheet of the pages.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;

pub(super) const PATH: &str = "/style.css";

/// `GET /style.css`
pub(super) async fn show() -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "text/css; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    (headers, include_str!("../../templates/style.css"))
}
