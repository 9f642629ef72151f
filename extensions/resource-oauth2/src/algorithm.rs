//! Signature algorithms of access tokens (RFC 7518).

use jsonwebtoken::Algorithm as JwtAlgorithm;

/// A signature algorithm for the access tokens of an issuer.
///
/// All are asymmetric. With a shared secret, everyone who can verify a token could issue one, and an attacker
/// could use the public key of an issuer as the secret (algorithm confusion). See
/// [`with_shared_secret`](super::TrustedIssuer::with_shared_secret).
///
/// ```
/// use resource_oauth2::{Algorithm, TrustedIssuer};
///
/// let issuer = TrustedIssuer::new("https://login.example.com")
///     .audience("https://api.example.com")
///     .algorithms([Algorithm::Es256]);
/// # drop(issuer);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// RSA with PKCS #1 v1.5 and SHA-256.
    Rs256,
    /// RSA with PSS and SHA-256.
    Ps256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// Ed25519.
    EdDsa,
}

impl Algorithm {
    pub(super) const ALL: [Self; 4] = [Self::Rs256, Self::Ps256, Self::Es256, Self::EdDsa];

    pub(super) const fn to_jwt(self) -> JwtAlgorithm {
        match self {
            Self::Rs256 => JwtAlgorithm::RS256,
            Self::Ps256 => JwtAlgorithm::PS256,
            Self::Es256 => JwtAlgorithm::ES256,
            Self::EdDsa => JwtAlgorithm::EdDSA,
        }
    }
}

/// The algorithm of an `alg` value of a token or key. `none` is deliberately unknown.
pub(super) fn by_name(name: &str) -> Option<JwtAlgorithm> {
    // Names are case-sensitive (RFC 7515, section 4.1.1); `none` and all others are unknown.
    match name {
        "RS256" => Some(JwtAlgorithm::RS256),
        "PS256" => Some(JwtAlgorithm::PS256),
        "ES256" => Some(JwtAlgorithm::ES256),
        // RFC 9864 replaces `EdDSA` by the name of the curve.
        "EdDSA" | "Ed25519" => Some(JwtAlgorithm::EdDSA),
        // A token may name HS256; the rules of its issuer decide whether it is permitted.
        "HS256" => Some(JwtAlgorithm::HS256),
        _ => None,
    }
}
