//! Readers that are free, and the threads that wait for one.

use std::sync::{Condvar, Mutex, PoisonError};

use super::Reader;
use crate::store::locked;

/// The readers that nobody reads with, and how many wait for one.
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

    /// Reads as soon as there is a reader. `read` does not panic: its reader would be lost.
    pub(super) fn lend<T>(&self, read: impl FnOnce(&Reader) -> T) -> T {
        let reader = self.take();
        let done = read(&reader);
        self.put(reader);
        done
    }

    /// Reads if there is a reader for which no thread waits.
    pub(super) fn lend_idle<T>(&self, read: impl FnOnce(&Reader) -> T) -> Option<T> {
        let reader = self.take_idle()?;
        let done = read(&reader);
        self.put(reader);
        Some(done)
    }

    fn take(&self) -> Reader {
        let mut state = locked(&self.state);
        loop {
            if let Some(reader) = state.readers.pop() {
                return reader;
            }
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
        // Waking is a call of the system, also where nobody sleeps.
        if state.waiting > 0 {
            self.returned.notify_one();
        }
    }
}
