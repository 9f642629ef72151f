//! Filters and orders made in Rust, of the same tree as those that clients write.

use std::fmt;
use std::marker::PhantomData;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::ast::{self, Criterion, Literal, LiteralValue, Name, Path, Position};
use super::functions::Function;
use super::{QueryLimits, Seek, cursor, parse, resolve};
use crate::authorization::View;
use crate::error::{ApiError, Error, ErrorCode};
use crate::query::Predicate;
use crate::schema::{ApiResource, Attribute};
use crate::value::Value;

/// A condition on items of `R`, made of its columns, or parsed from the query language, in which it is printed, too.
///
/// ```
/// # use resource_runtime::{ApiResource, Filter};
/// # #[derive(ApiResource)]
/// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// # struct Track { id: i64, name: String }
/// let filter: Filter<Track> = "or(eq(id,7),startswith(name,\"A\"))".parse()?;
/// let same = Track::ID.eq(7).or(Track::NAME.starts_with("A"));
/// assert_eq!(filter.to_string(), same.to_string());
/// assert!("eq(nme,7)".parse::<Filter<Track>>().is_err());
/// # Ok::<(), resource_runtime::Error>(())
/// ```
pub struct Filter<R> {
    tree: Tree,
    resource: PhantomData<fn() -> R>,
}

/// The tree of a filter without the type of its resource, so that its code is compiled once.
#[derive(Clone)]
pub(crate) struct Tree {
    filter: ast::Filter,
    /// Levels of the tree: more than [`MAX_DEPTH`] are refused, since every stage walks the tree recursively.
    depth: usize,
    /// Number of values, which a statement binds.
    values: usize,
}

/// Levels that a filter has at most.
const MAX_DEPTH: usize = 100;

/// Values that a filter has at most: SQLite binds 32,766, and lists are padded to powers of two.
const MAX_VALUES: usize = 16_000;

/// A criterion by which items of `R` are ordered.
pub struct Order<R> {
    criterion: Criterion,
    resource: PhantomData<fn() -> R>,
}

/// The filter and the order of a query in Rust, without the type of their resource.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct Criteria {
    filter: Option<Tree>,
    order: Vec<Criterion>,
}

impl Criteria {
    /// Adds a filter, which has to hold, too.
    pub fn filter<R>(&mut self, filter: Filter<R>) {
        self.add(filter.tree);
    }

    fn add(&mut self, tree: Tree) {
        self.filter = Some(match self.filter.take() {
            Some(known) => known.joined(tree, true),
            None => tree,
        });
    }

    /// Adds a criterion behind those that are there.
    pub fn order_by<R>(&mut self, order: Order<R>) {
        self.order.push(order.criterion);
    }

    /// Tests whether there is no order.
    pub const fn is_unordered(&self) -> bool {
        self.order.is_empty()
    }

    /// The predicate and the order for a caller; the primary key is the last criterion.
    pub fn resolve(
        &self,
        view: View<'_>,
    ) -> Result<(Option<Predicate>, Vec<super::Criterion>), ApiError> {
        let filter = self.filter.as_ref().map(|tree| tree.resolve(view));
        let order = resolve::order(view, &self.order);
        let order = order.map_err(|error| error.in_rust(ErrorCode::MalformedOrder));
        Ok((filter.transpose()?, order?))
    }

    /// The place that a cursor of this filter and this resolved order names.
    pub fn seek(
        &self,
        view: View<'_>,
        order: &[super::Criterion],
        cursor: &str,
    ) -> Result<Seek, ApiError> {
        let tree = self.filter.as_ref().map(|tree| &tree.filter);
        cursor::read(view, tree, order, cursor)
    }
}

impl<R> Filter<R> {
    pub(crate) const fn of(tree: Tree) -> Self {
        Self {
            tree,
            resource: PhantomData,
        }
    }

    /// Holds where both filters hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::of(self.tree.joined(other.tree, true))
    }

    /// Holds where at least one of the filters holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::of(self.tree.joined(other.tree, false))
    }
}

/// Holds where the filter does not hold: a filter is true or false, never unknown.
impl<R> std::ops::Not for Filter<R> {
    type Output = Self;

    fn not(self) -> Self {
        Self::of(self.tree.negated())
    }
}

impl Tree {
    /// The call of a function on an attribute.
    pub(crate) fn test(function: &'static str, path: Path, values: Vec<Value>) -> Self {
        let literals: Vec<Literal> = values.into_iter().map(Literal::from).collect();
        let values = literals.len();
        let filter = match Function::of_name(function) {
            Some(function) => ast::Filter::Test(function, path, literals),
            // Columns name functions of the table alone.
            None => ast::Filter::Or(Vec::new()),
        };
        Self {
            filter,
            depth: 1,
            values,
        }
    }

    /// Joins two filters by `and`, or by `or`. A chain is one list, so that its tree is not as deep as the chain is long.
    fn joined(self, other: Self, by_and: bool) -> Self {
        let (mut depth, values) = (0, self.values + other.values);
        let mut all = Vec::new();
        for tree in [self, other] {
            let of_member = match (tree.filter, by_and) {
                (ast::Filter::And(members), true) | (ast::Filter::Or(members), false) => {
                    all.extend(members);
                    tree.depth
                }
                (single, _) => {
                    all.push(single);
                    tree.depth + 1
                }
            };
            depth = depth.max(of_member);
        }
        let join = if by_and {
            ast::Filter::And
        } else {
            ast::Filter::Or
        };
        Self::nested(join(all), depth, values)
    }

    fn negated(self) -> Self {
        match self.filter {
            ast::Filter::Not(inner) => {
                Self::nested(*inner, self.depth.saturating_sub(1), self.values)
            }
            filter => {
                let filter = ast::Filter::Not(Box::new(filter));
                Self::nested(filter, self.depth + 1, self.values)
            }
        }
    }

    /// A filter of this depth. One that is too deep keeps nothing but its depth, for the error.
    fn nested(filter: ast::Filter, depth: usize, values: usize) -> Self {
        let is_too_deep = depth > MAX_DEPTH;
        Self {
            filter: if is_too_deep {
                ast::Filter::Or(Vec::new())
            } else {
                filter
            },
            depth,
            values,
        }
    }

    /// The predicate of the filter for a caller.
    fn resolve(&self, view: View<'_>) -> Result<Predicate, ApiError> {
        let refused = |problem| Err(ApiError::new(ErrorCode::MalformedFilter, problem));
        if self.depth > MAX_DEPTH {
            return refused(format!(
                "the filter is nested deeper than {MAX_DEPTH} levels"
            ));
        }
        if self.values > MAX_VALUES {
            return refused(format!("the filter has more than {MAX_VALUES} values"));
        }
        let resolved = resolve::filter(view, &self.filter);
        resolved.map_err(|error| error.in_rust(ErrorCode::MalformedFilter))
    }
}

impl<R: ApiResource> Filter<R> {
    /// Parses the query language, as [`parse`](str::parse) does, but with the attributes that no client may filter by:
    /// never for the text of a client, who could guess hidden values by it.
    ///
    /// # Errors
    ///
    /// [`Refused`](crate::ErrorKind::Refused), with the place of the mistake in the text.
    pub fn parse_unrestricted(text: &str) -> Result<Self, Error> {
        Self::parse(View::system(R::DEFINITION), text)
    }

    fn parse(view: View<'_>, text: &str) -> Result<Self, Error> {
        let refused = |error: super::QueryError| {
            let error = error.refuse(ErrorCode::MalformedFilter, "filter", text);
            Error::of_refusal(error)
        };
        let limits = QueryLimits::default();
        let tree = parse::filter(text, limits).map_err(refused)?;
        // Names and values are checked now, so that a filter that was parsed can be used.
        resolve::filter(view, &tree).map_err(refused)?;
        let (depth, values) = size(&tree);
        Ok(Self::of(Tree::nested(tree, depth, values)))
    }
}

/// The filter, in normal form, of the items whose attributes have these values.
pub fn equalities<'values>(values: impl Iterator<Item = (&'values Attribute, Value)>) -> String {
    let all = values.map(|(it, value)| format!("eq({},{})", it.name(), Literal::from(value)));
    let all: Vec<String> = all.collect();
    match all.as_slice() {
        [only] => only.clone(),
        several => format!("and({})", several.join(",")),
    }
}

/// The levels and the number of values of a tree, which the parser has limited.
fn size(tree: &ast::Filter) -> (usize, usize) {
    let values = match tree {
        ast::Filter::Test(_, _, literals) => literals.len(),
        _ => 0,
    };
    let sizes = tree.members().iter().map(size);
    sizes.fold((1, values), |(depth, values), (inner, more)| {
        (depth.max(inner + 1), values + more)
    })
}

/// Parses the query language, with the default limits of size, and with the attributes that a client with all scopes
/// may filter by.
impl<R: ApiResource> std::str::FromStr for Filter<R> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(View::unrestricted(R::DEFINITION), text)
    }
}

impl<R> fmt::Display for Filter<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.filter.fmt(formatter)
    }
}

impl<R> Order<R> {
    pub(crate) const fn of(path: Path, descending: bool) -> Self {
        Self {
            criterion: Criterion { descending, path },
            resource: PhantomData,
        }
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
        Self::of(self.tree.clone())
    }
}

impl<R> fmt::Debug for Filter<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(formatter)
    }
}

/// Leaves the values out, which may be secret; `Display` of the filter prints them.
impl fmt::Debug for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_shape(&self.filter, formatter)
    }
}

/// The functions and attributes of a filter, without its values.
fn write_shape(tree: &ast::Filter, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "{}(", tree.name())?;
    if let ast::Filter::Test(_, path, _) = tree {
        write!(formatter, "{path}")?;
    }
    for (index, member) in tree.members().iter().enumerate() {
        formatter.write_str(if index > 0 { "," } else { "" })?;
        write_shape(member, formatter)?;
    }
    formatter.write_str(")")
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
