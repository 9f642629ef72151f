use super::super::mistake::Mistake;
use super::super::pattern::Pattern;
use super::super::predicate::{Condition, Predicate, Relation, Test};
use super::super::tree;
use super::super::tree::{Comparison, Filter, Likeness, Literal, LiteralValue};
use super::literal::{require_pattern, value};
use super::path;
use crate::authorization::View;
use crate::query::AttributePath;
use crate::schema::Kind;

/// What a filter asks of an item.
///
/// A negation is pushed down to the tests, where null is known of: a test is true or false, never
/// unknown, so `not(f)` holds exactly where `f` does not.
pub(in crate::query) fn filter(view: View<'_>, filter: &Filter) -> Result<Predicate, Mistake> {
    resolve(view, filter, false)
}

fn resolve(view: View<'_>, filter: &Filter, negated: bool) -> Result<Predicate, Mistake> {
    let path_of = |path| path::path(view, path);
    match filter {
        Filter::Not(filter) => resolve(view, filter, !negated),
        Filter::And(filters) => {
            let members = members(view, filters, negated)?;
            Ok(if negated {
                Predicate::Any(members)
            } else {
                Predicate::All(members)
            })
        }
        Filter::Or(filters) => {
            let members = members(view, filters, negated)?;
            Ok(if negated {
                Predicate::All(members)
            } else {
                Predicate::Any(members)
            })
        }
        Filter::Compare(function, path, literal) => {
            compare(*function, path_of(path)?, literal, negated)
        }
        Filter::Like(function, path, pattern) => like(*function, path_of(path)?, pattern, negated),
        Filter::In(path, values) => within(path_of(path)?, values, negated),
    }
}

fn members(view: View<'_>, filters: &[Filter], negated: bool) -> Result<Vec<Predicate>, Mistake> {
    let members = filters.iter();
    members
        .map(|filter| resolve(view, filter, negated))
        .collect()
}

fn test(path: AttributePath, condition: Condition, negated: bool) -> Predicate {
    Predicate::Test(Test {
        path,
        condition,
        negated,
    })
}

fn compare(
    function: Comparison,
    path: AttributePath,
    literal: &Literal,
    negated: bool,
) -> Result<Predicate, Mistake> {
    let differs = function == Comparison::Ne;
    if literal.value == LiteralValue::Null {
        if !matches!(function, Comparison::Eq | Comparison::Ne) {
            let name = function.name();
            return Err(Mistake::new(
                literal.position.0,
                format!("`{name}` compares with a value; `eq` and `ne` alone take null"),
            ));
        }
        return Ok(test(path, Condition::IsNull, negated != differs));
    }
    let relation = match function {
        Comparison::Eq | Comparison::Ne => Relation::Equal,
        Comparison::Gt => Relation::Greater,
        Comparison::Ge => Relation::GreaterOrEqual,
        Comparison::Lt => Relation::Less,
        Comparison::Le => Relation::LessOrEqual,
    };
    let value = value(path, literal)?;
    let condition = Condition::Compare(relation, value);
    Ok(test(path, condition, negated != differs))
}

fn like(
    function: Likeness,
    path: AttributePath,
    pattern: &Literal,
    negated: bool,
) -> Result<Predicate, Mistake> {
    if path.attribute.kind() != Kind::Text {
        let (function, name) = (function.name(), path.attribute.name());
        return Err(Mistake::new(
            pattern.position.0,
            format!(
                "`{function}` matches text, but `{name}` is {}",
                path.attribute.kind()
            ),
        ));
    }
    let tree::LiteralValue::String(text) = &pattern.value else {
        return Err(Mistake::new(pattern.position.0, "a pattern is a string"));
    };
    require_pattern(path, text, pattern)?;
    let pattern = Pattern::parse(text);
    let condition = match function {
        Likeness::Like => Condition::Like(pattern),
        Likeness::Ilike => Condition::Ilike(pattern),
    };
    Ok(test(path, condition, negated))
}

fn within(path: AttributePath, literals: &[Literal], negated: bool) -> Result<Predicate, Mistake> {
    let or_null = literals
        .iter()
        .any(|literal| literal.value == LiteralValue::Null);
    let values = literals
        .iter()
        .filter(|literal| literal.value != LiteralValue::Null)
        .map(|literal| value(path, literal))
        .collect::<Result<Vec<_>, Mistake>>()?;
    Ok(test(path, Condition::OneOf { values, or_null }, negated))
}
