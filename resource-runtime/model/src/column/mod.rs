//! Columns: the attributes of a struct as typed constants, and the filters and orders made of them.

mod draft;
mod operand;

use std::fmt;
use std::marker::PhantomData;

pub use draft::{Draft, require_fields};
pub use operand::{KeyOperand, Operand};

use crate::query::{Filter, Order, Path, Tree};
use crate::schema::{ApiResource, Attribute, Kind, ResourceDefinition, Subresource};
use crate::value::{FieldValue, Text, Value};

/// An attribute of the resource `R` with the type `T`; the derive makes a constant of each field.
///
/// ```
/// use resource_runtime::{ApiResource, Filter};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Track", url = "/tracks", version = "1.0")]
/// struct Track {
///     id: i64,
///     name: String,
///     seconds: Option<i64>,
/// }
///
/// let long: Filter<Track> = Track::SECONDS.gt(600).and(Track::NAME.starts_with("A"));
/// assert_eq!(long.to_string(), r#"and(gt(seconds,600),startswith(name,"A"))"#);
/// assert_eq!(Track::NAME.name(), "name");
/// ```
///
/// JSON is compared with null alone; any other comparison is an error of `cargo build`:
///
/// ```compile_fail
/// # use resource_runtime::ApiResource;
/// # #[derive(ApiResource)]
/// # #[resource(name = "Form", url = "/forms", version = "1.0")]
/// # struct Form { id: i64, answers: serde_json::Value }
/// let _ = Form::ANSWERS.eq(serde_json::json!({}));
/// ```
pub struct Column<R, T, P = Own> {
    subresource: Option<usize>,
    index: usize,
    types: Types<(R, T, P)>,
}

/// Types without values of them: a function type is `Send`, `Sync` and `Copy` whatever they are.
type Types<T> = PhantomData<fn() -> T>;

/// The place of a [`Column`] that belongs to the item itself, which writes can set.
#[derive(Debug, Clone, Copy)]
pub enum Own {}

/// The place of a [`Column`] that is reached through a subresource.
#[derive(Debug, Clone, Copy)]
pub enum Reached {}

/// A subresource of the resource `R`, which is an `S`; the derive makes a constant of each.
pub struct Related<R, S> {
    index: usize,
    types: Types<(R, S)>,
}

impl<R, T> Column<R, T> {
    /// The column of the attribute at `index`.
    #[doc(hidden)]
    pub const fn at(index: usize) -> Self {
        Self {
            subresource: None,
            index,
            types: PhantomData,
        }
    }

    /// The place of the attribute in declaration order, from 0.
    #[must_use]
    #[doc(hidden)]
    pub const fn index(self) -> usize {
        self.index
    }
}

impl<R, S> Related<R, S> {
    /// The subresource at `index`.
    #[doc(hidden)]
    pub const fn at(index: usize) -> Self {
        Self {
            index,
            types: PhantomData,
        }
    }

    /// A column of the subresource, to filter, order and select by.
    #[must_use]
    pub const fn column<T>(self, column: Column<S, T>) -> Column<R, T, Reached> {
        Column {
            subresource: Some(self.index),
            index: column.index,
            types: PhantomData,
        }
    }
}

impl<R: ApiResource, T, P> Column<R, T, P> {
    /// The name of the attribute in JSON and in the query language, without that of its subresource.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.attribute().map_or("", Attribute::name)
    }

    /// The attribute of the item or of its subresource.
    #[doc(hidden)]
    pub fn attribute(self) -> Option<&'static Attribute> {
        self.untyped().attribute()
    }

    /// The place of the subresource through which the column is reached.
    #[doc(hidden)]
    pub const fn subresource(self) -> Option<usize> {
        self.subresource
    }

    const fn untyped(self) -> Untyped {
        Untyped {
            definition: R::DEFINITION,
            subresource: self.subresource,
            index: self.index,
        }
    }

    /// The order of this attribute from its smallest value on, null first.
    #[must_use]
    pub fn asc(self) -> Order<R> {
        Order::of(self.untyped().path(), false)
    }

    /// The order of this attribute from its greatest value on, null last.
    #[must_use]
    pub fn desc(self) -> Order<R> {
        Order::of(self.untyped().path(), true)
    }

    /// Holds where the attribute is null, also where the item has no such subresource.
    #[must_use]
    pub fn is_null(self) -> Filter<R> {
        Filter::of(self.untyped().compare("eq", Value::Null))
    }
}

impl<R: ApiResource, T: FieldValue, P> Column<R, T, P> {
    /// A failed assertion here is an error of `cargo build`.
    const COMPARABLE: () = assert!(
        !matches!(T::KIND, Kind::Json),
        "an attribute of JSON is compared with null alone: `is_null()`"
    );

    /// Holds where the attribute equals `value`; with `None`, where it is null.
    #[must_use]
    pub fn eq(self, value: impl Operand<T>) -> Filter<R> {
        Filter::of(self.comparable().compare("eq", value.into_value()))
    }

    /// Holds where the attribute does not equal `value`, also where it is null and `value` is not.
    #[must_use]
    pub fn ne(self, value: impl Operand<T>) -> Filter<R> {
        Filter::of(self.comparable().compare("ne", value.into_value()))
    }

    /// Holds where the attribute is greater than `value`; with `None`, for no item.
    #[must_use]
    pub fn gt(self, value: impl Operand<T>) -> Filter<R> {
        Filter::of(self.comparable().order("gt", value.into_value()))
    }

    /// Holds where the attribute is `value` or greater; with `None`, for no item.
    #[must_use]
    pub fn ge(self, value: impl Operand<T>) -> Filter<R> {
        Filter::of(self.comparable().order("ge", value.into_value()))
    }

    /// Holds where the attribute is less than `value`; with `None`, for no item.
    #[must_use]
    pub fn lt(self, value: impl Operand<T>) -> Filter<R> {
        Filter::of(self.comparable().order("lt", value.into_value()))
    }

    /// Holds where the attribute is `value` or less; with `None`, for no item.
    #[must_use]
    pub fn le(self, value: impl Operand<T>) -> Filter<R> {
        Filter::of(self.comparable().order("le", value.into_value()))
    }

    /// Holds where the attribute is one of `values`; `None` among them stands for null.
    #[must_use]
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Filter<R> {
        let values = values.into_iter().map(Operand::into_value).collect();
        Filter::of(self.comparable().test("in", values))
    }

    const fn comparable(self) -> Untyped {
        let () = Self::COMPARABLE;
        self.untyped()
    }
}

/// Patterns. The bound stands at each method, where an error explains it.
impl<R: ApiResource, T, P> Column<R, T, P> {
    /// Holds where the text matches `pattern`: `%` stands for any text, `\%` for a percent sign and `\\` for a
    /// backslash.
    #[must_use]
    pub fn like(self, pattern: impl Into<String>) -> Filter<R>
    where
        T: Text,
    {
        Filter::of(self.untyped().like("like", pattern.into()))
    }

    /// As [`like`](Self::like), not case-sensitive.
    #[must_use]
    pub fn ilike(self, pattern: impl Into<String>) -> Filter<R>
    where
        T: Text,
    {
        Filter::of(self.untyped().like("ilike", pattern.into()))
    }

    /// Holds where the text starts with `text`.
    #[must_use]
    pub fn starts_with(self, text: &str) -> Filter<R>
    where
        T: Text,
    {
        Filter::of(self.untyped().like("startswith", text.to_owned()))
    }
}

/// A column without its types, so that the code of its filters is compiled once.
#[derive(Clone, Copy)]
struct Untyped {
    definition: &'static ResourceDefinition,
    subresource: Option<usize>,
    index: usize,
}

impl Untyped {
    fn attribute(self) -> Option<&'static Attribute> {
        // Both indices come from the derive, so the attribute is always found.
        let attributes = match self.subresource {
            None => self.definition.all_attributes(),
            Some(index) => {
                let subresource = self.definition.all_subresources().get(index)?;
                subresource.target().all_attributes()
            }
        };
        attributes.get(self.index)
    }

    fn path(self) -> Path {
        let subresource = self.subresource;
        let subresource = subresource.and_then(|it| self.definition.all_subresources().get(it));
        let name = self.attribute().map_or("", Attribute::name);
        Path::of(subresource.map(Subresource::name), name)
    }

    fn test(self, function: &'static str, values: Vec<Value>) -> Tree {
        Tree::test(function, self.path(), values)
    }

    fn compare(self, function: &'static str, value: Value) -> Tree {
        self.test(function, vec![value])
    }

    fn order(self, function: &'static str, value: Value) -> Tree {
        // In the query language null has no order, and a filter that nothing meets is an empty list.
        if value == Value::Null {
            return self.test("in", Vec::new());
        }
        self.compare(function, value)
    }

    fn like(self, function: &'static str, pattern: String) -> Tree {
        self.compare(function, Value::Text(pattern))
    }
}

impl<R, T, P> Clone for Column<R, T, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, T, P> Copy for Column<R, T, P> {}

impl<R: ApiResource, T, P> fmt::Debug for Column<R, T, P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.untyped().path())
    }
}

impl<R, S> Clone for Related<R, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, S> Copy for Related<R, S> {}

impl<R: ApiResource, S> fmt::Debug for Related<R, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subresource = R::DEFINITION.all_subresources().get(self.index);
        formatter.write_str(subresource.map_or("", Subresource::name))
    }
}
