//! The settings of introspection.

use std::fmt;

use resource_runtime::authorization::ClaimPath;

use crate::fetch::permitted;
use crate::token::Mapping;

/// Verification of opaque tokens at the introspection endpoint of their issuer (RFC 7662).
///
/// Results are cached, for 30 seconds if the token is valid, else for 5. Concurrent requests with the same token
/// share one introspection request.
///
/// ```
/// use resource_oauth2::{Introspection, TokenVerifier};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), resource_runtime::Error> {
/// let introspection = Introspection::new(
///     "https://login.example.com",
///     "https://login.example.com/oauth/introspect",
/// );
/// let verifier = TokenVerifier::builder()
///     .introspection(
///         introspection
///             .client("settings-api", "7Fjfp0ZBr1KtDRbnfVdmIw")
///             .audience("https://api.example.com"),
///     )
///     .build()
///     .await?;
/// # drop(verifier);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Introspection {
    pub(crate) issuer: String,
    pub(super) endpoint: String,
    pub(super) client_id: String,
    pub(super) client_secret: String,
    pub(super) audience: String,
    pub(super) audience_is_optional: bool,
    pub(crate) mapping: Mapping,
}

impl Introspection {
    /// Introspects the tokens of `issuer` at `endpoint`.
    #[must_use]
    pub fn new(issuer: impl Into<String>, endpoint: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            endpoint: endpoint.into(),
            client_id: String::new(),
            client_secret: String::new(),
            // An empty audience is a problem that `build` reports, so no token passes by this default.
            audience: String::new(),
            audience_is_optional: false,
            mapping: Mapping::default(),
        }
    }

    /// The client credentials of this service at the endpoint. Required.
    #[must_use]
    pub fn client(mut self, id: impl Into<String>, secret: impl Into<String>) -> Self {
        self.client_id = id.into();
        self.client_secret = secret.into();
        self
    }

    /// The value of `aud` that stands for this service. Required.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = audience.into();
        self
    }

    /// Accepts tokens for which the issuer states no `aud`; for issuers that report only tokens for the requesting
    /// service as active.
    #[must_use]
    pub const fn audience_is_optional(mut self) -> Self {
        self.audience_is_optional = true;
        self
    }

    /// The claim that identifies the user; `sub` by default.
    #[must_use]
    pub fn subject_claim(mut self, claim: impl Into<ClaimPath>) -> Self {
        self.mapping.subject = claim.into();
        self
    }

    /// A further claim with the client id, beside `client_id` and `azp`. A token without any of them has no user,
    /// since nothing distinguishes its user from a client.
    #[must_use]
    pub fn client_claim(mut self, claim: impl Into<ClaimPath>) -> Self {
        self.mapping.client.push(claim.into());
        self
    }

    /// The scopes that tokens of this issuer may grant; by default all. Other scopes of a token are ignored, so
    /// that one of several issuers need not be trusted with the scopes of administrators.
    ///
    /// ```
    /// use resource_oauth2::Introspection;
    ///
    /// let partner = Introspection::new("https://h", "https://h/introspect").scopes(["notes.read"]);
    /// # drop(partner);
    /// ```
    #[must_use]
    pub fn scopes<Scope: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.mapping.grantable = Some(scopes.into_iter().collect());
        self
    }

    /// The prefix of each subject, before a colon; see
    /// [`TrustedIssuer::subject_namespace`](crate::TrustedIssuer::subject_namespace).
    #[must_use]
    pub fn subject_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.mapping.namespace = Some(namespace.into());
        self
    }

    /// The problems of these settings.
    pub(crate) fn problems(&self, http_on_loopback: bool) -> Vec<String> {
        let unnamed = || "introspection has no issuer; name it in `Introspection::new`".to_owned();
        let lacks = |setting: &str| {
            let issuer = &self.issuer;
            format!("introspection at `{issuer}` has no {setting}; name it with `.{setting}(…)`")
        };
        // Endpoints must not answer callers that are not authenticated (RFC 7662, section 2.1).
        let has_client = !self.client_id.is_empty() && !self.client_secret.is_empty();
        // All problems are collected, so that one build reports them together.
        let problems = [
            self.issuer.is_empty().then(unnamed),
            permitted(&self.endpoint, http_on_loopback).err(),
            (!has_client).then(|| lacks("client")),
            self.audience.trim().is_empty().then(|| lacks("audience")),
        ];
        problems.into_iter().flatten().collect()
    }
}

/// Hides the client secret.
impl fmt::Debug for Introspection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Introspection")
            .field("issuer", &self.issuer)
            .field("endpoint", &self.endpoint)
            .field("client_id", &self.client_id)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}
