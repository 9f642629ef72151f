//! Revocation of tokens, by clients (RFC 7009) and by users.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_oauth2::issuing::{Revocation, own_claims};
use resource_runtime::seam::{RowTransaction, TransactionScript};
use resource_runtime::{Error, ErrorKind};

use crate::authenticate::authenticate;
use crate::authorization_server::ServerState;
use crate::builder::OUTLASTING;
use crate::encoding::hash;
use crate::error_response::{OauthError, Problem};
use crate::form::{Form, answered};
use crate::limits::Limits;
use crate::store::{
    ClientRow, CodeRow, CodeRowField, GrantRow, GrantRowField, RefreshRow, RevokedTokenRow,
};
use crate::token::{EndedGrant, end_grant};

/// `POST /oauth/revoke` (RFC 7009): the same answer whether there was such a token or not.
pub(super) async fn revoke(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> Response {
    answered(state, request, Limits::check_introspection, answer).await
}

async fn answer(state: Arc<ServerState>, request: Parts, form: Form) -> Result<Response, Problem> {
    let client = authenticate(&state, &request, &form).await?;
    let missing = OauthError::invalid_request("the parameter token is missing");
    let token = form.get("token")?.ok_or(missing)?;
    if !revoke_refresh_token(&state, &client, token).await? {
        revoke_access_token(&state, &client, token).await?;
    }
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
    ];
    Ok((StatusCode::OK, headers).into_response())
}

/// Revokes all that stems from the approval that a refresh token stems from; answers whether it is
/// one of the client's. Where it is none, nothing is written that others would wait for.
async fn revoke_refresh_token(
    state: &ServerState,
    client: &ClientRow,
    token: &str,
) -> Result<bool, Problem> {
    let token = state.store.get::<RefreshRow>(&hash(token)).await?;
    let Some(token) = token.filter(|token| token.client_id == client.id) else {
        return Ok(false);
    };
    let ended = EndedGrant {
        id: &token.grant_id,
        now: state.now(),
        reason: "its client revoked it",
    };
    if state.store.perform(&ended).await? {
        state.announce([Revocation::Grant(token.grant_id)]).await;
    }
    Ok(true)
}

async fn revoke_access_token(
    state: &ServerState,
    client: &ClientRow,
    token: &str,
) -> Result<(), Problem> {
    let Some(row) = own_token(state, client, token) else {
        return Ok(());
    };
    let revocation = Revocation::Token(row.jti.clone());
    let known: Option<RevokedTokenRow> = state.store.get(&row.jti).await?;
    if known.is_some() {
        // Another instance may have been told, of which this one has not learned yet.
        state.revoked.add(revocation);
        return Ok(());
    }
    match state.store.insert(&row).await {
        // Somebody else did so at the same time.
        Err(error) if error.kind() != ErrorKind::NotUnique => Err(error.into()),
        Ok(()) | Err(_) => {
            state.announce([revocation]).await;
            Ok(())
        }
    }
}

/// What is to be kept of an access token of the client, by its signature and not by its times:
/// the clocks of others may still find it good, or will.
fn own_token(state: &ServerState, client: &ClientRow, token: &str) -> Option<RevokedTokenRow> {
    let key_set = state.key_set().to_string();
    let claims = own_claims(&state.issuer, &key_set, token)?;
    let text = |name: &str| claims.get(name)?.as_str();
    let expires_at = claims.get("exp")?.as_i64()?;
    let own = text("client_id") == Some(client.id.as_str());
    let known = expires_at > state.now().saturating_sub(OUTLASTING);
    (own && known).then_some(RevokedTokenRow {
        jti: text("jti")?.to_owned(),
        expires_at,
    })
}

/// Revokes all that a user approved; answers which approvals that were.
pub(super) struct UserRevocation<'user> {
    pub(super) subject: &'user str,
    pub(super) now: i64,
}

impl TransactionScript for UserRevocation<'_> {
    type Outcome = Vec<String>;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Vec<String>, Error> {
        // Codes first: one that is redeemed meanwhile is waited for, and its grant found.
        let subject = CodeRowField::Subject;
        let codes: Vec<CodeRow> = transaction.find_by(subject, self.subject).await?;
        for code in codes.iter().filter(|code| code.used_at.is_none()) {
            self.use_up(transaction, &code.code_hash).await?;
        }
        let subject = GrantRowField::Subject;
        let mut grants: Vec<GrantRow> = transaction.find_by(subject, self.subject).await?;
        grants.retain(|grant| grant.revoked_at.is_none());
        let mut revoked = Vec::new();
        for grant in grants {
            let reason = "all of its user were revoked";
            if end_grant(transaction, &grant.id, self.now, reason).await? {
                revoked.push(grant.id);
            }
        }
        Ok(revoked)
    }
}

impl UserRevocation<'_> {
    async fn use_up(&self, transaction: &mut RowTransaction, code_hash: &str) -> Result<(), Error> {
        let Some(mut code) = transaction.get_for_update::<CodeRow>(code_hash).await? else {
            return Ok(());
        };
        code.used_at.get_or_insert(self.now);
        transaction.update(&code).await
    }
}
