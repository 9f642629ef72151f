use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

type Keyed<Key> = RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock>;

/// So many attempts at once, then one each time that this has passed.
const OF_A_NAME: (NonZeroU32, Duration) = (NonZeroU32::new(20).unwrap(), Duration::from_secs(6));

const OF_AN_ADDRESS: (NonZeroU32, Duration) =
    (NonZeroU32::new(60).unwrap(), Duration::from_secs(2));

/// From so many names and addresses on, those are forgotten that have not tried of late.
const MANY: usize = 10_000;

/// The attempts to log in of late: nobody tries one password after the other.
pub(super) struct Limits {
    names: Keyed<String>,
    addresses: Keyed<IpAddr>,
    clock: DefaultClock,
}

impl Limits {
    pub(super) fn new() -> Self {
        Self {
            names: RateLimiter::keyed(quota(OF_A_NAME)),
            addresses: RateLimiter::keyed(quota(OF_AN_ADDRESS)),
            clock: DefaultClock::default(),
        }
    }

    /// Counts an attempt; answers after how many seconds the next one may be made, if this one
    /// must not.
    pub(super) fn check(&self, address: IpAddr, name: &str) -> Result<(), u64> {
        self.forget_old();
        let address = self.addresses.check_key(&network(address));
        let name = address.and_then(|()| self.names.check_key(&name.to_owned()));
        name.map_err(|until| until.wait_time_from(self.clock.now()).as_secs() + 1)
    }

    fn forget_old(&self) {
        if self.names.len() > MANY {
            self.names.retain_recent();
        }
        if self.addresses.len() > MANY {
            self.addresses.retain_recent();
        }
    }
}

fn quota((at_once, again): (NonZeroU32, Duration)) -> Quota {
    let quota = Quota::with_period(again);
    quota
        .unwrap_or(Quota::per_minute(at_once))
        .allow_burst(at_once)
}

/// What one subscriber has of IPv6 is a network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}
