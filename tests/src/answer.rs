//! An HTTP response that was read to its end, with the checks that tests make on it.

use axum::http::HeaderMap;
use serde_json::Value;

/// A response, read to its end.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The bytes of the body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The value of a header, if it is there once and readable.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?.to_str().ok()?;
        // A repeated header is ambiguous to clients: no test may pass by its first value.
        values.next().is_none().then_some(value)
    }

    /// The methods of the `Allow` header, sorted, without `OPTIONS`, which every path allows.
    #[must_use]
    #[track_caller]
    pub fn methods(&self) -> Vec<&str> {
        let methods = self
            .header("allow")
            .expect("one Allow")
            .split(',')
            .map(str::trim);
        let mut methods: Vec<&str> = methods.filter(|method| *method != "OPTIONS").collect();
        methods.sort_unstable();
        methods
    }

    /// The body as text.
    #[must_use]
    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a body in UTF-8")
    }

    /// The body as JSON, with the content type that says so.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{self:?}"
        );
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    /// The body of a response that must be 200, as JSON.
    #[must_use]
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }
}
