//! A tokenizer for the SQL of declarations and checks.

use std::borrow::Cow;

use logos::{Lexer, Logos};
use resource_sql::Dialect;

/// A token of SQL; comments are skipped.
#[derive(Debug, Clone, PartialEq, Logos)]
#[logos(extras = Dialect)]
#[logos(skip r"[ \t\r\n\x0C]+")]
#[logos(skip("--", |lexer| behind(lexer, "\n")))]
#[logos(skip(r"/\*", |lexer| behind(lexer, "*/")))]
pub(in crate::store) enum Token<'sql> {
    /// A keyword, or a name without quotes, which may have any letters beyond ASCII.
    #[regex(r"[A-Za-z_$\u{80}-\u{10FFFF}][A-Za-z0-9_$\u{80}-\u{10FFFF}]*")]
    Word(&'sql str),
    /// A name in `"`, on SQLite also in `` ` `` or brackets.
    #[token("\"", |lexer| quoted(lexer, '"'))]
    #[token("`", |lexer| foreign(lexer, '`'))]
    // On PostgreSQL, a bracket begins the list of an array.
    #[token("[", |lexer| foreign(lexer, ']'))]
    Quoted(String),
    /// A string literal without its quotes.
    #[token("'", |lexer| quoted(lexer, '\''))]
    Text(String),
    // A sign belongs to a number only directly after its exponent; in a hexadecimal number, `e` is a digit.
    #[regex(r"0[xX][0-9A-Za-z._]*", |lexer| Cow::Borrowed(lexer.slice()))]
    #[regex(
        r"(\.?[1-9]|\.0|0([eE][+-]|[0-9A-WYZa-wyz._]))([eE][+-]|[0-9A-Za-z._])*|0",
        |lexer| Cow::Borrowed(lexer.slice())
    )]
    Number(Cow<'sql, str>),
    #[regex(r"<=|>=|<>|!=|==|\|\||<<|>>|::", |lexer| lexer.slice())]
    Symbol(&'sql str),
}

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
    let mut lexer = Token::lexer_with_extras(sql, dialect);
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        // All other characters are symbols of their own.
        tokens.push(token.unwrap_or_else(|()| Token::Symbol(lexer.slice())));
    }
    tokens
}

/// Moves behind the end of a comment, which may extend to the end of the text.
fn behind<'sql>(lexer: &mut Lexer<'sql, Token<'sql>>, end: &str) {
    let rest = lexer.remainder();
    lexer.bump(rest.find(end).map_or(rest.len(), |start| start + end.len()));
}

/// A name in the quotes of other databases, which only SQLite accepts.
fn foreign<'sql>(lexer: &mut Lexer<'sql, Token<'sql>>, closing: char) -> Option<String> {
    let is_quote = lexer.extras.has_foreign_quotes();
    is_quote.then(|| quoted(lexer, closing))
}

/// The text up to the closing quote, and moves behind it.
fn quoted<'sql>(lexer: &mut Lexer<'sql, Token<'sql>>, closing: char) -> String {
    let mut text = String::new();
    loop {
        let rest = lexer.remainder();
        let Some((inside, after)) = rest.split_once(closing) else {
            lexer.bump(rest.len());
            return text + rest;
        };
        text.push_str(inside);
        lexer.bump(inside.len() + closing.len_utf8());
        // A doubled quote is one character of the text; a doubled bracket is not.
        if closing == ']' || !after.starts_with(closing) {
            return text;
        }
        text.push(closing);
        lexer.bump(closing.len_utf8());
    }
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
