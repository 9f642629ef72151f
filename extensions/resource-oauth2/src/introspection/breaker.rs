//! A circuit breaker for the introspection endpoint.

/// Failures in a row that open the breaker.
const FAILURE_THRESHOLD: u32 = 3;

/// Largest number of seconds for which the breaker stays open.
const MAX_OPEN: i64 = 30;

/// Seconds after which a probe counts as lost; a little more than the largest timeout of a request.
const PROBE_TIMEOUT: i64 = 6;

/// A circuit breaker: while the endpoint fails, requests are refused at once instead of waiting for a timeout.
#[derive(Debug, Default)]
pub(super) struct CircuitBreaker {
    failures: u32,
    open_until: i64,
}

impl CircuitBreaker {
    /// Tests for a closed breaker. A half-open one allows a single probe, and others once it succeeds or is lost.
    pub(super) const fn allows(&mut self, now: i64) -> bool {
        let allowed = now >= self.open_until;
        // Open again until the probe has a result: other requests must not join it. If its request is
        // cancelled, it never reports one, so this has an end.
        if allowed && self.failures >= FAILURE_THRESHOLD {
            self.open_until = now + PROBE_TIMEOUT;
        }
        allowed
    }

    pub(super) const fn succeeded(&mut self) {
        // One success closes the breaker at once: the endpoint is asked about tokens again, and not only
        // probed.
        self.failures = 0;
        self.open_until = 0;
    }

    /// Records a failure; from the third in a row, each doubles the time for which the breaker is open.
    pub(super) fn failed(&mut self, now: i64) {
        self.failures = self.failures.saturating_add(1);
        // The shift is bounded first, so that it cannot overflow after many failures.
        if let Some(doublings) = self.failures.checked_sub(FAILURE_THRESHOLD) {
            // The pauses are 1, 2, 4, 8 and 16 seconds, then the maximum.
            let pause = MAX_OPEN.min(1 << doublings.min(5));
            self.open_until = now + pause;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CircuitBreaker;

    #[test]
    fn opens_after_three_failures_in_a_row_with_exponential_backoff() {
        let mut breaker = CircuitBreaker::default();
        breaker.failed(0);
        breaker.failed(0);
        assert!(breaker.allows(0));
        let mut now = 0;
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            breaker.failed(now);
            assert!(!breaker.allows(now + pause - 1), "{pause}");
            now += pause;
            assert!(breaker.allows(now), "{pause}");
        }
    }

    #[test]
    fn half_open_breaker_allows_one_probe_at_a_time() {
        let mut breaker = CircuitBreaker::default();
        for _ in 0..3 {
            breaker.failed(0);
        }
        assert!(breaker.allows(1));
        assert!(!breaker.allows(1) && !breaker.allows(6));
        assert!(breaker.allows(7), "the first probe never ended");
        breaker.succeeded();
        assert!(breaker.allows(7) && breaker.allows(7));
    }

    #[test]
    fn success_closes_the_breaker() {
        let mut breaker = CircuitBreaker::default();
        for _ in 0..5 {
            breaker.failed(0);
        }
        breaker.succeeded();
        assert!(breaker.allows(0));
        breaker.failed(0);
        breaker.failed(0);
        assert!(breaker.allows(0));
    }
}
