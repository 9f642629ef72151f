//! The query language: parsing the parameters of a request and resolving them on a definition.
//!
//! The stages are text → tokens → tree → resolved query. There is no I/O; errors name the column of the text,
//! and nothing here knows a column of a table.

mod cursor;
mod functions;
mod limits;
mod parse;
mod predicate;
mod request;
mod resolve;
#[cfg(fuzzing)]
mod round_trip;
mod token;
mod tree;

use crate::authorization::View;
use crate::error::{ApiError, ErrorCode};
use crate::schema::Attribute;
use cursor::Mistake;
pub use functions::{Arguments, COMBINING, FUNCTIONS, Function};
pub use limits::{PageLimits, QueryLimits};
pub use predicate::{Condition, Pattern, Predicate, Relation, Selection, Test};
pub use request::{LockMode, Lookup, RowChange, RowQuery, Target};
#[cfg(fuzzing)]
pub(crate) use round_trip::{fuzz_fields, fuzz_filter, fuzz_order};

/// A query of a collection, as a client sends it.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// The number of items to skip.
    pub offset: u64,
    /// The greatest number of items on the page.
    pub limit: u64,
    /// The condition; `None` for all items.
    pub filter: Option<Predicate>,
    /// The criteria, most significant first.
    pub order: Vec<Criterion>,
    /// The attributes of the answer; `None` for all.
    pub selection: Option<Selection>,
}

/// A criterion of an order.
#[derive(Debug, Clone, Copy)]
pub struct Criterion {
    /// The attribute to order by.
    pub path: AttributePath,
    /// True where the greatest value comes first.
    pub descending: bool,
}

/// An attribute of the item, or of one of its subresources.
#[derive(Debug, Clone, Copy)]
pub struct AttributePath {
    /// The position among the definition's subresources; `None` for an attribute of the item itself.
    pub subresource: Option<usize>,
    /// The attribute.
    pub attribute: &'static Attribute,
}

impl AttributePath {
    /// Tells that both paths lead to the same attribute.
    pub fn is(self, other: Self) -> bool {
        self.subresource == other.subresource && self.attribute.name() == other.attribute.name()
    }

    /// Tells that the value may be null: where the item has no such subresource, or was created through
    /// another version, in which the attribute is optional.
    pub const fn is_nullable(self) -> bool {
        self.subresource.is_some() || !self.attribute.is_primary_key()
    }
}

/// The parameters of a list, percent-decoded but not yet parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListParameters {
    /// The text of `offset`.
    pub offset: Option<String>,
    /// The text of `limit`.
    pub limit: Option<String>,
    /// The text of `order`.
    pub order: Option<String>,
    /// The text of `filter`.
    pub filter: Option<String>,
    /// The text of `fields`.
    pub fields: Option<String>,
}

/// Resolves the parameters of a list on `view`.
pub fn list(
    view: View<'_>,
    parameters: &ListParameters,
    page: PageLimits,
    limits: QueryLimits,
) -> Result<ListQuery, ApiError> {
    Ok(ListQuery {
        offset: limits::offset(parameters.offset.as_deref())?,
        limit: limits::limit(parameters.limit.as_deref(), page)?,
        filter: filter(view, parameters.filter.as_deref(), limits)?,
        order: order(view, parameters.order.as_deref(), limits)?,
        selection: fields(view, parameters.fields.as_deref(), limits)?,
    })
}

/// Resolves the attributes that an answer holds; `None` for all of them.
pub fn fields(
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

/// The text of a parameter; an empty one is treated as absent.
fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
