//! A user who is logged in, a pending authorization request, and the consent prompt.

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
    /// The scopes that the user can give; `None` is all.
    pub(crate) scopes: Option<Scopes>,
}

impl User {
    /// The user `subject`, who logged in at this time.
    ///
    /// The subject becomes `sub` of the tokens, so it should never change and never be given to
    /// another user. It has 255 bytes at most and may not start with `client:`, the prefix of
    /// clients. The session identifies the login and is never passed on: consent that is given in
    /// one session does not count in another.
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

    /// Sets the scopes that this user can give to clients; all scopes by default.
    ///
    /// A client that requests more is granted those that the user has, as `scope` of the token
    /// response says (RFC 6749, section 3.3). If the user has none of them, the response is
    /// `access_denied`. Earlier grants stay.
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

    /// The subject: `sub` in tokens.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

/// Leaves out the session.
impl fmt::Debug for User {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("User")
            .field("subject", &self.subject)
            .finish_non_exhaustive()
    }
}

/// A pending authorization request: stored while its user logs in and consents.
#[derive(Clone)]
pub struct PendingRequest {
    pub(crate) id: String,
    pub(crate) client_id: String,
    pub(crate) client_name: String,
    pub(crate) redirect_uri: String,
    pub(crate) scopes: Scopes,
}

impl PendingRequest {
    /// The name of the client.
    #[must_use]
    pub fn client_name(&self) -> &str {
        &self.client_name
    }

    /// The id of the client.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// The redirect URI: the address that the user is sent to in the end.
    #[must_use]
    pub fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    /// The requested scopes; on the consent page, those of them that the user can give.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// The path that continues the request once the user is logged in: on this service, with
    /// nothing in it that a client or user chose.
    #[must_use]
    pub fn return_path(&self) -> String {
        format!("{}?pending={}", ConsentPrompt::ACTION, self.id)
    }
}

/// Leaves out the id, which gives access to the request.
impl fmt::Debug for PendingRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PendingRequest")
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// A prompt for consent; it dereferences to the pending request.
#[derive(Debug, Clone)]
pub struct ConsentPrompt {
    pub(crate) pending: PendingRequest,
    pub(crate) user: User,
    pub(crate) must_ask: bool,
    pub(crate) csrf: Csrf,
}

/// The CSRF token of the consent form.
#[derive(Clone)]
pub(crate) struct Csrf(pub(crate) String);

impl fmt::Debug for Csrf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Csrf(…)")
    }
}

impl ConsentPrompt {
    /// The path that the form is posted to.
    pub const ACTION: &'static str = "/oauth/authorize";

    /// The user who is asked.
    #[must_use]
    pub const fn user(&self) -> &User {
        &self.user
    }

    /// Tells that the user must be asked: nothing proves the identity of a public client on the
    /// user's device (RFC 8252, section 8.6). [`Consent::Granted`](super::Consent::Granted) is a
    /// failure of the host then.
    #[must_use]
    pub const fn must_ask(&self) -> bool {
        self.must_ask
    }

    /// Names and values of the hidden form fields. They consist of letters, digits, `-` and `_`,
    /// and need no escaping.
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
