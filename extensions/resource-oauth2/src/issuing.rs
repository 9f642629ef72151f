//! The seam for a server that issues tokens in the same process, as `resource-authorization-server` does: the
//! cryptography, what was revoked, and its own tokens. It is no stable API.

use std::sync::Arc;

use resource_runtime::Error;
use serde_json::{Map, Value};

#[doc(hidden)]
pub use crate::authorization::published;
pub use crate::clock::{SystemClock, seconds};
#[doc(hidden)]
pub use crate::clock::{moment, seconds_of};
pub use crate::crypto::{Digest, SealingKey, SigningKey, digest, keyed_digest, random, same};
use crate::keys::KeySet;
use crate::token::Compact;
pub use crate::token::{Reading, Revocation, Revoked, RevokedTokens};
use crate::verifier::LONGEST_TOKEN;
pub use crate::well_known::{PROTECTED_RESOURCE, origin_and_path, resource_metadata_url};
use crate::{TokenVerifier, TrustedIssuer, fetch};

/// The claims of a token that `issuer` signed with a key of `key_set`, whether it is good or not.
#[must_use]
pub fn own_claims(issuer: &str, key_set: &str, token: &str) -> Option<Map<String, Value>> {
    let keys = KeySet::parse(key_set.as_bytes()).ok()?;
    let compact = (token.len() <= LONGEST_TOKEN).then(|| Compact::parse(token))?;
    let token = compact.ok()?;
    let key_id = token.key_id.as_deref();
    let verified = keys.verify(key_id, token.algorithm, token.signed, &token.signature);
    let own = verified.is_ok() && token.claims.get("iss")? == issuer;
    own.then_some(token.claims)
}

/// An issuer whose tokens are refused once they are among the revoked ones.
#[must_use]
pub fn with_revoked(mut issuer: TrustedIssuer, revoked: &Arc<RevokedTokens>) -> TrustedIssuer {
    issuer.revoked = Some(Arc::clone(revoked));
    issuer
}

/// Puts another key set in the place of the last one of `issuer`, which may have no key left.
///
/// # Errors
///
/// The issuer is not trusted, or the text is no key set.
pub fn follow_keys(verifier: &TokenVerifier, issuer: &str, key_set: &str) -> Result<(), Error> {
    verifier.change(issuer, |known| known.follow_keys(key_set.as_bytes()))
}

/// Refuses a URL that is not absolute, or neither `https` nor, where that is permitted, `http` on this
/// machine.
///
/// # Errors
///
/// What is wrong with it, and how to fix it.
pub fn check_url(url: &str, http_on_loopback: bool) -> Result<(), String> {
    fetch::checked(url, http_on_loopback).map(drop)
}
