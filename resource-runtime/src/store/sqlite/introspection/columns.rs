//! The columns of a table, and how SQLite stores values in them.

use resource_model::schema::{StoredColumn, Table};
use rusqlite::Connection;

use super::declaration::Declaration;
use super::{in_definition_case, names};

/// Reads the columns of a table. A default of NULL is none, and one that calls no function is constant.
const COLUMNS: &str = r#"
    SELECT "name", "type", "notnull", "pk",
        coalesce(upper("dflt_value"), 'NULL') <> 'NULL', "hidden" > 1,
        coalesce("dflt_value" NOT LIKE '%(%' AND "dflt_value" NOT LIKE 'CURRENT%', FALSE),
        "dflt_value"
    FROM pragma_table_xinfo(?1) ORDER BY "cid""#;

/// The collation of a column that declares none.
const DEFAULT_COLLATION: &str = "BINARY";

/// The columns of a table, and the names of its key columns in the order of the key.
pub(super) fn read(
    connection: &Connection,
    needed: &Table,
    declaration: &Declaration,
) -> rusqlite::Result<(Vec<StoredColumn>, Vec<String>)> {
    let mut prepared = connection.prepare(COLUMNS)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let (mut columns, mut key) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let mut column = column(row.get(0)?, row.get(1)?, declaration);
        column.nullable = !row.get::<_, bool>(2)?;
        column.is_generated = row.get(5)?;
        // A generated column needs no value of a new row, as if it had a default.
        column.has_default = column.is_generated || row.get(4)?;
        column.has_constant_default = row.get(6)?;
        let default: Option<String> = row.get(7)?;
        column.default = default.filter(|_| column.has_default && !column.is_generated);
        column.name = in_definition_case(column.name, names(needed));
        let key_position: u32 = row.get(3)?;
        if key_position > 0 {
            key.push((key_position, column.name.clone()));
        }
        columns.push(column);
    }
    // The columns come in the order of the table, which need not be that of the key.
    key.sort_unstable();
    Ok((columns, key.into_iter().map(|(_, name)| name).collect()))
}

/// A column with the collation and the limits of its declaration.
fn column(name: String, declared_type: String, declaration: &Declaration) -> StoredColumn {
    // The declaration spells names as its author did.
    let is_it = |other: &str| other.eq_ignore_ascii_case(&name);
    let mut collations = declaration.collations.iter();
    let collation = collations.find(|(column, _)| is_it(column));
    let collation = collation.map_or(DEFAULT_COLLATION, |(_, collation)| collation);
    let limits = declaration.limits.iter();
    let limits = limits.filter(|limit| is_it(limit.column()));
    let mut column = StoredColumn {
        stored_as: stored_as(&declared_type, declaration.is_strict),
        collation: collation.to_owned(),
        has_exact_collation: collation.eq_ignore_ascii_case(DEFAULT_COLLATION),
        nullable: true,
        declared_type,
        ..StoredColumn::default()
    };
    limits.for_each(|limit| limit.narrow(&mut column));
    StoredColumn { name, ..column }
}

/// The affinity of a declared type (<https://www.sqlite.org/datatype3.html>, section 3.1), as the type with this
/// affinity that our own tables have. None for a column without a type, and for `ANY` in a strict table.
pub(super) fn stored_as(declared_type: &str, is_strict: bool) -> Option<&'static str> {
    let upper = declared_type.to_ascii_uppercase();
    let names = |parts: &[&str]| parts.iter().any(|part| upper.contains(part));
    // The branches follow the rules of the manual in their order: the first that applies decides.
    if upper.is_empty() || (is_strict && upper == "ANY") {
        None
    } else if names(&["INT"]) {
        Some("INTEGER")
    } else if names(&["CHAR", "CLOB", "TEXT"]) {
        Some("TEXT")
    } else if names(&["BLOB"]) {
        Some("BLOB")
    } else if names(&["REAL", "FLOA", "DOUB"]) {
        Some("REAL")
    } else {
        // NUMERIC differs from INTEGER in casts alone.
        Some("INTEGER")
    }
}

#[cfg(test)]
mod tests {
    use super::stored_as;

    #[test]
    fn declared_types_have_the_affinity_of_the_manual() {
        for (declared_type, expected) in [
            ("INT", Some("INTEGER")),
            ("unsigned big int", Some("INTEGER")),
            ("int8", Some("INTEGER")),
            ("CHARINT", Some("INTEGER")),
            ("VARCHAR(255)", Some("TEXT")),
            ("native character(70)", Some("TEXT")),
            ("CLOB", Some("TEXT")),
            ("text", Some("TEXT")),
            ("BLOB", Some("BLOB")),
            ("DOUBLE PRECISION", Some("REAL")),
            ("FLOAT", Some("REAL")),
            // An example of the manual: the type contains "INT".
            ("FLOATING POINT", Some("INTEGER")),
            ("BOOLEAN", Some("INTEGER")),
            ("DECIMAL(10,5)", Some("INTEGER")),
            ("DATETIME", Some("INTEGER")),
            ("STRING", Some("INTEGER")),
            ("ANY", Some("INTEGER")),
            ("", None),
        ] {
            assert_eq!(stored_as(declared_type, false), expected, "{declared_type}");
        }
        assert_eq!(stored_as("any", true), None);
    }
}
