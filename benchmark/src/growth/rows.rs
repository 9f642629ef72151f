//! Rows of the growth benchmark: what was measured, at which size, and its cost.

use serde::Serialize;

/// The cost of a page, a total or a crowd of clients for a subject.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) database: &'static str,
    pub(crate) measured: Measured,
    /// The offset, the number of rows, or the items of a page.
    pub(crate) size: u64,
    pub(crate) subject: &'static str,
    pub(crate) cpu_us: Option<f64>,
    pub(crate) server_cpu_us: Option<f64>,
    pub(crate) memory_kb: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Measured {
    /// A page of ten at an offset.
    Page,
    /// A page of ten by cursor, in the order of the key.
    Cursor,
    /// The same in the order of an index.
    NamedCursor,
    /// A total of the rows.
    Total,
    /// A total of the rows, where every other request changes one.
    ChangedTotal,
    /// Many pages of a thousand at once, above idle.
    Memory,
}

impl Row {
    /// The ratio of a page by cursor to the first page of its kind, with what the server computes.
    pub(super) fn of_first(&self, rows: &[Self]) -> Option<f64> {
        let cpu = |row: &Self| Some(row.cpu_us? + row.server_cpu_us.unwrap_or_default());
        let kind = |row: &Self| (row.database, row.measured);
        let first = rows.iter().find(|row| kind(row) == kind(self))?;
        let is_by_cursor = matches!(self.measured, Measured::Cursor | Measured::NamedCursor);
        is_by_cursor.then_some(cpu(self)? / cpu(first)?)
    }
}

impl Measured {
    pub(super) const fn heading(self) -> &'static str {
        match self {
            Self::Page => "page of 10 at the offset",
            Self::Cursor => "page of 10 by cursor, so many rows before it",
            Self::NamedCursor => {
                "page of 10 by cursor in the order of an index, so many rows before it"
            }
            Self::Total => "total of so many rows",
            Self::ChangedTotal => "total of so many rows, every other request a change of one",
            Self::Memory => "peak of 32 clients at once, of each page",
        }
    }
}
