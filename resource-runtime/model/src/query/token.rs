//! The tokens of the query language, and the lexer that finds them.

use std::fmt;
use std::ops::Range;

use logos::{Lexer, Logos};

/// The tokens of the query language, shared by `filter`, `order` and `fields`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Logos)]
// White space is that of JSON (RFC 8259, section 2).
#[logos(skip r"[ \t\r\n]+")]
pub(super) enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenList,
    #[token("]")]
    CloseList,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(";")]
    Semicolon,
    #[token("=")]
    Equals,
    // The longest match wins, so that `nullable` is a name although it begins with `null`.
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("null")]
    Null,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    // Numbers are those of JSON (RFC 8259, section 6).
    #[regex(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    /// A string, scanned by hand, because a generated pattern would use stack for each escape.
    #[token("\"", string)]
    String,
    /// A string without its closing quote.
    OpenString,
    /// A character that starts no token.
    Unknown,
    /// The end of the text.
    End,
}

/// A token and its range of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spanned {
    pub(super) token: Token,
    pub(super) span: Range<usize>,
}

/// The next token; a text that is none becomes `Unknown`, so that lexing never fails.
pub(super) fn next(lexer: &mut Lexer<'_, Token>) -> Spanned {
    // Errors of the lexer become tokens, so that the parser reports them with what it expected there.
    let token = match lexer.next() {
        Some(Ok(token)) => token,
        // `string` has refused a string that does not end.
        Some(Err(())) if lexer.slice().starts_with('"') => Token::OpenString,
        Some(Err(())) => Token::Unknown,
        None => Token::End,
    };
    // An error at the end names the column behind the last character.
    let span = match token {
        Token::End => lexer.source().len()..lexer.source().len(),
        _ => lexer.span(),
    };
    Spanned { token, span }
}

/// Moves behind the closing quote; a backslash and the character after it are an escape, valid or not.
fn string(lexer: &mut Lexer<'_, Token>) -> bool {
    // The lexer stands behind the opening quote, so that the next quote without a backslash ends the string.
    let mut escaped = false;
    // Bytes will do, because in UTF-8 no part of a longer character is a quote or a backslash.
    for (position, byte) in lexer.remainder().bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                lexer.bump(position + 1);
                return true;
            }
            _ => {}
        }
    }
    // All that follows belongs to the open string, so that none of it is read as a token.
    lexer.bump(lexer.remainder().len());
    false
}

/// Shows the token as an error names it.
impl fmt::Display for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Open => "`(`",
            Self::Close => "`)`",
            Self::OpenList => "`[`",
            Self::CloseList => "`]`",
            Self::Comma => "`,`",
            Self::Dot => "`.`",
            Self::Semicolon => "`;`",
            Self::Equals => "`=`",
            Self::True => "`true`",
            Self::False => "`false`",
            Self::Null => "`null`",
            Self::Name => "a name",
            Self::Number => "a number",
            Self::String => "a string",
            Self::OpenString => "a string without a closing quote",
            Self::Unknown => "a character that means nothing here",
            Self::End => "the end",
        })
    }
}

#[cfg(test)]
mod tests {
    use logos::Logos as _;

    use super::{Token, next};

    fn tokens(text: &str) -> Vec<(Token, &str)> {
        let mut lexer = Token::lexer(text);
        let mut tokens = Vec::new();
        loop {
            let spanned = next(&mut lexer);
            if spanned.token == Token::End {
                return tokens;
            }
            tokens.push((spanned.token, &text[spanned.span]));
        }
    }

    #[test]
    fn every_token_is_found_with_its_text() {
        let text = r#"in( a.b ,[-1.5e3,"x\"[",true,nullable])"#;
        assert_eq!(
            tokens(text),
            [
                (Token::Name, "in"),
                (Token::Open, "("),
                (Token::Name, "a"),
                (Token::Dot, "."),
                (Token::Name, "b"),
                (Token::Comma, ","),
                (Token::OpenList, "["),
                (Token::Number, "-1.5e3"),
                (Token::Comma, ","),
                (Token::String, r#""x\"[""#),
                (Token::Comma, ","),
                (Token::True, "true"),
                (Token::Comma, ","),
                (Token::Name, "nullable"),
                (Token::CloseList, "]"),
                (Token::Close, ")"),
            ]
        );
    }

    #[test]
    fn text_that_is_no_token_becomes_an_unknown_token() {
        assert_eq!(tokens("ä!"), [(Token::Unknown, "ä"), (Token::Unknown, "!")]);
        assert_eq!(tokens(r#""a\""#), [(Token::OpenString, r#""a\""#)]);
    }

    #[test]
    fn a_hundred_thousand_escapes_cost_no_stack() {
        let text = format!("\"{}\"", "\\n".repeat(100_000));
        assert_eq!(tokens(&text), [(Token::String, &*text)]);
    }
}
