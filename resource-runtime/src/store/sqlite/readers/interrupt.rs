//! Time limits of reads, and protection of the threads from panics in format hooks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult, panic_text};

use super::Reader;
use super::progress::Progress;
use crate::store::sqlite::failure::of_reader;

/// Instructions of SQLite's virtual machine between two calls of the progress handler: usually microseconds, more
/// where they match patterns in long texts.
const CHECK_EVERY: i32 = 1000;

/// Instructions between two calls in an inline read.
const CHECK_INLINE_EVERY: i32 = 100;

/// Time limit of an inline read, during which other tasks of the thread wait.
const INLINE_LIMIT: Duration = Duration::from_micros(100);

/// Reads on a thread. The read is interrupted at `deadline`, or when it is cancelled; a locked file is waited for
/// until the deadline.
pub(super) fn run_until<T>(
    deadline: Instant,
    progress: &Arc<Progress>,
    reader: &Reader,
    read: impl FnOnce(&Reader) -> DatabaseResult<T>,
) -> DatabaseResult<T> {
    let left = deadline.saturating_duration_since(Instant::now());
    // The read waited in its queue until the deadline, when its request was answered with 503.
    if left.is_zero() {
        return Err(timeout_failure());
    }
    progress.begin();
    let of_handler = Arc::clone(progress);
    let must_stop = move || of_handler.has_ended() || Instant::now() > deadline;
    // The reader needs it for a count, which only the task of the request can interrupt.
    reader.progress.replace(Some(Arc::clone(progress)));
    let result = interruptible(must_stop, CHECK_EVERY, left, reader, read);
    // Reached after a panic, too, since that is caught.
    reader.progress.replace(None);
    progress.end();
    result
}

/// Reads on the task of the request; `None` if that takes too long or the file is locked.
pub(super) fn run_inline<T>(
    reader: &Reader,
    read: impl FnOnce(&Reader) -> DatabaseResult<T>,
) -> Option<DatabaseResult<T>> {
    let deadline = Instant::now() + INLINE_LIMIT;
    let is_late = move || Instant::now() > deadline;
    // A busy timeout would block the thread of the runtime, so it is zero.
    match interruptible(is_late, CHECK_INLINE_EVERY, Duration::ZERO, reader, read) {
        // A thread repeats the read, with time to wait for a lock.
        Err(DatabaseFailure::Unavailable(_)) => None,
        result => Some(result),
    }
}

/// Reads, and interrupts the read once `must_stop`, called every so many instructions, returns true.
pub(super) fn interruptible<T>(
    must_stop: impl FnMut() -> bool + Send + 'static,
    instructions: i32,
    busy_timeout: Duration,
    reader: &Reader,
    read: impl FnOnce(&Reader) -> DatabaseResult<T>,
) -> DatabaseResult<T> {
    // Each read replaces the limits of the one before, so none are removed at its end.
    let connection = &reader.connection;
    connection
        .busy_timeout(busy_timeout)
        .and_then(|()| connection.progress_handler(instructions, Some(must_stop)))
        .map_err(of_reader)?;
    // A panic in a format hook of the developer must not end the thread.
    let read = std::panic::AssertUnwindSafe(|| read(reader));
    // Statements and transactions end with their guards, so the reader is usable after a panic.
    std::panic::catch_unwind(read).unwrap_or_else(|cause| {
        let cause = panic_text(&*cause);
        Err(DatabaseFailure::internal(format!(
            "a read panicked: {cause}"
        )))
    })
}

/// The failure of a read that took too long.
pub(super) fn timeout_failure() -> DatabaseFailure {
    DatabaseFailure::unavailable(String::from("the read took too long"))
}
