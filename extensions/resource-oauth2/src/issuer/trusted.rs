//! An issuer that is trusted, as the host describes it.

use std::fmt;
use std::sync::Arc;

use resource_runtime::authorization::ClaimPath;

use crate::algorithm::Algorithm;
use crate::clock::Clock;
use crate::fetch::{Client, ClientSettings, Publication, checked};
use crate::keys::{KeySet, KeySource};
use crate::token::{Mapping, Requirement, RevokedTokens, ScopeClaim, TokenCache, TokenProfile};

/// A secret that is shorter than the digest it makes can be guessed (RFC 7518, section 3.2).
const SHORTEST_SECRET: usize = 32;

/// An issuer whose access tokens are taken, and how they are read.
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
    /// An audience that says nothing, and why.
    pub(super) meaningless_audience: Option<(&'static str, &'static str)>,
    pub(super) problem: Option<String>,
    /// What was revoked, where the issuer is our own.
    pub(crate) revoked: Option<Arc<RevokedTokens>>,
}

impl TrustedIssuer {
    /// The issuer that tokens name in `iss`, byte for byte, which publishes its keys by discovery
    /// (RFC 8414 or OpenID Connect).
    #[must_use]
    pub fn new(issuer: impl Into<String>) -> Self {
        let jwks_uri = None;
        Self::with_origin(issuer.into(), KeyOrigin::Published { jwks_uri })
    }

    /// An issuer whose key set (RFC 7517) is at hand: nothing is fetched. To change the keys, see
    /// [`replace_keys`](crate::TokenVerifier::replace_keys).
    #[must_use]
    pub fn with_keys(issuer: impl Into<String>, key_set: impl Into<String>) -> Self {
        Self::with_origin(issuer.into(), KeyOrigin::Given(key_set.into()))
    }

    /// An issuer that signs with HS256 and a secret of at least 32 bytes.
    ///
    /// Whoever has the secret can make tokens, also this service and all that share it with it:
    /// prefer an issuer that publishes keys.
    #[must_use]
    pub fn with_shared_secret(issuer: impl Into<String>, secret: impl Into<Vec<u8>>) -> Self {
        Self::with_origin(issuer.into(), KeyOrigin::Secret(secret.into()))
    }

    fn with_origin(issuer: String, origin: KeyOrigin) -> Self {
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

    /// What its tokens call this service in `aud`. Required: a token that was issued for another
    /// service must not open this one.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = audience.into();
        self
    }

    /// The algorithms that it may sign with; by default all that its keys suit.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// What its access tokens are told by; [`TokenProfile::Strict`] by default.
    #[must_use]
    pub const fn token_profile(mut self, profile: TokenProfile) -> Self {
        self.profile = profile;
        self
    }

    /// Where its key set is, in place of what discovery would tell.
    #[must_use]
    pub fn jwks_uri(mut self, url: impl Into<String>) -> Self {
        let jwks_uri = Some(url.into());
        self.origin = KeyOrigin::Published { jwks_uri };
        self
    }

    /// A claim that permits something, beside `scope` and `scp`: a list separated by spaces, or
    /// an array. Its names become scopes with `prefix` before them, which keeps a role that is
    /// called like a scope from being one.
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

    /// A further claim that names the client that a token was issued to, beside `client_id` and `azp`, or the provider's own.
    /// A token in which none of them is found has no user: nothing would tell one from a client.
    #[must_use]
    pub fn client_claim(mut self, claim: impl Into<ClaimPath>) -> Self {
        self.mapping.client.push(claim.into());
        self
    }

    /// The scopes that its tokens may grant; by default all. Others that a token names are not
    /// granted: where several issuers are trusted, not each need be trusted with an administrator's.
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

    /// Put before each subject, with a colon: `partner:ann`. Where several issuers are trusted,
    /// each must have one of its own, for two of them may call two people by one name.
    ///
    /// It is part of what stands in the items of an owner: whoever trusts a second issuer, and so
    /// names the first one's subjects anew, renames the owners that are stored as well. An owner
    /// that is no text cannot have a namespace, which `build` says.
    #[must_use]
    pub fn subject_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.mapping.namespace = Some(namespace.into());
        self
    }

    pub(crate) fn problems(&self, http_on_loopback: bool) -> Vec<String> {
        let named = |problem| format!("issuer `{}`: {problem}", self.issuer);
        let of_origin = match &self.origin {
            KeyOrigin::Published { jwks_uri } => {
                checked(jwks_uri.as_ref().unwrap_or(&self.issuer), http_on_loopback).err()
            }
            KeyOrigin::Given(keys) => self.mistake_of_keys(keys),
            KeyOrigin::Secret(secret) => (secret.len() < SHORTEST_SECRET)
                .then(|| format!("a shared secret has at least {SHORTEST_SECRET} bytes")),
        };
        let no_algorithm = "it may sign with no algorithm; name one in `.algorithms(…)`";
        let problems = [
            self.problem.clone(),
            self.issuer.is_empty().then(|| "it has no name".to_owned()),
            of_origin,
            self.algorithms.is_empty().then(|| no_algorithm.to_owned()),
            self.mistake_of_audience(),
        ];
        problems.into_iter().flatten().map(named).collect()
    }

    fn mistake_of_keys(&self, keys: &str) -> Option<String> {
        let keys = match KeySet::parse(keys.as_bytes()) {
            Ok(keys) => keys,
            Err(problem) => return Some(problem),
        };
        let signatures: Vec<_> = self.algorithms.iter().map(|it| it.signature()).collect();
        // That there is no algorithm is a mistake of its own.
        let problem = keys.require_one_for(&signatures).err();
        problem.filter(|_| !signatures.is_empty())
    }

    fn mistake_of_audience(&self) -> Option<String> {
        if self.audience.trim().is_empty() {
            return Some("it has no audience; name it with `.audience(…)`".to_owned());
        }
        let (meaningless, why) = self.meaningless_audience?;
        (self.audience == meaningless)
            .then(|| format!("the audience `{meaningless}` is no protection: {why}"))
    }
}

/// Without keys and secrets.
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

/// Where the keys of an issuer come from.
#[derive(Clone)]
pub(crate) enum KeyOrigin {
    /// A key set at this address, or where discovery tells.
    Published { jwks_uri: Option<String> },
    /// This key set.
    Given(String),
    /// What the issuer and this service share.
    Secret(Vec<u8>),
}

impl TrustedIssuer {
    /// The source of its keys. Only one that is fetched needs the certificates of this system.
    pub(crate) fn key_source(
        &self,
        client: ClientSettings,
        cache: &Arc<TokenCache>,
        clock: &Arc<dyn Clock>,
    ) -> Result<KeySource, String> {
        let source = |publication| {
            let (cache, clock) = (Arc::clone(cache), Arc::clone(clock));
            KeySource::new(self.issuer.clone(), publication, cache, clock)
        };
        let given = |keys, document: &[u8]| {
            let source = source(None);
            source.give(keys, document);
            source
        };
        Ok(match &self.origin {
            KeyOrigin::Published { jwks_uri } => source(Some(Publication {
                client: Client::new(client)?,
                issuer: self.issuer.clone(),
                jwks_uri: jwks_uri.clone(),
            })),
            KeyOrigin::Given(text) => given(KeySet::parse(text.as_bytes())?, text.as_bytes()),
            KeyOrigin::Secret(secret) => given(KeySet::of_secret(secret), secret),
        })
    }
}
