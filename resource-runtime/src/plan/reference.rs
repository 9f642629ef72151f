use super::{Dialect, Statement, Writer};
use crate::schema::{ForeignKey, Identifier, Kind, ResourceDefinition};
use crate::value::Value;

/// One row if `key` points at no row with `values`; a value that is not given is the one that
/// `stored`, the item, holds in the key's column.
pub(crate) fn points_nowhere(
    dialect: Dialect,
    key: &ForeignKey,
    values: Vec<Option<(Kind, Value)>>,
    stored: Option<(&ResourceDefinition, &Value)>,
) -> Statement {
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

/// One row if any row of `table` refers by `key` to the item `id` of `definition`.
pub(crate) fn is_referenced(
    dialect: Dialect,
    (table, key): (Identifier, &ForeignKey),
    definition: &ResourceDefinition,
    id: &Value,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT 1 FROM ").identifier(table);
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
    writer.sql(") LIMIT 1");
    writer.finish()
}
