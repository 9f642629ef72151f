//! Claims of access tokens (RFC 9068).

use resource_oauth2::issuing::CLIENT_PREFIX;
use serde_json::{Value, json};

use crate::authorization_server::ServerState;
use crate::encoding::{identifier, whole_seconds};
use crate::keys;
use crate::store::{ClientRow, GrantRow, SpaceSeparated};

/// An access token for the user who made the grant.
pub(super) fn for_user(
    state: &ServerState,
    grant: &GrantRow,
    scope: &SpaceSeparated,
) -> Result<String, String> {
    let mut claims = claims(state, &grant.client_id, scope)?;
    insert(&mut claims, "sub", grant.subject.as_str());
    insert(&mut claims, "aud", grant.resource.as_str());
    insert(&mut claims, "auth_time", grant.auth_time);
    // A private claim: by it verifiers refuse all tokens of a revoked grant.
    insert(&mut claims, "gid", grant.id.as_str());
    keys::sign(&state.keys.load(), state.now(), &claims)
}

/// An access token for the client itself. It has no grant: such tokens are revoked one by one, or with the client.
pub(super) fn for_client(
    state: &ServerState,
    client: &ClientRow,
    scope: &SpaceSeparated,
) -> Result<String, String> {
    let mut claims = claims(state, &client.id, scope)?;
    insert(&mut claims, "sub", format!("{CLIENT_PREFIX}{}", client.id));
    insert(&mut claims, "aud", state.resource.as_str());
    keys::sign(&state.keys.load(), state.now(), &claims)
}

/// The claims that all tokens share (RFC 9068, section 2.2).
fn claims(state: &ServerState, client_id: &str, scope: &SpaceSeparated) -> Result<Value, String> {
    let now = state.now();
    let lifetime = whole_seconds(state.lifetimes.access_token);
    Ok(json!({
        "iss": state.issuer,
        "iat": now,
        "exp": now.saturating_add(lifetime),
        "jti": identifier()?,
        "client_id": client_id,
        "scope": scope.as_str(),
    }))
}

fn insert(claims: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(claims) = claims.as_object_mut() {
        claims.insert(name.to_owned(), value.into());
    }
}
