use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::answer::{OauthError, Problem};
use super::authenticate::authenticate;
use super::form::Form;
use super::lifetimes::OUTLASTING;
use super::own_claims::own_claims;
use super::shared::Shared;
use super::store::{ClientRow, RefreshRow, RevokedTokenRow, Work};
use super::text::hash;
use super::token::end_grant;
use super::{body, origin};
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// `POST /oauth/revoke` (RFC 7009): the same answer whether there was such a token or not.
pub(super) async fn revoke(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response {
    let (request, body) = request.into_parts();
    let form = body::read_any(&request, body).await;
    let named = origin::named(&form);
    let answer = match form {
        Ok(form) => answer(&shared, &request, &form).await,
        Err(problem) => Err(problem),
    };
    origin::readable(&shared, answer, named.as_deref(), &request.headers).await
}

async fn answer(shared: &Shared, request: &Parts, form: &Form) -> Result<Response, Problem> {
    form.check()?;
    let client = authenticate(shared, request, form).await?;
    let missing = OauthError::invalid_request("the parameter token is missing");
    let token = form.get("token")?.ok_or(missing)?;
    if revoke_of(shared, &client, token).await? {
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
    let Some(revoked) = access_revocation(shared, client, token) else {
        return Ok(false);
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
        let reason = "its client revoked it";
        end_grant(transaction, &token.grant_id, self.now, reason).await
    }
}

/// What is to be kept of an access token of the client, by its signature and not by its times:
/// the clocks of others may still find it good, or will.
fn access_revocation(shared: &Shared, client: &ClientRow, token: &str) -> Option<AccessRevocation> {
    let key_set = shared.key_set().to_string();
    let claims = own_claims(&shared.issuer, &key_set, token)?;
    let text = |name: &str| claims.get(name)?.as_str();
    let expires_at = claims.get("exp")?.as_i64()?;
    let own = text("client_id") == Some(client.id.as_str());
    let known = expires_at > shared.now().saturating_sub(OUTLASTING);
    (own && known).then_some(AccessRevocation {
        jti: text("jti")?.to_owned(),
        expires_at,
    })
}

struct AccessRevocation {
    jti: String,
    expires_at: i64,
}

impl Work for AccessRevocation {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), DatabaseFailure> {
        let row = RevokedTokenRow {
            jti: self.jti.clone(),
            expires_at: self.expires_at,
        };
        if transaction
            .lock::<RevokedTokenRow>(&self.jti)
            .await?
            .is_some()
        {
            return Ok(());
        }
        transaction.store(&row).await.map(drop)
    }
}
