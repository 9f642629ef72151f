//! The refresh token grant (RFC 6749, section 6).

use resource_oauth2::issuing::Revocation;

use super::TokenResponse;
use super::grant::NewRefreshToken;
use super::replay::{RotateToken, RotationOutcome};
use crate::access_token;
use crate::authorization_server::ServerState;
use crate::encoding::hash;
use crate::error_response::{EndpointError, OauthError};
use crate::form::Form;
use crate::store::{ClientRow, GrantRow, RefreshRow};

/// Exchanges a refresh token for an access token and a new refresh token.
pub(super) async fn refresh(
    state: &ServerState,
    client: &ClientRow,
    form: &Form,
) -> Result<TokenResponse, EndpointError> {
    let missing = OauthError::invalid_request("the parameter refresh_token is missing");
    let token_hash = hash(form.get("refresh_token")?.ok_or(missing)?);
    require_host_permission(state, client, &token_hash).await?;
    // Drawn outside of the transaction, which may be retried as a whole.
    let successor = NewRefreshToken::generate()?;
    let rotation = RotateToken {
        token_hash: &token_hash,
        client,
        resource: &state.resource,
        scope: form.get("scope")?,
        successor: &successor,
        lifetimes: state.lifetimes,
        now: state.now(),
    };
    // The transaction repeats the checks under locks: token and grant may have changed while the
    // host was asked.
    let (grant, scope) = match state.perform(&rotation).await? {
        RotationOutcome::Rotated(grant, scope) => (grant, scope),
        RotationOutcome::Refused(error) => return Err(error.into()),
        RotationOutcome::Reused(grant) => {
            tracing::warn!(
                client = client.id,
                grant,
                "a refresh token was presented that a second party must hold; its grant is revoked"
            );
            state.apply_revocations([Revocation::Grant(grant)]).await;
            return Err(OauthError::INVALID_GRANT.into());
        }
    };
    tracing::info!(
        client = client.id,
        grant = grant.id,
        "a token was refreshed"
    );
    Ok(TokenResponse {
        // Signed after the commit. If this fails, the retry window lets the client present its
        // token again.
        access_token: access_token::for_user(state, &grant, &scope)?,
        scope,
        refresh_token: Some(successor.token),
    })
}

/// Asks the host whether the user still permits the grant, and revokes it if not. This comes before
/// the rotation: if the host fails, the token can still be used.
async fn require_host_permission(
    state: &ServerState,
    client: &ClientRow,
    token_hash: &str,
) -> Result<(), EndpointError> {
    // Read without a lock, so that no lock is held while the host works.
    let token = state.api.items::<RefreshRow>().get(token_hash).await?;
    let token = token.filter(|token| token.client_id == client.id);
    let token = token.ok_or(OauthError::INVALID_GRANT)?;
    let grant = state.api.items::<GrantRow>().get(&token.grant_id).await?;
    let grant = grant.filter(|grant| grant.revoked_at.is_none());
    let grant = grant.ok_or(OauthError::INVALID_GRANT)?;
    let scopes = grant.scope.scopes();
    // A failure of the host is no refusal: it revokes nothing, and the client may try again.
    let permits = state.host.still_permits(&grant.subject, &scopes).await;
    if permits.map_err(|cause| format!("the host failed: {cause}"))? {
        return Ok(());
    }
    let reason = "the host no longer permits it";
    if state.revoke_grant(&grant.id, reason).await? {
        tracing::info!(client = client.id, grant = grant.id, "a grant was revoked");
    }
    Err(OauthError::INVALID_GRANT.into())
}
