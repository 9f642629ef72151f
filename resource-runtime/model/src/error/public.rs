//! The error of the public API: its kind, its problems, and whether the same may succeed later.

use std::fmt;

use super::{ApiError, DatabaseFailure, ErrorCode, FieldError, Violation};

/// An error of the public API; `HookError` is that of validators and hooks.
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
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    problems: Vec<Problem>,
    attributes: Vec<String>,
}

/// A problem of an [`Error`], with its remedy. As text it is both: `what is wrong; what to do`.
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
    /// Where the remedy begins in the text.
    remedy: Option<usize>,
}

impl Problem {
    /// The problem without its remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        let end = self.remedy.map(|remedy| remedy - BETWEEN.len());
        self.text
            .get(..end.unwrap_or(self.text.len()))
            .unwrap_or_default()
    }

    /// What to do about it, where that is known.
    #[must_use]
    pub fn remedy(&self) -> Option<&str> {
        self.text.get(self.remedy?..)
    }

    /// Both in one sentence.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// A sentence whose remedy, if any, follows the first semicolon.
impl From<String> for Problem {
    fn from(text: String) -> Self {
        let remedy = text.find(BETWEEN).map(|end| end + BETWEEN.len());
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

/// The end of a message before its remedy.
const BETWEEN: &str = "; ";

/// The kinds of [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The service is set up wrongly: its resources, settings, tables, or the URL of its database.
    /// [`Error::problems`] has all mistakes that were found.
    Configuration,
    /// A value or several together are taken, where they have to be unique.
    NotUnique,
    /// A referenced item is missing, or an item is still referred to.
    MissingReference,
    /// The table or a trigger of the developer's refuses the values.
    Refused,
    /// Something came between, for instance another write. Nothing was done; the same may succeed at once.
    Conflict,
    /// The database was not reachable or not free in time, or takes no writes. Nothing was done; the same may
    /// succeed later.
    Unavailable,
    /// The database was lost in the midst of a commit: the write may be done, and may be not.
    OutcomeUnknown,
    /// A defect, or a broken database.
    Internal,
}

impl Error {
    /// A mistake in how a service is set up.
    #[must_use]
    pub fn configuration(problem: impl Into<String>) -> Self {
        Self::of_problems(vec![problem.into()])
    }

    /// All mistakes in how a service is set up.
    #[must_use]
    pub fn of_problems(problems: Vec<String>) -> Self {
        Self {
            kind: ErrorKind::Configuration,
            problems: problems.into_iter().map(Problem::from).collect(),
            attributes: Vec::new(),
        }
    }

    /// A defect, told by its cause.
    #[must_use]
    pub fn internal(cause: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Internal, cause)
    }

    /// An error of this kind, with one problem.
    pub fn of_kind(kind: ErrorKind, problem: impl Into<String>) -> Self {
        Self {
            kind,
            problems: vec![Problem::from(problem.into())],
            attributes: Vec::new(),
        }
    }

    /// The error of a request that is refused with words for its client.
    pub fn of_refusal(refused: &ApiError) -> Self {
        let kind = match refused.code() {
            ErrorCode::NotUnique => ErrorKind::NotUnique,
            ErrorCode::MissingReference | ErrorCode::StillInUse => ErrorKind::MissingReference,
            ErrorCode::Unavailable => ErrorKind::Unavailable,
            _ => ErrorKind::Refused,
        };
        let named = refused.problems().iter().map(FieldError::attribute);
        Self {
            attributes: named
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            ..Self::of_kind(kind, refused.description())
        }
    }

    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Tells that nothing was done and the same may succeed later: [`ErrorKind::Conflict`] and
    /// [`ErrorKind::Unavailable`]. Never of an unknown outcome: it might be done twice.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        matches!(self.kind, ErrorKind::Conflict | ErrorKind::Unavailable)
    }

    /// The names of the attributes that a hook refused.
    #[must_use]
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// The problems; several only of [`ErrorKind::Configuration`].
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut problems = self.problems.iter();
        if let Some(first) = problems.next() {
            write!(formatter, "{first}")?;
        }
        problems.try_for_each(|problem| write!(formatter, "\n{problem}"))
    }
}

/// As [`Display`](fmt::Display): a `main` that answers with this error prints it so.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl std::error::Error for Error {}

impl From<DatabaseFailure> for Error {
    fn from(failure: DatabaseFailure) -> Self {
        let problem = format!("the database failed: {failure}");
        let kind = match failure {
            DatabaseFailure::Refused(Violation::Unique(_)) => ErrorKind::NotUnique,
            DatabaseFailure::Refused(Violation::ForeignKey) => ErrorKind::MissingReference,
            DatabaseFailure::Refused(Violation::Check(_) | Violation::Trigger(_)) => {
                ErrorKind::Refused
            }
            DatabaseFailure::Again(_) => ErrorKind::Conflict,
            DatabaseFailure::Unavailable(_) | DatabaseFailure::Overloaded(_) => {
                ErrorKind::Unavailable
            }
            DatabaseFailure::Unknown(_) => ErrorKind::OutcomeUnknown,
            DatabaseFailure::Unexpected(_) => ErrorKind::Internal,
        };
        Self::of_kind(kind, problem)
    }
}
