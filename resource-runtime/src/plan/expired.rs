use super::{Dialect, Statement, Writer};
use crate::schema::{Attribute, Kind, ResourceDefinition};
use crate::value::Value;

/// Removes at most `limit` of the items whose `attribute` is below `bound`, those first that are
/// furthest below.
pub(crate) fn delete_below(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    bound: Value,
    limit: i64,
) -> Option<Statement> {
    let key = definition.primary_key()?.identifier();
    let table = definition.table_identifier();
    let mut writer = Writer::new(dialect);
    writer.sql("DELETE FROM ").identifier(table);
    writer.sql(" WHERE ").identifier(key).sql(" IN (SELECT ");
    writer.identifier(key).sql(" FROM ").identifier(table);
    writer.sql(" WHERE ").identifier(attribute.identifier());
    writer.sql(" < ").bind(attribute.kind(), bound);
    writer.sql(" ORDER BY ").identifier(attribute.identifier());
    writer
        .sql(" LIMIT ")
        .bind(Kind::BigInteger, Value::Integer(limit))
        .sql(")");
    Some(writer.finish())
}

/// The primary keys of the items whose `attribute` is `bound` or more.
pub(crate) fn keys_from(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    bound: Value,
) -> Option<Statement> {
    let key = definition.primary_key()?.identifier();
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT ").identifier(key);
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier());
    writer.sql(" WHERE ").identifier(attribute.identifier());
    writer.sql(" >= ").bind(attribute.kind(), bound);
    Some(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::{delete_below, keys_from};
    use crate::ApiResource as _;
    use crate::plan::Dialect;
    use crate::samples::Person;
    use crate::value::Value;

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
    fn keys_are_read_alone() {
        let id = Person::DEFINITION.primary_key().unwrap();
        let bound = Value::Integer(7);
        let statement = keys_from(Dialect::Postgres, Person::DEFINITION, id, bound);
        assert_eq!(
            statement.unwrap().text(),
            r#"SELECT "id" FROM "persons" WHERE "id" >= $1"#
        );
    }
}
