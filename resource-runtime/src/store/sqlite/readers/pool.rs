//! Idle readers, and the threads that wait for one.

use std::sync::{Condvar, Mutex, PoisonError};

use super::Reader;
use crate::locked::locked;

/// A pool of readers.
#[derive(Debug, Default)]
pub(super) struct ReaderPool {
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Debug, Default)]
struct State {
    readers: Vec<Reader>,
    waiting: usize,
}

impl ReaderPool {
    pub(super) fn of(readers: Vec<Reader>) -> Self {
        let waiting = 0;
        Self {
            state: Mutex::new(State { readers, waiting }),
            returned: Condvar::new(),
        }
    }

    /// Waits for a reader. `read` must not panic: the pool would lose the reader.
    pub(super) fn lend<T>(&self, read: impl FnOnce(&Reader) -> T) -> T {
        let reader = self.take();
        let result = read(&reader);
        self.put(reader);
        result
    }

    /// Reads if a reader is idle and no thread waits for one.
    pub(super) fn lend_idle<T>(&self, read: impl FnOnce(&Reader) -> T) -> Option<T> {
        let reader = self.take_idle()?;
        let result = read(&reader);
        self.put(reader);
        Some(result)
    }

    fn take(&self) -> Reader {
        let mut state = locked(&self.state);
        loop {
            // Tested after each wait, too: it may end early, or another thread may take the reader.
            if let Some(reader) = state.readers.pop() {
                return reader;
            }
            // Counted while it waits, so that no inline read takes the reader that is returned next.
            state.waiting += 1;
            let woken = self.returned.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn take_idle(&self) -> Option<Reader> {
        let mut state = locked(&self.state);
        (state.waiting == 0).then(|| state.readers.pop())?
    }

    fn put(&self, reader: Reader) {
        let mut state = locked(&self.state);
        state.readers.push(reader);
        // A notification costs a system call even if no thread waits.
        if state.waiting > 0 {
            self.returned.notify_one();
        }
    }
}
