//! Whose turn it is to write: our own writers queue in order instead of finding the file locked.

use std::time::{Duration, Instant};

use tokio::time::timeout;

/// The turns of those who write to one file; clones hand out the same.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    free: flume::Receiver<()>,
    end: flume::Sender<()>,
}

/// Held by whoever writes.
#[derive(Debug)]
pub(super) struct Turn {
    end: flume::Sender<()>,
}

impl Turns {
    pub(super) fn new() -> Self {
        let (end, free) = flume::bounded(1);
        drop(Turn { end: end.clone() });
        Self { free, end }
    }

    /// The next turn, for whoever waits as a task.
    pub(super) async fn wait(&self, patience: Duration) -> Option<Turn> {
        let free = timeout(patience, self.free.recv_async()).await.ok()?;
        free.ok().map(|()| self.turn())
    }

    /// The next turn, for whoever waits as a thread.
    pub(super) fn wait_until(&self, deadline: Instant) -> Option<Turn> {
        let free = self.free.recv_deadline(deadline);
        free.ok().map(|()| self.turn())
    }

    fn turn(&self) -> Turn {
        Turn {
            end: self.end.clone(),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // There is room: nobody else has a turn.
        let _ = self.end.try_send(());
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Turns;

    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn one_writes_at_a_time() {
        let turns = Turns::new();
        let first = turns.wait(LONG).await.unwrap();
        assert!(turns.wait(Duration::ZERO).await.is_none());
        assert!(turns.wait_until(Instant::now()).is_none());
        let second = turns.wait(LONG);
        drop(first);
        let second = second.await.unwrap();
        assert!(turns.wait_until(Instant::now()).is_none());
        drop(second);
        assert!(turns.wait_until(Instant::now() + LONG).is_some());
    }

    #[tokio::test]
    async fn whoever_gives_up_takes_no_turn_along() {
        let turns = Turns::new();
        let first = turns.wait(LONG).await.unwrap();
        let mut second = Box::pin(turns.wait(LONG));
        assert!(futures_util::FutureExt::now_or_never(&mut second).is_none());
        drop(first);
        drop(second);
        assert!(turns.wait_until(Instant::now()).is_some());
    }
}
