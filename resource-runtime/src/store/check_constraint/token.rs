//! A tokenizer for the SQL of declarations and checks.

use std::borrow::Cow;

use resource_sql::Dialect;

/// A token of SQL; comments are skipped.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum Token<'sql> {
    /// A keyword, or a name without quotes.
    Word(&'sql str),
    /// A name in `"`, on SQLite also in `` ` `` or brackets.
    Quoted(String),
    /// A string literal without its quotes.
    Text(String),
    Number(Cow<'sql, str>),
    Symbol(&'sql str),
}

/// Operators of two characters.
const LONG_SYMBOLS: [&str; 9] = ["<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "::"];

impl Token<'_> {
    pub(in crate::store) fn is_word(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    pub(in crate::store) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self, Self::Symbol(own) if *own == symbol)
    }

    /// The name, which may have had quotes; none for other tokens.
    pub(in crate::store) fn name(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Quoted(name) => Some(name),
            Self::Text(_) | Self::Number(_) | Self::Symbol(_) => None,
        }
    }
}

/// Splits SQL into tokens. No text is an error: a quote without an end extends to the end of the text.
pub(in crate::store) fn tokens(dialect: Dialect, sql: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = without_space(sql);
    while let Some(first) = rest.chars().next() {
        let (token, after) = token(dialect, first, rest);
        tokens.push(token);
        rest = without_space(after);
    }
    tokens
}

/// The text after white space and comments.
fn without_space(sql: &str) -> &str {
    let mut rest = sql.trim_ascii_start();
    loop {
        let after = if let Some(line) = rest.strip_prefix("--") {
            line.split_once('\n').map(|(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map(|(_, after)| after)
        } else {
            return rest;
        };
        // A comment may extend to the end of the text.
        rest = after.unwrap_or_default().trim_ascii_start();
    }
}

/// The token that starts with `first`, and the text after it.
fn token(dialect: Dialect, first: char, rest: &str) -> (Token<'_>, &str) {
    // Digits may be in words, too, so a number is looked for first.
    match first {
        '"' => quoted(rest, first, Token::Quoted),
        '`' if dialect.has_foreign_quotes() => quoted(rest, first, Token::Quoted),
        // On PostgreSQL, a bracket begins the list of an array.
        '[' if dialect.has_foreign_quotes() => quoted(rest, ']', Token::Quoted),
        '\'' => quoted(rest, first, Token::Text),
        first if first.is_ascii_digit() || is_fraction(rest) => {
            let (number, after) = split(rest, number_length(rest));
            (Token::Number(Cow::Borrowed(number)), after)
        }
        first if is_part_of_word(first) => {
            let length = rest.find(|it| !is_part_of_word(it)).unwrap_or(rest.len());
            let (word, after) = split(rest, length);
            (Token::Word(word), after)
        }
        first => {
            // The longer operator comes first, as `<` is the beginning of `<=`.
            let mut long = LONG_SYMBOLS.iter();
            let long = long.find(|symbol| rest.starts_with(*symbol));
            let (symbol, after) = split(rest, long.map_or(first.len_utf8(), |it| it.len()));
            (Token::Symbol(symbol), after)
        }
    }
}

/// The token in quotes at the start of `rest`, and the text after it.
fn quoted<'sql>(
    rest: &'sql str,
    closing: char,
    token: fn(String) -> Token<'sql>,
) -> (Token<'sql>, &'sql str) {
    let mut characters = rest.chars();
    // This is the opening quote.
    characters.next();
    let mut text = String::new();
    let mut rest = characters.as_str();
    while let Some((inside, after)) = rest.split_once(closing) {
        text.push_str(inside);
        // A doubled quote is one character of the text; a doubled bracket is not.
        match after.strip_prefix(closing) {
            Some(further) if closing != ']' => {
                text.push(closing);
                rest = further;
            }
            _ => return (token(text), after),
        }
    }
    text.push_str(rest);
    (token(text), "")
}

fn is_fraction(rest: &str) -> bool {
    rest.strip_prefix('.')
        .is_some_and(|digits| digits.starts_with(|it: char| it.is_ascii_digit()))
}

fn number_length(rest: &str) -> usize {
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    // A sign belongs to a number only directly after its exponent; in a hexadecimal number, `e` is a digit.
    let mut is_behind_exponent = false;
    let end = rest.find(|character: char| {
        let is_sign = is_behind_exponent && matches!(character, '+' | '-');
        is_behind_exponent = !is_hexadecimal && matches!(character, 'e' | 'E');
        !(is_sign || character.is_ascii_alphanumeric() || matches!(character, '.' | '_'))
    });
    end.unwrap_or(rest.len())
}

/// Tests for a character of a keyword or a name, which may have any letters beyond ASCII.
fn is_part_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$') || !character.is_ascii()
}

fn split(text: &str, length: usize) -> (&str, &str) {
    text.split_at_checked(length).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::Token::{self, Quoted, Symbol, Text, Word};
    use super::{Dialect, tokens as tokens_of};

    fn tokens(sql: &str) -> Vec<Token<'_>> {
        tokens_of(Dialect::Sqlite, sql)
    }

    fn number(text: &str) -> Token<'_> {
        Token::Number(text.into())
    }

    fn name(text: &str) -> Token<'static> {
        Quoted(text.to_owned())
    }

    #[test]
    fn names_have_four_spellings() {
        assert_eq!(
            tokens(r#"naïve$_1 "a ""b""" [c ] `d``` [[e]"#),
            [
                Word("naïve$_1"),
                name("a \"b\""),
                name("c "),
                name("d`"),
                name("[e")
            ]
        );
    }

    #[test]
    fn doubled_quotes_in_texts_become_one() {
        assert_eq!(
            tokens("'it''s -- no /* comment' '' ''''"),
            ["it's -- no /* comment", "", "'"].map(|text| Text(text.to_owned()))
        );
    }

    #[test]
    fn numbers_end_before_the_next_token() {
        assert_eq!(
            tokens("1 0x7F 1_000 .5 1.5e-3 2E+4-5"),
            [
                number("1"),
                number("0x7F"),
                number("1_000"),
                number(".5"),
                number("1.5e-3"),
                number("2E+4"),
                Symbol("-"),
                number("5")
            ]
        );
        assert_eq!(
            tokens("0xE-1"),
            [number("0xE"), Symbol("-"), number("1")],
            "no exponent"
        );
    }

    #[test]
    fn longest_symbol_wins() {
        assert_eq!(
            tokens("a<=.5,b<>c.d"),
            [
                Word("a"),
                Symbol("<="),
                number(".5"),
                Symbol(","),
                Word("b"),
                Symbol("<>"),
                Word("c"),
                Symbol("."),
                Word("d")
            ]
        );
    }

    #[test]
    fn comments_are_no_tokens() {
        assert_eq!(
            tokens("-- first\n a /* - */ - /**/ b -- last"),
            [Word("a"), Symbol("-"), Word("b")]
        );
        assert_eq!(tokens("a /* never ends"), [Word("a")]);
    }

    #[test]
    fn unterminated_quotes_extend_to_the_end() {
        assert_eq!(tokens("'abc"), [Text(String::from("abc"))]);
        assert_eq!(tokens("[a"), [name("a")]);
        assert_eq!(tokens("\""), [name("")]);
        assert_eq!(tokens(""), []);
    }

    #[test]
    fn postgres_has_lists_in_brackets_and_casts() {
        assert_eq!(
            tokens_of(Dialect::Postgres, r"ARRAY['a'::text, '\''b'] `"),
            [
                Word("ARRAY"),
                Symbol("["),
                Text(String::from("a")),
                Symbol("::"),
                Word("text"),
                Symbol(","),
                Text(String::from("\\'b")),
                Symbol("]"),
                Symbol("`")
            ]
        );
    }
}
