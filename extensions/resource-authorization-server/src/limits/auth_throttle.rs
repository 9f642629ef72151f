use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Asking;

const WINDOW: Duration = Duration::from_mins(1);

/// An address may fail so many times as often for all clients together as for one: whoever tries
/// ever new ones is not heard in the end either.
const ALL_CLIENTS: u32 = 10;

/// No more are remembered, however many addresses somebody has. Secrets cannot be guessed anyway.
const MOST: usize = 1 << 16;

/// Who failed to prove of late that they are a client. Each client at each address is counted
/// alone, so that nobody keeps a client out from elsewhere; one that there is not is counted like
/// one that there is, so that nobody learns which there are.
pub(super) struct AuthThrottle {
    most: u32,
    of_late: Mutex<HashMap<Who, Window>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Client(Asking),
    Address(IpAddr),
}

struct Window {
    failures: u32,
    ends: Instant,
}

impl AuthThrottle {
    pub(super) fn new(most: u32) -> Self {
        Self {
            most,
            of_late: Mutex::default(),
        }
    }

    /// How long who failed too often is not heard.
    pub(super) fn pause(&self, asking: &Asking, now: Instant) -> Option<Duration> {
        let pauses = self.with(|of_late| {
            counted(asking).map(|who| {
                let window = of_late.get(&who)?;
                let left = window.ends.checked_duration_since(now)?;
                (window.failures >= self.most_of(&who)).then_some(left)
            })
        });
        pauses.into_iter().flatten().max()
    }

    pub(super) fn count(&self, asking: &Asking, now: Instant) {
        let fresh = || Window {
            failures: 0,
            ends: now + WINDOW,
        };
        self.with(|of_late| {
            for who in counted(asking) {
                if of_late.len() >= MOST && !of_late.contains_key(&who) {
                    continue;
                }
                let window = of_late.entry(who).or_insert_with(fresh);
                if window.ends <= now {
                    *window = fresh();
                }
                window.failures = window.failures.saturating_add(1);
            }
        });
    }

    pub(super) fn evict_expired(&self, now: Instant) {
        self.with(|of_late| {
            of_late.retain(|_, window| window.ends > now);
            of_late.shrink_to_fit();
        });
    }

    const fn most_of(&self, who: &Who) -> u32 {
        match who {
            Who::Client(_) => self.most,
            Who::Address(_) => self.most.saturating_mul(ALL_CLIENTS),
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Who, Window>) -> T) -> T {
        work(&mut self.of_late.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn counted(asking: &Asking) -> [Who; 2] {
    [Who::Client(asking.clone()), Who::Address(asking.address)]
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{Asking, AuthThrottle, MOST, WINDOW};

    fn asking(client: &str, address: &str) -> Asking {
        Asking {
            client: client.to_owned(),
            address: address.parse().unwrap(),
        }
    }

    #[test]
    fn who_fails_too_often_waits_for_the_end_of_the_minute_and_nobody_else() {
        let (failures, now) = (AuthThrottle::new(2), Instant::now());
        let own = asking("a", "10.0.0.1");
        failures.count(&own, now);
        assert_eq!(failures.pause(&own, now), None);
        failures.count(&own, now);
        assert_eq!(failures.pause(&own, now), Some(WINDOW));
        for other in [asking("a", "10.0.0.2"), asking("b", "10.0.0.1")] {
            assert_eq!(failures.pause(&other, now), None);
        }
        let later = now + WINDOW;
        failures.evict_expired(later);
        assert!(failures.of_late.lock().unwrap().is_empty());
        assert_eq!(failures.pause(&own, later), None);
        failures.count(&own, later);
        assert_eq!(failures.pause(&own, later), None);
    }

    #[test]
    fn who_tries_ever_new_clients_is_not_heard_on_behalf_of_any() {
        let (failures, now) = (AuthThrottle::new(2), Instant::now());
        let other = asking("other", "10.0.0.1");
        for number in 0..20 {
            assert_eq!(failures.pause(&other, now), None, "{number}");
            failures.count(&asking(&number.to_string(), "10.0.0.1"), now);
        }
        assert_eq!(failures.pause(&other, now), Some(WINDOW));
        assert_eq!(failures.pause(&asking("other", "10.0.0.2"), now), None);
    }

    #[test]
    fn no_more_are_remembered_than_there_is_room_for() {
        let (failures, now) = (AuthThrottle::new(1), Instant::now());
        let first = asking("a", "2001:db8::");
        for number in 0..=MOST {
            let address = format!("2001:db8:{:x}:{:x}::", number >> 16, number & 0xffff);
            failures.count(&asking("a", &address), now);
        }
        assert_eq!(failures.of_late.lock().unwrap().len(), MOST);
        assert_eq!(failures.pause(&first, now), Some(WINDOW));
        let later = now + WINDOW;
        failures.evict_expired(later);
        failures.count(&first, later);
        assert_eq!(failures.pause(&first, later), Some(WINDOW));
    }
}
