//! Threads that own connections, and the wait for their end.

use std::io;
use std::thread::{self, Builder, ThreadId};
use std::time::Duration;

/// Longest wait for the end of threads: a format hook of the developer may never return.
const JOIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Threads that end with their queue. Drop waits for them, so the queue must be dropped before.
#[derive(Debug)]
pub(super) struct Threads {
    ids: Vec<ThreadId>,
    ended: flume::Receiver<()>,
}

impl Threads {
    /// Starts threads of this name, one for each body.
    pub(super) fn start<F: FnOnce() + Send + 'static>(
        name: &str,
        bodies: impl IntoIterator<Item = F>,
    ) -> io::Result<Self> {
        let (running, ended) = flume::bounded(1);
        let start = |body: F| {
            let running = running.clone();
            let run = move || {
                body();
                // The body is gone, and with it the connection that it owned.
                drop(running);
            };
            let thread = Builder::new().name(name.to_owned()).spawn(run)?;
            Ok(thread.thread().id())
        };
        let ids = bodies.into_iter().map(start).collect::<io::Result<_>>()?;
        // The first sender is dropped here, so only running threads keep the channel open.
        Ok(Self { ids, ended })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A read may drop the last clone of a database on one of these threads, which cannot wait for itself.
        if !self.ids.contains(&thread::current().id()) {
            // Nothing is ever sent: the channel closes when the last thread drops its sender.
            let _ = self.ended.recv_timeout(JOIN_TIMEOUT);
        }
    }
}
