//! The parameters of a request become a query on a definition: text → tokens → tree → resolved.
//! Pure; errors know the column at which they stand, nothing knows a column of a table.

mod cursor;
mod functions;
mod limits;
mod mistake;
mod paging;
mod parse;
mod pattern;
mod predicate;
mod request;
mod resolve;
#[cfg(fuzzing)]
mod round_trip;
mod selection;
mod token;
mod tree;

use crate::authorization::View;
use crate::error::{ApiError, ErrorCode};
use crate::schema::Attribute;
#[cfg(feature = "openapi")]
pub(crate) use functions::{Arguments, FUNCTIONS, Function};
pub use limits::QueryLimits;
use mistake::Mistake;
pub(crate) use paging::PageLimits;
pub(crate) use pattern::Pattern;
pub(crate) use predicate::{Condition, Predicate, Relation, Test};
pub(crate) use request::{LockMode, Lookup, RowChange, RowQuery, Target};
#[cfg(fuzzing)]
pub(crate) use round_trip::{fuzz_fields, fuzz_filter, fuzz_order};
pub(crate) use selection::Selection;

/// What a client asks of a collection.
#[derive(Debug, Clone)]
pub(crate) struct ListQuery {
    pub(crate) offset: u64,
    pub(crate) limit: u64,
    pub(crate) filter: Option<Predicate>,
    pub(crate) order: Vec<Criterion>,
    /// `None` for all attributes.
    pub(crate) selection: Option<Selection>,
}

/// One criterion of an order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Criterion {
    pub(crate) path: AttributePath,
    pub(crate) descending: bool,
}

/// An attribute of the item, or of one of its subresources.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttributePath {
    /// Its place among the definition's subresources.
    pub(crate) subresource: Option<usize>,
    pub(crate) attribute: &'static Attribute,
}

impl AttributePath {
    /// Whether both name the same attribute.
    pub(crate) fn is(self, other: Self) -> bool {
        self.subresource == other.subresource && self.attribute.name() == other.attribute.name()
    }

    /// Whether it may be null: where the item has no such subresource, or was created through
    /// another version, which knows the attribute as optional.
    pub(crate) const fn is_nullable(self) -> bool {
        self.subresource.is_some() || !self.attribute.is_primary_key()
    }
}

/// The parameters of a list, decoded but not yet understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ListParameters {
    pub(crate) offset: Option<String>,
    pub(crate) limit: Option<String>,
    pub(crate) order: Option<String>,
    pub(crate) filter: Option<String>,
    pub(crate) fields: Option<String>,
}

/// Resolves the parameters of a list on `view`.
pub(crate) fn list(
    view: View<'_>,
    parameters: &ListParameters,
    page: PageLimits,
    limits: QueryLimits,
) -> Result<ListQuery, ApiError> {
    Ok(ListQuery {
        offset: paging::offset(parameters.offset.as_deref())?,
        limit: paging::limit(parameters.limit.as_deref(), page)?,
        filter: filter(view, parameters.filter.as_deref(), limits)?,
        order: order(view, parameters.order.as_deref(), limits)?,
        selection: fields(view, parameters.fields.as_deref(), limits)?,
    })
}

/// Resolves the attributes that an answer holds; `None` for all of them.
pub(crate) fn fields(
    view: View<'_>,
    text: Option<&str>,
    limits: QueryLimits,
) -> Result<Option<Selection>, ApiError> {
    given(text)
        .map(|text| {
            parse::fields(text, limits)
                .and_then(|items| resolve::fields(view, &items))
                .map_err(|it| it.refuse(ErrorCode::MalformedFields, "fields", text))
        })
        .transpose()
}

fn filter(
    view: View<'_>,
    text: Option<&str>,
    limits: QueryLimits,
) -> Result<Option<Predicate>, ApiError> {
    given(text)
        .map(|text| {
            parse::filter(text, limits)
                .and_then(|tree| resolve::filter(view, &tree))
                .map_err(|it| it.refuse(ErrorCode::MalformedFilter, "filter", text))
        })
        .transpose()
}

fn order(
    view: View<'_>,
    text: Option<&str>,
    limits: QueryLimits,
) -> Result<Vec<Criterion>, ApiError> {
    let text = given(text);
    let criteria = match text {
        Some(text) => parse::order(text, limits),
        None => Ok(Vec::new()),
    };
    criteria
        .and_then(|criteria| resolve::order(view, &criteria))
        .map_err(|it: Mistake| {
            it.refuse(ErrorCode::MalformedOrder, "order", text.unwrap_or_default())
        })
}

/// An empty parameter is as if absent.
fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
