//! Lookups: queries of existence, whose answer is yes if they return a row.

use resource_model::authorization::View;
use resource_model::query::Lookup;
use resource_model::schema::{Attribute, Identifier, Privilege, ResourceDefinition};
use resource_model::value::{Key, Value};

use crate::filter::and_rows;
use crate::form::write_unique;
use crate::item::{where_key, write_key, write_table};
use crate::target::write_target;
use crate::{Alias, Dialect, SqlWriter, Statement};

/// The query whether a row has null in `column`.
pub fn has_null(dialect: Dialect, table: Identifier, column: Identifier) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer
        .sql("SELECT EXISTS (SELECT 1 FROM ")
        .identifier(table);
    writer.sql(" WHERE ").identifier(column).sql(" IS NULL)");
    writer.finish()
}

/// A write of rows as they are, which is prepared only, to hear what SQLite says to it.
pub fn probe_write(table: Identifier, write: Privilege, column: Option<Identifier>) -> Statement {
    let mut writer = SqlWriter::new(Dialect::Sqlite);
    match (write, column) {
        (Privilege::Delete, _) => drop(writer.sql("DELETE FROM ").identifier(table)),
        (_, Some(column)) => {
            writer.sql("UPDATE ").identifier(table).sql(" SET ");
            writer.identifier(column).sql(" = ").identifier(column);
        }
        (_, None) => {
            writer.sql("INSERT INTO ").identifier(table);
            writer.sql(" DEFAULT VALUES");
        }
    }
    writer.finish()
}

/// The query for two rows of a table or view, whatever they are.
pub fn two_rows(dialect: Dialect, table: Identifier) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer
        .sql("SELECT 1 FROM ")
        .identifier(table)
        .sql(" LIMIT 2");
    writer.finish()
}

/// The query for a row whose values in these columns do not identify it: others share them, or one is null.
pub fn unidentified_row(dialect: Dialect, table: Identifier, columns: &[Identifier]) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer.sql("SELECT 1 FROM ").identifier(table);
    writer
        .sql(" GROUP BY ")
        .identifiers(columns.iter().copied());
    writer.sql(" HAVING count(*) > 1");
    for column in columns {
        writer.sql(" OR ").identifier(*column).sql(" IS NULL");
    }
    writer.sql(" LIMIT 1");
    writer.finish()
}

/// The statement of a lookup, which returns one row if the answer is yes.
pub fn exists(dialect: Dialect, lookup: Lookup<'_>) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    match lookup {
        Lookup::Item { view, key } => {
            write_table(writer.sql("SELECT 1"), view.definition());
            // An item that is hidden from the caller counts as missing.
            where_key(&mut writer, None, view, key);
        }
        Lookup::DanglingReference { target, stored } => {
            // A `SELECT` without `FROM` returns one row exactly if its condition holds.
            writer.sql("SELECT 1 WHERE NOT ");
            // Read within the statement, so no separate read of the item can be out of date.
            write_target(&mut writer, &target, false, |writer, own| {
                write_stored(writer, own, stored);
            });
        }
        Lookup::UniqueConflict {
            definition,
            set,
            stored,
        } => write_unique_conflict(&mut writer, definition, set, stored),
        Lookup::Referrer {
            source,
            foreign_key,
            definition,
            key,
        } => {
            write_table(writer.sql("SELECT 1"), source.definition());
            writer
                // The foreign key may refer to other columns than the key, so the item supplies their values.
                .sql(" WHERE (")
                .identifiers(foreign_key.columns.iter().copied())
                .sql(") = (SELECT ")
                .identifiers(foreign_key.target_columns.iter().copied());
            write_table(&mut writer, definition);
            // A deleted item has its values still.
            write_key(writer.sql(" WHERE "), None, definition, key);
            writer.sql(")");
            // An item that refers to itself keeps itself in use by no one.
            if source.definition().deletion_attribute().is_some()
                && source.definition().table_identifier() == definition.table_identifier()
            {
                write_key(writer.sql(" AND NOT ("), None, definition, key);
                writer.sql(")");
            }
            // A referrer that is hidden from the caller must not be revealed by an error message.
            and_rows(&mut writer, None, &source.readable_rows());
            // One row decides the answer.
            writer.sql(" LIMIT 1");
        }
    }
    writer.finish()
}

/// The value that the item holds in `column`.
fn write_stored(
    writer: &mut SqlWriter,
    column: Identifier,
    stored: Option<(&ResourceDefinition, &Key)>,
) {
    // A new item holds nothing yet.
    let Some((definition, key)) = stored else {
        writer.sql("NULL");
        return;
    };
    writer.sql("(SELECT ").identifier(column);
    write_table(writer, definition);
    write_key(writer.sql(" WHERE "), None, definition, key);
    writer.sql(")");
}

fn write_unique_conflict(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    set: Vec<(&Attribute, Option<Value>)>,
    stored: Option<&Key>,
) {
    let table = |writer: &mut SqlWriter, alias| {
        writer.identifier(definition.table_identifier());
        writer.sql(" AS ").alias(alias);
    };
    table(writer.sql("SELECT 1 FROM "), Alias::Other);
    // The stored item joins in for the values of the set that the write leaves as they are.
    if stored.is_some() {
        table(writer.sql(", "), Alias::Item);
    }
    writer.sql(" WHERE ");
    writer.list(" AND ", set, |writer, (attribute, value)| {
        // Compared as the unique index compares: `1.0` and `1.00` are one decimal.
        write_unique(writer, Some(Alias::Other), attribute);
        writer.sql(" = ");
        match value {
            // A null, bound or stored, equals nothing here, as in a unique index.
            Some(value) => writer.bind_value(attribute, value),
            None => writer.column(Alias::Item, attribute.identifier()),
        };
    });
    // Values of deleted items may be given again.
    let living = View::system(definition).rows();
    and_rows(writer, Some(Alias::Other), &living);
    if let Some(key) = stored {
        write_key(writer.sql(" AND "), Some(Alias::Item), definition, key);
        let columns = || definition.key_attributes().map(Attribute::identifier);
        // An item is no conflict with itself.
        let is_other = |writer: &mut SqlWriter, column| {
            writer.column(Alias::Other, column).sql(" <> ");
            writer.column(Alias::Item, column);
        };
        // Items are different if any column of their keys is.
        match columns().count() {
            1 => writer.sql(" AND ").list("", columns(), is_other),
            _ => writer
                .sql(" AND (")
                .list(" OR ", columns(), is_other)
                .sql(")"),
        };
    }
    writer.sql(" LIMIT 1");
}

/// A statement that succeeds on a database that can be read; on SQLite it has to read the file.
pub fn ping(dialect: Dialect) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer.sql(match dialect {
        Dialect::Sqlite => "SELECT count(*) FROM sqlite_schema",
        Dialect::Postgres => "SELECT 1",
    });
    writer.finish()
}

#[cfg(test)]
mod tests {
    use resource_model::ApiResource as _;
    use resource_model::query::Lookup;
    use resource_model::samples::Person;
    use resource_model::value::{Key, Value};

    use super::exists;
    use crate::Dialect;

    fn conflict(dialect: Dialect, name: Option<&str>, stored: Option<&Key>) -> String {
        let attributes = Person::DEFINITION.all_attributes();
        let set = vec![
            (
                &attributes[1],
                name.map(|name| Value::Text(name.to_owned())),
            ),
            (&attributes[0], Some(Value::Integer(7))),
        ];
        let definition = Person::DEFINITION;
        let lookup = Lookup::UniqueConflict {
            definition,
            set,
            stored,
        };
        exists(dialect, lookup).text().to_owned()
    }

    #[test]
    fn a_new_item_is_compared_with_all_and_a_stored_one_with_the_others() {
        assert_eq!(
            conflict(Dialect::Postgres, Some("Ann"), None),
            "SELECT 1 FROM \"persons\" AS \"the.other\" WHERE \"the.other\".\"name\" = $1 \
             AND \"the.other\".\"id\" = $2 LIMIT 1"
        );
        let key = Key::from(Value::Integer(3));
        assert_eq!(
            conflict(Dialect::Sqlite, None, Some(&key)),
            "SELECT 1 FROM \"persons\" AS \"the.other\", \"persons\" AS \"the.item\" \
             WHERE \"the.other\".\"name\" = \"the.item\".\"name\" AND \"the.other\".\"id\" = ? \
             AND \"the.item\".\"id\" = ? AND \"the.other\".\"id\" <> \"the.item\".\"id\" LIMIT 1"
        );
    }
}
