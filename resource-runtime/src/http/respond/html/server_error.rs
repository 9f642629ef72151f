use axum::http::StatusCode;
use axum::response::Response;

use super::prose::escape;
use super::template::Page;

/// The page for a failure of the service; its cause stands in the log alone.
pub(in crate::http::respond) fn server_error(request_id: &str) -> Response {
    let body = format!(
        "<h1>Something went wrong on our side</h1>\n<p>We are sorry. The request could not be \
         served; the cause is in the service's log under this request id:</p>\n\
         <p><code>{}</code></p>\n",
        escape(request_id),
    );
    let page = Page {
        title: "Server error",
        body: &body,
        ..Page::default()
    };
    page.answer(StatusCode::INTERNAL_SERVER_ERROR)
}
