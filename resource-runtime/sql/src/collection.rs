//! Collections: the items that refer to an item, which a filter tests or a response shows beside it.

use resource_model::authorization::View;
use resource_model::query::{Elements, Has, Predicate};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition};

use crate::Alias;
use crate::filter::{and_rows, write_predicate};
use crate::form::{write_order_value, write_value};
use crate::join::{Joins, alias_of, write_attributes, write_criterion};
use crate::page::{write_from, write_row_count};
use crate::writer::SqlWriter;

/// `EXISTS (…)`, which is never unknown: the collection has an item that the caller may list and the filter finds.
pub(super) fn write_has(writer: &mut SqlWriter, view: View<'_>, has: &Has) {
    let collection = view.definition().all_collections().get(has.collection);
    // The index comes from the same definition, whose collections have keys once it is part of an API.
    let Some(collection) = collection else { return };
    let (target, filter) = (view.of(collection.target()), has.filter.as_deref());
    // SQLite makes a join of a bare `EXISTS`, and then skips an item for `OFFSET` once for each match.
    let bare = writer.dialect().suppress_index_hint();
    writer.sql(if has.negated { "NOT " } else { bare });
    writer.sql("EXISTS (SELECT 1");
    write_items(
        writer,
        target,
        &collection.keys(view.definition()),
        Alias::Item,
        &Joins::of_filter(filter),
    );
    if let Some(filter) = filter {
        writer.within_collection(|writer| {
            writer.sql(" AND (");
            write_predicate(writer, target, filter, false);
            writer.sql(")");
        });
    }
    writer.sql(")");
}

/// ` FROM … WHERE …`: the items of a collection that the caller may list, of the item in `parent`.
fn write_items(
    writer: &mut SqlWriter,
    target: View<'_>,
    keys: &[(&Attribute, &Attribute)],
    parent: Alias,
    joins: &Joins,
) {
    writer.within_collection(|writer| {
        write_from(writer, target.definition());
        joins.write(writer, target, Alias::Item);
        writer.sql(" WHERE ");
    });
    writer.sql(if keys.is_empty() { "FALSE" } else { "" });
    writer.list(" AND ", keys, |writer, (to, refers)| {
        writer.column(parent, to.identifier()).sql(" = ");
        writer.within_collection(|writer| {
            writer.column(Alias::Item, refers.identifier());
        });
    });
    writer.within_collection(|writer| {
        and_rows(writer, Some(Alias::Item), &target.listable_rows());
    });
}

/// Joins the items of a collection to the item in `parent`, in the order of the response: at most one more than it
/// holds, which tells that there are more.
///
/// Only their keys are limited for each item, which both databases read from an index: a window would read all.
pub(super) fn join_elements(
    writer: &mut SqlWriter,
    view: View<'_>,
    parent: Alias,
    elements: &Elements,
) {
    let target = view.of(elements.collection.target());
    let key = target.definition().key_attributes();
    let key: Vec<Identifier> = key.map(Attribute::identifier).collect();
    let joins = Joins::of_order_alone(&elements.order, &Joins::default());
    let is_lateral = writer.dialect().has_lateral_joins();
    if is_lateral {
        writer.sql(" LEFT JOIN LATERAL (");
        write_keys(writer, target, parent, elements, &joins, &key);
        writer.sql(") AS ").alias(Alias::Target).sql(" ON TRUE");
    }
    writer
        .sql(" LEFT JOIN ")
        .identifier(target.definition().table_identifier());
    writer.within_collection(|writer| {
        writer.sql(" AS ").alias(Alias::Item).sql(" ON ");
    });
    if is_lateral {
        writer.list(" AND ", &key, |writer, column| {
            writer.within_collection(|writer| {
                writer.column(Alias::Item, *column).sql(" = ");
            });
            writer.column(Alias::Target, *column);
        });
    } else {
        let (before, behind) = if key.len() > 1 { ("(", ")") } else { ("", "") };
        write_columns(writer.sql(before), &key);
        writer.sql(behind).sql(" IN (");
        write_keys(writer, target, parent, elements, &joins, &key);
        writer.sql(")");
    }
    // Those within the limited part are not visible here.
    writer.within_collection(|writer| joins.write(writer, target, Alias::Item));
}

/// `SELECT … FROM … WHERE … ORDER BY … LIMIT …`: the keys of the items beside one item.
fn write_keys(
    writer: &mut SqlWriter,
    target: View<'_>,
    parent: Alias,
    elements: &Elements,
    joins: &Joins,
    key: &[Identifier],
) {
    write_columns(writer.sql("SELECT "), key);
    write_items(writer, target, &elements.keys, parent, joins);
    writer.sql(" ORDER BY ");
    write_order(writer, elements);
    // A bound limit would keep the database from keeping a plan of the whole statement.
    let (limit, is_written) = (
        elements.limit.saturating_add(1),
        writer.dialect().keeps_plans(),
    );
    write_row_count(writer.sql(" LIMIT "), limit, is_written);
}

/// These columns of the items of a collection.
fn write_columns(writer: &mut SqlWriter, columns: &[Identifier]) {
    writer.within_collection(|writer| {
        writer.list(", ", columns, |writer, column| {
            writer.column(Alias::Item, *column);
        });
    });
}

/// The criteria of the items of a collection.
pub(super) fn write_order(writer: &mut SqlWriter, elements: &Elements) {
    writer.within_collection(|writer| {
        writer.list(", ", &elements.order, |writer, criterion| {
            write_criterion(writer, alias_of(criterion.path), *criterion);
        });
    });
}

/// The columns of a row that are about the items of its collection: the values of the item in `parent` that they refer
/// to, the first part of their key, which is null where there is none, and their attributes.
pub(super) fn write_elements(writer: &mut SqlWriter, parent: Alias, elements: &Elements) {
    for (to, _) in &elements.keys {
        write_value(writer, Some(parent), to);
        writer.sql(", ");
    }
    let key = elements.collection.target().key_attributes().take(1);
    let columns = key.chain(elements.columns.iter().copied());
    let columns: Vec<&Attribute> = columns.collect();
    writer.within_collection(|writer| {
        write_attributes(writer, Alias::Item, &columns);
        // The values that a cursor of their list holds.
        for criterion in elements.cursors.iter().flat_map(|_| &elements.order) {
            let path = criterion.path;
            write_order_value(writer.sql(", "), Some(alias_of(path)), path.attribute);
        }
    });
}

/// The resources of the items that the tests of a filter read.
pub(super) fn tested(
    definition: &ResourceDefinition,
    filter: Option<&Predicate>,
) -> Vec<&'static ResourceDefinition> {
    let mut tested = Vec::new();
    let Some(filter) = filter else { return tested };
    filter.visit_leaves(&mut |leaf| {
        if let Predicate::Has(has) = leaf
            && let Some(collection) = definition.all_collections().get(has.collection)
        {
            let target = collection.target();
            tested.push(target);
            tested.extend(Joins::of_filter(has.filter.as_deref()).targets(target));
        }
    });
    tested
}
