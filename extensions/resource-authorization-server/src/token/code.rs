use resource_oauth2::issuing::Revocation;
use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::Issued;
use super::grant::{NewRefreshToken, end_grant};
use crate::access_token;
use crate::authorization_server::ServerState;
use crate::builder::Lifetimes;
use crate::client::GrantType;
use crate::encoding::{hash, is_hashed, is_unreserved, whole_seconds};
use crate::error_response::{OauthError, Problem};
use crate::form::Form;
use crate::store::{ClientRow, CodeRow, GrantRow, SpaceSeparated};

/// Exchanges an authorization code for tokens (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
pub(super) async fn redeem(
    state: &ServerState,
    client: &ClientRow,
    form: &Form,
) -> Result<Issued, Problem> {
    let missing = OauthError::invalid_request("the parameter code is missing");
    let code = form.get("code")?.ok_or(missing)?;
    let verifier = form.get("code_verifier")?.filter(|it| is_verifier(it));
    let verifier = verifier.ok_or(OauthError::invalid_request(
        "the parameter code_verifier is missing, or not 43 to 128 unreserved characters",
    ))?;
    let grant_types = &client.grant_types;
    let refreshes = grant_types.contains(GrantType::RefreshToken.as_str());
    let refresh = refreshes.then(NewRefreshToken::draw).transpose()?;
    let redemption = Redemption {
        code_hash: &hash(code),
        client,
        redirect_uri: form.get("redirect_uri")?,
        verifier,
        refresh: refresh.as_ref(),
        lifetimes: state.lifetimes,
        now: state.now(),
    };
    let grant = match state.store.perform(&redemption).await? {
        Outcome::Granted(grant) => grant,
        Outcome::Refused => return Err(OauthError::INVALID_GRANT.into()),
        Outcome::Replayed(None) => {
            tracing::warn!(client = client.id, "a code was used again");
            return Err(OauthError::INVALID_GRANT.into());
        }
        Outcome::Replayed(Some(grant)) => {
            tracing::warn!(
                client = client.id,
                grant,
                "a code was used twice; its grant is revoked"
            );
            state.announce([Revocation::Grant(grant)]).await;
            return Err(OauthError::INVALID_GRANT.into());
        }
    };
    tracing::info!(client = client.id, grant = grant.id, "a code was redeemed");
    Ok(Issued {
        access_token: access_token::of_user(state, &grant, &grant.scope)?,
        scope: grant.scope,
        refresh_token: refresh.map(|refresh| refresh.token),
    })
}

/// The form of a verifier (RFC 7636, section 4.1).
fn is_verifier(verifier: &str) -> bool {
    (43..=128).contains(&verifier.len()) && is_unreserved(verifier)
}

struct Redemption<'request> {
    code_hash: &'request str,
    client: &'request ClientRow,
    redirect_uri: Option<&'request str>,
    verifier: &'request str,
    refresh: Option<&'request NewRefreshToken>,
    lifetimes: Lifetimes,
    now: i64,
}

enum Outcome {
    Granted(GrantRow),
    Refused,
    /// It was used before: the grant that it became is revoked, where it became one that was good.
    Replayed(Option<String>),
}

impl TransactionScript for Redemption<'_> {
    type Outcome = Outcome;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Outcome, Error> {
        let code: Option<CodeRow> = transaction.get_for_update(self.code_hash).await?;
        let Some(mut code) = code.filter(|code| code.client_id == self.client.id) else {
            return Ok(Outcome::Refused);
        };
        if code.used_at.is_some() {
            // There is no grant where a wrong verifier used it up.
            let reason = "its code was used twice";
            let revoked = end_grant(transaction, &code.grant_id, self.now, reason).await?;
            return Ok(Outcome::Replayed(revoked.then_some(code.grant_id)));
        }
        if self.now >= code.expires_at || !self.is_for(&code) {
            return Ok(Outcome::Refused);
        }
        // The client may have been changed since it asked.
        let scope = self.client.scopes_left(&code.scope);
        if scope.is_empty() {
            return Ok(Outcome::Refused);
        }
        // Also by a verifier that is wrong: nobody shall try several.
        code.used_at = Some(self.now);
        if !is_hashed(self.verifier, &code.challenge) {
            transaction.update(&code).await?;
            return Ok(Outcome::Refused);
        }
        let grant = self.grant(&code, scope);
        code.kept_until = grant.expires_at;
        transaction.update(&code).await?;
        transaction.insert(&grant).await?;
        if let Some(refresh) = self.refresh {
            let idle = whole_seconds(self.lifetimes.refresh_idle);
            let row = refresh.row(&grant, None, self.now, idle);
            transaction.insert(&row).await?;
        }
        Ok(Outcome::Granted(grant))
    }
}

impl Redemption<'_> {
    fn is_for(&self, code: &CodeRow) -> bool {
        let same = self.redirect_uri.is_none_or(|uri| uri == code.redirect_uri);
        same && self.client.is_at(&code.redirect_uri)
    }

    /// What the user approved, which ends with the last token that can stem from it.
    fn grant(&self, code: &CodeRow, scope: SpaceSeparated) -> GrantRow {
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
