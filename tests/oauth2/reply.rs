//! Responses of the fake issuer, which a test can hold back.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use serde_json::Value;
use tokio::sync::Semaphore;

/// A response of the fake issuer.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Vec<u8>,
    gate: Option<Gate>,
}

/// A gate that holds a response back until the test opens it.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(crate) fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    pub(crate) fn open(&self) {
        self.0.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

impl Reply {
    pub(crate) fn json(value: &Value) -> Self {
        Self::bytes(value.to_string().into_bytes())
    }

    pub(crate) fn html() -> Self {
        let page = b"<!doctype html><title>Sign in</title>".to_vec();
        Self::bytes(page).with(header::CONTENT_TYPE, "text/html")
    }

    pub(crate) fn status(status: u16) -> Self {
        Self {
            status: StatusCode::from_u16(status).unwrap(),
            ..Self::bytes(Vec::new())
        }
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self::status(302).with(header::LOCATION, to)
    }

    fn bytes(body: Vec<u8>) -> Self {
        Self {
            status: StatusCode::OK,
            headers: Vec::new(),
            body,
            gate: None,
        }
    }

    pub(crate) fn with(mut self, name: HeaderName, value: &str) -> Self {
        let value = HeaderValue::from_str(value).unwrap();
        self.headers.push((name, value));
        self
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = StatusCode::from_u16(status).unwrap();
        self
    }

    /// The response with this much white space, still JSON.
    pub(crate) fn padded(mut self, bytes: usize) -> Self {
        self.body.extend(vec![b' '; bytes]);
        self
    }

    pub(crate) fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    pub(crate) async fn answer(self) -> Response<Body> {
        if let Some(Gate(gate)) = &self.gate {
            gate.acquire().await.unwrap().forget();
        }
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        response.headers_mut().extend(self.headers);
        response
    }
}
