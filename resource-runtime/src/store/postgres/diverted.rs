//! Triggers that see a row before it is stored: they may drop it, or store it elsewhere.

use resource_model::error::DatabaseFailure;
use resource_model::schema::Identifier;
use sqlx::Row as _;

use super::PostgresDatabase;
use super::failure::of;
use crate::store::Diverting;

/// The writes for which the table, a partition or a child of it has such a trigger: bits of `tgtype` say
/// that it is for each row (1), before (2) or instead of (64) what was sent, and for which writes.
const TRIGGERS: &str = r"
    WITH RECURSIVE family AS (
        SELECT to_regclass(quote_ident($1))::oid AS member
        UNION SELECT inhrelid FROM pg_inherits JOIN family ON inhparent = member
    )
    SELECT COALESCE(bit_or(CAST(tgtype AS integer)), 0)
    FROM pg_trigger JOIN family ON tgrelid = member
    WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 1 <> 0 AND tgtype & 66 <> 0";

const INSERT: i32 = 4;
const DELETE: i32 = 8;

impl PostgresDatabase {
    pub(super) async fn read_triggers(
        &self,
        table: Identifier,
    ) -> Result<Diverting, DatabaseFailure> {
        let ask = || Ok(sqlx::query(TRIGGERS).bind(table.as_str()));
        let row = self.first_row(ask).await?;
        let triggers: i32 = row.map_or(Ok(0), |row| row.try_get(0)).map_err(of)?;
        Ok(Diverting {
            creations: triggers & INSERT != 0,
            // A row that moves to another partition is removed here and stored there.
            changes: triggers != 0,
            removals: triggers & DELETE != 0,
        })
    }
}
