use super::{ApiError, DatabaseFailure, ErrorCode};

/// Why an operation has no answer.
#[derive(Debug)]
pub struct Failure {
    cause: Cause,
}

/// Refused with words for the client, or failed with a cause for the log alone.
#[derive(Debug)]
pub(crate) enum Cause {
    Refused(ApiError),
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
            DatabaseFailure::Unavailable(cause) => {
                tracing::warn!(cause, "the database did not answer in time");
                Self::refused(
                    ErrorCode::Unavailable,
                    "the service is overloaded; nothing was changed, try again later",
                )
            }
            other => Self::internal(other.to_string()),
        }
    }
}
