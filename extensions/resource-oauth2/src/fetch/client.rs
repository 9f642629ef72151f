use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::checked;

/// No document of an issuer comes near.
const LARGEST_ANSWER: usize = 256 * 1024;

/// Asks servers that may be slow, broken or hostile. It follows no redirect and asks no proxy:
/// it has no code for either.
#[derive(Clone)]
pub(crate) struct Client {
    hyper: HyperClient<HttpsConnector<HttpConnector>, Body>,
    settings: ClientSettings,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientSettings {
    pub(crate) http_on_loopback: bool,
    /// For a question and its whole answer.
    pub(crate) timeout: Duration,
}

/// The answer to a question.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Client {
    pub(crate) fn new(settings: ClientSettings) -> Result<Self, String> {
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_native_roots(provider)
            .map_err(|error| format!("no certificates of this system can be used: {error}"))?
            .https_or_http()
            .enable_http1()
            .build();
        let hyper = HyperClient::builder(TokioExecutor::new()).build(connector);
        Ok(Self { hyper, settings })
    }

    pub(crate) const fn timeout(&self) -> Duration {
        self.settings.timeout
    }

    pub(crate) async fn get(&self, url: &str) -> Result<Answer, String> {
        let answer = self.ask(Method::GET, url, HeaderMap::new(), Body::empty());
        let answer = answer.await?;
        match answer.status {
            StatusCode::OK => Ok(answer),
            status => Err(format!("`{url}`: it answered {status}")),
        }
    }

    /// The answer, whatever its status.
    pub(crate) async fn post_form(
        &self,
        url: &str,
        authorization: HeaderValue,
        form: String,
    ) -> Result<Answer, String> {
        let mut headers = HeaderMap::new();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::AUTHORIZATION, authorization);
        self.ask(Method::POST, url, headers, Body::from(form)).await
    }

    async fn ask(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Body,
    ) -> Result<Answer, String> {
        let mut request = Request::new(body);
        // Also what a discovery document names is checked, not only what was configured.
        *request.uri_mut() = checked(url, self.settings.http_on_loopback)?;
        *request.method_mut() = method;
        *request.headers_mut() = headers;
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(header::ACCEPT, json);
        let answer = tokio::time::timeout(self.settings.timeout, self.answer(request)).await;
        let answer = answer.unwrap_or_else(|_| Err(String::from("it did not answer in time")));
        answer.map_err(|cause| format!("`{url}`: {cause}"))
    }

    async fn answer(&self, request: Request<Body>) -> Result<Answer, String> {
        let answer = self.hyper.request(request).await;
        let answer = answer.map_err(|error| with_sources(&error))?;
        let (parts, body) = answer.into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await;
        let body = body.map_err(|error| format!("its answer was not read: {error}"))?;
        Ok(Answer {
            status: parts.status,
            headers: parts.headers,
            body: body.to_bytes(),
        })
    }
}

/// The outermost error alone says no more than that something failed.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
