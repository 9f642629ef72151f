//! The differences in the terms on which a table is used: heirs, policies, privileges and triggers.

use resource_model::schema::{Attribute, Operation, Peculiarity, Privilege, ResourceDefinition};
use resource_sql::Dialect;

use super::Difference::{self, Fatal, Tolerable};
use super::table_comparison::{TableComparison, listed};

/// The difference of a table that others inherit: their rows are among its own, under keys that need not differ.
pub(super) fn heirs(sides: TableComparison<'_>) -> Option<Difference> {
    let table = sides.table();
    // A trigger of tables of the service may divert rows to heirs, whose keys are of one sequence.
    (sides.stored.has_heirs && sides.needed.existing).then(|| {
        Fatal(format!(
            "other tables inherit `{table}`, so that it shows their rows, too, of which several may have one key; let \
             the struct be a `view` of `SELECT * FROM ONLY \"{table}\"`"
        ))
    })
}

/// The difference of policies, which hide rows from the role of the service, and refuse others.
pub(super) fn policies(sides: TableComparison<'_>) -> Option<Difference> {
    let (table, stored) = (sides.table(), sides.stored);
    let accepted = sides.needed.accepts(Peculiarity::RowSecurity);
    if !stored.hides_rows {
        let is_exempt = stored.has_row_security && sides.needed.existing;
        return is_exempt.then(|| {
            Tolerable(format!(
                "the policies of the table `{table}` do not hold for the role of the service, as for a superuser and \
                 the owner of the table: clients reach every row that `owner` and `scopes` leave; connect by another role \
                 if the policies are to hold"
            ))
        });
    }
    // All callers share the sessions of the service.
    if stored.reads_session {
        return Some(Fatal(format!(
            "policies of the table `{table}` read settings of the session, or call functions that may, which the service \
             does not set for its callers; let the role bypass them, and give the struct an `owner`"
        )));
    }
    (!accepted).then(|| {
        Fatal(format!(
            "policies of the table `{table}` hide rows from the role of the service; add `accept(\"row_security\")` to \
             serve what the role sees, or let the role bypass them"
        ))
    })
}

/// The difference of triggers, which run with each write.
pub(super) fn triggers(sides: TableComparison<'_>) -> Option<Difference> {
    let triggers = &sides.stored.triggers;
    // Those of a table of the service are its developer's own.
    let matters = sides.needed.existing && sides.needed.is_written();
    (matters && !triggers.is_empty()).then(|| {
        Tolerable(format!(
            "the table `{}` has triggers, {}, which may refuse or change what clients write; declare the columns that \
             they set `computed`",
            sides.table(),
            listed(triggers)
        ))
    })
}

/// The privileges that an offered operation needs, and the role lacks.
pub(super) fn privileges(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let refused = sides.stored.refused.iter();
    refused.filter_map(move |(privilege, columns)| {
        let (name, operation) = needed_for(sides, *privilege)?;
        let used = columns.iter();
        let used = used.filter(|column| is_used(sides, column, *privilege, operation));
        let used: Vec<&String> = used.collect();
        let place = match (columns.is_empty(), used.is_empty()) {
            (true, _) => String::new(),
            (false, true) => return None,
            (false, false) => format!(" {} of", listed(used)),
        };
        let version = sides.version_where(|it| it.offered_operations().contains(&operation));
        let operation = operation.name();
        Some(Fatal(format!(
            "the role of the service lacks the privilege {name} on{place} the table `{}`, which {version} needs to \
             {operation} items; have it granted, or leave `{operation}` out of the `operations`",
            sides.table()
        )))
    })
}

/// The writes of an offered operation that do not do what a statement says.
pub(super) fn broken_writes(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let broken = sides.stored.broken.iter();
    let broken = broken.filter(move |_| sides.needed.existing);
    let broken = broken.filter_map(move |(write, column, reason)| {
        let (_, operation) = needed_for(sides, *write)?;
        let is_used = column
            .as_ref()
            .is_none_or(|it| is_used(sides, it, *write, operation));
        is_used.then_some((operation, reason))
    });
    let mut told = None;
    // Several columns may be parts of one foreign key.
    let broken = broken.filter(move |found| told.replace(*found) != Some(*found));
    broken.map(move |(operation, reason)| {
        let (table, name) = (sides.table(), operation.name());
        let version = sides.version_where(|it| it.offered_operations().contains(&operation));
        Fatal(format!(
            "{version} offers to {name} items in the table `{table}`, but {reason}; leave `{name}` out of the \
             `operations`{}",
            match sides.dialect {
                Dialect::Postgres => ", or make the rule a trigger",
                Dialect::Sqlite => "",
            }
        ))
    })
}

/// The name of a privilege in messages, and the first offered operation that needs it.
fn needed_for(
    sides: TableComparison<'_>,
    privilege: Privilege,
) -> Option<(&'static str, Operation)> {
    let (name, needing): (_, &[Operation]) = match privilege {
        // Every statement finds its row by the key.
        Privilege::Select => ("SELECT", &Operation::ALL),
        Privilege::Insert => ("INSERT", &[Operation::Create]),
        Privilege::Sequence => ("USAGE of the sequence", &[Operation::Create]),
        Privilege::Update => ("UPDATE", &[Operation::Update]),
        Privilege::Delete => ("DELETE", &[Operation::Delete]),
    };
    let mut needing = needing.iter().copied();
    Some((name, needing.find(|it| sides.needed.offers(&[*it]))?))
}

/// Tests whether a statement of the operation names the column.
fn is_used(
    sides: TableComparison<'_>,
    column: &str,
    privilege: Privilege,
    operation: Operation,
) -> bool {
    let mut needed = sides.needed.columns.iter();
    let Some(needed) = needed.find(|it| it.name.as_str() == column) else {
        return false;
    };
    let named = |attribute: &Attribute| match operation {
        Operation::Create if privilege == Privilege::Insert => !attribute.is_set_by_database(false),
        // Of what the database sets, a default may draw from a sequence.
        Operation::Create => attribute.is_set_by_database(true),
        Operation::Update => {
            attribute.is_accepted_by(operation) || attribute.has_default_on_update()
        }
        _ => true,
    };
    let offers = |it: &ResourceDefinition| it.offered_operations().contains(&operation);
    sides.is_some_attribute(needed.name, |definition, it| {
        offers(definition) && named(it)
    })
}
