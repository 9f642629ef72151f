//! Waiting for a condition, never for a length of time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take before a test fails: far more than it ever needs, because the
/// machine may be busy with other builds.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Asks again and again until there is an answer, and fails the test when the patience ends.
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

/// Sets a flag when it goes, also by a panic: what threads run on for must not outlive the test.
#[derive(Debug)]
pub struct SetOnDrop<'flag>(pub &'flag AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
