//! Triggers that see a row before it is stored: they may drop it, or store it elsewhere.

use sqlx::PgConnection;
use tokio::time::Instant;

use super::PostgresDatabase;
use super::failure::of;
use crate::error::DatabaseFailure;
use crate::schema::Identifier;

/// Whether the table, a partition or a child of it has such a trigger: bits of `tgtype` say that it
/// is for each row (1), and before (2) or instead of (64) what was sent.
const HAS_TRIGGER: &str = r"
    WITH RECURSIVE family AS (
        SELECT to_regclass(quote_ident($1))::oid AS member
        UNION SELECT inhrelid FROM pg_inherits JOIN family ON inhparent = member
    )
    SELECT EXISTS (
        SELECT FROM pg_trigger JOIN family ON tgrelid = member
        WHERE NOT tgisinternal AND tgtype & 1 <> 0 AND tgtype & 66 <> 0
    )";

/// What this session was given last by the sequence of a column, where it has one.
const LAST_KEY: &str = "SELECT currval(pg_get_serial_sequence(quote_ident($1), $2))";

impl PostgresDatabase {
    pub(in crate::execute) async fn may_divert(
        &self,
        table: Identifier,
    ) -> Result<bool, DatabaseFailure> {
        let ask = |deadline| self.has_trigger(deadline, table);
        self.repeated(ask).await
    }

    async fn has_trigger(
        &self,
        deadline: Instant,
        table: Identifier,
    ) -> Result<bool, DatabaseFailure> {
        let mut lease = self.lease(deadline).await?;
        let asked = sqlx::query_scalar(HAS_TRIGGER).bind(table.as_str());
        let found = self
            .watch
            .step(asked.fetch_one(lease.connection()?))
            .await?;
        lease.done();
        Ok(found)
    }
}

/// The key that the database assigned last, within the transaction of this connection.
pub(in crate::execute) async fn last_key(
    connection: &mut PgConnection,
    table: Identifier,
    column: Identifier,
) -> Result<Option<i64>, DatabaseFailure> {
    let asked = sqlx::query_scalar(LAST_KEY);
    let asked = asked.bind(table.as_str()).bind(column.as_str());
    asked
        .fetch_one(connection)
        .await
        .map_err(|error| of(&error))
}
