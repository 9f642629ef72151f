use std::fmt;

/// What a database could not do, for the stages that decide what the client is told.
#[derive(Debug)]
pub(crate) enum DatabaseFailure {
    /// A constraint refused the statement; nothing was changed.
    Refused(Violation),
    /// The database was not reachable or not free in time; nothing was changed.
    Unavailable(String),
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
}

impl DatabaseFailure {
    pub(crate) fn unexpected(cause: impl fmt::Display) -> Self {
        Self::Unexpected(cause.to_string())
    }
}

impl fmt::Display for DatabaseFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(violation) => write!(formatter, "constraint violated: {violation:?}"),
            Self::Unavailable(cause) | Self::Unexpected(cause) => formatter.write_str(cause),
        }
    }
}
