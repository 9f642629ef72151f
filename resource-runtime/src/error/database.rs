use std::fmt;

/// What a database could not do, for the stages that decide what the client is told.
#[derive(Debug, Clone)]
pub(crate) enum DatabaseFailure {
    /// A constraint refused the statement; nothing was changed.
    Refused(Violation),
    /// Something came between, for instance another write; nothing was changed, and the same may
    /// succeed at once.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "writers of SQLite wait for each other")
    )]
    Again(String),
    /// The database was not reachable or not free in time, or takes no writes; nothing was changed.
    Unavailable(String),
    /// Too much waits for clients that read slowly; nothing was changed.
    Overloaded(String),
    /// The database was lost in the midst of a commit: it may be done, and may be not.
    Unknown(String),
    /// Anything else: a defect or a broken database.
    Unexpected(String),
}

/// The constraint that a statement ran into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Violation {
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
    pub(crate) fn unexpected(cause: impl fmt::Display) -> Self {
        Self::Unexpected(cause.to_string())
    }

    /// The failure of what follows in a transaction that `by` has ended; none for a statement of it
    /// that was abandoned.
    pub(crate) fn of_ended(by: Option<&Self>) -> Self {
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
    pub(crate) fn ambiguous(rows: impl fmt::Display) -> Self {
        Self::Unexpected(format!(
            "a primary key finds {rows} rows instead of one; `check_schema` tells what the table \
             lacks, and each row needs a key of its own"
        ))
    }

    /// The failure of something that was tried often enough.
    #[cfg(feature = "postgres")]
    pub(crate) fn given_up(self) -> Self {
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
