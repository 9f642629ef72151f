use std::fmt::Debug;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where a verifier takes the time from.
///
/// It is the system's clock unless [`clock`](super::TokenVerifierBuilder::clock) sets another, as
/// tests do that cannot wait until a token expires:
///
/// ```
/// use std::time::{Duration, SystemTime, UNIX_EPOCH};
///
/// use resource_runtime::oauth2::Clock;
///
/// #[derive(Debug)]
/// struct Noon;
///
/// impl Clock for Noon {
///     fn now(&self) -> SystemTime {
///         UNIX_EPOCH + Duration::from_secs(12 * 3600)
///     }
/// }
/// ```
pub trait Clock: Debug + Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> SystemTime;
}

#[derive(Debug)]
pub(super) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// The present moment as tokens tell time: in seconds since 1970.
pub(super) fn seconds(clock: &dyn Clock) -> i64 {
    let since_1970 = clock.now().duration_since(UNIX_EPOCH);
    since_1970.map_or(0, |elapsed| {
        i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
    })
}
