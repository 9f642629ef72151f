//! HTTP requests as text.

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";

pub(crate) const JSON: &str = "application/json";

/// A `GET` request, whose `headers` are lines, each with its line end.
pub(crate) fn get(path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n")
}

pub(crate) fn post(path: &str, headers: &str, content_type: &str, body: &str) -> String {
    with_body("POST", path, headers, content_type, body)
}

pub(crate) fn put(path: &str, body: &str) -> String {
    with_body("PUT", path, "", JSON, body)
}

pub(crate) fn with_body(
    method: &str,
    path: &str,
    headers: &str,
    content_type: &str,
    body: &str,
) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Type: {content_type}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}
