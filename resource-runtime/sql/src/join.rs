//! The joins of subresources, and the columns of paths.

use resource_model::authorization::View;
use resource_model::query::{AttributePath, Criterion, Predicate};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition};

use crate::filter::and_rows;
use crate::form::{order_value_collation, write_ordered, write_value};
use crate::writer::SqlWriter;

/// The subresources that a statement must reach, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Joins {
    subresources: Vec<usize>,
}

impl Joins {
    pub(super) fn of_filter(filter: Option<&Predicate>) -> Self {
        let mut joins = Self::default();
        if let Some(filter) = filter {
            // A path of the item itself has no subresource and adds no join.
            filter.visit_leaves(&mut |leaf| {
                if let Predicate::Test(test) = leaf {
                    joins.extend(test.path.subresource);
                }
            });
        }
        joins
    }

    /// The joins of an order that the filter does not need.
    pub(super) fn of_order_alone(order: &[Criterion], of_filter: &Self) -> Self {
        let subresources = order.iter().filter_map(|it| it.path.subresource);
        // A second join under the same alias would be an error.
        let others = subresources.filter(|index| !of_filter.subresources.contains(index));
        Self::of_subresources(others)
    }

    pub(super) fn of_subresources(subresources: impl IntoIterator<Item = usize>) -> Self {
        let mut joins = Self::default();
        joins.extend(subresources);
        joins
    }

    pub(super) fn is_empty(&self) -> bool {
        self.subresources.is_empty()
    }

    /// The definitions whose tables are joined.
    pub(super) fn targets(
        &self,
        definition: &ResourceDefinition,
    ) -> impl Iterator<Item = &'static ResourceDefinition> {
        let subresources = definition.all_subresources();
        let joined = self.subresources.iter();
        joined.filter_map(move |index| Some(subresources.get(*index)?.target()))
    }

    fn extend(&mut self, subresources: impl IntoIterator<Item = usize>) {
        // A list keeps the order of first use, so that equal queries have equal texts.
        for subresource in subresources {
            if !self.subresources.contains(&subresource) {
                self.subresources.push(subresource);
            }
        }
    }

    /// `LEFT JOIN` each subresource to the columns of `from`: an item without one stays, and as
    /// the columns joined on are unique, no item comes twice.
    ///
    /// A row that is hidden from the caller is not joined.
    pub(super) fn write(&self, writer: &mut SqlWriter, view: View<'_>, from: Alias) {
        let definition = view.definition();
        for index in &self.subresources {
            // Indexes come from the same definition, so each has its subresource.
            let Some(subresource) = definition.all_subresources().get(*index) else {
                continue;
            };
            // The alias is made of the index, because two subresources may be in the same table.
            let alias = Alias::Subresource(*index);
            writer.sql(" LEFT JOIN ");
            writer.identifier(subresource.target().table_identifier());
            writer.sql(" AS ").alias(alias).sql(" ON ");
            let keys = key_columns(definition, *index);
            writer.list(" AND ", keys, |writer, (key, target)| {
                writer.column(alias, target).sql(" = ").column(from, key);
            });
            // The condition is in `ON`: in `WHERE`, it would drop the items whose subresource is hidden.
            let rows = view.of(subresource.target()).readable_rows();
            and_rows(writer, Some(alias), &rows);
        }
    }
}

/// The columns that point at a subresource, each with the column that it points at.
pub(super) fn key_columns(
    definition: &ResourceDefinition,
    subresource: usize,
) -> Vec<(Identifier, Identifier)> {
    let Some(subresource) = definition.all_subresources().get(subresource) else {
        return Vec::new();
    };
    let keys = subresource.keys().iter();
    keys.filter_map(|key| {
        // A key names an attribute of the item, whose target is a column of the subresource.
        let (_, attribute) = definition.find(key)?;
        let target = attribute.reference_to(subresource.target_type())?.1?;
        Some((attribute.identifier(), target.identifier()))
    })
    .collect()
}

/// The column of a path, under the alias of its table.
pub(super) fn write_path(writer: &mut SqlWriter, path: AttributePath) {
    writer.column(alias_of(path), path.attribute.identifier());
}

pub(super) const fn alias_of(path: AttributePath) -> Alias {
    match path.subresource {
        Some(index) => Alias::Subresource(index),
        None => Alias::Item,
    }
}

/// The values of `attributes` under `alias`.
pub(super) fn write_attributes(writer: &mut SqlWriter, alias: Alias, attributes: &[&Attribute]) {
    writer.list(", ", attributes, |writer, attribute| {
        write_value(writer, Some(alias), attribute);
    });
}

/// The column of a criterion with its direction.
pub(super) fn write_criterion(writer: &mut SqlWriter, from: Alias, criterion: Criterion) {
    // SQL demands this order of the three clauses: collation, direction, nulls.
    write_ordered(writer, Some(from), criterion.path.attribute);
    write_direction(writer, criterion);
}

/// The collation and the direction behind the name of a value that is read for the order.
pub(super) fn write_named_direction(writer: &mut SqlWriter, criterion: Criterion) {
    let dialect = writer.dialect();
    writer.sql(order_value_collation(dialect, criterion.path.attribute));
    write_direction(writer, criterion);
}

/// The direction of an order, with null as the smallest value on every database.
fn write_direction(writer: &mut SqlWriter, criterion: Criterion) {
    let dialect = writer.dialect();
    // Without nulls, no clause is needed, and an index serves the order whichever way it was made.
    let nulls = if criterion.path.is_nullable() {
        dialect.nulls(criterion.descending)
    } else {
        ""
    };
    let direction = if criterion.descending { " DESC" } else { "" };
    writer.sql(direction).sql(nulls);
}

/// The alias of a table or a derived table within a statement; a point keeps each apart from every table of
/// a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alias {
    /// The resource that the statement reads.
    Item,
    /// Another item of the same resource.
    Other,
    /// The page, limited before its subresources are joined.
    Page,
    /// The rows of a page, complete.
    Rows,
    /// The table that a reference points at.
    Target,
    /// A subresource, by its place in the definition.
    Subresource(usize),
}
