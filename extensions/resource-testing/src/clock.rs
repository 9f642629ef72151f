//! The clock of a test, which stands still until the test advances it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use resource_runtime::Clock;

/// A clock that stands still until it is advanced; clones are the same clock.
///
/// ```
/// use std::time::Duration;
///
/// use resource_runtime::Clock;
/// use resource_testing::TestClock;
///
/// let clock = TestClock::new();
/// let before = clock.now();
/// clock.advance(Duration::from_hours(1));
/// assert_eq!(clock.now(), before + Duration::from_hours(1));
/// ```
#[derive(Debug, Clone)]
pub struct TestClock {
    start: SystemTime,
    /// Nanoseconds since the start.
    elapsed: Arc<AtomicU64>,
}

impl TestClock {
    /// A clock that stands at the present moment, cut to whole seconds, which every database keeps as they are.
    #[allow(clippy::new_without_default, reason = "no moment is a default")]
    pub fn new() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since_1970.map_or(0, |it| it.as_secs());
        Self::at(UNIX_EPOCH + Duration::from_secs(seconds))
    }

    /// A clock that stands at `moment`.
    pub fn at(moment: SystemTime) -> Self {
        Self {
            start: moment,
            elapsed: Arc::default(),
        }
    }

    /// Moves the clock on, by some 584 years at most.
    pub fn advance(&self, duration: Duration) {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.elapsed.fetch_add(nanoseconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> SystemTime {
        self.start + Duration::from_nanos(self.elapsed.load(Ordering::SeqCst))
    }
}
