//! The key ring: all signing keys in the order of their activation.

use resource_oauth2::issuing::{SigningKey, digest};
use serde_json::{Value, json};

use crate::builder::MAX_TOKEN_AGE;
use crate::encoding;

/// The stored keys that `Protection` admits, in the order of their activation.
pub(crate) struct KeyRing {
    keys: Vec<RingKey>,
    /// Problems of stored keys that cannot be used.
    pub(crate) problems: Vec<String>,
}

/// A key of the ring.
pub(super) struct RingKey {
    pub(super) kid: String,
    pub(super) active_from: i64,
    /// The public key as published (RFC 7517); `None` if its origin is not proven.
    pub(super) public: Option<Value>,
    /// The private key, or the reason that it cannot sign.
    pub(super) signing: Result<SigningKey, String>,
}

/// State of a key at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyState {
    /// Published before it signs, so that verifiers which cache key sets know it by then.
    Pending,
    /// Signs tokens.
    Active,
    /// Replaced, but tokens that it signed may still be valid.
    Retiring,
    /// Needed by no token.
    Expired,
}

impl KeyRing {
    pub(super) fn new(mut keys: Vec<RingKey>, problems: Vec<String>) -> Self {
        // The key id decides between keys of the same second, so that all instances agree on the
        // active one.
        keys.sort_by(|left, right| {
            (left.active_from, &left.kid).cmp(&(right.active_from, &right.kid))
        });
        Self { keys, problems }
    }

    /// The key that signs now. Before the first activation it is the first key: the clock of the
    /// instance that added it is ahead of ours.
    fn active(&self, now: i64) -> Option<&RingKey> {
        let mut keys = self.keys.iter().enumerate();
        let active = keys.find(|(index, _)| self.state(*index, now) == KeyState::Active);
        active.map(|(_, key)| key).or(self.keys.first())
    }

    /// The id and the private key that sign now.
    pub(crate) fn signer(&self, now: i64) -> Result<(&str, &SigningKey), String> {
        let key = self.active(now).ok_or("there is no key to sign with")?;
        // No other key steps in: verifiers may not know a pending one, and a retiring one may be
        // withdrawn before its new tokens expire.
        let signing = key.signing.as_ref().map_err(String::clone)?;
        Ok((&key.kid, signing))
    }

    /// The public keys as they are published (RFC 7517).
    pub(crate) fn key_set(&self, now: i64) -> Value {
        let keys = self.keys.iter().enumerate();
        // Pending keys are published, too, which is the point of that state.
        let published = keys.filter(|(index, _)| self.state(*index, now) != KeyState::Expired);
        let members: Vec<Value> = published
            .filter_map(|(_, key)| key.public.clone())
            .collect();
        json!({"keys": members})
    }

    /// The ids of the keys that no token needs.
    pub(crate) fn expired(&self, now: i64) -> impl Iterator<Item = &str> {
        let keys = self.keys.iter().enumerate();
        let expired = keys.filter(move |(index, _)| self.state(*index, now) == KeyState::Expired);
        expired.map(|(_, key)| key.kid.as_str())
    }

    fn state(&self, index: usize, now: i64) -> KeyState {
        let active_from = |index: usize| self.keys.get(index).map(|key| key.active_from);
        if active_from(index).is_none_or(|from| now < from) {
            return KeyState::Pending;
        }
        // The next key replaces this one as soon as it is active itself.
        match active_from(index + 1).filter(|from| now >= *from) {
            None => KeyState::Active,
            Some(replaced_at) if now < replaced_at.saturating_add(MAX_TOKEN_AGE) => {
                KeyState::Retiring
            }
            Some(_) => KeyState::Expired,
        }
    }
}

/// The public key as published.
pub(super) fn public_jwk(kid: &str, key: &SigningKey) -> Option<Value> {
    let (x, y) = key.coordinates()?;
    let [x, y] = [x, y].map(encoding::encode);
    Some(json!({
        "kty": "EC", "crv": "P-256", "x": x, "y": y,
        "use": "sig", "alg": "ES256", "kid": kid,
    }))
}

/// The key id: the thumbprint of RFC 7638, which prescribes this order of members.
pub(super) fn thumbprint(key: &SigningKey) -> Option<String> {
    let (x, y) = key.coordinates()?;
    let [x, y] = [x, y].map(encoding::encode);
    let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Some(encoding::encode(&digest(members.as_bytes())))
}

/// An access token with these claims (RFC 9068), signed by the active key.
pub(crate) fn sign(ring: &KeyRing, now: i64, claims: &Value) -> Result<String, String> {
    let (kid, key) = ring.signer(now)?;
    let header = json!({"typ": "at+jwt", "alg": "ES256", "kid": kid});
    let [header, claims] =
        [&header, claims].map(|part| encoding::encode(part.to_string().as_bytes()));
    // The signature is over the encoded text (RFC 7515, section 5.1).
    let signed = format!("{header}.{claims}");
    let signature = key.sign(signed.as_bytes())?;
    Ok(format!("{signed}.{}", encoding::encode(&signature)))
}

#[cfg(test)]
mod tests {
    use super::{KeyRing, KeyState, MAX_TOKEN_AGE, RingKey, SigningKey, public_jwk};

    fn ring(active_from: &[i64]) -> KeyRing {
        let keys = active_from.iter().map(|from| {
            let signing = SigningKey::generate().unwrap().0;
            let kid = format!("from {from}");
            RingKey {
                public: public_jwk(&kid, &signing),
                kid,
                active_from: *from,
                signing: Ok(signing),
            }
        });
        KeyRing::new(keys.collect(), Vec::new())
    }

    #[test]
    fn key_is_pending_active_retiring_and_expired() {
        let ring = ring(&[200, 100]);
        for (now, first, second) in [
            (99, KeyState::Pending, KeyState::Pending),
            (100, KeyState::Active, KeyState::Pending),
            (199, KeyState::Active, KeyState::Pending),
            (200, KeyState::Retiring, KeyState::Active),
            (199 + MAX_TOKEN_AGE, KeyState::Retiring, KeyState::Active),
            (200 + MAX_TOKEN_AGE, KeyState::Expired, KeyState::Active),
        ] {
            assert_eq!([ring.state(0, now), ring.state(1, now)], [first, second]);
        }
    }

    #[test]
    fn all_but_expired_keys_are_published_and_one_signs() {
        let ring = ring(&[100, 200]);
        let expiry = 200 + MAX_TOKEN_AGE;
        let published = |now| ring.key_set(now)["keys"].as_array().unwrap().len();
        assert_eq!(
            [published(50), published(expiry - 1), published(expiry)],
            [2, 2, 1]
        );
        let signer = |now| ring.signer(now).unwrap().0;
        assert_eq!([signer(150), signer(205)], ["from 100", "from 200"]);
        assert_eq!(signer(50), "from 100", "clock of this instance is behind");
        assert_eq!(ring.expired(expiry).collect::<Vec<_>>(), ["from 100"]);
        let member = &ring.key_set(150)["keys"][0];
        assert_eq!(
            (&member["use"], &member["alg"]),
            (&"sig".into(), &"ES256".into())
        );
        assert!(member.get("d").is_none());
    }

    #[test]
    fn unusable_key_fails_only_when_it_must_sign() {
        let mut ring = ring(&[100, 200]);
        ring.keys[1].signing = Err("it cannot be opened".to_owned());
        assert!(ring.signer(199).is_ok());
        assert_eq!(ring.signer(200).err().unwrap(), "it cannot be opened");
        assert!(KeyRing::new(Vec::new(), Vec::new()).signer(0).is_err());
    }
}
