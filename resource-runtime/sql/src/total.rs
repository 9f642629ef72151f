//! Cached totals on PostgreSQL: the statement repeats a total instead of counting where nothing changed since.
//!
//! The database returns a total as a text: the number, then the ids of the process and of the snapshot that counted
//! it. A standby does not report the transactions in progress, so it returns the number alone.

use resource_model::schema::Kind;
use resource_model::value::Value;

use crate::page::{Matching, PageQuery, integer};
use crate::{Alias, Dialect, SqlWriter, Statement};

/// The id of the snapshot in which a statement reads. Two snapshots with the same id see the same rows: those of
/// all transactions that had ended before, and of no others. The start time of the server is part of the id,
/// because a server that replaces another (failover) may reuse its transaction numbers.
const SNAPSHOT: &str =
    "concat(extract(epoch FROM pg_postmaster_start_time()), ' ', pg_current_snapshot())";

/// The id of the process that executes a statement. While it lives, its server has not crashed, and so has lost
/// nothing: a crash ends all processes, but keeps the start time of the server.
const PROCESS: &str = "pg_backend_pid()";

/// A total that the server counted before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedTotal {
    /// The text that the database returned: the total, and the ids of its process and its snapshot.
    pub tagged: String,
    /// The id of the snapshot.
    pub snapshot: String,
    /// The processes that ran before the total was counted, each between two spaces.
    pub processes: String,
}

/// The query of the ids of the process that executes it and of its snapshot, as they follow after a total.
pub fn process_and_snapshot() -> Statement {
    let mut writer = SqlWriter::new(Dialect::Postgres);
    writer.sql("SELECT concat(").sql(PROCESS).sql(", ' ', ");
    writer.sql(SNAPSHOT).sql(")");
    writer.finish()
}

impl Matching {
    /// The query of the total, which counts only if `known` is no longer valid.
    pub fn total(&self, known: Option<&CachedTotal>) -> Statement {
        let mut writer = self.writer();
        writer.sql("SELECT ");
        self.write_total(&mut writer, known);
        writer.finish()
    }

    fn write_total(&self, writer: &mut SqlWriter, known: Option<&CachedTotal>) {
        // `CASE` evaluates one branch alone, so a valid total saves the count.
        writer.sql("CASE WHEN ");
        write_is_valid(writer, known);
        writer
            .sql(" THEN ")
            // A valid total is returned with its ids, so that both branches have one form.
            .bind(Kind::Text, text(known.map(|it| &it.tagged)))
            .sql(" ELSE concat((");
        self.write_count(writer);
        writer
            // A standby gets null here, which `concat` leaves out.
            .sql("), CASE WHEN NOT pg_is_in_recovery() THEN concat(' ', ")
            .sql(PROCESS)
            .sql(", ' ', ")
            .sql(SNAPSHOT)
            .sql(") END) END");
    }
}

impl PageQuery {
    /// The rows plus the total in one statement, which is one snapshot and one round trip. The total is in the last
    /// column of the last row of a full page, or of the first row that repeats an item; all others have null there.
    ///
    /// A page that is not full has no such row, so nothing is counted for it. Beside an item no page implies the total,
    /// which is in its first row.
    pub fn rows_with_total(&self, known: Option<&CachedTotal>) -> Option<Statement> {
        let rows = self.rows.as_ref()?;
        // The rows come first in the numbering, though their text is in the middle of the statement.
        let mut writer = SqlWriter::beginning_with(Dialect::Postgres, rows.binds());
        writer.sql("SELECT ").alias(Alias::Rows).sql(".*, ");
        let is_first = self.is_beside || self.repeats_items;
        let row = if is_first { 1 } else { self.limit };
        writer
            // Only one row has this number, so the count runs once at most.
            .sql("CASE WHEN row_number() OVER () = ")
            .integer(integer(row))
            .sql(" THEN ");
        self.matching.write_total(&mut writer, known);
        writer.sql(" END FROM (").statement(rows);
        writer.sql(") AS ").alias(Alias::Rows);
        Some(writer.finish())
    }

    /// The rows (or one row of no meaning, where the client wants the total alone) while `known` is still valid;
    /// otherwise no row. Nothing is counted.
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
        // The condition depends on no row, so PostgreSQL evaluates it once, before it reads any.
        write_is_valid(&mut writer, Some(known));
        writer.finish()
    }
}

/// Writes the condition that the cached total is valid: the same snapshot, in a process that ran before.
fn write_is_valid(writer: &mut SqlWriter, known: Option<&CachedTotal>) {
    let snapshot = text(known.map(|it| &it.snapshot));
    let processes = text(known.map(|it| &it.processes));
    writer.sql(SNAPSHOT).sql(" = ").bind(Kind::Text, snapshot);
    // The spaces keep the process 12 from being found in 123.
    writer.sql(" AND strpos(").bind(Kind::Text, processes);
    writer.sql(", concat(' ', ").sql(PROCESS).sql(", ' ')) > 0");
}

/// The text or null, so that the statement has one form, known total or not, and the driver finds it
/// prepared.
fn text(known: Option<&String>) -> Value {
    known.map_or(Value::Null, |text| Value::Text(text.clone()))
}
