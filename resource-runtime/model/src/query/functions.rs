//! The table of filter functions, from which parser, resolution, suggestions and documents are made.

use super::AttributePath;
use super::ast::{Literal, LiteralValue};
use super::predicate::Condition::{self, Ilike, Like};
use super::predicate::Relation::{self, Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
use super::predicate::{Pattern, Predicate};
use super::resolve::{require_pattern, value};
use super::token_stream::QueryError;
use crate::schema::Kind;

/// A function that tests an attribute. The functions of filters, as `and`, are part of the grammar instead.
#[derive(Debug)]
pub struct Function {
    /// The name, as filters spell it.
    pub name: &'static str,
    /// The arguments behind the attribute.
    pub arguments: Arguments,
    meaning: Meaning,
}

/// The condition that a call stands for.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    /// Equality with a value or with null, or its negation.
    Same { negated: bool },
    /// A relation to a value, which is not null.
    Compare(Relation),
    /// A match with a pattern, which is made of the text.
    Match(fn(Pattern) -> Condition, fn(&str) -> Pattern),
    /// Equality with one of several values.
    OneOf,
}

/// The arguments of a function behind the path of its attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// This number of values.
    Values(usize),
    /// A pattern in double quotes.
    Pattern,
    /// A text in double quotes, without wildcards.
    Text,
    /// Any number of values in square brackets, also none.
    List,
}

/// The functions of filters: three that combine them, and one that tests the items of a collection.
pub const COMBINING: [&str; 4] = ["and", "or", "not", "has"];

/// The table of functions, in the order of the guide.
pub static FUNCTIONS: [Function; 15] = [
    // Both tests of equality take null; the four comparisons of order below refuse it.
    function("eq", Arguments::Values(1), Meaning::Same { negated: false }),
    // As the negation of `eq`, it holds where a null is compared with a value.
    function("ne", Arguments::Values(1), Meaning::Same { negated: true }),
    function("gt", Arguments::Values(1), Meaning::Compare(Greater)),
    function("ge", Arguments::Values(1), Meaning::Compare(GreaterOrEqual)),
    function("lt", Arguments::Values(1), Meaning::Compare(Less)),
    function("le", Arguments::Values(1), Meaning::Compare(LessOrEqual)),
    // Patterns have conditions of their own, because they are matched as texts and never as values of a kind.
    function(
        "like",
        Arguments::Pattern,
        Meaning::Match(Like, Pattern::parse),
    ),
    function(
        "ilike",
        Arguments::Pattern,
        Meaning::Match(Ilike, Pattern::parse),
    ),
    // The same conditions, with the text as a piece between wildcards, so that nothing in it needs an escape.
    function("startswith", Arguments::Text, Meaning::Match(Like, start)),
    function("istartswith", Arguments::Text, Meaning::Match(Ilike, start)),
    function("endswith", Arguments::Text, Meaning::Match(Like, end)),
    function("iendswith", Arguments::Text, Meaning::Match(Ilike, end)),
    function("contains", Arguments::Text, Meaning::Match(Like, part)),
    function("icontains", Arguments::Text, Meaning::Match(Ilike, part)),
    function("in", Arguments::List, Meaning::OneOf),
];

fn start(text: &str) -> Pattern {
    Pattern::of([text, ""])
}

fn end(text: &str) -> Pattern {
    Pattern::of(["", text])
}

fn part(text: &str) -> Pattern {
    Pattern::of(["", text, ""])
}

const fn function(name: &'static str, arguments: Arguments, meaning: Meaning) -> Function {
    Function {
        name,
        arguments,
        meaning,
    }
}

/// Compares the names, which are unique; function pointers have no reliable equality.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Function {
    pub(super) fn of_name(name: &str) -> Option<&'static Self> {
        // Names of functions are compared with their case, as everything in a filter.
        FUNCTIONS.iter().find(|function| function.name == name)
    }

    /// The predicate of a call with these literals.
    pub(super) fn resolve(
        &self,
        path: AttributePath,
        literals: &[Literal],
    ) -> Result<Predicate, QueryError> {
        let condition = match self.meaning {
            Meaning::Same { .. } => match first(literals)? {
                // In SQL `= NULL` is never true, so a test for null is a condition of its own.
                literal if literal.value == LiteralValue::Null => Condition::IsNull,
                literal => Condition::Compare(Equal, value(path, literal)?),
            },
            Meaning::Compare(relation) => self.compare(path, first(literals)?, relation)?,
            Meaning::Match(condition, pattern) => {
                condition(pattern(self.text(path, first(literals)?)?))
            }
            Meaning::OneOf => one_of(path, literals)?,
        };
        let test = Predicate::test(path, condition);
        Ok(match self.meaning {
            Meaning::Same { negated: true } => test.negated(),
            _ => test,
        })
    }

    fn compare(
        &self,
        path: AttributePath,
        literal: &Literal,
        relation: Relation,
    ) -> Result<Condition, QueryError> {
        // In SQL a comparison with null is neither true nor false, and a filter is always one of both.
        if literal.value == LiteralValue::Null {
            let name = self.name;
            return Err(QueryError::new(
                literal.position.0,
                format!("`{name}` compares with a value; `eq` and `ne` alone take null"),
            ));
        }
        // The value is bound by the kind of the attribute, not by the form in which the client wrote it.
        Ok(Condition::Compare(relation, value(path, literal)?))
    }

    /// The text of a pattern.
    fn text<'a>(&self, path: AttributePath, literal: &'a Literal) -> Result<&'a str, QueryError> {
        let attribute = path.attribute;
        // A UUID, a date or a decimal is a string in JSON, but PostgreSQL has no `LIKE` for such columns.
        if attribute.kind() != Kind::Text {
            let (function, name, kind) = (self.name, attribute.name(), attribute.kind());
            return Err(QueryError::new(
                literal.position.0,
                format!("`{function}` matches text, but `{name}` is {kind}"),
            ));
        }
        // The parser takes nothing but a string here, so this error never occurs.
        let LiteralValue::String(text) = &literal.value else {
            return Err(QueryError::new(literal.position.0, "a text is a string"));
        };
        // A pattern is bound as a text, so it has to be one that every database takes.
        require_pattern(path, text, literal)?;
        Ok(text)
    }
}

fn one_of(path: AttributePath, literals: &[Literal]) -> Result<Condition, QueryError> {
    // `IN` of SQL never finds null, so null becomes a condition beside the values.
    let is_null = |literal: &&Literal| literal.value == LiteralValue::Null;
    let or_null = literals.iter().any(|literal| is_null(&literal));
    // Each value is resolved by the kind of the attribute, as if it stood alone in `eq`.
    let values = literals.iter().filter(|literal| !is_null(literal));
    let values = values.map(|literal| value(path, literal));
    // One value that does not suit refuses the whole list, rather than being left out of it.
    let values = values.collect::<Result<_, _>>()?;
    Ok(Condition::OneOf { values, or_null })
}

/// The single literal of a call with one argument. The parser has checked the number of literals, so the error
/// never occurs.
fn first(literals: &[Literal]) -> Result<&Literal, QueryError> {
    literals
        .first()
        .ok_or_else(|| QueryError::new(0, "a value is missing"))
}
