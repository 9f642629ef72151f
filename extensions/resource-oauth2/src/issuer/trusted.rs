//! The settings of a trusted issuer of signed tokens.

use std::fmt;
use std::sync::Arc;

use resource_runtime::authorization::ClaimPath;

use crate::algorithm::Algorithm;
use crate::clock::Clock;
use crate::fetch::{Client, ClientSettings, JwksFetch, permitted};
use crate::keys::{KeySet, KeySource};
use crate::token::{Mapping, Requirement, RevokedTokens, ScopeClaim, TokenCache, TokenProfile};

/// A secret shorter than its HMAC can be guessed (RFC 7518, section 3.2).
const MIN_SECRET_LENGTH: usize = 32;

/// An issuer whose signed access tokens are accepted, with the rules to verify and read them.
///
/// ```
/// use resource_oauth2::{TokenProfile, TrustedIssuer};
///
/// let issuer = TrustedIssuer::new("https://login.example.com")
///     .audience("https://api.example.com")
///     .token_profile(TokenProfile::Lenient)
///     .scope_claim(["realm_access", "roles"], "role:")
///     .subject_claim("uid");
/// # drop(issuer);
/// ```
#[derive(Clone)]
pub struct TrustedIssuer {
    pub(crate) issuer: String,
    pub(crate) origin: KeyOrigin,
    pub(crate) audience: String,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) profile: TokenProfile,
    pub(crate) mapping: Mapping,
    pub(super) requirement: Option<Requirement>,
    /// An audience that all tokens of the provider have, and the remedy.
    pub(super) meaningless_audience: Option<(&'static str, &'static str)>,
    pub(super) problem: Option<String>,
    /// Revoked tokens of the embedded authorization server; `None` for other issuers.
    pub(crate) revoked: Option<Arc<RevokedTokens>>,
}

impl TrustedIssuer {
    /// An issuer that publishes its keys by discovery (RFC 8414 or OpenID Connect). The name has to equal the claim
    /// `iss` byte for byte.
    #[must_use]
    pub fn new(issuer: impl Into<String>) -> Self {
        let jwks_uri = None;
        Self::with_origin(issuer.into(), KeyOrigin::Published { jwks_uri })
    }

    /// An issuer with a given key set (RFC 7517), which is never fetched. To rotate its keys, see
    /// [`replace_keys`](crate::TokenVerifier::replace_keys).
    #[must_use]
    pub fn with_keys(issuer: impl Into<String>, key_set: impl Into<String>) -> Self {
        Self::with_origin(issuer.into(), KeyOrigin::Given(key_set.into()))
    }

    /// An issuer that signs with HS256 and a secret of at least 32 bytes.
    ///
    /// Everyone with the secret can issue tokens, including every service that verifies them: prefer an issuer that
    /// publishes keys.
    #[must_use]
    pub fn with_shared_secret(issuer: impl Into<String>, secret: impl Into<Vec<u8>>) -> Self {
        Self::with_origin(issuer.into(), KeyOrigin::Secret(secret.into()))
    }

    fn with_origin(issuer: String, origin: KeyOrigin) -> Self {
        // The profile is that of RFC 9068; presets and setters widen it.
        Self {
            issuer,
            origin,
            audience: String::new(),
            algorithms: Algorithm::ALL.into(),
            profile: TokenProfile::Strict,
            mapping: Mapping::default(),
            requirement: None,
            meaningless_audience: None,
            problem: None,
            revoked: None,
        }
    }

    /// The value of `aud` that stands for this service. Required: a token for another service must not be accepted by
    /// this one.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = audience.into();
        self
    }

    /// The permitted signature algorithms; by default all that its keys support.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// The rules that distinguish access tokens from other tokens; [`TokenProfile::Strict`] by default.
    #[must_use]
    pub const fn token_profile(mut self, profile: TokenProfile) -> Self {
        self.profile = profile;
        self
    }

    /// The URL of its key set (JWKS), in place of discovery.
    #[must_use]
    pub fn jwks_uri(mut self, url: impl Into<String>) -> Self {
        let jwks_uri = Some(url.into());
        self.origin = KeyOrigin::Published { jwks_uri };
        self
    }

    /// A further claim with scopes, beside `scope` and `scp`: a list separated by spaces, or an array. Each value
    /// becomes a scope with `prefix` before it, so that a role cannot pass for a scope of the same name.
    #[must_use]
    pub fn scope_claim(mut self, claim: impl Into<ClaimPath>, prefix: impl Into<String>) -> Self {
        self.mapping.scopes.push(ScopeClaim::new(claim, prefix));
        self
    }

    /// The claim that identifies the user; `sub` by default.
    #[must_use]
    pub fn subject_claim(mut self, claim: impl Into<ClaimPath>) -> Self {
        self.mapping.subject = claim.into();
        self
    }

    /// A further claim with the client id, beside `client_id` and `azp`, or those of the provider. A token without
    /// any of them has no user, since nothing distinguishes its user from a client.
    #[must_use]
    pub fn client_claim(mut self, claim: impl Into<ClaimPath>) -> Self {
        self.mapping.client.push(claim.into());
        self
    }

    /// The scopes that tokens of this issuer may grant; by default all. Other scopes of a token are ignored, so that
    /// one of several issuers need not be trusted with the scopes of administrators.
    ///
    /// ```
    /// use resource_oauth2::TrustedIssuer;
    ///
    /// let partner = TrustedIssuer::new("https://login.partner.example")
    ///     .audience("https://api.example.com")
    ///     .scopes(["notes.read", "notes.write"]);
    /// # drop(partner);
    /// ```
    #[must_use]
    pub fn scopes<Scope: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.mapping.grantable = Some(scopes.into_iter().collect());
        self
    }

    /// The prefix of each subject, before a colon: `partner:ann`. Each of several issuers needs one of its own,
    /// because two issuers may give one subject to two people.
    ///
    /// Stored owners contain the namespace: when you add a second issuer, and so a namespace to the first, rename
    /// the stored owners, too. An owner attribute that is no text cannot have a namespace; `build` reports it.
    #[must_use]
    pub fn subject_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.mapping.namespace = Some(namespace.into());
        self
    }

    /// The problems of these settings.
    pub(crate) fn problems(&self, http_on_loopback: bool) -> Vec<String> {
        let named = |problem| format!("issuer `{}`: {problem}", self.issuer);
        let of_origin = match &self.origin {
            // Without a JWKS URI the requests go to URLs below the name of the issuer, so that has to be
            // one.
            KeyOrigin::Published { jwks_uri } => {
                permitted(jwks_uri.as_ref().unwrap_or(&self.issuer), http_on_loopback).err()
            }
            // Given keys need no request, so their issuer may have any name.
            KeyOrigin::Given(keys) => self.key_set_problem(keys),
            KeyOrigin::Secret(secret) => (secret.len() < MIN_SECRET_LENGTH)
                .then(|| format!("a shared secret has at least {MIN_SECRET_LENGTH} bytes")),
        };
        // A token of no permitted algorithm would be refused, so an empty list refuses all.
        let no_algorithm = "it may sign with no algorithm; name one in `.algorithms(…)`";
        let problems = [
            self.problem.clone(),
            self.issuer.is_empty().then(|| "it has no name".to_owned()),
            of_origin,
            self.algorithms.is_empty().then(|| no_algorithm.to_owned()),
            self.audience_problem(),
        ];
        problems.into_iter().flatten().map(named).collect()
    }

    fn key_set_problem(&self, keys: &str) -> Option<String> {
        let keys = match KeySet::parse(keys.as_bytes()) {
            Ok(keys) => keys,
            Err(problem) => return Some(problem),
        };
        // The keys are compared with the permitted algorithms, since neither is of use without the other.
        let signatures: Vec<_> = self.algorithms.iter().map(|it| it.to_jwt()).collect();
        // An empty list of algorithms is reported as its own problem.
        let problem = keys.require_one_for(&signatures).err();
        problem.filter(|_| !signatures.is_empty())
    }

    fn audience_problem(&self) -> Option<String> {
        if self.audience.trim().is_empty() {
            return Some("it has no audience; name it with `.audience(…)`".to_owned());
        }
        // If all tokens have the audience, it does not keep out those for other services.
        let (meaningless, why) = self.meaningless_audience?;
        (self.audience == meaningless)
            .then(|| format!("the audience `{meaningless}` is no protection: {why}"))
    }
}

/// Hides keys and secrets.
impl fmt::Debug for TrustedIssuer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TrustedIssuer")
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .field("algorithms", &self.algorithms)
            .field("token_profile", &self.profile)
            .finish_non_exhaustive()
    }
}

/// Origin of the keys of an issuer.
#[derive(Clone)]
pub(crate) enum KeyOrigin {
    /// A key set at this URL, or at the discovered one.
    Published { jwks_uri: Option<String> },
    /// A given key set, as JSON.
    Given(String),
    /// A secret shared with the issuer.
    Secret(Vec<u8>),
}

impl TrustedIssuer {
    /// Creates the source of its keys. Only a fetched one loads the root certificates of the system.
    pub(crate) fn key_source(
        &self,
        client: ClientSettings,
        cache: &Arc<TokenCache>,
        clock: &Arc<dyn Clock>,
    ) -> Result<KeySource, String> {
        // All sources clear the one cache of tokens when their keys change.
        let source = |jwks_fetch| {
            let (cache, clock) = (Arc::clone(cache), Arc::clone(clock));
            KeySource::new(self.issuer.clone(), jwks_fetch, cache, clock)
        };
        // Given keys are installed at once and never expire, so the source never fetches.
        let given = |keys, document: &[u8]| {
            let source = source(None);
            source.set(keys, document);
            source
        };
        Ok(match &self.origin {
            KeyOrigin::Published { jwks_uri } => source(Some(JwksFetch {
                client: Client::new(client)?,
                issuer: self.issuer.clone(),
                jwks_uri: jwks_uri.clone(),
            })),
            // Parsed again, because the settings keep the text, of which `problems` has checked a copy.
            KeyOrigin::Given(text) => given(KeySet::parse(text.as_bytes())?, text.as_bytes()),
            KeyOrigin::Secret(secret) => given(KeySet::of_secret(secret), secret),
        })
    }
}
