use super::{Dialect, Statement, Writer};
use crate::schema::ResourceDefinition;

/// How a write whose hook reads meets the other writes of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Others may write meanwhile.
    Shared,
    /// The others wait until the transaction ends.
    Alone,
}

/// What begins such a write, where the beginning of a transaction does not keep all others waiting
/// anyway. It comes before all that reads: who waits for a turn has seen nothing and holds
/// nothing, so that it neither fails for what came before it, nor keeps those up that it waits for.
pub(crate) fn take_turn(
    dialect: Dialect,
    definition: &ResourceDefinition,
    turn: Turn,
) -> Option<Statement> {
    let mode = match (dialect, turn) {
        (Dialect::Sqlite, _) => return None,
        (Dialect::Postgres, Turn::Shared) => " IN ROW SHARE MODE",
        (Dialect::Postgres, Turn::Alone) => " IN EXCLUSIVE MODE",
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
    use super::{Turn, take_turn};
    use crate::ApiResource as _;
    use crate::plan::Dialect;
    use crate::samples::Person;

    #[test]
    fn only_postgres_needs_a_statement_to_keep_others_waiting() {
        for (turn, expected) in [
            (Turn::Shared, "LOCK TABLE \"persons\" IN ROW SHARE MODE"),
            (Turn::Alone, "LOCK TABLE \"persons\" IN EXCLUSIVE MODE"),
        ] {
            assert_eq!(take_turn(Dialect::Sqlite, Person::DEFINITION, turn), None);
            let statement = take_turn(Dialect::Postgres, Person::DEFINITION, turn).unwrap();
            assert_eq!(statement.text(), expected);
        }
    }
}
