//! The failure of an operation, for the client or for the log.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use resource_model::error::{ApiError, DatabaseFailure, Error, ErrorCode, ErrorKind};

use crate::locked::locked;

/// The time between two warnings that long responses are refused.
const WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// The time of the last such warning.
static LAST_WARNING: Mutex<Option<Instant>> = Mutex::new(None);

/// The failure of an operation, which the HTTP layer turns into a response.
#[derive(Debug)]
pub(crate) struct Failure {
    cause: Cause,
}

/// The cause of a failure: a refusal with a text for the client, a conflict that a retry may overcome, or a
/// defect, with a text for the log alone.
#[derive(Debug)]
pub(crate) enum Cause {
    Refused(ApiError),
    Retryable(String),
    /// A commit whose outcome nobody knows; for clients a failure like a defect.
    OutcomeUnknown(String),
    Internal(String),
}

impl Failure {
    pub(crate) fn refused(code: ErrorCode, description: impl Into<String>) -> Self {
        ApiError::new(code, description).into()
    }

    pub(crate) fn internal(cause: impl Into<String>) -> Self {
        let cause = Cause::Internal(cause.into());
        Self { cause }
    }

    /// A conflict that left nothing changed, such as a serialization failure; a retry may succeed at once.
    pub(crate) fn retryable(cause: impl Into<String>) -> Self {
        let cause = Cause::Retryable(cause.into());
        Self { cause }
    }

    /// The refusal where the database does not respond in time, or takes no writes.
    fn unavailable(cause: &str) -> Self {
        tracing::warn!(
            cause,
            "a request gets 503, as the database cannot serve it now"
        );
        Self::try_again_later()
    }

    /// The refusal where too many bytes wait for clients that read slowly.
    fn overloaded(cause: &str) -> Self {
        let mut warned = locked(&LAST_WARNING);
        // Under load, one line for each refused response would flood the log.
        if warned.is_none_or(|last| last.elapsed() > WARNING_INTERVAL) {
            *warned = Some(Instant::now());
            tracing::warn!(cause, "long responses are refused for now");
        }
        Self::try_again_later()
    }

    fn try_again_later() -> Self {
        Self::refused(
            // Both callers promise it: these failures leave nothing changed, so
            // clients may repeat even a write.
            ErrorCode::Unavailable,
            "the service is overloaded; nothing was changed, try again later",
        )
    }

    /// The failure after the last retry.
    pub(crate) fn exhausted_retries(self) -> Self {
        match self.cause {
            Cause::Retryable(cause) => Self::unavailable(&cause),
            _ => self,
        }
    }

    pub(crate) const fn cause(&self) -> &Cause {
        &self.cause
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        let cause = Cause::Refused(error);
        Self { cause }
    }
}

/// A violation that no operation expected is a defect: the model's checks and the diagnosis of
/// the operation come first.
impl From<DatabaseFailure> for Failure {
    fn from(failure: DatabaseFailure) -> Self {
        match failure {
            // Still retryable, so that a write with hooks is attempted again; only a response makes it final.
            DatabaseFailure::Retryable(cause) => Self::retryable(cause.to_string()),
            DatabaseFailure::Unavailable(cause) => Self::unavailable(&cause.to_string()),
            DatabaseFailure::Overloaded(cause) => Self::overloaded(&cause.to_string()),
            // After an unknown outcome the write may have been committed: the client gets a failure, the log
            // says that the outcome is unknown.
            DatabaseFailure::OutcomeUnknown(_) => Self {
                cause: Cause::OutcomeUnknown(failure.to_string()),
            },
            DatabaseFailure::ConstraintViolation(..) | DatabaseFailure::Internal(_) => {
                Self::internal(failure.to_string())
            }
        }
    }
}

/// Each cause has the kind that the same failure has in a request.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure.cause {
            Cause::Refused(error) => Self::of_refusal(&error),
            Cause::Retryable(cause) => Self::in_words(ErrorKind::Conflict, cause),
            Cause::OutcomeUnknown(cause) => Self::in_words(ErrorKind::OutcomeUnknown, cause),
            Cause::Internal(cause) => Self::internal(cause),
        }
    }
}
