//! The lock of a table in a transaction whose hook reads.

use resource_model::query::LockMode;
use resource_model::schema::ResourceDefinition;

use super::{Dialect, Statement, Writer};

/// Locks a table of PostgreSQL.
///
/// Taken before the first read: a waiter then holds no snapshot (no serialization failure) and no lock (no
/// deadlock).
pub fn lock_table(definition: &ResourceDefinition, mode: LockMode) -> Statement {
    let mut writer = Writer::new(Dialect::Postgres);
    writer
        .sql("LOCK TABLE ")
        .identifier(definition.table_identifier())
        .sql(match mode {
            LockMode::Shared => " IN ROW SHARE MODE",
            LockMode::Exclusive => " IN EXCLUSIVE MODE",
        });
    writer.finish()
}
