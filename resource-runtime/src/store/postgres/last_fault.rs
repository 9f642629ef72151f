//! The record of server faults that makes connections stale.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::locked::locked;

/// Shortest time between two faults that new connections may not fix.
const RECORD_INTERVAL: Duration = Duration::from_secs(1);

/// The last fault of the server. A fault that ends one connection has usually ended all older ones, so those
/// are replaced without a try of each.
#[derive(Debug, Default)]
pub(super) struct LastFault(Mutex<Option<Instant>>);

impl LastFault {
    pub(super) fn record_fault(&self) {
        *locked(&self.0) = Some(Instant::now());
    }

    /// Records that the server takes no writes. After a failover, new connections may reach one that does. They may also
    /// reach none: without the limit each request would replace all of them.
    pub(super) fn record_read_only(&self) {
        let now = Instant::now();
        let mut last = locked(&self.0);
        if last.is_none_or(|last| now.duration_since(last) > RECORD_INTERVAL) {
            *last = Some(now);
        }
    }

    /// Tests whether something of this time (a connection, a cached total) is from before the last fault.
    pub(super) fn is_stale(&self, since: Instant) -> bool {
        let last = *locked(&self.0);
        // A connection of the same instant counts as older: a needless replacement is the lesser evil.
        last.is_some_and(|last| last >= since)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::LastFault;

    #[test]
    fn new_connections_to_a_read_only_server_are_not_stale() {
        let (last_fault, before) = (LastFault::default(), Instant::now());
        last_fault.record_read_only();
        let after = Instant::now() + RESOLUTION;
        last_fault.record_read_only();
        assert!(!last_fault.is_stale(after));
        assert!(last_fault.is_stale(before));
    }

    #[test]
    fn a_fault_makes_older_connections_stale() {
        let (last_fault, before) = (LastFault::default(), Instant::now());
        assert!(!last_fault.is_stale(before));
        last_fault.record_fault();
        assert!(last_fault.is_stale(before));
        assert!(!last_fault.is_stale(Instant::now() + RESOLUTION));
    }

    const RESOLUTION: std::time::Duration = std::time::Duration::from_nanos(1);
}
