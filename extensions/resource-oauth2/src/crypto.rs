//! All cryptography: digests and signature verification here, signing and sealing in `issuing`.

mod issuing;

use aws_lc_rs::digest;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ParsedPublicKey};
use jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER;
use jsonwebtoken::{Algorithm, DecodingKey};

pub use issuing::{SealingKey, SigningKey, keyed_digest, random, same};

/// The SHA-256 digest of a token, the key of caches: a memory dump of a cache reveals no token.
pub type Digest = [u8; 32];

/// The SHA-256 digest of `bytes`.
#[must_use]
pub fn digest(bytes: &[u8]) -> Digest {
    // Copied into an array, since a key of a cache has to own its bytes, without a heap allocation for each.
    let mut digest = Digest::default();
    let computed = digest::digest(&digest::SHA256, bytes);
    digest.copy_from_slice(computed.as_ref());
    digest
}

/// Tests for a point of the curve P-256. A key with another point could verify no signature.
pub(crate) fn is_on_p256(point: &[u8]) -> bool {
    ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).is_ok()
}

/// Verifies the `signature` of `message`.
///
/// The provider is passed explicitly, because the process-wide one belongs to the host, which may have installed
/// another; choosing it by crate features panics when two crates choose two.
pub(crate) fn verifies(
    algorithm: Algorithm,
    key: &DecodingKey,
    message: &[u8],
    signature: &Vec<u8>,
) -> bool {
    // A key that does not suit the algorithm makes no verifier; for the caller that is a wrong signature.
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
