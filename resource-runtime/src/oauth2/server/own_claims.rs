use serde_json::{Map, Value};

use crate::oauth2::keys::KeySet;
use crate::oauth2::token::Compact;
use crate::oauth2::verifier::LONGEST_TOKEN;

/// What a token says that `issuer` signed with a key of `key_set`, whether it is good or not.
pub(super) fn own_claims(issuer: &str, key_set: &str, token: &str) -> Option<Map<String, Value>> {
    let keys = KeySet::parse(key_set.as_bytes()).ok()?;
    let compact = (token.len() <= LONGEST_TOKEN).then(|| Compact::parse(token))?;
    let token = compact.ok()?;
    let key_id = token.key_id.as_deref();
    let verified = keys.verify(key_id, token.algorithm, token.signed, &token.signature);
    let own = verified.is_ok() && token.claims.get("iss")? == issuer;
    own.then_some(token.claims)
}
