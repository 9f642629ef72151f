//! The progress of a read on a thread, for the request that waits for it.

use std::fmt::{self, Debug, Formatter};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use resource_model::error::DatabaseResult;
use rusqlite::{Connection, InterruptHandle};

use super::interrupt::timeout_failure;
use crate::locked::locked;
use crate::store::sqlite::failure::of_reader;

/// A statement that reads nothing, kept open during a count.
const NO_OP: &str = "SELECT 1";

/// The stage of a read on a thread, and the handle to interrupt it.
#[derive(Debug, Default)]
pub(super) struct Progress(Mutex<Stage>);

#[derive(Default)]
enum Stage {
    #[default]
    Queued,
    Begun(Instant),
    /// In a count. One of all rows never calls the progress handler and ends early only by an interrupt.
    Counting(Instant, InterruptHandle),
    Ended,
}

impl Progress {
    pub(super) fn begin(&self) {
        self.advance(Stage::Begun);
    }

    /// Records that the read has ended, before its reader is lent again.
    pub(super) fn end(&self) {
        *locked(&self.0) = Stage::Ended;
    }

    /// Cancels the read. The interrupt is sent under the lock, and only during a count, so that it can never hit the
    /// next read on the same connection.
    pub(super) fn cancel(&self) {
        let mut stage = locked(&self.0);
        if let Stage::Counting(_, interrupt) = &*stage {
            interrupt.interrupt();
        }
        *stage = Stage::Ended;
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(*locked(&self.0), Stage::Ended)
    }

    /// Moment at which the read times out: `deadline`, or `limit` after its beginning if that is earlier. A `limit` of
    /// zero is none.
    pub(super) fn times_out_at(&self, limit: Duration, deadline: Instant) -> Instant {
        let since = match &*locked(&self.0) {
            Stage::Begun(since) | Stage::Counting(since, _) => *since,
            // A read that has not begun has its whole limit left; the request asks again.
            Stage::Queued | Stage::Ended => Instant::now(),
        };
        // A limit beyond the range of the clock is none.
        let limited = since.checked_add(limit).filter(|_| !limit.is_zero());
        limited.map_or(deadline, |limited| limited.min(deadline))
    }

    /// Executes `count` so that [`cancel`](Self::cancel) interrupts it.
    pub(super) fn run_count<T>(
        &self,
        connection: &Connection,
        count: impl FnOnce() -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        // SQLite ignores an interrupt while no statement runs. This open statement keeps one that arrives
        // between the change of the stage and the start of the count.
        let mut no_op = connection.prepare_cached(NO_OP).map_err(of_reader)?;
        let mut rows = no_op.query([]).map_err(of_reader)?;
        rows.next().map_err(of_reader)?;
        let interrupt = connection.get_interrupt_handle();
        // The request left before the count, when no interrupt could be sent, so the count must not start.
        if !self.advance(|since| Stage::Counting(since, interrupt)) {
            return Err(timeout_failure());
        }
        let total = count();
        // The stage ends before the open statement does: no interrupt is sent from here on, and SQLite
        // forgets an earlier one as soon as none of its statements runs.
        self.advance(Stage::Begun);
        total
    }

    /// Enters the next stage with the time of the read's beginning; false if the read has ended.
    fn advance(&self, next: impl FnOnce(Instant) -> Stage) -> bool {
        let mut stage = locked(&self.0);
        let since = match &*stage {
            Stage::Queued => Instant::now(),
            Stage::Begun(since) | Stage::Counting(since, _) => *since,
            // Only a cancelled read can have ended here.
            Stage::Ended => return false,
        };
        *stage = next(since);
        true
    }
}

impl Debug for Stage {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Queued => "Queued",
            Self::Begun(_) => "Begun",
            Self::Counting(..) => "Counting",
            Self::Ended => "Ended",
        })
    }
}
