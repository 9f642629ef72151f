//! Statements that remove rows in batches: those that have expired, and those beyond a number.

use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::Value;

use crate::{Dialect, SqlWriter, Statement};

/// Removes at most `limit` of the items whose `attribute` is below `bound`, the furthest below first.
pub fn delete_below(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    bound: Value,
    limit: i64,
) -> Option<Statement> {
    let mut writer = deletion_of_keys(dialect, definition)?;
    writer.sql(" WHERE ").identifier(attribute.identifier());
    writer.sql(" < ").bind(attribute.kind(), bound);
    // The furthest below go first, so each batch removes the oldest of those that are left.
    writer.sql(" ORDER BY ").identifier(attribute.identifier());
    writer.sql(" LIMIT ").bind_integer(limit).sql(")");
    Some(writer.finish())
}

/// Removes at most `limit` of the items beyond the first `most`, in descending order of `attribute`; items
/// whose `mark` has this value come last in that order.
pub fn delete_beyond(
    dialect: Dialect,
    definition: &ResourceDefinition,
    (mark, value): (&Attribute, Value),
    attribute: &Attribute,
    most: i64,
    limit: i64,
) -> Option<Statement> {
    let mut writer = deletion_of_keys(dialect, definition)?;
    // False comes before true, so items with the mark are at the end.
    writer.sql(" ORDER BY ").identifier(mark.identifier());
    writer.sql(" = ").bind(mark.kind(), value);
    writer.sql(", ").identifier(attribute.identifier());
    writer.sql(" DESC LIMIT ").bind_integer(limit);
    writer.sql(" OFFSET ").bind_integer(most).sql(")");
    Some(writer.finish())
}

/// A deletion of the items whose keys are selected by what follows, up to a closing parenthesis.
fn deletion_of_keys(dialect: Dialect, definition: &ResourceDefinition) -> Option<SqlWriter> {
    // The keys are selected, because a `DELETE` takes no `LIMIT` by itself.
    let key = definition.primary_key()?.identifier();
    let table = definition.table_identifier();
    // The inner query may be ordered and limited, and the parenthesis is closed by the caller.
    let mut writer = SqlWriter::new(dialect);
    writer.sql("DELETE FROM ").identifier(table);
    writer.sql(" WHERE ").identifier(key).sql(" IN (SELECT ");
    writer.identifier(key).sql(" FROM ").identifier(table);
    Some(writer)
}

#[cfg(test)]
mod tests {
    use resource_model::ApiResource as _;
    use resource_model::samples::Person;
    use resource_model::value::Value;

    use super::{delete_below, delete_beyond};
    use crate::Dialect;

    #[test]
    fn a_batch_is_removed_by_its_keys() {
        let id = Person::DEFINITION.primary_key().unwrap();
        let bound = Value::Integer(7);
        let statement = delete_below(Dialect::Postgres, Person::DEFINITION, id, bound, 1000);
        assert_eq!(
            statement.unwrap().text(),
            r#"DELETE FROM "persons" WHERE "id" IN (SELECT "id" FROM "persons" WHERE "id" < $1 ORDER BY "id" LIMIT $2)"#
        );
    }

    #[test]
    fn surplus_rows_are_removed_from_the_end_of_the_order() {
        let id = Person::DEFINITION.primary_key().unwrap();
        let mark = (id, Value::Integer(7));
        let statement = delete_beyond(Dialect::Postgres, Person::DEFINITION, mark, id, 5, 1000);
        assert_eq!(
            statement.unwrap().text(),
            r#"DELETE FROM "persons" WHERE "id" IN (SELECT "id" FROM "persons" ORDER BY "id" = $1, "id" DESC LIMIT $2 OFFSET $3)"#
        );
    }
}
