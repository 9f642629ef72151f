use super::{Alias, Dialect, Statement, Writer};
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::Value;

/// One row if another item has the values of `set`; a value that is not given is the one that
/// `stored`, the item itself, holds. A new item has to be given all.
pub(crate) fn unique_conflict_exists(
    dialect: Dialect,
    definition: &ResourceDefinition,
    set: Vec<(&Attribute, Option<Value>)>,
    stored: Option<&Value>,
) -> Statement {
    let mut writer = Writer::new(dialect);
    write_table(writer.sql("SELECT 1 FROM "), definition, Alias::Other);
    if stored.is_some() {
        write_table(writer.sql(", "), definition, Alias::Item);
    }
    writer.sql(" WHERE ");
    writer.list(" AND ", set, |writer, (attribute, value)| {
        let column = attribute.identifier();
        writer.column(Alias::Other, column);
        writer.sql(dialect.collation(attribute.kind())).sql(" = ");
        match value {
            Some(value) => writer.bind(attribute.kind(), value),
            None => writer.column(Alias::Item, column),
        };
    });
    if let Some((key, id)) = definition.primary_key().zip(stored) {
        let column = key.identifier();
        writer.sql(" AND ").column(Alias::Item, column).sql(" = ");
        writer.bind(key.kind(), id.clone());
        writer.sql(" AND ").column(Alias::Other, column).sql(" <> ");
        writer.column(Alias::Item, column);
    }
    writer.sql(" LIMIT 1");
    writer.finish()
}

fn write_table(writer: &mut Writer, definition: &ResourceDefinition, alias: Alias) {
    writer.identifier(definition.table_identifier());
    writer.sql(" AS ").alias(alias);
}

#[cfg(test)]
mod tests {
    use super::unique_conflict_exists;
    use crate::ApiResource as _;
    use crate::plan::Dialect;
    use crate::samples::Person;
    use crate::value::Value;

    #[test]
    fn a_new_item_is_compared_with_all_and_a_stored_one_with_the_others() {
        let attributes = Person::DEFINITION.all_attributes();
        let set = |named: bool| {
            let name = named.then(|| Value::Text(String::from("Ann")));
            vec![
                (&attributes[1], name),
                (&attributes[0], Some(Value::Integer(7))),
            ]
        };
        let new = unique_conflict_exists(Dialect::Postgres, Person::DEFINITION, set(true), None);
        let name = attributes[1].identifier();
        let name = name.as_str();
        assert_eq!(
            new.text(),
            format!(
                "SELECT 1 FROM \"persons\" AS \"the.other\" WHERE \"the.other\".\"{name}\" = $1 \
                 AND \"the.other\".\"id\" = $2 LIMIT 1"
            )
        );
        let id = Value::Integer(3);
        let stored =
            unique_conflict_exists(Dialect::Sqlite, Person::DEFINITION, set(false), Some(&id));
        assert_eq!(
            stored.text(),
            format!(
                "SELECT 1 FROM \"persons\" AS \"the.other\", \"persons\" AS \"the.item\" \
                 WHERE \"the.other\".\"{name}\" = \"the.item\".\"{name}\" AND \"the.other\".\"id\" = ? \
                 AND \"the.item\".\"id\" = ? AND \"the.other\".\"id\" <> \"the.item\".\"id\" LIMIT 1"
            )
        );
    }
}
