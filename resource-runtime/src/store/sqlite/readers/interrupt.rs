//! How long a read may take, and what becomes of one that panics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult, panic_text};

use super::Reader;
use super::progress::Progress;
use crate::store::sqlite::failure::of_reader;

/// Instructions of SQLite's machine between two looks at the clock: microseconds as a rule, more
/// where they match patterns in long texts.
const CHECK_EVERY: i32 = 1000;

/// The same for who must not take long.
const CHECK_INLINE_EVERY: i32 = 100;

/// How long a task may read where it runs: other tasks wait meanwhile.
const INLINE_LIMIT: Duration = Duration::from_micros(100);

/// Reads until `deadline` at the most, and for no longer than somebody waits: SQLite is
/// interrupted where it would go on. A file that is locked is waited for until the deadline.
pub(super) fn run_until<T>(
    deadline: Instant,
    progress: &Arc<Progress>,
    reader: &Reader,
    read: impl FnOnce(&Reader) -> DatabaseResult<T>,
) -> DatabaseResult<T> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(overdue());
    }
    progress.begin();
    let asked = Arc::clone(progress);
    let is_over = move || asked.is_over() || Instant::now() > deadline;
    reader.progress.replace(Some(Arc::clone(progress)));
    let done = bounded(is_over, CHECK_EVERY, left, reader, read);
    reader.progress.replace(None);
    progress.end();
    done
}

/// Reads what can be read right now; `None` where that would take longer than others are to wait.
pub(super) fn run_inline<T>(
    reader: &Reader,
    read: impl FnOnce(&Reader) -> DatabaseResult<T>,
) -> Option<DatabaseResult<T>> {
    let deadline = Instant::now() + INLINE_LIMIT;
    let is_late = move || Instant::now() > deadline;
    match bounded(is_late, CHECK_INLINE_EVERY, Duration::ZERO, reader, read) {
        Err(DatabaseFailure::Unavailable(_)) => None,
        done => Some(done),
    }
}

pub(super) fn bounded<T>(
    is_over: impl FnMut() -> bool + Send + 'static,
    instructions: i32,
    acquire_timeout: Duration,
    reader: &Reader,
    read: impl FnOnce(&Reader) -> DatabaseResult<T>,
) -> DatabaseResult<T> {
    let connection = &reader.connection;
    connection
        .busy_timeout(acquire_timeout)
        .and_then(|()| connection.progress_handler(instructions, Some(is_over)))
        .map_err(of_reader)?;
    // A read runs the format hooks of the developer, whose panics must not end the thread.
    let read = std::panic::AssertUnwindSafe(|| read(reader));
    std::panic::catch_unwind(read).unwrap_or_else(|cause| {
        let cause = panic_text(&*cause);
        Err(DatabaseFailure::internal(format!(
            "a read panicked: {cause}"
        )))
    })
}

pub(super) fn overdue() -> DatabaseFailure {
    DatabaseFailure::unavailable(String::from("the read took too long"))
}
