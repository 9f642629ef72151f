//! The comparison of the tables that the definitions need with those of a database: every difference, in a
//! sentence with its remedy. No database is read here: callers pass the tables that they have read.

#[cfg(feature = "cli")]
mod additions;
mod columns;
mod defaults;
mod foreign_keys;
mod keys;
mod limits;
mod rebuild;
mod remedy;
mod report;
#[cfg(feature = "cli")]
mod stored_values;
mod table_comparison;
mod terms;
mod unique;

use resource_model::schema::{Identifier, ResourceDefinition, StoredTable, Table};
use resource_sql::Dialect;

#[cfg(feature = "cli")]
pub(crate) use additions::additions;
pub(crate) use defaults::unfit_defaults;
pub(crate) use rebuild::rebuild;
pub use report::SchemaReport;
#[cfg(feature = "cli")]
pub(crate) use stored_values::unfit_values;
use table_comparison::TableComparison;

/// A difference between a table and the definitions that need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Difference {
    /// A difference of which some request that the definitions allow would fail, or change what it should
    /// not.
    Fatal(String),
    /// One of them that an addition ends: a table or a column that is missing.
    Lacking(String),
    /// A column that an addition makes, without values: what is to be done, and what of it remains behind the addition.
    Unfilled { sentence: String, remaining: String },
    /// A difference that the service can live with.
    Tolerable(String),
}

/// Every difference between the tables that are needed and the same tables as they are stored, each with its table.
pub(crate) fn differences<'tables>(
    dialect: Dialect,
    definitions: &[&'static ResourceDefinition],
    tables: impl IntoIterator<Item = (&'tables Table, Option<&'tables StoredTable>)>,
) -> Vec<(Identifier, Difference)> {
    let all: Vec<_> = tables.into_iter().collect();
    // Each table is compared by itself, in the order in which they would be created.
    let of_table = |needed: &Table, stored| match stored {
        Some(stored) => {
            let sides = TableComparison {
                dialect,
                definitions,
                needed,
                stored,
            };
            // A view has no keys or constraints, so comparing them would repeat that one difference.
            match no_table(sides) {
                Some(difference) => vec![difference],
                None if needed.view => of_view(sides),
                None => {
                    let mut differences = of_table(sides);
                    differences.extend(foreign_keys::undeclared(sides, &all));
                    differences.extend(foreign_keys::across_collations(sides, &all));
                    differences
                }
            }
        }
        None => vec![missing_table(needed)],
    };
    let differences = all.iter().flat_map(|(needed, stored)| {
        let differences = of_table(needed, *stored).into_iter();
        differences.map(|difference| (needed.name, difference))
    });
    differences.collect()
}

fn missing_table(needed: &Table) -> Difference {
    let table = needed.name.as_str();
    if needed.view {
        Difference::Fatal(format!(
            "the view `{table}` is missing, or its schema closed to the service; correct `table`, or create the view by a \
             statement of your own"
        ))
    } else if needed.existing {
        Difference::Fatal(format!(
            "the table `{table}` is missing, or its schema closed to the service; correct `table`, or remove `existing` \
             to have it created"
        ))
    } else {
        Difference::Lacking(format!(
            "the table `{table}` is missing; create it with the statements that the command `check --sql` prints, or with \
             `create_missing_tables`"
        ))
    }
}

/// The difference of a view or the like, which has none of a table's constraints.
fn no_table(sides: TableComparison<'_>) -> Option<Difference> {
    let remedy = if sides.needed.existing {
        "add `view` to the struct, to which clients then only read"
    } else {
        "choose another `table`, or give it another name"
    };
    (!sides.stored.is_table && !sides.needed.view).then(|| {
        Difference::Fatal(format!(
            "`{}` is no table in the database, but a view or the like, which {} cannot be stored \
             in; {remedy}",
            sides.table(),
            sides.version_where(|_| true)
        ))
    })
}

/// The rules on what is only read, and has no keys of its own.
fn of_view(sides: TableComparison<'_>) -> Vec<Difference> {
    let mut differences: Vec<Difference> = terms::policies(sides).into_iter().collect();
    differences.extend(terms::privileges(sides));
    for needed in &sides.needed.columns {
        match sides.column(needed) {
            Some(column) => {
                differences.extend(columns::other_type(column));
                differences.extend(columns::other_collation(column));
            }
            None => differences.extend(columns::missing(sides, needed)),
        }
    }
    differences
}

/// The rules on one table: a function for each, in the order in which a reader looks at a table.
fn of_table(sides: TableComparison<'_>) -> Vec<Difference> {
    // The key stands first, as in the statement that creates a table.
    let mut differences = Vec::new();
    // Both have the same remedy, so the graver difference is enough.
    let key = keys::primary_key(sides).or_else(|| keys::assigned_again(sides));
    differences.extend(key);
    differences.extend(keys::null(sides));
    differences.extend(keys::behind(sides));
    differences.extend(terms::heirs(sides));
    differences.extend(terms::policies(sides));
    differences.extend(terms::privileges(sides));
    // Then column by column, each with its type before its limits, as in a statement of creation.
    for needed in &sides.needed.columns {
        // The remedy of a missing column declares it completely, so its other rules are not compared.
        let Some(column) = sides.column(needed) else {
            differences.extend(columns::missing(sides, needed));
            continue;
        };
        differences.extend(columns::other_type(column));
        differences.extend(columns::generated(column));
        differences.extend(columns::no_default(column));
        differences.extend(columns::null(column));
        differences.extend(columns::other_collation(column));
        // A limit refuses what clients write.
        if !column.is_written() {
            continue;
        }
        differences.extend(limits::lengths(column));
        differences.extend(limits::ranges(column));
        differences.extend(limits::names(column));
    }
    // Rules that concern the table as a whole follow the columns.
    differences.extend(columns::unknown(sides));
    differences.extend(columns::missing_ignored(sides));
    differences.extend(unique::missing(sides));
    differences.extend(foreign_keys::missing(sides));
    differences.extend(foreign_keys::with_action(sides));
    differences.extend(foreign_keys::deferred(sides));
    differences.extend(unique::undeclared(sides));
    differences.extend(unique::conflicts(sides));
    differences.extend(terms::triggers(sides));
    differences.extend(terms::broken_writes(sides));
    differences.extend(keys::missing_indexes(sides));
    differences
}

#[cfg(test)]
mod tests;
