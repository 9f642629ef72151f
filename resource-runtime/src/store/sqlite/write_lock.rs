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
pub(super) struct WriteLock(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_locked: bool,
    waiting: VecDeque<flume::Sender<WriteGuard>>,
}

/// Held by whoever writes.
#[derive(Debug)]
pub(super) struct WriteGuard(WriteLock);

impl WriteLock {
    /// The next turn, for whoever waits as a task.
    pub(super) async fn lock(&self, acquire_timeout: Duration) -> Option<WriteGuard> {
        match self.try_lock() {
            Ok(guard) => Some(guard),
            Err(next) => timeout(acquire_timeout, next.recv_async()).await.ok()?.ok(),
        }
    }

    /// A turn at once, or where the next one for this caller arrives.
    pub(super) fn try_lock(&self) -> Result<WriteGuard, flume::Receiver<WriteGuard>> {
        let mut queue = locked(&self.0);
        if !queue.is_locked {
            queue.is_locked = true;
            return Ok(WriteGuard(self.clone()));
        }
        queue.remove_timed_out();
        let (sender, next) = flume::bounded(1);
        queue.waiting.push_back(sender);
        Err(next)
    }

    /// Who has waited longest; the turn is free where nobody waits.
    fn next(&self) -> Option<flume::Sender<WriteGuard>> {
        let mut queue = locked(&self.0);
        queue.remove_timed_out();
        let next = queue.waiting.pop_front();
        queue.is_locked = next.is_some();
        next
    }
}

impl Queue {
    /// Those in front have waited longest, so they have given up first.
    fn remove_timed_out(&mut self) {
        let front = |queue: &Self| queue.waiting.front().map(flume::Sender::is_disconnected);
        while front(self) == Some(true) {
            self.waiting.pop_front();
        }
    }
}

impl Drop for WriteGuard {
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

    use super::WriteLock;

    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn one_writes_at_a_time() {
        let write_lock = WriteLock::default();
        let first = write_lock.lock(LONG).await.unwrap();
        assert!(write_lock.lock(Duration::ZERO).await.is_none());
        assert!(write_lock.try_lock().is_err());
        let second = write_lock.lock(LONG);
        drop(first);
        let second = second.await.unwrap();
        assert!(write_lock.try_lock().is_err());
        drop(second);
        assert!(write_lock.try_lock().is_ok());
    }

    #[tokio::test]
    async fn who_waits_first_is_served_first() {
        let write_lock = WriteLock::default();
        let first = write_lock.lock(LONG).await.unwrap();
        let mut second = Box::pin(write_lock.lock(LONG));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        assert!(write_lock.lock(LONG).now_or_never().is_none());
        assert!(second.now_or_never().flatten().is_some());
    }

    #[tokio::test]
    async fn whoever_gives_up_takes_no_turn_along() {
        let write_lock = WriteLock::default();
        let first = write_lock.lock(LONG).await.unwrap();
        let mut second = Box::pin(write_lock.lock(LONG));
        let mut third = Box::pin(write_lock.lock(LONG));
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        drop(third);
        drop(first);
        drop(second);
        assert!(write_lock.try_lock().is_ok());
    }
}
