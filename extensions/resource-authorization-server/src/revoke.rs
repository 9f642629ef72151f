//! Revocation of tokens by clients (RFC 7009), and of all grants of a user by the host.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_oauth2::issuing::{Revocation, own_claims};
use resource_runtime::{Error, ErrorKind, Transaction};

use crate::authenticate::authenticate;
use crate::authorization_server::ServerState;
use crate::builder::MAX_TOKEN_AGE;
use crate::encoding::hash;
use crate::error_response::{EndpointError, EndpointResult, OauthError};
use crate::form::{Form, handle_form};
use crate::limits::Limits;
use crate::store::{
    ClientRow, CodeRow, GrantRow, NO_LIMIT, RefreshRow, RevokedTokenRow, TransactionScript,
};
use crate::token::revoke_grant;

/// Handles `POST /oauth/revoke` (RFC 7009). The response is the same for unknown tokens, so that it
/// tells nothing about them.
pub(super) async fn revoke(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> Response {
    handle_form(state, request, Limits::count_request_on_token, respond).await
}

async fn respond(state: Arc<ServerState>, request: Parts, form: Form) -> EndpointResult {
    let client = authenticate(&state, &request, &form).await?;
    let missing = OauthError::invalid_request("the parameter token is missing");
    let token = form.get("token")?.ok_or(missing)?;
    // Both kinds are tried, so `token_type_hint` is not needed (RFC 7009, section 2.1). A signed
    // token has no row as a refresh token, so the order does not matter for the result.
    if !revoke_refresh_token(&state, &client, token).await? {
        revoke_access_token(&state, &client, token).await?;
    }
    // The same response whatever was found, with no body.
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
    ];
    Ok((StatusCode::OK, headers).into_response())
}

/// Revokes the grant of a refresh token; `false` if the client has no such token. The token is
/// looked up without a lock, so that unknown tokens do not block writers.
async fn revoke_refresh_token(
    state: &ServerState,
    client: &ClientRow,
    token: &str,
) -> Result<bool, EndpointError> {
    let token = state.api.items::<RefreshRow>().get(hash(token)).await?;
    // The token of another client counts as unknown (RFC 7009, section 2.1).
    let Some(token) = token.filter(|token| token.client_id == client.id) else {
        return Ok(false);
    };
    let reason = "its client revoked it";
    state.revoke_grant(&token.grant_id, reason).await?;
    Ok(true)
}

async fn revoke_access_token(
    state: &ServerState,
    client: &ClientRow,
    token: &str,
) -> Result<(), EndpointError> {
    let Some(row) = own_token(state, client, token) else {
        return Ok(());
    };
    let revocation = Revocation::Token(row.jti.clone());
    // Read first, so that a repeated revocation takes no write lock.
    let revoked = state.api.items::<RevokedTokenRow>();
    if revoked.get(&row.jti).await?.is_some() {
        // Another instance may have revoked it since the last reload of this one.
        state.revoked.add(revocation);
        return Ok(());
    }
    match revoked.insert(row).await {
        Err(error) if error.kind() != ErrorKind::NotUnique => Err(error.into()),
        // `NotUnique`: a concurrent request inserted the same row, which is as good.
        Ok(_) | Err(_) => {
            state.apply_revocations([revocation]).await;
            Ok(())
        }
    }
}

/// The row for an access token of this client. Its signature is verified but not its times: by a
/// slower clock it may still be valid, or not be valid yet.
fn own_token(state: &ServerState, client: &ClientRow, token: &str) -> Option<RevokedTokenRow> {
    // Only a signature proves that the token is ours: anybody could make up a `jti` to fill the
    // table.
    let key_set = state.key_set().to_string();
    let claims = own_claims(&state.issuer, &key_set, token)?;
    let text = |name: &str| claims.get(name)?.as_str();
    let expires_at = claims.get("exp")?.as_i64()?;
    let own = text("client_id") == Some(client.id.as_str());
    // The bound is that of the sweep: a token that expired longer ago is accepted nowhere, by the slowest clock, and
    // its row would be deleted at once.
    let may_be_valid = expires_at > state.now().saturating_sub(MAX_TOKEN_AGE);
    (own && may_be_valid).then_some(RevokedTokenRow {
        jti: text("jti")?.to_owned(),
        expires_at,
    })
}

/// Revokes all grants of a user; the outcome is their ids.
pub(super) struct RevokeUser<'user> {
    pub(super) subject: &'user str,
    pub(super) now: i64,
}

impl TransactionScript for RevokeUser<'_> {
    type Outcome = Vec<String>;

    async fn run(&self, transaction: &mut Transaction) -> Result<Vec<String>, Error> {
        // Codes before grants: a concurrent redemption holds the lock of its code, so this waits
        // for it, and then finds its grant.
        // A used code has its grant already, which is revoked below, or will never have one.
        let unused = CodeRow::SUBJECT
            .eq(self.subject)
            .and(CodeRow::USED_AT.is_null());
        let codes = transaction
            .items::<CodeRow>()
            .filter(unused)
            .limit(NO_LIMIT);
        for hash in codes.select(CodeRow::CODE_HASH).all().await? {
            // Read again under its lock: it may have been redeemed or deleted since.
            let code = transaction.items::<CodeRow>().get_for_update(&hash).await?;
            if code.is_some_and(|code| code.used_at.is_none()) {
                // Used up, not deleted: a later redemption is then recognised as one of a used
                // code.
                let codes = transaction.items::<CodeRow>();
                codes.update(&hash).set(CodeRow::USED_AT, self.now).await?;
            }
        }
        // Read after the codes, so that a grant of a redemption that just committed is among them.
        let live = GrantRow::SUBJECT
            .eq(self.subject)
            .and(GrantRow::REVOKED_AT.is_null());
        let grants = transaction.items::<GrantRow>().filter(live).limit(NO_LIMIT);
        let mut revoked = Vec::new();
        for grant in grants.select(GrantRow::ID).all().await? {
            let reason = "all grants of its user were revoked";
            if revoke_grant(transaction, &grant, self.now, reason).await? {
                revoked.push(grant);
            }
        }
        Ok(revoked)
    }
}
