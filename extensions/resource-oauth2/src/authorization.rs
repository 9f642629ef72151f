//! The authorization of an API: a verifier, and what clients without a token are told.

use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use resource_runtime::authorization::{
    ApiAddress, Authenticator, Challenge, Claims, Refusal, SecurityScheme,
};
use serde_json::{Value, json};

use crate::TokenVerifier;
use crate::well_known::{origin_and_path, resource_metadata_url};

/// The authorization of an API by access tokens: the verifier of tokens, and what clients without one are told.
///
/// ```no_run
/// use resource_oauth2::{Authorization, TokenVerifier, TrustedIssuer};
/// use resource_runtime::{Api, ApiResource, Database};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
/// struct Note {
///     id: i64,
/// }
///
/// # async fn example(database: Database) -> Result<(), resource_runtime::Error> {
/// let issuer = TrustedIssuer::new("https://login.example.com").audience("https://api.example.com");
/// let verifier = TokenVerifier::builder().issuer(issuer).build().await?;
/// let api = Api::builder()
///     .resource::<Note>()
///     .authorization(Authorization::new(verifier).realm("notes"))
///     .build(database)?;
/// # drop(api);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Authorization {
    verifier: TokenVerifier,
    challenge: Challenge,
    has_metadata: bool,
    consent_endpoint: Option<String>,
    token_endpoint: Option<String>,
}

impl Authorization {
    /// Takes the tokens that `verifier` finds valid.
    #[must_use]
    pub fn new(verifier: TokenVerifier) -> Self {
        Self {
            verifier,
            challenge: Challenge::new(),
            has_metadata: false,
            consent_endpoint: None,
            token_endpoint: None,
        }
    }

    /// What clients are told that the API is called; `api` by default.
    #[must_use]
    pub fn realm(mut self, realm: impl Into<String>) -> Self {
        self.challenge = self.challenge.realm(realm);
        self
    }

    /// Where clients find the metadata of the API (RFC 9728), which name its authorization servers.
    /// By default `https://h/.well-known/oauth-protected-resource/app/api`, where the API has a
    /// [base URL](resource_runtime::ApiBuilder::base_url), here `https://h/app`; without one they are told of
    /// none. The API answers there, or the embedded server.
    #[must_use]
    pub fn resource_metadata(mut self, url: impl Into<String>) -> Self {
        self.challenge = self.challenge.resource_metadata(url);
        self.has_metadata = true;
        self
    }

    /// Where users are sent for their consent, an absolute URL: the description of the API tells
    /// it to clients (OpenAPI), together with the [token endpoint](Self::token_endpoint).
    #[must_use]
    pub fn authorization_endpoint(mut self, url: impl Into<String>) -> Self {
        self.consent_endpoint = Some(url.into());
        self
    }

    /// Where clients get tokens, an absolute URL: the description of the API tells it to them.
    #[must_use]
    pub fn token_endpoint(mut self, url: impl Into<String>) -> Self {
        self.token_endpoint = Some(url.into());
        self
    }

    /// The URL of the metadata of an API that has a base URL, unless it was set.
    fn default_metadata_url(&self, api: ApiAddress<'_>) -> Option<String> {
        let base = api.base_url.filter(|_| !self.has_metadata)?;
        Some(resource_metadata_url(&format!("{base}{}", api.root)))
    }
}

impl Authenticator for Authorization {
    fn authenticate<'a>(
        &'a self,
        headers: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
        Box::pin(self.verifier.authenticate(headers))
    }

    fn challenge(&self, api: ApiAddress<'_>) -> Challenge {
        let challenge = self.challenge.clone();
        match self.default_metadata_url(api) {
            Some(url) => challenge.resource_metadata(url),
            None => challenge,
        }
    }

    fn schemes(&self) -> Vec<SecurityScheme> {
        let token_endpoint = self.token_endpoint.clone();
        let oauth = token_endpoint.map(|token_endpoint| SecurityScheme::OAuth2 {
            authorization_endpoint: self.consent_endpoint.clone(),
            token_endpoint,
        });
        [SecurityScheme::Bearer].into_iter().chain(oauth).collect()
    }

    /// The metadata of the API (RFC 9728), unless they are elsewhere or the embedded server publishes them.
    fn routes(&self, api: ApiAddress<'_>) -> Router {
        let url = self.default_metadata_url(api);
        match (url, api.base_url) {
            (Some(url), Some(base)) if !self.verifier.has_own_server() => {
                let (_, path) = origin_and_path(&url);
                let document = json!({
                    "resource": format!("{base}{}", api.root),
                    "authorization_servers": self.verifier.issuers(),
                    "bearer_methods_supported": ["header"],
                });
                let answer = async move || published(&document, "public, max-age=3600");
                Router::new().route(path, get(answer))
            }
            _ => Router::new(),
        }
    }

    fn has_namespaces(&self) -> bool {
        self.verifier.has_namespaces()
    }
}

/// A document that everybody may read, also from pages of other origins.
#[must_use]
pub fn published(document: &Value, cache: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, cache),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    (headers, document.to_string()).into_response()
}
