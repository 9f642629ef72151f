//! The one place that computes anything cryptographic.

mod issuing;
mod signing;

use aws_lc_rs::digest;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ParsedPublicKey};
use jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER;
use jsonwebtoken::{Algorithm, DecodingKey};

pub use issuing::{SealingKey, keyed_digest, random, same};
pub use signing::SigningKey;

/// What a token is remembered by: nobody can find the token from it.
pub type Digest = [u8; 32];

/// SHA-256.
#[must_use]
pub fn digest(bytes: &[u8]) -> Digest {
    let mut digest = Digest::default();
    let computed = digest::digest(&digest::SHA256, bytes);
    digest.copy_from_slice(computed.as_ref());
    digest
}

/// Whether a point is one of the curve P-256: of another no signature is ever valid.
pub(crate) fn is_on_p256(point: &[u8]) -> bool {
    ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).is_ok()
}

/// Whether `signature` is one of `message` by `key`.
///
/// The provider is named instead of installed: the one of the process belongs to the host, which
/// may have chosen another, and which panics where features of two crates chose two.
pub(crate) fn verifies(
    algorithm: Algorithm,
    key: &DecodingKey,
    message: &[u8],
    signature: &Vec<u8>,
) -> bool {
    let verifier = (DEFAULT_PROVIDER.verifier_factory)(&algorithm, key);
    verifier.is_ok_and(|verifier| verifier.verify(message, signature).is_ok())
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn the_digest_is_sha_256() {
        let first: Vec<String> = digest(b"abc").iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(
            first.concat(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
