//! The differences of unique sets, and of constraints with a conflict clause.

use resource_model::schema::{Identifier, Operation, ResourceDefinition, StoredUnique};

use super::Difference::{self, Fatal, Tolerable};
use super::remedy;
use super::table_comparison::{TableComparison, columns, is_same, is_within, listed};

/// The unique sets that the table lacks. A stored set of fewer columns would do for uniqueness, but refuses
/// what is allowed.
pub(super) fn missing_sets(sides: TableComparison<'_>) -> impl Iterator<Item = &Vec<Identifier>> {
    let is_there = move |set: &Vec<Identifier>| {
        let deleted = sides.needed.deleted;
        // A partial index, or one on an expression or with another collation, does not forbid exactly the
        // rows that a definition forbids, unless it leaves out the deleted ones alone.
        let mut stored = sides.stored.unique.iter();
        stored.any(|it| it.is_of_living(deleted) && is_same(set, &it.columns))
            || is_same(set, &sides.stored.primary_key)
    };
    let sets = sides.needed.unique.iter();
    sets.filter(move |set| !is_there(set))
}

pub(super) fn missing(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    missing_sets(sides).map(move |set| {
        let what = if set.len() == 1 {
            "it unique"
        } else {
            "them unique together"
        };
        // An index instead of a constraint, which SQLite could not add to a table that is there.
        let statement = resource_sql::create_unique_index(sides.dialect, sides.needed, set);
        let what_lacks = match sides.needed.deleted {
            None => format!("lets rows share {}", columns(set)),
            Some(deleted) => format!(
                "has no unique index on {} of the rows alone whose `{}` is null",
                columns(set),
                deleted.as_str()
            ),
        };
        Fatal(format!(
            "the table `{}` {what_lacks}, but {} calls {what}; {}",
            sides.table(),
            sides.version_where(|definition| is_unique_in(definition, set)),
            if sides.needed.existing {
                String::from("remove `unique`")
            } else {
                format!("forbid it with `{}`", statement.text())
            }
        ))
    })
}

fn is_unique_in(definition: &ResourceDefinition, set: &[Identifier]) -> bool {
    // Sets name attributes, while the table has columns.
    let identifier = |name: &&str| definition.find(name).map(|(_, it)| it.identifier());
    let mut sets = definition.unique_sets().iter();
    let mut attributes = definition.all_attributes().iter();
    // A set of one column may be declared at the attribute itself.
    attributes.any(|it| it.is_unique() && set == [it.identifier()])
        || sets.any(|names| names.iter().filter_map(identifier).eq(set.iter().copied()))
}

/// The unique sets that no version declares: they refuse writes by a rule that no definition documents.
pub(super) fn undeclared(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let unique = sides.stored.unique.iter();
    let writes = [Operation::Create, Operation::Update];
    let unique = unique.filter(move |_| sides.needed.offers(&writes));
    let undeclared = unique.filter(move |unique| {
        // A primary key of other columns is reported with the keys.
        let is_primary_key = unique.is_plain() && unique.columns == sides.stored.primary_key;
        !is_primary_key && !is_implied(sides, unique) && !is_never_written(sides, unique)
    });
    undeclared.map(move |unique| {
        let mut sets = sides.needed.unique.iter();
        if unique.is_plain() && sets.any(|set| is_same(set, &unique.columns)) {
            return Tolerable(format!(
                "the table `{}` lets no rows share {}, deleted ones included, so that no item gets \
                 the values of a deleted one; drop the constraint",
                sides.table(),
                described(unique)
            ));
        }
        // A definition can declare only unique columns, no expression, collation or condition.
        let remedy = match (unique.is_plain(), sides.needed.existing) {
            (true, true) => "declare it with `unique`",
            (true, false) => "declare it with `unique`, or drop the constraint",
            (false, true) => "no declaration tells it to clients",
            (false, false) => "drop the unique index",
        };
        Tolerable(format!(
            "the table `{}` lets no rows share {}, which no registered version calls unique, so \
             that writes may be refused that all of them allow; {remedy}",
            sides.table(),
            described(unique)
        ))
    })
}

/// Tells that a needed key or set implies this one: rows that differ in some of its columns differ in all
/// of them together.
fn is_implied(sides: TableComparison<'_>, unique: &StoredUnique) -> bool {
    let deleted = sides.needed.deleted;
    // A set of the living rows implies nothing about the others.
    let is_about_all = deleted.is_none() || unique.is_of_living(deleted);
    let mut sets = sides.needed.unique.iter().filter(|_| is_about_all);
    // The stored set may have further columns, and then forbids less.
    let is_part = |set: &[Identifier]| is_within(set, &unique.columns);
    // In a collation of its own, values that differ may count as equal.
    !unique.has_collation && (is_part(&sides.needed.key()) || sets.any(|set| is_part(set)))
}

/// Tells that no version has the columns: they are null in new rows, and no null equals another.
fn is_never_written(sides: TableComparison<'_>, unique: &StoredUnique) -> bool {
    // A default may be the same in each new row, and so be refused.
    let is_null = |name: &String| {
        let mut needed = sides.needed.columns.iter();
        let mut stored = sides.stored.columns.iter();
        !needed.any(|column| column.name.as_str() == name)
            && stored.any(|column| column.name == *name && !column.has_default)
    };
    !unique.has_expression && unique.columns.iter().all(is_null)
}

fn described(unique: &StoredUnique) -> String {
    // The message lists the columns first, then what makes the index more than a set of them.
    let expression = String::from("the value of an expression");
    let expression = unique.has_expression.then_some(expression);
    let columns = unique.columns.iter().map(|column| format!("`{column}`"));
    let mut text = columns.chain(expression).collect::<Vec<_>>().join(", ");
    if unique.has_collation {
        text.push_str(" in a collation of its own");
    }
    if unique.has_condition {
        text.push_str(" where a condition is true");
    }
    text
}

/// The constraints with a conflict clause: a write that breaks one has to be refused, whole and with
/// nothing else done.
pub(super) fn conflicts(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let conflicts = sides.stored.conflicts.iter();
    let conflicts = conflicts.filter(move |_| sides.needed.is_written());
    conflicts.map(move |conflict| {
        let sentence = |consequence| {
            format!(
                "the constraint of {} in the table `{}` is `{}`, which {consequence}; {}",
                listed(&conflict.columns),
                sides.table(),
                conflict.clause,
                if sides.needed.existing {
                    String::from("offer clients nothing that writes, by `operations(list, retrieve)`")
                } else {
                    remedy::as_in_schema_sql(sides, "constraints")
                }
            )
        };
        // `ROLLBACK` refuses the write, like the default, but takes the earlier statements with it.
        if conflict.is_refused {
            Tolerable(sentence(
                "ends the whole transaction, so that a hook that goes on behind it writes outside of it",
            ))
        } else {
            Fatal(sentence(
                "has other effects than to refuse a write that breaks it",
            ))
        }
    })
}
