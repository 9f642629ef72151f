//! Cached totals on PostgreSQL, which repeats one instead of counting where nothing has changed since.
//!
//! A total is told as a text, and behind it the names of the process and the snapshot of its count. A
//! standby does not name the transactions that were under way, so there it is the total alone.

use resource_model::schema::Kind;
use resource_model::value::Value;

use crate::page::{Matching, PageQuery, integer};
use crate::{Alias, Dialect, SqlWriter, Statement};

/// The name of the snapshot that a statement reads in. Two of the same name see the same rows: those of all
/// transactions that had ended before, and of no others. The start of the server is part of the name,
/// because one that takes the place of another may give the same numbers to other transactions.
const SNAPSHOT: &str = "concat(pg_postmaster_start_time(), ' ', pg_current_snapshot())";

/// The name of the process that executes a statement. While it lives, its server loses nothing that was
/// committed: a crash ends all processes, though not the server's start.
const PROCESS: &str = "pg_backend_pid()";

/// A total that the server counted before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedTotal {
    /// The total, and the names of its process and its snapshot.
    pub told: String,
    /// The name of the snapshot.
    pub snapshot: String,
    /// The processes that were there before the total was told, each between two spaces.
    pub processes: String,
}

impl Matching {
    /// The total, counted unless `known` is still true.
    pub fn total(&self, known: Option<&CachedTotal>) -> Statement {
        let mut writer = self.writer();
        writer.sql("SELECT ");
        self.write_total(&mut writer, known);
        writer.finish()
    }

    fn write_total(&self, writer: &mut SqlWriter, known: Option<&CachedTotal>) {
        writer.sql("CASE WHEN ");
        write_is_so(writer, known);
        writer
            .sql(" THEN ")
            .bind(Kind::Text, text(known.map(|it| &it.told)))
            .sql(" ELSE concat((");
        self.write_count(writer);
        writer
            .sql("), CASE WHEN NOT pg_is_in_recovery() THEN concat(' ', ")
            .sql(PROCESS)
            .sql(", ' ', ")
            .sql(SNAPSHOT)
            .sql(") END) END");
    }
}

impl PageQuery {
    /// The rows, and in a last column, null in all but the last row of a full page, the total: one
    /// statement is one snapshot, and one answer of a server that may be far away.
    ///
    /// The count begins only at the last row, which a page that is not full does not have.
    pub fn rows_with_total(&self, known: Option<&CachedTotal>) -> Option<Statement> {
        let rows = self.rows.as_ref()?;
        let mut writer = SqlWriter::beginning_with(Dialect::Postgres, rows.binds());
        writer.sql("SELECT ").alias(Alias::Rows).sql(".*, ");
        writer
            .sql("CASE WHEN row_number() OVER () = ")
            .bind_integer(integer(self.limit))
            .sql(" THEN ");
        self.matching.write_total(&mut writer, known);
        writer.sql(" END FROM (").statement(rows);
        writer.sql(") AS ").alias(Alias::Rows);
        Some(writer.finish())
    }

    /// The rows, or one row that tells nothing, while `known` is still true; else none, and counts nothing.
    pub fn rows_while(&self, known: &CachedTotal) -> Statement {
        let binds = self.rows.as_ref().map_or(&[][..], Statement::binds);
        let mut writer = SqlWriter::beginning_with(Dialect::Postgres, binds);
        writer.sql("SELECT ");
        if let Some(rows) = &self.rows {
            writer.alias(Alias::Rows).sql(".* FROM (").statement(rows);
            writer.sql(") AS ").alias(Alias::Rows);
        } else {
            writer.sql("1");
        }
        writer.sql(" WHERE ");
        write_is_so(&mut writer, Some(known));
        writer.finish()
    }
}

/// Tests for the known snapshot, and for one of the processes that were there before.
fn write_is_so(writer: &mut SqlWriter, known: Option<&CachedTotal>) {
    let snapshot = text(known.map(|it| &it.snapshot));
    let processes = text(known.map(|it| &it.processes));
    writer.sql(SNAPSHOT).sql(" = ").bind(Kind::Text, snapshot);
    writer.sql(" AND strpos(").bind(Kind::Text, processes);
    writer.sql(", concat(' ', ").sql(PROCESS).sql(", ' ')) > 0");
}

/// The text or null, so that the statement has one form, known total or not, and the driver finds it
/// prepared.
fn text(known: Option<&String>) -> Value {
    known.map_or(Value::Null, |text| Value::Text(text.clone()))
}
