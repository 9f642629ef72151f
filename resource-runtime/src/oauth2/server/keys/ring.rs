use serde_json::{Value, json};

use super::super::text;
use crate::oauth2::crypto::{SigningKey, digest};

/// All keys that are stored, in the order in which they become active.
pub(in crate::oauth2::server) struct KeyRing {
    keys: Vec<HeldKey>,
    /// How many seconds after a key was followed by another its last token ends.
    outlasting: i64,
}

pub(super) struct HeldKey {
    pub(super) kid: String,
    pub(super) active_from: i64,
    pub(super) signing: SigningKey,
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
    pub(super) fn new(mut keys: Vec<HeldKey>, outlasting: i64) -> Self {
        keys.sort_by(|left, right| {
            (left.active_from, &left.kid).cmp(&(right.active_from, &right.kid))
        });
        Self { keys, outlasting }
    }

    /// The key that signs now.
    pub(super) fn active(&self, now: i64) -> Option<&HeldKey> {
        let mut keys = self.keys.iter().enumerate();
        let active = keys.find(|(index, _)| self.state(*index, now) == State::Active);
        active.map(|(_, key)| key)
    }

    /// The public keys as they are published (RFC 7517).
    pub(in crate::oauth2::server) fn key_set(&self, now: i64) -> Value {
        let keys = self.keys.iter().enumerate();
        let published = keys.filter(|(index, _)| self.state(*index, now) != State::Gone);
        let members: Vec<Value> = published.filter_map(|(_, key)| key.public()).collect();
        json!({"keys": members})
    }

    /// The names of the keys that nobody needs any more.
    pub(in crate::oauth2::server) fn gone(&self, now: i64) -> impl Iterator<Item = &str> {
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
            Some(followed) if now < followed.saturating_add(self.outlasting) => State::Retiring,
            Some(_) => State::Gone,
        }
    }
}

impl HeldKey {
    fn public(&self) -> Option<Value> {
        let (x, y) = self.signing.coordinates()?;
        let [x, y] = [x, y].map(text::encode);
        Some(json!({
            "kty": "EC", "crv": "P-256", "x": x, "y": y,
            "use": "sig", "alg": "ES256", "kid": self.kid,
        }))
    }
}

/// The name of a key: its thumbprint (RFC 7638), whose members are written in this order.
pub(super) fn thumbprint(key: &SigningKey) -> Option<String> {
    let (x, y) = key.coordinates()?;
    let [x, y] = [x, y].map(text::encode);
    let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Some(text::encode(&digest(members.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::{HeldKey, KeyRing, State};
    use crate::oauth2::crypto::SigningKey;

    fn ring(active_from: &[i64]) -> KeyRing {
        let keys = active_from.iter().map(|from| HeldKey {
            kid: format!("from {from}"),
            active_from: *from,
            signing: SigningKey::generate().unwrap().0,
        });
        KeyRing::new(keys.collect(), 10)
    }

    #[test]
    fn a_key_is_pending_active_retiring_and_gone() {
        let ring = ring(&[200, 100]);
        for (now, first, second) in [
            (99, State::Pending, State::Pending),
            (100, State::Active, State::Pending),
            (199, State::Active, State::Pending),
            (200, State::Retiring, State::Active),
            (209, State::Retiring, State::Active),
            (210, State::Gone, State::Active),
        ] {
            assert_eq!([ring.state(0, now), ring.state(1, now)], [first, second]);
        }
    }

    #[test]
    fn all_but_the_gone_are_published_and_one_signs() {
        let ring = ring(&[100, 200]);
        let published = |now| ring.key_set(now)["keys"].as_array().unwrap().len();
        assert_eq!([published(150), published(205), published(210)], [2, 2, 1]);
        assert_eq!(ring.active(150).unwrap().kid, "from 100");
        assert_eq!(ring.active(205).unwrap().kid, "from 200");
        assert_eq!(ring.gone(210).collect::<Vec<_>>(), ["from 100"]);
        assert!(ring.active(50).is_none());
        let member = &ring.key_set(150)["keys"][0];
        assert_eq!(
            (&member["use"], &member["alg"]),
            (&"sig".into(), &"ES256".into())
        );
        assert!(member.get("d").is_none());
    }
}
