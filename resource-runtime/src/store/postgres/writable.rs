//! Whether the server takes writes: standbys do not, nor does one that was told to be read-only.

use resource_model::error::DatabaseFailure;
use tokio::time::Instant;

use super::PostgresDatabase;
use super::places::Purpose;

/// What holds for transactions that say nothing of it.
const TAKES_WRITES: &str =
    "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'";

const READ_ONLY: &str = "the server takes no writes: it is a standby, or `default_transaction_read_only` \
    is on; connect to the primary, as by several hosts behind one name that leads to it";

impl PostgresDatabase {
    /// Fails where writes would be refused.
    pub(super) async fn try_out_writing(&self) -> Result<(), DatabaseFailure> {
        let ask = |deadline| self.takes_writes_once(deadline);
        if self.repeated(ask).await? {
            return Ok(());
        }
        // After a failover, new connections may find the server that writes.
        self.watch.faults.note_at_times();
        Err(DatabaseFailure::Unavailable(READ_ONLY.to_owned()))
    }

    async fn takes_writes_once(&self, deadline: Instant) -> Result<bool, DatabaseFailure> {
        let mut lease = self.reading(Purpose::Read, deadline).await?;
        let asked = sqlx::query_scalar(TAKES_WRITES).fetch_one(lease.connection()?);
        let takes_writes = self.watch.step(asked).await?;
        self.done(lease).await;
        Ok(takes_writes)
    }
}
