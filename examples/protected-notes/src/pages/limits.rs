//! Rate limits for login attempts, by name and by address.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use resource_authorization_server::CallerAddress;

type Keyed<Key> = RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock>;

/// Number of attempts permitted at once, and the time until one more is permitted.
const OF_A_NAME: (NonZeroU32, Duration) = (NonZeroU32::new(20).unwrap(), Duration::from_secs(6));

const OF_AN_ADDRESS: (NonZeroU32, Duration) =
    (NonZeroU32::new(60).unwrap(), Duration::from_secs(2));

/// Number of names or addresses above which those without recent attempts are dropped.
const MANY: usize = 10_000;

/// Longest name in bytes: longer texts are no user's name, and are counted as one.
const LONGEST_NAME: usize = 200;

/// Counters of recent login attempts, against the guessing of passwords. Attempts are counted per name and
/// address, so that attempts from elsewhere lock nobody out, and per address for all names together.
pub(super) struct Limits {
    names: Keyed<(IpAddr, String)>,
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

    /// Counts an attempt; above the limit, the error is the number of seconds until the next attempt.
    pub(super) fn check(&self, address: CallerAddress, name: &str) -> Result<(), u64> {
        let CallerAddress(address) = address;
        forget_old(&self.names);
        forget_old(&self.addresses);
        let name = Some(name).filter(|name| name.len() <= LONGEST_NAME);
        let name = (address, name.unwrap_or_default().to_owned());
        let counted = self.addresses.check_key(&address);
        let counted = counted.and_then(|()| self.names.check_key(&name));
        counted.map_err(|until| until.wait_time_from(self.clock.now()).as_secs() + 1)
    }
}

fn forget_old<Key: Hash + Eq + Clone>(counted: &Keyed<Key>) {
    if counted.len() > MANY {
        counted.retain_recent();
    }
}

fn quota((at_once, again): (NonZeroU32, Duration)) -> Quota {
    let quota = Quota::with_period(again);
    quota
        // `with_period` returns `None` only for a period of zero.
        .unwrap_or(Quota::per_minute(at_once))
        .allow_burst(at_once)
}
