use super::{Dialect, Statement, Writer};
use crate::schema::ResourceDefinition;

/// Keeps all other writers of the table waiting until the transaction ends, where the beginning of
/// a transaction does not do so already. It comes before all that reads: a transaction that saw
/// the table before it waited would still fail.
pub(crate) fn alone(dialect: Dialect, definition: &ResourceDefinition) -> Option<Statement> {
    let mode = match dialect {
        Dialect::Sqlite => return None,
        // Also those that have locked a row and are about to change it; a weaker mode would wait for
        // them while they wait for it.
        Dialect::Postgres => " IN EXCLUSIVE MODE",
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
    use super::alone;
    use crate::ApiResource as _;
    use crate::plan::Dialect;
    use crate::samples::Person;

    #[test]
    fn only_postgres_needs_a_statement_to_keep_others_waiting() {
        assert_eq!(alone(Dialect::Sqlite, Person::DEFINITION), None);
        let statement = alone(Dialect::Postgres, Person::DEFINITION).unwrap();
        assert_eq!(statement.text(), "LOCK TABLE \"persons\" IN EXCLUSIVE MODE");
    }
}
