use super::Token;

/// What stands in the parentheses that `tokens` start with, and what stands behind them.
pub(in crate::store) fn group<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
) -> Option<(&'tokens [Token<'sql>], &'tokens [Token<'sql>])> {
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        depth = depth_behind(token, depth);
        depth == 0
    });
    let (closed, behind) = tokens.split_at_checked(end? + 1)?;
    let (first, inside) = closed.split_first()?;
    let (_, inside) = inside.split_last()?;
    first.is_symbol("(").then_some((inside, behind))
}

/// What stands in parentheses around all of it, however many.
pub(super) fn bare<'tokens, 'sql>(tokens: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let mut inside = tokens;
    while let Some((inner, [])) = group(inside) {
        inside = inner;
    }
    inside
}

/// The parts of `tokens` between those outside of parentheses that `separates` is true of.
pub(in crate::store) fn parts<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
    mut separates: impl FnMut(&Token<'sql>) -> bool,
) -> impl Iterator<Item = &'tokens [Token<'sql>]> {
    let mut depth = 0;
    tokens.split(move |token| {
        depth = depth_behind(token, depth);
        depth == 0 && separates(token)
    })
}

pub(super) fn two_parts<'tokens, 'sql>(
    tokens: &'tokens [Token<'sql>],
    separates: impl FnMut(&Token<'sql>) -> bool,
) -> Option<(&'tokens [Token<'sql>], &'tokens [Token<'sql>])> {
    let mut parts = parts(tokens, separates);
    let two = (parts.next()?, parts.next()?);
    parts.next().is_none().then_some(two)
}

fn depth_behind(token: &Token<'_>, depth: usize) -> usize {
    if token.is_symbol("(") {
        depth + 1
    } else if token.is_symbol(")") {
        depth.saturating_sub(1)
    } else {
        depth
    }
}
