use super::expanded::write_selection;
use super::join::Joins;
use super::page::write_from;
use super::{Alias, Dialect, Statement, Writer};
use crate::query::Selection;
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::{Record, Value};

/// The selected columns of the item `id`; without a selection, all that clients may read.
pub(crate) fn item(
    dialect: Dialect,
    definition: &ResourceDefinition,
    id: &Value,
    selection: Option<&Selection>,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT ");
    match selection {
        Some(selection) => write_selection(&mut writer, definition, Alias::Item, selection),
        None => drop(writer.sql(definition.column_list())),
    }
    write_from(&mut writer, definition);
    let expansions = selection.iter().flat_map(|selection| &selection.expansions);
    let expanded = expansions.map(|expansion| expansion.subresource);
    Joins::of_subresources(expanded).write(&mut writer, definition, Alias::Item);
    if let Some(key) = definition.primary_key() {
        writer
            .sql(" WHERE ")
            .column(Alias::Item, key.identifier())
            .sql(" = ")
            .bind(key.kind(), id.clone());
    }
    writer.finish()
}

/// Every column of the item `id`, in declaration order.
pub(crate) fn whole_item(
    dialect: Dialect,
    definition: &ResourceDefinition,
    id: &Value,
) -> Statement {
    let mut writer = Writer::new(dialect);
    write_whole(&mut writer, definition);
    from_item(&mut writer, definition, id);
    writer.sql(dialect.locked());
    writer.finish()
}

/// Every column of the items whose `attribute` is `value`, in the order of their primary keys.
pub(crate) fn items_where(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    value: Value,
) -> Statement {
    let mut writer = Writer::new(dialect);
    write_whole(&mut writer, definition);
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier());
    writer.sql(" WHERE ").identifier(attribute.identifier());
    if value == Value::Null {
        writer.sql(" IS NULL");
    } else {
        let collation = dialect.collation(attribute.kind());
        writer
            .sql(collation)
            .sql(" = ")
            .bind(attribute.kind(), value);
    }
    if let Some(key) = definition.primary_key() {
        writer.sql(" ORDER BY ").identifier(key.identifier());
    }
    writer.finish()
}

fn write_whole(writer: &mut Writer, definition: &ResourceDefinition) {
    let columns = definition.all_attributes().iter();
    writer
        .sql("SELECT ")
        .identifiers(", ", columns.map(Attribute::identifier));
}

/// One row if the item `id` exists.
pub(crate) fn item_exists(
    dialect: Dialect,
    definition: &ResourceDefinition,
    id: &Value,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT 1");
    from_item(&mut writer, definition, id);
    writer.finish()
}

/// Stores a new item; answers its key.
///
/// Every column is named, but for a key that the database assigns, absent values as null, so that
/// one resource has one text. The attributes that other versions have in the same table get their
/// defaults.
pub(crate) fn insert(
    dialect: Dialect,
    definition: &ResourceDefinition,
    record: &mut Record,
    elsewhere: &[&Attribute],
) -> Statement {
    let attributes = definition.all_attributes();
    let mut values: Vec<(&Attribute, Value)> = Vec::with_capacity(attributes.len());
    for (index, attribute) in attributes.iter().enumerate() {
        if !attribute.is_assigned_by_database() {
            values.push((attribute, record.take(index).unwrap_or(Value::Null)));
        }
    }
    for attribute in elsewhere {
        values.push((attribute, attribute.default_value().unwrap_or(Value::Null)));
    }
    let mut writer = Writer::new(dialect);
    writer
        .sql("INSERT INTO ")
        .identifier(definition.table_identifier());
    if values.is_empty() {
        writer.sql(" DEFAULT VALUES");
    } else {
        let columns = values.iter().map(|(attribute, _)| attribute.identifier());
        writer
            .sql(" (")
            .identifiers(", ", columns)
            .sql(") VALUES (");
        writer.list(", ", values, |writer, (attribute, value)| {
            writer.bind(attribute.kind(), value);
        });
        writer.sql(")");
    }
    if let Some(key) = definition.primary_key() {
        writer.sql(" RETURNING ").identifier(key.identifier());
    }
    writer.finish()
}

/// Changes what `record` holds of the item `id`; `None` when it holds nothing. The attributes that
/// other versions have in the same table get what an update gives them.
pub(crate) fn update(
    dialect: Dialect,
    definition: &ResourceDefinition,
    record: &mut Record,
    elsewhere: &[&Attribute],
    id: &Value,
) -> Option<Statement> {
    let attributes = definition.all_attributes().iter().enumerate();
    let mut changes: Vec<(&Attribute, Value)> = attributes
        .filter_map(|(index, attribute)| record.take(index).map(|value| (attribute, value)))
        .collect();
    if changes.is_empty() {
        return None;
    }
    let elsewhere = elsewhere.iter();
    changes.extend(elsewhere.filter_map(|it| Some((*it, it.value_on_update()?))));
    let mut writer = Writer::new(dialect);
    writer
        .sql("UPDATE ")
        .identifier(definition.table_identifier())
        .sql(" SET ");
    writer.list(", ", changes, |writer, (attribute, value)| {
        writer
            .identifier(attribute.identifier())
            .sql(" = ")
            .bind(attribute.kind(), value);
    });
    where_item(&mut writer, definition, id);
    Some(writer.finish())
}

/// Removes the item `id`.
pub(crate) fn delete(dialect: Dialect, definition: &ResourceDefinition, id: &Value) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("DELETE");
    from_item(&mut writer, definition, id);
    writer.finish()
}

fn from_item(writer: &mut Writer, definition: &ResourceDefinition, id: &Value) {
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier());
    where_item(writer, definition, id);
}

fn where_item(writer: &mut Writer, definition: &ResourceDefinition, id: &Value) {
    if let Some(key) = definition.primary_key() {
        writer
            .sql(" WHERE ")
            .identifier(key.identifier())
            .sql(" = ")
            .bind(key.kind(), id.clone());
    }
}
