//! What is needed to issue tokens, and not to verify them.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::{constant_time, hmac, rand};

const NONCE_LENGTH: usize = 12;

/// As many random bytes from the system, which nobody guesses.
pub fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], String> {
    let mut bytes = [0; LENGTH];
    let filled = rand::fill(&mut bytes);
    filled.map_err(|_| String::from("the system gives no random bytes"))?;
    Ok(bytes)
}

/// Whether both are the same, in a time that does not tell where they differ.
#[must_use]
pub fn same(left: &[u8], right: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(left, right).is_ok()
}

/// The digest of a message that only those can make who have the key.
#[must_use]
pub fn keyed_digest(key: &[u8], message: &[u8]) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    hmac::sign(&key, message).as_ref().to_vec()
}

/// A key that keeps other keys from those who read the database alone.
pub struct SealingKey(RandomizedNonceKey);

impl SealingKey {
    /// The key of these bytes.
    pub fn new(key: &[u8; 32]) -> Result<Self, String> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, key);
        key.map(Self)
            .map_err(|_| String::from("the sealing key cannot be used"))
    }

    /// Seals `secret` under its name: what is sealed under one cannot be passed off for another.
    pub fn seal(&self, name: &str, secret: &[u8]) -> Result<Vec<u8>, String> {
        let mut sealed = secret.to_vec();
        let nonce = self
            .0
            .seal_in_place_append_tag(Aad::from(name), &mut sealed);
        let nonce = nonce.map_err(|_| String::from("a key cannot be sealed"))?;
        Ok([nonce.as_ref().as_slice(), &sealed].concat())
    }

    /// What was sealed under this name; `None` where it was sealed otherwise.
    #[must_use]
    pub fn open(&self, name: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE_LENGTH)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut opened = sealed.to_vec();
        let secret = self.0.open_in_place(nonce, Aad::from(name), &mut opened);
        secret.ok().map(|secret| secret.to_vec())
    }
}

/// Nothing of the key.
impl fmt::Debug for SealingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SealingKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{SealingKey, random, same};

    #[test]
    fn what_is_sealed_opens_by_its_key_and_name_alone() {
        let key = SealingKey::new(&[7; 32]).unwrap();
        let sealed = key.seal("first", b"secret").unwrap();
        assert!(!sealed.windows(6).any(|part| part == b"secret"));
        assert_eq!(key.open("first", &sealed).unwrap(), b"secret");
        assert!(key.open("second", &sealed).is_none());
        assert!(
            SealingKey::new(&[8; 32])
                .unwrap()
                .open("first", &sealed)
                .is_none()
        );
        let mut altered = sealed.clone();
        *altered.last_mut().unwrap() ^= 1;
        assert!(key.open("first", &altered).is_none());
        assert!(key.open("first", b"short").is_none());
        assert_ne!(key.seal("first", b"secret").unwrap(), sealed);
    }

    #[test]
    fn only_equal_bytes_are_the_same() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"abc", b"abd") && !same(b"abc", b"ab"));
        assert_ne!(random::<32>().unwrap(), random::<32>().unwrap());
    }
}
