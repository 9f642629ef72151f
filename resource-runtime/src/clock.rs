//! The clock of an API, which tests replace.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::SystemTime;

/// A source of the current time: [`ApiBuilder::clock`](crate::ApiBuilder::clock) sets that of an API, which is the
/// system's by default.
///
/// ```
/// use std::time::{Duration, SystemTime, UNIX_EPOCH};
///
/// use resource_runtime::Clock;
///
/// #[derive(Debug)]
/// struct Noon;
///
/// impl Clock for Noon {
///     fn now(&self) -> SystemTime {
///         UNIX_EPOCH + Duration::from_hours(12)
///     }
/// }
/// ```
pub trait Clock: Debug + Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> SystemTime;
}

/// The clock of the operating system.
#[derive(Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Shares a clock.
impl Clock for Arc<dyn Clock> {
    fn now(&self) -> SystemTime {
        (**self).now()
    }
}
