//! A key of a key set (RFC 7517).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::Value;

use crate::algorithm::by_name;
use crate::crypto;

/// Permitted sizes of an RSA modulus: a shorter one is insecure, a longer one makes verification expensive.
const MODULUS_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

/// A public key or shared secret that verifies signatures.
pub(super) struct Key {
    pub(super) id: Option<String>,
    /// The algorithm of its `alg`, or all that its type supports.
    algorithms: Vec<Algorithm>,
    decoding: DecodingKey,
}

impl Key {
    /// Parses a key of a key set (RFC 7517); `None` if it is not for signatures, is too weak, or has an unknown type.
    pub(super) fn of_member(member: &Value) -> Option<Self> {
        // First the uses that the key set declares, then the type, then the algorithm: each can only exclude.
        if !is_for_verifying(member) {
            return None;
        }
        // The key decides which algorithms it may verify, not the header of a token.
        let (mut algorithms, decoding) = match text(member, "kty")? {
            "RSA" => (vec![Algorithm::RS256, Algorithm::PS256], rsa(member)?),
            "EC" => (vec![Algorithm::ES256], p256(member)?),
            "OKP" => (vec![Algorithm::EdDSA], ed25519(member)?),
            _ => return None,
        };
        // An `alg` that is not known, such as one for encryption, makes the key unusable.
        if let Some(named) = member.get("alg") {
            let named = by_name(named.as_str()?)?;
            algorithms.retain(|algorithm| *algorithm == named);
        }
        // A key id is optional (RFC 7517, section 4.5), and a key without one still verifies.
        let id = text(member, "kid").map(str::to_owned);
        // The `alg` may contradict the type of the key.
        (!algorithms.is_empty()).then_some(Self {
            id,
            algorithms,
            decoding,
        })
    }

    pub(super) fn of_secret(secret: &[u8]) -> Self {
        // HMAC needs no `kid` and no parsing: the bytes of the secret are the key.
        Self {
            id: None,
            algorithms: vec![Algorithm::HS256],
            decoding: DecodingKey::from_secret(secret),
        }
    }

    pub(super) fn suits(&self, algorithm: Algorithm) -> bool {
        self.algorithms.contains(&algorithm)
    }

    pub(super) fn verifies(
        &self,
        algorithm: Algorithm,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> bool {
        // The algorithm is checked here again, so that no caller can use a key for another one.
        self.suits(algorithm) && crypto::verifies(algorithm, &self.decoding, message, signature)
    }
}

fn is_for_verifying(member: &Value) -> bool {
    // Both members are optional (RFC 7517, sections 4.2 and 4.3), and an absent one permits all uses.
    let use_permits = member.get("use").is_none_or(|usage| usage == "sig");
    let operations_permit = member.get("key_ops").is_none_or(|operations| {
        // `key_ops` that is no array permits nothing.
        let mut operations = operations.as_array().into_iter().flatten();
        operations.any(|operation| operation == "verify")
    });
    use_permits && operations_permit
}

fn rsa(member: &Value) -> Option<DecodingKey> {
    let modulus = number(member, "n")?;
    let exponent = number(member, "e")?;
    // The leading zeros are gone, so the first byte has the highest bit.
    let bits = modulus.first()?.ilog2() as usize + 1 + (modulus.len() - 1) * 8;
    // An exponent of 1 leaves the message as it is, so that everybody could sign; an even one is never
    // valid. More than 4 bytes only make verification expensive.
    let odd = exponent.last()? % 2 == 1;
    let usable = MODULUS_BITS.contains(&bits) && odd && exponent != [1] && exponent.len() <= 4;
    usable.then(|| DecodingKey::from_rsa_raw_components(&modulus, &exponent))
}

fn p256(member: &Value) -> Option<DecodingKey> {
    let (x, y) = (bytes(member, "x")?, bytes(member, "y")?);
    // Coordinates have the full length of the field, with leading zeros (RFC 7518, section 6.2.1.2).
    if text(member, "crv")? != "P-256" || x.len() != 32 || y.len() != 32 {
        return None;
    }
    // An uncompressed point (SEC 1, section 2.3.3).
    let point = [&[4], x.as_slice(), y.as_slice()].concat();
    crypto::is_on_p256(&point).then(|| DecodingKey::from_ec_der(&point))
}

/// Parses an Ed25519 key. The length is checked here, because the crate that verifies may panic on another.
fn ed25519(member: &Value) -> Option<DecodingKey> {
    let x = bytes(member, "x")?;
    // Another curve of this type, X25519, is for key agreement and signs nothing.
    let usable = text(member, "crv")? == "Ed25519" && x.len() == 32;
    usable.then(|| DecodingKey::from_ed_der(&x))
}

/// Decodes a big-endian number without its leading zeros, which some issuers add.
fn number(member: &Value, name: &str) -> Option<Vec<u8>> {
    let bytes = bytes(member, name)?;
    Some(bytes.into_iter().skip_while(|byte| *byte == 0).collect())
}

fn bytes(member: &Value, name: &str) -> Option<Vec<u8>> {
    // Padding is forbidden (RFC 7515, section 2), but some issuers send it.
    let encoded = text(member, name)?.trim_end_matches('=');
    URL_SAFE_NO_PAD.decode(encoded).ok()
}

fn text<'member>(member: &'member Value, name: &str) -> Option<&'member str> {
    member.get(name)?.as_str()
}
