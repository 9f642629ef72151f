//! Interface to the host, which knows the users.

mod host;
mod user;

use axum::http::request::Parts;
use axum::response::Response;
use resource_runtime::authorization::Scopes;

pub(super) use host::Host;
pub(super) use user::Csrf;
pub use user::{ConsentPrompt, PendingRequest, User};

/// An error of the host: a text for the log.
pub type OwnerError = Box<dyn std::error::Error + Send + Sync>;

/// Interface to the host: its sessions, and its pages for login and consent.
///
/// The server stores a pending authorization request while its user logs in and consents; the host
/// shows the pages for both. The login ends with a redirect to
/// [`return_path`](PendingRequest::return_path). The consent page has a form that is posted to
/// [`ACTION`](ConsentPrompt::ACTION) with the [`fields`](ConsentPrompt::fields) and a `decision`,
/// `approve` or `deny`.
///
/// The server sets headers that keep both pages out of frames and caches, and a
/// `content-security-policy` that forbids loading anything. A policy of the host, to allow a style
/// sheet for instance, replaces it. Leave out `form-action`: the server adds it with the address of
/// the client.
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
///     async fn current_user(&self, request: &Parts) -> Result<Option<User>, OwnerError> {
///         // Look up the session of the cookie.
///         let session = request.headers.get("cookie").and_then(|cookie| cookie.to_str().ok());
///         Ok(session.map(|session| User::new("ann", session, SystemTime::now())))
///     }
///
///     async fn login(&self, _: &Parts, pending: PendingRequest) -> Result<Response, OwnerError> {
///         // Store the path in the new session, or in the form of the page.
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
    /// The user who is logged in, by the cookie of the request for instance; `None` if nobody is.
    fn current_user(
        &self,
        request: &Parts,
    ) -> impl Future<Output = Result<Option<User>, OwnerError>> + Send;

    /// The response that lets a user log in: a page, or a redirect to a page of the host.
    fn login(
        &self,
        request: &Parts,
        pending: PendingRequest,
    ) -> impl Future<Output = Result<Response, OwnerError>> + Send;

    /// The decision of the user on the request of the client, or the page that asks for it.
    fn consent(
        &self,
        request: &Parts,
        prompt: ConsentPrompt,
    ) -> impl Future<Output = Result<Consent, OwnerError>> + Send;

    /// Tests that the user `subject` may still give a client these scopes, at each refresh of its
    /// token. Answer `false` for a user who was locked out or has fewer scopes now: the grant is
    /// revoked then. By default it is `true`.
    fn still_permits(
        &self,
        subject: &str,
        scopes: &Scopes,
    ) -> impl Future<Output = Result<bool, OwnerError>> + Send {
        // The parameters keep their names for implementers, but the default ignores them.
        let _ = (subject, scopes);
        std::future::ready(Ok(true))
    }
}

/// The decision of a user on a request for access.
#[derive(Debug)]
pub enum Consent {
    /// Not decided yet: this page asks the user.
    Ask(Response),
    /// Granted without asking: for clients of the same organisation alone, and not if the user
    /// [must be asked](ConsentPrompt::must_ask).
    Granted,
    /// Denied.
    Denied,
}
