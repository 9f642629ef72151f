//! The statements that rebuild a table of SQLite, which alters few parts of one.

use resource_model::error::did_you_mean;
use resource_model::schema::{StoredTable, Table};
use resource_sql::{self, Dialect, Statement};

use super::columns::is_of_other_type;
use super::table_comparison::TableComparison;

/// The statements that rebuild the table of this name as the definitions need it, or the reason why none do.
pub(crate) fn rebuild(
    dialect: Dialect,
    tables: &[(&Table, Option<&StoredTable>)],
    name: &str,
) -> Result<Statement, String> {
    if dialect.alters_tables() {
        return Err(String::from(
            "only tables of SQLite are rebuilt; `check` prints the statements that alter a table",
        ));
    }
    let mut found = tables.iter();
    let Some((needed, stored)) = found.find(|(needed, _)| needed.name.as_str() == name) else {
        let names = tables.iter().map(|(needed, _)| needed.name.as_str());
        return Err(format!(
            "the API has no table `{name}`{}",
            did_you_mean(name, names)
        ));
    };
    if needed.existing {
        return Err(format!(
            "the table `{name}` is left to those who made it, as `existing` says"
        ));
    }
    let Some(stored) = stored.filter(|stored| stored.is_table) else {
        return Err(format!(
            "the table `{name}` is missing; `schema` prints the statements that make it"
        ));
    };
    // A row that lacks a value, or has one more, is a decision that its owner makes before.
    let mut columns = needed.columns.iter();
    if let Some(lacking) = columns.find(|it| stored.column(it.name).is_none()) {
        let column = lacking.name.as_str();
        return Err(format!(
            "the table `{name}` lacks the column `{column}`; add it before by the statement that `check` prints"
        ));
    }
    let is_needed = |stored: &str| needed.columns.iter().any(|it| it.name.as_str() == stored);
    let mut columns = stored.columns.iter();
    if let Some(unknown) = columns.find(|it| !is_needed(&it.name)) {
        return Err(format!(
            "the values in `{name}.{column}` would be lost, as no registered version has them; declare the column, or drop it \
             before by `ALTER TABLE \"{name}\" DROP COLUMN \"{column}\"`",
            column = unknown.name
        ));
    }
    let sides = TableComparison {
        dialect,
        definitions: &[],
        needed,
        stored,
    };
    Ok(resource_sql::rebuild_table(needed, stored, |column| {
        sides.column(column).is_some_and(is_of_other_type)
    }))
}
