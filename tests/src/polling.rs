//! Polling for a condition, instead of sleeping for a fixed time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The timeout after which a test fails: far more than anything needs, because the machine may be busy with
/// other builds.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Polls until `ask` returns a value, and fails the test at the timeout.
#[track_caller]
pub fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(
            Instant::now() < deadline,
            "waited {PATIENCE:?} in vain for {what}"
        );
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sets a flag when it is dropped, also by a panic: threads that wait for the flag must not outlive the
/// test.
#[derive(Debug)]
pub struct SetOnDrop<'flag>(pub &'flag AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
