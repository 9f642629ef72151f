use axum::http::request::Parts;
use axum::response::Response;
use resource_oauth2::issuing::{same, seconds_of};
use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::consent;
use super::outcome::Outcome;
use super::pending::Pending;
use crate::authorization_server::ServerState;
use crate::encoding::{hash, identifier, secret, whole_seconds};
use crate::error_page::AuthorizePageError;
use crate::error_response::{ErrorName, Problem};
use crate::form::Form;
use crate::resource_owner::User;
use crate::store::{CodeRow, RequestRow};

/// Takes what a user decided, if it was this user in this session who was asked.
pub(super) async fn handle_decision(
    state: &ServerState,
    request: &Parts,
    pending: Pending,
    form: &Form,
) -> Result<Response, Outcome> {
    let back = pending.back(state);
    let Some(user) = consent::current(state, request, &back).await? else {
        return consent::login(state, request, &pending).await;
    };
    let pending = limit_scopes_to_user(state, pending, &user).await?;
    let expected = consent::csrf(&pending, &user);
    let given = form.get("csrf").ok().flatten().unwrap_or_default();
    // Before a user was logged in nobody was asked, and there is no key that a token could be of.
    let was_asked = !pending.row.consent_key.is_empty();
    if !was_asked || !same(expected.as_bytes(), given.as_bytes()) {
        tracing::warn!(client = pending.client.id, "a consent was forged");
        return Err(Outcome::AuthorizePageError(AuthorizePageError::Forged));
    }
    match form.get("decision") {
        Ok(Some("approve")) => granted(state, pending, &user).await,
        _ => denied(state, pending).await,
    }
}

/// Sends the user back with a code.
pub(super) async fn granted(
    state: &ServerState,
    pending: Pending,
    user: &User,
) -> Result<Response, Outcome> {
    let back = pending.back(state);
    let issued = issue(state, pending, user).await;
    let code = issued.map_err(|problem| Outcome::of_problem(problem, back.clone()))?;
    let code = code.ok_or(Outcome::AuthorizePageError(AuthorizePageError::Gone))?;
    Ok(back.with(&[("code", &code)]))
}

/// The request for as much as the user has to give. Somebody who has nothing of it cannot say yes.
pub(super) async fn limit_scopes_to_user(
    state: &ServerState,
    mut pending: Pending,
    user: &User,
) -> Result<Pending, Outcome> {
    let Some(own) = &user.scopes else {
        return Ok(pending);
    };
    let asked = pending.row.scope;
    pending.row.scope = asked.iter().filter(|scope| own.contains(scope)).collect();
    if pending.row.scope.is_empty() && !asked.is_empty() {
        let reason = "the user has none of these scopes to give";
        return Err(refused(state, pending, reason).await);
    }
    Ok(pending)
}

/// Sends the user back without.
pub(super) async fn denied(state: &ServerState, pending: Pending) -> Result<Response, Outcome> {
    Err(refused(state, pending, "the user did not consent").await)
}

async fn refused(state: &ServerState, pending: Pending, reason: &'static str) -> Outcome {
    let back = pending.back(state);
    let answer = Answer {
        id_hash: &pending.row.id_hash,
        code: None,
    };
    match state.store.perform(&answer).await {
        Ok(true) => Outcome::Back(back, ErrorName::ACCESS_DENIED.described(reason)),
        Ok(false) => Outcome::AuthorizePageError(AuthorizePageError::Gone),
        Err(failure) => Outcome::of_problem(failure.into(), back),
    }
}

/// A new code; `None` where the request was answered before.
async fn issue(
    state: &ServerState,
    pending: Pending,
    user: &User,
) -> Result<Option<String>, Problem> {
    let code = secret()?;
    let Pending { row, client, .. } = pending;
    let id_hash = row.id_hash;
    let lifetime = whole_seconds(state.lifetimes.code);
    let expires_at = state.now().saturating_add(lifetime);
    let row = CodeRow {
        code_hash: hash(&code),
        grant_id: identifier()?,
        client_id: client.id,
        subject: user.subject.clone(),
        redirect_uri: row.redirect_uri,
        scope: row.scope,
        resource: row.resource,
        challenge: row.challenge,
        auth_time: seconds_of(user.authenticated_at),
        expires_at,
        kept_until: expires_at,
        used_at: None,
    };
    let answer = Answer {
        id_hash: &id_hash,
        code: Some(&row),
    };
    let first = state.store.perform(&answer).await?;
    Ok(first.then_some(code))
}

/// Answers a request, once; says whether this was the time.
struct Answer<'request> {
    id_hash: &'request str,
    code: Option<&'request CodeRow>,
}

impl TransactionScript for Answer<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<bool, Error> {
        let request: Option<RequestRow> = transaction.get_for_update(self.id_hash).await?;
        if request.is_none() {
            return Ok(false);
        }
        transaction.delete::<RequestRow>(self.id_hash).await?;
        if let Some(code) = self.code {
            transaction.insert(code).await?;
        }
        Ok(true)
    }
}
