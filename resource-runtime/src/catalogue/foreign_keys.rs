//! The differences of foreign keys: missing, with actions on other rows, or deferred.

use resource_model::registry::references;
use resource_model::schema::{
    Attribute, ForeignKey, Identifier, Kind, Operation, Peculiarity, ReferentialAction,
    ResourceDefinition, StoredForeignKey, StoredTable, Table,
};
use resource_sql::Dialect;

use super::Difference::{self, Fatal};
use super::remedy;
use super::table_comparison::{TableComparison, columns, is_within, listed};

/// The start of a remedy; in one transaction, no row is written while the constraint is missing.
const REPLACE_IT: &str = "in one transaction, drop this constraint, and add another with";

/// The foreign keys that are missing, but for those of one missing column, which is added with its
/// reference. Where the service may check a reference itself, an action still needs its key.
pub(super) fn missing(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    // Keys are compared by their columns, because a constraint may have any name.
    let keys = sides.needed.foreign_keys.iter();
    let is_accepted = sides.needed.accepts(Peculiarity::UnenforcedReferences);
    let keys = keys.filter(move |key| {
        !is_accepted || key.on_delete.is_some() || elsewhere(sides, key).is_some()
    });
    let missing = keys.filter(move |key| {
        // The remedy of a missing column adds its foreign key with it.
        let is_added = key.columns.len() == 1 && !sides.stored.has(&key.columns);
        !is_added && stored(sides, key).next().is_none()
    });
    missing.map(move |key| {
        let version = version(sides, key);
        let consequence = match (elsewhere(sides, key), key.on_delete.filter(|_| is_accepted)) {
            (Some(schema), _) => format!(
                "but one to the table of that name in the schema `{schema}`; add `schema = {schema:?}` to the struct \
                 that {version} refers to, or remove `references`"
            ),
            (None, Some(action)) => format!(
                "so that nothing does what `on_delete` says; remove `on_delete`, or have the foreign key added with \
                 `ON DELETE {}`",
                action.sql()
            ),
            _ if sides.needed.existing => format!(
                "but {version} needs it; add `accept(\"unenforced_references\")`, and the service checks it"
            ),
            _ => {
                let remedy = remedy::referring(sides, key, "add it with");
                format!("but {version} needs it; {remedy}")
            }
        };
        let table = sides.table();
        Fatal(format!("the table `{table}` has no {}, {consequence}", named(key)))
    })
}

/// The foreign keys with another action than is declared, like `CASCADE`: other items than the one that a request names
/// would vanish or change, where the service promises to refuse the request.
pub(super) fn with_action(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let keys = sides.needed.foreign_keys.iter();
    let stored = keys.flat_map(move |key| stored(sides, key).map(move |stored| (key, stored)));
    stored.flat_map(move |(key, stored)| {
        // A key may have both clauses, each with its own consequence.
        let on_update = stored.on_update.and_then(|action| {
            let clause = format!("ON UPDATE {}", action.sql());
            let remedy = "reference the primary key, which never changes";
            let unlike = unlike(sides, key, &clause, "the update to be refused", remedy);
            // A primary key never changes, unless another program does it.
            (!stored.is_to_primary_key || !sides.needed.existing).then_some(unlike)
        });
        on_delete(sides, key, stored).into_iter().chain(on_update)
    })
}

/// The difference in what happens to a row when the row it points at is deleted.
fn on_delete(
    sides: TableComparison<'_>,
    key: &ForeignKey,
    stored: &StoredForeignKey,
) -> Option<Difference> {
    let (declared, found, set) = (key.on_delete, stored.on_delete, &stored.set_on_delete);
    let is_declared = declared == found;
    if is_declared && (found != Some(ReferentialAction::SetNull) || sets(sides, key, stored)) {
        return None;
    }
    let action = found.map_or("RESTRICT", ReferentialAction::sql);
    let mut clause = format!("ON DELETE {action}");
    if !set.is_empty() {
        clause = format!("{clause} ({})", set.join(", "));
    }
    let needed = match declared {
        Some(_) if is_declared => "it of those parts alone that tell it".to_owned(),
        Some(action) => format!("`{}`", action.sql()),
        None => String::from("the delete to be refused"),
    };
    let mut parts = String::new();
    if is_declared || !set.is_empty() {
        let columns = if set.is_empty() { &stored.columns } else { set };
        parts = format!(" at {} alone", listed(columns));
    }
    let remedy = match found {
        Some(action) => format!(
            "declare it by `references(…, on_delete = \"{}\")`{parts}",
            action.word()
        ),
        None => String::from("remove `on_delete`"),
    };
    Some(unlike(sides, key, &clause, &needed, &remedy))
}

/// Tests whether a deletion sets the columns whose attributes tell it, and of the others those that may be null.
fn sets(sides: TableComparison<'_>, key: &ForeignKey, stored: &StoredForeignKey) -> bool {
    let tells = |it: &Attribute| {
        let mut references = it.all_references();
        references
            .any(|(it, _)| it.on_delete.is_some() && (it.target)().table_identifier() == key.target)
    };
    let set = &stored.set_on_delete;
    key.columns.iter().all(|column| {
        let is_set = set.is_empty() || set.iter().any(|it| it == column.as_str());
        let has = |passes: &dyn Fn(&Attribute) -> bool| {
            sides.is_some_attribute(*column, |_, it| passes(it))
        };
        match (has(&tells), is_set) {
            (true, is_set) => is_set,
            // A part that says nothing follows another one where all are set.
            (false, true) => set.is_empty() && !has(&|it| !it.is_nullable() || it.is_owner()),
            (false, false) => true,
        }
    })
}

/// The foreign keys with an action that no version has as a reference: whoever deletes an item would delete or change
/// others of which the model says nothing, those of other owners among them.
pub(super) fn undeclared(
    sides: TableComparison<'_>,
    all: &[(&Table, Option<&StoredTable>)],
) -> impl Iterator<Item = Difference> {
    let is_declared = move |stored: &StoredForeignKey| {
        let mut keys = sides.needed.foreign_keys.iter();
        keys.any(|needed| is_same(needed, stored))
    };
    // Other programs may do what no client can.
    let deletes = |stored: &StoredForeignKey| {
        let mut targets = all.iter().map(|(needed, _)| needed);
        targets.any(|it| is_target(it.name, stored) && it.offers(&[Operation::Delete]))
    };
    let keys = sides.stored.foreign_keys.iter();
    let undeclared = keys.filter(move |stored| !is_declared(stored) && deletes(stored));
    undeclared.filter_map(move |stored| {
        let action = stored.on_delete?;
        let (from, target) = (listed(&stored.columns), &stored.target);
        let remedy = if sides.needed.existing {
            format!(
                "declare {from} with `references(…, on_delete = \"{}\")`, or leave `delete` out of the `operations` on \
                 `{target}`",
                action.word()
            )
        } else {
            remedy::as_in_schema_sql(sides, "foreign keys")
        };
        Some(Fatal(format!(
            "the foreign key from {from} to {} of `{target}` in the table `{}` is `ON DELETE {}`, but no registered \
             version has this reference; {remedy}",
            listed(&stored.target_columns),
            sides.table(),
            action.sql()
        )))
    })
}

/// The foreign keys that are deferred: a write would seem to succeed, and be undone at the commit.
pub(super) fn deferred(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let keys = sides.needed.foreign_keys.iter();
    let matters = sides.needed.is_written() && !sides.needed.accepts(Peculiarity::DeferredKeys);
    let keys = keys.filter(move |_| matters);
    let late = keys.filter(move |key| stored(sides, key).any(|stored| stored.is_deferred));
    late.map(move |key| {
        let needed = "a write to be refused at once";
        let remedy = "add `accept(\"deferred_keys\")`, and the service has it checked at once";
        unlike(sides, key, "INITIALLY DEFERRED", needed, remedy)
    })
}

/// The references between texts of different collations, which PostgreSQL cannot join.
pub(super) fn across_collations(
    sides: TableComparison<'_>,
    all: &[(&Table, Option<&StoredTable>)],
) -> impl Iterator<Item = Difference> {
    let is_text = move |column: Identifier| {
        let column = sides.needed.column(column);
        column.is_some_and(|it| it.kind == Kind::Text)
    };
    let keys = sides.needed.foreign_keys.iter();
    let keys = keys.filter(move |_| sides.dialect == Dialect::Postgres);
    keys.filter_map(move |key| {
        let (_, target) = all.iter().find(|(needed, _)| needed.name == key.target)?;
        let mut pairs = key.columns.iter().zip(&key.target_columns);
        let (own, (from, far, to)) = pairs.find_map(|(own, far)| {
            let from = &sides.stored.column(*own)?.collation;
            let to = &(*target)?.column(*far)?.collation;
            (is_text(*own) && from != to).then_some((own, (from, far, to)))
        })?;
        Some(Fatal(format!(
            "{} has the collation `{from}`, but `{}.{}`, to which it refers, has `{to}`, so that PostgreSQL cannot join \
             them; let the struct be a `view` that gives both the same",
            sides.place(*own),
            key.target.as_str(),
            far.as_str()
        )))
    })
}

/// The difference of a key with a clause that keeps it from what is needed.
fn unlike(
    sides: TableComparison<'_>,
    key: &ForeignKey,
    clause: &str,
    needed: &str,
    in_model: &str,
) -> Difference {
    let remedy = if sides.needed.existing {
        in_model.to_owned()
    } else {
        remedy::referring(sides, key, REPLACE_IT)
    };
    Fatal(format!(
        "the {} in the table `{}` is `{clause}`, but {} needs {needed}; {remedy}",
        named(key),
        sides.table(),
        version(sides, key)
    ))
}

fn named(key: &ForeignKey) -> String {
    let (from, to) = (columns(&key.columns), columns(&key.target_columns));
    let target = key.target.as_str();
    format!("foreign key from {from} to {to} of `{target}`")
}

fn version(sides: TableComparison<'_>, key: &ForeignKey) -> String {
    // The version is named whose attribute refers to the target, as its developer knows it.
    sides.version_where(|definition: &ResourceDefinition| {
        let references = references(definition);
        references.iter().any(|reference| reference.key == *key)
    })
}

/// The schema that a key of the same columns points into, to another table of the same name.
fn elsewhere<'all>(sides: TableComparison<'all>, needed: &ForeignKey) -> Option<&'all str> {
    let mut keys = sides.stored.foreign_keys.iter();
    let is_other = |it: &&StoredForeignKey| {
        it.target == needed.target.as_str()
            && !is_target(needed.target, it)
            && is_within(&needed.columns, &it.columns)
    };
    keys.find(is_other)?.target_schema.as_deref()
}

/// The keys in the table that equal the needed one: a table may have the same one twice.
fn stored<'all>(
    sides: TableComparison<'all>,
    needed: &'all ForeignKey,
) -> impl Iterator<Item = &'all StoredForeignKey> {
    let keys = sides.stored.foreign_keys.iter();
    keys.filter(move |stored| is_same(needed, stored))
}

fn is_same(needed: &ForeignKey, stored: &StoredForeignKey) -> bool {
    // The order of the columns does not matter.
    let mut pairs = needed.columns.iter().zip(&needed.target_columns);
    let stored_pairs = || stored.columns.iter().zip(&stored.target_columns);
    let has = |(from, to): (&Identifier, &Identifier)| {
        stored_pairs().any(|(own, target)| own == from.as_str() && target == to.as_str())
    };
    // The lengths are compared, too, since a stored key may have further columns.
    is_target(needed.target, stored)
        && stored.columns.len() == needed.columns.len()
        && pairs.all(has)
}

fn is_target(table: Identifier, stored: &StoredForeignKey) -> bool {
    let is_in_schema = match (table.schema(), stored.target_schema.as_deref()) {
        (Some(needed), Some(stored)) => needed == stored,
        (Some(_), None) => true,
        // Statements name the table alone, by which the search path may find another one.
        (None, _) => stored.is_target_visible,
    };
    stored.target == table.as_str() && is_in_schema
}
