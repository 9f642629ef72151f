use resource_model::schema::{Kind, StoredColumn, StoredUnique, Table};
use resource_sql::DECIMAL;
use rusqlite::{Connection, Row};

use super::{names, spelled};

const INDEXES: &str = r#"
    SELECT "list"."name", "list"."unique", "list"."origin" = 'pk', "list"."partial",
        "column"."name", "column"."coll"
    FROM pragma_index_list(?1) AS "list", pragma_index_xinfo("list"."name") AS "column"
    WHERE "column"."key" = 1
    ORDER BY "list"."seq", "column"."seqno""#;

/// An index with what it holds of each row.
pub(super) struct Index {
    name: String,
    is_unique: bool,
    pub(super) is_primary_key: bool,
    is_partial: bool,
    parts: Vec<Part>,
}

enum Part {
    Column(String),
    /// A column in an order that no statement asks for.
    Collated(String),
    Expression,
}

pub(super) fn read(
    connection: &Connection,
    needed: &Table,
    columns: &[StoredColumn],
) -> rusqlite::Result<Vec<Index>> {
    let mut prepared = connection.prepare(INDEXES)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let mut indexes: Vec<Index> = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        if indexes.last().is_none_or(|index| index.name != name) {
            indexes.push(Index {
                name,
                is_unique: row.get(1)?,
                is_primary_key: row.get(2)?,
                is_partial: row.get(3)?,
                parts: Vec::new(),
            });
        }
        if let Some(index) = indexes.last_mut() {
            index.parts.push(part(row, needed, columns)?);
        }
    }
    Ok(indexes)
}

fn part(row: &Row<'_>, needed: &Table, columns: &[StoredColumn]) -> rusqlite::Result<Part> {
    let Some(column) = row.get::<_, Option<String>>(4)? else {
        return Ok(Part::Expression);
    };
    let column = spelled(column, names(needed));
    let collation: String = row.get(5)?;
    let expected = compared_by(needed, columns, &column);
    if expected.is_some_and(|expected| expected.eq_ignore_ascii_case(&collation)) {
        Ok(Part::Column(column))
    } else {
        Ok(Part::Collated(column))
    }
}

/// The collation by which statements compare this column: of decimals ours, else its own.
fn compared_by<'columns>(
    needed: &Table,
    columns: &'columns [StoredColumn],
    column: &str,
) -> Option<&'columns str> {
    let mut known = needed.columns.iter();
    let known = known.find(|it| it.name.as_str() == column);
    if known.is_some_and(|it| it.kind == Kind::Decimal) {
        return Some(DECIMAL);
    }
    let stored = columns.iter().find(|it| it.name == column);
    stored.map(|stored| stored.collation.as_str())
}

/// The columns that rows are found by in each index: those before an expression or another
/// collation. An index on some rows alone finds only those.
pub(super) fn finding(indexes: &[Index]) -> Vec<Vec<String>> {
    let whole = indexes.iter().filter(|index| !index.is_partial);
    whole.map(Index::first_columns).collect()
}

/// What no two rows share, by these indexes.
pub(super) fn unique(indexes: &[Index]) -> Vec<StoredUnique> {
    let unique = indexes.iter().filter(|index| index.is_unique);
    unique.map(Index::unique).collect()
}

impl Index {
    fn first_columns(&self) -> Vec<String> {
        let columns = self.parts.iter().map_while(|part| match part {
            Part::Column(column) => Some(column.clone()),
            Part::Collated(_) | Part::Expression => None,
        });
        columns.collect()
    }

    fn unique(&self) -> StoredUnique {
        let mut unique = StoredUnique {
            has_condition: self.is_partial,
            ..StoredUnique::default()
        };
        for part in &self.parts {
            match part {
                Part::Column(column) => unique.columns.push(column.clone()),
                Part::Collated(column) => {
                    unique.has_collation = true;
                    unique.columns.push(column.clone());
                }
                Part::Expression => unique.has_expression = true,
            }
        }
        unique
    }
}
