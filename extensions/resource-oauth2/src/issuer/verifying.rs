//! Verification of the signed tokens of one issuer.

use std::sync::Arc;

use jsonwebtoken::Algorithm;
use resource_runtime::authorization::{Claims, InvalidToken, Refusal};

use super::{KeyOrigin, TrustedIssuer};
use crate::clock::{Clock, seconds};
use crate::keys::{KeySet, KeySource};
use crate::token::{Compact, Mapping, Rules};

/// A trusted issuer with its keys, ready to verify tokens.
pub(crate) struct VerifyingIssuer {
    issuer: String,
    algorithms: Vec<Algorithm>,
    /// `false` for a shared secret, which has no key id: a `kid` in the token is then ignored.
    has_key_ids: bool,
    rules: Rules,
    pub(crate) mapping: Mapping,
    source: Arc<KeySource>,
}

impl VerifyingIssuer {
    pub(crate) fn new(trusted: &TrustedIssuer, leeway: i64, source: KeySource) -> Self {
        // The origin of the keys decides the algorithm: a secret verifies by HMAC, published keys never do.
        let secret = matches!(trusted.origin, KeyOrigin::Secret(_));
        let published = trusted.algorithms.iter().map(|it| it.to_jwt());
        Self {
            issuer: trusted.issuer.clone(),
            // A shared secret allows HS256 alone, and no other origin allows it: an attacker could use a
            // public key as the secret (algorithm confusion).
            algorithms: if secret {
                vec![Algorithm::HS256]
            } else {
                published.collect()
            },
            has_key_ids: !secret,
            rules: Rules {
                audience: trusted.audience.clone(),
                profile: trusted.profile,
                requirement: trusted.requirement.clone(),
                leeway,
            },
            mapping: trusted.mapping.clone(),
            source: Arc::new(source),
        }
    }

    /// Fetches its keys; fails if none of them supports a permitted algorithm.
    pub(crate) async fn load_keys(&self) -> Result<(), String> {
        self.source.load().await?;
        let current = self.source.keys().await.map_err(|it| it.to_string())?;
        // Keys that no permitted algorithm can use would refuse every token, which is better found at
        // start.
        current.keys.require_one_for(&self.algorithms)
    }

    /// Replaces its keys; fails if none of the new ones supports a permitted algorithm.
    pub(crate) fn replace_keys(&self, document: &[u8]) -> Result<(), String> {
        // Both checks may fail, so they come before anything is changed.
        let keys = KeySet::parse(document)?;
        keys.require_one_for(&self.algorithms)?;
        // Installed only once it is known to be usable: after an error the old keys stay.
        self.source.set(keys, document);
        Ok(())
    }

    /// Replaces the keys of the embedded server. The set may be empty: then every token is refused.
    pub(crate) fn set_keys(&self, document: &[u8]) -> Result<(), String> {
        self.source.set(KeySet::parse_any(document)?, document);
        Ok(())
    }

    /// Verifies a token with the `iss` of this issuer; cheap checks come before the signature.
    pub(crate) async fn verify(
        &self,
        token: Compact<'_>,
        clock: &dyn Clock,
    ) -> Result<Claims, Refusal> {
        // The issuer was chosen by an unverified claim; from here on its own rules decide, not the token.
        self.rules.profile.check_type(token.kind.as_deref())?;
        if !self.algorithms.contains(&token.algorithm) {
            return Err(InvalidToken::Algorithm.into());
        }
        self.verify_signature(&token).await?;
        // Claims are judged only once the signature is verified: until then anybody may have written them.
        let expires = self.rules.check(&token.claims, seconds(clock))?;
        Ok(self.mapping.read(&self.issuer, expires, token.claims))
    }

    /// Verifies the signature. An unknown key id may be due to key rotation, so the key set is refreshed once.
    async fn verify_signature(&self, token: &Compact<'_>) -> Result<(), Refusal> {
        // Most requests end with the first attempt: the installed keys verify the token.
        let current = self.source.keys().await?;
        let verified = self.verify_with(&current.keys, token);
        // A wrong signature by a known key is final: newer keys would not change it.
        if verified != Err(InvalidToken::UnknownKey) {
            return Ok(verified?);
        }
        let newer = self.source.newer_than(&current).await;
        // Nothing newer: the fetch failed, or the backoff does not allow one yet.
        let newer = newer.ok_or(InvalidToken::UnknownKey)?;
        Ok(self.verify_with(&newer.keys, token)?)
    }

    fn verify_with(&self, keys: &KeySet, token: &Compact<'_>) -> Result<(), InvalidToken> {
        let key_id = token.key_id.as_deref().filter(|_| self.has_key_ids);
        keys.verify(key_id, token.algorithm, token.signed, &token.signature)
    }
}
