//! Rules for names in the database: tables and columns.

use std::collections::HashSet;

use super::required::is_url;
use super::spelling::{is_identifier, is_stored_identifier};
use crate::api_resource::model::{Attribute, Resource};
use crate::diagnostics::Diagnostics;

const FORM: &str = "letters, digits and `_`, no digit first, at most 63 bytes";

const FORM_OF_OTHERS: &str = "at least a letter, and no U+0000";

/// The rule that a name breaks. The names that the service makes of several are distinct for its own tables; others have
/// made names of any letters.
fn broken_rule(resource: &Resource<'_>, name: &str) -> Option<&'static str> {
    let keys = resource.keys();
    if !keys.existing.is_written() && !keys.view.is_written() {
        return (!is_stored_identifier(name)).then_some(FORM);
    }
    (name.is_empty() || name.contains('\0')).then_some(FORM_OF_OTHERS)
}

/// The schema has a name that every database accepts.
pub(super) fn check_schema(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(schema) = resource.keys().schema.value() else {
        return;
    };
    let name = schema.value();
    if let Some(rule) = broken_rule(resource, &name) {
        diagnostics.report(
            schema,
            format!("`{name}` cannot be the name of a schema: {rule}; choose another"),
        );
    }
}

/// The table has a name that every database accepts.
pub(super) fn check_table(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let keys = resource.keys();
    let has_collection = keys.url.value().is_some_and(|url| is_url(&url.value()));
    let is_chosen = keys.table.value().is_some();
    // A table name derived from a wrong `url`, or a malformed `table`, has its own error already.
    if !is_chosen && (keys.table.is_written() || !has_collection) {
        return;
    }
    let table = &resource.table;
    // A derived name comes from `url`, which may stay as it is if the table gets a name of its own.
    let remedy = if is_chosen {
        "choose another `table = \"…\"`"
    } else {
        "add `table = \"…\"`"
    };
    if let Some(rule) = broken_table_rule(resource, &table.text) {
        diagnostics.report(
            table,
            format!("`{table}` cannot be the name of a table: {rule}; {remedy}"),
        );
    }
}

fn broken_table_rule(resource: &Resource<'_>, table: &str) -> Option<&'static str> {
    if let Some(rule) = broken_rule(resource, table) {
        Some(rule)
    } else if table.to_ascii_lowercase().starts_with("sqlite_") {
        // SQLite reserves names with this prefix, in upper and lower case.
        Some("`sqlite_` belongs to SQLite")
    } else {
        None
    }
}

/// Every column has a name that every database accepts.
pub(super) fn check_columns(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let column = &attribute.column;
        // A name in JSON may be longer than that of a column, so the column has a check of its own.
        let rule = broken_rule(resource, &column.text);
        let is_ours = column.text == "the.ordinal" || is_order_name(&column.text);
        let rule = rule.or(is_ours.then_some("the service has a name like it in its statements"));
        if let Some(rule) = rule.filter(|_| !is_named_in_other_check(attribute)) {
            diagnostics.report(
                column,
                format!(
                    "`{column}` cannot be the name of a column: {rule}; write `column = \"…\"`"
                ),
            );
        }
    }
}

/// Tells that a name is one of those by which statements call the columns of an order.
fn is_order_name(name: &str) -> bool {
    let index = name.strip_prefix("order.");
    index.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Tells that the check of attribute names reports this field: a name that suits neither JSON nor SQL gets
/// only one error.
fn is_named_in_other_check(attribute: &Attribute<'_>) -> bool {
    let keys = attribute.keys();
    let is_derived = !keys.column.is_written() && !keys.rename.is_written();
    is_derived && !is_identifier(&attribute.field_name.text)
}

/// No two attributes share a column; column names are not case-sensitive in databases.
pub(super) fn check_columns_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for attribute in &resource.attributes {
        let column = &attribute.column;
        // Valid names are ASCII; any other one has an error of its own.
        if !seen.insert(column.text.to_ascii_lowercase()) {
            diagnostics.report(
                column,
                format!(
                    "two attributes are stored in the column `{column}`; \
                     give one another `column = \"…\"`"
                ),
            );
        }
    }
}
