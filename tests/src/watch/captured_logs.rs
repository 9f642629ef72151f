//! Captured logs, in which tests read the lines of a service.

use std::sync::{Arc, Mutex, Weak};

use super::{listener, state};

/// Lines that are logged from some moment on, by this test and by concurrent ones.
#[derive(Debug)]
pub struct Log(Arc<Mutex<String>>);

/// Captures what is logged from now on.
pub fn keep() -> Log {
    listener::listen();
    state::keep()
}

impl Log {
    /// The lines that were logged so far.
    #[must_use]
    pub fn text(&self) -> String {
        self.0
            .lock()
            .expect("nothing panics under this lock")
            .clone()
    }
}

/// The captured logs, each until its test drops it.
#[derive(Debug, Default)]
pub(super) struct Kept(Vec<Weak<Mutex<String>>>);

impl Kept {
    pub(super) fn open(&mut self) -> Log {
        let log = Log(Arc::default());
        self.0.push(Arc::downgrade(&log.0));
        log
    }

    pub(super) fn add(&mut self, line: &str) {
        self.0.retain(|log| {
            let log = log.upgrade();
            if let Some(log) = &log {
                let mut text = log.lock().expect("nothing panics under this lock");
                text.push_str(line);
                text.push('\n');
            }
            log.is_some()
        });
    }
}
