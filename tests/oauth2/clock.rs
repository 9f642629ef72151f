//! The clock of the tests, which stands still until a test moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use resource_oauth2::Clock;

/// A clock that stands still until the test moves it.
#[derive(Debug, Clone)]
pub(crate) struct SetClock {
    seconds: Arc<AtomicU64>,
}

impl SetClock {
    pub(crate) fn new() -> Self {
        let seconds = Arc::new(AtomicU64::new(1_800_000_000));
        Self { seconds }
    }

    pub(crate) fn seconds(&self) -> i64 {
        self.seconds.load(Ordering::SeqCst).try_into().unwrap()
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.seconds.load(Ordering::SeqCst))
    }
}
