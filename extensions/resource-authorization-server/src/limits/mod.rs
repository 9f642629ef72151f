//! Rate limits of the endpoints, by client and by address.

mod address;
mod auth_throttle;
mod settings;

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Once;
use std::time::Instant;

use axum::http::Extensions;
use governor::clock::Clock as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error_response::EndpointError;
use crate::store::ClientRow;
pub use address::CallerAddress;
use address::ClientAtAddress;
pub(super) use address::caller_address;
use auth_throttle::AuthThrottle;
pub use settings::RateLimits;

/// Introspections and revocations per token request: a gateway introspects every token that it
/// receives.
const EXISTING_TOKEN_FACTOR: u32 = 10;

/// Result of a check: an error for a request beyond its limit.
type LimitResult = Result<(), EndpointError>;

/// The rate limiters of a server; `None` is unlimited.
pub(super) struct Limits {
    clients: Option<Limiter<RequestKey>>,
    addresses: Option<Limiter<IpAddr>>,
    /// Counted apart, so that a token can be revoked when the limit for new tokens is reached.
    existing_tokens: Option<Limiter<IpAddr>>,
    failures: Option<AuthThrottle>,
    warned: Once,
}

/// Key of the limit per client. A public client is not authenticated, so it is counted at each
/// address alone: otherwise anybody could use up its limit from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum RequestKey {
    Authenticated(String),
    Public(ClientAtAddress),
}

/// A rate limiter per minute.
struct Limiter<Key: Hash + Eq + Clone>(DefaultKeyedRateLimiter<Key>);

impl Limits {
    pub(super) fn new(settings: RateLimits) -> Self {
        let existing_tokens = settings
            .per_address
            .map(|it| it.saturating_mul(EXISTING_TOKEN_FACTOR));
        Self {
            clients: settings.per_client.and_then(Limiter::new),
            addresses: settings.per_address.and_then(Limiter::new),
            existing_tokens: existing_tokens.and_then(Limiter::new),
            failures: settings.failures.map(AuthThrottle::new),
            warned: Once::new(),
        }
    }

    /// Counts a request for a token or for authorization by the address that it came from.
    pub(super) fn check_address(&self, extensions: &Extensions) -> LimitResult {
        self.check(self.addresses.as_ref(), extensions)
    }

    /// Counts an introspection or a revocation by the address that it came from.
    pub(super) fn count_request_on_token(&self, extensions: &Extensions) -> LimitResult {
        self.check(self.existing_tokens.as_ref(), extensions)
    }

    /// Counts a request by the client that sent it.
    pub(super) fn check_client(&self, client: &ClientRow, extensions: &Extensions) -> LimitResult {
        let Some(limiter) = &self.clients else {
            return Ok(());
        };
        // A secret proves the client, so one limit holds for all of its addresses.
        if client.is_confidential() {
            return limiter.check(&RequestKey::Authenticated(client.id.clone()));
        }
        let client = self.client_at_address(&client.id, extensions);
        // Where no address is known, nothing is counted: one count for all callers could be used up
        // by any of them.
        client.map_or(Ok(()), |client| limiter.check(&RequestKey::Public(client)))
    }

    /// Refuses a client that failed too often at this address. Where no address is known nothing is
    /// refused: otherwise anybody could lock the client out.
    pub(super) fn check_failures(&self, client: &str, extensions: &Extensions) -> LimitResult {
        let Some(throttle) = &self.failures else {
            return Ok(());
        };
        let client = self.client_at_address(client, extensions);
        let wait = client.and_then(|client| throttle.wait_time(&client, Instant::now()));
        wait.map_or(Ok(()), |wait| Err(EndpointError::TooManyRequests(wait)))
    }

    /// Counts a failed authentication.
    pub(super) fn count_failure(&self, client: &str, extensions: &Extensions) {
        if let Some(throttle) = &self.failures
            && let Some(client) = self.client_at_address(client, extensions)
        {
            throttle.count_failure(&client, Instant::now());
        }
    }

    /// Evicts expired entries.
    pub(super) fn evict_expired(&self) {
        self.clients.iter().for_each(Limiter::evict_expired);
        let by_address = self.addresses.iter().chain(&self.existing_tokens);
        by_address.for_each(Limiter::evict_expired);
        if let Some(throttle) = &self.failures {
            throttle.evict_expired(Instant::now());
        }
    }

    fn check(&self, limiter: Option<&Limiter<IpAddr>>, extensions: &Extensions) -> LimitResult {
        let Some(limiter) = limiter else {
            return Ok(());
        };
        let address = self.address(extensions);
        address.map_or(Ok(()), |address| limiter.check(&address))
    }

    fn client_at_address(&self, id: &str, extensions: &Extensions) -> Option<ClientAtAddress> {
        let address = self.address(extensions)?;
        Some(ClientAtAddress::new(id, address))
    }

    /// The address of the caller. Without one the request is not limited, which is warned of once.
    fn address(&self, extensions: &Extensions) -> Option<IpAddr> {
        let address = caller_address(extensions);
        if address.is_none() {
            self.warned.call_once(|| {
                tracing::warn!(
                    "a request has no address of its caller, so it is not limited by address; serve with \
                     `ConnectInfo<SocketAddr>`, or set `CallerAddress`"
                );
            });
        }
        address
    }
}

impl<Key: Hash + Eq + Clone> Limiter<Key> {
    /// `None` for zero, which no quota expresses; the builder refuses it.
    fn new(per_minute: u32) -> Option<Self> {
        let quota = NonZeroU32::new(per_minute).map(Quota::per_minute)?;
        Some(Self(RateLimiter::keyed(quota)))
    }

    fn check(&self, key: &Key) -> LimitResult {
        let checked = self.0.check_key(key);
        checked.map_err(|until| {
            EndpointError::TooManyRequests(until.wait_time_from(self.0.clock().now()))
        })
    }

    fn evict_expired(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests;
