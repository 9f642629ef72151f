//! What a check keeps a column to, where it is of a shape that people and tools write for that:
//! a length, a range or a list of texts. Any other check says nothing here.

use super::declaration::{group, parts};
use super::limit::{Limit, Relation};
use super::token::Token;
use crate::schema::Bound;

/// What of a column a check compares.
enum Subject {
    Value(String),
    Length(String),
}

/// The limits that every row keeps which the check `expression` lets pass.
pub(super) fn limits(expression: &[Token<'_>]) -> Vec<Limit> {
    // Within it, `AND` and `OR` do not mean what they mean elsewhere.
    if expression.iter().any(|token| token.is_word("CASE")) {
        return Vec::new();
    }
    let alternatives = parts(bare(expression), |token| token.is_word("OR"));
    let (null_tests, others): (Vec<_>, Vec<_>) =
        alternatives.partition(|alternative| null_tested(alternative).is_some());
    match others.as_slice() {
        [only] if null_tests.is_empty() => limits_of_all(only),
        // A column that may be null besides is not narrower for it.
        [only] => {
            let mut limits = limits(only);
            limits.retain(|limit| {
                let mut columns = null_tests.iter().filter_map(|test| null_tested(test));
                columns.all(|column| column.eq_ignore_ascii_case(limit.column()))
            });
            limits
        }
        _ => Vec::new(),
    }
}

fn limits_of_all(conjunction: &[Token<'_>]) -> Vec<Limit> {
    let mut is_between = false;
    let tests = parts(conjunction, |token| {
        is_between |= token.is_word("BETWEEN");
        token.is_word("AND") && !std::mem::take(&mut is_between)
    });
    let tests: Vec<_> = tests.collect();
    match tests.as_slice() {
        [only] => comparison(only)
            .or_else(|| range(only))
            .or_else(|| list(only))
            .unwrap_or_default(),
        tests => tests.iter().flat_map(|test| limits(test)).collect(),
    }
}

/// `length("name") <= 50`, `"age" > 0`, `0 < "age"`
fn comparison(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    let sides: Vec<_> = parts(test, |token| !relations(token).is_empty()).collect();
    let [left, right] = sides.as_slice() else {
        return None;
    };
    let relations = relations(test.get(left.len())?).iter().copied();
    if let (Some(subject), Some(bound)) = (subject(left), number(right)) {
        return Some(
            relations
                .filter_map(|it| limit(&subject, it, bound))
                .collect(),
        );
    }
    let (subject, bound) = (subject(right)?, number(left)?);
    let reversed = relations.map(Relation::reversed);
    Some(
        reversed
            .filter_map(|it| limit(&subject, it, bound))
            .collect(),
    )
}

fn relations(token: &Token<'_>) -> &'static [Relation] {
    match token {
        Token::Symbol("<=") => &[Relation::Greatest],
        Token::Symbol("<") => &[Relation::Below],
        Token::Symbol(">=") => &[Relation::Least],
        Token::Symbol(">") => &[Relation::Above],
        Token::Symbol("=" | "==") => &[Relation::Least, Relation::Greatest],
        _ => &[],
    }
}

/// `"age" BETWEEN 0 AND 150`
fn range(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    let (subject_side, bounds) = two_parts(test, |token| token.is_word("BETWEEN"))?;
    let (least, greatest) = two_parts(bounds, |token| token.is_word("AND"))?;
    let subject = subject(subject_side)?;
    let least = limit(&subject, Relation::Least, number(least)?);
    let greatest = limit(&subject, Relation::Greatest, number(greatest)?);
    Some(least.into_iter().chain(greatest).collect())
}

/// `"colour" IN ('red', 'green')`
fn list(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    let (column_side, list) = two_parts(test, |token| token.is_word("IN"))?;
    let (members, []) = group(list)? else {
        return None;
    };
    let members = parts(members, |token| token.is_symbol(","));
    let names = members.map(|member| match member {
        [Token::Text(name)] => Some(name.clone()),
        _ => None,
    });
    let column = column(bare(column_side))?.to_owned();
    Some(vec![Limit::Names(column, names.collect::<Option<_>>()?)])
}

fn limit(subject: &Subject, relation: Relation, bound: Bound) -> Option<Limit> {
    match (subject, bound) {
        (Subject::Value(column), bound) => Some(Limit::Value(column.clone(), relation, bound)),
        (Subject::Length(column), Bound::Integer(characters)) => {
            Some(Limit::Length(column.clone(), relation, characters))
        }
        (Subject::Length(_), Bound::Real(_)) => None,
    }
}

fn subject(tokens: &[Token<'_>]) -> Option<Subject> {
    let tokens = bare(tokens);
    if let Some(column) = column(tokens) {
        return Some(Subject::Value(column.to_owned()));
    }
    let (function, arguments) = tokens.split_first()?;
    let (argument, []) = group(arguments)? else {
        return None;
    };
    let argument = column(bare(argument)).filter(|_| function.is_word("length"));
    argument.map(|column| Subject::Length(column.to_owned()))
}

/// A column, with or without its table.
fn column<'tokens>(tokens: &'tokens [Token<'_>]) -> Option<&'tokens str> {
    match tokens {
        [column] | [_, Token::Symbol("."), column] => column.name(),
        _ => None,
    }
}

fn number(tokens: &[Token<'_>]) -> Option<Bound> {
    let (sign, digits) = match bare(tokens) {
        [Token::Number(digits)] | [Token::Symbol("+"), Token::Number(digits)] => ("", digits),
        [Token::Symbol("-"), Token::Number(digits)] => ("-", digits),
        _ => return None,
    };
    let digits = digits.replace('_', "").to_ascii_lowercase();
    let integer = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
        None => format!("{sign}{digits}").parse().ok(),
    };
    let real = || format!("{sign}{digits}").parse().ok().map(Bound::Real);
    integer.map(Bound::Integer).or_else(real)
}

/// The column of `"age" IS NULL`.
fn null_tested<'tokens>(test: &'tokens [Token<'_>]) -> Option<&'tokens str> {
    match bare(test) {
        [column @ .., is, null] if is.is_word("IS") && null.is_word("NULL") => {
            self::column(bare(column))
        }
        [column @ .., is_null] if is_null.is_word("ISNULL") => self::column(bare(column)),
        _ => None,
    }
}

fn two_parts<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
    separates: impl FnMut(&Token<'sql>) -> bool,
) -> Option<(&'tokens [Token<'sql>], &'tokens [Token<'sql>])> {
    let mut parts = parts(tokens, separates);
    let two = (parts.next()?, parts.next()?);
    parts.next().is_none().then_some(two)
}

/// What stands in parentheses around all of it, however many.
fn bare<'tokens, 'sql>(tokens: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let mut inside = tokens;
    while let Some((inner, [])) = group(inside) {
        inside = inner;
    }
    inside
}
