use std::fmt;
use std::time::SystemTime;

/// A user who is logged in.
#[derive(Clone)]
pub struct User {
    pub(in crate::oauth2::server) subject: String,
    pub(in crate::oauth2::server) session: String,
    pub(in crate::oauth2::server) authenticated_at: SystemTime,
}

impl User {
    /// The user `subject`, who logged in at this time.
    ///
    /// The subject becomes `sub` of the tokens, so it should never change and never be given to
    /// another; it may not start with `client:`, which is how clients are called. The session
    /// tells apart where one logged in, and is never passed on: consent that is given in one
    /// session does not count in another.
    #[must_use]
    pub fn new(
        subject: impl Into<String>,
        session: impl Into<String>,
        authenticated_at: SystemTime,
    ) -> Self {
        Self {
            subject: subject.into(),
            session: session.into(),
            authenticated_at,
        }
    }

    /// What tokens call the user.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

/// Without the session.
impl fmt::Debug for User {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("User")
            .field("subject", &self.subject)
            .finish_non_exhaustive()
    }
}
