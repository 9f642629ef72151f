/// An unknown key id makes us ask the issuer no more often than this: ids are whatever an
/// attacker likes.
const PAUSE: i64 = 30;

/// When the issuer may be asked again.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    failures: u32,
    not_before: Option<i64>,
}

impl Attempts {
    pub(super) fn is_allowed(&self, now: i64) -> bool {
        self.not_before.is_none_or(|earliest| now >= earliest)
    }

    pub(super) fn succeeded(&mut self, now: i64) {
        self.failures = 0;
        self.not_before = Some(now + PAUSE);
    }

    /// A service that has no keys yet is of no use: it asks sooner, and then ever later.
    pub(super) fn failed(&mut self, now: i64, has_keys: bool) {
        let pause = if has_keys {
            PAUSE
        } else {
            PAUSE.min(1 << self.failures.min(5))
        };
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(now + pause);
    }
}

#[cfg(test)]
mod tests {
    use super::Attempts;

    #[test]
    fn after_an_answer_there_is_a_pause() {
        let mut attempts = Attempts::default();
        assert!(attempts.is_allowed(100));
        attempts.succeeded(100);
        assert!(!attempts.is_allowed(129));
        assert!(attempts.is_allowed(130));
        attempts.failed(130, true);
        assert!(!attempts.is_allowed(159));
        assert!(attempts.is_allowed(160));
    }

    #[test]
    fn without_keys_the_pauses_grow_from_a_second() {
        let mut attempts = Attempts::default();
        let mut now = 0;
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            attempts.failed(now, false);
            assert!(!attempts.is_allowed(now + pause - 1), "{pause}");
            now += pause;
            assert!(attempts.is_allowed(now), "{pause}");
        }
    }
}
