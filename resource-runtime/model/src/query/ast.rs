//! The syntax tree of the query language, with names that are not yet attributes.

use std::{fmt, slice};

use super::functions::{Arguments, Function};

/// An offset in the text, in bytes.
///
/// All positions are equal, so that trees are compared without regard to white space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position(pub(super) usize);

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A name and its position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(super) text: String,
    pub(super) position: Position,
}

/// An attribute, or an attribute of a subresource.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    pub(super) first: Name,
    pub(super) second: Option<Name>,
}

/// A call of a filter function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filter {
    Test(&'static Function, Path, Vec<Literal>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    /// The items of a collection, all or those of a filter.
    Has(Name, Option<Box<Self>>),
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Literal {
    pub(super) value: LiteralValue,
    pub(super) position: Position,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LiteralValue {
    String(String),
    /// The text of the number, so that no digit is lost before the attribute's kind is known.
    Number(String),
    Boolean(bool),
    Null,
}

/// A criterion of an order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Criterion {
    pub(super) descending: bool,
    pub(super) path: Path,
}

/// A member of `fields`: an attribute, a subresource or a collection, the latter two also with their attributes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldItem {
    pub(super) name: Name,
    pub(super) attributes: Option<Vec<Name>>,
    /// The options of a collection.
    pub(super) order: Option<Vec<Criterion>>,
    pub(super) limit: Option<Literal>,
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // White space around the dot is not kept, since positions do not count when trees are compared.
        formatter.write_str(&self.first.text)?;
        match &self.second {
            Some(second) => write!(formatter, ".{}", second.text),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            LiteralValue::String(text) => {
                // The lexer reads the strings of JSON, so those are what has to be printed.
                let quoted = serde_json::to_string(text).map_err(|_| fmt::Error)?;
                formatter.write_str(&quoted)
            }
            // The digits of the client are printed as they are, so that an error quotes what was sent.
            LiteralValue::Number(text) => formatter.write_str(text),
            LiteralValue::Boolean(boolean) => write!(formatter, "{boolean}"),
            LiteralValue::Null => formatter.write_str("null"),
        }
    }
}

impl Filter {
    /// The name of the function.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Test(function, ..) => function.name,
            Self::And(_) => "and",
            Self::Or(_) => "or",
            Self::Not(_) => "not",
            Self::Has(..) => "has",
        }
    }

    /// The filters within this one.
    pub(super) fn members(&self) -> &[Self] {
        match self {
            Self::Test(..) => &[],
            Self::And(members) | Self::Or(members) => members,
            Self::Not(filter) => slice::from_ref(filter),
            Self::Has(_, filter) => filter.as_deref().map_or(&[], slice::from_ref),
        }
    }
}

/// Prints a text that parses to this tree.
impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.name())?;
        match self {
            // Only a list has brackets of its own; a single value or a pattern follows the comma directly.
            Self::Test(function, path, literals) if function.arguments == Arguments::List => {
                write!(formatter, "{path},[{}]", listed(literals))?;
            }
            Self::Test(_, path, literals) => write!(formatter, "{path},{}", listed(literals))?,
            Self::Has(name, Some(_)) => write!(formatter, "{name},")?,
            Self::Has(name, None) => write!(formatter, "{name}")?,
            Self::And(_) | Self::Or(_) | Self::Not(_) => {}
        }
        write!(formatter, "{})", listed(self.members()))
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = if self.descending { "desc" } else { "asc" };
        write!(formatter, "{function}({})", self.path)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Display for FieldItem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name.text)?;
        // Without parentheses the item is an attribute or a whole subresource; the text is the same.
        if self.attributes.is_none() && self.order.is_none() && self.limit.is_none() {
            return Ok(());
        }
        let attributes = self.attributes.as_deref().unwrap_or_default();
        write!(formatter, "({}", listed(attributes))?;
        if let Some(order) = &self.order {
            write!(formatter, ";order={}", listed(order))?;
        }
        if let Some(limit) = &self.limit {
            write!(formatter, ";limit={limit}")?;
        }
        formatter.write_str(")")
    }
}

/// The text of a list, without the spaces and the positions of what the client wrote.
pub(super) fn listed(items: &[impl fmt::Display]) -> String {
    // No space follows the comma, so that a printed text is not longer than it has to be.
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(",")
}
