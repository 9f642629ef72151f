//! Filters and orders made in Rust, of the same tree as those that clients write.

use std::fmt;
use std::marker::PhantomData;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::ast::{self, Criterion, Literal, LiteralValue, Name, Path, Position};
use super::functions::Function;
use super::{QueryLimits, parse, resolve};
use crate::authorization::View;
use crate::error::{ApiError, Error, ErrorCode};
use crate::query::Predicate;
use crate::schema::ApiResource;
use crate::value::Value;

/// A condition on items of `R`, made of its columns, or parsed from the query language, in which it is printed, too.
///
/// ```
/// # use resource_runtime::{ApiResource, Filter};
/// # #[derive(ApiResource)]
/// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// # struct Track { id: i64, name: String }
/// let filter: Filter<Track> = "or(eq(id,7),like(name,\"A%\"))".parse()?;
/// let same = Track::ID.eq(7).or(Track::NAME.starts_with("A"));
/// assert_eq!(filter.to_string(), same.to_string());
/// assert!("eq(nme,7)".parse::<Filter<Track>>().is_err());
/// # Ok::<(), resource_runtime::Error>(())
/// ```
pub struct Filter<R> {
    tree: ast::Filter,
    resource: PhantomData<fn() -> R>,
}

/// A criterion by which items of `R` are ordered.
pub struct Order<R> {
    criterion: Criterion,
    resource: PhantomData<fn() -> R>,
}

impl<R> Filter<R> {
    const fn new(tree: ast::Filter) -> Self {
        Self {
            tree,
            resource: PhantomData,
        }
    }

    /// The call of a function on an attribute.
    pub(crate) fn test(
        function: &'static str,
        path: Path,
        values: impl IntoIterator<Item = Value>,
    ) -> Self {
        let literals = values.into_iter().map(Literal::from).collect();
        Self::new(match Function::of_name(function) {
            Some(function) => ast::Filter::Test(function, path, literals),
            // Columns name functions of the table alone.
            None => ast::Filter::Or(Vec::new()),
        })
    }

    /// Holds where both filters hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        // A chain is one list, so that its tree is not as deep as the chain is long.
        Self::new(match (self.tree, other.tree) {
            (ast::Filter::And(mut members), other) => {
                members.push(other);
                ast::Filter::And(members)
            }
            (own, other) => ast::Filter::And(vec![own, other]),
        })
    }

    /// Holds where at least one of the filters holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::new(match (self.tree, other.tree) {
            (ast::Filter::Or(mut members), other) => {
                members.push(other);
                ast::Filter::Or(members)
            }
            (own, other) => ast::Filter::Or(vec![own, other]),
        })
    }
}

/// Holds where the filter does not hold: a filter is true or false, never unknown.
impl<R> std::ops::Not for Filter<R> {
    type Output = Self;

    fn not(self) -> Self {
        Self::new(match self.tree {
            ast::Filter::Not(inner) => *inner,
            tree => ast::Filter::Not(Box::new(tree)),
        })
    }
}

impl<R: ApiResource> Filter<R> {
    /// The predicate of the filter for a caller.
    #[doc(hidden)]
    pub fn resolve(&self, view: View<'_>) -> Result<Predicate, ApiError> {
        let resolved = resolve::filter(view, &self.tree);
        resolved.map_err(|error| error.in_rust(ErrorCode::MalformedFilter))
    }
}

/// Parses the query language, with the default limits of size.
impl<R: ApiResource> std::str::FromStr for Filter<R> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = |error: super::QueryError| {
            let error = error.refuse(ErrorCode::MalformedFilter, "filter", text);
            Error::of_refusal(&error)
        };
        let tree = parse::filter(text, QueryLimits::default()).map_err(refused)?;
        // Names and values are checked now, so that a filter that was parsed can be used.
        resolve::filter(View::system(R::DEFINITION), &tree).map_err(refused)?;
        Ok(Self::new(tree))
    }
}

impl<R> fmt::Display for Filter<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(formatter)
    }
}

impl<R> Order<R> {
    pub(crate) const fn of(path: Path, descending: bool) -> Self {
        Self {
            criterion: Criterion { descending, path },
            resource: PhantomData,
        }
    }

    /// The criteria of an order for a caller; the primary key is the last one.
    #[doc(hidden)]
    pub fn resolve(view: View<'_>, orders: &[Self]) -> Result<Vec<super::Criterion>, ApiError> {
        let criteria: Vec<Criterion> = orders.iter().map(|it| it.criterion.clone()).collect();
        let resolved = resolve::order(view, &criteria);
        resolved.map_err(|error| error.in_rust(ErrorCode::MalformedOrder))
    }
}

impl Path {
    /// The path of an attribute, of the item itself or of a subresource.
    pub(crate) fn of(subresource: Option<&str>, attribute: &str) -> Self {
        match subresource {
            None => Self {
                first: attribute.into(),
                second: None,
            },
            Some(subresource) => Self {
                first: subresource.into(),
                second: Some(attribute.into()),
            },
        }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            position: Position(0),
        }
    }
}

/// The literal that a client would write for a value.
impl From<Value> for Literal {
    fn from(value: Value) -> Self {
        let value = match value {
            Value::Null => LiteralValue::Null,
            Value::Boolean(boolean) => LiteralValue::Boolean(boolean),
            Value::Integer(integer) => LiteralValue::Number(integer.to_string()),
            // `Debug` writes every digit that tells this number from its neighbours.
            Value::Real(real) => LiteralValue::Number(format!("{real:?}")),
            Value::Text(text) => LiteralValue::String(text),
            Value::Bytes(bytes) => LiteralValue::String(BASE64.encode(bytes)),
        };
        Self {
            value,
            position: Position(0),
        }
    }
}

impl<R> Clone for Filter<R> {
    fn clone(&self) -> Self {
        Self::new(self.tree.clone())
    }
}

impl<R> fmt::Debug for Filter<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Filter({self})")
    }
}

impl<R> Clone for Order<R> {
    fn clone(&self) -> Self {
        Self::of(self.criterion.path.clone(), self.criterion.descending)
    }
}

impl<R> fmt::Debug for Order<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Order({})", self.criterion)
    }
}
