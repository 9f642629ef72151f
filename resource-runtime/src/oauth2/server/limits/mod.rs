//! How often who may ask.

mod address;
mod failures;
mod settings;

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Once;
use std::time::Instant;

use axum::http::Extensions;
use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::answer::Problem;
pub(super) use address::Asking;
pub use address::CallerAddress;
use failures::Failures;
pub use settings::RateLimits;

/// The requests of late.
pub(super) struct Limits {
    clients: Option<Counter<String>>,
    addresses: Option<Counter<IpAddr>>,
    failures: Option<Failures>,
    warned: Once,
}

struct Counter<Key: Hash + Eq + Clone> {
    limiter: RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock>,
    clock: DefaultClock,
}

impl Limits {
    pub(super) fn new(settings: RateLimits) -> Self {
        Self {
            clients: settings.per_client.and_then(Counter::new),
            addresses: settings.per_address.and_then(Counter::new),
            failures: settings.failures.map(Failures::new),
            warned: Once::new(),
        }
    }

    /// Counts a request by the address that it came from.
    pub(super) fn check_address(&self, extensions: &Extensions) -> Result<(), Problem> {
        let Some(counter) = &self.addresses else {
            return Ok(());
        };
        let Some(address) = address::address(extensions) else {
            self.warn_once();
            return Ok(());
        };
        counter.check(&address)
    }

    /// Counts a request by the client that sent it, as is proven.
    pub(super) fn check_client(&self, id: &str) -> Result<(), Problem> {
        let counter = self.clients.as_ref();
        counter.map_or(Ok(()), |counter| counter.check(&id.to_owned()))
    }

    /// Whether who says to be a client is heard. Where no address is known everybody is: else
    /// anybody could keep the client out.
    pub(super) fn check_failures(&self, asking: &Asking) -> Result<(), Problem> {
        let failures = self.failures.as_ref();
        let pause = failures.and_then(|it| it.pause(asking, Instant::now()));
        pause.map_or(Ok(()), |pause| Err(Problem::TooOften(pause)))
    }

    /// Counts that somebody failed to prove to be a client.
    pub(super) fn count_failure(&self, asking: Asking) {
        if let Some(failures) = &self.failures {
            if asking.address.is_some() {
                failures.count(asking, Instant::now());
            } else {
                self.warn_once();
            }
        }
    }

    /// Forgets who has not asked of late.
    pub(super) fn forget_old(&self) {
        self.clients.iter().for_each(Counter::forget_old);
        self.addresses.iter().for_each(Counter::forget_old);
        if let Some(failures) = &self.failures {
            failures.forget_old(Instant::now());
        }
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
        Some(Self {
            limiter: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
        })
    }

    fn check(&self, key: &Key) -> Result<(), Problem> {
        let counted = self.limiter.check_key(key);
        counted.map_err(|until| Problem::TooOften(until.wait_time_from(self.clock.now())))
    }

    fn forget_old(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::extract::ConnectInfo;
    use axum::http::Extensions;

    use super::{CallerAddress, Limits, RateLimits};

    fn from(address: &str) -> Extensions {
        let mut extensions = Extensions::new();
        let peer: SocketAddr = address.parse().unwrap();
        extensions.insert(ConnectInfo(peer));
        extensions
    }

    #[test]
    fn each_address_and_each_client_is_counted_alone() {
        let settings = RateLimits::new().per_minute_and_client(1);
        let limits = Limits::new(settings.per_minute_and_address(1));
        assert!(limits.check_client("a").is_ok());
        assert!(limits.check_client("a").is_err());
        assert!(limits.check_client("b").is_ok());
        assert!(limits.check_address(&from("10.0.0.1:1")).is_ok());
        assert!(limits.check_address(&from("10.0.0.1:2")).is_err());
        assert!(limits.check_address(&from("[::ffff:10.0.0.1]:3")).is_err());
        assert!(limits.check_address(&from("10.0.0.2:1")).is_ok());
        assert!(limits.check_address(&from("[2001:db8::1]:1")).is_ok());
        assert!(limits.check_address(&from("[2001:db8::2]:1")).is_err());
        assert!(limits.check_address(&from("[2001:db8:0:1::1]:1")).is_ok());
        assert!(limits.check_address(&Extensions::new()).is_ok());
    }

    #[test]
    fn the_address_that_the_host_tells_counts_before_the_proxys() {
        let limits = Limits::new(RateLimits::unlimited().per_minute_and_address(1));
        let told = |address: &str| {
            let mut extensions = from("10.0.0.1:1");
            extensions.insert(CallerAddress(address.parse().unwrap()));
            extensions
        };
        assert!(limits.check_address(&told("192.0.2.1")).is_ok());
        assert!(limits.check_address(&told("192.0.2.2")).is_ok());
        assert!(limits.check_address(&told("192.0.2.1")).is_err());
    }

    #[test]
    fn without_limits_nobody_waits() {
        let limits = Limits::new(RateLimits::unlimited());
        for _ in 0..5000 {
            assert!(limits.check_client("a").is_ok());
            assert!(limits.check_address(&from("10.0.0.1:1")).is_ok());
        }
    }
}
