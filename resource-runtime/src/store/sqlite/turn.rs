//! Whose turn it is to write: our own writers queue in order instead of finding the file locked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::timeout;

use crate::store::locked;

/// The turns of those who write to one file; clones hand out the same.
///
/// First come, first served: a turn that ends is handed to whoever has waited longest, so that code
/// that writes one transaction after the other cannot take the next turn from those who wait.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_taken: bool,
    waiting: VecDeque<flume::Sender<Turn>>,
}

/// Held by whoever writes.
#[derive(Debug)]
pub(super) struct Turn(Turns);

impl Turns {
    /// The next turn, for whoever waits as a task.
    pub(super) async fn wait(&self, patience: Duration) -> Option<Turn> {
        match self.join() {
            Ok(turn) => Some(turn),
            Err(next) => timeout(patience, next.recv_async()).await.ok()?.ok(),
        }
    }

    /// A turn at once, or where the next one for this caller arrives.
    pub(super) fn join(&self) -> Result<Turn, flume::Receiver<Turn>> {
        let mut queue = locked(&self.0);
        if !queue.is_taken {
            queue.is_taken = true;
            return Ok(Turn(self.clone()));
        }
        queue.forget_who_gave_up();
        let (sender, next) = flume::bounded(1);
        queue.waiting.push_back(sender);
        Err(next)
    }

    /// Who has waited longest; the turn is free where nobody waits.
    fn next(&self) -> Option<flume::Sender<Turn>> {
        let mut queue = locked(&self.0);
        queue.forget_who_gave_up();
        let next = queue.waiting.pop_front();
        queue.is_taken = next.is_some();
        next
    }
}

impl Queue {
    /// Those in front have waited longest, so they have given up first.
    fn forget_who_gave_up(&mut self) {
        let front = |queue: &Self| queue.waiting.front().map(flume::Sender::is_disconnected);
        while front(self) == Some(true) {
            self.waiting.pop_front();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(next) = self.0.next() {
            // Whoever gives up at this very moment drops the turn that was sent, and so passes it on.
            drop(next.try_send(Self(self.0.clone())));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt as _;

    use super::Turns;

    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn one_writes_at_a_time() {
        let turns = Turns::default();
        let first = turns.wait(LONG).await.unwrap();
        assert!(turns.wait(Duration::ZERO).await.is_none());
        assert!(turns.join().is_err());
        let second = turns.wait(LONG);
        drop(first);
        let second = second.await.unwrap();
        assert!(turns.join().is_err());
        drop(second);
        assert!(turns.join().is_ok());
    }

    #[tokio::test]
    async fn who_waits_first_is_served_first() {
        let turns = Turns::default();
        let first = turns.wait(LONG).await.unwrap();
        let mut second = Box::pin(turns.wait(LONG));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        assert!(turns.wait(LONG).now_or_never().is_none());
        assert!(second.now_or_never().flatten().is_some());
    }

    #[tokio::test]
    async fn whoever_gives_up_takes_no_turn_along() {
        let turns = Turns::default();
        let first = turns.wait(LONG).await.unwrap();
        let mut second = Box::pin(turns.wait(LONG));
        let mut third = Box::pin(turns.wait(LONG));
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        drop(third);
        drop(first);
        drop(second);
        assert!(turns.join().is_ok());
    }
}
