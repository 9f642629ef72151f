use std::borrow::Cow;

use resource_sql::Dialect;

/// A word of SQL as far as a table's declaration has to be understood. Comments are none.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum Token<'sql> {
    /// A keyword, or a name without quotes.
    Word(&'sql str),
    /// A name in `"`, on SQLite also in `` ` `` or brackets.
    Quoted(String),
    Text(String),
    Number(Cow<'sql, str>),
    Symbol(&'sql str),
}

/// The comparisons and operators of more than one character that a check may hold.
const LONG_SYMBOLS: [&str; 9] = ["<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "::"];

impl Token<'_> {
    pub(in crate::store) fn is_word(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    pub(in crate::store) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self, Self::Symbol(own) if *own == symbol)
    }

    /// What a name says, with or without quotes.
    pub(in crate::store) fn name(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Quoted(name) => Some(name),
            Self::Text(_) | Self::Number(_) | Self::Symbol(_) => None,
        }
    }
}

pub(in crate::store) fn tokens(dialect: Dialect, sql: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = without_space(sql);
    while let Some(first) = rest.chars().next() {
        let (token, behind) = token(dialect, first, rest);
        tokens.push(token);
        rest = without_space(behind);
    }
    tokens
}

/// The text behind white space and comments.
fn without_space(sql: &str) -> &str {
    let mut rest = sql.trim_ascii_start();
    loop {
        let behind = if let Some(line) = rest.strip_prefix("--") {
            line.split_once('\n').map(|(_, behind)| behind)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map(|(_, behind)| behind)
        } else {
            return rest;
        };
        // A comment may be the last that there is.
        rest = behind.unwrap_or_default().trim_ascii_start();
    }
}

/// The token that starts with `first`, and the text behind it.
fn token(dialect: Dialect, first: char, rest: &str) -> (Token<'_>, &str) {
    match first {
        '"' => quoted(rest, first, Token::Quoted),
        '`' if dialect.has_foreign_quotes() => quoted(rest, first, Token::Quoted),
        '[' if dialect.has_foreign_quotes() => quoted(rest, ']', Token::Quoted),
        '\'' => quoted(rest, first, Token::Text),
        first if first.is_ascii_digit() || is_fraction(rest) => {
            let (number, behind) = split(rest, number_length(rest));
            (Token::Number(Cow::Borrowed(number)), behind)
        }
        first if is_part_of_word(first) => {
            let length = rest.find(|it| !is_part_of_word(it)).unwrap_or(rest.len());
            let (word, behind) = split(rest, length);
            (Token::Word(word), behind)
        }
        first => {
            let mut long = LONG_SYMBOLS.iter();
            let long = long.find(|symbol| rest.starts_with(*symbol));
            let (symbol, behind) = split(rest, long.map_or(first.len_utf8(), |it| it.len()));
            (Token::Symbol(symbol), behind)
        }
    }
}

fn quoted<'sql>(
    rest: &'sql str,
    closing: char,
    token: fn(String) -> Token<'sql>,
) -> (Token<'sql>, &'sql str) {
    let mut characters = rest.chars();
    characters.next();
    let mut text = String::new();
    let mut rest = characters.as_str();
    while let Some((inside, behind)) = rest.split_once(closing) {
        text.push_str(inside);
        // Twice, a quote stands for itself; a bracket does not.
        match behind.strip_prefix(closing) {
            Some(further) if closing != ']' => {
                text.push(closing);
                rest = further;
            }
            _ => return (token(text), behind),
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
    let mut is_behind_exponent = false;
    let end = rest.find(|character: char| {
        let is_sign = is_behind_exponent && matches!(character, '+' | '-');
        is_behind_exponent = !is_hexadecimal && matches!(character, 'e' | 'E');
        !(is_sign || character.is_ascii_alphanumeric() || matches!(character, '.' | '_'))
    });
    end.unwrap_or(rest.len())
}

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
    fn texts_keep_everything_but_the_second_of_two_quotes() {
        assert_eq!(
            tokens("'it''s -- no /* comment' '' ''''"),
            ["it's -- no /* comment", "", "'"].map(|text| Text(text.to_owned()))
        );
    }

    #[test]
    fn numbers_end_where_they_end() {
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
    fn symbols_are_as_long_as_they_can_be() {
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
    fn what_never_ends_is_taken_to_the_end() {
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
