//! The query language: parsing the parameters of a request and resolving them on a definition.
//!
//! The stages are text → tokens → tree → resolved query. There is no I/O; errors name the column of the text,
//! and nothing here knows a column of a table.

mod ast;
mod cursor;
mod elsewhere;
mod filter;
mod functions;
mod limits;
mod parse;
mod predicate;
mod request;
mod resolve;
#[cfg(fuzzing)]
mod round_trip;
mod token;
mod token_stream;

use crate::authorization::View;
use crate::error::{ApiError, ErrorCode};
use crate::schema::Attribute;
pub(crate) use ast::Path;
pub use cursor::{Cursors, Seek, has_cursors};
pub use elsewhere::{
    attribute_near, fields_of_parameter, filter_of_parameter, filter_of_parameters,
    order_of_parameter,
};
pub(crate) use filter::Tree;
pub use filter::{Criteria, Filter, Order, equalities};
pub use functions::{Arguments, COMBINING, FUNCTIONS, Function};
pub use limits::{ALL, PageLimits, QueryLimits};
pub use predicate::{
    Condition, Elements, Expansion, Has, Pattern, Predicate, Relation, Selection, Test,
};
pub use request::{Companion, Expected, LockMode, Lookup, RowChange, RowQuery, Target};
#[cfg(fuzzing)]
pub(crate) use round_trip::{fuzz_fields, fuzz_filter, fuzz_order};
use token_stream::QueryError;

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
    /// The attributes of the response; `None` for all.
    pub selection: Option<Selection>,
    /// The place of the page; where there is one, each row ends with the values of its criteria.
    pub seek: Option<Seek>,
    /// True where the total is wanted, too.
    pub is_counted: bool,
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
    /// The path of an attribute of the item itself.
    pub const fn own(attribute: &'static Attribute) -> Self {
        Self {
            subresource: None,
            attribute,
        }
    }

    /// Tests whether both paths lead to the same attribute.
    pub fn is(self, other: Self) -> bool {
        // Names are unique within a resource, so that they stand for the attributes themselves.
        self.subresource == other.subresource && self.attribute.name() == other.attribute.name()
    }

    /// Tests whether the value may be null: where the item has no such subresource, or was created through
    /// another version, in which the attribute is optional.
    pub const fn is_nullable(self) -> bool {
        // Only the key of the item itself surely has a value, so that SQL must expect null for anything else.
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
    /// The text of `cursor`.
    pub cursor: Option<String>,
    /// The text of `count`.
    pub count: Option<String>,
}

/// Resolves the parameters of a list on `view`.
pub fn list(
    view: View<'_>,
    parameters: &ListParameters,
    page: PageLimits,
    limits: QueryLimits,
) -> Result<ListQuery, ApiError> {
    let mut query = ListQuery {
        // Where several parameters are malformed, the client is told of the first one in this order.
        offset: limits::offset(parameters.offset.as_deref(), page)?,
        limit: limits::limit(parameters.limit.as_deref(), page)?,
        filter: filter(view, parameters.filter.as_deref(), limits)?,
        order: order(view, parameters.order.as_deref(), limits)?,
        selection: fields(view, parameters.fields.as_deref(), limits)?,
        seek: None,
        is_counted: limits::is_counted(parameters.count.as_deref())?,
    };
    if let Some(cursor) = &parameters.cursor {
        // Most lists have no cursor, so only these parse their filter once more, for its normal form.
        let filter = parameters.filter.as_deref().filter(|it| !it.is_empty());
        let filter = filter.and_then(|text| parse::filter(text, limits).ok());
        query.seek = Some(cursor::read(view, filter.as_ref(), &query.order, cursor)?);
    }
    limits::require_rows(parameters, query.limit)?;
    Ok(query)
}

/// Resolves the attributes of a response; `None` for all of them.
pub fn fields(
    view: View<'_>,
    text: Option<&str>,
    limits: QueryLimits,
) -> Result<Option<Selection>, ApiError> {
    // A single item takes this parameter as well, so that it is parsed apart from those of lists.
    read("fields", ErrorCode::MalformedFields, text, |text| {
        resolve::fields(view, &parse::fields(text, limits)?, limits)
    })
}

fn filter(
    view: View<'_>,
    text: Option<&str>,
    limits: QueryLimits,
) -> Result<Option<Predicate>, ApiError> {
    read("filter", ErrorCode::MalformedFilter, text, |text| {
        let resolved = parse::filter(text, limits).and_then(|it| resolve::filter(view, &it));
        resolved.map_err(|error| match elsewhere::filter_of_comparison(view, text) {
            Some(instead) => error.with_instead(instead),
            None => error,
        })
    })
}

fn order(
    view: View<'_>,
    text: Option<&str>,
    limits: QueryLimits,
) -> Result<Vec<Criterion>, ApiError> {
    let order = read("order", ErrorCode::MalformedOrder, text, |text| {
        let resolved = |text: &str| resolve::order(view, &parse::order(text, limits)?);
        // An order in another language is told its form here, and a name that nobody knows by the same answer.
        resolved(text).map_err(|error| error.or_instead(|instead| resolved(instead).err()))
    })?;
    // Databases return rows in any order unless they are told one, so that pages would overlap.
    Ok(order.unwrap_or_else(|| resolve::default_order(view).collect()))
}

/// Reads a parameter, and refuses it with the column of its first error. An empty text is treated as absent.
fn read<T>(
    parameter: &str,
    code: ErrorCode,
    text: Option<&str>,
    read: impl FnOnce(&str) -> Result<T, QueryError>,
) -> Result<Option<T>, ApiError> {
    // A form of a browser sends its empty inputs as parameters without a value.
    let text = text.filter(|text| !text.is_empty());
    // The error gets its column here, where the whole text of the parameter is at hand.
    text.map(|text| read(text).map_err(|error| error.refuse(code, parameter, text)))
        .transpose()
}

#[cfg(test)]
mod tests;
