//! Settings of an authorization server: their validation, and the server built from them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::http::Uri;
use resource_oauth2::issuing::{
    self, RevokedTokens, SealingKey, SystemClock, check_url, origin_and_path, seconds,
};
use resource_oauth2::{Clock, TokenVerifier};
use resource_runtime::authorization::Scopes;
use resource_runtime::shared::truncate_for_display;
use resource_runtime::{Api, Database, Error};

use crate::authorization_server::{AuthorizationServer, ServerState, trusted};
use crate::client::{GrantType, NewClient};
use crate::distribution::{Distribution, log_problems};
use crate::keys::{self, AddFirstKey, Protection};
use crate::limits::{Limits, RateLimits};
use crate::resource_owner::{Host, ResourceOwner};
use crate::{background_tasks, store};

/// The id of the client as which the reference of the API logs people in.
pub(super) const DOCS_CLIENT: &str = "api-reference";

/// Settings of an [`AuthorizationServer`](super::AuthorizationServer); start from
/// [`AuthorizationServer::builder`](super::AuthorizationServer::builder).
#[must_use = "a server is made by `build`"]
pub struct AuthorizationServerBuilder {
    database: Database,
    issuer: String,
    resource: String,
    resource_name: Option<String>,
    documentation: Option<String>,
    docs: Option<String>,
    scopes: Vec<String>,
    lifetimes: Lifetimes,
    rate_limits: RateLimits,
    key_protection: Option<KeyProtectionSetting>,
    host: Option<Box<dyn Host>>,
    creates_tables: bool,
    clock: Arc<dyn Clock>,
}

/// Setting for the private keys in the database.
enum KeyProtectionSetting {
    Sealed([u8; 32]),
    None,
}

impl AuthorizationServerBuilder {
    pub(super) fn new(database: Database) -> Self {
        Self {
            database,
            // `build` reports required settings that are left empty.
            issuer: String::new(),
            resource: String::new(),
            resource_name: None,
            documentation: None,
            docs: None,
            scopes: Vec::new(),
            lifetimes: Lifetimes::DEFAULT,
            rate_limits: RateLimits::new(),
            key_protection: None,
            host: None,
            creates_tables: false,
            clock: Arc::new(SystemClock),
        }
    }

    /// Sets `iss` of the tokens: the URL of this service as clients know it,
    /// `https://api.example.com`, byte for byte. Required. `http` is accepted for loopback hosts
    /// alone.
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = issuer.into();
        self
    }

    /// Sets `aud` of the tokens: the URL of the API, `https://api.example.com/api`. Required.
    pub fn resource(mut self, resource: impl Into<String>) -> Self {
        self.resource = resource.into();
        self
    }

    /// Sets the name of the API in its metadata.
    pub fn resource_name(mut self, name: impl Into<String>) -> Self {
        self.resource_name = Some(name.into());
        self
    }

    /// Sets the URL of a page for developers of clients, for the metadata.
    pub fn documentation(mut self, url: impl Into<String>) -> Self {
        self.documentation = Some(url.into());
        self
    }

    /// Lets people log in at the reference of the API, whose documentation is at this URL:
    /// `https://api.example.com/docs`. [`build`](Self::build) registers a public client for it,
    /// `api-reference`, which may ask for all scopes, and
    /// [`authorization`](super::AuthorizationServer::authorization) names it to the API. Its redirect
    /// URI is `oauth2-redirect` below the URL, it needs PKCE like every client, and users consent to
    /// it. Commands that run beside the service and do not know its address leave this out, since they would
    /// change the URI. The client stays when the setting goes; disable it then.
    pub fn docs_client_at(mut self, url: impl Into<String>) -> Self {
        self.docs = Some(url.into());
        self
    }

    /// Sets all scopes of the server.
    pub fn scopes<Scope: Into<String>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the interface to the host, which knows the users. Required.
    pub fn resource_owner(mut self, owner: impl ResourceOwner) -> Self {
        self.host = Some(Box::new(owner));
        self
    }

    /// Sets the key that seals private signing keys. Keep it outside of the database: then nobody
    /// who reads the database alone, or a copy of it, can sign. It protects nothing else: whoever
    /// writes to the database gets tokens for the codes, grants and clients that they insert.
    /// Generate it once and give it to every instance.
    pub const fn sealing_key(mut self, key: [u8; 32]) -> Self {
        self.key_protection = Some(KeyProtectionSetting::Sealed(key));
        self
    }

    /// Stores private signing keys unsealed: whoever can read the database, or a copy of it, can
    /// make tokens for every user. For development.
    pub const fn unsealed_keys(mut self) -> Self {
        self.key_protection = Some(KeyProtectionSetting::None);
        self
    }

    /// Sets the lifetime of an authorization code; a minute by default.
    pub const fn code_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetimes.code = lifetime;
        self
    }

    /// Sets the lifetime of an access token; 10 minutes by default.
    pub const fn access_token_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetimes.access_token = lifetime;
        self
    }

    /// Sets the lifetime of an unused refresh token, 14 days by default, and the lifetime of the
    /// grant, with all its refresh tokens, 90 days by default.
    pub const fn refresh_token_lifetime(mut self, idle: Duration, absolute: Duration) -> Self {
        self.lifetimes.refresh_idle = idle;
        self.lifetimes.refresh_absolute = absolute;
        self
    }

    /// Sets the time after the first use of a refresh token in which it may be used again, because
    /// the response was lost or two browser tabs refreshed at once, and how many times; 10 seconds
    /// and 3 times by default. A use after that time, or after a successor was used, counts as theft
    /// and revokes the grant; more uses within it are refused.
    pub const fn retry_window(mut self, window: Duration, times: usize) -> Self {
        self.lifetimes.retry_window = window;
        self.lifetimes.max_siblings = times;
        self
    }

    /// Sets the rate limits of clients and addresses.
    pub const fn rate_limits(mut self, limits: RateLimits) -> Self {
        self.rate_limits = limits;
        self
    }

    /// Lets [`build`](Self::build) create missing tables, as
    /// [`Api::create_missing_tables`](resource_runtime::Api::create_missing_tables) does. Otherwise
    /// they must exist, created by [`schema_sql`](super::AuthorizationServer::schema_sql) for
    /// instance.
    pub const fn create_missing_tables(mut self) -> Self {
        self.creates_tables = true;
        self
    }

    /// Sets the clock; by default that of the system.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Builds the server, ensures that it has a signing key, and starts its background tasks.
    ///
    /// # Errors
    ///
    /// Fails with all problems of the settings at once, if the tables are not what is needed, or if
    /// stored keys do not fit the sealing key.
    pub async fn build(self) -> Result<AuthorizationServer, Error> {
        // The settings are checked before the database is touched.
        let problems = problems(&self);
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        let docs_client = self.docs_client();
        let tables = store::tables().build(self.database.clone())?;
        // Missing tables are created before the check, which would report them.
        if self.creates_tables {
            tables.create_missing_tables().await?;
        }
        tables.check_schema().await?;
        let state = Arc::new(self.into_state(tables).await?);
        // The verifier of introspection follows key changes like those of the host.
        state.keep_current(&state.verifier)?;
        // The list of revocations is still empty: without this, a token revoked before a restart
        // would be accepted until the first reload.
        state.refresh().await.map_err(Error::internal)?;
        let server = AuthorizationServer { state };
        // The same at each start and at each instance, so that a new address of the pages holds at once.
        if let Some(client) = docs_client {
            server.put_client(client).await?;
        }
        // Started last, so that a build that fails leaves no task behind.
        background_tasks::start(&server.state);
        Ok(server)
    }

    /// The client as which the reference of the API logs people in.
    fn docs_client(&self) -> Option<NewClient> {
        let url = self.docs.as_deref()?.trim_end_matches('/');
        // A token is for trying things out: when it has expired, the person logs in again.
        let client = NewClient::public("API reference")
            .id(DOCS_CLIENT)
            .redirect_uri(format!("{url}/oauth2-redirect"))
            .grant_types([GrantType::AuthorizationCode])
            .scopes(self.scopes.iter());
        Some(client)
    }

    async fn into_state(self, api: Api) -> Result<ServerState, Error> {
        let protection = match self.key_protection {
            Some(KeyProtectionSetting::Sealed(key)) => {
                Protection::Sealed(SealingKey::new(&key).map_err(Error::internal)?)
            }
            // A missing setting was reported by `problems`; this is the explicit choice of unsealed
            // keys.
            Some(KeyProtectionSetting::None) => Protection::None,
            None => return Err(Error::configuration("a protection of the keys is missing")),
        };
        let now = seconds(&*self.clock);
        let first_key = AddFirstKey {
            protection: &protection,
            now,
        };
        // The inner error is a mismatch of stored keys and settings, which is for the operator.
        store::perform(&api, &first_key)
            .await?
            .map_err(Error::internal)?;
        let ring = keys::load(&api, &protection).await;
        let ring = ring.map_err(Error::internal)?;
        // A key that cannot be opened fails the start, not the first request for a token.
        ring.signer(now).map_err(Error::internal)?;
        log_problems(&ring, &[]);
        let revoked = Arc::new(RevokedTokens::default());
        let key_set = ring.key_set(now).to_string();
        // The verifier shares the revocation list, so that introspection reports revoked tokens as
        // inactive.
        let trusted = trusted(&self.issuer, &self.resource, key_set, &revoked);
        let mut verifier = TokenVerifier::builder().issuer(trusted);
        verifier = verifier.clock(Arc::clone(&self.clock));
        // Unreachable after `problems`, but the type has no other way to say so.
        let no_host = || Error::configuration("a resource owner is missing");
        Ok(ServerState {
            verifier: verifier.build().await?,
            limits: Limits::new(self.rate_limits),
            host: self.host.ok_or_else(no_host)?,
            keys: ArcSwap::from_pointee(ring),
            scopes: self.scopes.iter().collect::<Scopes>(),
            issuer: self.issuer,
            resource: self.resource,
            resource_name: self.resource_name,
            documentation: self.documentation,
            has_docs_client: self.docs.is_some(),
            lifetimes: self.lifetimes,
            api,
            stored_requests: AtomicU64::new(0),
            protection,
            revoked,
            clock: self.clock,
            distribution: Distribution::default(),
        })
    }
}

/// Leaves out the sealing key.
impl fmt::Debug for AuthorizationServerBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AuthorizationServerBuilder")
            .field("issuer", &self.issuer)
            .field("resource", &self.resource)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// Seconds for which a verifier may still accept a token after its expiry.
pub(super) const MAX_LEEWAY: i64 = issuing::MAX_LEEWAY.as_secs().cast_signed();

const MAX_ACCESS_LIFETIME: Duration = Duration::from_hours(24);

/// Seconds by which clocks of other instances and verifiers may be behind.
const MAX_CLOCK_SKEW: i64 = 60 * 60;

/// Age in seconds from which no verifier accepts an access token any more. The configured lifetime
/// is not used: an earlier configuration may have issued tokens with a longer one.
pub(super) const MAX_TOKEN_AGE: i64 =
    MAX_ACCESS_LIFETIME.as_secs().cast_signed() + MAX_LEEWAY + MAX_CLOCK_SKEW;

/// Lifetimes of codes and tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    pub(super) code: Duration,
    pub(super) access_token: Duration,
    pub(super) refresh_idle: Duration,
    pub(super) refresh_absolute: Duration,
    pub(super) retry_window: Duration,
    pub(super) max_siblings: usize,
}

impl Lifetimes {
    pub(super) const DEFAULT: Self = Self {
        code: Duration::from_mins(1),
        access_token: Duration::from_mins(10),
        refresh_idle: Duration::from_hours(14 * 24),
        refresh_absolute: Duration::from_hours(90 * 24),
        retry_window: Duration::from_secs(10),
        max_siblings: 3,
    };

    pub(super) fn problems(&self) -> Vec<String> {
        // RFC 6749 recommends 10 minutes for a code at most (section 4.1.2). The access token is
        // bounded because revocations and old keys are kept until no token can need them.
        let days = |days: u64| Duration::from_hours(24 * days);
        let bounds = [
            ("an authorization code", self.code, Duration::from_mins(10)),
            ("an access token", self.access_token, MAX_ACCESS_LIFETIME),
            ("an idle refresh token", self.refresh_idle, days(366)),
            ("a grant", self.refresh_absolute, days(3660)),
        ];
        let problem = |(what, lifetime, longest)| {
            let text = format!("{what} must live for 1 second to {longest:?}, not {lifetime:?}");
            let is_fit = (Duration::from_secs(1)..=longest).contains(&lifetime);
            (!is_fit).then_some(text)
        };
        // A window of zero is allowed: it makes any repeated use a reuse.
        let window = (self.retry_window > Duration::from_hours(1))
            .then(|| "the retry window must be an hour at most".to_owned());
        let lifetimes = bounds.into_iter().filter_map(problem);
        lifetimes.chain(window).collect()
    }
}

/// All problems of the settings.
fn problems(builder: &AuthorizationServerBuilder) -> Vec<String> {
    let limits = builder.rate_limits;
    // Zero is reported, because the rate limiters cannot express it and would silently be off.
    let rates = [limits.per_client, limits.per_address, limits.failures];
    let own = [
        address_problem("issuer", &builder.issuer),
        address_problem("resource", &builder.resource),
        builder.key_protection.is_none().then(|| {
            "it has no protection for its keys; seal them with `.sealing_key(…)`, or, for \
             development, store them with `.unsealed_keys()`"
                .to_owned()
        }),
        builder
            .host
            .is_none()
            .then(|| "it has no resource owner; set it with `.resource_owner(…)`".to_owned()),
        rates.contains(&Some(0)).then(|| {
            "a rate of zero refuses every request; allow at least 1, or start from \
             `RateLimits::unlimited()`"
                .to_owned()
        }),
    ];
    let of_scopes = builder.scopes.iter().filter_map(|it| scope_problem(it));
    own.into_iter()
        .flatten()
        .chain(of_scopes)
        .chain(builder.lifetimes.problems())
        .map(|problem| format!("authorization server: {problem}"))
        .collect()
}

fn address_problem(what: &str, address: &str) -> Option<String> {
    if address.is_empty() {
        return Some(format!("it has no {what}; set it with `.{what}(…)`"));
    }
    if let Err(problem) = check_url(address, true) {
        return Some(format!("the {what} {problem}"));
    }
    // A query or an escape in the path would make several spellings of one URL, which is compared
    // byte for byte.
    let has_query = address.parse::<Uri>().is_ok_and(|it| it.query().is_some());
    let (_, path) = origin_and_path(address);
    // The path becomes part of our own routes, in whose patterns braces have a meaning.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    (has_query || !path.bytes().all(plain)).then(|| {
        let shown = truncate_for_display(address);
        format!(
            "the {what} `{shown}` must have no query, and in its path only letters, digits, `/`, `-`, `.`, `_` and `~`"
        )
    })
}

fn scope_problem(scope: &str) -> Option<String> {
    let shown = truncate_for_display(scope);
    if scope == "openid" {
        return Some("the scope `openid` promises ID tokens, which are not issued".to_owned());
    }
    // Collecting drops what is no scope token (RFC 6749, section 3.3), so an invalid scope leaves
    // the set empty.
    let alone: Scopes = [scope].into_iter().collect();
    alone.is_empty().then(|| {
        format!("the scope `{shown}` must be of visible ASCII characters without `\"` and `\\`")
    })
}
