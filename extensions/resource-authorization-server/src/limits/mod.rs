//! How often who may ask.

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

use crate::error_response::Problem;
use crate::store::ClientRow;
use address::Asking;
pub use address::CallerAddress;
pub(super) use address::caller;
use auth_throttle::AuthThrottle;
pub use settings::RateLimits;

/// What is asked about tokens that there are, for each request for one: a gateway asks about every
/// token that it is sent.
const INTROSPECTION_FACTOR: u32 = 10;

/// The requests of late.
pub(super) struct Limits {
    clients: Option<Counter<Caller>>,
    addresses: Option<Counter<IpAddr>>,
    /// Apart from the others, so that a token can be revoked when no more are to be had.
    introspections: Option<Counter<IpAddr>>,
    failures: Option<AuthThrottle>,
    warned: Once,
}

/// A client that proved who it is, or one that anybody can say to be: the latter at each address
/// alone, so that nobody uses up from elsewhere what it may ask.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Caller {
    Proven(String),
    Claimed(Asking),
}

struct Counter<Key: Hash + Eq + Clone>(DefaultKeyedRateLimiter<Key>);

impl Limits {
    pub(super) fn new(settings: RateLimits) -> Self {
        let introspections = settings
            .per_address
            .map(|it| it.saturating_mul(INTROSPECTION_FACTOR));
        Self {
            clients: settings.per_client.and_then(Counter::new),
            addresses: settings.per_address.and_then(Counter::new),
            introspections: introspections.and_then(Counter::new),
            failures: settings.failures.map(AuthThrottle::new),
            warned: Once::new(),
        }
    }

    /// Counts a request for a token or for authorization by the address that it came from.
    pub(super) fn check_address(&self, extensions: &Extensions) -> Result<(), Problem> {
        self.check(self.addresses.as_ref(), extensions)
    }

    /// The same of what is to become of a token, or asks about one.
    pub(super) fn check_introspection(&self, extensions: &Extensions) -> Result<(), Problem> {
        self.check(self.introspections.as_ref(), extensions)
    }

    /// Counts a request by the client that sent it.
    pub(super) fn check_client(
        &self,
        client: &ClientRow,
        extensions: &Extensions,
    ) -> Result<(), Problem> {
        let Some(counter) = &self.clients else {
            return Ok(());
        };
        if client.is_confidential() {
            return counter.check(&Caller::Proven(client.id.clone()));
        }
        let asking = self.asking(&client.id, extensions);
        asking.map_or(Ok(()), |asking| counter.check(&Caller::Claimed(asking)))
    }

    /// Whether who says to be this client is heard. Where no address is known everybody is: else
    /// anybody could keep the client out.
    pub(super) fn check_failures(
        &self,
        client: &str,
        extensions: &Extensions,
    ) -> Result<(), Problem> {
        let Some(failures) = &self.failures else {
            return Ok(());
        };
        let asking = self.asking(client, extensions);
        let pause = asking.and_then(|asking| failures.pause(&asking, Instant::now()));
        pause.map_or(Ok(()), |pause| Err(Problem::TooOften(pause)))
    }

    /// Counts that somebody failed to prove to be this client.
    pub(super) fn count_failure(&self, client: &str, extensions: &Extensions) {
        if let (Some(failures), Some(asking)) = (&self.failures, self.asking(client, extensions)) {
            failures.count(&asking, Instant::now());
        }
    }

    /// Forgets who has not asked of late.
    pub(super) fn evict_expired(&self) {
        self.clients.iter().for_each(Counter::evict_expired);
        let by_address = self.addresses.iter().chain(&self.introspections);
        by_address.for_each(Counter::evict_expired);
        if let Some(failures) = &self.failures {
            failures.evict_expired(Instant::now());
        }
    }

    fn check(
        &self,
        counter: Option<&Counter<IpAddr>>,
        extensions: &Extensions,
    ) -> Result<(), Problem> {
        let Some(counter) = counter else {
            return Ok(());
        };
        let Some(address) = caller(extensions) else {
            self.warn_once();
            return Ok(());
        };
        counter.check(&address)
    }

    fn asking(&self, client: &str, extensions: &Extensions) -> Option<Asking> {
        let asking = Asking::new(client, extensions);
        if asking.is_none() {
            self.warn_once();
        }
        asking
    }

    fn warn_once(&self) {
        self.warned.call_once(|| {
            tracing::warn!(
                "no address of those who ask is known, so none is limited; serve with \
                 `ConnectInfo<SocketAddr>`, or tell it with `CallerAddress`"
            );
        });
    }
}

impl<Key: Hash + Eq + Clone> Counter<Key> {
    /// `None` where the number is zero, which would let nobody in.
    fn new(per_minute: u32) -> Option<Self> {
        let quota = NonZeroU32::new(per_minute).map(Quota::per_minute)?;
        Some(Self(RateLimiter::keyed(quota)))
    }

    fn check(&self, key: &Key) -> Result<(), Problem> {
        let counted = self.0.check_key(key);
        counted.map_err(|until| Problem::TooOften(until.wait_time_from(self.0.clock().now())))
    }

    fn evict_expired(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests;
