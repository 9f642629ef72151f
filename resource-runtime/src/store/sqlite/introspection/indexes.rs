//! The indexes of a table.

use resource_model::schema::{Kind, StoredColumn, Table};
use resource_sql::{DECIMAL, Dialect};
use rusqlite::{Connection, Row};

use super::{in_definition_case, names};
use crate::store::check_constraint::{null_tested, tokens};
use crate::store::index::{Index, Part};

/// Reads the key columns of each index with their collations; an expression has a null name.
const INDEXES: &str = r#"
    SELECT "list"."name", "list"."unique", "list"."origin" = 'pk', "list"."partial",
        "column"."name", "column"."coll",
        (SELECT "sql" FROM "sqlite_schema" WHERE "type" = 'index' AND "name" = "list"."name")
    FROM pragma_index_list(?1) AS "list", pragma_index_xinfo("list"."name") AS "column"
    WHERE "column"."key" = 1
    ORDER BY "list"."seq", "column"."seqno""#;

pub(super) fn read(
    connection: &Connection,
    needed: &Table,
    columns: &[StoredColumn],
) -> rusqlite::Result<Vec<Index>> {
    let mut prepared = connection.prepare(INDEXES)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let mut indexes: Vec<(String, Index)> = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        // Each column of an index is a row; those of one index follow one another.
        if indexes.last().is_none_or(|(last, _)| *last != name) {
            let statement: Option<String> = row.get(6)?;
            let index = Index {
                is_unique: row.get(1)?,
                is_primary_key: row.get(2)?,
                is_partial: row.get(3)?,
                where_null: statement.and_then(|statement| where_null(&statement, needed)),
                parts: Vec::new(),
            };
            indexes.push((name, index));
        }
        if let Some((_, index)) = indexes.last_mut() {
            index.parts.push(part(row, needed, columns)?);
        }
    }
    Ok(indexes.into_iter().map(|(_, index)| index).collect())
}

/// The column of the condition `… IS NULL` of the statement that created an index.
fn where_null(statement: &str, needed: &Table) -> Option<String> {
    let tokens = tokens(Dialect::Sqlite, statement);
    let mut parts = tokens.splitn(2, |token| token.is_word("WHERE"));
    let column = null_tested(parts.nth(1)?)?;
    Some(in_definition_case(column.to_owned(), names(needed)))
}

fn part(row: &Row<'_>, needed: &Table, columns: &[StoredColumn]) -> rusqlite::Result<Part> {
    let column: Option<String> = row.get(4)?;
    let column = column.map(|column| in_definition_case(column, names(needed)));
    let collation: String = row.get(5)?;
    // An expression has no column whose collation it could differ from.
    let has_default_order = column.as_ref().is_none_or(|column| {
        let expected = comparison_collation(needed, columns, column);
        expected.is_some_and(|expected| expected.eq_ignore_ascii_case(&collation))
    });
    Ok(Part {
        column,
        has_default_order,
        is_by_code_point: collation.eq_ignore_ascii_case("BINARY"),
    })
}

/// The collation by which statements compare this column: ours for decimals, else its own.
fn comparison_collation<'columns>(
    needed: &Table,
    columns: &'columns [StoredColumn],
    column: &str,
) -> Option<&'columns str> {
    let mut known = needed.columns.iter();
    let known = known.find(|it| it.name.as_str() == column);
    // Decimals are stored as texts, and every statement names the collation that compares them as numbers.
    // Those that others store as numbers are compared as such.
    if known.is_some_and(|it| it.kind == Kind::Decimal && !it.storage.sqlite.is_converted()) {
        return Some(DECIMAL);
    }
    let stored = columns.iter().find(|it| it.name == column);
    stored.map(|stored| stored.collation.as_str())
}
