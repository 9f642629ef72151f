//! The classes of failure of a database, and the promise of each.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// A class of failure. A driver keeps the promise of each class, and operations decide by the class alone
/// about retries and about the response to the client. All but
/// [`OutcomeUnknown`](Self::OutcomeUnknown) promise that nothing of the transaction was changed.
#[derive(Debug, Clone)]
pub enum DatabaseFailure {
    /// A constraint or a trigger refused the statement; a retry is refused again. The client gets
    /// the rule, as far as the diagnosis finds it; for a statement that a hook executes, only a 500.
    ConstraintViolation(Violation, Cause),
    /// A conflict, for instance with another write; a retry may succeed at once. A driver retries a statement
    /// that is a transaction by itself; operations retry a transaction with its hooks.
    Retryable(Cause),
    /// The database was not reachable or not free in time, or takes no writes; a retry may succeed later. The
    /// client gets 503.
    Unavailable(Cause),
    /// Too many results wait for clients that read slowly. The client gets 503, and may retry later.
    Overloaded(Cause),
    /// A commit failed half-way: on PostgreSQL its connection was lost, on SQLite its disk failed. The changes
    /// may or may not be durable, so nothing retries the write, which could then be done twice. The client
    /// gets 500.
    OutcomeUnknown(Cause),
    /// Anything else, a defect or a broken database: the cause is logged, the client gets 500.
    Internal(Cause),
}

/// The result of a query or a statement of a database.
pub type DatabaseResult<T> = Result<T, DatabaseFailure>;

/// The cause of a failure: a message for the log, and the driver's error.
#[derive(Debug, Clone)]
pub struct Cause {
    message: String,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The constraint that a statement violated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// The names of the columns, without their table, whose values together another row has already.
    Unique(Vec<String>),
    /// A referenced row is missing, or a row is still referred to.
    ForeignKey,
    /// A value does not fit the table, whose constraints are narrower than the model.
    Check(String, Option<Limit>),
    /// A trigger refuses the write, with its own message.
    Trigger(String),
}

/// The limit of a table that refused a value, as far as a database tells it by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// The name of a check.
    Check(String),
    /// The name of a column that may not be null.
    NotNull(String),
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
        // The log gets the rule as the driver read it; the client's words are found by the diagnosis.
        let cause = Cause::of(format_args!("constraint violated: {violation:?}"));
        Self::ConstraintViolation(violation, cause)
    }

    /// The failure with the driver's error as its source.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        // The pattern names every class, so that a class without a cause would not compile.
        let (Self::ConstraintViolation(_, cause)
        | Self::Retryable(cause)
        | Self::Unavailable(cause)
        | Self::Overloaded(cause)
        | Self::OutcomeUnknown(cause)
        | Self::Internal(cause)) = &mut self;
        // Failures are cloned, for the later statements of a transaction and for readers of one page.
        cause.source = Some(Arc::new(source));
        self
    }

    /// The message and the driver's error.
    pub(super) fn cause(&self) -> &Cause {
        // As above, a class without a cause would not compile here.
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
        // The statement itself was not run, because the transaction no longer exists in the database.
        match by {
            // Transient failures keep their class, so that the transaction is still retried, or becomes a 503.
            Some(transient @ (Self::Retryable(_) | Self::Unavailable(_))) => transient.clone(),
            // A hook that goes on after a failed statement has swallowed its error, which is a defect.
            Some(by) => Self::internal(format_args!(
                "the transaction was rolled back when a statement of it failed; hand such errors on by `?`: {by}"
            )),
            // A hook that drops the future of a statement, as by a timeout, abandons it.
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
            // A conflict that outlasts the retries is a matter of load, so that the client may try again
            // later.
            Self::Retryable(cause) => Self::Unavailable(cause),
            // The other classes were not retried, so that nothing is exhausted.
            other => other,
        }
    }
}

impl fmt::Display for DatabaseFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Readers of the log have to learn that the changes may be durable.
        if matches!(self, Self::OutcomeUnknown(_)) {
            formatter.write_str("the outcome is unknown: ")?;
        }
        fmt::Display::fmt(self.cause(), formatter)
    }
}

impl Cause {
    fn of(message: impl fmt::Display) -> Self {
        Self {
            // The text is made at once, since a failure outlives what its message is about.
            message: message.to_string(),
            source: None,
        }
    }

    /// The driver's error, if it reported one.
    pub fn source(&self) -> Option<Arc<dyn StdError + Send + Sync>> {
        self.source.clone()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
