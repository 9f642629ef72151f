//! Login and consent: the pages of the host, and the CSRF token that binds consent to a session.

use axum::http::request::Parts;
use axum::response::Response;
use resource_oauth2::issuing::{CLIENT_PREFIX, keyed_digest};

use super::decision;
use super::error::{AuthorizeError, AuthorizeResult, ClientRedirect};
use super::pending::{self, Pending};
use crate::authorization_server::ServerState;
use crate::client::{form_action, is_on_device};
use crate::encoding;
use crate::error_page::with_security_headers;
use crate::resource_owner::{Consent, ConsentPrompt, Csrf, OwnerError, User};

/// Bound on subjects (OpenID Connect Core, section 2).
const MAX_SUBJECT: usize = 255;

/// Asks the host for the consent of the user, and handles it where the host decides at once.
pub(super) async fn request_consent(
    state: &ServerState,
    request: &Parts,
    pending: Pending,
    user: User,
) -> AuthorizeResult {
    // The key is stored before the page is made, because the CSRF token of its form is derived from it.
    let pending = pending::with_consent_key(state, pending).await?;
    let pending = decision::limit_scopes_to_user(state, pending, &user).await?;
    let must_ask = must_ask(&pending);
    let prompt = ConsentPrompt {
        pending: pending.for_host(),
        must_ask,
        csrf: Csrf(csrf(&pending, &user)),
        user: user.clone(),
    };
    // The host sees the scopes that the user can give, and neither the key nor the code challenge.
    let consent = state.host.consent(request, prompt).await;
    match consent.map_err(|cause| host_failure(&cause, pending.redirect(state)))? {
        Consent::Ask(page) => Ok(secured(page, &pending)),
        // A mistake in the code of the host must not become a grant.
        Consent::Granted if must_ask => {
            let cause = "the host granted access without asking a user who must be asked; see \
                         `ConsentPrompt::must_ask`";
            Err(AuthorizeError::internal(cause, pending.redirect(state)))
        }
        Consent::Granted => decision::granted(state, pending, &user).await,
        Consent::Denied => decision::denied(state, pending).await,
    }
}

/// Tests that the client is public and on the user's device: any other program there could have
/// sent the user in its name, so consent must not be skipped (RFC 8252, section 8.6).
fn must_ask(pending: &Pending) -> bool {
    !pending.client.is_confidential() && is_on_device(&pending.row.redirect_uri)
}

/// The user who is logged in at the host; an invalid subject is a failure of the host.
pub(super) async fn logged_in_user(
    state: &ServerState,
    request: &Parts,
    redirect: &ClientRedirect,
) -> Result<Option<User>, AuthorizeError> {
    let user = state.host.current_user(request).await;
    let user = user.map_err(|cause| host_failure(&cause, redirect.clone()))?;
    // Checked at every visit, and before anything is stored under this subject.
    if user.as_ref().is_some_and(|user| !is_subject(&user.subject)) {
        let cause = "the host has a user whose subject begins like that of a client, is empty or \
                     longer than 255 bytes, or holds control characters";
        return Err(AuthorizeError::internal(cause, redirect.clone()));
    }
    Ok(user)
}

/// Tests that somebody is logged in, for a request that ends in an error.
pub(super) async fn is_logged_in(state: &ServerState, request: &Parts) -> bool {
    let user = state.host.current_user(request).await;
    let user = user.inspect_err(|cause| {
        tracing::warn!(%cause, "the host failed to tell who is logged in");
    });
    // If the host fails, the error stays on our own page, which is the safe side.
    user.is_ok_and(|user| user.is_some())
}

/// Tests the form of a subject. A user with the subject of a client would own what the client owns.
fn is_subject(subject: &str) -> bool {
    (1..=MAX_SUBJECT).contains(&subject.len())
        && !subject.chars().any(char::is_control)
        && !subject.starts_with(CLIENT_PREFIX)
}

/// The login page of the host.
pub(super) async fn login(
    state: &ServerState,
    request: &Parts,
    pending: &Pending,
) -> AuthorizeResult {
    let page = state.host.login(request, pending.for_host()).await;
    let page = page.map_err(|cause| host_failure(&cause, pending.redirect(state)))?;
    Ok(secured(page, pending))
}

/// A page of the host with security headers. Its form leads to this service and may be redirected
/// from there to the client, which browsers check against `form-action`, too.
fn secured(page: Response, pending: &Pending) -> Response {
    let client = form_action(&pending.row.redirect_uri);
    with_security_headers(page, &format!("'self' {client}"))
}

fn host_failure(cause: &OwnerError, redirect: ClientRedirect) -> AuthorizeError {
    AuthorizeError::internal(&format!("the host failed: {cause}"), redirect)
}

/// The CSRF token of a consent form: a digest of session, user and scopes under the secret key of
/// the pending request. Only a page shown in this session, to this user, for these scopes holds it.
pub(super) fn csrf(pending: &Pending, user: &User) -> String {
    let scope = pending.row.scope.as_str();
    // NUL separates the parts, so that no two users and sessions give one text; subjects have no
    // control characters.
    let shown = format!("{}\0{}\0{scope}", user.session, user.subject);
    encoding::encode(&keyed_digest(&pending.row.consent_key, shown.as_bytes()))
}
