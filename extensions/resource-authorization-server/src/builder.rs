use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use resource_oauth2::Clock;
use resource_oauth2::issuing::SystemClock;
use resource_runtime::Database;

use super::lifetimes::Lifetimes;
use super::limits::RateLimits;
use super::owner::{Host, ResourceOwner};

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
