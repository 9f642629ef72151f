use super::rows::and_rows;
use super::{Alias, Dialect, Statement, Writer};
use crate::guard::{Rows, View};
use crate::schema::{ForeignKey, Identifier, Kind, ResourceDefinition};
use crate::value::Value;

/// The row that a write lets an item refer to.
#[derive(Debug)]
pub(crate) struct Target<'key> {
    pub(crate) key: &'key ForeignKey,
    /// The values of the key; one that is not given is the one that the item holds already.
    pub(crate) values: Vec<Option<(Kind, Value)>>,
    /// The rows of which it must be one.
    pub(crate) rows: Rows,
}

/// One row if the key points at no row; what is not given of it is what `stored`, the item, holds.
pub(crate) fn dangling_reference(
    dialect: Dialect,
    target: Target<'_>,
    stored: Option<(&ResourceDefinition, &Value)>,
) -> Statement {
    let Target { key, values, rows } = target;
    let mut writer = Writer::new(dialect);
    let is_given: Vec<bool> = values.iter().map(Option::is_some).collect();
    writer
        .sql("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ")
        .identifier(key.target)
        .sql(" WHERE ");
    let columns = key.target_columns.iter().zip(&key.columns).zip(values);
    writer.list(" AND ", columns, |writer, ((target, own), value)| {
        writer.identifier(*target).sql(" = ");
        match value {
            Some((kind, value)) => drop(writer.bind(kind, value)),
            None => write_stored(writer, *own, stored),
        }
    });
    and_rows(&mut writer, None, &rows);
    writer.sql(")");
    for (own, given) in key.columns.iter().zip(is_given) {
        if !given {
            write_stored(writer.sql(" AND "), *own, stored);
            writer.sql(" IS NOT NULL");
        }
    }
    writer.finish()
}

/// What the item holds in `column`.
fn write_stored(
    writer: &mut Writer,
    column: Identifier,
    stored: Option<(&ResourceDefinition, &Value)>,
) {
    let Some((definition, id)) = stored else {
        writer.sql("NULL");
        return;
    };
    writer.sql("(SELECT ").identifier(column);
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier());
    if let Some(key) = definition.primary_key() {
        writer.sql(" WHERE ").identifier(key.identifier());
        writer.sql(" = ").bind(key.kind(), id.clone());
    }
    writer.sql(")");
}

/// A condition of a write to the table of `definition`: that the target is there, or that the item
/// holds null in what is not given of the key.
pub(super) fn write_existence(
    writer: &mut Writer,
    definition: &ResourceDefinition,
    target: &Target<'_>,
) {
    let Target { key, values, rows } = target;
    let table = definition.table_identifier();
    writer.sql("(EXISTS (SELECT 1 FROM ").identifier(key.target);
    writer.sql(" AS ").alias(Alias::Target).sql(" WHERE ");
    let columns = key.target_columns.iter().zip(&key.columns).zip(values);
    writer.list(" AND ", columns, |writer, ((target, own), value)| {
        writer.column(Alias::Target, *target).sql(" = ");
        match value {
            Some((kind, value)) => writer.bind(*kind, value.clone()),
            None => writer.identifier(table).sql(".").identifier(*own),
        };
    });
    and_rows(writer, Some(Alias::Target), rows);
    writer.sql(")");
    for (own, value) in key.columns.iter().zip(values) {
        if value.is_none() {
            writer.sql(" OR ").identifier(table).sql(".");
            writer.identifier(*own).sql(" IS NULL");
        }
    }
    writer.sql(")");
}

/// One row if any row of `source`, of those that its caller may read, refers by `key` to the item
/// `id` of `definition`.
pub(crate) fn is_referenced(
    dialect: Dialect,
    (source, key): (View<'_>, &ForeignKey),
    definition: &ResourceDefinition,
    id: &Value,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer
        .sql("SELECT 1 FROM ")
        .identifier(source.definition().table_identifier());
    writer
        .sql(" WHERE (")
        .identifiers(", ", key.columns.iter().copied())
        .sql(") = (SELECT ")
        .identifiers(", ", key.target_columns.iter().copied())
        .sql(" FROM ")
        .identifier(definition.table_identifier());
    if let Some(primary_key) = definition.primary_key() {
        writer.sql(" WHERE ").identifier(primary_key.identifier());
        writer.sql(" = ").bind(primary_key.kind(), id.clone());
    }
    writer.sql(")");
    and_rows(&mut writer, None, &source.readable_rows());
    writer.sql(" LIMIT 1");
    writer.finish()
}
