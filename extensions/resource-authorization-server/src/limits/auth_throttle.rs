//! Throttle of failed client authentication.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::ClientAtAddress;

const WINDOW: Duration = Duration::from_mins(1);

/// Failures allowed to an address for all clients together, as a multiple of those for one client.
/// It stops whoever tries one client after another.
const ADDRESS_FACTOR: u32 = 10;

/// Bound on memory, which an attacker with many addresses could fill. Beyond it new keys are not
/// throttled, which is safe for all but `guessable_secret`.
const MAX_ENTRIES: usize = 1 << 16;

/// Counts failures to authenticate, in windows of a minute.
///
/// Each client is counted at each address alone, so that nobody locks a client out from elsewhere.
/// Unknown clients are counted like known ones, so that the throttle does not tell which exist.
pub(super) struct AuthThrottle {
    max_failures: u32,
    windows: Mutex<HashMap<ThrottleKey, Window>>,
}

/// Subject of a count: a client at an address, or an address with all clients.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum ThrottleKey {
    Client(ClientAtAddress),
    Address(IpAddr),
}

/// Failures since the first one of a minute.
struct Window {
    failures: u32,
    ends: Instant,
}

impl AuthThrottle {
    pub(super) fn new(max_failures: u32) -> Self {
        Self {
            max_failures,
            windows: Mutex::default(),
        }
    }

    /// Time for which this client is refused at this address; `None` if it is not.
    pub(super) fn wait_time(&self, client: &ClientAtAddress, now: Instant) -> Option<Duration> {
        let waits = self.with(|windows| {
            throttle_keys(client).map(|key| {
                let window = windows.get(&key)?;
                // A window that has ended counts no more, even before it is evicted.
                let left = window.ends.checked_duration_since(now)?;
                (window.failures >= self.max_failures_of(&key)).then_some(left)
            })
        });
        // The client may be refused for itself, for its address, or for both: the longer wait
        // holds.
        waits.into_iter().flatten().max()
    }

    pub(super) fn count_failure(&self, client: &ClientAtAddress, now: Instant) {
        let new_window = || Window {
            failures: 0,
            ends: now + WINDOW,
        };
        self.with(|windows| {
            for key in throttle_keys(client) {
                // Known keys are counted further, so that a flood does not lift a throttle that is
                // in force.
                if windows.len() >= MAX_ENTRIES && !windows.contains_key(&key) {
                    continue;
                }
                let window = windows.entry(key).or_insert_with(new_window);
                // The window is fixed, and begins with its first failure: further failures do not
                // extend it.
                if window.ends <= now {
                    *window = new_window();
                }
                window.failures = window.failures.saturating_add(1);
            }
        });
    }

    pub(super) fn evict_expired(&self, now: Instant) {
        self.with(|windows| {
            windows.retain(|_, window| window.ends > now);
            // A map that a flood has filled gives its memory back.
            windows.shrink_to_fit();
        });
    }

    const fn max_failures_of(&self, key: &ThrottleKey) -> u32 {
        match key {
            ThrottleKey::Client(_) => self.max_failures,
            ThrottleKey::Address(_) => self.max_failures.saturating_mul(ADDRESS_FACTOR),
        }
    }

    fn with<T>(&self, action: impl FnOnce(&mut HashMap<ThrottleKey, Window>) -> T) -> T {
        action(&mut self.windows.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn throttle_keys(client: &ClientAtAddress) -> [ThrottleKey; 2] {
    [
        ThrottleKey::Client(client.clone()),
        ThrottleKey::Address(client.address),
    ]
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{AuthThrottle, ClientAtAddress, MAX_ENTRIES, WINDOW};

    fn client(id: &str, address: &str) -> ClientAtAddress {
        ClientAtAddress {
            client_id: id.to_owned(),
            address: address.parse().unwrap(),
        }
    }

    #[test]
    fn client_at_one_address_is_throttled_until_its_window_ends() {
        let (throttle, now) = (AuthThrottle::new(2), Instant::now());
        let own = client("a", "10.0.0.1");
        throttle.count_failure(&own, now);
        assert_eq!(throttle.wait_time(&own, now), None);
        throttle.count_failure(&own, now);
        assert_eq!(throttle.wait_time(&own, now), Some(WINDOW));
        for other in [client("a", "10.0.0.2"), client("b", "10.0.0.1")] {
            assert_eq!(throttle.wait_time(&other, now), None);
        }
        let later = now + WINDOW;
        throttle.evict_expired(later);
        assert!(throttle.windows.lock().unwrap().is_empty());
        assert_eq!(throttle.wait_time(&own, later), None);
        throttle.count_failure(&own, later);
        assert_eq!(throttle.wait_time(&own, later), None);
    }

    #[test]
    fn address_that_fails_for_many_clients_is_throttled_for_all() {
        let (throttle, now) = (AuthThrottle::new(2), Instant::now());
        let other = client("other", "10.0.0.1");
        for number in 0..20 {
            assert_eq!(throttle.wait_time(&other, now), None, "{number}");
            throttle.count_failure(&client(&number.to_string(), "10.0.0.1"), now);
        }
        assert_eq!(throttle.wait_time(&other, now), Some(WINDOW));
        assert_eq!(throttle.wait_time(&client("other", "10.0.0.2"), now), None);
    }

    #[test]
    fn number_of_entries_is_bounded() {
        let (throttle, now) = (AuthThrottle::new(1), Instant::now());
        let first = client("a", "2001:db8::");
        for number in 0..=MAX_ENTRIES {
            let address = format!("2001:db8:{:x}:{:x}::", number >> 16, number & 0xffff);
            throttle.count_failure(&client("a", &address), now);
        }
        assert_eq!(throttle.windows.lock().unwrap().len(), MAX_ENTRIES);
        assert_eq!(throttle.wait_time(&first, now), Some(WINDOW));
        let later = now + WINDOW;
        throttle.evict_expired(later);
        throttle.count_failure(&first, later);
        assert_eq!(throttle.wait_time(&first, later), Some(WINDOW));
    }
}
