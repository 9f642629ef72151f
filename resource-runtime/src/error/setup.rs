use std::fmt;

use super::DatabaseFailure;

/// Why a service could not be set up, with every mistake that was found.
///
/// Answered by [`Database::connect`](crate::Database::connect),
/// [`ApiBuilder::build`](crate::ApiBuilder::build),
/// [`Api::create_missing_tables`](crate::Api::create_missing_tables) and
/// [`Api::check_schema`](crate::Api::check_schema).
///
/// ```
/// use resource_runtime::Database;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let error = Database::connect("mysql://localhost").await.unwrap_err();
/// assert!(error.to_string().contains("sqlite://"));
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    mistakes: Vec<String>,
}

impl Error {
    pub(crate) fn new(mistake: impl Into<String>) -> Self {
        Self::of_mistakes(vec![mistake.into()])
    }

    pub(crate) const fn of_mistakes(mistakes: Vec<String>) -> Self {
        Self { mistakes }
    }

    /// The mistakes, each a sentence.
    #[must_use]
    pub fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.mistakes.join("\n"))
    }
}

/// As [`Display`](fmt::Display): a `main` that answers with this error prints it so.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl std::error::Error for Error {}

impl From<DatabaseFailure> for Error {
    fn from(failure: DatabaseFailure) -> Self {
        Self::new(format!("the database failed: {failure}"))
    }
}
