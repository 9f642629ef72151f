//! Keys that sign tokens, with their public halves as issuers publish them.

use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RSA_PSS_SHA256, RsaEncoding, RsaKeyPair,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use resource_tests::watch;
use serde_json::{Value, json};

/// A key that signs tokens, and its public half as issuers publish it.
pub(crate) struct Signer {
    pub(crate) id: String,
    pub(crate) algorithm: &'static str,
    secret: Secret,
}

enum Secret {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>, &'static dyn RsaEncoding),
    Shared(Vec<u8>),
}

impl Signer {
    pub(crate) fn es256(id: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        Self::new(id, "ES256", Secret::P256(pair))
    }

    pub(crate) fn ed25519(id: &str) -> Self {
        let pair = Ed25519KeyPair::generate().unwrap();
        Self::new(id, "EdDSA", Secret::Ed25519(pair))
    }

    pub(crate) fn rs256(id: &str) -> Self {
        Self::rsa(id, "RS256", &RSA_PKCS1_SHA256)
    }

    pub(crate) fn ps256(id: &str) -> Self {
        Self::rsa(id, "PS256", &RSA_PSS_SHA256)
    }

    pub(crate) fn hs256(id: &str, secret: &[u8]) -> Self {
        Self::new(id, "HS256", Secret::Shared(secret.to_vec()))
    }

    fn rsa(id: &str, algorithm: &'static str, encoding: &'static dyn RsaEncoding) -> Self {
        let pair = Box::new(RsaKeyPair::generate(KeySize::Rsa2048).unwrap());
        Self::new(id, algorithm, Secret::Rsa(pair, encoding))
    }

    fn new(id: &str, algorithm: &'static str, secret: Secret) -> Self {
        Self {
            id: id.to_owned(),
            algorithm,
            secret,
        }
    }

    /// The public key, without `alg`, as Entra publishes its keys.
    pub(crate) fn public(&self) -> Value {
        match &self.secret {
            Secret::P256(pair) => {
                let point = pair.public_key().as_ref();
                let (x, y) = point[1..].split_at(32);
                json!({"kty": "EC", "crv": "P-256", "kid": self.id, "x": text(x), "y": text(y)})
            }
            Secret::Ed25519(pair) => {
                let x = text(pair.public_key().as_ref());
                json!({"kty": "OKP", "crv": "Ed25519", "kid": self.id, "x": x})
            }
            Secret::Rsa(pair, _) => {
                let public = pair.public_key();
                let modulus = public.modulus().big_endian_without_leading_zero().to_vec();
                let exponent = public.exponent().big_endian_without_leading_zero().to_vec();
                let (n, e) = (text(&modulus), text(&exponent));
                json!({"kty": "RSA", "use": "sig", "kid": self.id, "n": n, "e": e})
            }
            Secret::Shared(_) => json!({"kty": "oct"}),
        }
    }

    /// The header of an access token that this key signs.
    pub(crate) fn header(&self) -> Value {
        json!({"typ": "at+jwt", "alg": self.algorithm, "kid": self.id})
    }

    pub(crate) fn sign(&self, claims: &Value) -> String {
        self.sign_with(&self.header(), claims)
    }

    pub(crate) fn sign_with(&self, header: &Value, claims: &Value) -> String {
        self.sign_parts(&header.to_string(), &claims.to_string())
    }

    pub(crate) fn sign_parts(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", text(header.as_bytes()), text(claims.as_bytes()));
        let signature = self.signature(signed.as_bytes());
        let token = format!("{signed}.{}", text(&signature));
        watch::remember_token("a token that a test signed", &token);
        token
    }

    fn signature(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.secret {
            Secret::P256(pair) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            Secret::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Secret::Rsa(pair, encoding) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(*encoding, &random, message, &mut signature)
                    .unwrap();
                signature
            }
            Secret::Shared(secret) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
                hmac::sign(&key, message).as_ref().to_vec()
            }
        }
    }
}

/// The key set of these keys.
pub(crate) fn key_set(signers: &[&Signer]) -> Value {
    let keys: Vec<Value> = signers.iter().map(|signer| signer.public()).collect();
    json!({"keys": keys})
}

pub(crate) fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
