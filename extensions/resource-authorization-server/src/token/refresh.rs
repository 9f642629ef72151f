use resource_oauth2::issuing::Revocation;

use super::Issued;
use super::grant::{EndedGrant, NewRefreshToken};
use super::replay::{Outcome, Rotation};
use crate::access_token;
use crate::authorization_server::ServerState;
use crate::encoding::hash;
use crate::error_response::{OauthError, Problem};
use crate::form::Form;
use crate::store::{ClientRow, GrantRow, RefreshRow};

/// Exchanges a refresh token for an access token and its own successor (RFC 6749, section 6).
pub(super) async fn refresh(
    state: &ServerState,
    client: &ClientRow,
    form: &Form,
) -> Result<Issued, Problem> {
    let missing = OauthError::invalid_request("the parameter refresh_token is missing");
    let token_hash = hash(form.get("refresh_token")?.ok_or(missing)?);
    require_permission(state, client, &token_hash).await?;
    let successor = NewRefreshToken::draw()?;
    let rotation = Rotation {
        token_hash: &token_hash,
        client,
        resource: &state.resource,
        scope: form.get("scope")?,
        successor: &successor,
        lifetimes: state.lifetimes,
        now: state.now(),
    };
    let (grant, scope) = match state.store.perform(&rotation).await? {
        Outcome::Rotated(grant, scope) => (grant, scope),
        Outcome::Refused(error) => return Err(error.into()),
        Outcome::Reused(grant) => {
            tracing::warn!(
                client = client.id,
                grant,
                "a refresh token was used twice; its grant is revoked"
            );
            state.announce([Revocation::Grant(grant)]).await;
            return Err(OauthError::INVALID_GRANT.into());
        }
    };
    tracing::info!(
        client = client.id,
        grant = grant.id,
        "a token was refreshed"
    );
    Ok(Issued {
        access_token: access_token::of_user(state, &grant, &scope)?,
        scope,
        refresh_token: Some(successor.token),
    })
}

/// The host is asked before anything is written: where it fails, the token is as good as before.
async fn require_permission(
    state: &ServerState,
    client: &ClientRow,
    token_hash: &str,
) -> Result<(), Problem> {
    let token = state.store.get::<RefreshRow>(token_hash).await?;
    let token = token.filter(|token| token.client_id == client.id);
    let token = token.ok_or(OauthError::INVALID_GRANT)?;
    let grant = state.store.get::<GrantRow>(&token.grant_id).await?;
    let grant = grant.filter(|grant| grant.revoked_at.is_none());
    let grant = grant.ok_or(OauthError::INVALID_GRANT)?;
    let scopes = grant.scope.scopes();
    let permits = state.host.still_permits(&grant.subject, &scopes).await;
    if permits.map_err(|cause| format!("the host failed: {cause}"))? {
        return Ok(());
    }
    let ended = EndedGrant {
        id: &grant.id,
        now: state.now(),
        reason: "the host permits it no more",
    };
    if state.store.perform(&ended).await? {
        tracing::info!(client = client.id, grant = grant.id, "a grant was revoked");
        state.announce([Revocation::Grant(grant.id)]).await;
    }
    Err(OauthError::INVALID_GRANT.into())
}
