use rusqlite::Connection;

use super::{names, spelled};
use crate::plan::DECIMAL;
use crate::schema::{Kind, StoredColumn, StoredForeignKey, Table};

/// An index on some rows alone finds only those, and makes only those unique.
const INDEXES: &str = r#"
    SELECT "list"."name", "list"."unique", "list"."origin" = 'pk', "column"."name", "column"."coll"
    FROM pragma_index_list(?1) AS "list", pragma_index_xinfo("list"."name") AS "column"
    WHERE "list"."partial" = 0 AND "column"."key" = 1
    ORDER BY "list"."seq", "column"."seqno""#;

/// A key that names no columns of its target points at the primary key.
const FOREIGN_KEYS: &str = r#"
    SELECT "key"."id", "key"."table", "key"."from", coalesce("key"."to", (
        SELECT "name" FROM pragma_table_xinfo("key"."table") WHERE "pk" = "key"."seq" + 1
    ), ''), "key"."on_delete", "key"."on_update"
    FROM pragma_foreign_key_list(?1) AS "key" ORDER BY "key"."id", "key"."seq""#;

/// An index with the columns that rows can be found by.
pub(super) struct Index {
    name: String,
    is_unique: bool,
    pub(super) is_primary_key: bool,
    pub(super) columns: Vec<String>,
    /// Whether an expression or another collation stands behind those columns.
    is_cut: bool,
}

pub(super) fn indexes(
    connection: &Connection,
    needed: &Table,
    columns: &[StoredColumn],
) -> rusqlite::Result<Vec<Index>> {
    let mut prepared = connection.prepare(INDEXES)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let mut indexes: Vec<Index> = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let collation: String = row.get(4)?;
        let column: Option<String> = row.get(3)?;
        let column = column.map(|column| spelled(column, names(needed)));
        let column = column.filter(|column| {
            let expected = compared_by(needed, columns, column);
            expected.is_some_and(|expected| expected.eq_ignore_ascii_case(&collation))
        });
        if indexes.last().is_none_or(|index| index.name != name) {
            indexes.push(Index {
                name,
                is_unique: row.get(1)?,
                is_primary_key: row.get(2)?,
                columns: Vec::new(),
                is_cut: false,
            });
        }
        if let Some(index) = indexes.last_mut() {
            index.add(column);
        }
    }
    Ok(indexes)
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

impl Index {
    fn add(&mut self, column: Option<String>) {
        self.is_cut |= column.is_none();
        let usable = column.filter(|_| !self.is_cut);
        self.columns.extend(usable);
    }
}

/// The columns that no two rows share the values of, by these indexes.
pub(super) fn unique(indexes: &[Index]) -> Vec<Vec<String>> {
    let unique = indexes
        .iter()
        .filter(|index| index.is_unique && !index.is_cut);
    unique.map(|index| index.columns.clone()).collect()
}

pub(super) fn foreign_keys(
    connection: &Connection,
    needed: &Table,
    all: &[Table],
) -> rusqlite::Result<Vec<StoredForeignKey>> {
    let mut prepared = connection.prepare(FOREIGN_KEYS)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let mut keys: Vec<(i64, StoredForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let target = spelled(row.get(1)?, all.iter().map(|table| table.name));
        let target_table = all.iter().find(|table| table.name.as_str() == target);
        if keys.last().is_none_or(|(last, _)| *last != id) {
            let key = StoredForeignKey {
                columns: Vec::new(),
                target,
                target_columns: Vec::new(),
                on_delete: unless_refused(row.get(4)?),
                on_update: unless_refused(row.get(5)?),
            };
            keys.push((id, key));
        }
        if let Some((_, key)) = keys.last_mut() {
            let known = target_table.into_iter().flat_map(names);
            key.columns.push(spelled(row.get(2)?, names(needed)));
            key.target_columns.push(spelled(row.get(3)?, known));
        }
    }
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// The action of a foreign key, if it is one: those that are none refuse the write.
fn unless_refused(action: String) -> Option<String> {
    let is_refusal = matches!(action.as_str(), "NO ACTION" | "RESTRICT");
    (!is_refusal).then_some(action)
}
