//! The record of server faults that makes connections stale.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::locked::locked;

/// Shortest time between two faults that new connections may not fix.
const RECORD_INTERVAL: Duration = Duration::from_secs(1);

/// The last fault of the server. A fault that ends one connection has usually ended all older ones, so those
/// are replaced without a try of each.
#[derive(Debug, Default)]
pub(super) struct LastFault {
    last: Mutex<Option<Instant>>,
}

impl LastFault {
    pub(super) fn record_fault(&self) {
        *locked(&self.last) = Some(Instant::now());
    }

    /// Records a fault that new connections may not fix: without the limit each request would replace
    /// all of them.
    pub(super) fn record_fault_rate_limited(&self) {
        let mut last = locked(&self.last);
        if last.is_none_or(|last| last.elapsed() > RECORD_INTERVAL) {
            *last = Some(Instant::now());
        }
    }

    /// Tests whether something of this age (a connection, its last check, a cached total) is from before the last
    /// fault.
    pub(super) fn is_stale(&self, age: Duration) -> bool {
        let last = *locked(&self.last);
        // A connection of the same instant counts as older: a needless replacement is the lesser evil.
        last.is_some_and(|last| last.elapsed() <= age)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::LastFault;

    #[test]
    fn new_connections_to_a_read_only_server_are_not_stale() {
        let last_fault = LastFault::default();
        last_fault.record_fault_rate_limited();
        let age = std::time::Instant::now();
        last_fault.record_fault_rate_limited();
        assert!(!last_fault.is_stale(age.elapsed()));
        assert!(last_fault.is_stale(Duration::from_hours(1)));
    }

    #[test]
    fn a_fault_makes_older_connections_stale() {
        let last_fault = LastFault::default();
        assert!(!last_fault.is_stale(Duration::from_hours(1)));
        last_fault.record_fault();
        assert!(last_fault.is_stale(Duration::from_hours(1)));
        assert!(!last_fault.is_stale(Duration::ZERO));
    }
}
