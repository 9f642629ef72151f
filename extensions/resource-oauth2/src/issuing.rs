//! The interface for an authorization server in the same process, such as `resource-authorization-server`:
//! cryptography, revocation, and verification of its own tokens. It is not a stable API.

use std::sync::Arc;

use resource_runtime::Error;
use serde_json::{Map, Value};

pub use crate::authorization::published;
pub use crate::builder::MAX_LEEWAY;
pub use crate::clock::{SystemClock, moment, seconds, seconds_of};
pub use crate::crypto::{Digest, SealingKey, SigningKey, digest, keyed_digest, random, same};
pub use crate::introspection::form_encoded;
use crate::keys::KeySet;
pub use crate::token::CLIENT_PREFIX;
use crate::token::Compact;
pub use crate::token::{Reading, Revocation, Revoked, RevokedTokens};
use crate::verifier::MAX_TOKEN_LENGTH;
pub use crate::well_known::{PROTECTED_RESOURCE, origin_and_path, resource_metadata_url};
use crate::{TokenVerifier, TrustedIssuer, fetch};

/// The claims of a token signed by `issuer` with a key of `key_set`, even if the token has expired or was revoked.
#[must_use]
pub fn own_claims(issuer: &str, key_set: &str, token: &str) -> Option<Map<String, Value>> {
    // Any failure is one answer, `None`: the token is not one of ours, whatever its fault.
    let keys = KeySet::parse(key_set.as_bytes()).ok()?;
    // The length is checked before anything is decoded, like in the verifier.
    let compact = (token.len() <= MAX_TOKEN_LENGTH).then(|| Compact::parse(token))?;
    let token = compact.ok()?;
    let key_id = token.key_id.as_deref();
    let verified = keys.verify(key_id, token.algorithm, token.signed, &token.signature);
    // Keys do not name their issuer, so the claim is compared as well.
    let own = verified.is_ok() && token.claims.get("iss")? == issuer;
    own.then_some(token.claims)
}

/// Makes an issuer refuse the tokens in a revocation list.
#[must_use]
pub fn with_revoked(mut issuer: TrustedIssuer, revoked: &Arc<RevokedTokens>) -> TrustedIssuer {
    issuer.revoked = Some(Arc::clone(revoked));
    issuer
}

/// Replaces the key set of `issuer`, also by one without keys.
///
/// # Errors
///
/// Fails if the issuer is not trusted, or the text is not a key set.
pub fn set_keys(verifier: &TokenVerifier, issuer: &str, key_set: &str) -> Result<(), Error> {
    verifier.with_issuer(issuer, |known| known.set_keys(key_set.as_bytes()))
}

/// Checks for an absolute `https` URL, or `http` on the loopback interface if that is permitted.
///
/// # Errors
///
/// Says what is wrong with the URL, and how to fix it.
pub fn check_url(url: &str, http_on_loopback: bool) -> Result<(), String> {
    fetch::permitted(url, http_on_loopback).map(drop)
}
