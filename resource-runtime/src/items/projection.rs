//! Projections: the columns of a query that are read instead of whole items.

use std::sync::Arc;

use resource_model::query::{Expansion, Selection};
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{RecordError, Values};

use super::{Own, Reached};
use crate::{ApiResource, Column, FieldValue};

/// A column of `R`, or a tuple of up to 12 columns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no column of `{R}`, nor a tuple of up to 12 of them",
    label = "not columns of `{R}`"
)]
pub trait Projection<R>: Send + Sync + 'static {
    /// The value of the column, or a tuple of values. A column of a subresource is an `Option`, also of an `Option`:
    /// `None` where the item has no such subresource, and where the column is null.
    type Values: Send + 'static;

    /// Adds each column to those that are wanted.
    #[doc(hidden)]
    fn visit(self, wanted: &mut Vec<Wanted>);

    /// The values of a row, one after another.
    #[doc(hidden)]
    fn take(values: &mut Values<'_>) -> Result<Self::Values, RecordError>;
}

impl<R: ApiResource, T: FieldValue> Projection<R> for Column<R, T, Own> {
    type Values = T;

    fn visit(self, wanted: &mut Vec<Wanted>) {
        wanted.extend(self.attribute().map(|it| (None, it)));
    }

    fn take(values: &mut Values<'_>) -> Result<T, RecordError> {
        values.take()
    }
}

impl<R: ApiResource, T: FieldValue> Projection<R> for Column<R, T, Reached> {
    type Values = Option<T>;

    fn visit(self, wanted: &mut Vec<Wanted>) {
        wanted.extend(self.attribute().map(|it| (self.subresource(), it)));
    }

    fn take(values: &mut Values<'_>) -> Result<Option<T>, RecordError> {
        values.take()
    }
}

/// Implements the projection of a tuple of these columns, and of every shorter one.
macro_rules! tuples {
    () => {};
    ($first:ident $($other:ident)*) => {
        impl<R, $first: Projection<R>, $($other: Projection<R>),*> Projection<R> for ($first, $($other,)*) {
            type Values = ($first::Values, $($other::Values,)*);

            fn visit(self, wanted: &mut Vec<Wanted>) {
                #[allow(non_snake_case, reason = "a column has the name of its type")]
                let ($first, $($other,)*) = self;
                $first.visit(wanted);
                $($other.visit(wanted);)*
            }

            fn take(values: &mut Values<'_>) -> Result<Self::Values, RecordError> {
                Ok(($first::take(values)?, $($other::take(values)?,)*))
            }
        }

        tuples!($($other)*);
    };
}

tuples!(A B C D E F G H I J K L);

/// A column to read: the place of its subresource, and its attribute.
pub(crate) type Wanted = (Option<usize>, &'static Attribute);

/// The selection that reads the columns, each once, and the place of each column in its rows.
pub(super) fn selected(
    definition: &ResourceDefinition,
    wanted: &[Wanted],
) -> (Selection, Arc<[usize]>) {
    // Each attribute once, first those of the item, then those of each subresource.
    let of = |place: Option<usize>| {
        let mut attributes: Vec<&'static Attribute> = Vec::new();
        for (_, attribute) in wanted.iter().filter(|(it, _)| *it == place) {
            if !attributes.iter().any(|it| it.name() == attribute.name()) {
                attributes.push(attribute);
            }
        }
        attributes
    };
    let item = of(None);
    let count = definition.all_subresources().len();
    let expansions = (0..count).map(|index| (index, of(Some(index))));
    let expansions: Vec<_> = expansions.filter(|(_, it)| !it.is_empty()).collect();
    let place = |(subresource, attribute): &Wanted| {
        let among = |attributes: &[&'static Attribute]| {
            let mut attributes = attributes.iter();
            attributes.position(|it| it.name() == attribute.name())
        };
        let Some(subresource) = subresource else {
            return among(&item);
        };
        let mut start = item.len();
        for (index, attributes) in &expansions {
            // The key of each expansion precedes its columns.
            start += 1;
            if index == subresource {
                return Some(start + among(attributes)?);
            }
            start += attributes.len();
        }
        None
    };
    let places = wanted.iter().filter_map(place).collect();
    let expansions = expansions.iter();
    let expansions = expansions.map(|(index, it)| Expansion::new(*index, it.clone()));
    (Selection::new(item.clone(), expansions.collect()), places)
}
