//! The error of the public API: its kind, its problems, and whether a retry may succeed.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use axum_core::response::{IntoResponse, Response};
use http::StatusCode;

use super::{ApiError, DatabaseFailure, ErrorCode, FieldError, Violation};

/// An error of the public API; validators and hooks have `HookError`.
///
/// ```
/// use resource_runtime::{Database, ErrorKind};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let error = Database::connect("mysql://localhost").await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Configuration);
/// assert!(error.to_string().contains("sqlite://"));
/// # }
/// ```
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    problems: Vec<Problem>,
    attributes: Vec<String>,
    rows_stored: u64,
    failed_row: Option<usize>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
    /// The refusal as its client gets it.
    refusal: Option<Arc<ApiError>>,
    /// True where the refusal names an attribute that clients may not know.
    is_private: bool,
}

/// A problem of an [`Error`], with its remedy. Its text has both parts: `what is wrong; what to do`.
///
/// ```
/// use resource_runtime::Database;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let error = Database::connect("mysql://localhost").await.unwrap_err();
/// let [problem] = error.problems() else { unreachable!() };
/// assert_eq!(problem.message(), "no database answers to `mysql:`");
/// assert!(problem.remedy().unwrap().starts_with("write `sqlite://"));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    text: String,
    /// The offset in the text at which the remedy begins.
    remedy: Option<usize>,
}

impl Problem {
    /// A problem in free text, whose semicolons do not separate a remedy.
    fn free_text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            remedy: None,
        }
    }

    /// The problem without its remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        // The separator belongs to neither part.
        let end = self.remedy.map(|remedy| remedy - SEPARATOR.len());
        self.text
            .get(..end.unwrap_or(self.text.len()))
            .unwrap_or_default()
    }

    /// The remedy, where one is known.
    #[must_use]
    pub fn remedy(&self) -> Option<&str> {
        self.text.get(self.remedy?..)
    }

    /// The problem and its remedy in one sentence.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// A sentence whose remedy, if any, follows the first semicolon.
impl From<String> for Problem {
    fn from(text: String) -> Self {
        // The first semicolon counts, so that a remedy may have several parts itself.
        let remedy = text.find(SEPARATOR).map(|end| end + SEPARATOR.len());
        Self { text, remedy }
    }
}

impl PartialEq<&str> for Problem {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl PartialEq<String> for Problem {
    fn eq(&self, text: &String) -> bool {
        self.text == *text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// The separator between a message and its remedy.
const SEPARATOR: &str = "; ";

/// The kinds of [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The service is set up wrongly: its resources, settings, tables, or the URL of its database.
    /// [`Error::problems`] has all mistakes that were found.
    Configuration,
    /// There is no such item.
    NotFound,
    /// A value, or several together, that must be unique are those of another item already.
    NotUnique,
    /// A referenced item is missing; of a transaction's own statement, or an item is still referred to.
    MissingReference,
    /// Other items still refer to the item.
    StillInUse,
    /// The item was changed since it was read, as `Update::if_match` found.
    Changed,
    /// The model, a validator, a hook, the table or a trigger refuses the values.
    Refused,
    /// The caller has no valid credentials.
    Unauthenticated,
    /// The caller lacks the scopes for an operation or an attribute.
    Forbidden,
    /// A [`CustomError`](super::CustomError) of the service, which [`Error::code`] tells.
    Custom,
    /// A conflict, for instance with another write. Nothing was done; a retry may succeed at once.
    Conflict,
    /// The database was not reachable or not free in time, or takes no writes. Nothing was done; a retry may
    /// succeed later.
    Unavailable,
    /// The connection or the disk failed during a commit: the write may or may not be done.
    OutcomeUnknown,
    /// A defect, or a broken database.
    Internal,
}

impl Error {
    /// An error in the set-up of a service.
    #[must_use]
    pub fn configuration(problem: impl Into<String>) -> Self {
        Self::of_problems(vec![problem.into()])
    }

    /// An error with all mistakes in the set-up of a service.
    #[must_use]
    pub fn of_problems(problems: Vec<String>) -> Self {
        // Problems of the set-up are in the words of this service, with the remedy behind a semicolon.
        let problems = problems.into_iter().map(Problem::from);
        Self::new(ErrorKind::Configuration, problems.collect())
    }

    const fn new(kind: ErrorKind, problems: Vec<Problem>) -> Self {
        Self {
            kind,
            problems,
            attributes: Vec::new(),
            rows_stored: 0,
            failed_row: None,
            source: None,
            refusal: None,
            is_private: false,
        }
    }

    /// A defect, with its cause.
    #[must_use]
    pub fn internal(cause: impl Into<String>) -> Self {
        Self::in_words(ErrorKind::Internal, cause)
    }

    /// An error of this kind, with one problem.
    #[doc(hidden)]
    pub fn of_kind(kind: ErrorKind, problem: impl Into<String>) -> Self {
        Self::new(kind, vec![Problem::from(problem.into())])
    }

    /// An error of this kind in words of another author, which have no remedy.
    #[doc(hidden)]
    pub fn in_words(kind: ErrorKind, words: impl Into<String>) -> Self {
        Self::new(kind, vec![Problem::free_text(words)])
    }

    /// The error of a request that is refused with a message for its client.
    #[doc(hidden)]
    pub fn of_refusal(refused: ApiError) -> Self {
        // Rust code matches on kinds; codes without a kind of their own are refusals of the values.
        let kind = match refused.code() {
            ErrorCode::NoSuchItem => ErrorKind::NotFound,
            ErrorCode::NotUnique => ErrorKind::NotUnique,
            ErrorCode::MissingReference => ErrorKind::MissingReference,
            ErrorCode::StillInUse => ErrorKind::StillInUse,
            ErrorCode::PreconditionFailed => ErrorKind::Changed,
            ErrorCode::Unavailable => ErrorKind::Unavailable,
            ErrorCode::NoValidToken | ErrorCode::MalformedAuthorization => {
                ErrorKind::Unauthenticated
            }
            ErrorCode::InsufficientScope => ErrorKind::Forbidden,
            ErrorCode::Custom(_) => ErrorKind::Custom,
            _ => ErrorKind::Refused,
        };
        let problems = refused.problems().iter();
        // A problem of the item as a whole names no attribute.
        let named = problems.clone().map(FieldError::attribute);
        let named = named.filter(|name| !name.is_empty());
        // The description may be the words of a hook, in which a semicolon separates no remedy.
        let mut error = Self::in_words(kind, refused.description());
        error.attributes = named.map(str::to_owned).collect();
        // A refusal of attributes has a problem for each; any other has nothing but its description.
        if !refused.problems().is_empty() {
            error.problems = problems
                .map(|it| Problem::free_text(it.message()))
                .collect();
        }
        error.refusal = Some(Arc::new(refused));
        error
    }

    /// The refusal as a client gets it; none of an error that is no refusal of a request, or that names an attribute
    /// which clients may not know.
    #[must_use]
    #[doc(hidden)]
    pub fn refusal(&self) -> Option<&ApiError> {
        self.refusal.as_deref().filter(|_| !self.is_private)
    }

    /// The error, whose words are kept from clients unless they may know what it names. A custom error is written for
    /// them.
    #[must_use]
    #[doc(hidden)]
    pub fn for_clients_who_know(mut self, all: bool) -> Self {
        self.is_private |= !all && self.kind != ErrorKind::Custom;
        self
    }

    /// The error with the failure that it explains, whose source it takes over.
    #[must_use]
    #[doc(hidden)]
    pub fn explaining(mut self, failure: &DatabaseFailure) -> Self {
        self.source = failure.cause().source();
        self
    }

    /// The `error_code` that a client gets of a refusal: from 20000 on that of a
    /// [`CustomError`](super::CustomError).
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        Some(self.refusal.as_ref()?.code().number())
    }

    /// The error with the one that caused it, which [`source`](StdError::source) returns.
    #[must_use]
    #[doc(hidden)]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// The error of a write of many rows, of which those before stay.
    #[must_use]
    #[doc(hidden)]
    pub const fn with_rows(mut self, stored: u64, failed: Option<usize>) -> Self {
        self.rows_stored = stored;
        self.failed_row = failed;
        self
    }

    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Tests whether nothing was done and a retry may succeed: [`ErrorKind::Conflict`] and
    /// [`ErrorKind::Unavailable`]. False for an unknown outcome, where a retry might do the write twice.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        matches!(self.kind, ErrorKind::Conflict | ErrorKind::Unavailable)
    }

    /// The names of the attributes that a hook refused, or whose values together are those of another item.
    #[must_use]
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// The number of rows that a bulk write outside of a transaction stored, or deleted, before the error; they stay.
    #[must_use]
    pub const fn rows_stored(&self) -> u64 {
        self.rows_stored
    }

    /// The item that a bulk write failed at, where one is known: its position among all items of that one call, from 0,
    /// whatever the chunk.
    #[must_use]
    pub const fn failed_row(&self) -> Option<usize> {
        self.failed_row
    }

    /// The error of one of several calls, with the `rows` that the calls before have stored counted in
    /// [`rows_stored`](Self::rows_stored) and [`failed_row`](Self::failed_row).
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, name: String }
    /// async fn import(api: &Api, parts: Vec<Vec<Track>>) -> Result<(), Error> {
    ///     let mut stored = 0;
    ///     for part in parts {
    ///         let inserted = api.items().without_hooks().insert_all(part).await;
    ///         stored += inserted.map_err(|error| error.after_rows(stored))?.len() as u64;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn after_rows(mut self, rows: u64) -> Self {
        self.rows_stored = self.rows_stored.saturating_add(rows);
        let before = usize::try_from(rows).unwrap_or(usize::MAX);
        self.failed_row = self.failed_row.map(|row| row.saturating_add(before));
        self
    }

    /// The problems: all mistakes in the set-up of a service, or all values that a hook refused.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each problem has a line of its own, without an empty line at the end.
        let mut problems = self.problems.iter();
        if let Some(first) = problems.next() {
            write!(formatter, "{first}")?;
        }
        problems.try_for_each(|problem| write!(formatter, "\n{problem}"))?;
        if let Some(row) = self.failed_row {
            write!(formatter, "\nthe row at position {row} (from 0) failed")?;
        }
        match self.rows_stored {
            0 => Ok(()),
            rows => write!(formatter, "\n{rows} rows were done before, and stay so"),
        }
    }
}

/// The same text as [`Display`](fmt::Display), because a `main` that returns this error prints `Debug`.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Carries the error in an empty response to the middleware of an API, which writes the response that suits the
/// request.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = self.refusal.as_ref().map(|it| it.code().status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Compares kind, problems, attributes and rows; the sources are not compared.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        // Errors of drivers have no equality, so that sources cannot take part.
        let rows = |it: &Self| (it.kind, it.rows_stored, it.failed_row);
        rows(self) == rows(other)
            && self.problems == other.problems
            && self.attributes == other.attributes
    }
}

impl Eq for Error {}

impl From<DatabaseFailure> for Error {
    fn from(failure: DatabaseFailure) -> Self {
        // The text says where the failure is from, because it is shown without its source.
        let problem = format!("the database failed: {failure}");
        // The cause is taken before the match below consumes the failure.
        let source = failure.cause().source();
        // A driver names columns; typed access has put their attributes in place of these before.
        let attributes = match &failure {
            DatabaseFailure::ConstraintViolation(Violation::Unique(names), _) => names.clone(),
            _ => Vec::new(),
        };
        // Every class has a kind, and the match names all, so that a new class must choose one.
        let kind = match failure {
            DatabaseFailure::ConstraintViolation(Violation::Unique(_), _) => ErrorKind::NotUnique,
            DatabaseFailure::ConstraintViolation(Violation::ForeignKey, _) => {
                ErrorKind::MissingReference
            }
            DatabaseFailure::ConstraintViolation(
                Violation::Check(..) | Violation::Trigger(_),
                _,
            ) => ErrorKind::Refused,
            // Nothing was done, and whoever wrote the transaction may run it again at once.
            DatabaseFailure::Retryable(_) => ErrorKind::Conflict,
            // Either way nothing was done, and a later retry may succeed.
            DatabaseFailure::Unavailable(_) | DatabaseFailure::Overloaded(_) => {
                ErrorKind::Unavailable
            }
            // A kind of its own, since a retry might do the write twice.
            DatabaseFailure::OutcomeUnknown(_) => ErrorKind::OutcomeUnknown,
            DatabaseFailure::Internal(_) => ErrorKind::Internal,
        };
        Self {
            attributes,
            source,
            ..Self::of_kind(kind, problem)
        }
    }
}
