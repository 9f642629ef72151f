//! The table of filter functions, from which parser, resolution, suggestions and documents are made.

use super::AttributePath;
use super::ast::{Literal, LiteralValue};
use super::predicate::{Condition, Pattern, Predicate, Relation, Test};
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
    pub(super) resolve: Resolve,
}

/// Resolves a call with these literals to a predicate on an attribute.
type Resolve = fn(&Function, AttributePath, &[Literal]) -> Result<Predicate, QueryError>;

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
    function("eq", Arguments::Values(1), equal),
    function("ne", Arguments::Values(1), |it, path, literals| {
        // As the negation of `eq`, it holds where a null is compared with a value.
        equal(it, path, literals).map(Predicate::negated)
    }),
    function("gt", Arguments::Values(1), |it, path, literals| {
        compare(it, path, literals, Relation::Greater)
    }),
    function("ge", Arguments::Values(1), |it, path, literals| {
        compare(it, path, literals, Relation::GreaterOrEqual)
    }),
    function("lt", Arguments::Values(1), |it, path, literals| {
        compare(it, path, literals, Relation::Less)
    }),
    function("le", Arguments::Values(1), |it, path, literals| {
        compare(it, path, literals, Relation::LessOrEqual)
    }),
    // Patterns have conditions of their own, because they are matched as texts and never as values of a kind.
    function("like", Arguments::Pattern, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Like(Pattern::parse(text))
        })
    }),
    function("ilike", Arguments::Pattern, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Ilike(Pattern::parse(text))
        })
    }),
    // The same conditions, with the text as a piece between wildcards, so that nothing in it needs an escape.
    function("startswith", Arguments::Text, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Like(Pattern::of([text, ""]))
        })
    }),
    function("istartswith", Arguments::Text, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Ilike(Pattern::of([text, ""]))
        })
    }),
    function("endswith", Arguments::Text, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Like(Pattern::of(["", text]))
        })
    }),
    function("iendswith", Arguments::Text, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Ilike(Pattern::of(["", text]))
        })
    }),
    function("contains", Arguments::Text, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Like(Pattern::of(["", text, ""]))
        })
    }),
    function("icontains", Arguments::Text, |it, path, literals| {
        like(it, path, literals, |text| {
            Condition::Ilike(Pattern::of(["", text, ""]))
        })
    }),
    function("in", Arguments::List, one_of),
];

const fn function(name: &'static str, arguments: Arguments, resolve: Resolve) -> Function {
    Function {
        name,
        arguments,
        resolve,
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
}

fn equal(
    function: &Function,
    path: AttributePath,
    literals: &[Literal],
) -> Result<Predicate, QueryError> {
    match literals {
        // In SQL `= NULL` is never true, so a test for null is a condition of its own.
        [literal] if literal.value == LiteralValue::Null => Ok(test(path, Condition::IsNull)),
        _ => compare(function, path, literals, Relation::Equal),
    }
}

fn compare(
    function: &Function,
    path: AttributePath,
    literals: &[Literal],
    relation: Relation,
) -> Result<Predicate, QueryError> {
    let literal = first(literals)?;
    // In SQL a comparison with null is neither true nor false, and a filter is always one of both.
    if literal.value == LiteralValue::Null {
        let name = function.name;
        return Err(QueryError::new(
            literal.position.0,
            format!("`{name}` compares with a value; `eq` and `ne` alone take null"),
        ));
    }
    // The value is bound by the kind of the attribute, not by the form in which the client wrote it.
    let condition = Condition::Compare(relation, value(path, literal)?);
    Ok(test(path, condition))
}

fn like(
    function: &Function,
    path: AttributePath,
    literals: &[Literal],
    condition: fn(&str) -> Condition,
) -> Result<Predicate, QueryError> {
    let literal = first(literals)?;
    let attribute = path.attribute;
    // A UUID, a date or a decimal is a string in JSON, but PostgreSQL has no `LIKE` for such columns.
    if attribute.kind() != Kind::Text {
        let (function, name, kind) = (function.name, attribute.name(), attribute.kind());
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
    Ok(test(path, condition(text)))
}

fn one_of(
    _: &Function,
    path: AttributePath,
    literals: &[Literal],
) -> Result<Predicate, QueryError> {
    // `IN` of SQL never finds null, so null becomes a condition beside the values.
    let is_null = |literal: &&Literal| literal.value == LiteralValue::Null;
    let or_null = literals.iter().any(|literal| is_null(&literal));
    // Each value is resolved by the kind of the attribute, as if it stood alone in `eq`.
    let values = literals.iter().filter(|literal| !is_null(literal));
    let values = values.map(|literal| value(path, literal));
    // One value that does not suit refuses the whole list, rather than being left out of it.
    let condition = Condition::OneOf {
        values: values.collect::<Result<_, _>>()?,
        or_null,
    };
    Ok(test(path, condition))
}

/// The single literal of a call with one argument. The parser has checked the number of literals, so the error
/// never occurs.
fn first(literals: &[Literal]) -> Result<&Literal, QueryError> {
    literals
        .first()
        .ok_or_else(|| QueryError::new(0, "a value is missing"))
}

const fn test(path: AttributePath, condition: Condition) -> Predicate {
    // Functions state conditions as they are; only `not` and `ne` negate them afterwards.
    Predicate::Test(Test {
        path,
        condition,
        negated: false,
    })
}
