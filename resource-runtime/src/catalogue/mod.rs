//! The tables that the definitions need beside those that a database has: every difference, in a
//! sentence with its remedy. Pure: whoever has read the tables asks.

#[cfg(feature = "cli")]
mod additions;
mod columns;
mod foreign_keys;
mod keys;
mod limits;
mod remedy;
mod report;
mod sides;
mod unique;

use resource_model::schema::{ResourceDefinition, StoredTable, Table};
use resource_sql::Dialect;

#[cfg(feature = "cli")]
pub(crate) use additions::additions;
pub use report::SchemaReport;
use sides::Sides;

/// What a table has otherwise than the definitions need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Some request that the definitions allow would fail, or change what it should not.
    Fatal(String),
    /// The service can live with it.
    Tolerable(String),
}

/// Every difference between the tables that are needed and the same tables as they are stored.
pub(crate) fn differences<'tables>(
    dialect: Dialect,
    definitions: &[&'static ResourceDefinition],
    tables: impl IntoIterator<Item = (&'tables Table, Option<&'tables StoredTable>)>,
) -> Vec<Difference> {
    let tables = tables.into_iter();
    let differences = tables.flat_map(|(needed, stored)| match stored {
        Some(stored) => {
            let sides = Sides {
                dialect,
                definitions,
                needed,
                stored,
            };
            no_table(sides).map_or_else(|| of_table(sides), |difference| vec![difference])
        }
        None => vec![missing_table(needed)],
    });
    differences.collect()
}

fn missing_table(needed: &Table) -> Difference {
    Difference::Fatal(format!(
        "the table `{}` is missing; create it with `create_missing_tables`, or with the \
         statements of `schema_sql`",
        needed.name.as_str()
    ))
}

/// What is no table has none of its constraints.
fn no_table(sides: Sides<'_>) -> Option<Difference> {
    (!sides.stored.is_table).then(|| {
        Difference::Fatal(format!(
            "`{}` is no table in the database, but a view or the like, which {} cannot be stored \
             in; choose another `table`, or give it another name",
            sides.table(),
            sides.version_that(|_| true)
        ))
    })
}

/// Where simpler rules go: one function each, in the order in which a reader looks at a table.
fn of_table(sides: Sides<'_>) -> Vec<Difference> {
    let mut differences = Vec::new();
    let key = keys::primary_key(sides).or_else(|| keys::assigned_again(sides));
    differences.extend(key);
    differences.extend(keys::null(sides));
    differences.extend(keys::behind(sides));
    for needed in &sides.needed.columns {
        let Some(stored) = sides.stored.column(needed.name) else {
            differences.extend(columns::missing(sides, needed));
            continue;
        };
        differences.extend(columns::other_type(sides, needed, stored));
        differences.extend(columns::generated(sides, needed, stored));
        differences.extend(columns::null(sides, needed, stored));
        differences.extend(columns::other_collation(sides, needed, stored));
        differences.extend(limits::lengths(sides, needed, stored));
        differences.extend(limits::ranges(sides, needed, stored));
        differences.extend(limits::names(sides, needed, stored));
    }
    differences.extend(columns::unknown(sides));
    differences.extend(unique::missing(sides));
    differences.extend(foreign_keys::missing(sides));
    differences.extend(foreign_keys::silent(sides));
    differences.extend(foreign_keys::deferred(sides));
    differences.extend(unique::further(sides));
    differences.extend(unique::conflicts(sides));
    differences.extend(keys::missing_indexes(sides));
    differences
}

#[cfg(test)]
mod tests;
