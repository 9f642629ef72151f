//! The state of knowledge when a total is asked for: the last total, and the server processes seen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sql::KnownTotal;

/// How long a count takes at least that costs more than the question whether it may be remembered.
const DEAR: Duration = Duration::from_millis(1);

/// How many bytes of names of processes are remembered: far more than a pool has connections.
const NAMES: usize = 4096;

/// Processes of one server, by the moment of its start.
#[derive(Debug, Clone, Default)]
pub(super) struct Processes {
    server: String,
    /// Each between two spaces.
    pub(super) names: String,
}

/// The state of knowledge when a total was asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) at: Instant,
    pub(super) seen: Arc<Processes>,
    /// The total that was counted last.
    pub(super) last: Option<Arc<KnownTotal>>,
    pub(super) is_steady: Option<bool>,
}

impl Asked {
    /// The last total, where nothing but transactions changes it: the server judges whether one has ended.
    pub(super) fn known(&self) -> Option<&KnownTotal> {
        let last = self.last.as_deref();
        last.filter(|_| self.is_steady == Some(true))
    }

    pub(super) fn is_told_again(&self, told: &str) -> bool {
        self.known().is_some_and(|known| known.told == told)
    }

    /// Tests that nothing but transactions changes the total, where that is known: another process may
    /// see less in a snapshot of the same name.
    pub(super) fn is_steady(&self, told: &str) -> Option<bool> {
        let is_steady = self.is_steady?;
        let is_same = if is_steady {
            self.is_told_again(told)
        } else {
            self.is_unchanged(told)
        };
        is_same.then_some(is_steady)
    }

    /// Tests that the question pays whether the total may be remembered: counting took longer than
    /// asking does, or the server is so quiet that nothing has changed since the last time.
    pub(super) fn is_worth_a_question(&self, told: &str) -> bool {
        names(told).is_some() && (self.at.elapsed() >= DEAR || self.is_unchanged(told))
    }

    fn is_unchanged(&self, told: &str) -> bool {
        let last = self.last.as_ref().map(|it| it.snapshot.as_str());
        names(told).is_some_and(|(_, snapshot)| last == Some(snapshot))
    }
}

impl Processes {
    /// These and another of the server of this snapshot, which may have taken the place of theirs.
    pub(super) fn with(mut these: Arc<Self>, process: &str, snapshot: &str) -> Arc<Self> {
        let server = snapshot.rsplit_once(' ').map_or("", |(server, _)| server);
        if these.server != server || these.names.len() > NAMES {
            these = Arc::new(Self {
                server: server.to_owned(),
                names: " ".to_owned(),
            });
        }
        if !these.names.contains(&format!(" {process} ")) {
            let names = &mut Arc::make_mut(&mut these).names;
            names.push_str(process);
            names.push(' ');
        }
        these
    }
}

/// The process and the snapshot that are named behind a total, where they are.
pub(super) fn names(told: &str) -> Option<(&str, &str)> {
    let (_, names) = told.split_once(' ')?;
    names.split_once(' ')
}
