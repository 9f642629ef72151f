//! Key sets (RFC 7517), and the choice of a key by key id and algorithm.

use jsonwebtoken::Algorithm;
use resource_runtime::authorization::InvalidToken;
use serde::Deserialize;
use serde_json::Value;

use super::key::Key;

/// Largest number of keys used of a set, since a token without key id makes the verifier look at all.
const MAX_KEYS: usize = 32;

/// A JSON Web Key Set (RFC 7517), reduced to the keys that verify signatures.
pub(crate) struct KeySet {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Parses a key set. Keys that are not understood are skipped: issuers also publish keys for encryption, and of
    /// newer types.
    pub(crate) fn parse(document: &[u8]) -> Result<Self, String> {
        let set = Self::parse_any(document)?;
        // A set without usable keys, fetched by mistake, must not replace one that works.
        if set.keys.is_empty() {
            return Err("the key set has no key for RS256, PS256, ES256 or EdDSA".to_owned());
        }
        Ok(set)
    }

    /// Parses a key set that may contain no usable key.
    pub(crate) fn parse_any(document: &[u8]) -> Result<Self, String> {
        let document: Document = serde_json::from_slice(document)
            .map_err(|error| format!("the key set is not one: {error}"))?;
        // Only usable keys count for the limit, so that a set with many others still works.
        let keys = document.keys.iter().filter_map(Key::of_member);
        let keys = keys.take(MAX_KEYS).collect();
        Ok(Self { keys })
    }

    pub(crate) fn of_secret(secret: &[u8]) -> Self {
        Self {
            keys: vec![Key::of_secret(secret)],
        }
    }

    /// Fails if no key supports any of the algorithms.
    pub(crate) fn require_one_for(&self, algorithms: &[Algorithm]) -> Result<(), String> {
        let mut keys = self.keys.iter();
        // One key is enough: during a rotation the set may hold keys for algorithms that come later.
        if keys.any(|key| algorithms.iter().any(|it| key.suits(*it))) {
            return Ok(());
        }
        let names: Vec<String> = algorithms.iter().map(|it| format!("{it:?}")).collect();
        let names = names.join(", ");
        Err(format!(
            "the key set has no key for {names}; name its algorithms with `.algorithms(…)`"
        ))
    }

    /// Verifies the signature of `message` with the key of this key id. A token without key id is verified only if
    /// exactly one key supports its algorithm.
    pub(crate) fn verify(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> Result<(), InvalidToken> {
        let Some(id) = id else {
            return self.verify_unnamed(algorithm, message, signature);
        };
        let is_called = |key: &&Key| key.id.as_deref() == Some(id);
        // Keys of different types may share an id (RFC 7517, section 4.5).
        let mut named = self.keys.iter().filter(is_called).peekable();
        // Only this error makes the caller look for newer keys.
        if named.peek().is_none() {
            return Err(InvalidToken::UnknownKey);
        }
        let mut suitable = named.filter(|key| key.suits(algorithm)).peekable();
        if suitable.peek().is_none() {
            return Err(InvalidToken::Algorithm);
        }
        let verified = suitable.any(|key| key.verifies(algorithm, message, signature));
        verified.then_some(()).ok_or(InvalidToken::Signature)
    }

    fn verify_unnamed(
        &self,
        algorithm: Algorithm,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> Result<(), InvalidToken> {
        let mut suitable = self.keys.iter().filter(|key| key.suits(algorithm));
        // Trying several keys would multiply the cost of made-up tokens.
        let (Some(key), None) = (suitable.next(), suitable.next()) else {
            return Err(InvalidToken::UnknownKey);
        };
        let verified = key.verifies(algorithm, message, signature);
        verified.then_some(()).ok_or(InvalidToken::Signature)
    }
}

#[cfg(test)]
mod tests;
