//! Moments of a clock in seconds since the Unix epoch.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use resource_runtime::{Clock, SystemClock};

/// The current time as a `NumericDate` of RFC 7519: seconds since 1970.
#[must_use]
pub fn seconds(clock: &dyn Clock) -> i64 {
    seconds_of(clock.now())
}

/// A moment in seconds since 1970, 0 for earlier ones.
#[must_use]
pub fn seconds_of(moment: SystemTime) -> i64 {
    // Only a clock that was never set is before 1970; its time counts as zero.
    let since_1970 = moment.duration_since(UNIX_EPOCH);
    since_1970.map_or(0, |elapsed| {
        // A moment that far ahead expires everything, which is the safe side.
        i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
    })
}

/// The moment of a number of seconds since 1970.
#[must_use]
pub fn moment(seconds: i64) -> SystemTime {
    // A moment before 1970 or beyond the range of the platform becomes 1970: expired, not valid for ever.
    let since_1970 = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    UNIX_EPOCH.checked_add(since_1970).unwrap_or(UNIX_EPOCH)
}
