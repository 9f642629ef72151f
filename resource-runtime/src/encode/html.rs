use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::status::status;
use crate::error::{ErrorCode, help};

/// Pages hold no script and load nothing.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");

const STYLE: &str = include_str!("page.css");

/// The page that explains an error code.
pub(crate) fn error_page(code: ErrorCode) -> Response {
    let (number, title, help) = (code.number(), code.title(), help(code));
    let body = format!(
        "<p class=\"code\">{number} <span>HTTP {}</span></p>\n<h1>{title}</h1>\n<p>{}</p>",
        status(code),
        escape(help),
    );
    page(StatusCode::OK, &format!("{number} {title}"), &body)
}

/// The page for a failure of the service; its cause stands in the log alone.
pub(super) fn server_error(request_id: &str) -> Response {
    let body = format!(
        "<h1>Something went wrong on our side</h1>\n<p>We are sorry. The request could not be \
         served; the cause is in the service's log under this request id:</p>\n\
         <p><code>{}</code></p>",
        escape(request_id),
    );
    page(StatusCode::INTERNAL_SERVER_ERROR, "Server error", &body)
}

fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n\
         </main>\n</body>\n</html>\n"
    );
    let policy = [(header::CONTENT_SECURITY_POLICY, POLICY)];
    (status, policy, Html(text)).into_response()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
