//! The verifier of access tokens.

use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;
use resource_runtime::Error;
use resource_runtime::authorization::{
    ApiAddress, Authenticator, Challenge, Claims, InvalidToken, Refusal,
};
use resource_runtime::seam::did_you_mean;
use serde_json::Value;

use crate::Authorization;
use crate::bearer::{bearer_from_headers, well_formed};
use crate::builder::TokenVerifierBuilder;
use crate::clock::{Clock, seconds, seconds_of};
use crate::crypto::{Digest, digest};
use crate::fetch::Client;
use crate::introspection::Introspector;
use crate::issuer::VerifyingIssuer;
use crate::token::{Compact, TokenCache, looks_signed};

/// Longer tokens are refused before anything of them is decoded.
pub(super) const LONGEST_TOKEN: usize = 8 * 1024;

/// How many seconds a token that was found valid is taken for so.
const VALID_FOR: i64 = 60;

/// Verifies access tokens; clones share their keys and what they remember.
///
/// ```no_run
/// use resource_oauth2::{TokenVerifier, TrustedIssuer};
///
/// # async fn example(headers: axum::http::HeaderMap) -> Result<(), Box<dyn std::error::Error>> {
/// let issuer = TrustedIssuer::new("https://login.example.com").audience("https://api.example.com");
/// let verifier = TokenVerifier::builder().issuer(issuer).build().await?;
///
/// let claims = verifier.authenticate(&headers).await?;
/// println!("{:?} may {}", claims.subject(), claims.scopes());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TokenVerifier {
    shared: Arc<Shared>,
}

struct Shared {
    /// By the name in `iss`: only those are ever asked anything.
    issuers: HashMap<String, VerifyingIssuer>,
    introspector: Option<Introspector>,
    cache: Arc<TokenCache>,
    clock: Arc<dyn Clock>,
    /// What our own server revoked, beside the name that it has.
    revoked: Vec<(String, Arc<super::token::RevokedTokens>)>,
}

impl TokenVerifier {
    /// Settings, and from them a verifier.
    #[must_use]
    pub fn builder() -> TokenVerifierBuilder {
        TokenVerifierBuilder::new()
    }

    pub(super) fn new(settings: TokenVerifierBuilder) -> Result<Self, String> {
        let leeway = i64::try_from(settings.leeway.as_secs()).unwrap_or(0);
        let cache = Arc::new(TokenCache::new());
        let clock = settings.clock;
        let issuers = settings.issuers.iter().map(|trusted| {
            let source = trusted.key_source(settings.client, &cache, &clock)?;
            let issuer = VerifyingIssuer::new(trusted, leeway, source);
            Ok((trusted.issuer.clone(), issuer))
        });
        let issuers = issuers.collect::<Result<_, String>>()?;
        let introspector = settings.introspection.map(|introspection| {
            let client = Client::new(settings.client)?;
            let (clock, cache) = (Arc::clone(&clock), Arc::clone(&cache));
            let introspector = Introspector::new(introspection, client, leeway, clock, cache);
            Ok::<_, String>(introspector)
        });
        let introspector = introspector.transpose()?;
        let revoked = settings.issuers.into_iter();
        let shared = Arc::new(Shared {
            revoked: revoked
                .filter_map(|trusted| Some((trusted.issuer, trusted.revoked?)))
                .collect(),
            issuers,
            introspector,
            cache,
            clock,
        });
        Ok(Self { shared })
    }

    /// Verifies the access token of a request with these headers.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<Arc<Claims>, Refusal> {
        let token = bearer_from_headers(headers)?;
        let digest = digest_of(token)?;
        // What is remembered was well formed: looking at each byte costs more than all else here.
        if let Some(found) = self.cached(&digest) {
            return found;
        }
        self.verify_anew(well_formed(token)?, digest).await
    }

    /// Verifies a token.
    pub async fn verify(&self, token: &str) -> Result<Arc<Claims>, Refusal> {
        let digest = digest_of(token.as_bytes())?;
        if let Some(found) = self.cached(&digest) {
            return found;
        }
        self.verify_anew(token, digest).await
    }

    fn cached(&self, digest: &Digest) -> Option<Result<Arc<Claims>, Refusal>> {
        let claims = self.shared.cache.get(digest, self.shared.now())?;
        Some(self.shared.unless_revoked(claims))
    }

    async fn verify_anew(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        // On the heap, so that requests whose tokens are remembered do not carry it about.
        let verified = Box::pin(self.shared.verify(token, digest)).await;
        let verified = verified.and_then(|claims| self.shared.unless_revoked(claims));
        if let Err(Refusal::InvalidToken(invalid)) = &verified {
            tracing::debug!(%invalid, "an access token was refused");
        }
        verified
    }

    /// Forgets which tokens were found valid, for when some are revoked: the next request with
    /// each is verified anew.
    pub fn forget_verified(&self) {
        self.shared.cache.clear();
    }

    /// Tests that a server within the process issues tokens; it publishes the metadata.
    pub(crate) fn has_own_server(&self) -> bool {
        !self.shared.revoked.is_empty()
    }

    /// The names of the issuers, in their order.
    pub(crate) fn issuers(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.shared.issuers.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    pub(super) async fn load_keys(&self) -> Result<(), Error> {
        let mut problems = Vec::new();
        for (name, issuer) in &self.shared.issuers {
            if let Err(cause) = issuer.load_keys().await {
                problems.push(format!("issuer `{name}` has no keys for us: {cause}"));
            }
        }
        if problems.is_empty() {
            return Ok(());
        }
        Err(Error::of_problems(problems))
    }
}

/// As [`Authorization::new`](crate::Authorization::new) of it.
impl Authenticator for TokenVerifier {
    fn authenticate<'a>(
        &'a self,
        headers: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
        Box::pin(self.authenticate(headers))
    }

    fn challenge(&self, api: ApiAddress<'_>) -> Challenge {
        Authorization::new(self.clone()).challenge(api)
    }

    fn routes(&self, api: ApiAddress<'_>) -> Router {
        Authorization::new(self.clone()).routes(api)
    }

    fn has_namespaces(&self) -> bool {
        let introspection = self.shared.introspector.iter();
        let asked = introspection.map(|it| &it.settings.mapping);
        let mappings = self.shared.issuers.values().map(|it| &it.mapping);
        mappings.chain(asked).any(|it| it.namespace.is_some())
    }
}

fn digest_of(token: &[u8]) -> Result<Digest, Refusal> {
    if token.len() > LONGEST_TOKEN {
        return Err(InvalidToken::TooLong.into());
    }
    Ok(digest(token))
}

impl Shared {
    async fn verify(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        match &self.introspector {
            Some(introspector) if self.issuers.is_empty() || !looks_signed(token) => {
                introspector.verify(token, digest).await
            }
            _ => self.verify_signed(token, digest).await,
        }
    }

    async fn verify_signed(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        let epoch = self.cache.epoch();
        let compact = Compact::parse(token)?;
        let name = compact.claims.get("iss").and_then(Value::as_str);
        let issuer = name.and_then(|name| self.issuers.get(name));
        let issuer = issuer.ok_or(InvalidToken::UntrustedIssuer)?;
        let claims = Arc::new(issuer.verify(compact, &*self.clock).await?);
        let until = seconds_of(claims.expires_at()).min(self.now().saturating_add(VALID_FOR));
        self.cache.insert(digest, Arc::clone(&claims), until, epoch);
        Ok(claims)
    }

    fn unless_revoked(&self, claims: Arc<Claims>) -> Result<Arc<Claims>, Refusal> {
        let mut servers = self.revoked.iter();
        if servers.any(|(issuer, revoked)| revoked.names(issuer, &claims)) {
            return Err(InvalidToken::Revoked.into());
        }
        Ok(claims)
    }

    fn now(&self) -> i64 {
        seconds(&*self.clock)
    }
}

/// Neither keys nor tokens.
impl fmt::Debug for TokenVerifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers: Vec<&String> = self.shared.issuers.keys().collect();
        formatter
            .debug_struct("TokenVerifier")
            .field("issuers", &issuers)
            .finish_non_exhaustive()
    }
}

impl TokenVerifier {
    /// Puts another key set in the place of the one that
    /// [`TrustedIssuer::with_keys`](crate::TrustedIssuer::with_keys) gave. What the
    /// former keys verified is forgotten.
    pub fn replace_keys(&self, issuer: &str, key_set: &str) -> Result<(), Error> {
        self.change(issuer, |known| known.replace_keys(key_set.as_bytes()))
    }

    /// Changes an issuer, which must be known.
    pub(crate) fn change(
        &self,
        issuer: &str,
        change: impl FnOnce(&VerifyingIssuer) -> Result<(), String>,
    ) -> Result<(), Error> {
        let Some(known) = self.shared.issuers.get(issuer) else {
            let names = self.shared.issuers.keys().map(String::as_str);
            let nearest = did_you_mean(issuer, names);
            let problem = format!("issuer `{issuer}` is not trusted{nearest}");
            return Err(Error::configuration(problem));
        };
        change(known).map_err(|cause| Error::configuration(format!("issuer `{issuer}`: {cause}")))
    }
}
