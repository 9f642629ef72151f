//! The lock of a table in a transaction whose hook reads.

use super::{Dialect, Statement, Writer};
use crate::schema::ResourceDefinition;

/// The writes that may go on beside one whose hook reads the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockMode {
    /// Others may write meanwhile.
    Shared,
    /// The others wait until the transaction ends.
    Exclusive,
}

/// Locks the table, where the beginning of a transaction does not lock out all other writers anyway.
///
/// Taken before the first read: a waiter then holds no snapshot (no serialization failure) and no lock (no
/// deadlock).
pub(crate) fn lock_table(
    dialect: Dialect,
    definition: &ResourceDefinition,
    mode: LockMode,
) -> Option<Statement> {
    let mode = match (dialect, mode) {
        (Dialect::Sqlite, _) => return None,
        (Dialect::Postgres, LockMode::Shared) => " IN ROW SHARE MODE",
        (Dialect::Postgres, LockMode::Exclusive) => " IN EXCLUSIVE MODE",
    };
    let mut writer = Writer::new(dialect);
    writer
        .sql("LOCK TABLE ")
        .identifier(definition.table_identifier())
        .sql(mode);
    Some(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::{LockMode, lock_table};
    use crate::ApiResource as _;
    use crate::plan::Dialect;
    use crate::samples::Person;

    #[test]
    fn only_postgres_needs_a_statement_to_keep_others_waiting() {
        for (mode, expected) in [
            (LockMode::Shared, "LOCK TABLE \"persons\" IN ROW SHARE MODE"),
            (
                LockMode::Exclusive,
                "LOCK TABLE \"persons\" IN EXCLUSIVE MODE",
            ),
        ] {
            assert_eq!(lock_table(Dialect::Sqlite, Person::DEFINITION, mode), None);
            let statement = lock_table(Dialect::Postgres, Person::DEFINITION, mode).unwrap();
            assert_eq!(statement.text(), expected);
        }
    }
}
