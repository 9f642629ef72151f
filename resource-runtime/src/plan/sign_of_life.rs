use super::{Dialect, Statement, Writer};

/// What a database answers that is there and can be read: SQLite looks into its file for it.
pub(crate) fn sign_of_life(dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql(match dialect {
        Dialect::Sqlite => "SELECT count(*) FROM sqlite_schema",
        Dialect::Postgres => "SELECT 1",
    });
    writer.finish()
}
