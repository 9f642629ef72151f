//! Requests at a steady pace, whatever else is going on. The time of a request runs from the moment at
//! which it was due, so that waiting behind late ones counts.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::load::Client;
use crate::measure::quantile;
use crate::random::{Random, unused_number};

/// Connections that take turns at the pace, so that an answer may take longer than the time between
/// two requests.
const CONNECTIONS: u32 = 32;

/// Time until an answer is given up, and until the last requests that were due are.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Requests of one kind, and the time within which they are to be answered.
pub(super) struct Probe {
    pub(super) name: &'static str,
    pub(super) every: Duration,
    /// Time that 99 of 100 answers keep to.
    pub(super) allowed: Duration,
    pub(super) request: fn(&mut Random) -> String,
}

/// Answers to the requests that were due.
#[derive(Default)]
pub(super) struct Answers {
    /// In milliseconds, of failures as well.
    latencies: Vec<f64>,
    pub(super) failures: usize,
    /// Text of the first failure.
    pub(super) failure: Option<String>,
}

impl Probe {
    /// Asks until `end`, or until the attack is over.
    pub(super) fn ask(&self, address: &str, end: Instant, is_over: &AtomicBool) -> Answers {
        let start = Instant::now();
        thread::scope(|scope| {
            let asking = (0..CONNECTIONS).map(|turn| {
                let first = start + self.every * turn;
                scope.spawn(move || self.ask_from(first, address, end, is_over))
            });
            let asking: Vec<_> = asking.collect();
            let answers = asking.into_iter().filter_map(|it| it.join().ok());
            answers.fold(Answers::default(), Answers::and)
        })
    }

    fn ask_from(
        &self,
        first: Instant,
        address: &str,
        end: Instant,
        is_over: &AtomicBool,
    ) -> Answers {
        let mut random = Random::new(unused_number());
        let mut answers = Answers::default();
        let mut client = None;
        let mut due = first;
        while due < end && !is_over.load(Ordering::Relaxed) {
            sleep(due.saturating_duration_since(Instant::now()));
            let request = (self.request)(&mut random);
            let answer = if Instant::now() < end + PATIENCE {
                sent(&mut client, address, PATIENCE, &request)
            } else {
                Err(io::Error::other("it was due, and never sent"))
            };
            answers.add(due.elapsed(), answer);
            due += self.every * CONNECTIONS;
        }
        answers
    }
}

/// Sends a request on the open connection, or on a new one where the last request failed.
pub(super) fn sent(
    client: &mut Option<Client>,
    address: &str,
    patience: Duration,
    request: &str,
) -> io::Result<()> {
    let mut connected = match client.take() {
        Some(client) => client,
        None => Client::patient(address, patience)?,
    };
    connected.send(request)?;
    // Kept after a success alone: the rest of a late answer would be taken for the next one.
    *client = Some(connected);
    Ok(())
}

impl Answers {
    fn add(&mut self, latency: Duration, answer: io::Result<()>) {
        self.latencies.push(latency.as_secs_f64() * 1e3);
        if let Err(error) = answer {
            self.failures += 1;
            self.failure.get_or_insert(error.to_string());
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.latencies.extend(other.latencies);
        self.failures += other.failures;
        self.failure = self.failure.or(other.failure);
        self
    }

    pub(super) fn requests(&self) -> usize {
        self.latencies.len()
    }

    pub(super) fn quantile(&self, part: f64) -> f64 {
        quantile(self.latencies.clone(), part)
    }

    /// Tests that 99 of 100 requests succeeded, and in time.
    pub(super) fn keep_to(&self, allowed: Duration) -> bool {
        let allowed = allowed.as_secs_f64() * 1e3;
        let is_answered = self.failures * 100 <= self.requests();
        is_answered && self.requests() > 0 && self.quantile(0.99) <= allowed
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::Duration;

    use super::Answers;

    const ALLOWED: Duration = Duration::from_millis(50);

    fn answers(quick: usize, slow: usize, failures: usize) -> Answers {
        let mut answers = Answers::default();
        for _ in 0..quick {
            answers.add(Duration::from_millis(1), Ok(()));
        }
        for _ in 0..slow {
            answers.add(Duration::from_secs(1), Ok(()));
        }
        for _ in 0..failures {
            answers.add(Duration::from_millis(1), Err(io::Error::other("503")));
        }
        answers
    }

    #[test]
    fn one_of_a_hundred_may_be_late_or_fail() {
        assert!(answers(1000, 0, 0).keep_to(ALLOWED));
        assert!(answers(990, 5, 5).keep_to(ALLOWED));
        assert!(!answers(980, 20, 0).keep_to(ALLOWED));
        assert!(!answers(980, 0, 20).keep_to(ALLOWED));
    }

    #[test]
    fn whoever_was_never_asked_kept_to_nothing() {
        assert!(!answers(0, 0, 0).keep_to(ALLOWED));
    }
}
