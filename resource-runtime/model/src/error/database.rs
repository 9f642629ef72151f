//! The classes of failure of a database, and the promise of each.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// A class of failure. A driver keeps the promise of each class; by the class alone operations decide
/// about retries and about the answer to the client. All but [`OutcomeUnknown`](Self::OutcomeUnknown) promise that
/// nothing of the transaction was changed.
#[derive(Debug, Clone)]
pub enum DatabaseFailure {
    /// A constraint or a trigger refused the statement; a retry is refused again. The client is told the
    /// rule, as far as diagnosis finds it; for a statement of a hook's own only that the service failed.
    ConstraintViolation(Violation, Cause),
    /// A conflict, for instance with another write; a retry may succeed at once. A driver retries a statement
    /// that is a transaction by itself; operations retry a transaction with its hooks.
    Retryable(Cause),
    /// The database was not reachable or not free in time, or takes no writes; a retry may succeed later. The
    /// client is answered 503.
    Unavailable(Cause),
    /// Too many results wait for clients that read slowly. The client is told to retry later, 503.
    Overloaded(Cause),
    /// The connection was lost during a commit, whose outcome is unknown. Nothing retries it, because that
    /// could do it twice; the client is answered 500.
    OutcomeUnknown(Cause),
    /// Anything else, a defect or a broken database: the cause is logged, the client is answered 500.
    Internal(Cause),
}

/// The result of what a database is asked.
pub type DatabaseResult<T> = Result<T, DatabaseFailure>;

/// The cause of a failure: a message for the log, and the driver's error.
#[derive(Debug, Clone)]
pub struct Cause {
    words: String,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The constraint that a statement violated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// The columns whose values together are taken, as `table.column`.
    Unique(Vec<String>),
    /// A referenced row is missing, or a row is still referred to.
    ForeignKey,
    /// A value does not fit the table, whose constraints are narrower than the model.
    Check(String),
    /// A trigger refuses the write, with its own message.
    Trigger(String),
}

impl DatabaseFailure {
    /// [`Retryable`](Self::Retryable) with this message.
    pub fn retryable(cause: impl fmt::Display) -> Self {
        Self::Retryable(Cause::of(cause))
    }

    /// [`Unavailable`](Self::Unavailable) with this message.
    pub fn unavailable(cause: impl fmt::Display) -> Self {
        Self::Unavailable(Cause::of(cause))
    }

    /// [`Overloaded`](Self::Overloaded) with this message.
    pub fn overloaded(cause: impl fmt::Display) -> Self {
        Self::Overloaded(Cause::of(cause))
    }

    /// [`OutcomeUnknown`](Self::OutcomeUnknown) with this message.
    pub fn outcome_unknown(cause: impl fmt::Display) -> Self {
        Self::OutcomeUnknown(Cause::of(cause))
    }

    /// [`Internal`](Self::Internal) with this message.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::Internal(Cause::of(cause))
    }

    /// [`ConstraintViolation`](Self::ConstraintViolation) by this constraint.
    pub fn constraint_violation(violation: Violation) -> Self {
        let cause = Cause::of(format_args!("constraint violated: {violation:?}"));
        Self::ConstraintViolation(violation, cause)
    }

    /// The failure with the driver's error as its source.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        let (Self::ConstraintViolation(_, cause)
        | Self::Retryable(cause)
        | Self::Unavailable(cause)
        | Self::Overloaded(cause)
        | Self::OutcomeUnknown(cause)
        | Self::Internal(cause)) = &mut self;
        cause.source = Some(Arc::new(source));
        self
    }

    /// The message and the driver's error.
    pub(super) fn cause(&self) -> &Cause {
        let (Self::ConstraintViolation(_, cause)
        | Self::Retryable(cause)
        | Self::Unavailable(cause)
        | Self::Overloaded(cause)
        | Self::OutcomeUnknown(cause)
        | Self::Internal(cause)) = self;
        cause
    }

    /// The failure of later statements in a transaction that the failure `by` has ended; `None` where an
    /// abandoned statement has ended it.
    pub fn of_ended(by: Option<&Self>) -> Self {
        match by {
            // Passing failures keep their class, so that the transaction is still retried or answered 503.
            Some(passing @ (Self::Retryable(_) | Self::Unavailable(_))) => passing.clone(),
            Some(by) => Self::internal(format_args!(
                "the transaction was rolled back when a statement of it failed; hand such errors on by `?`: {by}"
            )),
            None => Self::internal(
                "the transaction was rolled back when a statement of it was abandoned half-way",
            ),
        }
    }

    /// The failure of a primary key that finds several rows: none of them is certainly the item.
    pub fn ambiguous(rows: impl fmt::Display) -> Self {
        Self::internal(format_args!(
            "a primary key finds {rows} rows instead of one; `check_schema` tells what the table \
             lacks, and each row needs a key of its own"
        ))
    }

    /// The failure after the last retry.
    pub fn exhausted_retries(self) -> Self {
        match self {
            Self::Retryable(cause) => Self::Unavailable(cause),
            other => other,
        }
    }
}

impl fmt::Display for DatabaseFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self, Self::OutcomeUnknown(_)) {
            formatter.write_str("the outcome is unknown: ")?;
        }
        fmt::Display::fmt(self.cause(), formatter)
    }
}

impl Cause {
    fn of(words: impl fmt::Display) -> Self {
        Self {
            words: words.to_string(),
            source: None,
        }
    }

    /// The driver's error.
    pub(super) fn source(&self) -> Option<Arc<dyn StdError + Send + Sync>> {
        self.source.clone()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words)
    }
}
