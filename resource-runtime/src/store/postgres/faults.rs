use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often connections are replaced by others that may be no better.
const AT_MOST_EACH: Duration = Duration::from_secs(1);

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

    /// Notes what new connections need not mend: else each request would have all of them replaced.
    pub(super) fn note_at_times(&self) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() > AT_MOST_EACH) {
            *last = Some(Instant::now());
        }
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
    fn a_server_that_only_reads_outdates_no_connection_of_this_moment() {
        let faults = Faults::default();
        faults.note_at_times();
        let age = std::time::Instant::now();
        faults.note_at_times();
        assert!(!faults.outdate(age.elapsed()));
        assert!(faults.outdate(Duration::from_hours(1)));
    }

    #[test]
    fn a_fault_outdates_what_was_there_before_it() {
        let faults = Faults::default();
        assert!(!faults.outdate(Duration::from_hours(1)));
        faults.note();
        assert!(faults.outdate(Duration::from_hours(1)));
        assert!(!faults.outdate(Duration::ZERO));
    }
}
