//! Statements that change one row.

use resource_model::query::{Companion, Expected, LockMode, RowChange, Target};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition};
use resource_model::value::{Record, Value};

use crate::form::{write_exact, write_unique, write_value};
use crate::item::{where_key, write_table};
use crate::target::write_target;
use crate::{Alias, Dialect, SqlWriter, Statement};

/// The statement that changes a row; an insertion returns its key.
pub fn change(dialect: Dialect, change: RowChange<'_>) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    match change {
        RowChange::Insert {
            definition,
            record,
            of_other_versions,
            targets,
            companion,
        } => {
            let values = new_row(definition, record, of_other_versions);
            let is_one = companion.is_some() && dialect == Dialect::Postgres;
            if is_one {
                writer.sql("WITH ").alias(Alias::Item).sql(" AS (");
            }
            write_insert(&mut writer, definition, values, &targets);
            write_returning_new(&mut writer, definition);
            match companion {
                Some(companion) if is_one => {
                    writer.sql(") ");
                    write_companion_of_item(&mut writer, definition, companion);
                }
                Some(companion) => {
                    let mut second = SqlWriter::new(dialect);
                    write_companion(&mut second, companion, |writer| {
                        writer.sql("last_insert_rowid()");
                    });
                    return writer.finish().followed_by(second.finish());
                }
                None => {}
            }
        }
        RowChange::Upsert {
            definition,
            record,
            of_other_versions,
            updated,
            unique,
        } => {
            let values = new_row(definition, record, of_other_versions);
            // A value that is left to the database stays as it is in an item that is there.
            let named: Vec<&Attribute> = values.iter().map(|(attribute, _)| *attribute).collect();
            write_insert(&mut writer, definition, values, &[]);
            write_update_on_conflict(&mut writer, &named, definition, &unique, updated);
            write_returning(&mut writer, definition);
        }
        RowChange::Update {
            view,
            key,
            mut record,
            of_other_versions,
            targets,
            expected,
        } => {
            let definition = view.definition();
            let attributes = definition.all_attributes().iter().enumerate();
            let mut changes: Vec<(&Attribute, Value)> = attributes
                // An attribute that is absent keeps its value.
                .filter_map(|(index, attribute)| record.take(index).map(|value| (attribute, value)))
                .collect();
            // Versions share a table, so a write through one sets columns that only others have, too.
            changes.extend(of_other_versions);
            write_update(&mut writer, definition, changes);
            where_key(&mut writer, None, view, key);
            for target in &targets {
                // Part of the write, as a target may vanish or change its owner after an earlier check.
                write_target(writer.sql(" AND "), target, true, stored_in(definition));
            }
            and_expected(&mut writer, expected);
        }
        RowChange::Delete {
            view,
            key,
            expected,
        } => {
            // The number of changed rows tells whether anything was deleted.
            write_table(writer.sql("DELETE"), view.definition());
            where_key(&mut writer, None, view, key);
            and_expected(&mut writer, expected);
        }
    }
    writer.finish()
}

/// ` AND …`: the row still has these values, null being equal to itself.
fn and_expected(writer: &mut SqlWriter, expected: Expected) {
    let dialect = writer.dialect();
    for (attribute, value) in expected {
        write_exact(
            writer.sql(" AND "),
            None,
            attribute,
            dialect.is_same(),
            value,
        );
    }
}

/// `INSERT INTO … SELECT …`: a row that is stored with a new item, whose key is where `key` writes it.
fn write_companion(writer: &mut SqlWriter, companion: Companion, key: impl Fn(&mut SqlWriter)) {
    let definition = companion.definition;
    let values = new_row(definition, companion.record, Vec::new());
    let columns = values.iter().map(|(attribute, _)| attribute.identifier());
    let table = writer
        .sql("INSERT INTO ")
        .identifier(definition.table_identifier());
    table.sql(" (").identifiers(columns).sql(") SELECT ");
    let ending = companion.ends_with_key.map(Attribute::name);
    writer.list(", ", values, |writer, (attribute, value)| {
        writer.bind_value(attribute, value);
        if ending == Some(attribute.name()) {
            key(writer.sql(" || "));
        }
    });
}

/// The same from the new item, whose key the statement returns; no item, no row. Only a key of one part is assigned by the
/// database, and so unknown before.
fn write_companion_of_item(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    companion: Companion,
) {
    write_companion(writer, companion, |writer| {
        let key = definition.only_key().map(Attribute::identifier);
        if let Some(key) = key {
            writer.column(Alias::Item, key);
        }
    });
    writer.sql(" FROM ").alias(Alias::Item).sql(" RETURNING ");
    let key = definition.key_attributes().map(Attribute::identifier);
    writer.list(", ", key, |writer, column| {
        let column = writer.sql("(SELECT ").column(Alias::Item, column);
        column.sql(" FROM ").alias(Alias::Item).sql(")");
    });
}

/// `UPDATE … SET …`
pub(super) fn write_update(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    changes: Vec<(&Attribute, Value)>,
) {
    writer
        .sql("UPDATE ")
        .identifier(definition.table_identifier())
        .sql(" SET ");
    write_changes(writer, changes);
}

fn write_changes(writer: &mut SqlWriter, changes: Vec<(&Attribute, Value)>) {
    writer.list(", ", changes, |writer, (attribute, value)| {
        writer
            .identifier(attribute.identifier())
            .sql(" = ")
            .bind_value(attribute, value);
    });
}

/// The values of a new row: one for every column except those that the database sets, null where it is absent, so
/// that each resource has one text, which the driver finds prepared, unless the database has defaults.
pub(super) fn new_row<'a>(
    definition: &'a ResourceDefinition,
    mut record: Record,
    of_other_versions: Vec<(&'a Attribute, Value)>,
) -> Vec<(&'a Attribute, Value)> {
    let attributes = definition.all_attributes();
    let mut values: Vec<(&Attribute, Value)> = Vec::with_capacity(attributes.len());
    for (index, attribute) in attributes.iter().enumerate() {
        let value = record.take(index);
        if !attribute.is_set_by_database(value.is_none()) {
            // The values are in the order of the definition, whatever the client sent.
            values.push((attribute, value.unwrap_or(Value::Null)));
        }
    }
    values.extend(of_other_versions);
    values
}

/// Writes an insertion of these values, without the key that it returns.
pub(super) fn write_insert(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    values: Vec<(&Attribute, Value)>,
    targets: &[Target<'_>],
) {
    writer
        .sql("INSERT INTO ")
        .identifier(definition.table_identifier());
    // SQL has no insertion with an empty list of columns.
    if values.is_empty() {
        writer.sql(" DEFAULT VALUES");
        return;
    }
    let columns = values.iter().map(|(attribute, _)| attribute.identifier());
    writer.sql(" (").identifiers(columns);
    // A `SELECT` may have a condition, so that nothing is inserted where a target is missing.
    let (before, behind) = if targets.is_empty() {
        (") VALUES (", ")")
    } else {
        (") SELECT ", " WHERE ")
    };
    writer.sql(before);
    writer.list(", ", values, |writer, (attribute, value)| {
        writer.bind_value(attribute, value);
    });
    writer.sql(behind).list(" AND ", targets, |writer, target| {
        write_target(writer, target, true, stored_in(definition));
    });
}

/// ` ON CONFLICT (…) DO UPDATE SET …`: the row that has the values of the `unique` attributes gets all other values of
/// the new one, except its key.
fn write_update_on_conflict(
    writer: &mut SqlWriter,
    named: &[&Attribute],
    definition: &ResourceDefinition,
    unique: &[&Attribute],
    updated: Vec<(&Attribute, Value)>,
) {
    writer.sql(" ON CONFLICT (");
    // The target is the unique index of the same columns, in the collation of that index.
    writer.list(", ", unique, |writer, attribute| {
        write_unique(writer, None, attribute);
    });
    let is_unique = |it: &&Attribute| unique.iter().any(|of_set| of_set.name() == it.name());
    let others = definition.all_attributes().iter();
    let is_named = |it: &&Attribute| named.iter().any(|other| other.name() == it.name());
    let others = others.filter(|it| is_named(it) && !is_unique(it) && !it.is_primary_key());
    let is_updated = |it: &&Attribute| updated.iter().any(|(other, _)| other.name() == it.name());
    let others = others.filter(|it| !is_updated(it));
    let mut columns: Vec<&Attribute> = others.collect();
    // Only an update returns the row of a conflict, so that there must be one.
    if columns.is_empty() && updated.is_empty() {
        columns.extend(unique);
    }
    writer.sql(")");
    // A unique index of the living rows alone is named by its condition.
    let deleted = definition.deletion_attribute();
    let is_key = unique.iter().all(|it| it.is_primary_key())
        && unique.len() == definition.key_attributes().count();
    if let Some((_, deleted)) = deleted.filter(|_| !is_key) {
        writer.sql(" WHERE ").identifier(deleted.identifier());
        writer.sql(" IS NULL");
    }
    writer.sql(" DO UPDATE SET ");
    writer.list(", ", &columns, |writer, attribute| {
        let column = writer.identifier(attribute.identifier());
        column
            .sql(" = excluded.")
            .identifier(attribute.identifier());
    });
    writer.sql(if columns.is_empty() || updated.is_empty() {
        ""
    } else {
        ", "
    });
    write_changes(writer, updated);
}

/// ` RETURNING …`: the key of a new row. SQLite tells the id that it has assigned by itself, and would make a table in
/// memory for what is returned.
pub(super) fn write_returning_new(writer: &mut SqlWriter, definition: &ResourceDefinition) {
    let key = definition.only_key();
    let is_assigned = key.is_some_and(Attribute::is_assigned_by_database);
    if writer.dialect() == Dialect::Postgres || !is_assigned {
        write_returning(writer, definition);
    }
}

/// ` RETURNING …`: the key.
fn write_returning(writer: &mut SqlWriter, definition: &ResourceDefinition) {
    let key = definition.key_attributes();
    writer.sql(" RETURNING ").list(", ", key, |writer, it| {
        write_value(writer, None, it);
    });
}

/// Writes a column of the row that is written, for a target; the table qualifies it, as the target may have a column of
/// the same name.
fn stored_in(definition: &ResourceDefinition) -> impl Fn(&mut SqlWriter, Identifier) {
    let table = definition.table_identifier();
    move |writer, column| {
        writer.identifier(table).sql(".").identifier(column);
    }
}

/// The statement that has foreign keys checked by each statement of the transaction; none where a database lacks it.
pub fn check_keys_at_once(dialect: Dialect) -> Option<Statement> {
    let mut writer = SqlWriter::new(dialect);
    writer.sql("SET CONSTRAINTS ALL IMMEDIATE");
    (dialect == Dialect::Postgres).then(|| writer.finish())
}

/// Locks a table of PostgreSQL.
///
/// Taken before the first read: a waiter then holds no snapshot (no serialization failure) and no lock (no
/// deadlock).
pub fn lock_table(definition: &ResourceDefinition, mode: LockMode) -> Statement {
    let mut writer = SqlWriter::new(Dialect::Postgres);
    writer
        .sql("LOCK TABLE ")
        .identifier(definition.table_identifier())
        .sql(match mode {
            // This mode admits others of its kind and all reads and writes, but no exclusive lock.
            LockMode::Shared => " IN ROW SHARE MODE",
            // Plain reads go on beside this mode, while every writer waits.
            LockMode::Exclusive => " IN EXCLUSIVE MODE",
        });
    writer.finish()
}

#[cfg(test)]
mod tests {
    use resource_model::ApiResource as _;
    use resource_model::query::{Companion, RowChange};
    use resource_model::samples::{Address, Region};
    use resource_model::value::Record;

    use super::change;
    use crate::{Dialect, Statement};

    /// An insertion with a row of another table, of which a text ends with the key of the item.
    fn insertion(dialect: Dialect) -> Statement {
        let definition = Region::DEFINITION;
        let companion = Companion {
            definition: Address::DEFINITION,
            record: Record::absent(Address::DEFINITION.all_attributes().len()),
            ends_with_key: Address::DEFINITION.find("line1").map(|(_, it)| it),
        };
        let insertion = RowChange::Insert {
            definition,
            record: Record::absent(definition.all_attributes().len()),
            of_other_versions: Vec::new(),
            targets: Vec::new(),
            companion: Some(companion),
        };
        change(dialect, insertion)
    }

    #[test]
    fn item_and_companion_are_one_statement_on_postgres() {
        let mut statement = insertion(Dialect::Postgres);
        assert_eq!(
            statement.text(),
            "WITH \"the.item\" AS (INSERT INTO \"regions\" (\"country\", \"code\", \"name\") \
             VALUES ($1, $2, $3) RETURNING \"id\") \
             INSERT INTO \"addresses\" (\"line1\", \"city\", \"gate_code\") \
             SELECT $4 || \"the.item\".\"id\", $5, $6 FROM \"the.item\" \
             RETURNING (SELECT \"the.item\".\"id\" FROM \"the.item\")"
        );
        assert!(statement.take_next().is_none());
    }

    #[test]
    fn item_and_companion_are_two_statements_on_sqlite() {
        let mut statement = insertion(Dialect::Sqlite);
        assert_eq!(
            statement.text(),
            "INSERT INTO \"regions\" (\"country\", \"code\", \"name\") VALUES (?, ?, ?)"
        );
        let next = statement.take_next().unwrap();
        assert_eq!(
            next.text(),
            "INSERT INTO \"addresses\" (\"line1\", \"city\", \"gate_code\") \
             SELECT ? || last_insert_rowid(), ?, ?"
        );
    }
}
