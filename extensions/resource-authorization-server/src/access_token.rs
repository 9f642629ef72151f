use serde_json::{Value, json};

use crate::authorization_server::Shared;
use crate::keys;
use crate::store::{ClientRow, GrantRow, Words};
use crate::text::{identifier, whole_seconds};

/// How clients are called where users are, so that none is taken for a user.
pub(super) const CLIENT_PREFIX: &str = "client:";

/// An access token on behalf of the user who made the grant.
pub(super) fn of_user(shared: &Shared, grant: &GrantRow, scope: &Words) -> Result<String, String> {
    let mut claims = claims(shared, &grant.client_id, scope)?;
    insert(&mut claims, "sub", grant.subject.as_str());
    insert(&mut claims, "aud", grant.resource.as_str());
    insert(&mut claims, "auth_time", grant.auth_time);
    insert(&mut claims, "gid", grant.id.as_str());
    keys::sign(&shared.keys.load(), shared.now(), &claims)
}

/// An access token on behalf of the client itself.
pub(super) fn of_client(
    shared: &Shared,
    client: &ClientRow,
    scope: &Words,
) -> Result<String, String> {
    let mut claims = claims(shared, &client.id, scope)?;
    insert(&mut claims, "sub", format!("{CLIENT_PREFIX}{}", client.id));
    insert(&mut claims, "aud", shared.resource.as_str());
    keys::sign(&shared.keys.load(), shared.now(), &claims)
}

/// What every token says (RFC 9068, section 2.2).
fn claims(shared: &Shared, client_id: &str, scope: &Words) -> Result<Value, String> {
    let now = shared.now();
    let lifetime = whole_seconds(shared.lifetimes.access_token);
    Ok(json!({
        "iss": shared.issuer,
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
