use super::expanded::write_selection;
use super::join::Joins;
use super::page::write_from;
use super::rows::and_rows;
use super::{Alias, Dialect, Statement, Writer};
use crate::guard::View;
use crate::query::Selection;
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::Value;

/// The selected columns of the item `id`; without a selection, all that clients may read.
pub(crate) fn item(
    dialect: Dialect,
    view: View<'_>,
    id: &Value,
    selection: Option<&Selection>,
) -> Statement {
    let definition = view.definition();
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT ");
    match selection {
        Some(selection) => write_selection(&mut writer, definition, Alias::Item, selection),
        None => drop(writer.sql(definition.column_list())),
    }
    write_from(&mut writer, definition);
    let expansions = selection.iter().flat_map(|selection| &selection.expansions);
    let expanded = expansions.map(|expansion| expansion.subresource);
    Joins::of_subresources(expanded).write(&mut writer, view, Alias::Item);
    if let Some(key) = definition.primary_key() {
        writer
            .sql(" WHERE ")
            .column(Alias::Item, key.identifier())
            .sql(" = ")
            .bind(key.kind(), id.clone());
        and_rows(&mut writer, Some(Alias::Item), &view.rows());
    }
    writer.finish()
}

/// Every column of the item `id`, in declaration order.
pub(crate) fn select_for_update(dialect: Dialect, view: View<'_>, id: &Value) -> Statement {
    let mut writer = Writer::new(dialect);
    write_whole(&mut writer, view.definition());
    from_item(&mut writer, view, id);
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
pub(crate) fn item_exists(dialect: Dialect, view: View<'_>, id: &Value) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("SELECT 1");
    from_item(&mut writer, view, id);
    writer.finish()
}

/// One row if this transaction stored the item `id`; only PostgreSQL has rows that tell who did.
#[cfg(feature = "postgres")]
pub(crate) fn item_stored_here(definition: &ResourceDefinition, id: &Value) -> Statement {
    let mut writer = Writer::new(Dialect::Postgres);
    writer.sql("SELECT 1");
    from_item(&mut writer, View::whole(definition), id);
    writer.sql(" AND xmin = CAST(pg_current_xact_id() AS xid)");
    writer.finish()
}

pub(super) fn from_item(writer: &mut Writer, view: View<'_>, id: &Value) {
    writer
        .sql(" FROM ")
        .identifier(view.definition().table_identifier());
    where_item(writer, view, id);
}

/// An item that is not for the caller is none.
pub(super) fn where_item(writer: &mut Writer, view: View<'_>, id: &Value) {
    if let Some(key) = view.definition().primary_key() {
        writer
            .sql(" WHERE ")
            .identifier(key.identifier())
            .sql(" = ")
            .bind(key.kind(), id.clone());
        and_rows(writer, None, &view.rows());
    }
}
