use super::item::{from_item, where_item};
use super::reference::{Target, write_existence};
use super::{Dialect, Statement, Writer};
use crate::guard::View;
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::{Record, Value};

/// Stores a new item; answers its key.
///
/// Every column is named, but for a key that the database assigns, absent values as null, so that
/// one resource has one text. The attributes that other versions have in the same table get their
/// defaults. Where one of the targets is not there, nothing is stored.
pub(crate) fn insert(
    dialect: Dialect,
    definition: &ResourceDefinition,
    record: &mut Record,
    elsewhere: &[&Attribute],
    targets: &[Target<'_>],
) -> Statement {
    let mut writer = Writer::new(dialect);
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
    writer
        .sql("INSERT INTO ")
        .identifier(definition.table_identifier());
    if values.is_empty() {
        writer.sql(" DEFAULT VALUES");
    } else {
        let columns = values.iter().map(|(attribute, _)| attribute.identifier());
        writer.sql(" (").identifiers(", ", columns);
        let (before, behind) = if targets.is_empty() {
            (") VALUES (", ")")
        } else {
            (") SELECT ", " WHERE ")
        };
        writer.sql(before);
        writer.list(", ", values, |writer, (attribute, value)| {
            writer.bind(attribute.kind(), value);
        });
        writer.sql(behind).list(" AND ", targets, |writer, target| {
            write_existence(writer, definition, target);
        });
    }
    if let Some(key) = definition.primary_key() {
        writer.sql(" RETURNING ").identifier(key.identifier());
    }
    writer.finish()
}

/// Changes what `record` holds of the item `id`; `None` when it holds nothing. The attributes that
/// other versions have in the same table get what an update gives them. Where one of the targets is
/// not there, nothing is changed.
pub(crate) fn update(
    dialect: Dialect,
    view: View<'_>,
    record: &mut Record,
    elsewhere: &[&Attribute],
    id: &Value,
    targets: &[Target<'_>],
) -> Option<Statement> {
    let definition = view.definition();
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
    where_item(&mut writer, view, id);
    for target in targets {
        write_existence(writer.sql(" AND "), definition, target);
    }
    Some(writer.finish())
}

/// Removes the item `id`.
pub(crate) fn delete(dialect: Dialect, view: View<'_>, id: &Value) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("DELETE");
    from_item(&mut writer, view, id);
    writer.finish()
}
