//! The failure of an operation, for the client, for the log, or for the developer's own code.

use std::error::Error as StdError;
use std::{fmt, iter};

use resource_model::error::{ApiError, DatabaseFailure, Error, ErrorCode, ErrorKind};

/// The failure of an operation. The HTTP layer turns it into a response, typed access into an [`Error`].
#[derive(Debug)]
pub(crate) enum Failure {
    /// A refusal, with a text for the client, and the failure of the database that it explains.
    Refused(ApiError, Option<Box<DatabaseFailure>>),
    /// A failure of the database, whose class tells what a retry may overcome. A violation of a constraint that no
    /// operation expected is a defect: the model's checks and the diagnosis of the operation come first.
    Database(DatabaseFailure),
    /// A defect, with a text for the log alone.
    Internal(String),
}

impl Failure {
    pub(crate) fn refused(code: ErrorCode, description: impl Into<String>) -> Self {
        ApiError::new(code, description).into()
    }

    pub(crate) fn internal(cause: impl Into<String>) -> Self {
        Self::Internal(cause.into())
    }

    /// A conflict that left nothing changed, such as a serialization failure; a retry may succeed at once.
    pub(crate) fn retryable(cause: impl fmt::Display) -> Self {
        DatabaseFailure::retryable(cause).into()
    }

    /// The error code of its response; none of one whose cause the client is not told.
    pub(crate) const fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused(error, _) => Some(error.code()),
            Self::Database(DatabaseFailure::Unavailable(_) | DatabaseFailure::Overloaded(_)) => {
                Some(ErrorCode::Unavailable)
            }
            Self::Database(_) | Self::Internal(_) => None,
        }
    }

    /// Tests whether the failure is a refusal with this code.
    pub(crate) fn is_refusal(&self, code: ErrorCode) -> bool {
        matches!(self, Self::Refused(error, _) if error.code() == code)
    }

    /// Tests whether the database refused a write for none of its values, as a trigger that drops the row does.
    pub(crate) fn is_unexplained(&self) -> bool {
        matches!(self, Self::Refused(error, None) if error.problems().is_empty())
            && self.is_refusal(ErrorCode::InvalidItem)
    }

    /// Tests whether another attempt may succeed at once.
    pub(crate) const fn is_retryable(&self) -> bool {
        matches!(self, Self::Database(DatabaseFailure::Retryable(_)))
    }

    /// The failure after the last retry.
    pub(crate) fn exhausted_retries(self) -> Self {
        match self {
            Self::Database(failure) => Self::Database(failure.exhausted_retries()),
            other => other,
        }
    }
}

/// The text for the log; of a refusal, that for the client.
impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error, _) => formatter.write_str(error.description()),
            Self::Database(failure) => failure.fmt(formatter),
            Self::Internal(cause) => formatter.write_str(cause),
        }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Refused(error, None)
    }
}

/// The failure of a request whose handler returns the error.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if let Some(refused) = error.refusal() {
            return refused.clone().into();
        }
        let code = match error.kind() {
            ErrorKind::NotFound => ErrorCode::NoSuchItem,
            ErrorKind::NotUnique => ErrorCode::NotUnique,
            ErrorKind::MissingReference => ErrorCode::MissingReference,
            ErrorKind::StillInUse => ErrorCode::StillInUse,
            ErrorKind::Refused => ErrorCode::InvalidItem,
            ErrorKind::Conflict | ErrorKind::Unavailable => {
                return DatabaseFailure::unavailable(error.to_string()).into();
            }
            _ => return Self::Internal(with_sources("a handler failed", &error)),
        };
        // The text of an error of the database may tell names of tables, so it is for the log alone.
        tracing::info!(%error, code = code.number(), "a handler's error is told by its title alone");
        Self::refused(code, code.title())
    }
}

/// The text of an error with all of its sources, for the log: the outermost often says little.
pub(crate) fn with_sources(what: &str, error: &(dyn StdError + 'static)) -> String {
    let sources = iter::successors(Some(error), |&it| it.source());
    sources.fold(what.to_owned(), |text, error| format!("{text}: {error}"))
}

impl From<DatabaseFailure> for Failure {
    fn from(failure: DatabaseFailure) -> Self {
        Self::Database(failure)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(error, None) => Self::of_refusal(error),
            Failure::Refused(error, Some(failure)) => Self::of_refusal(error).explaining(&failure),
            Failure::Database(failure) => failure.into(),
            Failure::Internal(cause) => Self::internal(cause),
        }
    }
}
