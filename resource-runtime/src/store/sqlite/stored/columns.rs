use resource_model::schema::{StoredColumn, Table};
use rusqlite::Connection;

use super::affinity::stored_as;
use super::declaration::Declaration;
use super::{names, spelled};

const COLUMNS: &str = r#"
    SELECT "name", "type", "notnull", "pk",
        coalesce(upper("dflt_value"), 'NULL') <> 'NULL', "hidden" > 1
    FROM pragma_table_xinfo(?1) ORDER BY "cid""#;

/// What a column has of the collations when it names none.
const USUAL_COLLATION: &str = "BINARY";

/// The columns of a table and the names of those that are its primary key.
pub(super) fn read(
    connection: &Connection,
    needed: &Table,
    declaration: &Declaration,
) -> rusqlite::Result<(Vec<StoredColumn>, Vec<String>)> {
    let mut prepared = connection.prepare(COLUMNS)?;
    let rows = prepared.query_map([needed.name.as_str()], |row| {
        let place_in_key: u32 = row.get(3)?;
        let mut column = column(row.get(0)?, row.get(1)?, declaration);
        column.nullable = !row.get::<_, bool>(2)?;
        column.is_generated = row.get(5)?;
        column.has_default = column.is_generated || row.get(4)?;
        column.name = spelled(column.name, names(needed));
        Ok((place_in_key, column))
    })?;
    let columns: Vec<(u32, StoredColumn)> = rows.collect::<rusqlite::Result<_>>()?;
    let key = columns.iter().filter(|(place_in_key, _)| *place_in_key > 0);
    let mut key: Vec<(u32, String)> = key
        .map(|(place, column)| (*place, column.name.clone()))
        .collect();
    key.sort_unstable();
    Ok((
        columns.into_iter().map(|(_, column)| column).collect(),
        key.into_iter().map(|(_, name)| name).collect(),
    ))
}

/// A column with all that its declaration says of it.
fn column(name: String, declared_type: String, declaration: &Declaration) -> StoredColumn {
    let is_it = |other: &str| other.eq_ignore_ascii_case(&name);
    let mut collations = declaration.collations.iter();
    let collation = collations.find(|(column, _)| is_it(column));
    let collation = collation.map_or(USUAL_COLLATION, |(_, collation)| collation);
    let limits = declaration.limits.iter();
    let limits = limits.filter(|limit| is_it(limit.column()));
    let mut column = StoredColumn {
        stored_as: stored_as(&declared_type, declaration.is_strict),
        collation: collation.to_owned(),
        nullable: true,
        has_default: false,
        is_generated: false,
        min_length: None,
        max_length: None,
        min: None,
        max: None,
        names: None,
        declared_type,
        name: String::new(),
    };
    limits.for_each(|limit| limit.narrow(&mut column));
    StoredColumn { name, ..column }
}
