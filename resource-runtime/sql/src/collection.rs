//! Collections: the items that refer to an item, which a filter tests or a response shows beside it.

use resource_model::authorization::View;
use resource_model::query::{Has, Predicate};
use resource_model::schema::{Collection, ResourceDefinition};

use crate::Alias;
use crate::filter::{and_rows, write_predicate};
use crate::join::Joins;
use crate::page::write_from;
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
        collection,
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
    collection: &Collection,
    parent: Alias,
    joins: &Joins,
) {
    writer.within_collection(|writer| {
        write_from(writer, target.definition());
        joins.write(writer, target, Alias::Item);
        writer.sql(" WHERE ");
    });
    match collection.keys() {
        Some((to, refers)) => {
            writer.column(parent, to.identifier()).sql(" = ");
            writer.within_collection(|writer| {
                writer.column(Alias::Item, refers.identifier());
            });
        }
        None => drop(writer.sql("FALSE")),
    }
    writer.within_collection(|writer| {
        and_rows(writer, Some(Alias::Item), &target.listable_rows());
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
