use std::fmt;
use std::time::SystemTime;

use resource_runtime::authorization::Scopes;

/// A user who is logged in.
#[derive(Clone)]
pub struct User {
    pub(crate) subject: String,
    pub(crate) session: String,
    pub(crate) authenticated_at: SystemTime,
    /// What the user has to give; `None` is everything.
    pub(crate) scopes: Option<Scopes>,
}

impl User {
    /// The user `subject`, who logged in at this time.
    ///
    /// The subject becomes `sub` of the tokens, so it should never change and never be given to
    /// another; it has 255 bytes at most and may not start with `client:`, which is how clients are
    /// called. The session
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
            scopes: None,
        }
    }

    /// The scopes that this user can give to clients; all of them unless this is called.
    ///
    /// A client that asks for more is granted those of them that the user has, which its token's
    /// `scope` says (RFC 6749, section 3.3). Where there are none of them, the answer is
    /// `access_denied`. What was granted before stays granted.
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use resource_authorization_server::User;
    ///
    /// let user = User::new("ben", "session-1", SystemTime::now()).scopes(["notes.read"]);
    /// assert_eq!(user.subject(), "ben");
    /// ```
    #[must_use]
    pub fn scopes<Scope: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.scopes = Some(scopes.into_iter().collect());
        self
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
