//! The rows of a page with expanded subresources.

use resource_model::authorization::View;
use resource_model::query::{Criterion, ListQuery, Selection};
use resource_model::schema::{Identifier, ResourceDefinition};

use crate::Alias;
use crate::collection::{join_elements, write_elements, write_order};
use crate::form::{write_order_value, write_value};
use crate::join::{
    Joins, alias_of, key_columns, write_attributes, write_criterion, write_named_direction,
};
use crate::page::{Matching, write_ranges};
use crate::writer::SqlWriter;

/// A page that is limited first, then joined with the tables that only its expansions need, and ordered.
pub(super) fn write_expanded_page(
    writer: &mut SqlWriter,
    view: View<'_>,
    query: &ListQuery,
    matching: &Matching,
    selection: &Selection,
) {
    let definition = view.definition();
    // The outer `SELECT` reads the derived table, which hides the alias of the item.
    write_selection(writer.sql("SELECT "), definition, Alias::Page, selection);
    if let Some(seek) = &query.seek {
        for index in 0..query.order.len() {
            writer.sql(", ").order_column(Alias::Page, index);
        }
        // A page that is read backward begins with the row that tells whether there is another one before, if there is.
        writer.sql(if seek.is_backward {
            ", COUNT(*) OVER ()"
        } else {
            ""
        });
    }
    // The limit applies before the joins, so they are made for the rows of one page only.
    writer.sql(" FROM (");
    write_ranges(writer, view, query, matching, |writer| {
        write_page_columns(writer, definition, query, selection);
    });
    writer.sql(") AS ").alias(Alias::Page);
    // A table that the filter has joined inside is not visible here, so an expansion joins it again.
    let expanded = selection.expansions.iter().map(|it| it.subresource);
    Joins::of_subresources(expanded).write(writer, view, Alias::Page);
    if let Some(elements) = &selection.elements {
        join_elements(writer, view, Alias::Page, elements);
    }
    // A join keeps no order by itself.
    let order = query.order.iter().enumerate();
    writer
        .sql(" ORDER BY ")
        .list(", ", order, |writer, (index, criterion)| {
            if is_named(query, criterion) {
                writer.order_column(Alias::Page, index);
                write_named_direction(writer, *criterion);
            } else {
                write_criterion(writer, Alias::Page, *criterion);
            }
        });
    // The key of the page comes before, so that the rows of an item follow each other.
    if let Some(elements) = &selection.elements {
        writer.sql(", ");
        write_order(writer, elements);
    }
}

/// The selected attributes, then each expansion led by the first part of its key, which is null where the
/// item has no such subresource; last those for the tag of the row.
pub(super) fn write_selection(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    from: Alias,
    selection: &Selection,
) {
    write_attributes(writer, from, &selection.columns);
    // A client may ask for expansions alone, so that no column precedes the first one.
    let mut first = selection.columns.is_empty();
    for expansion in &selection.expansions {
        writer.sql(if first { "" } else { ", " });
        first = false;
        let alias = Alias::Subresource(expansion.subresource);
        let target = definition.all_subresources().get(expansion.subresource);
        // The key comes first even if it is not selected: it tells a missing subresource from one of nulls.
        let mut key = target
            .into_iter()
            .flat_map(|it| it.target().key_attributes());
        let columns = key
            .next()
            .into_iter()
            .chain(expansion.columns.iter().copied());
        writer.list(", ", columns, |writer, attribute| {
            write_value(writer, Some(alias), attribute);
        });
    }
    for attribute in selection.tagging {
        writer.sql(if first { "" } else { ", " });
        first = false;
        write_value(writer, Some(from), attribute);
    }
    if let Some(elements) = &selection.elements {
        writer.sql(if first { "" } else { ", " });
        write_elements(writer, from, elements);
    }
}

/// The columns of the page that the outer statement needs: the selected ones, the keys of its expansions,
/// and those of its order.
fn write_page_columns(
    writer: &mut SqlWriter,
    definition: &ResourceDefinition,
    query: &ListQuery,
    selection: &Selection,
) {
    let mut columns: Vec<Identifier> = Vec::new();
    let selected = selection.columns.iter().map(|it| it.identifier());
    // The outer statement joins the expansions on these columns.
    let keys = selection
        .expansions
        .iter()
        .flat_map(|expansion| key_columns(definition, expansion.subresource))
        .map(|(key, _)| key);
    let targets = selection.elements.iter().flat_map(|it| &it.keys);
    let keys = keys.chain(targets.map(|(target, _)| target.identifier()));
    // The outer statement sorts the page once more, so it needs the columns of the order, too.
    let own_order = query.order.iter().filter(|it| !is_named(query, it));
    let ordered = own_order.map(|criterion| criterion.path.attribute.identifier());
    for column in selected.chain(keys).chain(ordered) {
        // A derived table must not have two columns of one name.
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    writer.list(", ", columns, |writer, column| {
        writer.column(Alias::Item, column);
    });
    for (index, criterion) in query.order.iter().enumerate() {
        if is_named(query, criterion) {
            let path = criterion.path;
            write_order_value(writer.sql(", "), Some(alias_of(path)), path.attribute);
            writer.sql(" AS ").order_name(index);
        }
    }
}

/// Tests whether the column of a criterion has a name of its own in the page: that of a subresource, which is not joined
/// outside and may share its name with one of the item, and all where the next page needs them.
const fn is_named(query: &ListQuery, criterion: &Criterion) -> bool {
    query.seek.is_some() || criterion.path.subresource.is_some()
}
