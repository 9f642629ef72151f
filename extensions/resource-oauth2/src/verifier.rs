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
use resource_runtime::shared::did_you_mean;
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

/// Longer tokens are refused before they are decoded, which limits the cost of made-up ones.
pub(super) const MAX_TOKEN_LENGTH: usize = 8 * 1024;

/// Seconds for which a valid token is cached.
const CACHE_TTL: i64 = 60;

/// Verifies access tokens; clones share keys and caches.
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
    state: Arc<State>,
}

struct State {
    /// By `iss`: requests are sent to these issuers only, never to a URL from a token.
    issuers: HashMap<String, VerifyingIssuer>,
    introspector: Option<Introspector>,
    cache: Arc<TokenCache>,
    clock: Arc<dyn Clock>,
    /// Names of embedded authorization servers, with their revoked tokens.
    revoked: Vec<(String, Arc<super::token::RevokedTokens>)>,
}

impl TokenVerifier {
    /// Creates a builder.
    #[must_use]
    pub fn builder() -> TokenVerifierBuilder {
        TokenVerifierBuilder::new()
    }

    pub(super) fn new(settings: TokenVerifierBuilder) -> Result<Self, String> {
        // The builder bounds the leeway, so this does not fail.
        let leeway = i64::try_from(settings.leeway.as_secs()).unwrap_or(0);
        // One cache for all issuers and introspection: the digest of a token identifies it, whoever issued
        // it.
        let cache = Arc::new(TokenCache::new());
        let clock = settings.clock;
        // Each issuer gets its own source of keys, which clears the shared cache when they change.
        let issuers = settings.issuers.iter().map(|trusted| {
            let source = trusted.key_source(settings.client, &cache, &clock)?;
            let issuer = VerifyingIssuer::new(trusted, leeway, source);
            Ok((trusted.issuer.clone(), issuer))
        });
        // The first failure ends the build: without root certificates, the other issuers fail alike.
        let issuers = issuers.collect::<Result<_, String>>()?;
        let introspector = match settings.introspection {
            None => None,
            Some(introspection) => {
                // Created only if needed: a client loads the root certificates of the system.
                let client = Client::new(settings.client)?;
                let (clock, cache) = (Arc::clone(&clock), Arc::clone(&cache));
                Some(Introspector::new(
                    introspection,
                    client,
                    leeway,
                    clock,
                    cache,
                ))
            }
        };
        // Only now, since the issuers above borrow the settings.
        let revoked = settings.issuers.into_iter();
        let state = Arc::new(State {
            revoked: revoked
                .filter_map(|trusted| Some((trusted.issuer, trusted.revoked?)))
                .collect(),
            issuers,
            introspector,
            cache,
            clock,
        });
        Ok(Self { state })
    }

    /// Verifies the access token in the headers of a request.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<Arc<Claims>, Refusal> {
        // The order is that of cost: the header, the length, a digest, a lookup, and only then the token
        // itself.
        let token = bearer_from_headers(headers)?;
        let digest = digest_of(token)?;
        // A cached token was well-formed, so the fast path skips the check of each byte, its largest cost.
        if let Some(found) = self.cached(&digest) {
            return found;
        }
        self.verify_uncached(well_formed(token)?, digest).await
    }

    /// Verifies a token.
    pub async fn verify(&self, token: &str) -> Result<Arc<Claims>, Refusal> {
        let digest = digest_of(token.as_bytes())?;
        if let Some(found) = self.cached(&digest) {
            return found;
        }
        self.verify_uncached(token, digest).await
    }

    fn cached(&self, digest: &Digest) -> Option<Result<Arc<Claims>, Refusal>> {
        let claims = self.state.cache.get(digest, self.state.now())?;
        // Revocation is tested at every request, not cached: it takes effect on tokens that were verified
        // before.
        Some(self.state.refuse_revoked(claims))
    }

    async fn verify_uncached(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        // Boxed, so that the future of requests with a cached token stays small.
        let verified = Box::pin(self.state.verify(token, digest)).await;
        // A revoked token enters the cache of valid ones all the same, where the same test refuses it.
        let verified = verified.and_then(|claims| self.state.refuse_revoked(claims));
        // Clients cause these, so they are no warning. The response does not give the reason, which would
        // help attackers.
        if let Err(Refusal::InvalidToken(invalid)) = &verified {
            tracing::debug!(%invalid, "an access token was refused");
        }
        verified
    }

    /// Clears the cache of valid tokens, for a revocation to take effect: each token is verified again at its next
    /// request.
    pub fn forget_verified(&self) {
        self.state.cache.clear();
    }

    /// Replaces the keys of an issuer created by
    /// [`TrustedIssuer::with_keys`](crate::TrustedIssuer::with_keys), for key rotation. Tokens verified with the old
    /// keys leave the cache.
    pub fn replace_keys(&self, issuer: &str, key_set: &str) -> Result<(), Error> {
        self.with_issuer(issuer, |known| known.replace_keys(key_set.as_bytes()))
    }

    /// Runs `change` on a trusted issuer.
    pub(crate) fn with_issuer(
        &self,
        issuer: &str,
        change: impl FnOnce(&VerifyingIssuer) -> Result<(), String>,
    ) -> Result<(), Error> {
        let Some(known) = self.state.issuers.get(issuer) else {
            // The names of issuers are URLs that differ by a slash or a letter, so the nearest one is
            // suggested.
            let names = self.state.issuers.keys().map(String::as_str);
            let nearest = did_you_mean(issuer, names);
            let problem = format!("issuer `{issuer}` is not trusted{nearest}");
            return Err(Error::configuration(problem));
        };
        change(known).map_err(|cause| Error::configuration(format!("issuer `{issuer}`: {cause}")))
    }

    /// Tests for an embedded authorization server, which serves the metadata itself.
    pub(crate) fn has_own_server(&self) -> bool {
        !self.state.revoked.is_empty()
    }

    /// The names of the issuers, sorted.
    pub(crate) fn issuers(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.state.issuers.keys().map(String::as_str).collect();
        // The map has no order, but a public document should not change from start to start.
        names.sort_unstable();
        names
    }

    pub(super) async fn load_keys(&self) -> Result<(), Error> {
        let mut problems = Vec::new();
        for (name, issuer) in &self.state.issuers {
            // All are tried, so that the error lists every issuer without keys.
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

/// Equals [`Authorization::new`](crate::Authorization::new) with this verifier.
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
        // Signed and introspected tokens count alike, since both may set a subject.
        let introspection = self.state.introspector.iter();
        let introspected = introspection.map(|it| &it.settings.mapping);
        let mappings = self.state.issuers.values().map(|it| &it.mapping);
        mappings
            .chain(introspected)
            .any(|it| it.namespace.is_some())
    }
}

fn digest_of(token: &[u8]) -> Result<Digest, Refusal> {
    if token.len() > MAX_TOKEN_LENGTH {
        return Err(InvalidToken::TooLong.into());
    }
    Ok(digest(token))
}

impl State {
    async fn verify(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        match &self.introspector {
            // Where signed tokens have a trusted issuer they are verified by its keys, without a request.
            Some(introspector) if self.issuers.is_empty() || !looks_signed(token) => {
                introspector.verify(token, digest).await
            }
            _ => self.verify_signed(token, digest).await,
        }
    }

    async fn verify_signed(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        // Read before the keys: a result of keys that are replaced meanwhile must not enter the cleared
        // cache.
        let epoch = self.cache.epoch();
        // Here the token is only decoded; nothing in it counts before the signature is verified.
        let compact = Compact::parse(token)?;
        let name = compact.claims.get("iss").and_then(Value::as_str);
        // The claim is not verified yet: it only selects among trusted issuers, whose keys then decide.
        let issuer = name.and_then(|name| self.issuers.get(name));
        let issuer = issuer.ok_or(InvalidToken::UntrustedIssuer)?;
        let claims = Arc::new(issuer.verify(compact, &*self.clock).await?);
        // Without the leeway: beyond its expiry a token is verified anew each time.
        let until = seconds_of(claims.expires_at()).min(self.now().saturating_add(CACHE_TTL));
        self.cache.insert(digest, Arc::clone(&claims), until, epoch);
        Ok(claims)
    }

    fn refuse_revoked(&self, claims: Arc<Claims>) -> Result<Arc<Claims>, Refusal> {
        let mut servers = self.revoked.iter();
        // Usually there is no embedded server, or one, so the list is searched.
        if servers.any(|(issuer, revoked)| revoked.names(issuer, &claims)) {
            return Err(InvalidToken::Revoked.into());
        }
        Ok(claims)
    }

    fn now(&self) -> i64 {
        seconds(&*self.clock)
    }
}

/// Hides keys and tokens.
impl fmt::Debug for TokenVerifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers: Vec<&String> = self.state.issuers.keys().collect();
        formatter
            .debug_struct("TokenVerifier")
            .field("issuers", &issuers)
            .finish_non_exhaustive()
    }
}
