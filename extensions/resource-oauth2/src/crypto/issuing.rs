//! The cryptography of issuing tokens: signing keys, sealed storage of keys, random bytes.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use aws_lc_rs::{constant_time, hmac, rand};

const COORDINATE_LENGTH: usize = 32;
const NONCE_LENGTH: usize = 12;

/// Cryptographically secure random bytes of the operating system.
pub fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], String> {
    let mut bytes = [0; LENGTH];
    // A failure is returned, never replaced by weaker randomness.
    let filled = rand::fill(&mut bytes);
    filled.map_err(|_| String::from("the system gives no random bytes"))?;
    Ok(bytes)
}

/// Compares secrets in constant time.
#[must_use]
pub fn same(left: &[u8], right: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(left, right).is_ok()
}

/// The HMAC-SHA-256 of a message.
#[must_use]
pub fn keyed_digest(key: &[u8], message: &[u8]) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    hmac::sign(&key, message).as_ref().to_vec()
}

/// A key that encrypts private keys for storage, so that read access to the database does not reveal them.
pub struct SealingKey(RandomizedNonceKey);

impl SealingKey {
    /// A sealing key of 32 bytes, used with AES-256-GCM.
    pub fn new(key: &[u8; 32]) -> Result<Self, String> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, key);
        key.map(Self)
            .map_err(|_| String::from("the sealing key cannot be used"))
    }

    /// Encrypts `secret` with its name as associated data, so that stored rows cannot be swapped.
    pub fn seal(&self, name: &str, secret: &[u8]) -> Result<Vec<u8>, String> {
        // Sealed in place, so the buffer starts as a copy of the secret.
        let mut sealed = secret.to_vec();
        let nonce = self
            .0
            .seal_in_place_append_tag(Aad::from(name), &mut sealed);
        let nonce = nonce.map_err(|_| String::from("a key cannot be sealed"))?;
        // The nonce is random and no secret. It is stored in front, where `open` splits it off.
        Ok([nonce.as_ref().as_slice(), &sealed].concat())
    }

    /// Decrypts a secret; `None` if it was sealed with another key or name, or altered.
    #[must_use]
    pub fn open(&self, name: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        // A value that is shorter than a nonce is none that `seal` has made.
        let (nonce, sealed) = sealed.split_at_checked(NONCE_LENGTH)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut opened = sealed.to_vec();
        // The result is without the tag, which is verified here and still at the end of the buffer.
        let secret = self.0.open_in_place(nonce, Aad::from(name), &mut opened);
        secret.ok().map(|secret| secret.to_vec())
    }
}

/// Shows no key material.
impl fmt::Debug for SealingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SealingKey").finish_non_exhaustive()
    }
}

/// A private key that signs with ES256.
pub struct SigningKey(EcdsaKeyPair);

impl SigningKey {
    /// A new key, and its serialization for storage (PKCS #8).
    pub fn generate() -> Result<(Self, Vec<u8>), String> {
        let failed = |_| String::from("no key can be generated");
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(failed)?;
        let stored = pair.to_pkcs8v1().map_err(failed)?.as_ref().to_vec();
        Ok((Self(pair), stored))
    }

    /// Parses a stored key (PKCS #8).
    pub fn of_stored(stored: &[u8]) -> Option<Self> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, stored);
        pair.ok().map(Self)
    }

    /// Signs a message: `r` and `s`, concatenated (RFC 7518, section 3.4).
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, String> {
        let signature = self.0.sign(&SystemRandom::new(), message);
        let signature = signature.map_err(|_| String::from("a token cannot be signed"))?;
        Ok(signature.as_ref().to_vec())
    }

    /// The coordinates of the public point, `x` and `y`.
    #[must_use]
    pub fn coordinates(&self) -> Option<(&[u8], &[u8])> {
        // The point is uncompressed: a byte 4, then `x` and `y` of equal length (SEC 1, section 2.3.3).
        let (_uncompressed, coordinates) = self.0.public_key().as_ref().split_first()?;
        coordinates.split_at_checked(COORDINATE_LENGTH)
    }
}

/// Shows no key material.
impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SigningKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{SealingKey, SigningKey, random, same};

    #[test]
    fn sealed_secret_opens_only_with_its_key_and_name() {
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
    fn only_equal_bytes_are_the_same_and_random_bytes_differ() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"abc", b"abd") && !same(b"abc", b"ab"));
        assert_ne!(random::<32>().unwrap(), random::<32>().unwrap());
    }

    #[test]
    fn stored_signing_key_is_restored() {
        let (key, stored) = SigningKey::generate().unwrap();
        let again = SigningKey::of_stored(&stored).unwrap();
        assert_eq!(key.coordinates(), again.coordinates());
        let (x, y) = key.coordinates().unwrap();
        assert_eq!((x.len(), y.len()), (32, 32));
        assert_eq!(key.sign(b"message").unwrap().len(), 64);
        assert!(SigningKey::of_stored(b"no key").is_none());
    }
}
