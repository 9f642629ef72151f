//! Statements that write many rows: insertions of a batch, and changes and deletions by a condition.

use resource_model::authorization::View;
use resource_model::query::ListQuery;
use resource_model::schema::{Attribute, Kind, ResourceDefinition, StorageForm};
use resource_model::value::{Record, Value};

use crate::form::{bound, write_stored};
use crate::item::write_table;
use crate::page::{Matching, write_page};
use crate::write::{new_row, write_insert, write_returning_new, write_update};
use crate::{Alias, Bind, Dialect, SqlWriter, Statement};

/// Rows of values for one text. SQLite executes the text for each row; PostgreSQL executes it once, with an array for
/// each column.
#[derive(Debug)]
pub struct Batch {
    text: String,
    rows: Vec<Vec<Bind>>,
    next: Option<Statement>,
    /// The attributes that the rows leave to defaults of the database.
    unset: Vec<usize>,
}

/// A statement is a batch of one row.
impl From<Statement> for Batch {
    fn from(mut statement: Statement) -> Self {
        let next = statement.take_next();
        let (text, binds) = statement.into_parts();
        let rows = vec![binds];
        let unset = Vec::new();
        Self {
            text,
            rows,
            next,
            unset,
        }
    }
}

impl Batch {
    /// The text, with a placeholder for each column.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values of each row, in the order of the placeholders.
    pub fn rows(&self) -> &[Vec<Bind>] {
        &self.rows
    }

    /// The statement to execute behind the rows, as part of the same write.
    pub const fn next(&self) -> Option<&Statement> {
        self.next.as_ref()
    }

    /// The statement of each row, for a database that executes the text for each.
    pub fn statements(&self) -> impl Iterator<Item = Statement> {
        let rows = self.rows.iter();
        rows.map(|binds| Statement {
            text: self.text.clone(),
            binds: binds.clone(),
            next: None,
        })
    }

    /// The record of a row, without the values that the database sets.
    pub fn record(&self, row: usize, definition: &ResourceDefinition) -> Record {
        let attributes = definition.all_attributes();
        let mut record = Record::absent(attributes.len());
        // The values stand in the order of the attributes; those of other versions are behind them.
        let mut binds = self.rows.get(row).into_iter().flatten();
        for (index, attribute) in attributes.iter().enumerate() {
            if !self.unset.contains(&index)
                && !attribute.is_set_by_database(false)
                && let Some(bind) = binds.next()
            {
                record.set(index, bind.value.clone());
            }
        }
        record
    }
}

/// The insertion of rows, each a record and values of attributes that only other versions have in the same table. It
/// returns the keys in the order of the rows. All rows leave the same attributes to the database.
pub fn insert_many(
    dialect: Dialect,
    definition: &ResourceDefinition,
    rows: impl IntoIterator<Item = (Record, Vec<(&'static Attribute, Value)>)>,
) -> Batch {
    let mut rows = rows.into_iter().peekable();
    let unset = rows
        .peek()
        .map(|(record, _)| left_to_database(definition, record));
    let rows =
        rows.map(|(record, of_other_versions)| new_row(definition, record, of_other_versions));
    let mut rows: Vec<_> = rows.collect();
    let mut writer = SqlWriter::new(dialect);
    let first = rows.first().cloned().unwrap_or_default();
    match dialect {
        Dialect::Sqlite => write_insert(&mut writer, definition, first, &[]),
        Dialect::Postgres => {
            let columns: Vec<&Attribute> = first.into_iter().map(|(column, _)| column).collect();
            write_insert_arrays(&mut writer, definition, &columns);
        }
    }
    write_returning_new(&mut writer, definition);
    let bound = |(attribute, value)| bound(dialect, attribute, value);
    let rows = rows.drain(..).map(|row| {
        let mut binds: Vec<Bind> = row.into_iter().map(bound).collect();
        // The array of a table without columns to set has a value for each row.
        if binds.is_empty() && dialect == Dialect::Postgres {
            binds.push(Bind {
                kind: Kind::BigInteger,
                form: StorageForm::Ours,
                value: Value::Null,
            });
        }
        binds
    });
    Batch {
        rows: rows.collect(),
        text: writer.finish().text,
        next: None,
        unset: unset.unwrap_or_default(),
    }
}

/// The attributes of a new item that it leaves to defaults of the database.
pub fn left_to_database(definition: &ResourceDefinition, record: &Record) -> Vec<usize> {
    let attributes = definition.all_attributes().iter().enumerate();
    let left = attributes
        .filter(|(index, it)| it.has_default_of_database() && record.get(*index).is_none());
    left.map(|(index, _)| index).collect()
}

/// `INSERT INTO … SELECT … FROM unnest(…) WITH ORDINALITY … ORDER BY …`: one text however many rows there are, and
/// the keys are assigned in the order of the rows.
fn write_insert_arrays(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    columns: &[&Attribute],
) {
    let table = definition.table_identifier();
    writer.sql("INSERT INTO ").identifier(table);
    if columns.is_empty() {
        // A selection of no columns leaves all of them to the table.
        writer.sql(" SELECT FROM unnest(").array(Kind::BigInteger);
        writer.sql(")");
        return;
    }
    let names = || columns.iter().map(|column| column.identifier());
    writer.sql(" (").identifiers(names()).sql(") SELECT ");
    writer.list(", ", columns, |writer, column| {
        write_stored(writer, column, |writer| {
            writer.identifier(column.identifier());
        });
    });
    writer.sql(" FROM unnest(");
    writer.list(", ", columns, |writer, column| {
        writer.array(column.kind());
    });
    writer.sql(") WITH ORDINALITY AS ").alias(Alias::Rows);
    writer.sql(" (").identifiers(names());
    // The point keeps the name apart from those of all columns.
    writer.sql(", \"the.ordinal\") ORDER BY \"the.ordinal\"");
}

/// The change of the items that `query` finds, or their deletion where `changes` is none.
pub fn change_where(
    dialect: Dialect,
    view: View<'_>,
    query: &ListQuery,
    changes: Option<Vec<(&Attribute, Value)>>,
) -> Statement {
    let definition = view.definition();
    // The connections of transactions lack the functions of the service; one text is for all.
    let matching = Matching::of(SqlWriter::without_functions(dialect), view, query);
    let mut writer = matching.writer();
    match changes {
        Some(changes) => write_update(&mut writer, definition, changes),
        None => write_table(writer.sql("DELETE"), definition),
    }
    // By their keys, since the condition may join other tables.
    let key = || definition.key_attributes().map(Attribute::identifier);
    writer.sql(" WHERE (").identifiers(key());
    writer.sql(") IN (SELECT ");
    writer.list(", ", key(), |writer, column| {
        writer.column(Alias::Item, column);
    });
    write_page(&mut writer, view, query, &matching);
    // Locked in the order of their keys: a row that another write has changed meanwhile is tested anew, and two
    // changes of the same rows wait for each other instead of blocking each other.
    if dialect == Dialect::Postgres {
        writer.sql(" FOR UPDATE OF ").alias(Alias::Item);
    }
    writer.sql(")");
    writer.finish()
}

#[cfg(test)]
mod tests {
    use resource_model::ApiResource as _;
    use resource_model::authorization::View;
    use resource_model::query::{ListParameters, ListQuery, RowChange};
    use resource_model::samples::{Address, Person, Region, asked};
    use resource_model::value::{Record, Value};

    use super::{Batch, change_where, insert_many};
    use crate::{Dialect, change};

    fn addresses(dialect: Dialect) -> Batch {
        let row = |line: &str| {
            let mut record = Record::absent(4);
            record.set(0, Value::Integer(7));
            record.set(1, Value::Text(line.to_owned()));
            (record, Vec::new())
        };
        insert_many(dialect, Address::DEFINITION, ["a", "b"].map(row))
    }

    #[test]
    fn rows_are_one_text_with_an_array_for_each_column() {
        let batch = addresses(Dialect::Postgres);
        assert_eq!(
            batch.text(),
            r#"INSERT INTO "addresses" ("line1", "city", "gate_code") SELECT "line1", "city", "gate_code" FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS "the.rows" ("line1", "city", "gate_code", "the.ordinal") ORDER BY "the.ordinal" RETURNING "id""#
        );
        assert_eq!(batch.rows().len(), 2);
        assert_eq!(batch.rows()[1][0].value, Value::Text("b".to_owned()));
        let record = batch.record(1, Address::DEFINITION);
        assert_eq!((record.get(0), record.get(2)), (None, Some(&Value::Null)));
    }

    #[test]
    fn rows_on_sqlite_have_the_text_of_a_single_insertion() {
        let single = RowChange::Insert {
            definition: Address::DEFINITION,
            record: Record::absent(4),
            of_other_versions: Vec::new(),
            targets: Vec::new(),
            companion: None,
        };
        let single = change(Dialect::Sqlite, single);
        assert_eq!(addresses(Dialect::Sqlite).text(), single.text());
    }

    #[test]
    fn items_are_changed_and_deleted_by_the_keys_that_the_query_finds() {
        let view = View::unrestricted(Person::DEFINITION);
        let query = ListParameters {
            filter: Some("eq(bill_address.city,\"Bonn\")".to_owned()),
            ..ListParameters::default()
        };
        let query = ListQuery {
            limit: 1000,
            ..asked(view, &query)
        };
        let name = &Person::ATTRIBUTES[1];
        let changes = vec![(name, Value::Text("Ann".to_owned()))];
        let update = change_where(Dialect::Postgres, view, &query, Some(changes));
        assert_eq!(
            update.text(),
            r#"UPDATE "persons" SET "name" = $2 WHERE ("id") IN (SELECT "the.item"."id" FROM "persons" AS "the.item" LEFT JOIN "addresses" AS "subresource.0" ON "subresource.0"."id" = "the.item"."bill_address_id" WHERE ("subresource.0"."city" = $1) ORDER BY "the.item"."id" LIMIT $3 OFFSET $4 FOR UPDATE OF "the.item")"#
        );
        let delete = change_where(Dialect::Sqlite, view, &query, None);
        assert_eq!(
            delete.text(),
            r#"DELETE FROM "persons" WHERE ("id") IN (SELECT "the.item"."id" FROM "persons" AS "the.item" LEFT JOIN "addresses" AS "subresource.0" ON "subresource.0"."id" = "the.item"."bill_address_id" WHERE ("subresource.0"."city" = ?) ORDER BY "the.item"."id" LIMIT ? OFFSET ?)"#
        );
    }

    #[test]
    fn conflict_sets_all_other_attributes_but_the_key() {
        let definition = Region::DEFINITION;
        let upsert = RowChange::Upsert {
            definition,
            record: Record::absent(4),
            of_other_versions: Vec::new(),
            updated: Vec::new(),
            unique: definition.all_attributes()[1..3].iter().collect(),
        };
        assert_eq!(
            change(Dialect::Postgres, upsert).text(),
            r#"INSERT INTO "regions" ("country", "code", "name") VALUES ($1, $2, $3) ON CONFLICT ("country", "code") DO UPDATE SET "name" = excluded."name" RETURNING "id""#
        );
    }
}
