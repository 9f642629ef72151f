use super::TokenVerifier;
use super::well_known::resource_metadata_url;
use crate::authorization::Challenge;

/// That callers are asked who they are: whose tokens are taken, and what those are told who have
/// none.
///
/// ```no_run
/// use resource_runtime::oauth2::{Authorization, TokenVerifier, TrustedIssuer};
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
    endpoints: Endpoints,
}

/// Of the server that issues the tokens.
#[derive(Debug, Clone, Default)]
struct Endpoints {
    authorization: Option<String>,
    token: Option<String>,
}

impl Authorization {
    /// Takes the tokens that `verifier` finds valid.
    #[must_use]
    pub fn new(verifier: TokenVerifier) -> Self {
        Self {
            verifier,
            challenge: Challenge::new(),
            has_metadata: false,
            endpoints: Endpoints::default(),
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
    /// [base URL](crate::ApiBuilder::base_url), here `https://h/app`; without one they are told of
    /// none. The embedded server answers there; where another issues the tokens, it is yours to.
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
        self.endpoints.authorization = Some(url.into());
        self
    }

    /// Where clients get tokens, an absolute URL: the description of the API tells it to them.
    #[must_use]
    pub fn token_endpoint(mut self, url: impl Into<String>) -> Self {
        self.endpoints.token = Some(url.into());
        self
    }

    /// Of users and of tokens, for those who are told.
    #[cfg(feature = "openapi")]
    pub(crate) fn endpoints(&self) -> (Option<&str>, Option<&str>) {
        let Endpoints {
            authorization,
            token,
        } = &self.endpoints;
        (authorization.as_deref(), token.as_deref())
    }

    pub(crate) const fn verifier(&self) -> &TokenVerifier {
        &self.verifier
    }

    /// The challenge of an API at `root`, without the scopes of any operation.
    pub(crate) fn challenge(&self, base: Option<&str>, root: &str) -> Challenge {
        let challenge = self.challenge.clone();
        match base.filter(|_| !self.has_metadata) {
            Some(base) => {
                challenge.resource_metadata(resource_metadata_url(&format!("{base}{root}")))
            }
            None => challenge,
        }
    }
}

impl From<TokenVerifier> for Authorization {
    fn from(verifier: TokenVerifier) -> Self {
        Self::new(verifier)
    }
}
