use std::fmt;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};

const COORDINATE_LENGTH: usize = 32;

/// A private key that signs with ES256.
pub struct SigningKey(EcdsaKeyPair);

impl SigningKey {
    /// A new key, and the form in which it is stored (PKCS #8).
    pub fn generate() -> Result<(Self, Vec<u8>), String> {
        let failed = |_| String::from("no key can be generated");
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(failed)?;
        let stored = pair.to_pkcs8v1().map_err(failed)?.as_ref().to_vec();
        Ok((Self(pair), stored))
    }

    /// The key that is stored so; `None` where it is none.
    pub fn of_stored(stored: &[u8]) -> Option<Self> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, stored);
        pair.ok().map(Self)
    }

    /// The signature of a message (RFC 7518, section 3.4).
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, String> {
        let signature = self.0.sign(&SystemRandom::new(), message);
        let signature = signature.map_err(|_| String::from("a token cannot be signed"))?;
        Ok(signature.as_ref().to_vec())
    }

    /// The coordinates of the public point, `x` and `y`.
    #[must_use]
    pub fn coordinates(&self) -> Option<(&[u8], &[u8])> {
        let (_uncompressed, coordinates) = self.0.public_key().as_ref().split_first()?;
        coordinates.split_at_checked(COORDINATE_LENGTH)
    }
}

/// Nothing of the key.
impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SigningKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::SigningKey;

    #[test]
    fn a_stored_key_is_the_same_key() {
        let (key, stored) = SigningKey::generate().unwrap();
        let again = SigningKey::of_stored(&stored).unwrap();
        assert_eq!(key.coordinates(), again.coordinates());
        let (x, y) = key.coordinates().unwrap();
        assert_eq!((x.len(), y.len()), (32, 32));
        assert_eq!(key.sign(b"message").unwrap().len(), 64);
        assert!(SigningKey::of_stored(b"no key").is_none());
    }
}
