//! The decision on a pending authorization request: a code for the client, or `access_denied`.

use axum::http::request::Parts;
use resource_oauth2::issuing::{same, seconds_of};
use resource_runtime::{Error, Transaction};

use super::consent;
use super::error::{AuthorizeError, AuthorizeResult};
use super::pending::Pending;
use crate::authorization_server::ServerState;
use crate::encoding::{hash, identifier, secret, whole_seconds};
use crate::error_page::AuthorizePageError;
use crate::error_response::{EndpointError, ErrorCode};
use crate::form::Form;
use crate::resource_owner::User;
use crate::store::{CodeRow, RequestRow, TransactionScript};

/// Handles the posted consent form, if this user was asked in this session.
pub(super) async fn handle_decision(
    state: &ServerState,
    request: &Parts,
    pending: Pending,
    form: &Form,
) -> AuthorizeResult {
    let redirect = pending.redirect(state);
    // The session ended between the page and the decision; after the login the user is asked again.
    let Some(user) = consent::logged_in_user(state, request, &redirect).await? else {
        return consent::login(state, request, &pending).await;
    };
    let pending = limit_scopes_to_user(state, pending, &user).await?;
    // Limited like on the page: the CSRF token is derived from the scopes that were shown. If the
    // user lost a scope meanwhile, it no longer fits.
    let expected = consent::csrf(&pending, &user);
    // A missing token is compared as an empty one, which never fits.
    let given = form.get("csrf").ok().flatten().unwrap_or_default();
    // Without a consent key nobody has been asked. A token under the empty key could be computed by
    // anybody, so it is never accepted.
    let was_asked = !pending.row.consent_key.is_empty();
    if !was_asked || !same(expected.as_bytes(), given.as_bytes()) {
        tracing::warn!(
            client = pending.client.id,
            "a consent was refused: its CSRF token does not fit this session, user and scopes"
        );
        return Err(AuthorizePageError::ForgedConsent.into());
    }
    match form.get("decision") {
        Ok(Some("approve")) => granted(state, pending, &user).await,
        // Anything but an explicit approval is a denial.
        _ => denied(state, pending).await,
    }
}

/// Redirects the user to the client with a code.
pub(super) async fn granted(state: &ServerState, pending: Pending, user: &User) -> AuthorizeResult {
    let redirect = pending.redirect(state);
    let issued = issue_code(state, pending, user).await;
    let code = issued.map_err(|error| AuthorizeError::for_client(error, redirect.clone()))?;
    // The user decided twice, such as by a double click: the first response carries the code.
    let code = code.ok_or(AuthorizePageError::Gone)?;
    Ok(redirect.with(&[("code", &code)]))
}

/// Limits the requested scopes to those of the user. The request of a user who has none of them is
/// denied.
pub(super) async fn limit_scopes_to_user(
    state: &ServerState,
    mut pending: Pending,
    user: &User,
) -> Result<Pending, AuthorizeError> {
    // Without a list, the user can give all scopes.
    let Some(own) = &user.scopes else {
        return Ok(pending);
    };
    let requested = pending.row.scope;
    pending.row.scope = requested.iter().filter(|it| own.contains(it)).collect();
    if pending.row.scope.is_empty() && !requested.is_empty() {
        let reason = "the user has none of these scopes to give";
        return Err(refuse(state, pending, reason).await);
    }
    Ok(pending)
}

/// Redirects the user to the client with `access_denied`.
pub(super) async fn denied(state: &ServerState, pending: Pending) -> AuthorizeResult {
    Err(refuse(state, pending, "the user did not consent").await)
}

async fn refuse(state: &ServerState, pending: Pending, reason: &'static str) -> AuthorizeError {
    let redirect = pending.redirect(state);
    let script = SettleRequest {
        id_hash: &pending.row.id_hash,
        // No code: the request is just deleted.
        code: None,
    };
    match state.perform(&script).await {
        Ok(true) => AuthorizeError::Redirect(redirect, ErrorCode::ACCESS_DENIED.described(reason)),
        Ok(false) => AuthorizePageError::Gone.into(),
        Err(error) => AuthorizeError::for_client(error, redirect),
    }
}

/// A new code; `None` where the request was settled before.
async fn issue_code(
    state: &ServerState,
    pending: Pending,
    user: &User,
) -> Result<Option<String>, EndpointError> {
    // Drawn outside of the transaction, which may be retried as a whole.
    let code = secret()?;
    let request = pending.row;
    let lifetime = whole_seconds(state.lifetimes.code);
    let expires_at = state.now().saturating_add(lifetime);
    let row = CodeRow {
        code_hash: hash(&code),
        grant_id: identifier()?,
        client_id: pending.client.id,
        subject: user.subject.clone(),
        redirect_uri: request.redirect_uri,
        scope: request.scope,
        resource: request.resource,
        challenge: request.challenge,
        auth_time: seconds_of(user.authenticated_at),
        expires_at,
        // The redemption extends this to the end of the grant; an unused code has no replay to
        // detect.
        kept_until: expires_at,
        used_at: None,
    };
    let script = SettleRequest {
        id_hash: &request.id_hash,
        code: Some(&row),
    };
    Ok(state.perform(&script).await?.then_some(code))
}

/// Deletes a pending request and stores the code, if any. The outcome is `false` where the request
/// is gone: of two decisions on one request the row lock lets the first alone issue a code.
struct SettleRequest<'request> {
    id_hash: &'request str,
    code: Option<&'request CodeRow>,
}

impl TransactionScript for SettleRequest<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction) -> Result<bool, Error> {
        let requests = transaction.items::<RequestRow>();
        if requests.get_for_update(self.id_hash).await?.is_none() {
            return Ok(false);
        }
        // Both in one transaction: a lost code leaves the request pending, and a stored code
        // settles it.
        transaction
            .items::<RequestRow>()
            .delete(self.id_hash)
            .await?;
        if let Some(code) = self.code {
            transaction.items().insert(code.clone()).await?;
        }
        Ok(true)
    }
}
