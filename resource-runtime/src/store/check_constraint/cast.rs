//! Removal of the casts that PostgreSQL prints at every value of a check: `length((name)::text) <= 50`.

use std::borrow::Cow;

use super::{Token, group};

/// Types whose casts are ignored, since PostgreSQL prints them at values that they do not change. A cast that rounds,
/// of a decimal to `bigint`, is not told apart.
const LOSSLESS: [&str; 6] = [
    "text",
    "character",
    "bigint",
    "numeric",
    "double",
    "varchar",
];

const NUMBERS: [&str; 6] = ["smallint", "integer", "bigint", "numeric", "real", "double"];

/// Further words in the names of types.
const FURTHER_WORDS: [&str; 6] = ["varying", "precision", "with", "without", "time", "zone"];

/// The check without casts that change no value. A cast that does remains, so that its condition is ignored.
pub(super) fn without_casts<'sql>(tokens: &[Token<'sql>]) -> Vec<Token<'sql>> {
    let mut bare: Vec<Token<'sql>> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let Some((token, after)) = rest.split_first() {
        let cast = after.first().filter(|_| token.is_symbol("::"));
        match (cast.and_then(Token::name), bare.last_mut()) {
            // The value before a cast may be a closing parenthesis; it stays, and only the cast is skipped.
            (Some(name), Some(value)) if is_lossless(value, name, after) => {
                as_number(value, name);
                rest = after_type(after);
            }
            _ => {
                bare.push(token.clone());
                rest = after;
            }
        }
    }
    bare
}

/// Tests for a cast of a literal, or to a lossless type without a limit.
fn is_lossless(value: &Token<'_>, name: &str, declared_type: &[Token<'_>]) -> bool {
    let is_literal = matches!(value, Token::Text(_) | Token::Number(_));
    // A cast to `varchar(5)` cuts the text, so a condition on its result says nothing of the column.
    let is_limited = after_words(declared_type)
        .first()
        .is_some_and(|token| token.is_symbol("("));
    // PostgreSQL has checked the literal against its type, so its text can be taken as it is.
    is_literal || (LOSSLESS.contains(&name) && !is_limited)
}

/// Makes a number of a text: PostgreSQL prints a number with a sign as `'-5'::integer`.
fn as_number(value: &mut Token<'_>, declared_type: &str) {
    if let Token::Text(text) = value {
        // Only text that begins like a number becomes one: `'NaN'::numeric` stays a text.
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
        if is_number && NUMBERS.contains(&declared_type) {
            *value = Token::Number(Cow::Owned(std::mem::take(text)));
        }
    }
}

/// The tokens after the words of a type, which may begin with its limit or the brackets of an array.
fn after_words<'tokens, 'sql>(declared_type: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let words = declared_type.iter().enumerate();
    // The first word is the type itself; `timestamp without time zone` has three more.
    let mut words = words.skip_while(|(index, token)| {
        *index == 0 || FURTHER_WORDS.iter().any(|word| token.is_word(word))
    });
    let end = words.next().map_or(declared_type.len(), |(index, _)| index);
    declared_type.get(end..).unwrap_or_default()
}

/// The tokens after a type, its limit and its brackets.
fn after_type<'tokens, 'sql>(declared_type: &'tokens [Token<'sql>]) -> &'tokens [Token<'sql>] {
    let after = after_words(declared_type);
    match group(after).map_or(after, |(_, after)| after) {
        [open, close, after @ ..] if open.is_symbol("[") && close.is_symbol("]") => after,
        after => after,
    }
}
