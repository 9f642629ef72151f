use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Asking;

const WINDOW: Duration = Duration::from_mins(1);

/// Who failed to prove of late that they are a client. Each client at each address is counted
/// alone, so that nobody keeps a client out from elsewhere.
pub(super) struct Failures {
    most: u32,
    of_late: Mutex<HashMap<Asking, Window>>,
}

struct Window {
    failures: u32,
    ends: Instant,
}

impl Failures {
    pub(super) fn new(most: u32) -> Self {
        Self {
            most,
            of_late: Mutex::default(),
        }
    }

    /// How long who failed too often is not heard.
    pub(super) fn pause(&self, asking: &Asking, now: Instant) -> Option<Duration> {
        self.with(|of_late| {
            let window = of_late.get(asking)?;
            let left = window.ends.checked_duration_since(now)?;
            (window.failures >= self.most).then_some(left)
        })
    }

    pub(super) fn count(&self, asking: Asking, now: Instant) {
        let fresh = || Window {
            failures: 0,
            ends: now + WINDOW,
        };
        self.with(|of_late| {
            let window = of_late.entry(asking).or_insert_with(fresh);
            if window.ends <= now {
                *window = fresh();
            }
            window.failures = window.failures.saturating_add(1);
        });
    }

    pub(super) fn forget_old(&self, now: Instant) {
        self.with(|of_late| {
            of_late.retain(|_, window| window.ends > now);
            of_late.shrink_to_fit();
        });
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Asking, Window>) -> T) -> T {
        work(&mut self.of_late.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::http::Extensions;

    use super::super::CallerAddress;
    use super::{Asking, Failures, WINDOW};

    fn asking(client: &str, address: &str) -> Asking {
        let mut extensions = Extensions::new();
        extensions.insert(CallerAddress(address.parse().unwrap()));
        Asking::new(Some(client.to_owned()), &extensions)
    }

    #[test]
    fn who_fails_too_often_waits_for_the_end_of_the_minute_and_nobody_else() {
        let (failures, now) = (Failures::new(2), Instant::now());
        let own = asking("a", "10.0.0.1");
        failures.count(own.clone(), now);
        assert_eq!(failures.pause(&own, now), None);
        failures.count(own.clone(), now);
        assert_eq!(failures.pause(&own, now), Some(WINDOW));
        for other in [asking("a", "10.0.0.2"), asking("b", "10.0.0.1")] {
            assert_eq!(failures.pause(&other, now), None);
        }
        let later = now + WINDOW;
        failures.forget_old(later);
        assert!(failures.of_late.lock().unwrap().is_empty());
        assert_eq!(failures.pause(&own, later), None);
        failures.count(own.clone(), later);
        assert_eq!(failures.pause(&own, later), None);
    }
}
