/// So many failures in a row are no accident.
const TOLERATED: u32 = 3;

const LONGEST_PAUSE: i64 = 30;

/// No question takes longer.
const PROBE: i64 = 6;

/// Keeps requests from waiting for a server that does not answer anyway.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    open_until: i64,
}

impl Breaker {
    /// After a pause one is let through, and the others when it came back or is given up.
    pub(super) const fn lets_through(&mut self, now: i64) -> bool {
        let through = now >= self.open_until;
        if through && self.failures >= TOLERATED {
            self.open_until = now + PROBE;
        }
        through
    }

    pub(super) const fn succeeded(&mut self) {
        self.failures = 0;
        self.open_until = 0;
    }

    /// From the third failure in a row each doubles the pause.
    pub(super) fn failed(&mut self, now: i64) {
        self.failures = self.failures.saturating_add(1);
        if let Some(doublings) = self.failures.checked_sub(TOLERATED) {
            let pause = LONGEST_PAUSE.min(1 << doublings.min(5));
            self.open_until = now + pause;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Breaker;

    #[test]
    fn it_opens_after_three_failures_in_a_row_for_ever_longer() {
        let mut breaker = Breaker::default();
        breaker.failed(0);
        breaker.failed(0);
        assert!(breaker.lets_through(0));
        let mut now = 0;
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            breaker.failed(now);
            assert!(!breaker.lets_through(now + pause - 1), "{pause}");
            now += pause;
            assert!(breaker.lets_through(now), "{pause}");
        }
    }

    #[test]
    fn after_a_pause_one_tries_at_a_time() {
        let mut breaker = Breaker::default();
        for _ in 0..3 {
            breaker.failed(0);
        }
        assert!(breaker.lets_through(1));
        assert!(!breaker.lets_through(1) && !breaker.lets_through(6));
        assert!(breaker.lets_through(7), "the first never came back");
        breaker.succeeded();
        assert!(breaker.lets_through(7) && breaker.lets_through(7));
    }

    #[test]
    fn an_answer_closes_it() {
        let mut breaker = Breaker::default();
        for _ in 0..5 {
            breaker.failed(0);
        }
        breaker.succeeded();
        assert!(breaker.lets_through(0));
        breaker.failed(0);
        breaker.failed(0);
        assert!(breaker.lets_through(0));
    }
}
