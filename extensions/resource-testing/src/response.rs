//! Responses, and assertions that show them as a whole when they fail.

use std::borrow::Borrow;
use std::fmt;

use axum::body::{Bytes, to_bytes};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::Value;

use crate::must;

/// A response of an API under test, with its whole body. An assertion that fails panics with all of it.
#[derive(Debug, Clone)]
pub struct TestResponse {
    /// Method and URI of the request.
    request: String,
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl TestResponse {
    pub(crate) async fn of(request: String, response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await;
        Self {
            body: must(&format!("the response to `{request}` was cut off"), body),
            request,
            status: parts.status,
            headers: parts.headers,
        }
    }

    /// The status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The value of a header; panics where it is missing or no text.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|it| it.to_str().ok());
        value.unwrap_or_else(|| self.fail(&format!("no header `{name}`")))
    }

    /// The bytes of the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body as JSON; panics where it is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        let json = serde_json::from_slice(&self.body);
        json.unwrap_or_else(|error| self.fail(&format!("no JSON ({error})")))
    }

    /// Asserts the status.
    #[track_caller]
    pub fn assert_status(&self, status: u16) -> &Self {
        if self.status != status {
            self.fail(&format!("not the status {status}"));
        }
        self
    }

    /// Asserts the body, as JSON; the order of names does not matter.
    #[track_caller]
    pub fn assert_json(&self, json: impl Borrow<Value>) -> &Self {
        if self.json() != *json.borrow() {
            self.fail(&format!("not the body {:#}", json.borrow()));
        }
        self
    }

    /// Asserts the status and the `error_code` of an error.
    #[track_caller]
    pub fn assert_error(&self, status: u16, error_code: u16) -> &Self {
        self.assert_status(status);
        if self.json().get("error_code") != Some(&Value::from(error_code)) {
            self.fail(&format!("not the error code {error_code}"));
        }
        self
    }

    #[track_caller]
    fn fail(&self, problem: &str) -> ! {
        panic!("the response to `{}` has {problem}:\n{self}", self.request)
    }
}

/// Status, headers and body; JSON is indented.
impl fmt::Display for TestResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.status)?;
        for (name, value) in &self.headers {
            let value = String::from_utf8_lossy(value.as_bytes());
            writeln!(formatter, "{name}: {value}")?;
        }
        match serde_json::from_slice::<Value>(&self.body) {
            Ok(json) => write!(formatter, "\n{json:#}"),
            Err(_) => write!(formatter, "\n{}", String::from_utf8_lossy(&self.body)),
        }
    }
}
