use std::error::Error;

use crate::Field;
use crate::error::{ApiError, DatabaseFailure, ErrorCode, Failure, Problem};
use crate::execute::passing;

/// Why a hook ends a request.
///
/// A refusal is told to the client. Every other error, taken over by `?`, is a failure of the
/// service: the client gets 500, the log the cause. One of the database that passes, also
/// somewhere below the error, has the write tried anew before the client is told 503: others wrote
/// at the same time, for instance.
///
/// ```
/// use resource_runtime::{HookError, HookResult};
///
/// fn require_quorum(votes: &str) -> HookResult {
///     let votes: u32 = votes.parse()?;
///     if votes < 3 {
///         return Err(HookError::refused("fewer than three votes"));
///     }
///     Ok(())
/// }
///
/// assert!(require_quorum("2").is_err());
/// assert!(require_quorum("many").is_err());
/// assert!(require_quorum("3").is_ok());
/// ```
#[derive(Debug)]
pub struct HookError {
    failure: Failure,
}

impl HookError {
    /// Refuses the request: 400 with the code 10010 and these words.
    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        let problem = Problem::new("", message);
        Self::of_problem(problem)
    }

    /// Refuses the request because of one attribute; `message` follows its name: "must not change".
    #[must_use]
    pub fn refused_for(field: impl Field, message: impl std::fmt::Display) -> Self {
        let name = field.name();
        Self::of_problem(Problem::new(name, format!("`{name}` {message}")))
    }

    /// Fails for a reason that is no [`Error`]: the client gets 500, the log the cause.
    #[must_use]
    pub fn failed(cause: impl std::fmt::Display) -> Self {
        Self {
            failure: Failure::internal(format!("a hook failed: {cause}")),
        }
    }

    fn of_problem(problem: Problem) -> Self {
        let error = ApiError::of_problems(ErrorCode::InvalidItem, vec![problem]);
        Self {
            failure: error.into(),
        }
    }

    pub(crate) fn into_failure(self) -> Failure {
        self.failure
    }

    pub(super) fn of_database(failure: DatabaseFailure) -> Self {
        Self {
            failure: failure.into(),
        }
    }
}

impl<E: Error + 'static> From<E> for HookError {
    fn from(error: E) -> Self {
        let mut cause = String::from("a hook failed");
        let mut next: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(error) = next {
            if let Some(failure) = error.downcast_ref().and_then(passing) {
                return Self::of_database(failure);
            }
            cause = format!("{cause}: {error}");
            next = error.source();
        }
        Self {
            failure: Failure::internal(cause),
        }
    }
}
