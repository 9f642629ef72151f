//! Tables whose totals may be remembered: those that nothing but the server's own transactions changes.

use sqlx::PgConnection;

use super::PostgresDatabase;
use crate::error::DatabaseFailure;

/// Tests for ordinary tables, or partitions that are, in the server's own storage, which is the
/// second of its access methods. Of no others is it known that each change is a transaction of
/// this server: a view or a policy may ask the clock, a foreign table is elsewhere, as are rows that
/// an extension distributes, and a table of one session alone hides that of all others.
///
/// A change of what is decided here is such a transaction, too.
const IS_STEADY: &str = r"
    SELECT to_regclass('pg_dist_partition') IS NULL AND NOT EXISTS (
        SELECT FROM unnest($1::text[]) AS served (name)
        LEFT JOIN pg_class AS stored ON stored.oid = to_regclass(quote_ident(served.name))
        WHERE CASE stored.relkind
            WHEN 'r' THEN stored.relam <> 2 OR stored.relhassubclass
            WHEN 'p' THEN EXISTS (
                SELECT FROM pg_partition_tree(stored.oid) AS part
                JOIN pg_class AS leaf ON leaf.oid = part.relid
                WHERE part.isleaf AND (leaf.relkind <> 'r' OR leaf.relam <> 2))
            ELSE TRUE
        END OR stored.relpersistence = 't' OR row_security_active(stored.oid)
    )";

impl PostgresDatabase {
    /// Tests that only transactions that write change a count of these tables.
    pub(super) async fn is_steady(
        &self,
        connection: &mut PgConnection,
        tables: &[&'static str],
    ) -> Result<bool, DatabaseFailure> {
        let steady = sqlx::query_scalar(IS_STEADY).bind(tables);
        self.watch.step(steady.fetch_one(connection)).await
    }
}
