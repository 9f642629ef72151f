use super::kept::{Kept, written};
use super::page::write_count;
use super::{Dialect, Statement, Writer};
use crate::guard::View;
use crate::query::ListQuery;
use crate::schema::Kind;
use crate::value::Value;

/// The name of the snapshot that a statement reads in. Two of the same name see the same rows: all
/// transactions that had ended before, and none else. A standby does not name those that were under
/// way, so there it has none.
const SNAPSHOT: &str =
    "CASE WHEN pg_is_in_recovery() THEN NULL ELSE CAST(pg_current_snapshot() AS text) END";

/// A total, and the snapshot in which it was counted.
#[cfg(any(feature = "postgres", test))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownTotal {
    pub(crate) snapshot: String,
    pub(crate) total: u64,
}

/// A statement that tells a total.
///
/// On PostgreSQL the name of the snapshot stands in a column behind it, and what is known is told
/// again by the server, instead of counted, where it is of that snapshot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Count {
    statement: Statement,
    /// Where the name of the known snapshot is bound, and behind it its total.
    known: Option<usize>,
}

impl Count {
    /// What `write` writes, which answers where the known total is bound.
    pub(super) fn written(
        dialect: Dialect,
        kept: Option<&Kept>,
        write: impl FnOnce(&mut Writer) -> Option<usize>,
    ) -> Self {
        let mut known = None;
        let statement = written(dialect, kept, |writer| known = write(writer));
        Self { statement, known }
    }

    /// Counts.
    #[cfg(any(feature = "sqlite", test))]
    pub(crate) const fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Counts unless `known` is still so.
    #[cfg(any(feature = "postgres", test))]
    pub(crate) fn unless(&self, known: Option<&KnownTotal>) -> Statement {
        let mut statement = self.statement.clone();
        if let (Some(known), Some(index)) = (known, self.known)
            && let Some([snapshot, total]) = statement.binds.get_mut(index..index + 2)
        {
            snapshot.value = Value::Text(known.snapshot.clone());
            total.value = Value::Integer(i64::try_from(known.total).unwrap_or(i64::MAX));
        }
        statement
    }
}

/// Counts what `query` finds. Answers where the known total is bound.
pub(super) fn write_counted(
    writer: &mut Writer,
    view: View<'_>,
    query: &ListQuery,
) -> Option<usize> {
    if writer.dialect() == Dialect::Sqlite {
        write_count(writer, view, query);
        return None;
    }
    writer.sql("SELECT ");
    let known = write_total(writer, view, query);
    writer.sql(", ");
    write_snapshot(writer);
    Some(known)
}

/// Answers where the known total is bound.
pub(super) fn write_total(writer: &mut Writer, view: View<'_>, query: &ListQuery) -> usize {
    writer.sql("CASE WHEN ").sql(SNAPSHOT).sql(" = ");
    let known = writer.bound();
    writer
        .bind(Kind::Text, Value::Null)
        .sql(" THEN ")
        .bind(Kind::BigInteger, Value::Null)
        .sql(" ELSE (");
    write_count(writer, view, query);
    writer.sql(") END");
    known
}

pub(super) fn write_snapshot(writer: &mut Writer) {
    writer.sql(SNAPSHOT);
}
