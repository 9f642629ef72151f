//! Threads that have connections, and the wait for their end.

use std::io;
use std::thread::{self, Builder, ThreadId};
use std::time::Duration;

/// How long the end of threads is waited for: a hook that formats items may never return.
const PATIENCE: Duration = Duration::from_secs(10);

/// Threads that are waited for when this is dropped, behind the queue whose end ends them.
#[derive(Debug)]
pub(super) struct Threads {
    ids: Vec<ThreadId>,
    ended: flume::Receiver<()>,
}

impl Threads {
    /// Starts threads of this name, each with its own `work`.
    pub(super) fn start<W: FnOnce() + Send + 'static>(
        name: &str,
        works: impl IntoIterator<Item = W>,
    ) -> io::Result<Self> {
        let (running, ended) = flume::bounded(1);
        let start = |work: W| {
            let running = running.clone();
            let run = move || {
                work();
                drop(running);
            };
            let thread = Builder::new().name(name.to_owned()).spawn(run)?;
            Ok(thread.thread().id())
        };
        let ids = works.into_iter().map(start).collect::<io::Result<_>>()?;
        Ok(Self { ids, ended })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A read may hold the last clone of a database, and then drops it on a thread of its own.
        if !self.ids.contains(&thread::current().id()) {
            // Nothing is ever sent: it ends with the last thread.
            let _ = self.ended.recv_timeout(PATIENCE);
        }
    }
}
