//! The write lock of a file: our own writers queue in order, instead of polling SQLite's lock.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::timeout;

use crate::locked::locked;

/// The write lock of one file, shared by clones.
///
/// The lock is fair: a released lock goes to the longest waiter, so that code that writes one transaction after
/// another cannot starve others.
#[derive(Debug, Clone, Default)]
pub(super) struct WriteLock(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_locked: bool,
    waiting: VecDeque<flume::Sender<WriteGuard>>,
}

/// Holds the write lock until it is dropped.
#[derive(Debug)]
pub(super) struct WriteGuard(WriteLock);

impl WriteLock {
    /// Waits for the lock; none once `acquire_timeout` has passed.
    pub(super) async fn lock(&self, acquire_timeout: Duration) -> Option<WriteGuard> {
        match self.try_lock() {
            Ok(guard) => Some(guard),
            // The outer failure is the timeout, which drops the receiver and so leaves the queue. The inner
            // one does not occur: a sender stays in the queue until it sends or its receiver is gone.
            Err(next) => timeout(acquire_timeout, next.recv_async()).await.ok()?.ok(),
        }
    }

    /// Takes a free lock, or queues; the receiver then gets the lock. Dropping the receiver leaves the queue.
    pub(super) fn try_lock(&self) -> Result<WriteGuard, flume::Receiver<WriteGuard>> {
        let mut queue = locked(&self.0);
        if !queue.is_locked {
            queue.is_locked = true;
            return Ok(WriteGuard(self.clone()));
        }
        // Otherwise the queue would grow for as long as one transaction holds the lock and others give up.
        queue.remove_leading_departed();
        // Tasks await a channel of flume, and the thread of group commits blocks on it.
        let (sender, next) = flume::bounded(1);
        queue.waiting.push_back(sender);
        Err(next)
    }

    /// The longest waiter; marks the lock free if there is none.
    fn next(&self) -> Option<flume::Sender<WriteGuard>> {
        let mut queue = locked(&self.0);
        queue.remove_leading_departed();
        let next = queue.waiting.pop_front();
        // The lock passes from holder to waiter without being free, so nobody overtakes the queue.
        queue.is_locked = next.is_some();
        next
    }
}

impl Queue {
    /// Removes waiters that have left from the front. Others stay until they get there.
    fn remove_leading_departed(&mut self) {
        while self
            .waiting
            .pop_front_if(|it| it.is_disconnected())
            .is_some()
        {}
    }
}

impl Drop for WriteGuard {
    fn drop(&mut self) {
        // The mutex of the queue is released before the guard is sent: dropping a refused guard takes it again.
        if let Some(next) = self.0.next() {
            // A waiter that leaves at this moment drops the guard it was sent, which passes it on.
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
    async fn lock_is_exclusive() {
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
    async fn longest_waiter_gets_the_lock() {
        let write_lock = WriteLock::default();
        let first = write_lock.lock(LONG).await.unwrap();
        let mut second = Box::pin(write_lock.lock(LONG));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        assert!(write_lock.lock(LONG).now_or_never().is_none());
        assert!(second.now_or_never().flatten().is_some());
    }

    #[tokio::test]
    async fn leaving_waiters_do_not_keep_the_lock() {
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
