//! The failure of an operation, for the client or for the log.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use resource_model::error::{ApiError, DatabaseFailure, ErrorCode};

/// How often the log says that long answers are refused.
const BETWEEN_WARNINGS: Duration = Duration::from_mins(1);

/// When it last did.
static WARNED: Mutex<Option<Instant>> = Mutex::new(None);

/// Why an operation has no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    cause: Cause,
}

/// Refused with words for the client, or failed with a cause for the log alone: for now, or for good.
#[derive(Debug)]
pub(crate) enum Cause {
    Refused(ApiError),
    Again(String),
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

    /// Something came between; nothing was changed, and the same may succeed at once.
    pub(crate) fn again(cause: impl Into<String>) -> Self {
        let cause = Cause::Again(cause.into());
        Self { cause }
    }

    /// The database was not there in time, or takes no writes.
    fn unavailable(cause: &str) -> Self {
        tracing::warn!(
            cause,
            "a request is answered 503, as the database cannot serve it now"
        );
        Self::later()
    }

    /// Too much waits for clients that read slowly.
    fn overloaded(cause: &str) -> Self {
        let mut warned = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.is_none_or(|last| last.elapsed() > BETWEEN_WARNINGS) {
            *warned = Some(Instant::now());
            tracing::warn!(cause, "long answers are refused for now");
        }
        Self::later()
    }

    fn later() -> Self {
        Self::refused(
            ErrorCode::Unavailable,
            "the service is overloaded; nothing was changed, try again later",
        )
    }

    /// The failure of something that was tried often enough.
    pub(crate) fn given_up(self) -> Self {
        match self.cause {
            Cause::Again(cause) => Self::unavailable(&cause),
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
            DatabaseFailure::Again(cause) => Self::again(cause.to_string()),
            DatabaseFailure::Unavailable(cause) => Self::unavailable(&cause.to_string()),
            DatabaseFailure::Overloaded(cause) => Self::overloaded(&cause.to_string()),
            // The write may be done: the client is told that its request failed, the log that nobody knows.
            failure @ DatabaseFailure::Unknown(_) => Self::internal(failure.to_string()),
            failure @ (DatabaseFailure::Refused(..) | DatabaseFailure::Unexpected(_)) => {
                Self::internal(failure.to_string())
            }
        }
    }
}
