use jsonwebtoken::Algorithm as Signature;

/// An algorithm that access tokens of an issuer may be signed with.
///
/// There is none with a shared secret among them: it would let everyone who can verify a token
/// make one, and the public key of an issuer pass for a secret. See
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

    pub(super) const fn signature(self) -> Signature {
        match self {
            Self::Rs256 => Signature::RS256,
            Self::Ps256 => Signature::PS256,
            Self::Es256 => Signature::ES256,
            Self::EdDsa => Signature::EdDSA,
        }
    }
}

/// The algorithm of this name in a token's header or a key; `none` is no algorithm.
pub(super) fn by_name(name: &str) -> Option<Signature> {
    match name {
        "RS256" => Some(Signature::RS256),
        "PS256" => Some(Signature::PS256),
        "ES256" => Some(Signature::ES256),
        // RFC 9864 names the curve instead.
        "EdDSA" | "Ed25519" => Some(Signature::EdDSA),
        "HS256" => Some(Signature::HS256),
        _ => None,
    }
}
