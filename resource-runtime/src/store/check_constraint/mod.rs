//! A parser for `CHECK` constraints in the usual forms: a length, a range, a text or a list of texts or integers. Other
//! checks are ignored.

#[cfg(feature = "postgres")]
mod cast;
mod limit;
#[cfg(all(test, feature = "postgres"))]
mod tests;
mod token;

use std::collections::HashSet;

use resource_model::schema::Bound;
#[cfg(feature = "postgres")]
use resource_sql::Dialect;

pub(super) use limit::{Limit, Relation};
use limit::{column, operand};
pub(super) use token::{Token, tokens};

/// The limits of a check, given as PostgreSQL prints it.
#[cfg(feature = "postgres")]
pub(super) fn printed_limits(expression: &str) -> Vec<Limit> {
    let tokens = tokens(Dialect::Postgres, expression);
    limits(&cast::without_casts(&tokens))
}

/// The limits that hold for every row that the check accepts.
pub(super) fn limits(expression: &[Token<'_>]) -> Vec<Limit> {
    // In a `CASE`, `AND` and `OR` do not separate parts of the whole expression.
    if expression.iter().any(|token| token.is_word("CASE")) {
        return Vec::new();
    }
    // `OR` binds weaker than `AND`, so the expression is split at it first.
    let alternatives = parts(bare(expression), |token| token.is_word("OR"));
    let (null_tests, others): (Vec<_>, Vec<_>) =
        alternatives.partition(|alternative| null_tested(alternative).is_some());
    match others.as_slice() {
        [only] if null_tests.is_empty() => limits_of_all(only),
        // `x IS NULL OR …` still limits the values of `x`.
        [only] => {
            let mut limits = limits(only);
            limits.retain(|limit| {
                // In `y IS NULL OR …`, a null in another column lets `x` have any value.
                let mut columns = null_tests.iter().filter_map(|test| null_tested(test));
                columns.all(|column| column.eq_ignore_ascii_case(limit.column()))
            });
            limits
        }
        // Of two alternatives, neither holds for every row.
        _ => Vec::new(),
    }
}

/// The limits of all conditions of a conjunction.
fn limits_of_all(conjunction: &[Token<'_>]) -> Vec<Limit> {
    // The `AND` after `BETWEEN` belongs to the range.
    let mut is_between = false;
    let tests = parts(conjunction, |token| {
        is_between |= token.is_word("BETWEEN");
        token.is_word("AND") && !std::mem::take(&mut is_between)
    });
    let tests: Vec<_> = tests.collect();
    match tests.as_slice() {
        [only] => comparison(only)
            .or_else(|| equality(only))
            .or_else(|| range(only))
            .or_else(|| list(only))
            .or_else(|| array(only))
            // A condition of another form limits nothing that can be compared with a definition.
            .unwrap_or_default(),
        // A member in parentheses may have alternatives of its own.
        tests => tests.iter().flat_map(|test| limits(test)).collect(),
    }
}

/// `length("name") <= 50`, `"age" > 0`, `0 < "age"`
fn comparison(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    let sides: Vec<_> = parts(test, |token| !relations(token).is_empty()).collect();
    let [left, right] = sides.as_slice() else {
        return None;
    };
    // The token after the left side is the relation at which the test was split.
    let relations = relations(test.get(left.len())?).iter().copied();
    if let (Some(operand), Some(bound)) = (operand(left), number(right)) {
        return Some(
            relations
                .filter_map(|it| operand.limit(it, bound))
                .collect(),
        );
    }
    // The bound is on the left: `0 < "age"`.
    let (operand, bound) = (operand(right)?, number(left)?);
    let reversed = relations.map(Relation::reversed);
    Some(reversed.filter_map(|it| operand.limit(it, bound)).collect())
}

fn relations(token: &Token<'_>) -> &'static [Relation] {
    match token {
        Token::Symbol("<=") => &[Relation::Greatest],
        Token::Symbol("<") => &[Relation::Below],
        Token::Symbol(">=") => &[Relation::Least],
        Token::Symbol(">") => &[Relation::Above],
        // An equation limits a value from both sides.
        Token::Symbol("=" | "==") => &[Relation::Least, Relation::Greatest],
        _ => &[],
    }
}

/// `"colour" = 'red'`: a list of one text.
fn equality(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    // Only an equation has two relations.
    let (left, right) = two_parts(test, |token| relations(token).len() == 2)?;
    let sides = |column_side, text_side| match (column(bare(column_side)), bare(text_side)) {
        (Some(column), [Token::Text(literal)]) => Some((column.to_owned(), literal.clone())),
        _ => None,
    };
    let (column, literal) = sides(left, right).or_else(|| sides(right, left))?;
    Some(vec![Limit::Texts(column, vec![literal])])
}

/// `"age" BETWEEN 0 AND 150`
fn range(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    // In `x NOT BETWEEN …`, the word before `BETWEEN` is no part of an operand, so nothing is found.
    let (operand_side, bounds) = two_parts(test, |token| token.is_word("BETWEEN"))?;
    let (least, greatest) = two_parts(bounds, |token| token.is_word("AND"))?;
    let operand = operand(operand_side)?;
    let least = operand.limit(Relation::Least, number(least)?);
    let greatest = operand.limit(Relation::Greatest, number(greatest)?);
    Some(least.into_iter().chain(greatest).collect())
}

/// `"colour" IN ('red', 'green')`, `"paid" IN (0, 1)`
fn list(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    // In `x NOT IN (…)`, two words precede the list, which are no column, so nothing is found.
    let (column_side, list) = two_parts(test, |token| token.is_word("IN"))?;
    // Tokens after the list make it a part of another expression.
    let (members, []) = group(list)? else {
        return None;
    };
    texts(column_side, members).or_else(|| integers(column_side, members))
}

/// `"colour" = ANY (ARRAY['red', 'green'])`: a list as PostgreSQL prints it.
fn array(test: &[Token<'_>]) -> Option<Vec<Limit>> {
    // PostgreSQL prints `NOT IN` as `<> ALL (…)`, which is no equation.
    let (column_side, any) = two_parts(test, |token| relations(token).len() == 2)?;
    let (function, array) = any.split_first()?;
    match bare(array) {
        [array, open, members @ .., close]
            if function.is_word("ANY")
                && array.is_word("ARRAY")
                && open.is_symbol("[")
                && close.is_symbol("]") =>
        {
            texts(column_side, members).or_else(|| integers(column_side, members))
        }
        _ => None,
    }
}

fn texts(column_side: &[Token<'_>], members: &[Token<'_>]) -> Option<Vec<Limit>> {
    let members = parts(members, |token| token.is_symbol(","));
    // One member that is no text makes the whole list unknown.
    let texts = members.map(|member| match bare(member) {
        [Token::Text(text)] => Some(text.clone()),
        _ => None,
    });
    let column = column(bare(column_side))?.to_owned();
    Some(vec![Limit::Texts(column, texts.collect::<Option<_>>()?)])
}

/// The range of a list of integers without gaps, since one with gaps has no other form in a definition.
fn integers(column_side: &[Token<'_>], members: &[Token<'_>]) -> Option<Vec<Limit>> {
    let members = parts(members, |token| token.is_symbol(","));
    let integers = members.map(|member| match number(member)? {
        Bound::Integer(integer) => Some(integer),
        Bound::Real(_) => None,
    });
    let integers: Vec<i64> = integers.collect::<Option<_>>()?;
    let (least, most) = (integers.iter().min()?, integers.iter().max()?);
    let distinct: HashSet<&i64> = integers.iter().collect();
    let is_whole = most.checked_sub(*least) == i64::try_from(distinct.len() - 1).ok();
    let column = column(bare(column_side)).filter(|_| is_whole)?;
    let limit =
        |relation, bound: &i64| Limit::Value(column.to_owned(), relation, Bound::Integer(*bound));
    Some(vec![
        limit(Relation::Least, least),
        limit(Relation::Greatest, most),
    ])
}

fn number(tokens: &[Token<'_>]) -> Option<Bound> {
    let (sign, digits) = match bare(tokens) {
        [Token::Number(digits)] | [Token::Symbol("+"), Token::Number(digits)] => ("", digits),
        [Token::Symbol("-"), Token::Number(digits)] => ("-", digits),
        _ => return None,
    };
    // Both databases accept an underscore between digits.
    let digits = digits.replace('_', "").to_ascii_lowercase();
    // The sign is parsed with the digits, since the least integer has no positive counterpart.
    let integer = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
        None => format!("{sign}{digits}").parse().ok(),
    };
    // An integer beyond 64 bits is beyond all columns of integers, so a rounded real will do.
    let real = || format!("{sign}{digits}").parse().ok().map(Bound::Real);
    integer.map(Bound::Integer).or_else(real)
}

/// The column of `"age" IS NULL`.
pub(super) fn null_tested<'tokens>(test: &'tokens [Token<'_>]) -> Option<&'tokens str> {
    match bare(test) {
        [column @ .., is, null] if is.is_word("IS") && null.is_word("NULL") => {
            self::column(bare(column))
        }
        // Both databases accept `ISNULL` as another spelling.
        [column @ .., is_null] if is_null.is_word("ISNULL") => self::column(bare(column)),
        _ => None,
    }
}

/// Splits tokens that start with a parenthesis into those inside and those after it.
pub(super) fn group<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
) -> Option<(&'tokens [Token<'sql>], &'tokens [Token<'sql>])> {
    let mut depth = 0_usize;
    // If the first token is no parenthesis, the depth is zero at once, and that token alone is no group.
    let end = tokens.iter().position(|token| {
        depth = depth_after(token, depth);
        depth == 0
    });
    let (group, after) = tokens.split_at_checked(end? + 1)?;
    let (first, inside) = group.split_first()?;
    let (_, inside) = inside.split_last()?;
    first.is_symbol("(").then_some((inside, after))
}

/// The tokens without parentheses around all of them.
fn bare<'tokens, 'sql>(tokens: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let mut inside = tokens;
    while let Some((inner, [])) = group(inside) {
        inside = inner;
    }
    inside
}

/// Splits tokens at each one outside of parentheses for which `separates` returns true.
pub(super) fn parts<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
    mut separates: impl FnMut(&Token<'sql>) -> bool,
) -> impl Iterator<Item = &'tokens [Token<'sql>]> {
    let mut depth = 0;
    tokens.split(move |token| {
        depth = depth_after(token, depth);
        depth == 0 && separates(token)
    })
}

fn two_parts<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
    separates: impl FnMut(&Token<'sql>) -> bool,
) -> Option<(&'tokens [Token<'sql>], &'tokens [Token<'sql>])> {
    let mut parts = parts(tokens, separates);
    let two = (parts.next()?, parts.next()?);
    parts.next().is_none().then_some(two)
}

fn depth_after(token: &Token<'_>, depth: usize) -> usize {
    if token.is_symbol("(") {
        depth + 1
    } else if token.is_symbol(")") {
        // A surplus parenthesis is no error here: a text that cannot be understood only yields no limits.
        depth.saturating_sub(1)
    } else {
        depth
    }
}
