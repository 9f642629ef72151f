//! Rows of the growth benchmark: what was measured, at which size, and its cost.

use serde::Serialize;

use crate::stores::Backend;

/// The cost of a page, a total or a crowd of clients for a subject.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) database: &'static str,
    pub(crate) measured: Measured,
    /// The offset, or the number of rows.
    pub(crate) size: u64,
    pub(crate) subject: &'static str,
    pub(crate) cpu_us: Option<f64>,
    pub(crate) server_cpu_us: Option<f64>,
    /// The ratio to what it is compared with in the same turn.
    pub(crate) ratio: Option<f64>,
    pub(crate) memory_kb: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Measured {
    /// A page of ten at an offset.
    Page,
    /// A row by its key.
    Retrieve,
    /// Pages of ten by cursor, in the order of the key.
    FirstPage,
    MiddlePage,
    LastPage,
    /// The same in the order of an index.
    FirstNamedPage,
    MiddleNamedPage,
    LastNamedPage,
    /// Ten of the eleven rows that an index finds, and their total.
    Filter,
    /// The rows with a value that has no index.
    Scan,
    /// A total of all rows.
    Total,
    /// The same after a change of a row.
    ChangedTotal,
    /// Many pages of a thousand at once, above idle.
    Memory,
}

impl Measured {
    pub(super) const ALL: [Self; 13] = [
        Self::Page,
        Self::Retrieve,
        Self::FirstPage,
        Self::MiddlePage,
        Self::LastPage,
        Self::FirstNamedPage,
        Self::MiddleNamedPage,
        Self::LastNamedPage,
        Self::Filter,
        Self::Scan,
        Self::Total,
        Self::ChangedTotal,
        Self::Memory,
    ];

    pub(super) const fn heading(self) -> &'static str {
        match self {
            Self::Page => "page of 10 at an offset",
            Self::Retrieve => "retrieve",
            Self::FirstPage => "second page of 10 by cursor",
            Self::MiddlePage => "page in the middle",
            Self::LastPage => "last page",
            Self::FirstNamedPage => "second page in the order of an index",
            Self::MiddleNamedPage => "page in the middle, by index",
            Self::LastNamedPage => "last page, by index",
            Self::Filter => "10 of 11 rows found by an index",
            Self::Scan => "filter without an index",
            Self::Total => "total",
            Self::ChangedTotal => "total after a change",
            Self::Memory => "peak of 32 clients, 1,000 rows each",
        }
    }

    /// The other side of the ratio.
    pub(super) const fn compared(self) -> &'static str {
        match self {
            Self::ChangedTotal => "of the quiet one",
            _ => "of the smallest table's",
        }
    }

    /// The greatest ratio that is wanted.
    pub(super) fn at_most(self, database: &str) -> Option<f64> {
        match self {
            Self::Page | Self::Scan | Self::Total | Self::Memory => None,
            // Totals follow the changes there: none is a count, which takes a thousand times as long. A commit empties the
            // cache of pages, and a few of them are read again.
            Self::ChangedTotal => (database == Backend::Sqlite.name()).then_some(2.0),
            // Each of the rows is on a page of its own, which SQLite reads by a system call where its cache lacks it, as it
            // does in all tables but the smallest. Mapped files save the call, but a disk that fails then ends the process.
            Self::Filter if database == Backend::Sqlite.name() => Some(1.6),
            _ => Some(1.3),
        }
    }
}
