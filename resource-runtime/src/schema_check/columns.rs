use super::Difference::{self, Fatal, Tolerable};
use super::sides::Sides;
use crate::plan;
use crate::schema::{Attribute, Column, Kind, StoredColumn};

const REBUILD: &str = "rebuild the table with the column of `schema_sql`";

/// A primary key that is missing is a difference of the key.
pub(super) fn missing(sides: Sides<'_>, needed: &Column) -> Option<Difference> {
    let statement = plan::add_column(sides.dialect, sides.needed, needed);
    let further = if needed.nullable {
        ""
    } else {
        " and fill it in, since no version allows null; as `NOT NULL` it needs a default"
    };
    let sentence = format!(
        "the table `{}` lacks the column `{}`; add it with `{}`{further}",
        sides.table(),
        needed.name.as_str(),
        statement.text()
    );
    (!needed.primary_key).then_some(Fatal(sentence))
}

pub(super) fn other_type(
    sides: Sides<'_>,
    needed: &Column,
    stored: &StoredColumn,
) -> Option<Difference> {
    let needed_type = sides.dialect.column_type(needed.kind);
    let fits = stored.stored_as.is_none_or(|own| own == needed_type);
    (!fits).then(|| {
        Fatal(format!(
            "{} is of the type `{}`, but {} needs `{needed_type}`; {REBUILD}",
            sides.place(needed.name),
            stored.declared_type,
            sides.version_whose(needed.name, |_| true)
        ))
    })
}

/// SQLite calls a primary key nullable that never is null.
pub(super) fn null(sides: Sides<'_>, needed: &Column, stored: &StoredColumn) -> Option<Difference> {
    let place = sides.place(needed.name);
    match (needed.nullable, stored.nullable) {
        _ if needed.primary_key => None,
        (true, false) => Some(Fatal(format!(
            "{place} is `NOT NULL`, but {} allows null; {REBUILD}",
            sides.version_whose(needed.name, Attribute::is_nullable)
        ))),
        (false, true) => Some(Tolerable(format!(
            "{place} may be null in the table, but every version requires a value; {REBUILD}"
        ))),
        _ => None,
    }
}

pub(super) fn other_collation(
    sides: Sides<'_>,
    needed: &Column,
    stored: &StoredColumn,
) -> Option<Difference> {
    let expected = sides.dialect.text_collation();
    let differs = !stored.collation.eq_ignore_ascii_case(expected);
    (needed.kind == Kind::Text && differs).then(|| {
        Fatal(format!(
            "{} has the collation `{}`, but {} needs `{expected}`; {REBUILD}",
            sides.place(needed.name),
            stored.collation,
            sides.version_whose(needed.name, |_| true)
        ))
    })
}

/// A column that no version knows is in nobody's way unless it wants a value of each new row.
pub(super) fn unknown(sides: Sides<'_>) -> impl Iterator<Item = Difference> {
    let known = |stored: &StoredColumn| {
        let mut columns = sides.needed.columns.iter();
        columns.any(|column| column.name.as_str() == stored.name)
    };
    let columns = sides.stored.columns.iter();
    let unknown = columns.filter(move |stored| !known(stored));
    let wanting = unknown.filter(|stored| !stored.nullable && !stored.has_default);
    wanting.map(move |stored| {
        Fatal(format!(
            "`{}.{}` is `NOT NULL` without a default, but no registered version has it, so that \
             nothing could be inserted; give it a default, let it be null, or drop it",
            sides.table(),
            stored.name
        ))
    })
}
