//! Conditions: the filters of clients, and the limits to a caller's rows.

use resource_model::authorization::{Rows, View};
use resource_model::query::{AttributePath, Condition, Predicate, Relation, Test};
use resource_model::value::Value;

use crate::Alias;
use crate::collection::write_has;
use crate::form::{bind_ordered, write_equal, write_exact, write_in, write_ordered};
use crate::join::{alias_of, write_path};
use crate::pattern::{write_ilike, write_like};
use crate::writer::SqlWriter;

/// ` WHERE … AND (…)`, or nothing: the filter is one of the conditions, whatever it holds.
pub(super) fn write_where(writer: &mut SqlWriter, view: View<'_>, filter: Option<&Predicate>) {
    let rows = &view.rows();
    // The limit of the caller comes first, outside of the parentheses of the filter.
    if !rows.are_all() {
        writer.sql(" WHERE ");
        write_rows(writer, Some(Alias::Item), rows);
    }
    if let Some(filter) = filter {
        writer.sql(if rows.are_all() { " WHERE (" } else { " AND (" });
        // The limit is on the patterns of one filter, so each filter counts from zero.
        writer.readings = 0;
        write_predicate(writer, view, filter, false);
        writer.sql(")");
    }
}

pub(super) fn write_predicate(
    writer: &mut SqlWriter,
    view: View<'_>,
    predicate: &Predicate,
    is_within_or: bool,
) {
    match predicate {
        Predicate::All(members) => write_members(writer, view, members, " AND ", is_within_or),
        Predicate::Any(members) => {
            // SQLite's search for indexes is slow only for an `OR` within another one.
            if is_within_or {
                writer.sql(writer.dialect().suppress_index_hint());
            }
            // All that is below this `OR` is within it, through any `AND`.
            write_members(writer, view, members, " OR ", true);
        }
        Predicate::Test(test) => write_test(writer, test),
        Predicate::Has(has) => write_has(writer, view, has),
    }
}

/// Halves in parentheses instead of one long chain, which the databases read as a tree as deep
/// as it is long: SQLite takes a depth of 1,000.
fn write_members(
    writer: &mut SqlWriter,
    view: View<'_>,
    members: &[Predicate],
    operator: &'static str,
    is_within_or: bool,
) {
    match members {
        [] => {}
        [member] => write_predicate(writer, view, member, is_within_or),
        members => {
            // The depth grows with the logarithm of the number of members.
            let (left, right) = members.split_at(members.len() / 2);
            writer.sql("(");
            write_members(writer, view, left, operator, is_within_or);
            writer.sql(operator);
            write_members(writer, view, right, operator, is_within_or);
            writer.sql(")");
        }
    }
}

/// A test that is true or false, never unknown: null fails every condition that does not name null, so it
/// passes the negation.
fn write_test(writer: &mut SqlWriter, test: &Test) {
    if !test.negated {
        write_condition(writer, test.path, &test.condition);
        return;
    }
    // In this form, an index serves it.
    if matches!(test.condition, Condition::IsNull) {
        write_path(writer, test.path);
        writer.sql(" IS NOT NULL");
        return;
    }
    // `NOT` of an unknown condition is unknown, so the negation has to name null.
    let null_passes = test.path.is_nullable() && !holds_for_null(&test.condition);
    writer.sql(if null_passes { "(NOT (" } else { "NOT (" });
    write_condition(writer, test.path, &test.condition);
    writer.sql(")");
    if null_passes {
        writer.sql(" OR ");
        write_path(writer, test.path);
        writer.sql(" IS NULL)");
    }
}

const fn holds_for_null(condition: &Condition) -> bool {
    match condition {
        Condition::IsNull => true,
        // An empty list is written as `FALSE`, whose negation holds for null by itself.
        Condition::OneOf { values, or_null } => *or_null || values.is_empty(),
        Condition::Compare(..) | Condition::Like(_) | Condition::Ilike(_) => false,
    }
}

fn write_condition(writer: &mut SqlWriter, path: AttributePath, condition: &Condition) {
    match condition {
        Condition::IsNull => {
            write_path(writer, path);
            writer.sql(" IS NULL");
        }
        Condition::Compare(Relation::Equal, value) => {
            write_equal(writer, Some(alias_of(path)), path.attribute, value);
        }
        Condition::Compare(relation, value) => {
            write_ordered(writer, Some(alias_of(path)), path.attribute);
            writer.sql(operator(*relation));
            bind_ordered(writer, path.attribute, value.clone());
        }
        Condition::OneOf { values, or_null } => write_one_of(writer, path, values, *or_null),
        Condition::Like(pattern) => write_like(writer, path, pattern),
        Condition::Ilike(pattern) => write_ilike(writer, path, pattern),
    }
}

const fn operator(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => " = ",
        Relation::Greater => " > ",
        Relation::GreaterOrEqual => " >= ",
        Relation::Less => " < ",
        Relation::LessOrEqual => " <= ",
    }
}

fn write_one_of(writer: &mut SqlWriter, path: AttributePath, values: &[Value], or_null: bool) {
    // PostgreSQL does not accept an empty list.
    let Some(last) = values.last() else {
        if or_null {
            write_condition(writer, path, &Condition::IsNull);
        } else {
            writer.sql("FALSE");
        }
        return;
    };
    // Padded with the last value to a power of two, so that lists of all lengths share a few texts, and the
    // driver finds them prepared.
    let filled = values.len().next_power_of_two();
    let values = values.iter().chain(std::iter::repeat(last)).take(filled);
    // The parentheses keep the `OR` apart from the conditions around this one.
    writer.sql(if or_null { "(" } else { "" });
    write_in(writer, Some(alias_of(path)), path.attribute, &values);
    // `IN` is never true of null, so null has a test of its own.
    if or_null {
        writer.sql(" OR ");
        write_path(writer, path);
        writer.sql(" IS NULL)");
    }
}

/// ` AND …`: only these rows; nothing where all rows are meant.
pub(super) fn and_rows(writer: &mut SqlWriter, from: Option<Alias>, rows: &Rows) {
    if !rows.are_all() {
        writer.sql(" AND ");
        write_rows(writer, from, rows);
    }
}

/// A condition that holds for these rows.
pub(super) fn write_rows(writer: &mut SqlWriter, from: Option<Alias>, rows: &Rows) {
    match rows {
        Rows::All => drop(writer.sql("TRUE")),
        Rows::None => drop(writer.sql("FALSE")),
        Rows::Living(deleted, rows) => {
            writer
                .own_column(from, deleted.identifier())
                .sql(" IS NULL");
            and_rows(writer, from, rows);
        }
        Rows::Of(owner, value) => {
            // Two owners may be equal in the column's own collation.
            write_exact(writer, from, owner, " = ", value.clone());
        }
    }
}
