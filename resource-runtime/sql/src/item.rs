//! Statements that read rows by their key, or by the value of one attribute.

use resource_model::authorization::View;
use resource_model::query::{RowQuery, Selection};
use resource_model::schema::{Attribute, ResourceDefinition, StoredColumn};
use resource_model::value::Key;

use crate::collection::{join_elements, write_order};
use crate::expanded::write_selection;
use crate::filter::and_rows;
use crate::form::{write_equal, write_value};
use crate::join::{Joins, write_attributes};
use crate::page::write_from;
use crate::{Alias, Dialect, SqlWriter, Statement};

/// The statement that reads rows.
pub fn select(dialect: Dialect, query: RowQuery<'_>) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    match query {
        RowQuery::Item {
            view,
            key,
            selection,
        } => {
            let definition = view.definition();
            writer.sql("SELECT ");
            // Without a selection, no subresource is joined, so the list of the derive is unambiguous.
            match selection {
                Some(selection) => write_selection(&mut writer, definition, Alias::Item, selection),
                None if definition.is_converted() => {
                    let all = Selection::all(View::unrestricted(definition));
                    write_attributes(&mut writer, Alias::Item, &all.columns);
                }
                None => drop(writer.sql(definition.column_list())),
            }
            // The item has an alias, because a subresource may be in the same table.
            write_from(&mut writer, definition);
            // An item has neither filter nor order, so only its expansions need joins.
            let expansions = selection.iter().flat_map(|selection| &selection.expansions);
            let expanded = expansions.map(|expansion| expansion.subresource);
            Joins::of_subresources(expanded).write(&mut writer, view, Alias::Item);
            let elements = selection.and_then(|selection| selection.elements.as_ref());
            if let Some(elements) = elements {
                join_elements(&mut writer, view, Alias::Item, elements);
            }
            where_key(&mut writer, Some(Alias::Item), view, key);
            if let Some(elements) = elements {
                writer.sql(" ORDER BY ");
                write_order(&mut writer, elements);
            }
        }
        RowQuery::WholeItem {
            view,
            key,
            for_update,
        } => {
            write_all_columns(&mut writer, view.definition());
            where_key(&mut writer, None, view, key);
            // The lock keeps the item as it was read until the write that follows.
            if for_update {
                writer.sql(dialect.for_update());
            }
        }
    }
    writer.finish()
}

/// The statement that reads these columns of every row.
pub fn select_values(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attributes: &[&Attribute],
) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer.sql("SELECT ").list(", ", attributes, |writer, it| {
        write_value(writer, None, it);
    });
    write_table(&mut writer, definition);
    writer.finish()
}

/// The statement that reads the default of a column as that of a new row. It is an expression from the catalogue.
pub fn select_default(
    dialect: Dialect,
    attribute: &Attribute,
    column: &StoredColumn,
    default: &str,
) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    write_value(writer.sql("SELECT "), None, attribute);
    writer.sql(" FROM (SELECT ");
    match (dialect, column.stored_as) {
        (Dialect::Postgres, _) => {
            writer.sql("CAST(").catalogued(default).sql(" AS ");
            writer.catalogued(&column.declared_type).sql(")");
        }
        (Dialect::Sqlite, Some("TEXT")) => {
            writer.sql("CASE typeof(").catalogued(default);
            writer.sql(") WHEN 'blob' THEN ").catalogued(default);
            writer.sql(" ELSE CAST(").catalogued(default);
            writer.sql(" AS TEXT) END");
        }
        // The comparison takes a text for a number just where the column does.
        (Dialect::Sqlite, Some("INTEGER" | "REAL")) => {
            writer.sql("CASE WHEN (").catalogued(default);
            writer.sql(") = CAST(").catalogued(default);
            writer.sql(" AS NUMERIC) THEN CAST(").catalogued(default);
            let is_real = column.stored_as == Some("REAL");
            writer.sql(if is_real { " AS REAL" } else { " AS NUMERIC" });
            writer.sql(") ELSE ").catalogued(default).sql(" END");
        }
        (Dialect::Sqlite, _) => drop(writer.catalogued(default)),
    }
    writer.sql(" AS ").identifier(attribute.identifier());
    writer.sql(") AS ").alias(Alias::Rows);
    writer.finish()
}

/// `SELECT … FROM …`: every column, in declaration order.
fn write_all_columns(writer: &mut SqlWriter, definition: &ResourceDefinition) {
    let attributes = definition.all_attributes();
    writer.sql("SELECT ").list(", ", attributes, |writer, it| {
        write_value(writer, None, it);
    });
    write_table(writer, definition);
}

/// The query whether this transaction stored the item of this key. Only PostgreSQL records the transaction in a
/// row.
pub fn item_stored_by_this_transaction(definition: &ResourceDefinition, key: &Key) -> Statement {
    let mut writer = SqlWriter::new(Dialect::Postgres);
    write_table(writer.sql("SELECT 1"), definition);
    write_key(writer.sql(" WHERE "), None, definition, key);
    writer.sql(STORED_BY_THIS_TRANSACTION);
    writer.finish()
}

/// A visible row of a transaction in progress is ours. `xmin` is the lower half of our own id or that of a
/// subtransaction, for instance of a block with an exception clause, which began after it: `ahead` is the distance.
///
/// No transaction lasts for 16 million others. A row that seems to be further ahead was stored long ago, and
/// `pg_xact_status` would fail for an id that is not assigned yet.
const STORED_BY_THIS_TRANSACTION: &str = "
    AND (SELECT CASE WHEN ahead < 16777216
            THEN pg_xact_status(CAST(CAST(ours + ahead AS text) AS xid8)) = 'in progress'
            ELSE FALSE END
        FROM (SELECT ours, (CAST(CAST(xmin AS text) AS bigint) - ours) & 4294967295 AS ahead
            FROM (SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint)) AS own (ours)
        ) AS distance)";

/// ` FROM …`
pub(super) fn write_table(writer: &mut SqlWriter, definition: &ResourceDefinition) {
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier());
}

/// ` WHERE …`: the item of this key, unless it is hidden from the caller.
pub(super) fn where_key(writer: &mut SqlWriter, from: Option<Alias>, view: View<'_>, key: &Key) {
    write_key(writer.sql(" WHERE "), from, view.definition(), key);
    and_rows(writer, from, &view.rows());
}

/// `… = … AND …`: a value for each key attribute, or no item.
pub(super) fn write_key(
    writer: &mut SqlWriter,
    from: Option<Alias>,
    definition: &ResourceDefinition,
    key: &Key,
) {
    let mut values = key.values();
    writer.list(" AND ", definition.key_attributes(), |writer, attribute| {
        let Some(value) = values.next() else {
            // The key has fewer values than the definition has key attributes.
            writer.sql("FALSE");
            return;
        };
        write_equal(writer, from, attribute, value);
    });
    // The key has more values than that.
    if values.next().is_some() {
        writer.sql(" AND FALSE");
    }
}

#[cfg(test)]
mod tests {
    use resource_model::authorization::View;
    use resource_model::query::{Lookup, RowChange, RowQuery};
    use resource_model::schema::{Attribute, ResourceDefinition, Version};
    use resource_model::value::{Key, Record, Value};

    use super::select;
    use crate::{Dialect, Statement, change, exists};

    const ATTRIBUTES: &[Attribute] = &[
        Attribute::of::<i64>("row").primary_key().assigned(),
        Attribute::of::<String>("column").primary_key().assigned(),
        Attribute::of::<String>("text"),
    ];

    const CELL: ResourceDefinition =
        ResourceDefinition::new("Cell", "cells", Version::new(1, 0)).attributes(ATTRIBUTES);

    fn key() -> Key {
        Key::new([Value::Integer(7), Value::Text("b".into())]).unwrap()
    }

    #[test]
    fn a_key_of_two_values_is_compared_with_two_columns() {
        let (view, key, dialect) = (View::unrestricted(&CELL), &key(), Dialect::Postgres);
        let mut record = Record::absent(3);
        record.set(2, Value::Text("x".into()));
        let update = RowChange::Update {
            view,
            key,
            record,
            of_other_versions: Vec::new(),
            targets: Vec::new(),
            expected: Vec::new(),
        };
        let statements = [
            select(
                dialect,
                RowQuery::WholeItem {
                    view,
                    key,
                    for_update: true,
                },
            ),
            exists(dialect, Lookup::Item { view, key }),
            change(
                dialect,
                RowChange::Delete {
                    view,
                    key,
                    expected: Vec::new(),
                },
            ),
            change(dialect, update),
        ];
        let texts = statements.each_ref().map(Statement::text);
        assert_eq!(
            texts,
            [
                r#"SELECT "row", "column", "text" FROM "cells" WHERE "row" = $1 AND "column" = $2 FOR UPDATE"#,
                r#"SELECT 1 FROM "cells" WHERE "row" = $1 AND "column" = $2"#,
                r#"DELETE FROM "cells" WHERE "row" = $1 AND "column" = $2"#,
                r#"UPDATE "cells" SET "text" = $1 WHERE "row" = $2 AND "column" = $3"#,
            ]
        );
        let inserted = RowChange::Insert {
            definition: &CELL,
            record: Record::absent(3),
            of_other_versions: Vec::new(),
            targets: Vec::new(),
            companion: None,
        };
        let inserted = change(dialect, inserted);
        assert!(inserted.text().ends_with(r#" RETURNING "row", "column""#));
    }

    #[test]
    fn a_key_of_too_few_or_too_many_values_finds_no_item() {
        let three = [7, 8, 9].map(Value::Integer);
        for (key, condition) in [
            (Key::from(Value::Integer(7)), r#""row" = ? AND FALSE"#),
            (
                Key::new(three).unwrap(),
                r#""row" = ? AND "column" = ? AND FALSE"#,
            ),
        ] {
            let (view, key) = (View::unrestricted(&CELL), &key);
            let removal = change(
                Dialect::Sqlite,
                RowChange::Delete {
                    view,
                    key,
                    expected: Vec::new(),
                },
            );
            let expected = format!(r#"DELETE FROM "cells" WHERE {condition}"#);
            assert_eq!(removal.text(), expected);
        }
    }
}
