//! Clients of an API under test, whose requests go into its router.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use resource_runtime::authorization::Claims;
use serde::Serialize;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::callers::CALLER;
use crate::{TestResponse, must};

/// A client of an API under test. Its paths are those of the latest version: `/notes/1` is `/api/latest/notes/1`.
#[derive(Debug, Clone)]
pub struct Client {
    router: Router,
    root: String,
    /// The text before each path.
    base: String,
    claims: Option<Arc<Claims>>,
}

impl Client {
    /// A client of any router, without credentials; its paths are whole.
    pub fn of(router: &Router) -> Self {
        Self::new(router, "", None).absolute()
    }

    pub(crate) fn new(router: &Router, root: &str, claims: Option<Arc<Claims>>) -> Self {
        let client = Self {
            router: router.clone(),
            root: root.to_owned(),
            base: String::new(),
            claims,
        };
        client.version("latest")
    }

    /// The same client, whose paths are those of this version: `client.version("1.0")`.
    pub fn version(&self, version: &str) -> Self {
        Self {
            base: format!("{}/{version}", self.root),
            ..self.clone()
        }
    }

    /// The same client, whose paths are whole, as in the header `Location`, or lie outside of the API.
    pub fn absolute(&self) -> Self {
        Self {
            base: String::new(),
            ..self.clone()
        }
    }

    /// The same client, whose credentials have this claim, too: `client.with_claim("tenant", "acme")`. It makes a client
    /// without credentials one that acts for no user. The claim `sub` does not change the user.
    pub fn with_claim(&self, name: &str, value: impl Into<Value>) -> Self {
        let claims = self.claims.as_deref().cloned();
        let claims = claims.unwrap_or_else(|| Claims::new("test"));
        let mut json = claims.json().clone();
        json.insert(name.to_owned(), value.into());
        Self {
            claims: Some(Arc::new(claims.with_json(json))),
            ..self.clone()
        }
    }

    /// Sends `GET` to the path, which may have a query: `/notes?filter=eq(id,1)`. Characters that a URI cannot have
    /// are percent-encoded by the caller.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, Body::empty()).await
    }

    /// Sends `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.send(Method::POST, path, json(&body)).await
    }

    /// Sends `PUT` with a JSON body.
    pub async fn put(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.send(Method::PUT, path, json(&body)).await
    }

    /// Sends `PATCH` with a JSON merge patch.
    pub async fn patch(&self, path: &str, body: impl Serialize) -> TestResponse {
        let form = "application/merge-patch+json";
        self.send_as(form, Method::PATCH, path, json(&body)).await
    }

    /// Sends `DELETE`.
    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(Method::DELETE, path, Body::empty()).await
    }

    async fn send(&self, method: Method, path: &str, body: Body) -> TestResponse {
        self.send_as("application/json", method, path, body).await
    }

    async fn send_as(&self, form: &str, method: Method, path: &str, body: Body) -> TestResponse {
        let uri = format!("{}{path}", self.base);
        let request = Request::builder().method(method).uri(&uri);
        let request = request.header(header::CONTENT_TYPE, form);
        let request = must(&format!("`{uri}` cannot be requested"), request.body(body));
        self.request(request).await
    }

    /// Sends any other request, whose path is whole.
    pub async fn request(&self, mut request: Request<Body>) -> TestResponse {
        let name = format!("{} {}", request.method(), request.uri());
        // Where nothing authenticates callers, the API takes the principal that a layer attaches.
        if let Some(principal) = self.claims.as_deref().and_then(Claims::principal) {
            request.extensions_mut().insert(principal);
        }
        let response = self.router.clone().oneshot(request);
        let Ok(response) = CALLER.scope(self.claims.clone(), response).await;
        TestResponse::of(name, response).await
    }
}

fn json(body: &impl Serialize) -> Body {
    let body = serde_json::to_vec(body);
    Body::from(must("the body of the request is no JSON", body))
}
