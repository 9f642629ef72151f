use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When the server last failed us: what ended one connection ended its contemporaries, too, so
/// those are replaced instead of each being tried.
#[derive(Debug, Default)]
pub(super) struct Faults {
    last: Mutex<Option<Instant>>,
}

impl Faults {
    pub(super) fn note(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether a connection that is `age` old was made before the last fault.
    pub(super) fn outdate(&self, age: Duration) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() <= age)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Faults;

    #[test]
    fn a_fault_outdates_what_was_there_before_it() {
        let faults = Faults::default();
        assert!(!faults.outdate(Duration::from_hours(1)));
        faults.note();
        assert!(faults.outdate(Duration::from_hours(1)));
        assert!(!faults.outdate(Duration::ZERO));
    }
}
