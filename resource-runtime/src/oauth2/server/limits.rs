use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

use axum::extract::ConnectInfo;
use axum::http::Extensions;
use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::answer::Problem;

/// How often the endpoints for tokens and authorization may be asked, each counted alone.
///
/// An address is counted where the server tells it to its handlers, as [`serve`](crate::serve)
/// does, in `axum::extract::ConnectInfo<SocketAddr>`. Behind a proxy it is the proxy's.
///
/// ```
/// use resource_runtime::oauth2::server::RateLimits;
///
/// let limits = RateLimits::new().per_minute_and_client(60);
/// # drop(limits);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    pub(super) per_client: u32,
    pub(super) per_address: u32,
}

impl RateLimits {
    /// 1,200 requests a minute for a client, 600 for an address; all of them may come at once.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            per_client: 1200,
            per_address: 600,
        }
    }

    /// So many requests a minute for each client.
    #[must_use]
    pub const fn per_minute_and_client(mut self, requests: u32) -> Self {
        self.per_client = requests;
        self
    }

    /// So many requests a minute for each address; the addresses of one IPv6 network (/64) count
    /// as one.
    #[must_use]
    pub const fn per_minute_and_address(mut self, requests: u32) -> Self {
        self.per_address = requests;
        self
    }
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::new()
    }
}

/// The requests of late.
pub(super) struct Limits {
    clients: Keyed<String>,
    addresses: Keyed<IpAddr>,
    clock: DefaultClock,
}

type Keyed<Key> = RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock>;

impl Limits {
    /// `None` where a number is zero, which would let nobody in.
    pub(super) fn new(settings: RateLimits) -> Option<Self> {
        Some(Self {
            clients: RateLimiter::keyed(quota(settings.per_client)?),
            addresses: RateLimiter::keyed(quota(settings.per_address)?),
            clock: DefaultClock::default(),
        })
    }

    /// Counts a request by the address that it came from.
    pub(super) fn check_address(&self, extensions: &Extensions) -> Result<(), Problem> {
        let Some(ConnectInfo(peer)) = extensions.get::<ConnectInfo<SocketAddr>>() else {
            return Ok(());
        };
        let counted = self.addresses.check_key(&network(peer.ip()));
        counted.map_err(|until| Problem::TooOften(until.wait_time_from(self.clock.now())))
    }

    /// Counts a request by the client that it names.
    pub(super) fn check_client(&self, id: &str) -> Result<(), Problem> {
        let counted = self.clients.check_key(&id.to_owned());
        counted.map_err(|until| Problem::TooOften(until.wait_time_from(self.clock.now())))
    }

    /// Forgets who has not asked of late.
    pub(super) fn forget_old(&self) {
        self.clients.retain_recent();
        self.addresses.retain_recent();
    }
}

fn quota(per_minute: u32) -> Option<Quota> {
    NonZeroU32::new(per_minute).map(Quota::per_minute)
}

/// What one subscriber has of IPv6 is a network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::extract::ConnectInfo;
    use axum::http::Extensions;

    use super::{Limits, RateLimits};

    fn from(address: &str) -> Extensions {
        let mut extensions = Extensions::new();
        let peer: SocketAddr = address.parse().unwrap();
        extensions.insert(ConnectInfo(peer));
        extensions
    }

    #[test]
    fn each_address_and_each_client_is_counted_alone() {
        let settings = RateLimits::new().per_minute_and_client(1);
        let limits = Limits::new(settings.per_minute_and_address(1)).unwrap();
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
        assert!(Limits::new(RateLimits::new().per_minute_and_client(0)).is_none());
    }
}
