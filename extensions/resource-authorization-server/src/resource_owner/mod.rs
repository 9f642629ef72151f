//! The door to the host, which knows the users.

mod host;
mod user;

use axum::http::request::Parts;
use axum::response::Response;
use resource_runtime::authorization::Scopes;

pub(super) use host::Host;
pub(super) use user::Csrf;
pub use user::{ConsentPrompt, PendingRequest, User};

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
/// Both pages are kept out of frames and caches, and a `content-security-policy` that forbids to
/// load anything is set. A policy of the host's own, with a style sheet for instance, takes its
/// place; say nothing of `form-action` in it, so that it is told where the client is.
///
/// ```
/// use std::time::SystemTime;
///
/// use axum::http::request::Parts;
/// use axum::response::{Html, IntoResponse, Redirect, Response};
/// use resource_authorization_server::{
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

    /// Whether the user whom tokens call `subject` still lets a client do this, which is asked each
    /// time that the client refreshes its token: no for a user who was locked out or may do less
    /// now. All that stems from the approval is revoked then. By default it is yes.
    fn still_permits(
        &self,
        subject: &str,
        scopes: &Scopes,
    ) -> impl Future<Output = Result<bool, OwnerError>> + Send {
        let _ = (subject, scopes);
        std::future::ready(Ok(true))
    }
}

/// What a user says to a client that asks for access.
#[derive(Debug)]
pub enum Consent {
    /// Nothing yet: this page asks.
    Ask(Response),
    /// Yes, and nobody needs to ask: for clients of one's own alone, and not where it
    /// [must be asked](ConsentPrompt::must_ask).
    Granted,
    /// No.
    Denied,
}
