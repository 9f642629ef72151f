//! The HTTP client for requests to issuers, limited in time and size.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::permitted;

/// Largest response body; far above every document of an issuer.
const MAX_RESPONSE: usize = 256 * 1024;

/// An HTTP client for servers that may be slow, broken or hostile. It has no code for redirects and proxies, so
/// that a request goes only to the URL that was checked.
#[derive(Clone)]
pub(crate) struct Client {
    hyper: HyperClient<HttpsConnector<HttpConnector>, Body>,
    pub(crate) settings: ClientSettings,
}

/// The settings of the client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientSettings {
    pub(crate) http_on_loopback: bool,
    /// Timeout of a request, including its complete response.
    pub(crate) timeout: Duration,
}

impl Client {
    pub(crate) fn new(settings: ClientSettings) -> Result<Self, String> {
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        // The provider is passed explicitly, since the process-wide one belongs to the host. The connector
        // allows plain `http`, because `send` has decided before whether the URL may use it.
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_native_roots(provider)
            .map_err(|error| {
                format!("the root certificates of the system cannot be loaded: {error}")
            })?
            .https_or_http()
            .enable_http1()
            .build();
        let hyper = HyperClient::builder(TokioExecutor::new()).build(connector);
        Ok(Self { hyper, settings })
    }

    pub(crate) async fn get(&self, url: &str) -> Result<Response<Bytes>, String> {
        let response = self.send(url, Request::new(Body::empty())).await?;
        match response.status() {
            // Documents come with this status alone; 204 or 206 would bring none, or half of one.
            StatusCode::OK => Ok(response),
            // Redirects are failures, too: they could lead to any host.
            status => Err(format!("`{url}`: it answered {status}")),
        }
    }

    /// Sends a form; returns the response, with any status.
    pub(crate) async fn post_form(
        &self,
        url: &str,
        authorization: HeaderValue,
        form: String,
    ) -> Result<Response<Bytes>, String> {
        let mut request = Request::new(Body::from(form));
        *request.method_mut() = Method::POST;
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::AUTHORIZATION, authorization);
        self.send(url, request).await
    }

    async fn send(&self, url: &str, mut request: Request<Body>) -> Result<Response<Bytes>, String> {
        // Checked here, for every request: a discovery document may name a forbidden URL, too.
        *request.uri_mut() = permitted(url, self.settings.http_on_loopback)?;
        // The only form that is understood here; issuers may offer signed ones as well.
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(header::ACCEPT, json);
        // The timeout includes the body, which a slow server could otherwise send byte by byte.
        let response = tokio::time::timeout(self.settings.timeout, self.response(request)).await;
        let response = response.unwrap_or_else(|_| Err(String::from("it did not respond in time")));
        response.map_err(|cause| format!("`{url}`: {cause}"))
    }

    async fn response(&self, request: Request<Body>) -> Result<Response<Bytes>, String> {
        let response = self.hyper.request(request).await;
        // Here end refused connections, TLS failures and lookups without a result.
        let response = response.map_err(|error| with_sources(&error))?;
        let (parts, body) = response.into_parts();
        // Limited while it is read: `Content-Length` may be missing or wrong.
        let body = Limited::new(body, MAX_RESPONSE).collect().await;
        let body = body.map_err(|error| format!("its response was not read: {error}"))?;
        Ok(Response::from_parts(parts, body.to_bytes()))
    }
}

/// An error with its sources, because hyper's outermost error does not say what failed.
fn with_sources(error: &dyn Error) -> String {
    let sources = successors(error.source(), |&cause| cause.source());
    sources.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
