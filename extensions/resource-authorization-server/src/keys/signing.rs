use serde_json::{Value, json};

use super::super::text;
use super::KeyRing;

/// An access token that says `claims` (RFC 9068), signed with the key that is active now.
pub(crate) fn sign(ring: &KeyRing, now: i64, claims: &Value) -> Result<String, String> {
    let (kid, key) = ring.signer(now)?;
    let header = json!({"typ": "at+jwt", "alg": "ES256", "kid": kid});
    let [header, claims] = [&header, claims].map(|part| text::encode(part.to_string().as_bytes()));
    let signed = format!("{header}.{claims}");
    let signature = key.sign(signed.as_bytes())?;
    Ok(format!("{signed}.{}", text::encode(&signature)))
}
