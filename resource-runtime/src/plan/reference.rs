use super::{Dialect, Statement, Writer};
use crate::schema::{ForeignKey, Identifier, Kind, ResourceDefinition};
use crate::value::Value;

/// One row if the row that `key` points at with `values` exists.
pub(crate) fn target_exists(
    dialect: Dialect,
    key: &ForeignKey,
    values: Vec<(Kind, Value)>,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer
        .sql("SELECT 1 FROM ")
        .identifier(key.target)
        .sql(" WHERE ");
    let columns = key.target_columns.iter().zip(values);
    writer.list(" AND ", columns, |writer, (column, (kind, value))| {
        writer.identifier(*column).sql(" = ").bind(kind, value);
    });
    writer.finish()
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
