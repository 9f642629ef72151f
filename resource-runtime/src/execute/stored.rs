use super::{Database, Transaction};
use crate::error::DatabaseFailure;
use crate::schema::{StoredTable, Table};

impl Transaction {
    /// Each of these tables as `database` has it, which this is a transaction on; `None` where it
    /// is missing. PostgreSQL is asked on the connection of the transaction, which may be the only
    /// one; SQLite lets nobody else write until the transaction ends.
    pub(crate) async fn stored_tables(
        &mut self,
        database: &Database,
        needed: &[Table],
    ) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
        #[cfg(feature = "postgres")]
        if let Some(connection) = self.postgres() {
            return super::postgres::stored_tables(connection, needed).await;
        }
        database.stored_tables(needed).await
    }
}
