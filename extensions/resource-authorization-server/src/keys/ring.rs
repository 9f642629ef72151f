//! The keys that sign, in the order in which they become active.

use resource_oauth2::issuing::{SigningKey, digest};
use serde_json::{Value, json};

use crate::builder::OUTLASTING;
use crate::encoding;

/// All keys that are stored, in the order in which they become active.
pub(crate) struct KeyRing {
    keys: Vec<HeldKey>,
    /// Why some that are stored are not used.
    pub(crate) problems: Vec<String>,
}

pub(super) struct HeldKey {
    pub(super) kid: String,
    pub(super) active_from: i64,
    /// As it is published (RFC 7517); `None` where nobody vouches for it.
    pub(super) public: Option<Value>,
    /// Or why it cannot sign.
    pub(super) signing: Result<SigningKey, String>,
}

/// What a key is at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Published, so that everyone knows it before it signs.
    Pending,
    /// Signs.
    Active,
    /// Signs no more, but its tokens may still be good.
    Retiring,
    Gone,
}

impl KeyRing {
    pub(super) fn new(mut keys: Vec<HeldKey>, problems: Vec<String>) -> Self {
        keys.sort_by(|left, right| {
            (left.active_from, &left.kid).cmp(&(right.active_from, &right.kid))
        });
        Self { keys, problems }
    }

    /// The key that signs now. Before the turn of the first it is that one: the clock of who made
    /// it was ahead of ours.
    fn active(&self, now: i64) -> Option<&HeldKey> {
        let mut keys = self.keys.iter().enumerate();
        let active = keys.find(|(index, _)| self.state(*index, now) == State::Active);
        active.map(|(_, key)| key).or(self.keys.first())
    }

    /// The name and the private half of the key that signs now.
    pub(crate) fn signer(&self, now: i64) -> Result<(&str, &SigningKey), String> {
        let key = self.active(now).ok_or("there is no key to sign with")?;
        let signing = key.signing.as_ref().map_err(String::clone)?;
        Ok((&key.kid, signing))
    }

    /// The public keys as they are published (RFC 7517).
    pub(crate) fn key_set(&self, now: i64) -> Value {
        let keys = self.keys.iter().enumerate();
        let published = keys.filter(|(index, _)| self.state(*index, now) != State::Gone);
        let members: Vec<Value> = published
            .filter_map(|(_, key)| key.public.clone())
            .collect();
        json!({"keys": members})
    }

    /// The names of the keys that nobody needs any more.
    pub(crate) fn gone(&self, now: i64) -> impl Iterator<Item = &str> {
        let keys = self.keys.iter().enumerate();
        let gone = keys.filter(move |(index, _)| self.state(*index, now) == State::Gone);
        gone.map(|(_, key)| key.kid.as_str())
    }

    fn state(&self, index: usize, now: i64) -> State {
        let active_from = |index: usize| self.keys.get(index).map(|key| key.active_from);
        if active_from(index).is_none_or(|from| now < from) {
            return State::Pending;
        }
        match active_from(index + 1).filter(|from| now >= *from) {
            None => State::Active,
            Some(followed) if now < followed.saturating_add(OUTLASTING) => State::Retiring,
            Some(_) => State::Gone,
        }
    }
}

/// The public half of a key as it is published.
pub(super) fn public(kid: &str, key: &SigningKey) -> Option<Value> {
    let (x, y) = key.coordinates()?;
    let [x, y] = [x, y].map(encoding::encode);
    Some(json!({
        "kty": "EC", "crv": "P-256", "x": x, "y": y,
        "use": "sig", "alg": "ES256", "kid": kid,
    }))
}

/// The name of a key: its thumbprint (RFC 7638), whose members are written in this order.
pub(super) fn thumbprint(key: &SigningKey) -> Option<String> {
    let (x, y) = key.coordinates()?;
    let [x, y] = [x, y].map(encoding::encode);
    let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Some(encoding::encode(&digest(members.as_bytes())))
}

/// An access token that says `claims` (RFC 9068), signed with the key that is active now.
pub(crate) fn sign(ring: &KeyRing, now: i64, claims: &Value) -> Result<String, String> {
    let (kid, key) = ring.signer(now)?;
    let header = json!({"typ": "at+jwt", "alg": "ES256", "kid": kid});
    let [header, claims] =
        [&header, claims].map(|part| encoding::encode(part.to_string().as_bytes()));
    let signed = format!("{header}.{claims}");
    let signature = key.sign(signed.as_bytes())?;
    Ok(format!("{signed}.{}", encoding::encode(&signature)))
}

#[cfg(test)]
mod tests {
    use super::HeldKey;
    use super::KeyRing;
    use super::OUTLASTING;
    use super::State;
    use super::public;
    use resource_oauth2::issuing::SigningKey;

    fn ring(active_from: &[i64]) -> KeyRing {
        let keys = active_from.iter().map(|from| {
            let signing = SigningKey::generate().unwrap().0;
            let kid = format!("from {from}");
            HeldKey {
                public: public(&kid, &signing),
                kid,
                active_from: *from,
                signing: Ok(signing),
            }
        });
        KeyRing::new(keys.collect(), Vec::new())
    }

    #[test]
    fn a_key_is_pending_active_retiring_and_gone() {
        let ring = ring(&[200, 100]);
        for (now, first, second) in [
            (99, State::Pending, State::Pending),
            (100, State::Active, State::Pending),
            (199, State::Active, State::Pending),
            (200, State::Retiring, State::Active),
            (199 + OUTLASTING, State::Retiring, State::Active),
            (200 + OUTLASTING, State::Gone, State::Active),
        ] {
            assert_eq!([ring.state(0, now), ring.state(1, now)], [first, second]);
        }
    }

    #[test]
    fn all_but_the_gone_are_published_and_one_signs() {
        let ring = ring(&[100, 200]);
        let end = 200 + OUTLASTING;
        let published = |now| ring.key_set(now)["keys"].as_array().unwrap().len();
        assert_eq!(
            [published(50), published(end - 1), published(end)],
            [2, 2, 1]
        );
        let signer = |now| ring.signer(now).unwrap().0;
        assert_eq!([signer(150), signer(205)], ["from 100", "from 200"]);
        assert_eq!(signer(50), "from 100", "a clock is behind");
        assert_eq!(ring.gone(end).collect::<Vec<_>>(), ["from 100"]);
        let member = &ring.key_set(150)["keys"][0];
        assert_eq!(
            (&member["use"], &member["alg"]),
            (&"sig".into(), &"ES256".into())
        );
        assert!(member.get("d").is_none());
    }

    #[test]
    fn a_key_that_cannot_be_used_matters_when_it_must_sign() {
        let mut ring = ring(&[100, 200]);
        ring.keys[1].signing = Err("it cannot be opened".to_owned());
        assert!(ring.signer(199).is_ok());
        assert_eq!(ring.signer(200).err().unwrap(), "it cannot be opened");
        assert!(KeyRing::new(Vec::new(), Vec::new()).signer(0).is_err());
    }
}
