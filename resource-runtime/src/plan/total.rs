#[cfg(any(feature = "postgres", test))]
use super::Alias;
use super::kept::{Kept, written};
use super::page::write_count;
use super::{Dialect, Statement, Writer};
use crate::guard::View;
use crate::query::ListQuery;
use crate::schema::Kind;
use crate::value::Value;

/// The name of the snapshot that a statement reads in. Two of the same name see the same rows: all
/// transactions that had ended before, and none else. Only servers of one start count on from the
/// same transactions: one that takes the place of another may give the same numbers to others.
const SNAPSHOT: &str = "concat(pg_postmaster_start_time(), ' ', pg_current_snapshot())";

/// The name of the process that carries a statement out. While it lives, its server loses nothing
/// that was committed: a crash ends all processes, though not the server's start.
const PROCESS: &str = "pg_backend_pid()";

/// A total, and where the server may tell it again instead of counting.
#[cfg(any(feature = "postgres", test))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownTotal {
    /// What the server told: the total, and the names of its process and its snapshot.
    pub(crate) told: String,
    pub(crate) snapshot: String,
    /// The processes that were there before it was told, each between two spaces.
    pub(crate) processes: String,
}

/// A statement that tells a total.
///
/// On PostgreSQL it is a text, behind it the names of the process and the snapshot, and what is known
/// is told again by the server, instead of counted, where it is of that snapshot. A standby does not
/// name the transactions that were under way, so there it is the total alone.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Count {
    statement: Statement,
    /// Where the name of the known snapshot is bound, and behind it the rest of what is known.
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
            && let Some([snapshot, processes, told]) = statement.binds.get_mut(index..index + 3)
        {
            snapshot.value = Value::Text(known.snapshot.clone());
            processes.value = Value::Text(known.processes.clone());
            told.value = Value::Text(known.told.clone());
        }
        statement
    }
}

/// Reads `rows`, or one row that tells nothing, while `known` is still so; else none, and counts nothing.
#[cfg(any(feature = "postgres", test))]
pub(crate) fn while_known(rows: Option<&Statement>, known: &KnownTotal) -> Statement {
    let mut writer = Writer::new(Dialect::Postgres);
    writer.sql("SELECT ");
    if let Some(rows) = rows {
        writer.alias(Alias::Rows).sql(".* FROM (").statement(rows);
        writer.sql(") AS ").alias(Alias::Rows);
    } else {
        writer.sql("1");
    }
    writer.sql(" WHERE ");
    let [snapshot, processes] = [&known.snapshot, &known.processes].map(Clone::clone);
    write_is_so(&mut writer, Value::Text(snapshot), Value::Text(processes));
    writer.finish()
}

/// Tests for the known snapshot, and for one of the processes that were there before.
fn write_is_so(writer: &mut Writer, snapshot: Value, processes: Value) {
    writer.sql(SNAPSHOT).sql(" = ").bind(Kind::Text, snapshot);
    writer.sql(" AND strpos(").bind(Kind::Text, processes);
    writer.sql(", concat(' ', ").sql(PROCESS).sql(", ' ')) > 0");
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
    Some(write_total(writer, view, query))
}

/// Answers where the known total is bound.
pub(super) fn write_total(writer: &mut Writer, view: View<'_>, query: &ListQuery) -> usize {
    writer.sql("CASE WHEN ");
    let known = writer.bound();
    write_is_so(writer, Value::Null, Value::Null);
    writer
        .sql(" THEN ")
        .bind(Kind::Text, Value::Null)
        .sql(" ELSE concat((");
    write_count(writer, view, query);
    writer
        .sql("), CASE WHEN NOT pg_is_in_recovery() THEN concat(' ', ")
        .sql(PROCESS)
        .sql(", ' ', ")
        .sql(SNAPSHOT)
        .sql(") END) END");
    known
}
