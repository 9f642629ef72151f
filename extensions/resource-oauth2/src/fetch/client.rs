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

use super::checked;

/// No document of an issuer comes near.
const LARGEST_ANSWER: usize = 256 * 1024;

/// Asks servers that may be slow, broken or hostile. It follows no redirect and asks no proxy:
/// it has no code for either.
#[derive(Clone)]
pub(crate) struct Client {
    hyper: HyperClient<HttpsConnector<HttpConnector>, Body>,
    pub(crate) settings: ClientSettings,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientSettings {
    pub(crate) http_on_loopback: bool,
    /// For a question and its whole answer.
    pub(crate) timeout: Duration,
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

    pub(crate) async fn get(&self, url: &str) -> Result<Response<Bytes>, String> {
        let answer = self.ask(url, Request::new(Body::empty())).await?;
        match answer.status() {
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
    ) -> Result<Response<Bytes>, String> {
        let mut request = Request::new(Body::from(form));
        *request.method_mut() = Method::POST;
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::AUTHORIZATION, authorization);
        self.ask(url, request).await
    }

    async fn ask(&self, url: &str, mut request: Request<Body>) -> Result<Response<Bytes>, String> {
        // Also what a discovery document names is checked, not only what was configured.
        *request.uri_mut() = checked(url, self.settings.http_on_loopback)?;
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(header::ACCEPT, json);
        let answer = tokio::time::timeout(self.settings.timeout, self.answer(request)).await;
        let answer = answer.unwrap_or_else(|_| Err(String::from("it did not answer in time")));
        answer.map_err(|cause| format!("`{url}`: {cause}"))
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Bytes>, String> {
        let answer = self.hyper.request(request).await;
        let answer = answer.map_err(|error| with_sources(&error))?;
        let (parts, body) = answer.into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await;
        let body = body.map_err(|error| format!("its answer was not read: {error}"))?;
        Ok(Response::from_parts(parts, body.to_bytes()))
    }
}

/// The outermost error alone says no more than that something failed.
fn with_sources(error: &dyn Error) -> String {
    let sources = successors(error.source(), |&cause| cause.source());
    sources.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
