//! A user who is logged in, and the prompt that they are shown.

use std::fmt;
use std::ops::Deref;
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

/// What a client asks for, while its user logs in and consents.
#[derive(Clone)]
pub struct PendingRequest {
    pub(crate) id: String,
    pub(crate) client_id: String,
    pub(crate) client_name: String,
    pub(crate) redirect_uri: String,
    pub(crate) scopes: Scopes,
}

impl PendingRequest {
    /// Who asks, as users know it.
    #[must_use]
    pub fn client_name(&self) -> &str {
        &self.client_name
    }

    /// Who asks, as the server knows it.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// Where the user is sent in the end.
    #[must_use]
    pub fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    /// What is asked for; on the page that asks for consent, as much of it as the user can give.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Where it goes on once the user is logged in: a path of this service, with nothing in it
    /// that somebody else chose.
    #[must_use]
    pub fn return_path(&self) -> String {
        format!("{}?pending={}", ConsentPrompt::ACTION, self.id)
    }
}

/// Without its id, which is as good as a key to it.
impl fmt::Debug for PendingRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PendingRequest")
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// What a user is asked to let a client do; it dereferences to the request.
#[derive(Debug, Clone)]
pub struct ConsentPrompt {
    pub(crate) pending: PendingRequest,
    pub(crate) user: User,
    pub(crate) must_ask: bool,
    pub(crate) csrf: Csrf,
}

/// The token against forged consent.
#[derive(Clone)]
pub(crate) struct Csrf(pub(crate) String);

impl fmt::Debug for Csrf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Csrf(…)")
    }
}

impl ConsentPrompt {
    /// Where the form is posted to.
    pub const ACTION: &'static str = "/oauth/authorize";

    /// Whom it asks.
    #[must_use]
    pub const fn user(&self) -> &User {
        &self.user
    }

    /// Whether the user must be asked: of a public client on the user's own device nothing tells
    /// that it is the client (RFC 8252, section 8.6). [`Consent::Granted`](super::Consent::Granted)
    /// is taken for a failure of the host then.
    #[must_use]
    pub const fn must_ask(&self) -> bool {
        self.must_ask
    }

    /// The hidden fields of the form: names and values, of letters, digits, `-` and `_` alone.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, &str); 2] {
        [("pending", &self.pending.id), ("csrf", &self.csrf.0)]
    }
}

impl Deref for ConsentPrompt {
    type Target = PendingRequest;

    fn deref(&self) -> &PendingRequest {
        &self.pending
    }
}
