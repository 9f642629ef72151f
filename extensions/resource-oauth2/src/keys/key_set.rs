use jsonwebtoken::Algorithm;
use resource_runtime::authorization::InvalidToken;
use serde::Deserialize;
use serde_json::Value;

use super::key::Key;

/// No issuer needs more; a set that has more would make every token without a key id expensive.
const MOST_KEYS: usize = 32;

/// The keys of an issuer that verify signatures.
pub(crate) struct KeySet {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a key set (RFC 7517). Each key is read alone, and those that are not understood are
    /// left out: issuers publish keys for encryption too, and of kinds yet to be invented.
    pub(crate) fn parse(document: &[u8]) -> Result<Self, String> {
        let set = Self::parse_any(document)?;
        if set.keys.is_empty() {
            return Err("the key set has no key for RS256, PS256, ES256 or EdDSA".to_owned());
        }
        Ok(set)
    }

    /// The same, where there may be none.
    pub(crate) fn parse_any(document: &[u8]) -> Result<Self, String> {
        let document: Document = serde_json::from_slice(document)
            .map_err(|error| format!("the key set is not one: {error}"))?;
        let keys = document.keys.iter().filter_map(Key::of_member);
        let keys = keys.take(MOST_KEYS).collect();
        Ok(Self { keys })
    }

    pub(crate) fn of_secret(secret: &[u8]) -> Self {
        Self {
            keys: vec![Key::of_secret(secret)],
        }
    }

    /// Refuses a set by whose keys nothing that is signed with these algorithms could be verified.
    pub(crate) fn require_one_for(&self, algorithms: &[Algorithm]) -> Result<(), String> {
        let mut keys = self.keys.iter();
        if keys.any(|key| algorithms.iter().any(|it| key.suits(*it))) {
            return Ok(());
        }
        let names: Vec<String> = algorithms.iter().map(|it| format!("{it:?}")).collect();
        let names = names.join(", ");
        Err(format!(
            "the key set has no key for {names}; name its algorithms with `.algorithms(…)`"
        ))
    }

    /// Whether the issuer signed `message` with the key called `id`. A token need not name its
    /// key where only one could be meant.
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
        let mut named = self.keys.iter().filter(is_called).peekable();
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
        let (Some(key), None) = (suitable.next(), suitable.next()) else {
            return Err(InvalidToken::UnknownKey);
        };
        let verified = key.verifies(algorithm, message, signature);
        verified.then_some(()).ok_or(InvalidToken::Signature)
    }
}

#[cfg(test)]
mod tests;
