//! The statement that tells that a database answers.

use super::{Dialect, Statement, Writer};

/// A question that a database answers which is there and can be read: SQLite looks into its file for it.
pub fn ping(dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql(match dialect {
        Dialect::Sqlite => "SELECT count(*) FROM sqlite_schema",
        Dialect::Postgres => "SELECT 1",
    });
    writer.finish()
}
