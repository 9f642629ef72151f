//! A read on a thread, as whoever waits for it sees it.

use std::fmt::{self, Debug, Formatter};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use resource_model::error::DatabaseResult;
use rusqlite::{Connection, InterruptHandle};

use super::interrupt::overdue;
use crate::store::locked;
use crate::store::sqlite::failure::of_reader;

/// A statement to have under way, which reads nothing.
const UNDER_WAY: &str = "SELECT 1";

/// How far a read on a thread has come, and the means to end it.
#[derive(Debug, Default)]
pub(super) struct Progress(Mutex<Stage>);

#[derive(Default)]
enum Stage {
    #[default]
    Queued,
    Begun(Instant),
    /// Within a statement that nothing ends but an interruption.
    Counting(Instant, InterruptHandle),
    Over,
}

impl Progress {
    pub(super) fn begin(&self) {
        self.go_on(Stage::Begun);
    }

    /// Notes down that the read has ended, before its reader is lent again.
    pub(super) fn end(&self) {
        *locked(&self.0) = Stage::Over;
    }

    /// Ends the read, which nobody waits for any more. The next one on the same connection is never
    /// interrupted: a read that has ended is known here to have ended.
    pub(super) fn give_up(&self) {
        let mut stage = locked(&self.0);
        if let Stage::Counting(_, interrupt) = &*stage {
            interrupt.interrupt();
        }
        *stage = Stage::Over;
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(*locked(&self.0), Stage::Over)
    }

    /// The moment at which the read has taken too long, which may take until `deadline`, and from its
    /// beginning as long as `limit`, where that is not zero.
    pub(super) fn overdue_at(&self, limit: Duration, deadline: Instant) -> Instant {
        let since = match &*locked(&self.0) {
            Stage::Begun(since) | Stage::Counting(since, _) => *since,
            Stage::Queued | Stage::Over => Instant::now(),
        };
        let limited = since.checked_add(limit).filter(|_| !limit.is_zero());
        limited.map_or(deadline, |limited| limited.min(deadline))
    }

    /// Carries out `count`, which asks nobody while it counts whether it takes too long.
    pub(super) fn counting<T>(
        &self,
        connection: &Connection,
        count: impl FnOnce() -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        // SQLite forgets an interruption that finds no statement under way. This one is, so that none
        // is lost between the question whether the read is over and the beginning of the count.
        let mut under_way = connection.prepare_cached(UNDER_WAY).map_err(of_reader)?;
        let mut rows = under_way.query([]).map_err(of_reader)?;
        rows.next().map_err(of_reader)?;
        let interrupt = connection.get_interrupt_handle();
        if !self.go_on(|since| Stage::Counting(since, interrupt)) {
            return Err(overdue());
        }
        let counted = count();
        self.go_on(Stage::Begun);
        counted
    }

    /// Enters the next stage of a read that began at a moment, unless it is over.
    fn go_on(&self, next: impl FnOnce(Instant) -> Stage) -> bool {
        let mut stage = locked(&self.0);
        let since = match &*stage {
            Stage::Queued => Instant::now(),
            Stage::Begun(since) | Stage::Counting(since, _) => *since,
            Stage::Over => return false,
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
            Self::Over => "Over",
        })
    }
}
