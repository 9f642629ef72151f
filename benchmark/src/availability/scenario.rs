//! The attacks, and the rows, clients and time of each.

use std::time::Duration;

use clap::ValueEnum;

use super::attack::Attack;
use super::probe::Probe;
use super::rows::{Documents, SETTINGS};
use crate::message;
use crate::operation::new_setting;
use crate::random::Random;
use crate::stores::Backend;
use crate::subjects::attacked::IMPORT;

const PACE: Duration = Duration::from_millis(20);

/// Letters of a pattern: about as many as a filter may have.
const PATTERN: usize = 7_900;

const NO_PAUSE: Duration = Duration::ZERO;

/// Interval that is longer than any scenario: its clients come once.
const ONCE: Duration = Duration::from_hours(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// Totals of as many rows as are written in some seconds, nothing of which is in memory.
    SlowCount,
    /// Clients that ask for lists of 20 MB and read nothing of them.
    SlowReaders,
    /// Patterns of 7,900 letters, looked for in a text of a megabyte.
    Like,
    /// Commits that wait for a standby that is not there.
    Abandoned,
    /// Forty clients with a total that takes 1.8 s.
    SharedCounts,
    /// Sixteen clients whose filters have no index.
    Scans,
    /// An import by the host, in batches, while others write.
    Import,
}

impl Scenario {
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |it| it.get_name().to_owned())
    }

    /// Databases that the attack is about, unless one is named.
    pub(super) const fn stores(self) -> &'static [Backend] {
        match self {
            Self::SlowCount | Self::Scans | Self::Import => &[Backend::Sqlite],
            Self::SlowReaders => &[Backend::Sqlite, Backend::Postgres],
            Self::Like | Self::Abandoned | Self::SharedCounts => &[Backend::Postgres],
        }
    }

    /// Tells that the attack is possible on this database.
    pub(super) const fn runs_on(self, backend: Backend) -> bool {
        let is_of_a_server = matches!(self, Self::Abandoned | Self::SharedCounts);
        matches!(backend, Backend::Postgres) || !is_of_a_server
    }

    pub(super) const fn length(self) -> Duration {
        match self {
            Self::Abandoned => Duration::from_secs(20),
            _ => Duration::from_secs(15),
        }
    }

    pub(super) const fn documents(self) -> Documents {
        match self {
            Self::SlowCount => Documents::in_time(400, Duration::from_secs(12)),
            Self::SlowReaders => Documents::of(20, 1_000_000),
            Self::Like => Documents::of(1, 1_000_000),
            Self::Scans => Documents::of(1_000_000, 200),
            Self::Abandoned | Self::SharedCounts | Self::Import => Documents::of(100, 100),
        }
    }

    /// Clients that attack; `readers` is the number of slow ones.
    pub(super) fn attacks(self, readers: usize) -> Vec<Attack> {
        match self {
            // Each write invalidates the total that was counted before it.
            Self::SlowCount => vec![
                asking(1, "/api/1.0/documents?limit=1"),
                Attack::Asking(1, Duration::from_millis(500), Box::new(creation)),
            ],
            Self::SlowReaders => vec![holding(readers, ONCE, "/api/1.0/documents?limit=20")],
            Self::Like => vec![holding(9, Duration::from_millis(4500), &like())],
            Self::Abandoned => vec![Attack::Asking(20, NO_PAUSE, Box::new(creation))],
            Self::SharedCounts => vec![asking(40, "/api/1.0/documents?limit=0")],
            Self::Scans => vec![asking(
                16,
                "/api/1.0/documents?filter=eq(text,%22nothing%22)",
            )],
            Self::Import => vec![Attack::Asking(
                1,
                NO_PAUSE,
                Box::new(|_| message::post(IMPORT, "", message::JSON, "")),
            )],
        }
    }

    /// Other clients, whose answers the attack may delay.
    pub(super) fn probes(self) -> Vec<Probe> {
        let retrieve = match self {
            Self::SlowReaders => Duration::from_millis(50),
            _ => Duration::from_millis(250),
        };
        let mut probes = vec![
            Probe {
                name: "livez",
                every: PACE,
                allowed: Duration::from_millis(50),
                request: |_| message::get("/livez", ""),
            },
            Probe {
                name: "retrieve",
                every: PACE,
                allowed: retrieve,
                request: retrieval,
            },
        ];
        if self == Self::Import {
            probes.push(Probe {
                name: "create",
                every: PACE * 5,
                allowed: Duration::from_secs(3),
                request: creation,
            });
        }
        probes
    }
}

fn asking(clients: usize, path: &str) -> Attack {
    let request = message::get(path, "");
    Attack::Asking(clients, NO_PAUSE, Box::new(move |_| request.clone()))
}

fn holding(clients: usize, every: Duration, path: &str) -> Attack {
    let request = message::get(path, "");
    Attack::Holding(clients, every, Box::new(move |_| request.clone()))
}

/// A request for a pattern that texts of one letter match everywhere but at its end.
fn like() -> String {
    let letters = "a".repeat(PATTERN);
    format!("/api/1.0/documents?filter=like(text,%22%25{letters}b%25%22)")
}

fn retrieval(random: &mut Random) -> String {
    let id = random.below(SETTINGS) + 1;
    message::get(&format!("/api/1.0/settings/{id}"), "")
}

fn creation(_: &mut Random) -> String {
    message::post("/api/1.0/settings", "", message::JSON, &new_setting())
}
