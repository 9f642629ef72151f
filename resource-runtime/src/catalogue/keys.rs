//! The differences of primary keys, of their sequences, and of indexes.

use resource_model::schema::{Attribute, Identifier, Operation};

use super::Difference::{self, Fatal, Tolerable};
use super::remedy;
use super::table_comparison::{
    ColumnComparison, TableComparison, attribute_in, columns, is_same, listed,
};

pub(super) fn primary_key(sides: TableComparison<'_>) -> Option<Difference> {
    let mut columns = sides.needed.columns.iter();
    let key = columns.find(|it| it.primary_key)?;
    let (needed, parts) = (key.name, sides.needed.key());
    let stored = &sides.stored.primary_key;
    let is_same = is_stored_key(sides) || is_unique_and_full(sides, needed);
    let table = sides.table();
    // Only the gravest fault is reported, since all have the same remedy.
    let found = if stored.is_empty() && !is_same {
        format!("the table `{table}` has no primary key")
    } else if !is_same {
        format!(
            "the primary key of the table `{table}` is {}",
            listed(stored)
        )
    } else if key.assigned_by_database
        && !sides.stored.assigns_key
        && sides.needed.offers(&[Operation::Create])
    {
        format!(
            "the database does not assign the primary key {}",
            sides.place(needed)
        )
    } else {
        return None;
    };
    // The version with the key is named, which is where a developer would change it.
    let is_key = |it| attribute_in(it, needed, Attribute::is_primary_key).is_some();
    let version = sides.version_where(is_key);
    // With the right column in place, the fault is that the database assigns no values to it.
    let needed = if is_same {
        String::from("that it does")
    } else {
        super::table_comparison::columns(&parts)
    };
    let remedy = if is_same && sides.needed.existing {
        String::from("declare the field `assigned`")
    } else if stored.is_empty() && sides.needed.existing {
        let index = resource_sql::create_unique_index(sides.dialect, sides.needed, &[key.name]);
        format!(
            "mark a field whose column is unique and `NOT NULL`, or make this one so with `{}`",
            index.text()
        )
    } else {
        remedy::as_in_schema_sql(sides, "primary key")
    };
    Some(Fatal(format!(
        "{found}, but {version} needs {needed}; {remedy}"
    )))
}

/// Tests whether the table has the needed key; the order of its columns does not matter.
fn is_stored_key(sides: TableComparison<'_>) -> bool {
    is_same(&sides.needed.key(), &sides.stored.primary_key)
}

/// Tests whether an index of a table of others finds one row for each value, as a primary key would.
fn is_unique_and_full(sides: TableComparison<'_>, needed: Identifier) -> bool {
    let mut unique = sides.stored.unique.iter();
    let column = sides.stored.column(needed);
    sides.needed.existing
        && column.is_some_and(|it| !it.nullable)
        && unique.any(|it| it.is_plain() && it.columns == [needed.as_str()])
}

/// The difference of a key that may be assigned again: a client may still hold the URL of the deleted item.
pub(super) fn assigned_again(sides: TableComparison<'_>) -> Option<Difference> {
    let mut columns = sides.needed.columns.iter();
    let key = columns.find(|it| it.assigned_by_database)?;
    let is_assigned_again =
        sides.stored.assigns_key_again && sides.needed.offers(&[Operation::Create]);
    is_assigned_again.then(|| {
        let (consequence, remedy) = if sides.needed.existing {
            let remedy = "leave `delete` out of the `operations` if clients keep URLs";
            (", so that its URL may find another item", remedy.to_owned())
        } else {
            ("", remedy::as_in_schema_sql(sides, "primary key"))
        };
        Tolerable(format!(
            "the database may assign a value of {} again once the newest row is deleted{consequence}; {remedy}",
            sides.place(key.name),
        ))
    })
}

/// The difference of a primary key that may be null. SQLite allows that in tables that are neither `STRICT`
/// nor `WITHOUT ROWID`, unless the key is the row's own number, which it calls nullable all the same.
pub(super) fn null(sides: TableComparison<'_>) -> Option<Difference> {
    let parts = sides.needed.columns.iter().filter(|it| it.primary_key);
    let nullable = parts.filter_map(|it| sides.column(it));
    let nullable: Vec<_> = nullable.filter(|it| it.stored.nullable).collect();
    let key = *nullable.first()?;
    // SQLite assigns the row's number in place of null, so such a key never holds null.
    let is_number = key.needed.assigned_by_database || sides.stored.assigns_key;
    if let (true, Some(column)) = (is_stored_key(sides), &sides.stored.null_key) {
        let table = sides.table();
        return Some(Fatal(format!(
            "rows of the table `{table}` have null in `{table}.{column}` of their primary key, by which no item is \
             found; give each of them a value"
        )));
    }
    // A key of other columns is a difference of its own.
    (is_stored_key(sides) && !is_number).then(|| {
        let places: Vec<String> = nullable.iter().map(ColumnComparison::place).collect();
        let remedy = if sides.needed.existing {
            // A key is never an `Option`.
            String::from("let nothing write null there, or have it declared `NOT NULL`")
        } else {
            remedy::nullable(key)
        };
        Tolerable(format!(
            "{} may be null in the table, in several rows although it is the primary key, but \
             every version requires a value; {remedy}",
            places.join(", "),
        ))
    })
}

/// The difference of a sequence that is behind the keys of rows, as after a bulk load with ids of its own.
pub(super) fn behind(sides: TableComparison<'_>) -> Option<Difference> {
    // Only PostgreSQL has sequences that can fall behind.
    let sequence = sides.stored.behind.as_ref()?;
    let mut columns = sides.needed.columns.iter();
    let key = columns.find(|it| it.assigned_by_database)?.name;
    let statement = resource_sql::set_on(sequence, sides.needed.name, key);
    Some(Tolerable(format!(
        "the next value that the database assigns to {} is not above all that rows have, so that \
         new items will be refused; advance it with `{}`",
        sides.place(key),
        statement.text()
    )))
}

pub(super) fn missing_indexes(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    // The difference costs time alone, so the service starts all the same.
    let indexes = sides.needed.indexes.iter();
    // Any index that begins with the columns serves, whatever its name and its further columns.
    let missing = indexes.filter(move |needed| !sides.stored.finds_by(needed));
    missing.map(move |needed| {
        let statement = resource_sql::create_index(sides.dialect, sides.needed, needed);
        Tolerable(format!(
            "the table `{}` has no index on {}, so that finding rows by it reads all of them; \
             create it with `{}`",
            sides.table(),
            columns(needed),
            statement.text()
        ))
    })
}
