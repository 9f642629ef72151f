use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::answer::{OauthError, Problem};
use super::authenticate::authenticate;
use super::body;
use super::shared::Shared;
use super::store::{ClientRow, GrantRow, RefreshRow, RevokedTokenRow, Work};
use super::text::hash;
use super::token::revoke_grant;
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// `POST /oauth/revoke` (RFC 7009): the same answer whether there was such a token or not.
pub(super) async fn revoke(
    State(shared): State<Arc<Shared>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (request, body) = request.into_parts();
    shared.limits.check_address(&request.extensions)?;
    let form = body::read(&request, body).await?;
    let client = authenticate(&shared, &request.headers, &form).await?;
    let missing = OauthError::invalid_request("the parameter token is missing");
    let token = form.get("token")?.ok_or(missing)?;
    if revoke_of(&shared, &client, token).await? {
        shared.announce().await;
    }
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
    ];
    Ok((StatusCode::OK, headers).into_response())
}

/// Whether anything was revoked.
async fn revoke_of(shared: &Shared, client: &ClientRow, token: &str) -> Result<bool, Problem> {
    let refresh = RefreshRevocation {
        token_hash: &hash(token),
        client_id: &client.id,
        now: shared.now(),
    };
    if shared.store.perform(&refresh).await? {
        return Ok(true);
    }
    let Ok(claims) = shared.verifier.verify(token).await else {
        return Ok(false);
    };
    let own = claims.client_id() == Some(client.id.as_str());
    let Some(jti) = claims.token_id().filter(|_| own) else {
        return Ok(false);
    };
    let revoked = AccessRevocation {
        jti,
        expires_at: claims.expires(),
    };
    match shared.store.perform(&revoked).await {
        // Somebody else did so at the same time.
        Ok(()) | Err(DatabaseFailure::Refused(_)) => Ok(true),
        Err(failure) => Err(failure.into()),
    }
}

/// Revokes all that stems from the approval that a refresh token stems from.
struct RefreshRevocation<'token> {
    token_hash: &'token str,
    client_id: &'token str,
    now: i64,
}

impl Work for RefreshRevocation<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction) -> Result<bool, DatabaseFailure> {
        let token = transaction.lock::<RefreshRow>(self.token_hash).await?;
        let Some(token) = token.filter(|token| token.client_id == self.client_id) else {
            return Ok(false);
        };
        let grant = transaction.lock::<GrantRow>(&token.grant_id).await?;
        let Some(grant) = grant.filter(|grant| grant.revoked_at.is_none()) else {
            return Ok(false);
        };
        revoke_grant(transaction, grant, self.now, "its client revoked it").await?;
        Ok(true)
    }
}

struct AccessRevocation<'token> {
    jti: &'token str,
    expires_at: i64,
}

impl Work for AccessRevocation<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), DatabaseFailure> {
        let row = RevokedTokenRow {
            jti: self.jti.to_owned(),
            expires_at: self.expires_at,
        };
        if transaction
            .lock::<RevokedTokenRow>(self.jti)
            .await?
            .is_some()
        {
            return Ok(());
        }
        transaction.store(&row).await.map(drop)
    }
}
