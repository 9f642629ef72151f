//! PostgreSQL tells a check with a cast at every value: `length((name)::text) <= 50`.

use std::borrow::Cow;

use super::{Token, group};

/// The types that a value keeps its length and its order in.
const FAITHFUL: [&str; 6] = [
    "text",
    "character",
    "bigint",
    "numeric",
    "double",
    "varchar",
];

const NUMBERS: [&str; 6] = ["smallint", "integer", "bigint", "numeric", "real", "double"];

/// What the name of a type may have behind its first word.
const FURTHER_WORDS: [&str; 6] = ["varying", "precision", "with", "without", "time", "zone"];

/// The check as people write it, without the casts that change no value. One that does stays, and
/// keeps what it stands in from being understood.
pub(super) fn without_casts<'sql>(tokens: &[Token<'sql>]) -> Vec<Token<'sql>> {
    let mut bare: Vec<Token<'sql>> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let Some((token, behind)) = rest.split_first() {
        let cast = behind.first().filter(|_| token.is_symbol("::"));
        match (cast.and_then(Token::name), bare.last_mut()) {
            (Some(name), Some(value)) if is_idle(value, name, behind) => {
                as_number(value, name);
                rest = behind_type(behind);
            }
            _ => {
                bare.push(token.clone());
                rest = behind;
            }
        }
    }
    bare
}

fn is_idle(value: &Token<'_>, name: &str, declared_type: &[Token<'_>]) -> bool {
    let is_literal = matches!(value, Token::Text(_) | Token::Number(_));
    let is_limited = behind_words(declared_type)
        .first()
        .is_some_and(|token| token.is_symbol("("));
    is_literal || (FAITHFUL.contains(&name) && !is_limited)
}

/// A number with a sign is told as a text: `'-5'::integer`.
fn as_number(value: &mut Token<'_>, declared_type: &str) {
    if let Token::Text(text) = value {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
        if is_number && NUMBERS.contains(&declared_type) {
            *value = Token::Number(Cow::Owned(std::mem::take(text)));
        }
    }
}

/// What stands behind the words of a type: its limit, the brackets of a list, or none of its own.
fn behind_words<'tokens, 'sql>(declared_type: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let words = declared_type.iter().enumerate();
    let mut words = words.skip_while(|(index, token)| {
        *index == 0 || FURTHER_WORDS.iter().any(|word| token.is_word(word))
    });
    let end = words.next().map_or(declared_type.len(), |(index, _)| index);
    declared_type.get(end..).unwrap_or_default()
}

fn behind_type<'tokens, 'sql>(declared_type: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let mut behind = behind_words(declared_type);
    behind = group(behind).map_or(behind, |(_, behind)| behind);
    match behind {
        [open, close, behind @ ..] if open.is_symbol("[") && close.is_symbol("]") => behind,
        behind => behind,
    }
}
