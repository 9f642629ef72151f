//! The cursor over the tokens of an expression, which enforces the limits, and syntax errors with their columns.

use logos::{Lexer, Logos as _};

use super::QueryLimits;
use super::ast::{Name, Path, Position};
use super::token::{Spanned, Token, next};
use crate::error::{ApiError, ErrorCode, truncate_for_display};

/// Cursor over the tokens of an expression, which counts its length, depth and terms.
#[derive(Debug)]
pub(super) struct Cursor<'text> {
    text: &'text str,
    lexer: Lexer<'text, Token>,
    current: Spanned,
    pub(super) limits: QueryLimits,
    depth: usize,
    terms: usize,
    pub(super) is_within_has: bool,
    /// The number of tests of collections so far.
    pub(super) tests: usize,
}

impl<'text> Cursor<'text> {
    // The length is checked before any token is read, so that a huge text costs nothing.
    pub(super) fn new(text: &'text str, limits: QueryLimits) -> Result<Self, QueryError> {
        if text.len() > limits.length {
            // The error is about the text as a whole, so that it stands at its beginning.
            let (length, limit) = (text.len(), limits.length);
            return Err(QueryError::new(
                0,
                format!("at most {limit} bytes are taken, these are {length}"),
            ));
        }
        // The first token is read at once, because the parser always decides by the token in hand.
        let mut lexer = Token::lexer(text);
        let current = next(&mut lexer);
        Ok(Self {
            text,
            lexer,
            current,
            limits,
            depth: 0,
            terms: 0,
            is_within_has: false,
            tests: 0,
        })
    }

    pub(super) const fn token(&self) -> Token {
        self.current.token
    }

    pub(super) const fn position(&self) -> usize {
        self.current.span.start
    }

    /// The text of the current token.
    pub(super) fn slice(&self) -> &'text str {
        // The lexer's spans are always within the text; the empty text stands in for a panic.
        self.text.get(self.current.span.clone()).unwrap_or_default()
    }

    /// The text from the current token on.
    pub(super) fn rest(&self) -> &'text str {
        self.text.get(self.position()..).unwrap_or_default()
    }

    pub(super) fn advance(&mut self) {
        self.current = next(&mut self.lexer);
    }

    /// Consumes `token` if it is the current one.
    pub(super) fn take(&mut self, token: Token) -> bool {
        // A token that is not taken stays in hand, so that the parser may try another one.
        let found = self.token() == token;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, token: Token) -> Result<(), QueryError> {
        if self.take(token) {
            return Ok(());
        }
        Err(self.unexpected(&token.to_string()))
    }

    /// Requires the end of the text; `or` names the tokens that are possible, too, for the error.
    pub(super) fn expect_end(&self, or: &str) -> Result<(), QueryError> {
        // The parsers call it last, so that trailing text is never ignored in silence.
        if self.token() == Token::End {
            return Ok(());
        }
        Err(self.unexpected(&format!("{or}the end")))
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name, QueryError> {
        // `true`, `false` and `null` are tokens of their own, and so never names.
        if self.token() != Token::Name {
            return Err(self.unexpected(what));
        }
        // The name is copied out of the text, because the tree outlives the cursor.
        let name = Name {
            text: self.slice().to_owned(),
            position: Position(self.position()),
        };
        self.advance();
        Ok(name)
    }

    /// Reads a path: `attribute`, or `subresource.attribute`.
    pub(super) fn path(&mut self) -> Result<Path, QueryError> {
        // White space around the dot is skipped by the lexer, as everywhere else.
        let first = self.name("an attribute")?;
        if !self.take(Token::Dot) {
            return Ok(Path {
                first,
                second: None,
            });
        }
        // A dot must be followed by a name; the second one is an attribute of the subresource.
        let second = Some(self.name("an attribute")?);
        // A third name would be a subresource of a subresource, which queries do not join.
        if self.token() == Token::Dot {
            return Err(self.error("paths have two names at most: `subresource.attribute`"));
        }
        Ok(Path { first, second })
    }

    /// Enters a nested call; call `leave` at its end.
    pub(super) fn enter(&mut self) -> Result<(), QueryError> {
        // The limit counts open calls, so that a long list of calls beside each other is not deep.
        self.depth += 1;
        if self.depth > self.limits.depth {
            let limit = self.limits.depth;
            return Err(self.error(format!("calls nest at most {limit} deep")));
        }
        Ok(())
    }

    pub(super) const fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts a call or a member of a list, each of which binds at most one value in SQL.
    pub(super) fn count_term(&mut self) -> Result<(), QueryError> {
        // Terms of the whole expression are counted together, since all of them end in one statement.
        self.terms += 1;
        if self.terms > self.limits.terms {
            let limit = self.limits.terms;
            return Err(self.error(format!(
                "at most {limit} calls and list members are taken together"
            )));
        }
        Ok(())
    }

    pub(super) fn unexpected(&self, expected: &str) -> QueryError {
        // Names, numbers and unknown characters are quoted, because their class alone would not show the
        // mistake.
        let found = match self.token() {
            Token::Name | Token::Number | Token::Unknown => {
                format!("`{}`", truncate_for_display(self.slice()))
            }
            token => token.to_string(),
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    fn error(&self, message: impl Into<String>) -> QueryError {
        QueryError::new(self.position(), message)
    }
}

/// An error in an expression, with the byte at which it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryError {
    position: usize,
    message: String,
    /// The text to write in place of one in another language.
    instead: Option<String>,
}

impl QueryError {
    pub(super) fn new(position: usize, message: impl Into<String>) -> Self {
        Self {
            position,
            message: message.into(),
            instead: None,
        }
    }

    /// The error with the text to write instead.
    pub(super) fn with_instead(mut self, text: String) -> Self {
        self.instead = Some(text);
        self
    }

    /// The error with the text to write instead, or where even that would have a mistake, with that mistake. Django writes
    /// `author__name` for `author.name`, but an attribute may have such a name, too.
    pub(super) fn or_instead(mut self, mistake: impl Fn(&str) -> Option<Self>) -> Self {
        let written = self.instead.clone();
        if let Some(written) = written.filter(|it| mistake(it).is_some()) {
            let path = written.replace("__", ".");
            if let Some(mistake) = mistake(&path) {
                self.instead = None;
                return self.with("; ").with(&mistake.message);
            }
            self.instead = Some(path);
        }
        self
    }

    /// The error with more text at its end.
    pub(super) fn with(mut self, text: &str) -> Self {
        self.message.push_str(text);
        self
    }

    /// The error of a query that Rust code made, which has no columns of text.
    pub(super) fn in_rust(self, code: ErrorCode) -> ApiError {
        ApiError::new(code, self.message)
    }

    /// The error for the client, with the parameter and the column, counted in characters from 1.
    pub(super) fn refuse(&self, code: ErrorCode, parameter: &str, text: &str) -> ApiError {
        // An error of a JSON string may be inside a character, where the text cannot be cut.
        let before = text.get(..self.position).unwrap_or(text);
        let column = before.chars().count() + 1;
        let message = &self.message;
        let instead = self.instead.as_ref().map(|it| format!("; write `{it}`"));
        let instead = instead.unwrap_or_default();
        ApiError::new(
            code,
            format!("`{parameter}`, column {column}: {message}{instead}"),
        )
    }
}
