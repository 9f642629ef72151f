//! The authorization of an API by access tokens: token verifier, challenge, and protected resource metadata.

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

/// The authorization of an API by access tokens: the token verifier, and the information for clients without a
/// token.
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
    docs_client: Option<String>,
}

impl Authorization {
    /// Accepts the tokens that `verifier` accepts.
    #[must_use]
    pub fn new(verifier: TokenVerifier) -> Self {
        Self {
            verifier,
            // The verifier knows no endpoints of clients: they only describe the API, so a host names them.
            challenge: Challenge::new(),
            has_metadata: false,
            consent_endpoint: None,
            token_endpoint: None,
            docs_client: None,
        }
    }

    /// The realm of the API in `WWW-Authenticate`; `api` by default.
    #[must_use]
    pub fn realm(mut self, realm: impl Into<String>) -> Self {
        self.challenge = self.challenge.realm(realm);
        self
    }

    /// The URL of the protected resource metadata (RFC 9728), which name the authorization servers of the API.
    /// By default `https://h/.well-known/oauth-protected-resource/app/api` for the
    /// [base URL](resource_runtime::ApiBuilder::base_url) `https://h/app`; none without a base URL. The API
    /// serves the default URL, unless the embedded authorization server does.
    #[must_use]
    pub fn resource_metadata(mut self, url: impl Into<String>) -> Self {
        self.challenge = self.challenge.resource_metadata(url);
        self.has_metadata = true;
        self
    }

    /// The authorization endpoint, an absolute URL. The OpenAPI document of the API names it, together with the
    /// [token endpoint](Self::token_endpoint).
    #[must_use]
    pub fn authorization_endpoint(mut self, url: impl Into<String>) -> Self {
        self.consent_endpoint = Some(url.into());
        self
    }

    /// The token endpoint, an absolute URL. The OpenAPI document of the API names it.
    #[must_use]
    pub fn token_endpoint(mut self, url: impl Into<String>) -> Self {
        self.token_endpoint = Some(url.into());
        self
    }

    /// The id of a public client as which the reference at `/docs` logs people in: by an authorization code with PKCE (RFC
    /// 7636), at the [authorization endpoint](Self::authorization_endpoint) and the
    /// [token endpoint](Self::token_endpoint), which has to allow requests of the page's origin (CORS). Its redirect URI is
    /// `oauth2-redirect` below the documentation: `https://api.example.com/docs/oauth2-redirect`. Without a client, the
    /// reference takes a token that the reader has from elsewhere.
    ///
    /// ```
    /// use resource_oauth2::{Authorization, TokenVerifier};
    ///
    /// fn authorization(verifier: TokenVerifier) -> Authorization {
    ///     Authorization::new(verifier)
    ///         .authorization_endpoint("https://login.example.com/authorize")
    ///         .token_endpoint("https://login.example.com/token")
    ///         .docs_client("api-reference")
    /// }
    /// # drop(authorization);
    /// ```
    #[must_use]
    pub fn docs_client(mut self, client_id: impl Into<String>) -> Self {
        self.docs_client = Some(client_id.into());
        self
    }

    /// The default URL of the metadata; `None` if one was set, or if the API has no base URL.
    fn default_metadata_url(&self, api: ApiAddress<'_>) -> Option<String> {
        // A URL that was set stays; the host then serves the document itself.
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
        // The realm and a URL that was set stay; only the default URL depends on the address of the API.
        let challenge = self.challenge.clone();
        match self.default_metadata_url(api) {
            Some(url) => challenge.resource_metadata(url),
            None => challenge,
        }
    }

    fn schemes(&self) -> Vec<SecurityScheme> {
        // Bearer is always named: the tokens of any client are accepted, wherever it got them. The flows of
        // OAuth are described only where their endpoints are known.
        let token_endpoint = self.token_endpoint.clone();
        let oauth = token_endpoint.map(|token_endpoint| SecurityScheme::OAuth2 {
            authorization_endpoint: self.consent_endpoint.clone(),
            token_endpoint,
            docs_client: self.docs_client.clone(),
        });
        [SecurityScheme::Bearer].into_iter().chain(oauth).collect()
    }

    /// The route of the metadata (RFC 9728), unless they are at another URL or the embedded server serves them.
    fn routes(&self, api: ApiAddress<'_>) -> Router {
        let url = self.default_metadata_url(api);
        // The embedded server serves the same path, and axum panics at a route that is added twice.
        match (url, api.base_url) {
            (Some(url), Some(base)) if !self.verifier.has_own_server() => {
                // The router serves paths alone; the host is that of the base URL.
                let (_, path) = origin_and_path(&url);
                // A client finds the endpoints in the metadata of the issuers themselves (RFC 8414).
                let document = json!({
                    "resource": format!("{base}{}", api.root),
                    "authorization_servers": self.verifier.issuers(),
                    "bearer_methods_supported": ["header"],
                });
                // Rendered for each request, which is rare: clients cache the document for an hour.
                let handler = async move || published(&document, "public, max-age=3600");
                Router::new().route(path, get(handler))
            }
            // No base URL, a URL that was set, or the embedded server: no route is needed here.
            _ => Router::new(),
        }
    }

    fn has_namespaces(&self) -> bool {
        self.verifier.has_namespaces()
    }
}

/// A response with a public JSON document, readable from all origins (CORS).
#[must_use]
pub fn published(document: &Value, cache: &'static str) -> Response {
    // Any page may read the document: it holds nothing secret, and clients in a browser start from it.
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, cache),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    (headers, document.to_string()).into_response()
}
