//! The authorization code grant: redemption of codes, with PKCE and replay detection.

use resource_oauth2::issuing::Revocation;
use resource_runtime::{Error, Transaction};

use super::TokenResponse;
use super::grant::{NewRefreshToken, revoke_grant};
use crate::access_token;
use crate::authorization_server::ServerState;
use crate::builder::Lifetimes;
use crate::client::GrantType;
use crate::encoding::{hash, is_unreserved, matches_hash, whole_seconds};
use crate::error_response::{EndpointError, OauthError};
use crate::form::Form;
use crate::store::{ClientRow, CodeRow, GrantRow, SpaceSeparated, TransactionScript};

/// Redeems an authorization code for tokens (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
pub(super) async fn redeem(
    state: &ServerState,
    client: &ClientRow,
    form: &Form,
) -> Result<TokenResponse, EndpointError> {
    // Malformed parameters are refused before the transaction, so that they do not use up the code.
    let missing = OauthError::invalid_request("the parameter code is missing");
    let code = form.get("code")?.ok_or(missing)?;
    let verifier = form.get("code_verifier")?.filter(|it| is_verifier(it));
    let verifier = verifier.ok_or(OauthError::invalid_request(
        "the parameter code_verifier is missing, or not 43 to 128 unreserved characters",
    ))?;
    // The refresh token is drawn here, not in the transaction, which may be retried as a whole.
    let refreshes = client.require(GrantType::RefreshToken).is_ok();
    let refresh = refreshes.then(NewRefreshToken::generate).transpose()?;
    let redemption = RedeemCode {
        code_hash: &hash(code),
        client,
        redirect_uri: form.get("redirect_uri")?,
        verifier,
        refresh: refresh.as_ref(),
        lifetimes: state.lifetimes,
        now: state.now(),
    };
    let grant = match state.perform(&redemption).await? {
        CodeOutcome::Granted(grant) => grant,
        CodeOutcome::Refused => return Err(OauthError::INVALID_GRANT.into()),
        // The grant was revoked before or never existed, so there is nothing to distribute.
        CodeOutcome::Replayed(None) => {
            tracing::warn!(client = client.id, "a used code was presented again");
            return Err(OauthError::INVALID_GRANT.into());
        }
        CodeOutcome::Replayed(Some(grant)) => {
            tracing::warn!(
                client = client.id,
                grant,
                "a code was used twice; its grant is revoked"
            );
            // The revocation is committed. Access tokens of the thief must be refused from now on,
            // too.
            state.apply_revocations([Revocation::Grant(grant)]).await;
            return Err(OauthError::INVALID_GRANT.into());
        }
    };
    tracing::info!(client = client.id, grant = grant.id, "a code was redeemed");
    Ok(TokenResponse {
        // Signed after the commit, so that no token exists whose grant was not stored.
        access_token: access_token::for_user(state, &grant, &grant.scope)?,
        scope: grant.scope,
        refresh_token: refresh.map(|refresh| refresh.token),
    })
}

/// Tests the form of a PKCE code verifier (RFC 7636, section 4.1).
fn is_verifier(verifier: &str) -> bool {
    (43..=128).contains(&verifier.len()) && is_unreserved(verifier)
}

/// Redeems a code in a transaction that locks its row, so that it is redeemed once.
struct RedeemCode<'request> {
    code_hash: &'request str,
    client: &'request ClientRow,
    redirect_uri: Option<&'request str>,
    verifier: &'request str,
    refresh: Option<&'request NewRefreshToken>,
    lifetimes: Lifetimes,
    now: i64,
}

/// Result of a redemption.
enum CodeOutcome {
    Granted(GrantRow),
    Refused,
    /// The code was used before. The grant that is revoked for this; `None` if it was revoked before
    /// or never existed.
    Replayed(Option<String>),
}

impl TransactionScript for RedeemCode<'_> {
    type Outcome = CodeOutcome;

    async fn run(&self, transaction: &mut Transaction) -> Result<CodeOutcome, Error> {
        // The code of another client is unknown to this one, which can neither use it up nor revoke
        // its grant.
        let code = transaction
            .items::<CodeRow>()
            .get_for_update(self.code_hash)
            .await?;
        let Some(code) = code.filter(|code| code.client_id == self.client.id) else {
            return Ok(CodeOutcome::Refused);
        };
        // Tested before the expiry: a replay is a sign of theft however late it comes (RFC 6749,
        // section 4.1.2).
        if code.used_at.is_some() {
            // No grant exists if the code was used up by a wrong verifier.
            let reason = "its code was used twice";
            let revoked = revoke_grant(transaction, &code.grant_id, self.now, reason).await?;
            return Ok(CodeOutcome::Replayed(revoked.then_some(code.grant_id)));
        }
        // A redirect URI is no secret that somebody could guess at, so this refusal leaves the code
        // unused.
        if self.now >= code.expires_at || !self.is_for(&code) {
            return Ok(CodeOutcome::Refused);
        }
        // The client may have lost scopes since it sent the authorization request.
        let scope = self.client.limit_scopes(&code.scope);
        if scope.is_empty() {
            return Ok(CodeOutcome::Refused);
        }
        // A wrong verifier uses up the code, too: nobody may try several on a stolen code.
        let used = transaction.items::<CodeRow>().update(self.code_hash);
        let used = used.set(CodeRow::USED_AT, self.now);
        if !matches_hash(self.verifier, &code.challenge) {
            used.await?;
            return Ok(CodeOutcome::Refused);
        }
        // The code is kept for as long as its grant, so that a replay can still revoke it.
        let grant = self.new_grant(&code, scope);
        used.set(CodeRow::KEPT_UNTIL, grant.expires_at).await?;
        transaction.items().insert(grant.clone()).await?;
        // The first token of a grant has no parent.
        if let Some(refresh) = self.refresh {
            let idle = whole_seconds(self.lifetimes.refresh_idle);
            let row = refresh.row(&grant, None, self.now, idle);
            transaction.items().insert(row).await?;
        }
        Ok(CodeOutcome::Granted(grant))
    }
}

impl RedeemCode<'_> {
    /// Tests the redirect URI. It may be left out, because PKCE prevents the attack that its
    /// repetition was meant for; the client must still have it registered.
    fn is_for(&self, code: &CodeRow) -> bool {
        let matches = self.redirect_uri.is_none_or(|uri| uri == code.redirect_uri);
        matches && self.client.has_redirect_uri(&code.redirect_uri)
    }

    /// The grant. With refresh tokens its last access token may outlive it.
    fn new_grant(&self, code: &CodeRow, scope: SpaceSeparated) -> GrantRow {
        // Without a refresh token, nothing can be issued after the first access token.
        let lifetime = match self.refresh {
            Some(_) => self.lifetimes.refresh_absolute,
            None => self.lifetimes.access_token,
        };
        GrantRow {
            id: code.grant_id.clone(),
            client_id: code.client_id.clone(),
            subject: code.subject.clone(),
            scope,
            resource: code.resource.clone(),
            auth_time: code.auth_time,
            created_at: self.now,
            expires_at: self.now.saturating_add(whole_seconds(lifetime)),
            revoked_at: None,
            revoke_reason: None,
        }
    }
}
