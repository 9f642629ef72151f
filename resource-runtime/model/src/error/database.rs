//! The classes of failure of a database, and the promise of each.

use std::fmt;

/// A class of failure. A driver keeps the promise of each class; by the class alone operations decide what is
/// tried again and what the client is told. All but [`Unknown`](Self::Unknown) promise that nothing of the
/// transaction was changed.
#[derive(Debug, Clone)]
pub enum DatabaseFailure {
    /// A constraint or a trigger refused the statement: the same is refused again. The client is told the
    /// rule, as far as diagnosis finds it; of a statement of a hook's own only that the service failed.
    Refused(Violation),
    /// Something came between, for instance another write: the same may succeed at once. A driver has tried a
    /// statement again by itself where that is a transaction; operations try one again with its hooks.
    Again(String),
    /// The database was not reachable or not free in time, or takes no writes: the same may succeed later. The
    /// client is told so, 503.
    Unavailable(String),
    /// Too much waits for clients that read slowly. The client is told to come back, 503.
    Overloaded(String),
    /// The database was lost in the midst of a commit: it may be done, and may be not. Nothing tries it again, as
    /// that could do it twice; the client is told 500.
    Unknown(String),
    /// Anything else, a defect or a broken database: the log is told the cause, the client 500.
    Unexpected(String),
}

/// The constraint that a statement ran into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// The columns whose values together are taken, as `table.column`.
    Unique(Vec<String>),
    /// A referenced row is missing, or a row is still referred to.
    ForeignKey,
    /// A value does not fit the table, which is narrower than the model.
    Check(String),
    /// A trigger objects, in its own words.
    Trigger(String),
}

impl DatabaseFailure {
    /// A failure that has no class of its own.
    pub fn unexpected(cause: impl fmt::Display) -> Self {
        Self::Unexpected(cause.to_string())
    }

    /// The failure of what follows in a transaction that `by` has ended; none for a statement of it
    /// that was abandoned.
    pub fn of_ended(by: Option<&Self>) -> Self {
        match by {
            Some(passing @ (Self::Again(_) | Self::Unavailable(_))) => passing.clone(),
            Some(by) => Self::Unexpected(format!(
                "the transaction was rolled back when a statement of it failed; hand such errors on by `?`: {by}"
            )),
            None => Self::unexpected(
                "the transaction was rolled back when a statement of it was abandoned half-way",
            ),
        }
    }

    /// The failure where a primary key finds several rows: none of them is the item.
    pub fn ambiguous(rows: impl fmt::Display) -> Self {
        Self::Unexpected(format!(
            "a primary key finds {rows} rows instead of one; `check_schema` tells what the table \
             lacks, and each row needs a key of its own"
        ))
    }

    /// The failure of something that was tried often enough.
    pub fn given_up(self) -> Self {
        match self {
            Self::Again(cause) => Self::Unavailable(cause),
            other => other,
        }
    }
}

impl fmt::Display for DatabaseFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(violation) => write!(formatter, "constraint violated: {violation:?}"),
            Self::Unknown(cause) => write!(formatter, "the outcome is unknown: {cause}"),
            Self::Again(cause)
            | Self::Unavailable(cause)
            | Self::Overloaded(cause)
            | Self::Unexpected(cause) => formatter.write_str(cause),
        }
    }
}
