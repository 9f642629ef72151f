use std::fmt;
use std::ops::Deref;
use std::pin::Pin;
use std::time::SystemTime;

use axum::http::request::Parts;
use axum::response::Response;

use crate::oauth2::Scopes;

/// Why the host cannot say who is there: a text for the log.
pub type OwnerError = Box<dyn std::error::Error + Send + Sync>;

/// What the host knows and the server does not: who its users are.
///
/// The server keeps what a client asked for while its user logs in and consents; the host shows
/// the pages for both. A page that logs in ends with a redirect to
/// [`return_path`](PendingRequest::return_path); one that asks for consent has a form that is
/// posted to [`ACTION`](ConsentPrompt::ACTION) with the [`fields`](ConsentPrompt::fields) and a
/// `decision`, `approve` or `deny`.
///
/// ```
/// use std::time::SystemTime;
///
/// use axum::http::request::Parts;
/// use axum::response::{Html, IntoResponse, Redirect, Response};
/// use resource_runtime::oauth2::server::{
///     Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User,
/// };
///
/// struct Host;
///
/// impl ResourceOwner for Host {
///     async fn current(&self, request: &Parts) -> Result<Option<User>, OwnerError> {
///         // Look up the session that a cookie of the request names.
///         let session = request.headers.get("cookie").and_then(|cookie| cookie.to_str().ok());
///         Ok(session.map(|session| User::new("ann", session, SystemTime::now())))
///     }
///
///     async fn login(&self, _: &Parts, pending: PendingRequest) -> Result<Response, OwnerError> {
///         // Keep the path in the session that is about to begin, or in the page's form.
///         let page = format!("<form>… {} …</form>", pending.return_path());
///         Ok(Html(page).into_response())
///     }
///
///     async fn consent(&self, _: &Parts, prompt: ConsentPrompt) -> Result<Consent, OwnerError> {
///         let mut page = format!("<form method=post action={}>", ConsentPrompt::ACTION);
///         for (name, value) in prompt.fields() {
///             page += &format!("<input type=hidden name={name} value={value}>");
///         }
///         page += "<button name=decision value=approve>Allow</button></form>";
///         Ok(Consent::Ask(Html(page).into_response()))
///     }
/// }
/// ```
pub trait ResourceOwner: Send + Sync + 'static {
    /// Who is logged in where this request came from; `None` where nobody is.
    fn current(
        &self,
        request: &Parts,
    ) -> impl Future<Output = Result<Option<User>, OwnerError>> + Send;

    /// The answer that lets somebody log in: a page, or a redirect to one of the host.
    fn login(
        &self,
        request: &Parts,
        pending: PendingRequest,
    ) -> impl Future<Output = Result<Response, OwnerError>> + Send;

    /// Whether the user lets the client do what it asks for.
    fn consent(
        &self,
        request: &Parts,
        prompt: ConsentPrompt,
    ) -> impl Future<Output = Result<Consent, OwnerError>> + Send;
}

/// What a user says to a client that asks for access.
#[derive(Debug)]
pub enum Consent {
    /// Nothing yet: this page asks.
    Ask(Response),
    /// Yes, and nobody needs to ask: for clients of one's own alone.
    Granted,
    /// No.
    Denied,
}

/// A user who is logged in.
#[derive(Clone)]
pub struct User {
    pub(super) subject: String,
    pub(super) session: String,
    pub(super) authenticated_at: SystemTime,
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

/// What a client asks for, while its user logs in and consents.
#[derive(Clone)]
pub struct PendingRequest {
    pub(super) id: String,
    pub(super) client_id: String,
    pub(super) client_name: String,
    pub(super) redirect_uri: String,
    pub(super) scopes: Scopes,
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

    /// What is asked for.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Where it goes on once the user is logged in: a path of this service, with nothing in it
    /// that somebody else chose.
    #[must_use]
    pub fn return_path(&self) -> String {
        format!("{}?request={}", ConsentPrompt::ACTION, self.id)
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
    pub(super) pending: PendingRequest,
    pub(super) user: User,
    pub(super) csrf: Csrf,
}

/// The token against forged consent.
#[derive(Clone)]
pub(super) struct Csrf(pub(super) String);

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

    /// The hidden fields of the form: names and values, of letters, digits, `-` and `_` alone.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, &str); 2] {
        [("request", &self.pending.id), ("csrf", &self.csrf.0)]
    }
}

impl Deref for ConsentPrompt {
    type Target = PendingRequest;

    fn deref(&self) -> &PendingRequest {
        &self.pending
    }
}

type Answer<'owner, T> = Pin<Box<dyn Future<Output = Result<T, OwnerError>> + Send + 'owner>>;

/// A host whose type is forgotten: the server is compiled once.
pub(super) trait Host: Send + Sync {
    fn current<'owner>(&'owner self, request: &'owner Parts) -> Answer<'owner, Option<User>>;

    fn login<'owner>(
        &'owner self,
        request: &'owner Parts,
        pending: PendingRequest,
    ) -> Answer<'owner, Response>;

    fn consent<'owner>(
        &'owner self,
        request: &'owner Parts,
        prompt: ConsentPrompt,
    ) -> Answer<'owner, Consent>;
}

impl<O: ResourceOwner> Host for O {
    fn current<'owner>(&'owner self, request: &'owner Parts) -> Answer<'owner, Option<User>> {
        Box::pin(ResourceOwner::current(self, request))
    }

    fn login<'owner>(
        &'owner self,
        request: &'owner Parts,
        pending: PendingRequest,
    ) -> Answer<'owner, Response> {
        Box::pin(ResourceOwner::login(self, request, pending))
    }

    fn consent<'owner>(
        &'owner self,
        request: &'owner Parts,
        prompt: ConsentPrompt,
    ) -> Answer<'owner, Consent> {
        Box::pin(ResourceOwner::consent(self, request, prompt))
    }
}
