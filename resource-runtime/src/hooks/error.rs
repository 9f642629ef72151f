//! The errors of validators and hooks.

use std::error::Error as StdError;
use std::marker::PhantomData;
use std::{fmt, iter};

use resource_model::error::{ApiError, DatabaseFailure, ErrorCode, FieldError};

use crate::failure::{Failure, with_sources};
use crate::store::transient_failure;
use crate::{ApiResource, Column, Error, ErrorKind};

/// The reason for which a hook ends a request.
///
/// A refusal is sent to the client, and a [`CustomError`](crate::CustomError) is. Every other error, converted by `?`, is a failure of the service: the
/// client gets 500, the log the cause. After a transient error of the database, also somewhere below the
/// error, the write is retried before the client gets 503: after a conflict with another write, for
/// instance.
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
pub struct HookError(Failure);

impl HookError {
    /// Refuses the request: 400 with the code 10010 and this message.
    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        // An empty name stands for the item as a whole.
        Self::of_problem(FieldError::new("", message))
    }

    /// Refuses the request because of one attribute; `message` follows its name: "must not change".
    #[must_use]
    pub fn refused_for<R: ApiResource, T>(
        column: Column<R, T>,
        message: impl fmt::Display,
    ) -> Self {
        let name = column.name();
        Self::of_problem(FieldError::new(name, format!("`{name}` {message}")))
    }

    /// Fails for a reason that is no [`Error`]: the client gets 500, the log the cause.
    #[must_use]
    pub fn failed(cause: impl std::fmt::Display) -> Self {
        Self(Failure::internal(format!("a hook failed: {cause}")))
    }

    /// Converts to an error for code outside of a request, where no client waits.
    #[must_use]
    pub fn into_error(self) -> Error {
        self.into()
    }

    fn of_problem(problem: FieldError) -> Self {
        let error = ApiError::of_problems(ErrorCode::InvalidItem, vec![problem]);
        Self(error.into())
    }

    pub(crate) fn into_failure(self) -> Failure {
        self.0
    }

    pub(super) const fn of_database(failure: DatabaseFailure) -> Self {
        // The class survives, because a conflict is retried with the hook.
        Self(Failure::Database(failure))
    }
}

impl<E: StdError + 'static> From<E> for HookError {
    fn from(error: E) -> Self {
        // A failure of the database may be wrapped in errors of the developer's own.
        let first: &(dyn StdError + 'static) = &error;
        for error in iter::successors(Some(first), |&it| it.source()) {
            // Only an error of sqlx or of typed access tells of a conflict or a lost connection, which another
            // attempt may overcome.
            if let Some(failure) = error.downcast_ref().and_then(transient_failure) {
                return Self::of_database(failure);
            }
            let ours = error.downcast_ref::<Error>();
            if let Some(refused) = ours.and_then(Error::refusal)
                && matches!(refused.code(), ErrorCode::Custom(_))
            {
                return Self(refused.clone().into());
            }
            let failure = match ours.map(Error::kind) {
                Some(ErrorKind::Conflict) => DatabaseFailure::retryable(error.to_string()),
                Some(ErrorKind::Unavailable) => DatabaseFailure::unavailable(error.to_string()),
                // Its source is a lost connection, and a retry could do the write twice.
                Some(ErrorKind::OutcomeUnknown) => {
                    DatabaseFailure::outcome_unknown(error.to_string())
                }
                _ => continue,
            };
            return Self::of_database(failure);
        }
        // The text is for the log; the client learns only that the service failed.
        Self(Failure::Internal(with_sources("a hook failed", &error)))
    }
}

/// The refusal of a hook is [`ErrorKind::Refused`], with the attributes that it names.
impl From<HookError> for Error {
    fn from(error: HookError) -> Self {
        error.0.into()
    }
}

// `HookError` is no `Error` itself: the conversion above would then conflict with `From<T> for T`.
impl From<HookError> for Box<dyn StdError + Send + Sync> {
    fn from(error: HookError) -> Self {
        error.into_error().into()
    }
}

/// The problems of an item that a validator finds: each message is a line of the error that the client
/// gets.
pub struct Messages<R> {
    pub(super) problems: Vec<FieldError>,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource> Messages<R> {
    pub(super) const fn new() -> Self {
        Self {
            problems: Vec::new(),
            resource: PhantomData,
        }
    }

    /// Adds a problem of the item as a whole.
    pub fn add(&mut self, message: impl Into<String>) {
        self.problems.push(FieldError::new("", message));
    }

    /// Adds a problem of one attribute; `message` follows its name: "must be an e-mail address".
    pub fn about<T>(&mut self, column: Column<R, T>, message: impl fmt::Display) {
        let name = column.name();
        let message = format!("`{name}` {message}");
        self.problems.push(FieldError::new(name, message));
    }

    /// Tests whether there are no problems so far.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }
}

impl<R> fmt::Debug for Messages<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(&self.problems).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use resource_model::error::{DatabaseFailure, Error};

    use super::HookError;
    use crate::failure::Failure;

    /// An error of the developer's code that wraps one of the driver.
    #[derive(Debug)]
    struct Wrapped(sqlx::Error);

    impl fmt::Display for Wrapped {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("the notes cannot be counted")
        }
    }

    impl std::error::Error for Wrapped {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn wrapped_lost_connection_is_retryable() {
        let lost = || std::io::Error::from(std::io::ErrorKind::ConnectionReset).into();
        for error in [HookError::from(lost()), HookError::from(Wrapped(lost()))] {
            let failure = error.into_failure();
            assert!(failure.is_retryable(), "{failure:?}");
        }
    }

    #[test]
    fn unknown_outcome_is_never_retryable_though_its_source_is_a_lost_connection() {
        let lost = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let unknown = DatabaseFailure::outcome_unknown("the connection was lost during a commit");
        let unknown = Error::from(unknown.with_source(sqlx::Error::from(lost)));
        let failure = HookError::from(unknown).into_failure();
        assert!(
            matches!(
                failure,
                Failure::Database(DatabaseFailure::OutcomeUnknown(_))
            ),
            "{failure:?}"
        );
        let conflict = Error::from(DatabaseFailure::retryable("two transactions conflict"));
        let failure = HookError::from(conflict).into_failure();
        assert!(failure.is_retryable(), "{failure:?}");
    }

    #[test]
    fn pool_timeout_is_unavailable_instead_of_internal() {
        let error = HookError::from(Wrapped(sqlx::Error::PoolTimedOut));
        let failure = error.into_failure();
        let is_unavailable = matches!(failure, Failure::Database(DatabaseFailure::Unavailable(_)));
        assert!(is_unavailable, "{failure:?}");
    }

    #[test]
    fn every_other_error_is_logged_with_its_sources() {
        let failure = HookError::from(Wrapped(sqlx::Error::RowNotFound)).into_failure();
        let Failure::Internal(cause) = failure else {
            panic!("{failure:?}");
        };
        assert!(cause.starts_with("a hook failed: the notes cannot be counted: no rows"));
    }
}
