//! Checks that every reference points at an item that can be found, and at only one.

use super::Registration;
use super::keys::references;
use crate::schema::{
    Attribute, AttributeReference, Collection, Identifier, Kind, Operation, Peculiarity, Reference,
    ReferentialAction, ResourceDefinition, Table,
};

pub(super) fn dangling_reference(
    registration: &Registration,
    attribute: &Attribute,
    (reference, points_at): (AttributeReference, Option<&Attribute>),
    registrations: &[Registration],
) -> Option<String> {
    // The steps go from the outside in, since each needs what the one before has found: the table, the
    // attribute, its kind.
    let target = (reference.target)();
    let (type_name, name) = (registration.type_name, attribute.name());
    let target_name = target.name();
    // Any version of the target will do, because a foreign key points at the table.
    let registered = registrations
        .iter()
        .find(|other| other.definition.table_identifier() == target.table_identifier());
    let Some(registered) = registered else {
        return Some(format!(
            "`{type_name}.{name}` references `{target_name}`, which is not registered; \
             add `.resource::<{target_name}>()`"
        ));
    };
    let mine = registration.definition;
    let is_enforced = !mine.is_view() && !mine.accepts(Peculiarity::UnenforcedReferences);
    if registered.definition.is_view() && is_enforced {
        return Some(format!(
            "`{type_name}.{name}` references `{target_name}`, a view, at which no foreign key can point; give its struct \
             `existing` and `accept(\"unenforced_references\")`"
        ));
    }
    if let Some(problem) = unowned_action(registration, attribute, reference, registrations) {
        return Some(problem);
    }
    // The remaining checks need the attribute that is pointed at, in the version that the reference names.
    let target_type = registered.type_name;
    let Some(points_at) = points_at else {
        let mut parts = target.key_attributes();
        return Some(match (parts.next(), target.has_composite_key()) {
            (Some(first), true) => format!(
                "`{type_name}.{name}` references `{target_type}`, whose key has several parts; hold each part in a field, \
                 as by `references({target_name}, {})`, and name the fields in a `subresource`",
                first.name()
            ),
            _ => format!(
                "`{type_name}.{name}` references an attribute that `{target_type}` does not have"
            ),
        });
    };
    let target_attribute = points_at.name();
    let is_unenforced = mine.accepts(Peculiarity::UnenforcedReferences);
    if is_unenforced && may_change(points_at, target, registrations) {
        return Some(format!(
            "`{type_name}.{name}` references `{target_type}.{target_attribute}` without a foreign key, and an update may \
             change that, which nothing would notice; reference the primary key, let the attribute be `read_only`, or \
             leave `update` out of the `operations` of `{target_name}`"
        ));
    }
    // PostgreSQL refuses a foreign key between columns whose types it cannot compare.
    if !same_storage(attribute.kind(), points_at.kind()) {
        return Some(format!(
            "`{type_name}.{name}` is {} but `{target_type}.{target_attribute}`, which it \
             references, is {}",
            attribute.kind(),
            points_at.kind()
        ));
    }
    // A join compares the columns as they are.
    if attribute.storage() != points_at.storage()
        && (attribute.storage().is_converted() || points_at.storage().is_converted())
    {
        return Some(format!(
            "`{type_name}.{name}` references `{target_type}.{target_attribute}`, which is stored in another \
             form; declare the same `stored(…)` for both"
        ));
    }
    // SQLite compares a key by the column's collation, and a decimal's column is text: 1.5 is not 1.50.
    let decimal = points_at.kind() == Kind::Decimal;
    decimal.then(|| {
        format!(
            "`{type_name}.{name}` references `{target_type}.{target_attribute}`, a decimal \
             number, which can be written in several ways; reference another attribute"
        )
    })
}

/// Tests whether clients may change an attribute of existing items, in any version.
fn may_change(
    attribute: &Attribute,
    of: &ResourceDefinition,
    registrations: &[Registration],
) -> bool {
    let sharing = |it: &&Registration| {
        it.is_served && it.definition.table_identifier() == of.table_identifier()
    };
    registrations.iter().filter(sharing).any(|it| {
        let offered = it.definition.offered_operations();
        let own = it.definition.stored_in(attribute.identifier());
        offered.contains(&Operation::Update)
            && own.is_some_and(|it| it.is_accepted_by(Operation::Update))
    })
}

/// Refuses that whoever deletes an item deletes or changes items of other owners, too.
fn unowned_action(
    registration: &Registration,
    attribute: &Attribute,
    reference: AttributeReference,
    registrations: &[Registration],
) -> Option<String> {
    let action = reference.on_delete?;
    let mine = claim(registration)?;
    let parent = (reference.target)().table_identifier();
    let tables = cascading_into(parent, mine, registrations);
    let other = tables.into_iter().find_map(|table| {
        registrations.iter().find(|it| {
            let target = it.definition;
            let is_deleted = target.offered_operations().contains(&Operation::Delete);
            it.is_served
                && is_deleted
                && target.table_identifier() == table
                && claim(it) != Some(mine)
        })
    })?;
    let through = if other.definition.table_identifier() == parent {
        String::new()
    } else {
        format!(", through `{}`", (reference.target)().name())
    };
    Some(format!(
        "`{}.{}` has `on_delete = \"{}\"`, by which whoever deletes a `{}` reaches items of any owner{through}; give \
         that the same `owner`, leave `delete` out of its `operations`, or remove `on_delete`",
        registration.type_name,
        attribute.name(),
        action.word(),
        other.definition.name(),
    ))
}

fn claim(registration: &Registration) -> Option<&'static str> {
    Some(registration.definition.ownership()?.claim())
}

/// The table and those above it, whose deletions cascade into it; the nearest first.
fn cascading_into(
    table: Identifier,
    mine: &str,
    registrations: &[Registration],
) -> Vec<Identifier> {
    let mut tables = vec![table];
    let mut read = 0;
    // The list grows while it is read, and holds each table once, so that cycles end.
    while let Some(table) = tables.get(read).copied() {
        read += 1;
        // References of items with the same owner are refused on their own.
        let members = registrations
            .iter()
            .filter(|it| it.definition.table_identifier() == table && claim(it) != Some(mine));
        let attributes = members.flat_map(|it| it.definition.all_attributes());
        let all = attributes.flat_map(Attribute::all_references);
        for (reference, _) in all.filter(|(it, _)| it.on_delete == Some(ReferentialAction::Cascade))
        {
            let above = (reference.target)().table_identifier();
            if !tables.contains(&above) {
                tables.push(above);
            }
        }
    }
    tables
}

/// Refuses a collection that is no list of the items that refer to this resource.
pub(super) fn unfit_collection(
    registration: &Registration,
    collection: &Collection,
    registrations: &[Registration],
) -> Option<String> {
    let (mine, target) = (registration.definition, collection.target());
    let name = target.name();
    let is_listed = target.offered_operations().contains(&Operation::List);
    let mut registered = registrations.iter();
    let registered = registered.find(|it| it.type_id == collection.target_type());
    // The attributes of one foreign key find items together alone.
    let keys = references(target).into_iter();
    let mut own = keys.filter(|key| key.target.table_identifier() == mine.table_identifier());
    let columns: Vec<Identifier> = collection.attributes().map(Attribute::identifier).collect();
    let is_whole = own.any(|key| {
        let refers = &key.key.columns;
        refers.len() == columns.len() && refers.iter().all(|it| columns.contains(it))
    });
    // The collection shows which value both attributes have.
    let is_hidden = |it: &Attribute| it.is_secret() || it.scopes_to_read().is_some();
    let keys = collection.keys(mine);
    let refers: Vec<&str> = collection.attributes().map(Attribute::name).collect();
    let refers = refers.join("`, `");
    let problem = if registered.is_none_or(|it| !it.is_served) {
        format!("holds `{name}`, which has no routes; add `.resource::<{name}>()`")
    } else if target.version() != mine.version() {
        format!(
            "holds `{name}` of another version; name the one of {}, or leave the collection out, in a version that follows \
             another one with `breaks(removed({}) = \"<why>\")`",
            mine.version(),
            collection.name()
        )
    } else if !is_listed {
        format!("holds `{name}`, which offers no `list`; add it to its `operations`")
    } else if keys.is_empty() || !is_whole {
        format!(
            "is found by `{refers}` of `{name}`, which by itself is no reference to this version; \
             name a field with `references = …`, or all fields of a key of several parts"
        )
    } else if keys
        .iter()
        .any(|(to, from)| is_hidden(to) || is_hidden(from))
    {
        format!("would show `{refers}` of `{name}`, which is hidden; remove the collection")
    } else {
        return None;
    };
    let (type_name, name) = (registration.type_name, collection.name());
    Some(format!(
        "the collection `{name}` of `{type_name}` {problem}"
    ))
}

/// Refuses references to a version whose columns the table lacks, because the reference reads them.
pub(super) fn missing_columns(registrations: &[Registration], tables: &[Table]) -> Vec<String> {
    let mut problems = Vec::new();
    for registration in registrations {
        for attribute in registration.definition.all_attributes() {
            for (reference, _) in attribute.all_references() {
                problems.extend(missing_column(
                    registration,
                    attribute,
                    (reference.target)(),
                    tables,
                ));
            }
        }
    }
    problems
}

fn missing_column(
    registration: &Registration,
    attribute: &Attribute,
    target: &ResourceDefinition,
    tables: &[Table],
) -> Option<String> {
    // The merged table has the columns of all registered versions, which may include those that are wanted. Where
    // there is no table, the reference is dangling, which is told by a check of its own.
    let table = tables
        .iter()
        .find(|it| it.name == target.table_identifier())?;
    // One lacking column is enough to tell, because the remedy is the same for all of them.
    let mut attributes = target.all_attributes().iter();
    let lacking = attributes.find(|it| !table.has(it.identifier()))?;
    Some(format!(
        "`{}.{}` references version {} of `{}`, which is not registered and whose `{}` no registered version has; \
         register it, or reference another version",
        registration.type_name,
        attribute.name(),
        target.version(),
        target.name(),
        lacking.name(),
    ))
}

/// Refuses references to columns that are not unique together, because they may find several rows.
pub(super) fn ambiguous_references(
    registrations: &[Registration],
    tables: &[Table],
) -> Vec<String> {
    let mut problems = Vec::new();
    for registration in registrations {
        for reference in references(registration.definition) {
            let target = tables
                .iter()
                .find(|table| table.name == reference.key.target);
            // A composite key is judged as a whole: its columns need be unique together only.
            let columns = &reference.key.target_columns;
            // A target without a table is told as a dangling reference instead.
            if target.is_some_and(|table| !table.is_unique(columns)) {
                let is_soft = target.is_some_and(|table| table.deleted.is_some());
                problems.push(ambiguous_reference(registration, &reference, is_soft));
            }
        }
    }
    problems
}

fn ambiguous_reference(
    registration: &Registration,
    reference: &Reference,
    is_soft: bool,
) -> String {
    // The problem names attributes, because those are what the developer writes.
    let stored_in = |column: &Identifier| reference.target.stored_in(*column);
    let target_columns = reference.key.target_columns.iter();
    let points_at: Vec<&str> = target_columns
        .filter_map(stored_in)
        .map(Attribute::name)
        .collect();
    let is_part = |it: &Attribute| points_at.contains(&it.name());
    let of_key =
        reference.target.has_composite_key() && reference.target.key_attributes().any(is_part);
    let (names, target) = (points_at.join(", "), reference.target.name());
    // The remedy is written on the attribute for one column, and on the struct for several.
    let remedy = if is_soft {
        format!(
            "deleted ones included; reference the primary key of `{target}`, which has `soft_delete`"
        )
    } else if of_key {
        let key: Vec<&str> = reference
            .target
            .key_attributes()
            .map(Attribute::name)
            .collect();
        format!(
            "hold each part of its key, `{}`, in a field, and name the fields together in a `subresource`",
            key.join("`, `")
        )
    } else if points_at.len() == 1 {
        format!("write `unique` on `{names}` of `{target}`")
    } else {
        format!("add `unique({names})` to `{target}`")
    };
    format!(
        "`{}` references `{names}` of `{target}`, where several items may share the same values; \
         {remedy}",
        registration.type_name
    )
}

/// Refuses references of the service's own tables by an integer in which not every key has room.
pub fn narrower_references(registrations: &[Registration], tables: &[Table]) -> Vec<String> {
    let is_own = |definition: &ResourceDefinition| {
        let mut tables = tables.iter();
        let table = tables.find(|it| it.name == definition.table_identifier());
        table.is_some_and(|it| !it.existing)
    };
    let own = registrations.iter().filter(|it| is_own(it.definition));
    let attributes = own.flat_map(|it| {
        it.definition
            .all_attributes()
            .iter()
            .map(move |own| (it, own))
    });
    let references = attributes.flat_map(|(registration, attribute)| {
        let references = attribute.all_references();
        references
            .map(move |(reference, points_at)| (registration, attribute, reference, points_at))
    });
    let narrower = references.filter_map(|(registration, attribute, reference, points_at)| {
        let (least, most) = attribute.kind().integer_range()?;
        let points_at = points_at?;
        let (target_least, target_most) = points_at.kind().integer_range()?;
        (target_least < least || most < target_most).then(|| {
            format!(
                "`{}.{}` is an `{}`, but `{}.{}`, which it references, is an `{to}`; write `{to}`",
                registration.type_name,
                attribute.name(),
                attribute.kind().name(),
                (reference.target)().name(),
                points_at.name(),
                to = points_at.kind().name(),
            )
        })
    });
    narrower.collect()
}

/// Tests whether two kinds are stored alike; tables of others may refer by a narrower integer.
fn same_storage(one: Kind, other: Kind) -> bool {
    // SQLite has one type of integers, and PostgreSQL compares those of different widths.
    one == other || (one.integer_range().is_some() && other.integer_range().is_some())
}
