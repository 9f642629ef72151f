//! The settings of an authorization server, and the server that is made of them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::http::Uri;
use resource_oauth2::issuing::{
    RevokedTokens, SealingKey, SystemClock, check_url, origin_and_path, seconds,
};
use resource_oauth2::{Clock, TokenVerifier};
use resource_runtime::authorization::Scopes;
use resource_runtime::seam::{Rows, truncate_for_display};
use resource_runtime::{Database, Error};

use crate::authorization_server::{AuthorizationServer, ServerState, trusted};
use crate::key_distribution::KeyDistribution;
use crate::keys::{self, FirstKey, Protection};
use crate::limits::{Limits, RateLimits};
use crate::resource_owner::{Host, ResourceOwner};
use crate::{background_tasks, store};

/// Settings of an [`AuthorizationServer`](super::AuthorizationServer); start from
/// [`AuthorizationServer::builder`](super::AuthorizationServer::builder).
#[must_use = "a server is there only once it is built"]
pub struct AuthorizationServerBuilder {
    pub(super) database: Database,
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) resource_name: Option<String>,
    pub(super) documentation: Option<String>,
    pub(super) scopes: Vec<String>,
    pub(super) lifetimes: Lifetimes,
    pub(super) rate_limits: RateLimits,
    pub(super) key_protection: Option<KeyProtection>,
    pub(super) host: Option<Box<dyn Host>>,
    pub(super) creates_tables: bool,
    pub(super) clock: Arc<dyn Clock>,
}

pub(super) enum KeyProtection {
    Sealed([u8; 32]),
    None,
}

impl AuthorizationServerBuilder {
    pub(super) fn new(database: Database) -> Self {
        Self {
            database,
            issuer: String::new(),
            resource: String::new(),
            resource_name: None,
            documentation: None,
            scopes: Vec::new(),
            lifetimes: Lifetimes::DEFAULT,
            rate_limits: RateLimits::new(),
            key_protection: None,
            host: None,
            creates_tables: false,
            clock: Arc::new(SystemClock),
        }
    }

    /// What tokens name in `iss`: where clients find this service, `https://api.example.com`,
    /// byte for byte. Required. `http` is taken on this machine alone.
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = issuer.into();
        self
    }

    /// What tokens name in `aud`: the URL of the API, `https://api.example.com/api`. Required.
    pub fn resource(mut self, resource: impl Into<String>) -> Self {
        self.resource = resource.into();
        self
    }

    /// What the API is called in its metadata.
    pub fn resource_name(mut self, name: impl Into<String>) -> Self {
        self.resource_name = Some(name.into());
        self
    }

    /// A page for developers of clients, which the metadata names.
    pub fn documentation(mut self, url: impl Into<String>) -> Self {
        self.documentation = Some(url.into());
        self
    }

    /// Every scope that there is.
    pub fn scopes<Scope: Into<String>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Who knows the users. Required.
    pub fn resource_owner(mut self, owner: impl ResourceOwner) -> Self {
        self.host = Some(Box::new(owner));
        self
    }

    /// Seals the keys that sign tokens with this one, which is kept out of the database: whoever
    /// reads the database alone, or a copy of it, cannot sign. It protects nothing else: whoever
    /// writes to the database is issued tokens for the codes, grants and clients that they insert.
    /// Draw it once from a generator and give it to every instance.
    pub const fn sealing_key(mut self, key: [u8; 32]) -> Self {
        self.key_protection = Some(KeyProtection::Sealed(key));
        self
    }

    /// Keeps the keys that sign tokens as they are in the database: whoever can read it, or a
    /// copy of it, can make tokens for every user. For development.
    pub const fn unsealed_keys(mut self) -> Self {
        self.key_protection = Some(KeyProtection::None);
        self
    }

    /// How long an authorization code is good; a minute by default.
    pub const fn code_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetimes.code = lifetime;
        self
    }

    /// How long an access token is good; 10 minutes by default.
    pub const fn access_token_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetimes.access_token = lifetime;
        self
    }

    /// How long a refresh token is good that is not used, 14 days by default, and how long they
    /// are all together, 90 days by default.
    pub const fn refresh_token_lifetime(mut self, idle: Duration, absolute: Duration) -> Self {
        self.lifetimes.refresh_idle = idle;
        self.lifetimes.refresh_absolute = absolute;
        self
    }

    /// How long after a refresh token was used it may be used again, because the answer was lost
    /// or two windows asked at once, and how often; 10 seconds and 3 times by default. Otherwise
    /// one that is used twice was stolen, and all that stems from it is revoked.
    pub const fn retry_window(mut self, window: Duration, times: usize) -> Self {
        self.lifetimes.retry_window = window;
        self.lifetimes.most_siblings = times;
        self
    }

    /// How often clients and addresses may ask.
    pub const fn rate_limits(mut self, limits: RateLimits) -> Self {
        self.rate_limits = limits;
        self
    }

    /// Has [`build`](Self::build) make the tables that the database lacks, as
    /// [`Api::create_missing_tables`](resource_runtime::Api::create_missing_tables) does. Without it they
    /// must be there, by [`schema_sql`](super::AuthorizationServer::schema_sql) for instance.
    pub const fn create_missing_tables(mut self) -> Self {
        self.creates_tables = true;
        self
    }

    /// Where the time is taken from; by default the system's clock.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The server, with a key to sign with and a task that keeps it current.
    ///
    /// # Errors
    ///
    /// Every mistake of the settings at once; tables that are not what is needed; keys that were
    /// sealed otherwise.
    pub async fn build(self) -> Result<AuthorizationServer, Error> {
        let found = problems(&self);
        if !found.is_empty() {
            return Err(Error::of_problems(found));
        }
        let rows = Rows::new(self.database.clone());
        let tables = store::tables().build(self.database.clone())?;
        if self.creates_tables {
            tables.create_missing_tables().await?;
        }
        tables.check_schema().await?;
        let state = Arc::new(self.into_shared(rows).await?);
        state.keep_current(&state.verifier)?;
        state.refresh().await.map_err(Error::internal)?;
        background_tasks::start(&state);
        Ok(AuthorizationServer { state })
    }

    async fn into_shared(self, store: Rows) -> Result<ServerState, Error> {
        let protection = match self.key_protection {
            Some(KeyProtection::Sealed(key)) => {
                Protection::Sealed(SealingKey::new(&key).map_err(Error::internal)?)
            }
            _ => Protection::None,
        };
        let now = seconds(&*self.clock);
        let first = FirstKey {
            protection: &protection,
            now,
        };
        store.perform(&first).await?.map_err(Error::internal)?;
        let ring = keys::load(&store, &protection).await;
        let ring = ring.map_err(Error::internal)?;
        ring.signer(now).map_err(Error::internal)?;
        let revoked = Arc::new(RevokedTokens::default());
        let key_set = ring.key_set(now).to_string();
        let trusted = trusted(&self.issuer, &self.resource, key_set, &revoked);
        let mut verifier = TokenVerifier::builder().issuer(trusted);
        verifier = verifier.clock(Arc::clone(&self.clock));
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
            lifetimes: self.lifetimes,
            store,
            requests: AtomicU64::new(0),
            protection,
            revoked,
            clock: self.clock,
            distribution: KeyDistribution::default(),
        })
    }
}

/// Without the sealing key.
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

/// Verifiers may let a token live so many seconds beyond its end.
pub(super) const GREATEST_LEEWAY: i64 = 2 * 60;

const LONGEST_ACCESS_TOKEN: Duration = Duration::from_hours(24);

/// Clocks of other instances, and of others who verify tokens, may be behind by so many seconds.
const SLACK: i64 = 60 * 60;

/// So many seconds after it was issued an access token is good nowhere, however long this server
/// or another before it let them live.
pub(super) const OUTLASTING: i64 =
    LONGEST_ACCESS_TOKEN.as_secs().cast_signed() + GREATEST_LEEWAY + SLACK;

/// How long what is issued is good.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    pub(super) code: Duration,
    pub(super) access_token: Duration,
    pub(super) refresh_idle: Duration,
    pub(super) refresh_absolute: Duration,
    pub(super) retry_window: Duration,
    pub(super) most_siblings: usize,
}

impl Lifetimes {
    pub(super) const DEFAULT: Self = Self {
        code: Duration::from_mins(1),
        access_token: Duration::from_mins(10),
        refresh_idle: Duration::from_hours(14 * 24),
        refresh_absolute: Duration::from_hours(90 * 24),
        retry_window: Duration::from_secs(10),
        most_siblings: 3,
    };

    pub(super) fn problems(&self) -> Vec<String> {
        let days = |days: u64| Duration::from_hours(24 * days);
        let bounds = [
            ("an authorization code", self.code, Duration::from_mins(10)),
            ("an access token", self.access_token, LONGEST_ACCESS_TOKEN),
            ("an idle refresh token", self.refresh_idle, days(366)),
            ("a refresh token", self.refresh_absolute, days(3660)),
        ];
        let problem = |(what, lifetime, longest)| {
            let text = format!("{what} must live for 1 second to {longest:?}, not {lifetime:?}");
            let is_fit = (Duration::from_secs(1)..=longest).contains(&lifetime);
            (!is_fit).then_some(text)
        };
        let of_bounds = bounds.into_iter().filter_map(problem);
        let of_window = (self.retry_window > Duration::from_hours(1))
            .then(|| "the retry window must be an hour at most".to_owned());
        of_bounds.chain(of_window).collect()
    }
}

/// Every mistake of the settings.
fn problems(builder: &AuthorizationServerBuilder) -> Vec<String> {
    let limits = builder.rate_limits;
    let rates = [limits.per_client, limits.per_address, limits.failures];
    let own = [
        of_address("issuer", &builder.issuer),
        of_address("resource", &builder.resource),
        builder.key_protection.is_none().then(|| {
            "it is not said how its keys are kept; seal them with `.sealing_key(…)`, or, for \
             development, keep them with `.unsealed_keys()`"
                .to_owned()
        }),
        builder
            .host
            .is_none()
            .then(|| "nobody knows its users; name who does with `.resource_owner(…)`".to_owned()),
        rates.contains(&Some(0)).then(|| {
            "a rate of zero lets nobody in; allow at least 1, or start from \
             `RateLimits::unlimited()`"
                .to_owned()
        }),
    ];
    let of_scopes = builder.scopes.iter().filter_map(|scope| of_scope(scope));
    own.into_iter()
        .flatten()
        .chain(of_scopes)
        .chain(builder.lifetimes.problems())
        .map(|problem| format!("authorization server: {problem}"))
        .collect()
}

fn of_address(what: &str, address: &str) -> Option<String> {
    if address.is_empty() {
        return Some(format!("it has no {what}; name it with `.{what}(…)`"));
    }
    if let Err(problem) = check_url(address, true) {
        return Some(format!("the {what} {problem}"));
    }
    let has_query = address.parse::<Uri>().is_ok_and(|it| it.query().is_some());
    let (_, path) = origin_and_path(address);
    // The path becomes one of our own routes.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    (has_query || !path.bytes().all(plain)).then(|| {
        let shown = truncate_for_display(address);
        format!("the {what} `{shown}` must have neither a query nor an escaped path")
    })
}

fn of_scope(scope: &str) -> Option<String> {
    let shown = truncate_for_display(scope);
    if scope == "openid" {
        return Some("the scope `openid` promises ID tokens, which it does not issue".to_owned());
    }
    let alone: Scopes = [scope].into_iter().collect();
    alone.is_empty().then(|| {
        format!("the scope `{shown}` must be of visible ASCII characters without `\"` and `\\`")
    })
}
